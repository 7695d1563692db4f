package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// generation is a snapshot without rows, with all that it needs and no more
// than that in common with others.
func generation(t *testing.T, n int, parent Digest) []Entry {
	t.Helper()
	var list []Entry
	keep := func(kind Kind, b []byte) Digest {
		list = append(list, entry(kind, b))
		return Sum(b)
	}
	page, err := WriteTrie(nil, func(p []byte) (Digest, error) { return keep(KindPage, p), nil })
	if err != nil {
		t.Fatal(err)
	}
	rejections, pages, _ := EncodeRejections(context.Background(), []Rejection{{File: "metadata.csv", Line: n + 1, Reason: string(noise(uint64(n), 5000))}})
	for _, p := range pages {
		keep(KindList, p)
	}
	root := Root{Config: []Named{{"generation", strconv.Itoa(n)}}, Trie: page}
	snap := Snapshot{Root: keep(KindRoot, root.Encode()), Origins: page, Rejections: keep(KindList, rejections), Rejected: 1, Parent: parent}
	keep(KindSnapshot, snap.Encode())
	return list
}

// generations commits a line of snapshots, a pack each, oldest first.
func generations(t *testing.T, n int) (dir string, list [][]Entry) {
	t.Helper()
	dir = memoryDir(t)
	commit(t, dir, testOptions(), []Entry{entry(KindBlock, noise(1, 1<<20)), entry(KindSnapshot, []byte("the base"))})
	var parent Digest
	for i := range n {
		list = append(list, generation(t, i, parent))
		commit(t, dir, testOptions(), list[i])
		parent = list[i][len(list[i])-1].Name
	}
	return dir, list
}

func TestTheParentOfARefIsLiveAndOlderOnesAreNot(t *testing.T) {
	dir, list := generations(t, 6)
	live, err := open(t, dir).Live()
	if err != nil {
		t.Fatal(err)
	}
	for i, entries := range list {
		for _, e := range entries {
			_, got := live[entryKey(e.Kind, e.Name)]
			if want := i >= 4 || e.Kind == KindPage; got != want { // the empty page is everybody's
				t.Errorf("snapshot %d: %c:%x is live: %v, want %v", i, e.Kind, e.Name[:4], got, want)
			}
		}
	}
}

func TestAMergeKeepsTheParent(t *testing.T) {
	dir, list := generations(t, 6)
	r, err := Merge(context.Background(), dir, eager(), (*Store).Live)
	if err != nil || r.Dropped == 0 {
		t.Fatalf("Merge = %+v, %v; want the history dropped", r, err)
	}
	s := open(t, dir)
	wantEntries(t, s, append(list[5], list[4]...)...)
	if old := list[3][len(list[3])-1]; s.Has(old.Kind, old.Name) {
		t.Error("a snapshot that is nobody's parent outlived a merge without room for history")
	}
}

// TestAParentThatIsNotThereIsNotMissed: by then the refs' own snapshots are whole.
func TestAParentThatIsNotThereIsNotMissed(t *testing.T) {
	for name, harm := range map[string]func(pack string) error{
		"gone":    os.RemoveAll,
		"damaged": func(pack string) error { return os.Remove(filepath.Join(pack, sealName)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, list := generations(t, 3)
			if err := writeRef(dir, "tags/first", Digest(list[0][len(list[0])-1].Name)); err != nil {
				t.Fatal(err)
			}
			ids, _ := packIDs(dir)
			if err := harm(packPath(dir, ids[1])); err != nil { // of snapshot 1, the parent of main
				t.Fatal(err)
			}
			live, err := open(t, dir).Live()
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range append(list[0], list[2]...) {
				if _, ok := live[entryKey(e.Kind, e.Name)]; !ok {
					t.Errorf("%c:%x is not live", e.Kind, e.Name[:4])
				}
			}
			if err := harm(packPath(dir, ids[0])); err != nil {
				t.Fatal(err)
			}
			if _, err := open(t, dir).Live(); !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotFound) {
				t.Errorf("Live = %v with the ref's own snapshot harmed, want an error", err)
			}
		})
	}
}

// TestTextsOfARootAreLive: a build and a trainer read the lexicon and the tokenizer
// of a root, which its settings name by digest.
func TestTextsOfARootAreLive(t *testing.T) {
	lexicon, tokenizer := entry(KindText, []byte("Dr.\tDoctor\t*\n")), entry(KindText, []byte("{}"))
	page := func(list *[]Entry) Digest {
		d, err := WriteTrie(nil, func(p []byte) (Digest, error) { *list = append(*list, entry(KindPage, p)); return Sum(p), nil })
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	list := []Entry{lexicon, tokenizer}
	root := Root{Config: []Named{{LexiconSetting, Sum(lexicon.Value).String()}, {TokenizerSetting, Sum(tokenizer.Value).String()}}, Trie: page(&list)}
	snap := Snapshot{Root: Sum(root.Encode()), Origins: root.Trie}
	list = append(list, entry(KindRoot, root.Encode()), entry(KindSnapshot, snap.Encode()))
	dir := memoryDir(t)
	commit(t, dir, testOptions(), list)
	live, err := open(t, dir).Live()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if _, ok := live[entryKey(e.Kind, e.Name)]; !ok {
			t.Errorf("%c:%x is not live", e.Kind, e.Name[:4])
		}
	}
}

package compiler

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"voxpack/compiler/intake"
	"voxpack/store"
)

// asideItems are surveyed rows; each tenth is rejected.
func asideItems(n int) (items []*item) {
	for i := range n {
		r := &store.OriginRow{ID: fmt.Sprint(i), Text: strings.Repeat("said ", i%50), Language: "en", Frames: uint32(i), Split: "val",
			Audio: store.Sum([]byte{byte(i)}), Keys: make([]store.Key, 4)}
		if i%3 == 0 {
			r.Notes = []store.Note{{Stage: "text", Kind: "k", Detail: fmt.Sprint(i % 5), Count: 1}}
		}
		it := &item{fate: &fate{made: r}}
		it.row = &intake.Row{ID: r.ID}
		if i%10 == 9 {
			it.problems = []problem{{stage: "audio"}}
		}
		items = append(items, it)
	}
	return items
}

func TestRecordsComeBackAsTheyWerePutAside(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a := newAside()
	defer a.close()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("the file has a name: %v (%v)", left, err)
	}
	items, want := asideItems(1000), asideItems(1000)
	putters := []putter{{aside: a}, {aside: a}}
	for i, it := range items {
		putters[i/7%2].put(it)
	}
	for i := range putters {
		putters[i].flush()
	}
	for i, it := range items {
		if (it.made == nil) != it.kept() {
			t.Fatalf("row %d: its record is in memory: %t, it is kept: %t", i, it.made != nil, it.kept())
		}
		if got, want := it.end(), want[i].end(); !reflect.DeepEqual(got, want) {
			t.Errorf("row %d: %+v remains, want %+v", i, got, want)
		}
	}
	if err := a.recall(items); err != nil {
		t.Fatal(err)
	}
	for i, it := range items {
		if !reflect.DeepEqual(it.made, want[i].made) {
			t.Errorf("row %d: %+v, want %+v", i, it.made, want[i].made)
		}
	}
}

func TestRecordsWithoutRoomStayInMemory(t *testing.T) {
	a := newAside()
	a.close() // no write can succeed
	items, p := asideItems(1000), putter{aside: a}
	for _, it := range items {
		p.put(it)
	}
	p.flush()
	if err := a.recall(items); err != nil || !a.full.Load() {
		t.Errorf("recall: %v; the file counts as full: %t", err, a.full.Load())
	}
	for i, it := range items {
		if it.made == nil {
			t.Fatalf("the record of row %d is lost", i)
		}
	}
}

// TestTheFolderForTemporaryFilesChangesNothing: what a first build ends with does not depend on it.
func TestTheFolderForTemporaryFilesChangesNothing(t *testing.T) {
	dir := encodedCorpus(t, 24)
	var datasets []string
	for _, temp := range []string{t.TempDir(), filepath.Join(dir, "none")} {
		t.Setenv("TMPDIR", temp)
		o := encodedOptions(dir)
		o.Store = filepath.Join(t.TempDir(), "store")
		datasets = append(datasets, mustBuild(t, o).Dataset)
	}
	if datasets[0] != datasets[1] {
		t.Errorf("with a folder for temporary files %s, without %s", datasets[0], datasets[1])
	}
}

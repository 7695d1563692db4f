package clip

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"voxpack/store"
)

// chunkOf is an encoded chunk of made-up files, in the order of the names.
func chunkOf(names ...string) []byte {
	c := &statChunk{hashed: map[string]fingerprint{}}
	for i, n := range names {
		c.hashed[n] = printOf(n, i)
	}
	return c.encode(false)
}

func printOf(name string, i int) fingerprint {
	return fingerprint{Stamp: Stamp{Size: int64(i), Mtime: 5, Ctime: 7, Inode: uint64(i) << 40}, Seen: -9, Digest: store.Sum([]byte(name))}
}

func TestAChunkGivesBackWhatWasPutIn(t *testing.T) {
	names := []string{"a.wav", "wavs/a.wav", "wavs/b.wav", "گفتار.wav"}
	c := &statChunk{}
	c.load(chunkOf(names...))
	for i, name := range names {
		if got, ok := c.find(name, store.Place(name)); !ok || got != printOf(name, i) {
			t.Errorf("find(%q) = %+v, %v, want %+v", name, got, ok, printOf(name, i))
		}
	}
	for _, name := range []string{"", "a", "wavs/aa.wav", "ی.wav"} {
		if got, ok := c.find(name, store.Place(name)); ok {
			t.Errorf("find(%q) = %+v, want nothing", name, got)
		}
	}
}

func TestADamagedChunkEndsWhereTheDamageBegins(t *testing.T) {
	whole := chunkOf("a", "b", "c")
	entry := len(whole) / 3
	swapped := append(append(append([]byte(nil), whole[:entry]...), whole[2*entry:]...), whole[entry:2*entry]...)
	long := append([]byte(nil), whole...)
	binary.LittleEndian.PutUint32(long[entry:], 1<<31)
	for _, c := range []struct {
		name string
		b    []byte
		want int
	}{
		{"whole", whole, 3},
		{"nothing", nil, 0},
		{"cut in the last entry", whole[:len(whole)-1], 2},
		{"cut in the first length", whole[:3], 0},
		{"a name longer than the chunk", long, 1},
		{"names out of order", swapped, 2},
		{"a name twice", append(append([]byte(nil), whole[:entry]...), whole[:entry]...), 1},
	} {
		if got := len(listChunk(c.b).at); got != c.want {
			t.Errorf("%s: %d entries, want %d", c.name, got, c.want)
		}
	}
}

func TestAFileIsHashedWhenItsStampIsNotTrusted(t *testing.T) {
	const old = 1_000_000_000_000_000_001 // ns
	seen := time.Unix(0, old).Add(time.Second)
	was := Stamp{Size: 10, Mtime: old, Ctime: old, Inode: 3}
	changed := func(f func(*Stamp)) Stamp { s := was; f(&s); return s }
	for _, c := range []struct {
		name   string
		rehash bool
		first  Stamp // when it was hashed
		now    Stamp
		hashes bool
	}{
		{"same stamp", false, was, was, false},
		{"same stamp, --rehash", true, was, was, true},
		{"another size", false, was, changed(func(s *Stamp) { s.Size++ }), true},
		{"another mtime", false, was, changed(func(s *Stamp) { s.Mtime++ }), true},
		{"another ctime", false, was, changed(func(s *Stamp) { s.Ctime++ }), true},
		{"another inode", false, was, changed(func(s *Stamp) { s.Inode++ }), true},
		{"written within a tick of the hashing", false, changed(func(s *Stamp) { s.Mtime = seen.UnixNano() - 1e6 }), changed(func(s *Stamp) { s.Mtime = seen.UnixNano() - 1e6 }), true},
		{"written within a tick of the hashing, then given an old mtime", false, changed(func(s *Stamp) { s.Ctime = seen.UnixNano() - 1e6 }), changed(func(s *Stamp) { s.Ctime = seen.UnixNano() - 1e6 }), true},
		{"whole seconds are kept by coarse clocks", false, changed(func(s *Stamp) { s.Mtime = old - 1 }), changed(func(s *Stamp) { s.Mtime = old - 1 }), true},
	} {
		table := NewStatTable(nil, c.rehash, func() time.Time { return seen })
		chunk := table.chunk(store.Place("a.wav"))
		chunk.hashed = map[string]fingerprint{"a.wav": {Stamp: c.first, Seen: seen.UnixNano(), Digest: store.Sum([]byte("a"))}}
		chunk.load(chunk.encode(false))
		chunk.hashed = nil // by an earlier build
		hashed := false
		_, _, err := table.Digest("a.wav", c.now, func() (store.Digest, error) {
			hashed = true
			return store.Sum([]byte("a")), nil
		})
		if err != nil || hashed != c.hashes {
			t.Errorf("%s: hashed %v (%v), want %v", c.name, hashed, err, c.hashes)
		}
		if got, want := table.NeedsWrite(), c.first != c.now; got != want {
			t.Errorf("%s: needsWrite() = %v, want %v", c.name, got, want)
		}
	}
}

func TestAChunkForgetsFilesWithoutARow(t *testing.T) {
	table := NewStatTable(nil, false, time.Now)
	// Two names of one chunk.
	first, second := "", ""
	for i := 0; second == ""; i++ {
		name := fmt.Sprintf("%d.wav", i)
		switch {
		case store.Place(name)>>56 != 7:
		case first == "":
			first = name
		default:
			second = name
		}
	}
	chunk := table.chunk(store.Place(first))
	chunk.load(chunkOf(min(first, second), max(first, second)))
	fail := errors.New("unreadable")
	if _, _, err := table.Digest(first, Stamp{Size: 99}, func() (store.Digest, error) { return store.Digest{}, fail }); !errors.Is(err, fail) {
		t.Fatalf("digest = %v, want %v", err, fail)
	}
	var saved []byte
	if err := table.Save(func(_, value []byte) error { saved = value; return nil }); err != nil {
		t.Fatal(err)
	}
	l := listChunk(saved)
	if len(l.at) != 1 || string(l.name(0)) != first {
		t.Errorf("%d files were kept, want %s alone", len(l.at), first)
	}
}

// TestAFileIsHashedOnceInABuild: the parts of a recording are many rows.
func TestAFileIsHashedOnceInABuild(t *testing.T) {
	hashed := 0
	stats := NewStatTable(nil, false, time.Now)
	for range 3 {
		if _, _, err := stats.Digest("rec/long.wav", Stamp{Size: 1}, func() (store.Digest, error) { hashed++; return store.Sum(nil), nil }); err != nil {
			t.Fatal(err)
		}
	}
	if hashed != 1 {
		t.Errorf("a file was hashed %d times in one build", hashed)
	}
}

func FuzzListChunk(f *testing.F) {
	f.Add(chunkOf("a.wav", "wavs/b.wav"))
	f.Add([]byte("\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &statChunk{}
		c.load(b)
		for i := range c.old.at {
			name := string(c.old.name(i))
			if got, ok := c.find(name, store.Place(name)); !ok || got != c.old.fingerprint(i) {
				t.Fatalf("find(%q) = %+v, %v, want entry %d", name, got, ok, i)
			}
		}
	})
}

// TestFilesOfRowsThatDidNotAskStayInTheTable: a chunk that is written keeps those that Keep names, and drops others.
func TestFilesOfRowsThatDidNotAskStayInTheTable(t *testing.T) {
	at := int(store.Place("b.wav") >> 56)
	beside := "" // of the same chunk
	for i := 0; int(store.Place(beside)>>56) != at; i++ {
		beside = fmt.Sprintf("n%d.wav", i)
	}
	table := NewStatTable(nil, false, time.Now)
	chunk := &table.chunks[at]
	chunk.once.Do(func() { chunk.load(chunkOf("b.wav", "gone.wav")) })
	old := Stamp{Size: 1, Mtime: 1, Ctime: 1}
	table.Note(beside, old, time.Now(), store.Sum(nil))
	if !table.Settled(beside, old) || table.Settled(beside, Stamp{Size: 2}) || table.Settled("unknown.wav", old) {
		t.Error("a file with the stamp that it was hashed with is settled, and no other")
	}
	now := Stamp{Size: 1, Mtime: time.Now().UnixNano()}
	if table.Note(beside, now, time.Now(), store.Sum(nil)); table.Settled(beside, now) {
		t.Error("a file that was written when it was hashed is settled")
	}
	table.Keep(func(yield func(uint64) bool) { _ = yield(store.Place("b.wav")) })
	var names []string
	if err := table.Save(func(_, value []byte) error {
		for list, i := listChunk(value), 0; i < len(list.at); i++ {
			names = append(names, string(list.name(i)))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprint([]string{"b.wav", beside}); fmt.Sprint(names) != want {
		t.Errorf("the table has %v, want %v", names, want)
	}
}

package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const sampleLen = 2000

// gathered is a block of three samples, the second new and the others from a block of four, as entries: the new one's block,
// and the extents of all.
func gathered(base []byte, seed uint64) (block []byte, entries []Entry) {
	fresh := entry(KindBlock, noise(seed, sampleLen))
	block = slices.Concat(base[:sampleLen], fresh.Value, base[2*sampleLen:3*sampleLen])
	name := Sum(base)
	list := EncodeExtents([]Extent{{name, 0, sampleLen}, {fresh.Name, 0, sampleLen}, {name, 2 * sampleLen, sampleLen}})
	return block, []Entry{fresh, {KindExtents, Sum(block), list}}
}

// snapshotOf are the records of a dataset of one shard, whose block has a digest.
func snapshotOf(t *testing.T, rows int, block []byte, parent Digest) []Entry {
	t.Helper()
	return snapshotOfRows(t, rows, sampleLen, block, parent)
}

// snapshotOfRows is snapshotOf with samples of any length.
func snapshotOfRows(t *testing.T, rows, sampleLen int, block []byte, parent Digest) []Entry {
	t.Helper()
	schema := Schema{{Name: "mel", DType: Float32, Shape: []int{sampleLen / 4}}}
	shard, origin := Shard{Blocks: []Block{{Digest: Sum(block)}}}, Origin{Blocks: make([]Key, 1)}
	for i := range rows {
		shard.IDs = append(shard.IDs, string(rune('a'+i)))
		shard.Blocks[0].Sums = append(shard.Blocks[0].Sums, Checksum(block[i*sampleLen:(i+1)*sampleLen]))
		origin.Rows = append(origin.Rows, OriginRow{ID: shard.IDs[i]})
	}
	var list []Entry
	add := func(k Kind, value []byte) Digest {
		list = append(list, entry(k, value))
		return Sum(value)
	}
	page := func(b []byte) (Digest, error) { return add(KindPage, b), nil }
	trie, err := WriteTrie([]Leaf{{Rows: rows, Digest: add(KindShard, shard.Encode())}}, page)
	origins, originErr := WriteTrie([]Leaf{{Rows: rows, Digest: add(KindOrigin, origin.Encode())}}, page)
	if err := errors.Join(err, originErr); err != nil {
		t.Fatal(err)
	}
	root := Root{Schema: schema, PerShard: 16, Rows: rows, Shards: 1, Trie: trie}
	add(KindSnapshot, (&Snapshot{Root: add(KindRoot, root.Encode()), Origins: origins, Kept: rows, Parent: parent, Time: int64(rows)}).Encode())
	return list
}

// blockSnapshot are the records of a dataset of one shard of rows of any length.
func blockSnapshot(t *testing.T, block []byte, rows int) []Entry {
	return snapshotOfRows(t, rows, len(block)/rows, block, Digest{})
}

// edited is a store of two builds: of four rows, and of three, one of which is new.
func edited(t *testing.T) (dir string, base, block []byte, snapshot []Entry) {
	t.Helper()
	dir, base = memoryDir(t), noise(1, 4*sampleLen)
	first := snapshotOf(t, 4, base, Digest{})
	commit(t, dir, testOptions(), append([]Entry{entry(KindBlock, base)}, first...))
	var entries []Entry
	block, entries = gathered(base, 2)
	snapshot = snapshotOf(t, 3, block, topOf(first))
	commit(t, dir, testOptions(), append(entries, snapshot...))
	return dir, base, block, snapshot
}

// wantGathered checks every way to read a block that is stored as extents.
func wantGathered(t *testing.T, s *Store, block []byte) {
	t.Helper()
	name := Sum(block)
	wantEntries(t, s, entry(KindBlock, block))
	if _, known := s.PackOf(KindBlock, name); !s.Has(KindBlock, name) || !s.Check(KindBlock, name) || !known {
		t.Error("Has, Check or PackOf does not know it")
	}
	if n, err := s.BlockSize(name); n != len(block) || err != nil {
		t.Errorf("BlockSize = %d, %v, want %d", n, err, len(block))
	}
	rows := len(block) / sampleLen
	samples, err := s.Samples(name, rows, sampleLen)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if want := block[i*sampleLen : (i+1)*sampleLen]; !bytes.Equal(samples.Row(i), want) {
			t.Errorf("sample %d is another", i)
		}
	}
	if got := slices.Concat(samples.Stretches(nil)...); !bytes.Equal(got, block) {
		t.Error("Stretches are other bytes")
	}
	for rows, size := range map[int]int{rows - 1: sampleLen, rows + 1: sampleLen, rows: sampleLen - 1} {
		if _, err := s.Samples(name, rows, size); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d samples of %d: %v, want ErrDamaged", rows, size, err)
		}
	}
}

func TestABlockIsReadFromItsExtents(t *testing.T) {
	dir, base, block, _ := edited(t)
	s := open(t, dir)
	wantGathered(t, s, block)
	if e, err := s.Locate(Sum(block), 2*sampleLen, sampleLen); err != nil || e != (Extent{Sum(base), 2 * sampleLen, sampleLen}) {
		t.Errorf("Locate = %v, %v", e, err)
	}
	if e, err := s.Locate(Sum(base), 5, 7); err != nil || e != (Extent{Sum(base), 5, 7}) {
		t.Errorf("Locate in a whole block = %v, %v", e, err)
	}
	if _, err := s.Locate(Sum(block), sampleLen/2, sampleLen); !errors.Is(err, ErrNotFound) {
		t.Errorf("Locate over two extents: %v", err)
	}
	d, err := s.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if v, err := d.Value(At{0, i}, "mel"); err != nil || !bytes.Equal(v, block[i*sampleLen:(i+1)*sampleLen]) {
			t.Errorf("Value(%d): %v", i, err)
		}
	}
	if found := damages(t, dir, true); len(found) != 0 {
		t.Errorf("Verify = %v", found)
	}
	u, err := s.Usage(t.Context(), d.Digest)
	if err != nil || u.Columns[0].Blocks != 1 || u.Columns[0].Bytes < 5*sampleLen || u.Columns[0].Bytes > 5*sampleLen+200 {
		t.Errorf("Usage = %+v, %v; want the two blocks that it lies in", u.Columns, err)
	}
}

// TestExtentsOfTheDraft: a build reads what it has just written.
func TestExtentsOfTheDraft(t *testing.T) {
	dir, base := memoryDir(t), noise(1, 4*sampleLen)
	put(t, dir, testOptions(), entry(KindBlock, base))
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	block, entries := gathered(base, 2)
	if err := w.Put(entries); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Store().Get(KindBlock, Sum(block)); err != nil || !bytes.Equal(got, block) {
		t.Errorf("Get = %d bytes, %v", len(got), err)
	}
	if w.Sealed().Has(KindBlock, Sum(block)) {
		t.Error("the sealed packs have it already")
	}
}

func TestExtentsThatLeadNowhere(t *testing.T) {
	dir, base := memoryDir(t), noise(1, 4*sampleLen)
	block, entries := gathered(base, 2)
	put(t, dir, testOptions(), entries...) // the block that two of them are of is not there
	s := open(t, dir)
	if s.Has(KindBlock, Sum(block)) || s.Check(KindBlock, Sum(block)) {
		t.Error("Has says that it is there")
	}
	if _, err := s.Get(KindBlock, Sum(block)); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get: %v, want ErrNotFound", err)
	}
	if _, err := s.Samples(Sum(block), 3, sampleLen); !errors.Is(err, ErrNotFound) {
		t.Errorf("Samples: %v, want ErrNotFound", err)
	}
	// A list in a newer pack that leads somewhere goes before it; so does one in an older pack.
	name := Sum(block)
	all := entry(KindBlock, append([]byte("....."), block...))
	put(t, dir, testOptions(), all, Entry{KindExtents, name, EncodeExtents([]Extent{{all.Name, 5, int64(len(block))}})})
	put(t, dir, testOptions(), Entry{KindExtents, name, EncodeExtents([]Extent{{Sum(base), 0, int64(len(block))}})})
	s = open(t, dir)
	wantGathered(t, s, block)
	// One that leads to other bytes is found out by whoever asks for the bytes' name.
	other := noise(3, sampleLen)
	put(t, dir, testOptions(), Entry{KindExtents, Sum(other), EncodeExtents([]Extent{{all.Name, 0, sampleLen}})})
	s = open(t, dir)
	if _, err := s.Get(KindBlock, Sum(other)); !errors.Is(err, ErrDamaged) || s.Check(KindBlock, Sum(other)) {
		t.Errorf("Get of other bytes: %v, want ErrDamaged", err)
	}
	// One that ends after its block.
	put(t, dir, testOptions(), Entry{KindExtents, Sum(base), EncodeExtents([]Extent{{all.Name, 0, 99999}})})
	if _, err := open(t, dir).View(KindBlock, Sum(base)); !errors.Is(err, ErrDamaged) {
		t.Errorf("View after the end: %v, want ErrDamaged", err)
	}
}

func TestDecodeExtents(t *testing.T) {
	a, b := Sum([]byte("a")), Sum([]byte("b"))
	joined := EncodeExtents([]Extent{{a, 0, 5}, {a, 5, 5}, {b, 10, 5}, {a, 10, 5}})
	want := []Extent{{a, 0, 10}, {b, 10, 5}, {a, 10, 5}}
	if got := decodeExtents(addTrailer(joined)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for what, value := range map[string][]byte{
		"no sum": joined, "empty": addTrailer(nil), "a part": addTrailer(joined[1:]),
		"no length": addTrailer(EncodeExtents([]Extent{{a, 0, 0}})), "negative": addTrailer(EncodeExtents([]Extent{{a, -1, 5}})),
		"huge": addTrailer(EncodeExtents([]Extent{{a, 0, 200 << 20}, {b, 0, 200 << 20}})),
	} {
		if got := decodeExtents(value); got != nil {
			t.Errorf("%s: %v, want none", what, got)
		}
	}
}

// TestExtentsOutliveMergesAndCopies: what a snapshot needs stays, and what only its history needed goes.
func TestExtentsOutliveMergesAndCopies(t *testing.T) {
	dir, base, block, snapshot := edited(t)
	s := open(t, dir)
	to := filepath.Join(memoryDir(t), "other")
	for range 2 {
		r, err := s.Copy(t.Context(), to, testOptions(), topOf(snapshot), "heads/main", nil)
		if err != nil || r.Copied > r.Needed {
			t.Fatalf("Copy = %+v, %v", r, err)
		}
		wantGathered(t, open(t, to), block)
	}
	imported := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-imported")
	defer os.RemoveAll(imported)
	if _, err := importInto(t, t.Context(), imported, s); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, to, imported} {
		if n, err := readVersion(dir); n != formatVersion || err != nil {
			t.Errorf("%s has number %d, %v; programs of before extents must refuse it", dir, n, err)
		}
	}
	s.Close()
	for i := range 3 { // other builds, so that there is something to merge
		put(t, dir, WriterOptions{Small: true, Reserve: 8 << 20}, entry(KindBlock, noise(uint64(100+i), 3000)))
		commit(t, dir, testOptions(), snapshot)
	}
	if r, err := Merge(t.Context(), dir, eager(), (*Store).Live); err != nil || r.Merged < 2 || r.Dropped == 0 {
		t.Errorf("merge: %+v, %v; want that it drops what nothing needs", r, err)
	}
	wantGathered(t, open(t, dir), block)
	if !open(t, dir).Has(KindBlock, Sum(base)) {
		t.Error("the merge dropped a block that extents need")
	}
}

// TestAStoreWithoutExtentsStaysReadable for the programs of before them.
func TestAStoreWithoutExtentsStaysReadable(t *testing.T) {
	dir := memoryDir(t)
	put(t, dir, testOptions(), entry(KindBlock, noise(1, 5000)))
	if n, err := readVersion(dir); n != formatFirst || err != nil {
		t.Errorf("number %d, %v; want %d", n, err, formatFirst)
	}
	w, err := OpenWriter(dir, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	// The number is on the disk before any extents are.
	w.o.Reserve = 1 << 60
	_, entries := gathered(noise(1, 4*sampleLen), 2)
	if err := w.Put(entries); err == nil {
		t.Fatal("Put found room for an EiB")
	}
	if n, err := readVersion(dir); n != formatVersion || err != nil {
		t.Errorf("number %d, %v; want %d", n, err, formatVersion)
	}
}

// TestGCStoresWholeWhatIsLoose: of a block of which only extents need a part, gc keeps that part.
func TestGCStoresWholeWhatIsLoose(t *testing.T) {
	dir, base, block, _ := edited(t)
	alone := snapshotOf(t, 3, block, Digest{}) // the snapshot that had all rows is no parent any more
	commit(t, dir, testOptions(), alone)
	o := testOptions()
	o.MaxSmall = 1
	if _, err := GC(t.Context(), dir, o, (*Store).Live, true); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	wantEntries(t, s, entry(KindBlock, block))
	if s.Has(KindBlock, Sum(base)) || s.Extents(Sum(block)) != nil {
		t.Error("gc has left the block of which half was not needed")
	}
	if found := damages(t, dir, true); len(found) != 0 {
		t.Errorf("Verify = %v", found)
	}
}

// TestGCTellsBeforeWhatItFrees: also what goes only when blocks are stored whole. Blocks are long, so that what files have
// beside values weighs little.
func TestGCTellsBeforeWhatItFrees(t *testing.T) {
	const rows, row = 4, 1 << 20
	for _, c := range []struct {
		name string
		left int // rows of each block that are needed yet
	}{{"half of each block is needed", 2}, {"all but one row", 3}, {"all", 4}} {
		t.Run(c.name, func(t *testing.T) {
			dir := memoryDir(t)
			base := noise(1, rows*row)
			part := base[:c.left*row]
			entries := []Entry{entry(KindBlock, base)}
			commit(t, dir, testOptions(), append(entries, blockSnapshot(t, base, rows)...))
			if c.left < rows {
				entries = []Entry{{KindExtents, Sum(part), EncodeExtents([]Extent{{Sum(base), 0, int64(len(part))}})}}
				commit(t, dir, testOptions(), append(entries, blockSnapshot(t, part, c.left)...))
			}
			told, err := GC(t.Context(), dir, testOptions(), (*Store).Live, false)
			if err != nil {
				t.Fatal(err)
			}
			did, err := GC(t.Context(), dir, testOptions(), (*Store).Live, true)
			if err != nil {
				t.Fatal(err)
			}
			want := int64(rows-c.left) * row
			foreseen, freed := told.Before-told.After, did.Before-did.After
			if told.Before != did.Before || foreseen < want*9/10 || foreseen > want*11/10+row/10 || max(foreseen-freed, freed-foreseen) > row/10 {
				t.Errorf("%d bytes of %d are foreseen to go, and %d of %d went; %d are needless", foreseen, told.Before, freed, did.Before, want)
			}
		})
	}
}

// TestGCLeavesExtentsThatPay: of a block that is needed as a whole, or nearly, nothing is copied.
func TestGCLeavesExtentsThatPay(t *testing.T) {
	dir, base, block, _ := edited(t)
	if _, err := GC(t.Context(), dir, testOptions(), (*Store).Live, true); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	wantGathered(t, s, block)
	if !s.Has(KindBlock, Sum(base)) || s.Extents(Sum(block)) == nil {
		t.Error("gc rewrote a block whose parent snapshot needs all of it")
	}
}

func TestCovered(t *testing.T) {
	list := []Extent{{From: 10, Len: 10}, {From: 0, Len: 5}, {From: 15, Len: 10}, {From: 12, Len: 2}, {From: 0, Len: 5}}
	if n := covered(list); n != 20 {
		t.Errorf("covered = %d, want 20", n)
	}
}

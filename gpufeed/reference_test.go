package gpufeed

import (
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

func withReferences(t testing.TB, set *Set) *Set {
	t.Helper()
	with, err := set.WithReferences()
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// TestAReferenceIsOfTheSpeakerAndOfTheSet, and the row itself only where there
// is no other.
func TestAReferenceIsOfTheSpeakerAndOfTheSet(t *testing.T) {
	samples := someSamples(60)
	samples[7].speaker = -5 // nobody else is
	d := dataset(t, samples)
	for _, s := range []Selection{{}, {Split: Train, Val: 0.5}, {Speakers: []int32{-5, 0}}, {Weights: []Weight{{"speaker", 2, 0}}}, {Buckets: []int{3, 6}}} {
		plain := choose(t, d, s)
		set := withReferences(t, plain)
		chosen := map[uint32]bool{}
		for _, b := range set.buckets {
			for _, row := range b.rows {
				chosen[row] = true
			}
		}
		for row := range uint32(60) {
			for epoch := range uint64(3) {
				got := set.Reference(3, epoch, row)
				if !chosen[row] {
					if got != row {
						t.Errorf("%+v: row %d, which is not chosen, has reference %d", s, row, got)
					}
					continue
				}
				if want := naiveReference(t, set, Delivery{Seed: 3, Epoch: epoch}, row); got != want {
					t.Errorf("%+v: row %d has reference %d, want %d", s, row, got, want)
				}
				if other := plain.Reference(3, epoch, row); other != row {
					t.Errorf("%+v: a set without references gives row %d for %d", s, other, row)
				}
			}
		}
	}
}

// TestADatasetWithoutSpeakersHasOne.
func TestADatasetWithoutSpeakersHasOne(t *testing.T) {
	l := newLab(t)
	l.write(16, wideSchema, someSamples(20))
	set := withReferences(t, choose(t, l.open(1)[0], Selection{}))
	seen := map[uint32]bool{}
	for epoch := range uint64(400) {
		seen[set.Reference(1, epoch, 4)] = true
	}
	if len(seen) != 19 || seen[4] {
		t.Errorf("row 4 had %d references, itself: %v; want every other of 20", len(seen), seen[4])
	}
}

// TestEverySiblingIsAsLikely, over epochs and over seeds.
func TestEverySiblingIsAsLikely(t *testing.T) {
	set := withReferences(t, choose(t, dataset(t, someSamples(60)), Selection{}))
	for _, row := range []uint32{0, 31, 59} {
		for over, draw := range map[string]func(n uint64) uint32{
			"epochs": func(n uint64) uint32 { return set.Reference(5, n, row) },
			"seeds":  func(n uint64) uint32 { return set.Reference(n, 5, row) },
		} {
			times := map[uint32]int{}
			for n := range uint64(8000) {
				times[draw(n)]++
			}
			var counts []int
			for sibling, n := range times {
				if sibling == row {
					t.Errorf("row %d was its own reference %d times", row, n)
				}
				counts = append(counts, n)
			}
			if len(counts) != 19 { // 20 rows of each of three speakers
				t.Errorf("row %d had %d references, want 19", row, len(counts))
			}
			if x := spread(counts); math.Abs(x) > 6 {
				t.Errorf("row %d: references over %s are %.1f standard deviations from even: %v", row, over, x, counts)
			}
		}
	}
}

// TestReferencesTakeLittle: 8 B a row at most, and nothing where nobody asks.
func TestReferencesTakeLittle(t *testing.T) {
	samples := someSamples(600)
	for i := range samples {
		samples[i].speaker = int32(i) // a list of speakers would take most here
	}
	set := choose(t, dataset(t, samples), Selection{})
	if set.siblings != nil {
		t.Error("a set has references that nobody asked for")
	}
	b := withReferences(t, set).siblings
	if size := cap(b.first)*4 + cap(b.rows)*4; size > 8*600 {
		t.Errorf("references of 600 rows take %d B, want at most 8 a row", size)
	}
	if fields := unsafe.Sizeof(*b); fields != unsafe.Sizeof(b.first)+unsafe.Sizeof(b.rows) {
		t.Errorf("siblings has %d B of fields: the test does not know one", fields)
	}
}

// TestACorruptReferenceIsFound, with its own row and id and the row that it is
// for, at its first read as such, and not again once it was sound.
func TestACorruptReferenceIsFound(t *testing.T) {
	samples := someSamples(30)
	samples[12].spoilt = "mel"
	set := withReferences(t, choose(t, dataset(t, samples), Selection{}))
	bad := uint32(math.MaxUint32)
	for row := range uint32(30) {
		if id, _ := set.ID(row); id == samples[12].id {
			bad = row
		}
	}
	l := formed(t, testSchema, 2, Form{Reference: true})
	slot := make([]byte, l.Bytes)
	met := 0
	for epoch := range uint64(40) {
		for _, checks := range []Checks{ChecksFirst, ChecksOff} {
			r := reader(t, set, checks)
			for row := range uint32(30) {
				if row == bad {
					continue
				}
				err := r.Fill(l, Delivery{Seed: 1, Epoch: epoch, Rows: []uint32{row}}, slot)
				var corrupt *CorruptError
				switch is := set.Reference(1, epoch, row) == bad && checks == ChecksFirst; {
				case is && (!errors.As(err, &corrupt) || corrupt.Row != bad || corrupt.For != row || corrupt.ID != samples[12].id || corrupt.Column != "mel"):
					t.Fatalf("row %d with reference %d: error = %#v, want it to name %s, for row %d", row, bad, err, samples[12].id, row)
				case is:
					met++
				case err != nil:
					t.Fatalf("row %d: %v", row, err)
				}
			}
		}
	}
	if met < 20 {
		t.Errorf("the corrupt row was a reference %d times, want about 40", met)
	}
}

// TestAReferenceIsNotCheckedTwice: as a row of its own or for another, its bit
// is the same.
func TestAReferenceIsNotCheckedTwice(t *testing.T) {
	set := withReferences(t, choose(t, dataset(t, someSamples(30)), Selection{}))
	l := formed(t, testSchema, 1, Form{Reference: true})
	r, slot := reader(t, set, ChecksFirst), make([]byte, l.Bytes)
	if err := r.Fill(l, Delivery{Seed: 1, Rows: []uint32{5}}, slot); err != nil {
		t.Fatal(err)
	}
	for row := range uint32(30) {
		if want := row == 5 || row == set.Reference(1, 0, 5); r.isChecked(row) != want {
			t.Errorf("row %d: checked = %v, want %v", row, !want, want)
		}
	}
}

// TestAPackCutShortUnderReferencesIsAnError names the row in hand.
func TestAPackCutShortUnderReferencesIsAnError(t *testing.T) {
	l := newLab(t)
	l.write(16, wideSchema, someSamples(40))
	set := choose(t, l.open(1)[0], Selection{})
	with := withReferences(t, set)
	shape := formed(t, wideSchema, 1, Form{Reference: true})
	r, slot := reader(t, with, ChecksOff), make([]byte, shape.Bytes)
	if err := r.Fill(shape, Delivery{Rows: []uint32{9}}, slot); err != nil {
		t.Fatal(err)
	}
	// The shard of row 9 is made to be sound, so that the fault is the reference's.
	epoch := uint64(0)
	for set.At(with.Reference(0, epoch, 9)).Leaf == set.At(9).Leaf {
		epoch++
	}
	if err := r.Fill(shape, Delivery{Epoch: epoch, Rows: []uint32{9}}, slot); err != nil {
		t.Fatal(err)
	}
	own := r.leaves[set.At(9).Leaf].Load()
	for i := range own.blocks {
		own.blocks[i] = slices.Clone(own.blocks[i])
	}
	l.cut("*")
	err := r.Fill(shape, Delivery{Epoch: epoch, Rows: []uint32{9}}, slot)
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Row != with.Reference(0, epoch, 9) || corrupt.For != 9 {
		t.Errorf("Fill = %#v, want ErrCorrupt of row %d, for row 9", err, with.Reference(0, epoch, 9))
	}
	if _, err := set.WithReferences(); err != nil {
		t.Errorf("WithReferences reads records of a dataset without speakers: %v", err)
	}
}

// TestReferencesOfAPackCutShort cannot be had.
func TestReferencesOfAPackCutShort(t *testing.T) {
	l := newLab(t)
	l.write(testShard, testSchema, someSamples(40))
	set := choose(t, l.open(1)[0], Selection{})
	l.cut("*.sst")
	if _, err := set.WithReferences(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("WithReferences = %v, want ErrCorrupt", err)
	}
}

// TestReferencesKnowNoCores: the lists are the same, whoever reads them.
func TestReferencesKnowNoCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	set := choose(t, dataset(t, someSamples(1500)), Selection{Buckets: []int{4}})
	runtime.GOMAXPROCS(1)
	want := withReferences(t, set).siblings
	for _, cores := range []int{2, 4} {
		runtime.GOMAXPROCS(cores)
		got := withReferences(t, set).siblings
		if !slices.Equal(got.rows, want.rows) || !slices.Equal(got.first, want.first) {
			t.Errorf("on %d cores the siblings are others", cores)
		}
	}
}

// BenchmarkReference draws references among 13,100 rows of one speaker, as
// LJSpeech has them.
func BenchmarkReference(b *testing.B) {
	const rows = 13_100
	r := &Rows{places: make([]uint64, rows)}
	s := &siblings{first: make([]uint32, rows), rows: make([]uint32, rows)}
	for i := range rows {
		r.places[i], s.rows[i] = draw(forSplit, 0, 0, uint64(i), 0), uint32(i)
	}
	set, row := &Set{Rows: r, siblings: s}, uint32(0)
	for b.Loop() {
		row = set.Reference(1, 0, row)
	}
}

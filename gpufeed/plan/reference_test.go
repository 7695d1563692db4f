package plan

import (
	"errors"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
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
	t.Parallel()
	samples := datatest.Samples(60)
	samples[7].Speaker = -5 // nobody else is
	d := datatest.Dataset(t, samples)
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
				if want := naiveReference(t, set, 3, epoch, row); got != want {
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
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(20))
	set := withReferences(t, choose(t, l.Open(1)[0], Selection{}))
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
	t.Parallel()
	set := withReferences(t, choose(t, datatest.Dataset(t, datatest.Samples(60)), Selection{}))
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
	samples := datatest.Samples(600)
	for i := range samples {
		samples[i].Speaker = int32(i) // a list of speakers would take most here
	}
	set := choose(t, datatest.Dataset(t, samples), Selection{})
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

// TestReferencesOfAPackCutShort: they are an error.
func TestReferencesOfAPackCutShort(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, datatest.Samples(40))
	set := choose(t, l.Open(1)[0], Selection{})
	l.Truncate("*.sst")
	if _, err := set.WithReferences(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("WithReferences = %v, want ErrCorrupt", err)
	}
}

// TestReferencesKnowNoCores: the lists are the same, whoever reads them.
func TestReferencesKnowNoCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	set := choose(t, datatest.Dataset(t, datatest.Samples(1500)), Selection{Buckets: []int{4}})
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

// naiveReference goes through all rows of the set.
func naiveReference(t testing.TB, set *Set, seed, epoch uint64, row uint32) uint32 {
	t.Helper()
	id, err := set.ID(row)
	if err != nil {
		t.Fatal(err)
	}
	var others []uint32
	for _, b := range set.buckets {
		for _, other := range b.rows {
			if other != row && speakerOf(t, set, other) == speakerOf(t, set, row) {
				others = append(others, other)
			}
		}
	}
	if len(others) == 0 {
		return row
	}
	slices.Sort(others)
	return others[part(draw('r', seed, epoch, store.Place(id), 0), len(others))]
}

func part(draw uint64, choices int) int {
	x := new(big.Int).Mul(new(big.Int).SetUint64(draw), big.NewInt(int64(choices)))
	return int(x.Rsh(x, 64).Int64())
}

func speakerOf(t testing.TB, set *Set, row uint32) int32 {
	t.Helper()
	v, err := set.data.Scalar(set.At(row), "speaker")
	if err != nil {
		t.Fatal(err)
	}
	return v
}

package plan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// TestSplitsOfTheMetadataWin: a row whose column split names a side is on it
// whatever the fractions say, the others are where the hash puts them, and rows
// of test come in all and in test alone.
func TestSplitsOfTheMetadataWin(t *testing.T) {
	schema := store.Schema{{Name: "tokens", DType: store.Int32, Shape: []int{4}}, {Name: "text_len", DType: store.Int32}, {Name: "split", DType: store.Int32}}
	r := rand.New(rand.NewPCG(7, 7))
	clips := datatest.SomeClips(r, 400, schema)
	side := map[string]int32{}
	for i := range clips {
		side[clips[i].ID] = int32(i % 4)
		clips[i].Scalars["split"] = int32(i % 4)
	}
	d := datatest.NewLab(t).Clips(16, schema, clips)[0]
	for _, s := range []Selection{{Split: All}, {Split: Train, Val: 0.25}, {Split: Val, Val: 0.25}, {Split: Val}, {Split: Train, Train: 0.5}, {Split: Test}} {
		set, err := Select(d, s)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		var want []string
		if err := d.IDs(func(_ store.At, id string) bool {
			on := map[int32]Split{1: Train, 2: Val, 3: Test}[side[id]]
			if s.Split == All || on == s.Split || on == "" && s.normal().has(store.Place(id), 0) {
				want = append(want, id)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range set.buckets[0].rows {
			id, err := set.ID(row)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, id)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%+v selects %d rows, want %d", s, len(got), len(want))
		}
	}
	plain := datatest.Dataset(t, datatest.Samples(20))
	if _, err := Select(plain, Selection{Split: Test}); err == nil || !strings.Contains(err.Error(), "no column split") {
		t.Errorf("split test of a dataset without the column: %v", err)
	}
}

// TestCorporaHaveWeights: rows whose id begins with the corpus's name and a slash
// come as often as its weight says, and times those of their columns.
func TestCorporaHaveWeights(t *testing.T) {
	schema := store.Schema{{Name: "tokens", DType: store.Int32, Shape: []int{4}}, {Name: "text_len", DType: store.Int32}, {Name: "speaker", DType: store.Int32}}
	clips := datatest.SomeClips(rand.New(rand.NewPCG(8, 8)), 90, schema)
	for i := range clips {
		clips[i].ID = []string{"a/", "b/", "ab/"}[i%3] + clips[i].ID
		clips[i].Scalars["speaker"] = int32(i % 2)
	}
	d := datatest.NewLab(t).Clips(16, schema, clips)[0]
	set := choose(t, d, Selection{Corpora: []Corpus{{"b", 0}, {"a", 3}}, Weights: []Weight{{"speaker", 1, 2}}})
	for row := range uint32(set.Len()) {
		id, err := set.ID(row)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"a/": 3, "b/": 0, "ab": 1}[id[:2]]
		if speaker, _ := d.Scalar(set.At(row), "speaker"); speaker == 1 {
			want *= 2
		}
		if got := set.copies(row, 1, 1); got != want {
			t.Errorf("%s comes %d times, want %d", id, got, want)
		}
	}
	if set.Selected() != 60 {
		t.Errorf("%d rows are selected, want 60", set.Selected())
	}
	for _, c := range [][]Corpus{{{"a", -1}}, {{"a", 1001}}, {{"", 1}}, {{"a", 1}, {"a", 2}}} {
		if _, err := Select(d, Selection{Corpora: c}); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
}

package plan

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// chosen is a choice of the rows whose ids wanted says.
func chosen(t testing.TB, d *store.Dataset, wanted func(id string) bool) *Chosen {
	t.Helper()
	list := make([]byte, (d.Root.Rows+7)/8)
	if err := each(d, func(row uint32, id string) {
		if wanted(id) {
			list[row/8] |= 1 << (row % 8)
		}
	}); err != nil {
		t.Fatal(err)
	}
	c, err := Choose(d, list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func even(id string) bool {
	return strings.HasSuffix(id, "0") || strings.HasSuffix(id, "2") || strings.HasSuffix(id, "4")
}

// TestChosenRowsAreTheEpoch: over several ranks, after a stop at any batch in
// another world, and after an edit that moves rows to other buckets, the chosen
// rows come once, and no others do.
func TestChosenRowsAreTheEpoch(t *testing.T) {
	before := datatest.Samples(90)
	after := slices.Clone(before)[3:] // rows of no choice go, which moves the numbers of all
	for i := range after {
		after[i].MelLen = 1 + (after[i].MelLen+3)%datatest.Frames
	}
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, before, after)
	d := l.Open(2)
	of := func(id string) bool {
		return even(id) && id != before[0].ID && id != before[1].ID && id != before[2].ID
	}
	var want []string
	for _, s := range before {
		if of(s.ID) {
			want = append(want, s.ID)
		}
	}
	slices.Sort(want)
	selection := Selection{Buckets: []int{3, 6}, Chosen: chosen(t, d[0], of)}
	set := choose(t, d[0], selection)
	selection.Chosen = chosen(t, d[1], of)
	later := choose(t, d[1], selection)
	if selection.Chosen.Rows != len(want) || !selection.Chosen.same(set.Selection.Chosen) {
		t.Fatalf("the choice on the later root is %v, want the one of %d rows on the first, %v", selection.Chosen, len(want), set.Selection.Chosen)
	}
	b := walk(t, set, Global, 4, 0, Options{Batch: 6, Tail: Pad})
	for had, dst := []string(nil), make([]uint32, 6); ; {
		for _, on := range []*Set{set, later} {
			ranks := []*Batches{}
			for r := range 3 {
				ranks = append(ranks, resume(t, on, throughJSON(t, b), Options{Batch: 6, Tail: Pad, Rank: r, World: 3}))
			}
			got := slices.Concat(had, together(t, ranks))
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("after %d rows, later root %v: the epoch has %v, want %v", len(had), on == later, got, want)
			}
		}
		s, ok := b.Next(dst)
		if !ok {
			break
		}
		had = append(had, idsOf(t, set.Rows, s.Rows)...)
	}
}

// TestAnotherChoiceIsAnotherSelection: a cursor of one is refused by name.
func TestAnotherChoiceIsAnotherSelection(t *testing.T) {
	d := datatest.Dataset(t, datatest.Samples(40))
	mine := choose(t, d, Selection{Chosen: chosen(t, d, even)})
	c := throughJSON(t, walk(t, mine, Global, 1, 0, Options{Batch: 2}))
	for name, other := range map[string]Selection{
		"all rows":       {},
		"39 chosen rows": {Chosen: chosen(t, d, func(id string) bool { return id != datatest.Samples(1)[0].ID })},
	} {
		o, err := choose(t, d, other).Order(Global, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Resume(Options{Batch: 2}, c); !errors.Is(err, ErrCursor) || !strings.Contains(err.Error(), "chosen rows (") || !strings.Contains(err.Error(), "here it is of "+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Select(d, c.Selection); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "choose them again") {
		t.Errorf("a choice of which only the digest is known: %v", err)
	}
}

func TestAChoiceFitsItsDataset(t *testing.T) {
	d := datatest.Dataset(t, datatest.Samples(10))
	for _, list := range [][]byte{{}, {1}, {1, 2, 3}, {255, 4}, {0, 128}} {
		if _, err := Choose(d, list); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "the dataset has 10 rows, which take 2") {
			t.Errorf("Choose(%v) = %v", list, err)
		}
	}
	c, err := Choose(d, []byte{0, 0})
	if err != nil || c.Rows != 0 {
		t.Fatalf("a choice of none is %v, %v", c, err)
	}
	if _, err := Select(d, Selection{Chosen: c}); err == nil || !strings.Contains(err.Error(), "leaves none of 10 rows") {
		t.Errorf("Select of none = %v", err)
	}
}

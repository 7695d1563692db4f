package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// throughJSON is a cursor as it comes back from a file.
func throughJSON(t testing.TB, b *Batches) Cursor {
	t.Helper()
	c, err := b.Cursor()
	if err != nil {
		t.Fatal(err)
	}
	file, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseCursor(file)
	if err != nil || !reflect.DeepEqual(back, c) {
		t.Fatalf("%s came back as %+v, %v", file, back, err)
	}
	return back
}

func resume(t testing.TB, set *Set, c Cursor, p Options) *Batches {
	t.Helper()
	o, err := set.Order(c.Shuffle, c.Seed, c.Epoch)
	if err != nil {
		t.Fatal(err)
	}
	b, err := o.Resume(p, c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestResumeGivesExactlyWhatWasLeft: stopped after every batch of an epoch and
// resumed by another number of ranks, what follows is the rest, to the row.
func TestResumeGivesExactlyWhatWasLeft(t *testing.T) {
	t.Parallel()
	set := choose(t, datatest.Dataset(t, datatest.Samples(110)), Selection{Buckets: []int{3, 6}, Weights: []Weight{{"speaker", 2, 2.5}}})
	for _, shuffle := range []Shuffle{Global, None} {
		for _, tail := range []Tail{Drop, Pad, Wrap} {
			whole := drain(t, walk(t, set, shuffle, 4, 3, Options{Batch: 6, Tail: tail}))
			b := walk(t, set, shuffle, 4, 3, Options{Batch: 6, Tail: tail})
			dst, passed := make([]uint32, 6), 0
			for stop := 0; ; stop++ {
				world := []int{1, 2, 3, 6}[stop%4]
				ranks := make([]*Batches, world)
				for r := range ranks {
					ranks[r] = resume(t, set, throughJSON(t, b), Options{Batch: 6, Tail: tail, Rank: r, World: world})
				}
				if got, want := ranks[0].Samples(), b.Samples(); got != want {
					t.Fatalf("stop %d: Samples = %d after a resume, want %d", stop, got, want)
				}
				if got, want := together(t, ranks), whole[passed:]; !slices.Equal(got, want) {
					t.Fatalf("%s, %s, stop %d, %d ranks: %v follows, want %v", shuffle, tail, stop, world, got, want)
				}
				s, ok := b.Next(dst)
				if !ok {
					break
				}
				passed += len(s.Rows)
			}
		}
	}
}

// TestResumeOnALaterRoot: rows come, go and move to other leaves between stop
// and resume; every row that stayed and was not delivered comes exactly once,
// none that was delivered comes again, and a new one comes at most once.
func TestResumeOnALaterRoot(t *testing.T) {
	t.Parallel()
	const tries = 30
	r := rand.New(rand.NewPCG(11, 0))
	l := datatest.NewLab(t)
	roots := make([][]datatest.Sample, tries+1)
	for i := range roots {
		for n := range 140 {
			if r.IntN(10) < 8 {
				roots[i] = append(roots[i], datatest.Numbered(n))
			}
		}
	}
	l.Write(datatest.PerShard, datatest.Schema, roots...)
	sets := l.Open(len(roots))
	s := Selection{Buckets: []int{4}, Weights: []Weight{{"speaker", 0, 1.5}}}
	for i := range tries {
		before, later := choose(t, sets[i], s), choose(t, sets[i+1], s)
		name := fmt.Sprintf("try %d", i)
		shuffle := []Shuffle{Global, None}[i%2]
		due := count(drain(t, walk(t, later, shuffle, uint64(i), 1, Options{Batch: 1})))
		b := walk(t, before, shuffle, uint64(i), 1, Options{Batch: 4, Tail: Pad})
		seen := map[string]int{}
		for dst := make([]uint32, 4); r.IntN(20) > 0; {
			share, ok := b.Next(dst)
			if !ok {
				break
			}
			for _, id := range idsOf(t, before.Rows, share.Rows) {
				seen[id]++
			}
		}
		again := resume(t, later, throughJSON(t, b), Options{Batch: 6, Tail: Pad})
		late := again.Passed()
		rest := count(drain(t, again))
		had := ids(roots[i])
		for id, n := range due {
			total := seen[id] + rest[id]
			if had[id] && total != n {
				t.Errorf("%s: %s, which stayed, came %d + %d times, want %d", name, id, seen[id], rest[id], n)
			}
			if !had[id] && rest[id] != 0 && rest[id] > n {
				t.Errorf("%s: %s, which is new, came %d times, want at most %d", name, id, rest[id], n)
			}
			if !had[id] {
				late -= n - rest[id]
			} else {
				late -= seen[id]
			}
		}
		for id := range rest {
			if due[id] == 0 {
				t.Errorf("%s: %s, which is gone, came", name, id)
			}
		}
		if late != 0 {
			t.Errorf("%s: Passed is %d off", name, late)
		}
	}
}

func count(ids []string) map[string]int {
	m := map[string]int{}
	for _, id := range ids {
		m[id]++
	}
	return m
}

func ids(list []datatest.Sample) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s.ID] = true
	}
	return m
}

// TestAnotherBatchSizeResumesToo: nothing is lost or doubled.
func TestAnotherBatchSizeResumesToo(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(50)), Selection{})
	b := walk(t, set, Global, 1, 0, Options{Batch: 8, Tail: Pad})
	dst := make([]uint32, 8)
	var got []string
	for range 3 {
		s, _ := b.Next(dst)
		got = append(got, idsOf(t, set.Rows, s.Rows)...)
	}
	got = append(got, drain(t, resume(t, set, throughJSON(t, b), Options{Batch: 5, Tail: Pad}))...)
	if want := drain(t, walk(t, set, Global, 1, 0, Options{Batch: 1})); !slices.Equal(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
	}
}

func TestACursorThatDoesNotFitIsRefused(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), Selection{Buckets: []int{3, 6}})
	b := walk(t, set, Global, 1, 2, Options{Batch: 4})
	b.Next(make([]uint32, 4))
	b.Next(make([]uint32, 4))
	for want, change := range map[string]func(*Cursor){
		"its seed is 9, here it is 1":             func(c *Cursor) { c.Seed = 9 },
		"its epoch is 3":                          func(c *Cursor) { c.Epoch = 3 },
		"its shuffle is none":                     func(c *Cursor) { c.Shuffle = None },
		"its tail is pad":                         func(c *Cursor) { c.Tail = Pad },
		"its split is train, here it is all":      func(c *Cursor) { c.Selection.Split = Train },
		"its buckets is [3], here it is [3,6]":    func(c *Cursor) { c.Selection.Buckets = []int{3} },
		"its speakers is [1], here it is none":    func(c *Cursor) { c.Selection.Speakers = []int32{1} },
		"its number of buckets is 2, here it is":  func(c *Cursor) { c.Buckets = c.Buckets[1:] },
		"its bucket 1 is 5, here it is 6":         func(c *Cursor) { c.Buckets[1].Frames = 5 },
		"its key of":                              func(c *Cursor) { last(c).Key++ },
		`its key of "other"`:                      func(c *Cursor) { last(c).ID = "other" },
		"9 samples were delivered, its keys stan": func(c *Cursor) { c.Samples = 9 },
	} {
		c := throughJSON(t, b)
		change(&c)
		if _, err := b.order.Resume(Options{Batch: 4}, c); !errors.Is(err, ErrCursor) || !strings.Contains(err.Error(), want) {
			t.Errorf("Resume = %v, want ErrCursor with %q", err, want)
		}
	}
	c := throughJSON(t, b)
	c.Seed, c.Tail = 5, Wrap
	if _, err := b.order.Resume(Options{Batch: 4}, c); err == nil || !strings.Contains(err.Error(), "seed") || !strings.Contains(err.Error(), "tail") {
		t.Errorf("Resume = %v, want both differences", err)
	}
	if _, err := b.order.Resume(Options{}, throughJSON(t, b)); err == nil {
		t.Error("a plan that cannot be was accepted")
	}
}

// last is the first last delivery that a cursor has.
func last(c *Cursor) *Last {
	for _, mark := range c.Buckets {
		if mark.Last != nil {
			return mark.Last
		}
	}
	panic("nothing was delivered")
}

// TestDeliveriesAreToldApart: by key, then place, then id, then copy, so that a
// cursor between rows that happen to have one key loses and doubles none.
func TestDeliveriesAreToldApart(t *testing.T) {
	ids := []string{"a", "b", "c"}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Compare(store.Place(a), store.Place(b)) })
	at := Last{Key: 5, ID: ids[1], Copy: 1}
	for _, c := range []struct {
		name  string
		other Last
		want  bool
	}{
		{"the delivery itself", at, false},
		{"an earlier copy", Last{5, ids[1], 0}, false},
		{"a later copy", Last{5, ids[1], 2}, true},
		{"a row of a smaller place", Last{5, ids[0], 9}, false},
		{"a row of a larger place", Last{5, ids[2], 0}, true},
		{"a smaller key", Last{4, ids[2], 9}, false},
		{"a larger key", Last{6, ids[0], 0}, true},
	} {
		if got := at.before(c.other); got != c.want {
			t.Errorf("%s: before = %v, want %v", c.name, got, c.want)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add([]byte(`{"format":1,"root":"00","seed":7,"epoch":1,"shuffle":"global","tail":"drop","selection":{"split":"all"},"samples":4,"buckets":[{"frames":8,"last":{"key":"00000000000000ff","id":"a","copy":2}}]}`))
	f.Add([]byte(`{"format":1,"selection":{"split":"all","chosen":{"rows":3,"digest":"00ff"}},"buckets":[]}`))
	f.Add([]byte(`{"format":2}`))
	f.Add([]byte(`{"format":1}{}`))
	f.Add([]byte(`{"format":1,"buckets":[{"last":{"key":"ff"}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseCursor(b)
		if err != nil {
			if !errors.Is(err, ErrCursor) {
				t.Errorf("ParseCursor(%q) = %v, want ErrCursor", b, err)
			}
			return
		}
		once, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		c, err = ParseCursor(once)
		twice, _ := json.Marshal(c)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s came back as %s, %v", once, twice, err)
		}
	})
}

func TestWhatIsNoCursorIsRefused(t *testing.T) {
	for file, want := range map[string]string{
		``:                          "EOF",
		`{"format":1,"sead":2}`:     "sead",
		`{"format":1} {"format":1}`: "something follows",
		`{"format":2}`:              "format 2, this version reads 1",
		`{"format":1,"seed":-1}`:    "seed",
		`{"format":1,"buckets":[{"last":{"key":"12"}}]}`: "want 16 hex digits",
	} {
		if _, err := ParseCursor([]byte(file)); !errors.Is(err, ErrCursor) || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseCursor(%s) = %v, want ErrCursor with %q", file, err, want)
		}
	}
}

package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/store"
)

// revised is a later version of a corpus: rows come and come back, go, get
// another name, another length and with it another bucket, or another speaker.
func revised(r *rand.Rand, rows []datatest.Sample) []datatest.Sample {
	var out []datatest.Sample
	have := map[string]bool{}
	for _, s := range rows {
		switch x := r.IntN(100); {
		case x < 15:
			continue
		case x < 20:
			s.ID = fmt.Sprintf("r%04d", r.IntN(180))
		case x < 45:
			s.MelLen = int32(1 + r.IntN(datatest.Frames))
		case x < 60:
			s.Speaker = int32(r.IntN(3))
		}
		if !have[s.ID] {
			have[s.ID] = true
			out = append(out, s)
		}
	}
	for range 60 { // of which many are there
		s := datatest.Numbered(r.IntN(180))
		if s.MelLen = int32(1 + r.IntN(datatest.Frames)); !have[s.ID] {
			have[s.ID] = true
			out = append(out, s)
		}
	}
	return out
}

// history writes a chain of edits into one store.
func history(t *testing.T, seed uint64, versions, rows int) ([]*store.Dataset, [][]datatest.Sample) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	list := [][]datatest.Sample{datatest.Samples(rows)}
	for len(list) < versions {
		list = append(list, revised(r, list[len(list)-1]))
	}
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, list...)
	return l.Open(versions), list
}

// ledger keeps the books of one epoch the long way: by id, over all versions.
type ledger struct {
	t         *testing.T
	selection Selection
	shuffle   Shuffle
	seed      uint64
	times     map[Turn]int  // delivered
	passed    map[Turn]bool // was new in a place already passed
	last      map[int]Last  // of each bucket
	due       map[Turn]int  // bucket of what is due
}

func newLedger(t *testing.T, s Selection, shuffle Shuffle, seed uint64, rows []datatest.Sample) *ledger {
	b := &ledger{t: t, selection: s, shuffle: shuffle, seed: seed, times: map[Turn]int{}, passed: map[Turn]bool{}, last: map[int]Last{}}
	b.due = b.turns(rows)
	return b
}

// turns are the deliveries of a version, with their buckets.
func (b *ledger) turns(rows []datatest.Sample) map[Turn]int {
	turns := map[Turn]int{}
	for _, s := range rows {
		if len(b.selection.Speakers) > 0 && !slices.Contains(b.selection.Speakers, s.Speaker) {
			continue
		}
		w := 1.0
		for _, weight := range b.selection.Weights {
			if weight.Value == s.Speaker {
				w = weight.Times
			}
		}
		n := int(w)
		if unit(draw(forWeight, b.seed, 1, store.Place(s.ID), 0)) < w-float64(n) {
			n++
		}
		bucket := 0
		for bucket < len(b.selection.Buckets) && int(s.MelLen) > b.selection.Buckets[bucket] {
			bucket++
		}
		for copy := range n {
			turns[Turn{s.ID, uint16(copy)}] = bucket
		}
	}
	return turns
}

func (b *ledger) lastOf(x Turn) Last {
	return Last{Key(orderKey(b.shuffle, b.seed, 1, store.Place(x.ID), x.Copy)), x.ID, x.Copy}
}

// deliver books a batch.
func (b *ledger) deliver(bucket int, turns []Turn) {
	b.t.Helper()
	for _, x := range turns {
		if at, due := b.due[x]; !due || at != bucket {
			b.t.Errorf("%+v came in bucket %d; due: %v in %d", x, bucket, due, at)
		}
		b.times[x]++
		delete(b.due, x)
		if l := b.lastOf(x); b.last[bucket] == (Last{}) || b.last[bucket].before(l) {
			b.last[bucket] = l
		}
	}
}

// edit books a new version. What stayed and was due is due, in whatever bucket;
// what is new only after the last of its bucket; what came once, or was new in
// a place already passed, never.
func (b *ledger) edit(before, rows []datatest.Sample) {
	had, now := b.turns(before), b.turns(rows)
	due := map[Turn]int{}
	for x, bucket := range now {
		_, stayed := had[x]
		_, wasDue := b.due[x]
		last, some := b.last[bucket]
		isNew := !stayed && (!some || last.before(b.lastOf(x)))
		b.passed[x] = b.passed[x] || !stayed && !isNew
		if b.times[x] == 0 && !b.passed[x] && (stayed && wasDue || isNew) {
			due[x] = bucket
		}
	}
	b.due = due
}

// stage walks n global batches of all ranks of a world, from a cursor or the
// beginning, and returns the cursor after them.
func (b *ledger) stage(set *Set, c *Cursor, p Options, n int) Cursor {
	b.t.Helper()
	ranks := make([]*Batches, p.World)
	for r := range ranks {
		if p.Rank = r; c == nil {
			ranks[r] = walk(b.t, set, b.shuffle, b.seed, 1, p)
		} else {
			ranks[r] = resume(b.t, set, *c, p)
		}
	}
	order := ranks[0].order
	for ; n != 0; n-- {
		var turns []Turn
		var first Share
		ended := 0
		for r, rank := range ranks {
			at := slices.Clone(rank.at)
			share, ok := rank.Next(make([]uint32, p.Share()))
			if !ok {
				ended++
				continue
			}
			if r == 0 {
				first = share
			}
			if share.Bucket != first.Bucket || share.Fresh != first.Fresh {
				b.t.Fatalf("rank %d has %+v beside %+v of rank 0", r, share, first)
			}
			for i := range share.Rows {
				// Copies are not told by a share: the queue has them.
				if q, at := rank.queues[share.Bucket], at[share.Bucket]+r*p.Share()+i; at < len(q.rows) {
					turns = append(turns, Turn{idsOf(b.t, set.Rows, q.rows[at:at+1])[0], q.copy(at)})
					if q.rows[at] != share.Rows[i] {
						b.t.Fatalf("row %d was given out, the queue has %d", share.Rows[i], q.rows[at])
					}
				}
			}
		}
		if ended == len(ranks) {
			break
		}
		if ended > 0 || first.Fresh != len(turns) {
			b.t.Fatalf("%d of %d ranks ended; %d rows are fresh, %d came", ended, len(ranks), first.Fresh, len(turns))
		}
		b.deliver(first.Bucket, turns)
	}
	saved := throughJSON(b.t, ranks[0])
	for r := range ranks {
		if other := throughJSON(b.t, ranks[r]); !reflect.DeepEqual(other, saved) {
			b.t.Fatalf("rank %d stands at %+v, rank 0 at %+v", r, other, saved)
		}
		if ranks[r].order.Len() != order.Len() || ranks[r].Uncertain() != 0 {
			b.t.Fatalf("rank %d: %d deliveries, %d uncertain", r, ranks[r].order.Len(), ranks[r].Uncertain())
		}
	}
	return saved
}

var settleSelections = []Selection{
	{Buckets: []int{3, 6}},
	{Buckets: []int{2, 4, 6}, Weights: []Weight{{"speaker", 0, 1.5}, {"speaker", 1, 2.3}}},
	{Buckets: []int{7}, Speakers: []int32{0, 2}},
	{Weights: []Weight{{"speaker", 2, 3}}},
}

// TestEveryRowComesOnceWhateverIsEdited: through several stops and edits, in
// changing worlds and batches, what stayed in the corpus comes exactly once, in
// the bucket that it has at the time, and nothing comes twice; what is left is
// known to the row at every stop.
func TestEveryRowComesOnceWhateverIsEdited(t *testing.T) {
	t.Parallel()
	const versions = 20
	sets, corpus := history(t, 21, versions, 150)
	r := rand.New(rand.NewPCG(22, 0))
	owed, seen, drift := 0, 0, 0
	tries := 120
	if testing.Short() {
		tries = 30
	}
	for try := range tries {
		s := settleSelections[try%len(settleSelections)]
		tail := []Tail{Pad, Wrap, Pad, Drop}[try/4%4]
		at := r.IntN(versions - 12)
		b := newLedger(t, s, []Shuffle{Global, Global, None}[try%3], uint64(try), corpus[at])
		var c *Cursor
		for stop := r.IntN(6); ; stop-- {
			p := Options{Batch: []int{12, 24, 6}[r.IntN(3)], World: []int{1, 2, 3, 6}[r.IntN(4)], Tail: tail}
			batches := r.IntN(9)
			if stop < 0 {
				batches = -1
			}
			saved := b.stage(choose(t, sets[at], s), c, p, batches)
			if stop < 0 {
				b.end(tail, p.Batch)
				break
			}
			if c = &saved; r.IntN(4) > 0 {
				to := at + 1 + r.IntN(2)
				b.edit(corpus[at], corpus[to])
				at = to
			}
			owed, seen, drift = owed+len(c.Owed), seen+len(c.Seen), drift+int(max(c.Drift, -c.Drift))
		}
		for x, n := range b.times {
			if n > 1 {
				t.Errorf("try %d: %+v came %d times", try, x, n)
			}
		}
		if t.Failed() {
			t.Fatalf("try %d, %+v, tail %s", try, s, tail)
		}
	}
	if owed == 0 || seen == 0 || drift == 0 {
		t.Errorf("%d were owed, %d seen ahead, %d had gone: the test met none of one kind", owed, seen, drift)
	}
}

// end checks what an epoch has left: nothing, with Drop less than a batch of
// each bucket.
func (b *ledger) end(tail Tail, batch int) {
	b.t.Helper()
	left := map[int]int{}
	for _, bucket := range b.due {
		left[bucket]++
	}
	for bucket, n := range left {
		if tail != Drop || n >= batch {
			b.t.Errorf("%d deliveries of bucket %d never came", n, bucket)
		}
	}
}

// TestAStopChangesNothing: on one root, with a cursor that lists what an edit
// had moved, what follows a stop is what had followed without it, tails too.
func TestAStopChangesNothing(t *testing.T) {
	t.Parallel()
	sets, _ := history(t, 31, 3, 150)
	for try, tail := range []Tail{Drop, Pad, Wrap} {
		s := Selection{Buckets: []int{3, 6}, Weights: []Weight{{"speaker", 1, 1.5}}}
		first, later := choose(t, sets[0], s), choose(t, sets[1+try%2], s)
		b := walk(t, first, Global, 3, 1, Options{Batch: 24, Tail: tail})
		b.Next(make([]uint32, 24)) // of one bucket, which is far ahead then
		moved := throughJSON(t, b)
		whole := drain(t, resume(t, later, moved, Options{Batch: 10, Tail: tail}))
		b = resume(t, later, moved, Options{Batch: 10, Tail: tail})
		listed, passed := 0, 0
		for dst := make([]uint32, 10); ; {
			c := throughJSON(t, b)
			listed += len(c.Owed) + len(c.Seen)
			if got := drain(t, resume(t, later, c, Options{Batch: 10, Tail: tail})); !slices.Equal(got, whole[passed:]) {
				t.Fatalf("tail %s, after %d rows: %v follows, want %v", tail, passed, got, whole[passed:])
			}
			share, ok := b.Next(dst)
			if !ok {
				break
			}
			passed += len(share.Rows)
		}
		if listed == 0 {
			t.Errorf("tail %s: no cursor listed anything", tail)
		}
	}
}

// TestWhatWasOwedMayGoAndComeBack: a row that was not delivered, moved to a
// bucket that had passed it, went and is back comes if its bucket has not.
func TestWhatWasOwedMayGoAndComeBack(t *testing.T) {
	t.Parallel()
	first := datatest.Samples(80)
	var moved, without, back []datatest.Sample
	for i, s := range first {
		if i%3 > 0 {
			moved, without, back = append(moved, s), append(without, s), append(back, s)
			continue
		}
		s.MelLen = int32(1 + (i/3)%datatest.Frames)
		moved = append(moved, s)
		s.MelLen = datatest.Frames + 1 - s.MelLen
		back = append(back, s)
	}
	corpus := [][]datatest.Sample{first, moved, without, back}
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, corpus...)
	sets := l.Open(len(corpus))
	owed := 0
	for seed := range uint64(12) {
		s := Selection{Buckets: []int{3, 6}}
		b := newLedger(t, s, Global, seed, first)
		c := b.stage(choose(t, sets[0], s), nil, Options{Batch: 12, World: 2, Tail: Pad}, 1)
		for at := 1; at < len(corpus); at++ {
			b.edit(corpus[at-1], corpus[at])
			if c = b.stage(choose(t, sets[at], s), &c, Options{Batch: 4, World: 1, Tail: Pad}, 1); at == 1 {
				owed += len(c.Owed)
			}
		}
		b.stage(choose(t, sets[3], s), &c, Options{Batch: 12, World: 3, Tail: Pad}, -1)
		b.end(Pad, 12)
	}
	if owed == 0 {
		t.Error("nothing was owed")
	}
}

// TestACursorWithoutItsSnapshot: in a store that does not have it, or has it
// damaged, nothing is lost, and what may come twice is counted.
func TestACursorWithoutItsSnapshot(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 0))
	rows := datatest.Samples(150)
	later := revised(r, rows)
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, later)
	elsewhere := l.Open(1)[0]
	s := Selection{Buckets: []int{3, 6}}
	was := newLedger(t, s, Global, 5, rows)
	now := was.turns(later)
	before := maps.Clone(was.due)
	c := was.stage(choose(t, datatest.Dataset(t, rows), s), nil, Options{Batch: 20, World: 2, Tail: Pad}, 4)
	for _, change := range []func(*Cursor){func(*Cursor) {}, func(c *Cursor) { c.Snapshot = "" }} {
		change(&c)
		b := resume(t, choose(t, elsewhere, s), c, Options{Batch: 20, Tail: Pad})
		uncertain := b.Uncertain()
		if uncertain == 0 || uncertain == len(now) {
			t.Errorf("%d of %d deliveries are uncertain, want some", uncertain, len(now))
		}
		again := count(drain(t, b))
		twice := 0
		for x := range now {
			_, stayed := before[x]
			if n := was.times[x] + again[x.ID]; stayed && n == 0 || n > 2 {
				t.Errorf("%s came %d + %d times", x.ID, was.times[x], again[x.ID])
			} else if n == 2 {
				twice++
			}
		}
		if twice == 0 || twice > uncertain {
			t.Errorf("%d came twice, %d were called uncertain", twice, uncertain)
		}
	}
}

// TestADamagedSnapshotIsNoSnapshot.
func TestADamagedSnapshotIsNoSnapshot(t *testing.T) {
	rows := datatest.Samples(60)
	l := datatest.NewLab(t)
	l.Write(datatest.PerShard, datatest.Schema, rows)
	s := Selection{Buckets: []int{3}}
	b := walk(t, choose(t, l.Open(1)[0], s), Global, 5, 1, Options{Batch: 8, Tail: Pad})
	b.Next(make([]uint32, 8))
	c := throughJSON(t, b)
	l.Truncate("*.sst")
	l.Write(datatest.PerShard, datatest.Schema, revised(rand.New(rand.NewPCG(1, 1)), rows))
	again := resume(t, choose(t, l.Open(1)[0], s), c, Options{Batch: 8, Tail: Pad})
	if again.Uncertain() == 0 {
		t.Error("nothing is uncertain")
	}
}

func TestASnapshotThatIsNotTheCursorsIsRefused(t *testing.T) {
	sets, _ := history(t, 51, 3, 60)
	s := Selection{Buckets: []int{3}}
	b := walk(t, choose(t, sets[0], s), Global, 5, 1, Options{Batch: 8})
	b.Next(make([]uint32, 8))
	for want, snapshot := range map[string]string{"its snapshot": "12", "is not that of its snapshot": sets[2].Digest.String()} {
		c := throughJSON(t, b)
		c.Snapshot = snapshot
		o, err := choose(t, sets[1], s).Order(Global, 5, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Resume(Options{Batch: 8}, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Resume = %v, want %q in it", err, want)
		}
	}
}

// TestRowsOfOnePlaceAreToldApart, though none of a real dataset are.
func TestRowsOfOnePlaceAreToldApart(t *testing.T) {
	r := &Rows{places: []uint64{1, 4, 4, 4, 9}}
	for place, want := range map[uint64][2]uint32{0: {0, 0}, 1: {0, 1}, 4: {1, 4}, 5: {4, 4}, 9: {4, 5}, 10: {5, 5}} {
		if from, to := r.placed(place); [2]uint32{from, to} != want {
			t.Errorf("placed(%d) = %d to %d, want %v", place, from, to, want)
		}
	}
}

// TestAPositionIsItsOwn: a slot that is filled again changes nobody's cursor,
// and handing a position on costs nothing.
func TestAPositionIsItsOwn(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(60)), Selection{Buckets: []int{3, 6}})
	b := walk(t, set, Global, 1, 0, Options{Batch: 4})
	var slot, kept Position
	b.Next(make([]uint32, 4))
	b.position(&slot)
	kept.Set(&slot)
	want := throughJSON(t, b)
	rows := make([]uint32, 4)
	if n := testing.AllocsPerRun(5, func() { b.Next(rows); b.position(&slot) }); n != 0 {
		t.Errorf("a position costs %v allocations, want 0", n)
	}
	if got, err := set.cursor(Global, 1, Drop, &kept); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("cursor = %+v, %v; want %+v", got, err, want)
	}
	if n := testing.AllocsPerRun(5, func() { kept.Set(&slot) }); n != 0 {
		t.Errorf("handing a position on costs %v allocations, want 0", n)
	}
}

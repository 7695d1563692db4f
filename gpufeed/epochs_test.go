package gpufeed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
)

// stopped takes at most so many batches of a feed on the host, all of them if
// most is negative, closes it, and returns their rows with the cursor's file.
// check, if it is not nil, sees each batch.
func stopped(t testing.TB, set *plan.Set, c Config, resume []byte, most int, check func(i int, b Batch) error) (rows [][]uint32, cursor []byte) {
	t.Helper()
	if resume != nil {
		at, err := plan.ParseCursor(resume)
		if err != nil {
			t.Fatal(err)
		}
		c.Plan.Resume = &at
	}
	f, err := Open(context.Background(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	for len(rows) != most {
		b, err := f.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err == nil && check != nil {
			err = check(len(rows), b)
		}
		if err != nil {
			t.Fatal(errors.Join(fmt.Errorf("batch %d: %w", len(rows), err), f.Close()))
		}
		rows = append(rows, slices.Clone(b.Rows))
		b.Release()
	}
	at, err := f.Cursor()
	if err == nil {
		cursor, err = json.Marshal(at)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return rows, cursor
}

// abreast is stopped for all ranks of a world: the rows of global batches, and
// the cursor, which is the same of all ranks. check makes each rank's.
func abreast(t testing.TB, set *plan.Set, c Config, resume []byte, most int, check func(Config) func(int, Batch) error) (rows [][]uint32, cursor []byte) {
	t.Helper()
	for c.Plan.Rank = range c.Plan.World {
		var sees func(int, Batch) error
		if check != nil {
			sees = check(c)
		}
		part, at := stopped(t, set, c, resume, most, sees)
		if c.Plan.Rank == 0 {
			rows, cursor = part, at
			continue
		}
		if len(part) != len(rows) || !bytes.Equal(at, cursor) {
			t.Fatalf("rank %d of %d stands after %d batches at %s, the first after %d at %s", c.Plan.Rank, c.Plan.World, len(part), at, len(rows), cursor)
		}
		for i := range part {
			rows[i] = append(rows[i], part[i]...)
		}
	}
	return rows, cursor
}

// TestStoppedAndResumed: stopped after some batches of 200 and resumed by another
// number of ranks, a feed delivers exactly the batches that were left. Package plan
// stops after each.
func TestStoppedAndResumed(t *testing.T) {
	t.Parallel()
	const batch = 6
	const step = 11 // the last stop, after 198 batches or 200, is in the tail or near it
	d := datatest.NewLab(t).Clips(16, datatest.Schema, datatest.SomeClips(rand.New(rand.NewPCG(1, 200)), 200*batch-3, datatest.Schema))[0]
	data := readNaively(t, d)
	for name, c := range map[string]struct {
		selection plan.Selection
		shuffle   plan.Shuffle
		tail      plan.Tail
		batches   int
	}{
		"padded":                            {plan.Selection{}, plan.Global, plan.Pad, 200},
		"wrapped, in the order of the trie": {plan.Selection{}, plan.None, plan.Wrap, 200},
		"dropped, in buckets":               {plan.Selection{Buckets: []int{3, 6}, Weights: []plan.Weight{{Column: "speaker", Value: 0, Times: 1.5}}}, plan.Global, plan.Drop, 200},
	} {
		t.Run(name, func(t *testing.T) {
			set := choose(t, d, c.selection)
			config := Config{Plan: plan.Options{Batch: batch, World: 1, Tail: c.tail, Shuffle: c.shuffle, Seed: 5, Epochs: 1}, Depth: 2, Fillers: 2}
			var want [][]uint32
			for _, b := range data.choose(c.selection).run(t, config, nil).batches {
				want = append(want, numbers(b.rows))
			}
			if len(want) < c.batches {
				t.Fatalf("an epoch of %d batches, want %d", len(want), c.batches)
			}
			for stop := 0; stop <= len(want); stop += step {
				config.Plan.World = 1
				first, cursor := abreast(t, set, config, nil, stop, nil)
				config.Plan.World = []int{6, 2, 3, 1}[stop%4]
				rest, _ := abreast(t, set, config, cursor, -1, nil)
				if !slices.EqualFunc(slices.Concat(first, rest), want, equalRows) {
					t.Fatalf("stopped after %d batches, resumed by %d ranks: %v, then %v; want %v", stop, config.Plan.World, first, rest, want)
				}
			}
		})
	}
}

// edited is a later version of a dataset: some rows are gone, some come, some
// have another id, another text or another sound, and some that were gone are
// there again.
func edited(r *rand.Rand, list, gone []datatest.Clip, serial *int) (now, out []datatest.Clip) {
	fresh := func(c datatest.Clip) datatest.Clip {
		*serial++
		c.ID = fmt.Sprintf("new-%d", *serial)
		return c
	}
	sound := func(c datatest.Clip) datatest.Clip { // another, and perhaps another bucket
		c.Content, c.Scalars = r.Uint64(), maps.Clone(c.Scalars)
		c.Scalars["mel_len"] = int32(r.IntN(datatest.Frames + 1))
		return c
	}
	for _, c := range gone {
		switch r.IntN(5) {
		case 0:
			now = append(now, c)
		case 1:
			now = append(now, sound(c))
		default:
			out = append(out, c)
		}
	}
	for _, c := range list {
		switch r.IntN(14) {
		case 0: // deleted
			out = append(out, c)
		case 1: // renamed
			out = append(out, c)
			now = append(now, fresh(c))
		case 2, 3: // another text
			c.Content, c.Scalars = r.Uint64(), maps.Clone(c.Scalars)
			c.Scalars["text_len"] = int32(r.IntN(datatest.Tokens + 1))
			now = append(now, c)
		case 4:
			now = append(now, sound(c))
		case 5: // one more
			now = append(now, c, fresh(datatest.SomeClips(r, 1, datatest.Schema)[0]))
		default:
			now = append(now, c)
		}
	}
	return now, out
}

// journey is an epoch that goes on over versions of a dataset, as the naive
// reader has it: it remembers what was had, where a feed has its cursor.
type journey struct {
	had   map[string]bool       // deliveries; those of a row that was new in a place already passed, too
	known map[string]bool       // deliveries of the version before
	marks map[int]naiveDelivery // by frames: the last delivery of a bucket, owed ones apart
}

func (d naiveDelivery) name() string { return fmt.Sprint(d.copy, " ", d.row.id) }

// epoch is what is left of the epoch on a version.
func (j *journey) epoch(from *naiveSet, c Config) *naiveEpoch {
	e := from.epoch(c, 0)
	for i, whole := range e.whole {
		var owed, rest []naiveDelivery
		mark, some := j.marks[from.shapes[i]]
		for _, d := range whole {
			passed := some && d.before(mark) <= 0
			switch {
			case j.had[d.name()]:
			case passed && !j.known[d.name()]:
				j.had[d.name()] = true
			case passed:
				owed = append(owed, d)
			default:
				rest = append(rest, d)
			}
		}
		e.rest[i] = append(owed, rest...)
	}
	return e
}

// took notes that an epoch was taken until nothing but its rest was left.
func (j *journey) took(e *naiveEpoch, began [][]naiveDelivery) {
	j.known = map[string]bool{}
	for i, whole := range e.whole {
		for _, d := range whole {
			j.known[d.name()] = true
		}
		shape := e.set.shapes[i]
		for _, d := range began[i][:len(began[i])-len(e.rest[i])] {
			j.had[d.name()] = true
			if mark, some := j.marks[shape]; !some || mark.before(d) < 0 {
				j.marks[shape] = d
			}
		}
	}
}

// TestEditsBetweenStopAndResume: an epoch that goes on over several versions of
// the dataset, each with another batch and another world, delivers what the
// naive reader says, which remembers what came: each delivery of rows that were
// there all the time once, and none twice.
func TestEditsBetweenStopAndResume(t *testing.T) {
	t.Parallel()
	tries, versions := 80, 4
	if testing.Short() {
		tries = 15
	}
	r := rand.New(rand.NewPCG(31, 0))
	var sets [][]datatest.Clip
	for range tries {
		list, gone, serial := datatest.SomeClips(r, 110, datatest.Schema), []datatest.Clip(nil), 0
		for range versions {
			sets = append(sets, list)
			if r.IntN(4) > 0 { // else it goes on over the same version
				list, gone = edited(r, list, gone, &serial)
			}
		}
	}
	datasets := datatest.NewLab(t).Clips(16, datatest.Schema, sets...)
	for try := range tries {
		c := Config{Plan: plan.Options{Tail: oneOf(r, plan.Pad, plan.Drop), Shuffle: oneOf(r, plan.Global, plan.Global, plan.None), Seed: r.Uint64(), Epochs: 1}, Depth: 2}
		s := plan.Selection{Buckets: oneOf(r, nil, []int{4}, []int{2, 5})}
		if r.IntN(2) == 0 {
			s.Weights = []plan.Weight{{Column: "speaker", Value: 0, Times: 1.5}, {Column: "speaker", Value: 1, Times: 0.5}}
		}
		j := &journey{had: map[string]bool{}, marks: map[int]naiveDelivery{}}
		came, always := map[string]int{}, map[string]int{}
		var cursor []byte
		var last *naiveEpoch
		for i := range versions {
			c.Plan.World = 1 + r.IntN(3)
			c.Plan.Batch = c.Plan.World * (1 + r.IntN(10)) // large ones leave the buckets at places far apart
			most := -1
			if i < versions-1 {
				most = r.IntN(6)
			}
			set, from := choose(t, datasets[try*versions+i], s), naiveOf(datatest.Schema, sets[try*versions+i]).choose(s)
			cursor, last = j.leg(t, set, from, c, cursor, most, came)
			for _, row := range from.data.rows {
				always[row.id]++
			}
		}
		missed, due := 0, map[string]int{}
		for _, d := range slices.Concat(last.whole...) {
			due[d.row.id]++
		}
		for id, n := range due {
			if came[id] > n {
				t.Errorf("try %d: %s came %d times, want at most %d", try, id, came[id], n)
			}
			if always[id] == versions {
				missed += max(0, n-came[id])
			}
		}
		if most := (c.Plan.Batch - 1) * len(last.whole); missed > most || c.Plan.Tail == plan.Pad && missed > 0 {
			t.Errorf("try %d, %+v, tail %s: %d deliveries of rows that stayed did not come", try, s, c.Plan.Tail, missed)
		}
	}
}

// leg goes on with the epoch for so many batches, on one version, and adds to
// came what the feeds delivered.
func (j *journey) leg(t *testing.T, set *plan.Set, from *naiveSet, c Config, resume []byte, most int, came map[string]int) (cursor []byte, e *naiveEpoch) {
	rows, cursor := abreast(t, set, c, resume, most, func(c Config) func(int, Batch) error {
		u, e := consumer{config: c, set: from, fetcher: &Fetcher{}}, j.epoch(from, c)
		return func(_ int, b Batch) error {
			want, ok := e.next()
			if !ok {
				return fmt.Errorf("rows %v, want the end", b.Rows)
			}
			_, err := u.check(b, want)
			return err
		}
	})
	for _, row := range slices.Concat(rows...) {
		came[from.data.rows[row].id]++
	}
	e = j.epoch(from, c)
	began := slices.Clone(e.rest)
	for range rows {
		e.next()
	}
	j.took(e, began)
	if most < 0 {
		if b, more := e.next(); more {
			t.Errorf("the end after %d batches, want rows %v", len(rows), numbers(b.rows))
		}
	}
	return cursor, e
}

package gpufeed

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// The naive reader says what a feed has to deliver. It knows the rules and none
// of the package's code: it holds every sample in memory, as the plain read side
// of the store gives it, and makes epochs with maps and sorts. What both have in
// common is the input: Config, Selection and a cursor's JSON.

// naiveRow is a sample.
type naiveRow struct {
	number  uint32 // in the order of the dataset's ids
	id      string
	scalars map[string]int32
	values  map[string][]byte // of block columns, in the full shape
}

// naiveData is a dataset.
type naiveData struct {
	schema store.Schema
	root   string
	rows   []naiveRow
}

func readNaively(t testing.TB, d *store.Dataset) *naiveData {
	t.Helper()
	data := &naiveData{schema: d.Root.Schema, root: d.Snapshot.Root.String()}
	var failed error
	err := d.IDs(func(at store.At, id string) bool {
		row := naiveRow{uint32(len(data.rows)), id, map[string]int32{}, map[string][]byte{}}
		for _, c := range data.schema {
			var err error
			if len(c.Shape) == 0 {
				row.scalars[c.Name], err = d.Scalar(at, c.Name)
			} else {
				row.values[c.Name], err = d.Value(at, c.Name)
			}
			failed = cmp.Or(failed, err)
		}
		data.rows = append(data.rows, row)
		return true
	})
	if err := cmp.Or(err, failed); err != nil {
		t.Fatal(err)
	}
	return data
}

// frames is the mel's full length, 0 where there is no mel.
func (d *naiveData) frames() int {
	for _, c := range d.schema {
		if c.Name == "mel" {
			return c.Shape[0]
		}
	}
	return 0
}

// naiveDraw is H(seed, epoch, id, copy) for a purpose.
func naiveDraw(letter byte, seed, epoch uint64, id string, copy int) uint64 {
	message := []byte{letter}
	for _, number := range []uint64{seed, epoch, store.Place(id)} {
		message = binary.LittleEndian.AppendUint64(message, number)
	}
	return store.Checksum(binary.LittleEndian.AppendUint32(message, uint32(copy)))
}

// naivePart is a draw as a number from 0 to 1.
func naivePart(draw uint64) float64 { return float64(draw/2048) / math.Pow(2, 53) }

// naiveSet is the rows that a selection leaves, with their weights, by the
// frames of their bucket.
type naiveSet struct {
	data    *naiveData
	shapes  []int // frames of each bucket, the full shape last
	rows    map[int][]naiveRow
	weights map[string]float64
}

func (d *naiveData) choose(s plan.Selection) *naiveSet {
	set := &naiveSet{data: d, rows: map[int][]naiveRow{}, weights: map[string]float64{}}
	full := d.frames()
	for _, frames := range append(slices.Clone(s.Buckets), full) {
		if frames <= full && !slices.Contains(set.shapes, frames) {
			set.shapes = append(set.shapes, frames)
		}
	}
	slices.Sort(set.shapes)
	for _, row := range d.rows {
		weight := 1.0
		for _, w := range s.Weights {
			if row.scalars[w.Column] == w.Value {
				weight *= w.Times
			}
		}
		if weight == 0 || !naiveSide(s, row.id) ||
			len(s.Languages) > 0 && !slices.Contains(s.Languages, row.scalars["language"]) ||
			len(s.Speakers) > 0 && !slices.Contains(s.Speakers, row.scalars["speaker"]) {
			continue
		}
		shape := full
		for _, frames := range slices.Backward(set.shapes) {
			if int(row.scalars["mel_len"]) <= frames {
				shape = frames
			}
		}
		set.rows[shape] = append(set.rows[shape], row)
		set.weights[row.id] = float64(float32(weight))
	}
	return set
}

// naiveSide says whether a row is on the split's side.
func naiveSide(s plan.Selection, id string) bool {
	part := naivePart(naiveDraw('s', 0, 0, id, 0))
	switch {
	case s.Split == plan.Val:
		return part < s.Val
	case s.Split == plan.Train && s.Train == 0:
		return part >= s.Val
	case s.Split == plan.Train:
		return part >= s.Val && part >= 1-s.Train
	}
	return true
}

// naiveDelivery is one coming of a row in an epoch.
type naiveDelivery struct {
	row  naiveRow
	copy int
	key  uint64
}

// before is the order of an epoch: by key, place, id and copy.
func (d naiveDelivery) before(other naiveDelivery) int {
	return cmp.Or(cmp.Compare(d.key, other.key), cmp.Compare(store.Place(d.row.id), store.Place(other.row.id)),
		cmp.Compare(d.row.id, other.row.id), cmp.Compare(d.copy, other.copy))
}

// order is a bucket's part of an epoch.
func (s *naiveSet) order(shape int, c Config, epoch uint64) []naiveDelivery {
	var list []naiveDelivery
	for _, row := range s.rows[shape] {
		weight := s.weights[row.id]
		times := int(math.Floor(weight))
		if naivePart(naiveDraw('w', c.Plan.Seed, epoch, row.id, 0)) < weight-math.Floor(weight) {
			times++
		}
		for copy := range times {
			key := store.Place(row.id)
			if c.Plan.Shuffle != plan.None {
				key = naiveDraw('o', c.Plan.Seed, epoch, row.id, copy)
			}
			list = append(list, naiveDelivery{row, copy, key})
		}
	}
	slices.SortFunc(list, naiveDelivery.before)
	return list
}

// naiveBatch is a rank's part of a global batch.
type naiveBatch struct {
	epoch  uint64
	bucket int
	frames int
	rows   []naiveRow
	fresh  int // rows of the global batch that no tail repeats
	cursor naiveCursor
}

// naiveCursor is a cursor's JSON, as far as it says where the feed stands.
type naiveCursor struct {
	Root    string      `json:"root"`
	Seed    uint64      `json:"seed"`
	Epoch   uint64      `json:"epoch"`
	Samples uint64      `json:"samples"`
	Buckets []naiveMark `json:"buckets"`
}

type naiveMark struct {
	Frames int        `json:"frames"`
	Last   *naiveLast `json:"last"`
}

type naiveLast struct {
	Key  string `json:"key"`
	ID   string `json:"id"`
	Copy int    `json:"copy"`
}

// delivery is what a mark names.
func (l naiveLast) delivery() naiveDelivery {
	key, err := strconv.ParseUint(l.Key, 16, 64)
	if err != nil {
		panic(err)
	}
	return naiveDelivery{naiveRow{id: l.ID}, l.Copy, key}
}

func naiveCursorOf(t testing.TB, file []byte) naiveCursor {
	t.Helper()
	var c naiveCursor
	if err := json.Unmarshal(file, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// naiveEpoch is an epoch that is being cut into batches.
type naiveEpoch struct {
	set    *naiveSet
	config Config
	epoch  uint64
	whole  [][]naiveDelivery // by bucket
	rest   [][]naiveDelivery // of whole, what was not delivered
	count  uint64            // delivered, rows that a tail repeats apart
}

func (s *naiveSet) epoch(c Config, epoch uint64) *naiveEpoch {
	e := &naiveEpoch{set: s, config: c, epoch: epoch}
	for _, shape := range s.shapes {
		e.whole = append(e.whole, s.order(shape, c, epoch))
	}
	e.rest = slices.Clone(e.whole)
	return e
}

// skip leaves out what stands up to a cursor.
func (e *naiveEpoch) skip(c naiveCursor) {
	for i, mark := range c.Buckets {
		for mark.Last != nil && len(e.rest[i]) > 0 && e.rest[i][0].before(mark.Last.delivery()) <= 0 {
			e.rest[i] = e.rest[i][1:]
		}
	}
	e.count = c.Samples
}

// next is the next batch of the epoch; ok is false where there is none.
func (e *naiveEpoch) next() (b naiveBatch, ok bool) {
	size := e.config.Plan.Batch
	bucket := -1
	for i, rest := range e.rest {
		if len(rest) > 0 && (len(rest) >= size || e.config.Plan.Tail == plan.Pad || e.config.Plan.Tail == plan.Wrap) &&
			(bucket < 0 || rest[0].key < e.rest[bucket][0].key) {
			bucket = i
		}
	}
	if bucket < 0 {
		return b, false
	}
	global := slices.Clone(e.rest[bucket][:min(size, len(e.rest[bucket]))])
	e.rest[bucket] = e.rest[bucket][len(global):]
	b = naiveBatch{epoch: e.epoch, bucket: bucket, frames: e.set.shapes[bucket], fresh: len(global)}
	e.count += uint64(b.fresh)
	for e.config.Plan.Tail == plan.Wrap && len(global) < size {
		global = append(global, e.whole[bucket]...)
	}
	world := max(1, e.config.Plan.World)
	for i, d := range global[:min(size, len(global))] {
		if i/(size/world) == e.config.Plan.Rank {
			b.rows = append(b.rows, d.row)
		}
	}
	b.cursor = e.cursor()
	return b, true
}

// cursor is the position after the last batch.
func (e *naiveEpoch) cursor() naiveCursor {
	c := naiveCursor{Root: e.set.data.root, Seed: e.config.Plan.Seed, Epoch: e.epoch, Samples: e.count}
	for i, whole := range e.whole {
		mark := naiveMark{Frames: e.set.shapes[i]}
		if n := len(whole) - len(e.rest[i]); n > 0 {
			last := whole[n-1]
			key := strconv.FormatUint(last.key, 16)
			mark.Last = &naiveLast{"0000000000000000"[len(key):] + key, last.row.id, last.copy}
		}
		c.Buckets = append(c.Buckets, mark)
	}
	return c
}

// naiveRun is all that a feed is to deliver.
type naiveRun struct {
	start   naiveCursor
	batches []naiveBatch
	// empty: it ends with an error after them, since two epochs in a row, or
	// the first, have no batch. A resumed epoch counts as one that has.
	empty bool
}

// run is what a config delivers; resume is the JSON of its cursor, nil for none.
func (s *naiveSet) run(t testing.TB, c Config, resume []byte) (run naiveRun) {
	t.Helper()
	before := false // the epoch before had a batch
	for n := 0; c.Plan.Epochs == 0 || n < c.Plan.Epochs; n++ {
		e, some := s.epoch(c, run.start.Epoch+uint64(n)), false
		if n == 0 {
			if resume != nil {
				from := naiveCursorOf(t, resume)
				e, some = s.epoch(c, from.Epoch), true
				e.skip(from)
			}
			run.start = e.cursor()
		}
		for {
			if c.Plan.Steps > 0 && len(run.batches) == c.Plan.Steps {
				return run
			}
			b, ok := e.next()
			if !ok {
				break
			}
			some = true
			run.batches = append(run.batches, b)
		}
		if !some && !before {
			run.empty = true
			return run
		}
		before = some
	}
	return run
}

// naiveOf is the dataset that the clips are, without a way through the store.
func naiveOf(schema store.Schema, set []datatest.Clip) *naiveData {
	data := &naiveData{schema: schema}
	for i, c := range datatest.InOrder(set) {
		row := naiveRow{uint32(i), c.ID, c.Scalars, map[string][]byte{}}
		for _, column := range schema.Blocks() {
			row.values[column.Name] = c.Bytes(column)
		}
		data.rows = append(data.rows, row)
	}
	return data
}

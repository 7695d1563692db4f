package plan

import (
	"cmp"
	"fmt"
	"slices"

	"voxpack/store"
)

// Set is the rows that a selection leaves, bucket by bucket. It is never
// changed and safe for concurrent use. It costs 4 B a selected row, and 4 B
// for every row where there are weights.
type Set struct {
	*Rows
	Selection Selection // in its normal form
	buckets   []bucket
	weights   []float32 // by row number; nil: all 1
	siblings  *siblings // nil: no references
}

// bucket is the rows of one static shape, in the order of the trie.
type bucket struct {
	frames int
	rows   []uint32
}

// Select reads every shard record of a dataset and chooses rows. A selection
// that does not fit the dataset, or leaves nothing, is an ErrConfig that lists
// everything wrong; a record that cannot be read: ErrCorrupt.
func Select(d *store.Dataset, s Selection) (*Set, error) {
	s = s.normal()
	schema := d.Root.Schema
	if err := s.check(schema); err != nil {
		return nil, configError{err}
	}
	rows, err := number(d)
	if err != nil {
		return nil, err
	}
	set := &Set{Rows: rows, Selection: s}
	for _, frames := range s.bounds(schema) {
		set.buckets = append(set.buckets, bucket{frames: frames})
	}
	if len(s.Weights)+len(s.Corpora) > 0 {
		set.weights = make([]float32, rows.Len())
	}
	c, into := newChooser(s, schema), make([]uint16, rows.Len())
	if err := rows.scan(func(first uint32, shard *store.ShardRows) error { return set.choose(&c, first, shard, into) }); err != nil {
		return nil, err
	}
	set.fillBuckets(into)
	if set.Selected() == 0 {
		return nil, configError{fmt.Errorf("the selection leaves none of %d rows", rows.Len())}
	}
	return set, nil
}

// choose notes the places and weights of one shard's rows, and for each the
// number of its bucket from 1 on; 0 is a row that is not chosen.
func (s *Set) choose(c *chooser, first uint32, shard *store.ShardRows, into []uint16) error {
	for i := range shard.Len() {
		row, place := int(first)+i, shard.Place(i)
		s.places[row] = place
		if s.weights != nil {
			weight := c.weight(shard, i)
			if weight > maxTimes {
				return configError{fmt.Errorf("%s: its weights make %v, at most %d", shard.ID(i), weight, maxTimes)}
			}
			if s.weights[row] = float32(weight); weight == 0 {
				continue
			}
		}
		if c.selection.Chosen.has(uint32(row)) && c.takes(shard, i, place) {
			into[row] = uint16(c.bucket(shard, i, s.buckets)) + 1
		}
	}
	return nil
}

// fillBuckets gives each bucket its rows, in memory of just their number.
func (s *Set) fillBuckets(into []uint16) {
	counts := make([]int, len(s.buckets)+1)
	for _, b := range into {
		counts[b]++
	}
	for i := range s.buckets {
		s.buckets[i].rows = make([]uint32, 0, counts[i+1])
	}
	for row, b := range into {
		if b > 0 {
			s.buckets[b-1].rows = append(s.buckets[b-1].rows, uint32(row))
		}
	}
}

// Selected is the number of rows in the set.
func (s *Set) Selected() int {
	n := 0
	for _, b := range s.buckets {
		n += len(b.rows)
	}
	return n
}

// Buckets is the frames of each bucket's static shape, in rising order; the
// last is the dataset's full shape.
func (s *Set) Buckets() []int {
	frames := make([]int, len(s.buckets))
	for i, b := range s.buckets {
		frames[i] = b.frames
	}
	return frames
}

// BucketRows is the rows of a bucket in the order of the trie. Nobody may change
// the list.
func (s *Set) BucketRows(bucket int) []uint32 { return s.buckets[bucket].rows }

// bucketOf is the bucket of a row, gone where the set does not have it.
func (s *Set) bucketOf(row uint32) int {
	for i, b := range s.buckets {
		if _, ok := slices.BinarySearch(b.rows, row); ok {
			return i
		}
	}
	return gone
}

// copies is how often a row comes in an epoch: floor(w) or ceil(w), w in the mean.
func (s *Set) copies(row uint32, seed, epoch uint64) int {
	if s.weights == nil {
		return 1
	}
	w := float64(s.weights[row])
	n := int(w)
	if unit(draw(forWeight, seed, epoch, s.places[row], 0)) < w-float64(n) {
		n++
	}
	return n
}

// chooser applies a selection to the rows of shards. Its numbers are those of
// inline columns, which check has seen.
type chooser struct {
	selection                        Selection
	language, speaker, frames, split int
	weights                          []int // the column of each weight
}

func newChooser(s Selection, schema store.Schema) chooser {
	inline := schema.Inline()
	c := chooser{selection: s, language: inline.Index("language"), speaker: inline.Index(speakerColumn), frames: inline.Index(FramesColumn), split: inline.Index(splitColumn)}
	for _, w := range s.Weights {
		c.weights = append(c.weights, inline.Index(w.Column))
	}
	return c
}

func (c *chooser) takes(shard *store.ShardRows, i int, place uint64) bool {
	s := &c.selection
	if len(s.Languages) > 0 && !among(s.Languages, shard.Scalar(c.language, i)) {
		return false
	}
	if len(s.Speakers) > 0 && !among(s.Speakers, shard.Scalar(c.speaker, i)) {
		return false
	}
	side := int32(0)
	if c.split >= 0 {
		side = shard.Scalar(c.split, i)
	}
	return s.has(place, side)
}

func (c *chooser) weight(shard *store.ShardRows, i int) float64 {
	product := 1.0
	for n, w := range c.selection.Weights {
		if shard.Scalar(c.weights[n], i) == w.Value {
			product *= w.Times
		}
	}
	id := ""
	for _, w := range c.selection.Corpora {
		if id == "" {
			id = shard.ID(i)
		}
		if name := w.Name; len(id) > len(name) && id[len(name)] == '/' && id[:len(name)] == name {
			product *= w.Times
		}
	}
	return product
}

func (c *chooser) bucket(shard *store.ShardRows, i int, buckets []bucket) int {
	if len(buckets) == 1 {
		return 0
	}
	frames := int(shard.Scalar(c.frames, i))
	for b := range buckets {
		if frames <= buckets[b].frames {
			return b
		}
	}
	return len(buckets) - 1
}

// sorted is a sorted copy without repetition.
func sorted[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// among reports whether a sorted list has a value.
func among(list []int32, value int32) bool {
	_, found := slices.BinarySearch(list, value)
	return found
}

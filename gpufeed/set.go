package gpufeed

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
}

// bucket is the rows of one static shape, in the order of the trie.
type bucket struct {
	frames int
	rows   []uint32
}

// Select reads every shard record of a dataset and chooses rows. A selection
// that does not fit the dataset, or leaves nothing, is an error that lists
// everything wrong.
func Select(d *store.Dataset, s Selection) (*Set, error) {
	s = s.normal()
	schema := d.Root.Schema
	if err := s.check(schema); err != nil {
		return nil, err
	}
	set := &Set{Selection: s}
	for _, frames := range s.bounds(schema) {
		set.buckets = append(set.buckets, bucket{frames: frames})
	}
	rows, err := scan(d, func(first uint32, shard *store.Shard) error {
		return set.add(newChooser(s, schema, shard), first)
	})
	if err != nil {
		return nil, err
	}
	set.Rows = rows
	if set.Selected() == 0 {
		return nil, fmt.Errorf("the selection leaves none of %d rows", rows.Len())
	}
	return set, nil
}

// add takes the rows of one shard.
func (s *Set) add(c chooser, first uint32) error {
	for i, id := range c.shard.IDs {
		weight := 1.0
		if len(s.Selection.Weights) > 0 {
			weight = c.weight(i)
			if weight > maxTimes {
				return fmt.Errorf("%s: its weights make %v, at most %d", id, weight, maxTimes)
			}
			s.weights = append(s.weights, float32(weight))
		}
		if weight == 0 || !c.takes(i) {
			continue
		}
		b := &s.buckets[c.bucket(i, s.buckets)]
		b.rows = append(b.rows, first+uint32(i))
	}
	return nil
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

// chooser applies a selection to one shard.
type chooser struct {
	selection Selection
	inline    store.Schema
	shard     *store.Shard
}

func newChooser(s Selection, schema store.Schema, shard *store.Shard) chooser {
	return chooser{s, schema.Inline(), shard}
}

// value is a row's value of an inline column, which check has seen.
func (c chooser) value(column string, i int) int32 {
	return c.shard.Scalars[c.inline.Index(column)][i]
}

func (c chooser) takes(i int) bool {
	s := c.selection
	if len(s.Languages) > 0 && !slices.Contains(s.Languages, c.value("language", i)) {
		return false
	}
	if len(s.Speakers) > 0 && !slices.Contains(s.Speakers, c.value("speaker", i)) {
		return false
	}
	return s.has(store.Place(c.shard.IDs[i]))
}

func (c chooser) weight(i int) float64 {
	product := 1.0
	for _, w := range c.selection.Weights {
		if c.value(w.Column, i) == w.Value {
			product *= w.Times
		}
	}
	return product
}

func (c chooser) bucket(i int, buckets []bucket) int {
	if len(buckets) == 1 {
		return 0
	}
	frames := int(c.value("mel_len", i))
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

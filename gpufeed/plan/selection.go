package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"voxpack/store"
)

// Split names a part of the rows.
type Split string

// The parts. A row's side is what its metadata says (the column split), else it
// depends on its id and the two fractions alone: it never changes when other
// rows, the seed or the epoch do. Test is of the metadata alone.
const (
	All   Split = "all"
	Train Split = "train"
	Val   Split = "val"
	Test  Split = "test"
)

// splitColumn is the inline column of sides, by the numbers of splitNumbers; 0 is
// a row that its metadata puts on none.
const splitColumn = "split"

var splitNumbers = map[Split]int32{Train: 1, Val: 2, Test: 3}

// Selection says which rows of a dataset an epoch has, how often, and in which
// shapes they come. The zero Selection is every row once in its full shape.
type Selection struct {
	Split     Split    `json:"split"`               // "" is All
	Val       float64  `json:"val,omitempty"`       // part of the rows that Val has, 0 to 1
	Train     float64  `json:"train,omitempty"`     // part that Train has; 0: all that Val leaves
	Languages []int32  `json:"languages,omitempty"` // values of the column language; none: all
	Speakers  []int32  `json:"speakers,omitempty"`  // values of the column speaker; none: all
	Weights   []Weight `json:"weights,omitempty"`   // those that match a row multiply; none: 1
	Corpora   []Corpus `json:"corpora,omitempty"`   // weights of the corpora of a dataset of several; they multiply too
	// Buckets are static shapes: a row comes in the first that its frames
	// (mel_len) fit, mel cut to that many. What fits none has the full shape.
	Buckets []int   `json:"buckets,omitempty"`
	Chosen  *Chosen `json:"chosen,omitempty"` // of the dataset, by Choose; nil: all rows
}

// Weight is how often rows with a value come in an epoch.
type Weight struct {
	Column string  `json:"column"` // any inline column, such as speaker or language
	Value  int32   `json:"value"`
	Times  float64 `json:"times"` // 0 to maxTimes; 1.5 is once or twice, drawn for every epoch
}

// Corpus is how often the rows of a corpus come in an epoch: those whose id
// begins with its name and "/".
type Corpus struct {
	Name  string  `json:"name"`
	Times float64 `json:"times"` // as Weight.Times
}

// maxTimes bounds the product of a row's weights, whose copies are counted in
// 16 bits.
const maxTimes = 1000

// normal is the selection with its lists in order and without repetition, so
// that two that mean the same are equal.
func (s Selection) normal() Selection {
	if s.Split == "" {
		s.Split = All
	}
	s.Languages = sorted(s.Languages)
	s.Speakers = sorted(s.Speakers)
	s.Buckets = sorted(s.Buckets)
	s.Weights = slices.Clone(s.Weights)
	slices.SortFunc(s.Weights, func(a, b Weight) int {
		if a.Column != b.Column {
			return cmp.Compare(a.Column, b.Column)
		}
		if a.Value != b.Value {
			return cmp.Compare(a.Value, b.Value)
		}
		return cmp.Compare(a.Times, b.Times)
	})
	s.Corpora = slices.Clone(s.Corpora)
	slices.SortFunc(s.Corpora, func(a, b Corpus) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// faults lists what is wrong.
type faults []error

func (f *faults) when(wrong bool, format string, args ...any) {
	if wrong {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// check lists everything wrong with a normal selection for a schema.
func (s Selection) check(schema store.Schema) error {
	var f faults
	s.checkSplit(&f, schema)
	f.when(s.Chosen != nil && s.Chosen.bits == nil, "%v: nobody said which; choose them again", s.Chosen)
	need := func(asked bool, column, what string) {
		f.when(asked && schema.Inline().Index(column) < 0, "%s: the dataset has no column %s", what, column)
	}
	need(len(s.Languages) > 0, "language", "filter by language")
	need(len(s.Speakers) > 0, speakerColumn, "filter by speaker")
	for _, w := range s.Weights {
		need(true, w.Column, "weights")
		f.when(!isWeight(w.Times), "weight %v of %s %d: want 0 to %d", w.Times, w.Column, w.Value, maxTimes)
	}
	for i, c := range s.Corpora {
		f.when(!isWeight(c.Times), "weight %v of corpus %s: want 0 to %d", c.Times, c.Name, maxTimes)
		f.when(c.Name == "" || i > 0 && s.Corpora[i-1].Name == c.Name, "weights of corpora: %q has no name or two weights", c.Name)
	}
	cuts := len(s.Buckets) > 0
	need(cuts, FramesColumn, "buckets")
	if cuts {
		f.when(s.Buckets[0] < 1, "bucket of %d frames: want at least 1", s.Buckets[0])
	}
	f.when(cuts && Frames(schema) == 0, "buckets: the dataset has no column %s", framed[0])
	return errors.Join(f...)
}

func (s Selection) checkSplit(f *faults, schema store.Schema) {
	parts := s.Val >= 0 && s.Val <= 1 && s.Train >= 0 && s.Train <= 1 // false of NaN too
	sides := schema.Inline().Index(splitColumn) >= 0
	f.when(s.Split != All && splitNumbers[s.Split] == 0, "split %q: want all, train, val or test", s.Split)
	f.when(!parts, "split into val %v and train %v: want parts from 0 to 1", s.Val, s.Train)
	f.when(parts && s.Val+s.Train > 1+1e-9, "split into val %v and train %v: together more than 1", s.Val, s.Train)
	f.when(s.Split == Val && s.Val == 0 && !sides,
		"split val: no row is in it: the metadata puts none there, and val_split is 0; give --val-split, or val_split in the config")
	f.when(s.Split == Test && !sides, "split test: the dataset has no column split; its metadata names no row's side")
}

// isWeight is false of NaN too.
func isWeight(times float64) bool { return times >= 0 && times <= maxTimes }

// has reports whether a row of this place is on the selected side of the split.
// side is what its metadata says, 0 for nothing.
func (s Selection) has(place uint64, side int32) bool {
	if side != 0 && s.Split != All {
		return splitNumbers[s.Split] == side
	}
	u := unit(draw(forSplit, 0, 0, place, 0))
	switch {
	case s.Split == Val:
		return u < s.Val
	case s.Split == Train && s.Train > 0:
		return u >= max(s.Val, 1-s.Train)
	case s.Split == Train:
		return u >= s.Val
	case s.Split == Test:
		return false
	}
	return true
}

// bounds are the frames of each bucket, the full shape last; one bucket where
// none are asked for. 0: the dataset has no frames.
func (s Selection) bounds(schema store.Schema) []int {
	full := Frames(schema)
	var list []int
	for _, b := range s.Buckets {
		if b < full {
			list = append(list, b)
		}
	}
	return append(list, full)
}

package compiler

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/column"
	"voxpack/compiler/column/array"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Columns of the user's own: the survey finds each value, so that a row without a usable
// one is left out before rows are placed; the work reads it once more into its block.

// ownFate is what the survey finds out about a row's own columns.
type ownFate struct {
	numbers []int32      // of each column: the steps of its value, unknownSteps, or the number that it is; nil: as in the previous snapshot
	ran     action.Marks // the value was read for it
}

// ownFound is what a source says of a row.
type ownFound struct {
	column.Found
	bad *column.Bad
}

// CheckColumns lists what is wrong with columns of the user's own; what is wrong with a
// part of one is a *column.PartError.
func CheckColumns(list []column.Config, limits column.Limits) (errs []error) {
	if n := len(list); n > action.MostOwn {
		errs = append(errs, fmt.Errorf("columns: %d of your own; %d are the most", n, action.MostOwn))
	}
	var names []string
	errs = append(errs, column.CheckSounds(list)...)
	for _, own := range list {
		wrong := own.Check()
		if errs = append(errs, wrong...); len(wrong) > 0 {
			continue
		}
		for _, added := range own.Schema(limits) {
			if slices.Contains(names, added.Name) {
				errs = append(errs, &column.PartError{Column: own.Name, What: fmt.Sprintf("there would be two columns %s", added.Name)})
			}
			const most = 64 << 20 // of store's format
			if names = append(names, added.Name); added.SampleBytes() > most {
				errs = append(errs, &column.PartError{Column: own.Name, Part: "shape", What: fmt.Sprintf("%v takes %d MiB a row; %d are the most", added, added.SampleBytes()>>20, most>>20)})
			}
		}
	}
	return errs
}

// openColumns makes the sources of the columns; they read nothing yet.
func (m *metadata) openColumns(t *tools) {
	for _, c := range m.corpora {
		for _, own := range t.cfg.Columns {
			if late(&own) {
				c.own = append(c.own, nil)
				continue
			}
			c.own = append(c.own, column.Open(own, c.Folder, column.Tools{Stats: t.stats, Memory: t.memo}))
		}
	}
}

// closeColumns closes the files that sources have open, which were only read.
func (m *metadata) closeColumns() {
	for _, c := range m.corpora {
		for _, own := range c.own {
			if open, ok := own.(io.Closer); ok {
				open.Close()
			}
		}
	}
}

// ownRow is what sources are told of a row.
func ownRow(in *input, made *store.OriginRow) column.Row {
	r := column.Row{ID: in.from.Local(in.row.ID), Speaker: in.row.Speaker}
	if made != nil {
		r.Frames = int(made.Frames)
	}
	return r
}

// findOwn asks the sources of all columns for a row's values, by a stat each.
func (s *surveyor) findOwn(it *candidate) error {
	s.found = s.found[:0]
	for i, from := range it.from.own {
		if from == nil { // computed: its key hangs on what is not known yet
			s.found = append(s.found, ownFound{})
			continue
		}
		ended := s.steps.Span(s.cfg.Columns[i].Name)
		found, err := from.Find(ownRow(it.input, nil))
		ended()
		f := ownFound{Found: found}
		if !errors.As(err, &f.bad) && err != nil {
			return s.ownFault(it, err)
		}
		s.found = append(s.found, f)
	}
	return nil
}

// ownFault is an error that says nothing about a value.
func (s *surveyor) ownFault(it *candidate, err error) error {
	if intake.IsMachine(err) {
		return it.stopped(err)
	}
	return err
}

// ownKey is the key of a row's value. An imported one is named by its digest, a computed one by what its
// program is told of the row.
func (k *leafKeyer) ownKey(cfg *Config, i int, value store.Digest, r *store.OriginRow) store.Key {
	switch c := cfg.Columns[i]; {
	case c.Run != nil:
		value = toldDigest(c.Run, r)
	case c.Sound != nil:
		value = cfg.soundDigest(c.Sound, r)
	}
	frames := uint32(0)
	if cfg.Columns[i].ReadsFrames() {
		frames = r.Frames
	}
	return k.Own(action.End()+action.Stage(i), value, frames)
}

// sameOwn reports whether the values are those of the previous snapshot's row.
func (s *surveyor) sameOwn(it *candidate) bool {
	for i, f := range s.found {
		if f.bad != nil || s.keys.ownKey(s.cfg, i, f.Digest, it.known.row) != it.known.row.Keys[action.End()+action.Stage(i)] {
			return false
		}
	}
	return true
}

// own looks at the values of a row that is not the previous snapshot's: at each once, the
// memo has what came of it.
func (s *surveyor) own(it *candidate) error {
	if len(s.found) == 0 {
		return nil
	}
	it.fate.own = &ownFate{numbers: make([]int32, len(s.found))}
	for _, averaged := range []bool{false, true} { // after the durations, whose keys theirs have in them
		for i, f := range s.found {
			if sound := s.cfg.Columns[i].Sound; averaged != (sound != nil && sound.By != "") {
				continue
			}
			ended := s.steps.Span(s.cfg.Columns[i].Name)
			err := s.ownValue(it, i, f)
			ended()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// ownValue finds out how long a value is, and refuses the row where it does not suit.
func (s *surveyor) ownValue(it *candidate, i int, f ownFound) error {
	c, at := s.cfg.Columns[i], action.End()+action.Stage(i)
	refuse := func(why kind.Rejection, key store.Key, reason string) {
		it.problems = append(it.problems, problem{kind: why, stage: c.Name, action: key, reason: reason, file: f.File})
	}
	if f.bad != nil {
		refuse(f.bad.Kind, store.Key{}, f.bad.Error())
		return nil
	}
	if c.ReadsFrames() && it.made.Frames == 0 {
		return nil // refused for its sound
	}
	key := s.keys.ownKey(s.cfg, i, f.Digest, it.made)
	it.made.Keys[at] = key
	if late(&c) {
		s.computedBefore(it, i, key)
		return nil
	}
	res, hit := s.memo.Get(key)
	if !hit {
		var err error
		if res, err = s.readOwn(it, i, f); err != nil {
			return err
		}
		it.fate.own.ran.Add(at, true)
		if s.memo.Put(key, res); res.Refused != "" {
			s.memo.Judged()
		}
	}
	if res.Refused != "" {
		refuse(kind.Of(res.Spoken), key, res.Refused)
		return nil
	}
	number := int32(uint32(res.Numbers[0]))
	s.ownSteps(it, i, number, f.File)
	var bad *column.Bad
	tokens, frames := int(it.made.Tokens), int(it.made.Frames)
	if known := c.Length == column.Tokens && tokens > 0 || c.Length == column.Frames && frames > 0; known && errors.As(c.Suits(int(number), tokens, frames), &bad) {
		refuse(bad.Kind, store.Key{}, bad.Error())
	}
	return nil
}

// ownSteps takes the steps of a row's value, or the number that it is. file is where it was read, "" for none.
func (s *surveyor) ownSteps(it *candidate, i int, number int32, file string) {
	c := s.cfg.Columns[i]
	if it.fate.own.numbers[i] = number; c.Length != column.Own || int(number) <= c.Steps {
		return
	}
	if file != "" {
		file += ": "
	}
	it.tooLong(s.cfg, c.Name, fmt.Sprintf("%s%d steps, max of the column is %d", file, number, c.Steps), fmt.Sprintf("over max %d", c.Steps))
}

// readOwn reads a value: its result is its number, or why it is none, with the kind of
// the rejection in Spoken.
func (s *surveyor) readOwn(it *candidate, i int, f ownFound) (res action.Result, err error) {
	c := s.cfg.Columns[i]
	value, err := it.from.own[i].Read(ownRow(it.input, it.made), f.Found)
	number := 0
	if err == nil {
		_, number, err = c.Fit(value)
	}
	if bad := (*column.Bad)(nil); errors.As(err, &bad) {
		return action.Result{Spoken: string(bad.Kind), Refused: bad.Error()}, nil
	}
	if err != nil {
		return res, s.ownFault(it, err)
	}
	res.Numbers[0] = uint64(uint32(number))
	return res, nil
}

// fillOwn writes a row's value into its sample.
func (f *filler) fillOwn(dst []byte, to store.Column, it *item, i int) error {
	defer f.steps.Span(f.cfg.Columns[i].Name)()
	value, _, err := f.readOwn(it, i)
	if err == nil {
		err = f.cfg.Columns[i].Put(dst, to, value)
	}
	return err
}

// ownNumber is what the survey made of a row's value, made again.
func (f *filler) ownNumber(it *item, i int) (int32, error) {
	_, number, err := f.readOwn(it, i)
	return int32(number), err
}

// readOwn reads a row's value, which has to be the one that was surveyed.
func (f *filler) readOwn(it *item, i int) (value *array.Array, number int, err error) {
	c, from, row := f.cfg.Columns[i], it.from.own[i], ownRow(&it.input, it.made)
	found, err := from.Find(row)
	if err == nil && f.keys().ownKey(f.cfg, i, found.Digest, it.made) != it.made.Keys[action.End()+action.Stage(i)] {
		err = clip.ErrChanged
	}
	if err == nil {
		value, err = from.Read(row, found)
	}
	if err == nil {
		value, number, err = c.Fit(value)
	}
	if bad := (*column.Bad)(nil); errors.As(err, &bad) {
		err = clip.ErrChanged
	}
	if err != nil {
		err = fmt.Errorf("%s: %s: %s: %w", it.row.Pos, it.made.ID, c.Name, intake.Machine(err))
	}
	return value, number, err
}

// numbers finds the numbers of rows that the survey took over whole: they stand in the
// previous snapshot's shard record. One that cannot be read is read from the source.
func (w *shardWorker) numbers(rows []*item) error {
	cfg := w.fill.cfg
	if len(cfg.Columns) == 0 {
		return nil
	}
	for _, it := range rows {
		if it.own != nil {
			continue
		}
		own := &ownFate{numbers: make([]int32, len(cfg.Columns))}
		for i, c := range cfg.Columns {
			name := c.LengthName()
			if c.Scalar() {
				name = c.Name
			}
			if c.Length != column.Own && !c.Scalar() {
				continue // nobody asks
			}
			var err error
			if own.numbers[i], err = w.prev.scalar(it, name); err == nil {
				continue
			}
			if late(&c) {
				own.numbers[i] = unknownSteps
			} else if own.numbers[i], err = w.fill.ownNumber(it, i); err != nil {
				return err
			}
		}
		it.own = own
	}
	return nil
}

// scalar is an inline value of the row that an item was taken over from.
func (p *previous) scalar(it *item, name string) (int32, error) {
	s, err := p.shardOf(it.sameLeaf - 1)
	if err != nil {
		return 0, err
	}
	at, row := p.Root.Schema.Inline().Index(name), slices.Index(s.IDs, it.made.ID)
	if at < 0 || row < 0 {
		return 0, fmt.Errorf("row %s: shard %d has no %s: %w", it.made.ID, it.sameLeaf-1, name, store.ErrDamaged)
	}
	return s.Scalars[at][row], nil
}

// ownLength is how many steps a row's value has, as far as they may be cut.
func (c *Config) ownLength(it *item, i int) int {
	switch c.Columns[i].Length {
	case column.Tokens:
		return int(it.made.Tokens)
	case column.Frames:
		return int(it.made.Frames)
	case column.Own:
		return int(it.own.numbers[i])
	}
	if s := c.Columns[i].Sound; s != nil && s.By != "" {
		return c.ownLength(it, column.IndexOf(c.Columns, s.By))
	}
	return 0 // it has a fixed shape, and is never cut
}

// ownNumber is a row's value in an inline column of the user's own.
func (c *Config) ownNumber(it *item, name string) int32 {
	for i, own := range c.Columns {
		switch {
		case own.Scalar() && own.Name == name:
			return it.own.numbers[i]
		case own.Length == column.Own && own.LengthName() == name:
			return min(it.own.numbers[i], int32(own.Steps))
		}
	}
	return 0
}

// isNumber reports whether a stage's column has no block: then it is the survey that runs it.
func (c *Config) isNumber(at action.Stage) bool {
	return at.IsOwn() && c.Columns[at-action.End()].Scalar()
}

// compareNumbers compares what stands in no block: the keys of numbers, and the steps of values.
func (v *sourceVerifier) compareNumbers(where string, it *item, was *store.OriginRow, shard *store.Shard, row int) {
	for i, c := range v.cfg.Columns {
		at, same := v.d.Root.Schema.Inline().Index(c.LengthName()), was.Keys[action.End()+action.Stage(i)] == it.made.Keys[action.End()+action.Stage(i)]
		switch {
		case c.Scalar() && !same:
			v.find(where, "%s: its input or setting changed since the snapshot; run voxpack build", c.Name)
		case c.Length == column.Own && same && at >= 0 && v.cfg.ownNumber(it, c.LengthName()) != shard.Scalars[at][row]:
			v.find(where, "%s: it has %d steps, and %d stand in the snapshot for the same key", c.Name, it.own.numbers[i], shard.Scalars[at][row])
		}
	}
}

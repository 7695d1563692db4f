package compiler

import (
	"context"
	"errors"
	"fmt"

	"voxpack/compiler/action"
	"voxpack/compiler/column"
	"voxpack/store"
)

// Columns of the user's own that are made of the clip's sound by a feature, as the mel is. Their values are
// named by the samples, and by the durations that they are averaged over.

// late reports whether a column's key hangs on what the survey does not know of an unhashed row.
func late(c *column.Config) bool { return c.Run != nil || c.Sound != nil }

// soundDigest names what a value is made of.
func (c *Config) soundDigest(s *column.Sound, r *store.OriginRow) store.Digest {
	var recipe store.Recipe
	b := recipe.Start("sound", "1").Name("samples", r.Keys[action.Audio])
	if s.By != "" {
		b = b.Name("durations", r.Keys[action.End()+action.Stage(column.IndexOf(c.Columns, s.By))])
	}
	return store.Digest(b.Key())
}

// fillSound writes a row's value of a column that is made of its sound.
func (f *filler) fillSound(ctx context.Context, dst []byte, to store.Column, it *item, i int) error {
	c, computer := f.cfg.Columns[i], f.sounds[i]
	if c.Sound.By == "" {
		return f.fillFeature(ctx, dst, to, it, c.Name, computer)
	}
	if err := f.samples(ctx, it); err != nil {
		return fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
	}
	durations, _, err := f.readOwn(it, column.IndexOf(f.cfg.Columns, c.Sound.By))
	if err != nil {
		return err
	}
	defer f.steps.Span(c.Name)()
	values := f.room(computer.Frames(int64(f.length())) * computer.Width())
	f.compute(computer, values)
	averages, err := c.Sound.Averages(values, computer.Width(), durations)
	if err == nil {
		err = c.Put(dst, to, averages)
	}
	return f.doubt(it, i, err)
}

// doubt leaves a row whose value is bad to a second survey, which refuses it.
func (f *filler) doubt(it *item, i int, err error) error {
	bad := (*column.Bad)(nil)
	if !errors.As(err, &bad) {
		return err
	}
	if f.pending == nil {
		return fmt.Errorf("%s: %w", f.cfg.Columns[i].Name, err)
	}
	f.refuseComputed(&request{it: it, column: i, bad: bad, lasts: true})
	return errUnproven
}

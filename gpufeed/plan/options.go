package plan

import (
	"errors"
	"math"
)

// Options say which batches are delivered, in which order, and where the run begins
// and ends. The zero value of a field is its default.
type Options struct {
	Batch int  // samples of a global batch, at least 1
	Rank  int  // this consumer, 0 to World-1
	World int  // ranks; 0 means 1. It must divide Batch: every rank has the same shape
	Tail  Tail // "" is Drop

	Shuffle Shuffle // "" is Global
	Seed    uint64
	Epochs  int     // 0: without end. A resumed epoch counts
	Steps   int     // batches; 0: no bound
	Resume  *Cursor // go on after this one; nil: at the beginning of epoch 0
}

// Normal is the options with their defaults in place of zero values.
func (o Options) Normal() Options {
	if o.World == 0 {
		o.World = 1
	}
	if o.Tail == "" {
		o.Tail = Drop
	}
	if o.Shuffle == "" {
		o.Shuffle = Global
	}
	return o
}

// Check lists what is wrong with normal options, as far as that shows without a
// dataset.
func (o Options) Check() error {
	var f faults
	switch {
	case o.Batch < 1 || o.Batch > math.MaxInt32:
		f.when(true, "batch of %d samples: want at least 1", o.Batch)
	case o.World < 1 || o.Rank < 0 || o.Rank >= o.World:
		f.when(true, "rank %d of %d: want 0 to one less than the world", o.Rank, o.World)
	case o.Batch%o.World != 0:
		f.when(true, "a global batch of %d cannot be shared by %d ranks; take a multiple of %d", o.Batch, o.World, o.World)
	}
	f.when(o.Tail != Drop && o.Tail != Pad && o.Tail != Wrap, "tail %q: want drop, pad or wrap", o.Tail)
	f.when(o.Epochs < 0, "%d epochs: want 0 or more", o.Epochs)
	f.when(o.Steps < 0, "%d steps: want 0 or more", o.Steps)
	return errors.Join(f...)
}

// Share is the number of samples that a rank's slot holds.
func (o Options) Share() int { o = o.Normal(); return o.Batch / o.World }

// ErrConfig says that what was asked for contradicts itself or the dataset; the
// machine has nothing to do with it.
var ErrConfig = errors.New("invalid feed configuration")

// Invalid makes an ErrConfig of an error; its text stays that of the error.
func Invalid(err error) error { return configError{err} }

type configError struct{ error }

// Unwrap is the cause.
func (e configError) Unwrap() []error { return []error{e.error, ErrConfig} }

package main

import (
	"context"
	"fmt"
	"strconv"

	"voxpack/bench/calibration"
)

// results are all figures of a bench.
type results struct {
	Rows    int                  `json:"rows"`
	Samples int                  `json:"batch"`
	Bytes   int                  `json:"batch_bytes"`
	Steady  *steady              `json:"steady"`
	First   []lap                `json:"first"`
	Start   []*start             `json:"start"`
	Program []float64            `json:"program_first_batch_ms"` // of voxpack feed, by its own account
	Cold    [len(advices)][]cold `json:"cold"`
	Disk    string               `json:"disk,omitempty"`
	Machine machine              `json:"machine"`
}

// measureAll runs the pieces, and the program, over a store.
func measureAll(ctx context.Context, o options, program string, say func(string, ...any)) (*results, error) {
	r := &results{Samples: o.batch}
	if err := r.describe(o); err != nil {
		return nil, err
	}
	others := calibration.Others()
	if err := warm(o.store); err != nil {
		return nil, err
	}
	say("steady: %d rounds of %d rows", o.rounds, r.Rows)
	var err error
	if r.Steady, err = spawn[*steady](ctx, o, "steady"); err != nil {
		return nil, err
	}
	r.Machine.add(r.Steady.Machine)
	if err := r.starts(ctx, o, program, say); err != nil {
		return nil, err
	}
	r.Machine.Others = others()
	if !o.noCold && canDrop { // last, since it empties the page cache
		if err := r.colds(ctx, o, say); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// describe opens the dataset once, and closes it, so that nothing of it stays
// mapped here.
func (r *results) describe(o options) error {
	d, err := openDataset(o, nil)
	if err != nil {
		return err
	}
	r.Rows, r.Bytes = d.set.Len(), d.layout.Bytes
	return d.store.Close()
}

// starts are the rounds of what needs fresh processes.
func (r *results) starts(ctx context.Context, o options, program string, say func(string, ...any)) error {
	for round := range o.rounds {
		say("first epoch and process start: round %d of %d", round+1, o.rounds)
		if err := r.Machine.calibrate(); err != nil {
			return fmt.Errorf("calibration: %w", err)
		}
		first, err := spawn[lap](ctx, o, "first")
		if err != nil {
			return err
		}
		r.First = append(r.First, first)
		for len(r.Start) < o.starts*(round+1)/o.rounds {
			s, err := spawnStart(ctx, o)
			if err != nil {
				return err
			}
			r.Start = append(r.Start, s)
			ms, err := startProgram(ctx, o, program)
			if err != nil {
				return err
			}
			r.Program = append(r.Program, ms)
		}
	}
	return nil
}

// coldRounds is how often laps over a cold cache are measured: they take long.
const coldRounds = 3

func (r *results) colds(ctx context.Context, o options, say func(string, ...any)) error {
	r.Disk = disk(o.store)
	for round := range coldRounds {
		say("cold page cache: round %d of %d", round+1, coldRounds)
		for i := range advices {
			if err := drop(o.store); err != nil {
				return fmt.Errorf("drop the page cache: %w", err)
			}
			c, err := spawn[cold](ctx, o, "cold", "-advice", strconv.Itoa(i))
			if err != nil {
				return err
			}
			r.Cold[i] = append(r.Cold[i], c)
		}
	}
	return nil
}

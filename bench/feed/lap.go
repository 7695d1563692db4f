package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"voxpack/bench/calibration"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// lap is a stretch of batches that was timed.
type lap struct {
	Samples int     `json:"samples"`
	Bytes   int64   `json:"bytes"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"` // of the whole process
}

func (l lap) samplesPerSecond() float64 { return float64(l.Samples) / l.Seconds }

func (l lap) gigabytesPerSecond() float64 { return float64(l.Bytes) / 1e9 / l.Seconds }

// sampleBytes are those of one sample, without the gaps of the layout.
func sampleBytes(layout *gpufeed.Layout) (n int) {
	for _, f := range layout.Fields {
		n += f.Size
	}
	return n
}

// timed is a lap of batches that fn brings.
func timed(layout *gpufeed.Layout, batches int, fn func() error) (lap, error) {
	cpu, start := calibration.OwnTime(), time.Now()
	err := fn()
	return lap{
		Samples: batches * layout.Samples,
		Bytes:   int64(batches) * int64(layout.Samples) * int64(sampleBytes(layout)),
		Seconds: time.Since(start).Seconds(),
		CPU:     (calibration.OwnTime() - cpu).Seconds(),
	}, err
}

// headStart is how many batches are taken before a lap is timed: more than a
// ring holds, so that no lap gains by what was filled before it.
const headStart = 16

// feedLap times batches of an endless feed whose consumer does nothing.
func feedLap(ctx context.Context, f *gpufeed.Feed, layout *gpufeed.Layout, batches int) (lap, error) {
	if err := take(ctx, f, headStart); err != nil {
		return lap{}, err
	}
	return timed(layout, batches, func() error { return take(ctx, f, batches) })
}

// take takes n batches and gives them back.
func take(ctx context.Context, f *gpufeed.Feed, n int) error {
	for range n {
		b, err := f.Next(ctx)
		if err != nil {
			return err
		}
		b.Release()
	}
	return nil
}

// config is that of all feeds here: host slots, global order.
func config(o options, fillers int) gpufeed.Config {
	return gpufeed.Config{Plan: plan.Options{Batch: o.batch, Seed: 1}, Fillers: fillers, Checks: gpufeed.ChecksFirst}
}

// firstEpoch is the piece first: everything from the opening of the feed to
// the end of its one epoch, in which every checksum is compared.
func firstEpoch(ctx context.Context, o options, d *dataset) (lap, error) {
	return timed(d.layout, d.batches(), func() (err error) {
		c := config(o, o.fillers)
		c.Plan.Epochs = 1
		f, err := gpufeed.Open(ctx, d.set, c)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if err := take(ctx, f, d.batches()); err != nil {
			return err
		}
		if _, err := f.Next(ctx); !errors.Is(err, io.EOF) {
			return fmt.Errorf("after %d batches: %v, want the end of the epoch", d.batches(), err)
		}
		return nil
	})
}

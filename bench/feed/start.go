package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"time"

	"voxpack/bench/calibration"
	"voxpack/gpufeed"
	"voxpack/internal/perf"
)

// start is the way of a process to its first batch.
type start struct {
	Total float64 `json:"ms"` // from before the process was started
	Steps []step  `json:"steps"`
}

// step is a part of it.
type step struct {
	Name string  `json:"name"`
	MS   float64 `json:"ms"`
}

// measureStart is the piece start. The process was started at o.began, by the
// clock of the wall: two processes share no other in Go.
func measureStart(ctx context.Context, o options) (s *start, err error) {
	began := time.Unix(0, o.began)
	s = &start{Steps: []step{{"start the process", calibration.Milliseconds(time.Since(began))}}}
	rec := perf.NewRecorder(time.Now)
	d, err := openDataset(o, rec)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	done := rec.Span("order, open the feed")
	f, err := gpufeed.Open(ctx, d.set, config(o, 2))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	done()
	done = rec.Span("first batch")
	b, err := f.Next(ctx)
	if err != nil {
		return nil, err
	}
	done()
	s.Total = calibration.Milliseconds(time.Since(began))
	b.Release()
	for _, span := range rec.Spans() {
		s.Steps = append(s.Steps, step{span.Name, calibration.Milliseconds(span.End - span.Start)})
	}
	return s, nil
}

// spawnStart starts a process and lets it say how long it took.
func spawnStart(ctx context.Context, o options) (*start, error) {
	began := strconv.FormatInt(time.Now().UnixNano(), 10)
	return spawn[*start](ctx, o, "start", "-began", began)
}

// startProgram is how long voxpack feed says that it took to its first batch,
// from the start of its process, in ms.
func startProgram(ctx context.Context, o options, program string) (float64, error) {
	var report struct {
		First   float64 `json:"first_batch_seconds"`
		Samples int
	}
	cmd := exec.CommandContext(ctx, program, "feed", o.store+"@"+o.ref, "--steps", "1", "--batch-size", strconv.Itoa(o.batch),
		"--device", "host", "--record", "none", "--json", "-q")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err == nil && report.Samples != o.batch {
		err = fmt.Errorf("%d samples, want one batch of %d", report.Samples, o.batch)
	}
	if err != nil {
		return 0, fmt.Errorf("voxpack feed: %w", err)
	}
	return report.First * 1e3, nil
}

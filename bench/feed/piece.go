package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"voxpack/bench/program"
)

// runPiece measures one thing in this process and prints it as JSON.
func runPiece(ctx context.Context, o options, stdin io.Reader, stdout io.Writer) error {
	var found any
	var err error
	switch o.piece {
	case "steady":
		found, err = over(o, func(d *dataset) (*steady, error) { return measureSteady(ctx, o, d) })
	case "first":
		found, err = over(o, func(d *dataset) (lap, error) { return firstEpoch(ctx, o, d) })
	case "laps":
		_, err = over(o, func(d *dataset) (any, error) { return nil, serveLaps(ctx, o, d, stdin, stdout) })
		return err
	case "start":
		found, err = measureStart(ctx, o)
	case "cold":
		found, err = coldEpoch(ctx, o)
	case "machine":
		m := machine{Others: -1}
		found, err = &m, m.calibrate()
	default:
		return fmt.Errorf("%w: -piece %s: want steady, first, start, cold, laps or machine", program.ErrUsage, o.piece)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(found)
}

// over measures over an open dataset, which it closes.
func over[T any](o options, measure func(d *dataset) (T, error)) (found T, err error) {
	d, err := openDataset(o, nil)
	if err != nil {
		return found, err
	}
	found, err = measure(d)
	return found, errors.Join(err, d.store.Close())
}

// spawn measures a piece in a process of its own.
func spawn[T any](ctx context.Context, o options, piece string, args ...string) (found T, err error) {
	program, err := os.Executable()
	if err != nil {
		return found, err
	}
	args = append([]string{
		"-piece", piece, "-store", o.store, "-ref", o.ref, "-batch", strconv.Itoa(o.batch),
		"-rounds", strconv.Itoa(o.rounds),
	}, args...)
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &found)
	}
	if err != nil {
		return found, fmt.Errorf("%s: %w", piece, err)
	}
	return found, nil
}

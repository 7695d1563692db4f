package main

import (
	"context"
	"encoding/json"
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
		found, err = measureSteady(ctx, o)
	case "first":
		found, err = firstEpoch(ctx, o)
	case "start":
		found, err = measureStart(ctx, o)
	case "cold":
		found, err = coldEpoch(ctx, o)
	case "machine":
		m := machine{Others: -1}
		found, err = &m, m.calibrate()
	case "laps":
		return serveLaps(ctx, o, stdin, stdout)
	default:
		return fmt.Errorf("%w: -piece %s: want steady, first, start, cold, laps or machine", program.ErrUsage, o.piece)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(stdout).Encode(found)
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

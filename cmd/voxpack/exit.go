package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// The exit codes, as every help page says them.
const (
	exitDone        = 0
	exitFindings    = 1
	exitUsage       = 2
	exitEnvironment = 3
	exitInterrupted = 130
)

// exitCode is the one place where errors become numbers.
func exitCode(err error) int {
	var usage term.Usage
	var findings term.Findings
	_, faulty := intake.Cure(err)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, term.ErrInterrupted):
		return exitInterrupted
	case faulty: // a config that the disk does not give is no mistake in it
		return exitEnvironment
	case errors.As(err, &findings), errors.Is(err, compiler.ErrOverlong), errors.Is(err, compiler.ErrLoss):
		return exitFindings
	case errors.As(err, &usage), errors.Is(err, compiler.ErrConfig), errors.Is(err, intake.ErrNoMetadata), errors.Is(err, compiler.ErrSpeakers), errors.Is(err, plan.ErrPlan), errors.Is(err, store.ErrAmbiguous):
		return exitUsage
	}
	// What is left is the store and the machine: missing, busy, newer, damaged,
	// read-only, full.
	return exitEnvironment
}

// complain prints an error, and what helps where the machine is to blame.
func complain(stderr io.Writer, err error) {
	if err == nil || err.Error() == "" {
		return
	}
	text := err.Error()
	if cure, _ := intake.Cure(err); cure != "" {
		text += "; " + cure
	} else if errors.Is(err, store.ErrDamaged) && !strings.Contains(text, "voxpack ") { // else it says itself what helps
		text += "; " + term.RepairCure
	}
	fmt.Fprintf(term.MakeSafe(stderr), "voxpack: %s\n", text)
}

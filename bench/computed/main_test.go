package main

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"testing"

	"voxpack/bench/program"
)

// TestBenchRunsTheProgram is the whole bench over a corpus that is too small to say anything.
func TestBenchRunsTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	if exec.Command("python3", "-c", "import numpy").Run() != nil {
		t.Skip("no python3 with NumPy")
	}
	t.Setenv("VOXPACK_CORPORA", "")
	t.Chdir("../..")
	var out, log bytes.Buffer
	if err := run(t.Context(), []string{"-n", "20", "-runs", "1"}, &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	for _, line := range []string{`\| no column \| [\d.]+ \| 1.00 \| [\d.]+ \| 1.00 \| – \|`, `\| a column of text \| .* \| (met|\*\*missed\*\*) \|`, `\| a column of samples \| .* \| (met|\*\*missed\*\*) \|`} {
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("no line %s in\n%s", line, out.String())
		}
	}
}

func TestFlagsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-runs", "0"}, {"-n", "3"}, {"extra"}, {"-what"}} {
		if _, err := parse(args, new(bytes.Buffer)); !errors.Is(err, program.ErrUsage) {
			t.Errorf("parse(%q) = %v, want a usage error", args, err)
		}
	}
}

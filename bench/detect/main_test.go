package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestRun: a code for each line in their order, then the figures.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	err := run([]string{"-laps", "2"}, strings.NewReader("Das ist ein Haus\nسلام، این یک آزمایش است\n12\n"), &out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 || strings.Join(lines[:3], " ") != "de fa und" {
		t.Fatalf("got %q, want de, fa, und and the figures", lines)
	}
	var f figures
	if err := json.Unmarshal([]byte(lines[3]), &f); err != nil {
		t.Fatal(err)
	}
	if f.Megabytes <= 0 || f.Megabytes > 10 || f.Allocations != 0 {
		t.Errorf("got %+v, want under 10 MB and no allocations", f)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{{"x"}, {"-laps", "0"}, {"-unknown"}} {
		if err := run(args, strings.NewReader(""), io.Discard, io.Discard); err == nil {
			t.Errorf("run(%q) has no error", args)
		}
	}
}

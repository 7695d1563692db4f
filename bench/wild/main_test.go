package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/textnorm"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"en.txt": "It weighs 5 kg.\nIt weighs 12 kg, and 7 xyz9.\n", "de.txt": "Am 3. Mai kamen 5 Gäste.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := run([]string{"-lang", "en,de", dir}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"en: 2 lines, 2 changed\n", "  reading 2 × amount: 0 kg    e.g. 5 kg → five kilograms in", "de: 1 lines, 1 changed\n", "3 lines in 2 languages, 0 findings\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, args := range [][]string{nil, {"-lang", "xx", dir}, {filepath.Join(dir, "nothing")}, {"-unknown"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("run(%q) has no error", args)
		}
	}
}

// TestFaults: what a rule loses is found.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		line, said string
		notes      []textnorm.Note
		faults     int
	}{
		{"Ann paid 5 dollars.", "Ann paid five dollars.", nil, 0},
		{"Ann paid 5 dollars.", "paid five dollars.", nil, 1},
		{"Ann paid 5 dollars.", "Ann paid 5 dollars.", nil, 1},
		{"Ann paid 5 dollars.", "Ann paid 5 dollars.", []textnorm.Note{{Kind: textnorm.NoteUnread}}, 0},
	} {
		r, err := newReader("en")
		if err != nil {
			t.Fatal(err)
		}
		if r.rulesOf(tt.line, tt.line, tt.said, tt.notes); len(r.faults) != tt.faults {
			t.Errorf("%q said as %q with %v: %q, want %d faults", tt.line, tt.said, tt.notes, r.faults, tt.faults)
		}
	}
	r, err := newReader("en")
	if err != nil {
		t.Fatal(err)
	}
	r.norm = nil
	if r.read("Ann paid 5 dollars."); len(r.faults) != 1 || !strings.Contains(r.faults[0], "crash") {
		t.Errorf("a crash gives the faults %q", r.faults)
	}
}

func TestMissing(t *testing.T) {
	for _, tt := range [][3]string{{"abc", "xaybzc", ""}, {"abc", "acb", "c"}, {"a", "", "a"}, {"", "abc", ""}, {"éa", "éa", ""}} {
		if got := missing(tt[0], tt[1]); got != tt[2] {
			t.Errorf("missing(%q, %q) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
	if got := shape("5.120 km/h, ۱۲"); got != "0.0 km/h, 0" {
		t.Errorf("shape = %q", got)
	}
}

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestLaps: a lap decodes whole passes; what is no recording, no folder and no number is an error.
func TestLaps(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"../../testdata/golden/mel"}, strings.NewReader("0.001\n"), &out); err == nil {
		t.Error("a folder with other files than recordings is decoded")
	}
	var l lap
	if err := run([]string{"../../testdata/corpus/en/wavs"}, strings.NewReader("0.001\n"), &out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(out.String()), &l); err != nil || l.Samples == 0 || l.Seconds < 0.001 {
		t.Errorf("%q: %+v, %v", out.String(), l, err)
	}
	for _, args := range [][]string{{}, {"a", "b"}, {t.TempDir()}} {
		if err := run(args, strings.NewReader(""), &out); err == nil {
			t.Errorf("run(%q) is no error", args)
		}
	}
	if err := run([]string{"../../testdata/corpus/en/wavs"}, strings.NewReader("soon\n"), &out); err == nil {
		t.Error("a lap of no number is timed")
	}
}

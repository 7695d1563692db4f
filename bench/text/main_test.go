package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const sets = "../../textnorm/spoken/testdata"

// TestLinesAreLikeTheCorpus: as long as LJSpeech's, and 60 to 72 % of the made-up
// ones have something to read.
func TestLinesAreLikeTheCorpus(t *testing.T) {
	for _, lang := range []string{"en", "fa", "de"} {
		b, err := newBench(options{n: 3000, sets: sets}, lang)
		if err != nil {
			t.Fatal(err)
		}
		if mean := b.length(); mean < 75 || mean > 105 {
			t.Errorf("%s: %.1f characters a line, want 75 to 105", lang, mean)
		}
		least, most := 0.60, 0.72
		if lang == "de" {
			least, most = 0.75, 0.98 // its set has rows that stay as they are written
		}
		if share := b.something(); share < least || share > most {
			t.Errorf("%s: %.2f of the lines are read otherwise than they are written, want %.2f to %.2f", lang, share, least, most)
		}
		if !slices.ContainsFunc(b.lines, func(line string) bool { return strings.ContainsAny(line, "0123456789۰۱۲۳۴۵۶۷۸۹") }) || !utf8.ValidString(strings.Join(b.lines, "")) {
			t.Errorf("%s: no digits, or no UTF-8", lang)
		}
	}
}

// TestEveryClauseIsRead: each kind of a made-up clause that has something to read
// leaves no digit and no sign.
func TestEveryClauseIsRead(t *testing.T) {
	for _, lang := range []string{"en", "fa"} {
		b, err := newBench(options{n: 1, sets: sets}, lang)
		if err != nil {
			t.Fatal(err)
		}
		again, err := linesOf(lang, sets, 1)
		if err != nil || again[0] != b.lines[0] {
			t.Errorf("%s: two runs give %q and %q (%v)", lang, b.lines, again, err)
		}
		many, err := linesOf(lang, sets, 2000)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range many {
			if said, notes := b.norm.Normalize(line, lang); strings.ContainsAny(said, "0123456789۰۱۲۳۴۵۶۷۸۹$٪") || len(notes) > 0 {
				t.Errorf("%s: %q is read %q, %v", lang, line, said, notes)
			}
		}
	}
}

func TestServe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	var out, log bytes.Buffer
	in := strings.NewReader("versions\nlines fa " + file + "\nlap en 0.01\n")
	if err := run([]string{"-serve", "-n", "700", "-sets", sets}, in, &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	var versions map[string]string
	var wrote struct{ Lines int }
	var l lap
	d := json.NewDecoder(&out)
	for _, to := range []any{&versions, &wrote, &l} {
		if err := d.Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(file)
	if err != nil || bytes.Count(b, []byte("\n")) != 700 || wrote.Lines != 700 {
		t.Errorf("%d lines were written, %d said (%v), want 700", bytes.Count(b, []byte("\n")), wrote.Lines, err)
	}
	if versions["go"] == "" || l.Lines < 500 || l.Seconds < 0.01 {
		t.Errorf("versions %v, lap %+v", versions, l)
	}
}

// TestWhole: few rows go through everything that all rows go through.
func TestWhole(t *testing.T) {
	texts, err := linesOf("en", sets, 60)
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "texts")
	if err := os.WriteFile(list, []byte(strings.Join(texts, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	var counts []string
	for _, j := range []string{"1", "4"} {
		var out bytes.Buffer
		if err := run([]string{"-cold", list, "-j", j}, nil, &out, &out); err != nil {
			t.Fatal(err)
		}
		counts = append(counts, out.String())
	}
	if counts[0] != counts[1] || !strings.HasPrefix(counts[0], "60 rows, ") || strings.Contains(counts[0], " 0 ids") {
		t.Errorf("cold with 1 and 4 goroutines: %q", counts)
	}
	m, err := newMemoed(filepath.Join(t.TempDir(), "corpus"), texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, same := range []bool{true, false} {
		if took, err := m.survey(2, same); err != nil || took <= 0 {
			t.Errorf("survey(%v) = %v, %v", same, took, err)
		}
	}
	m.config.Language = "de"
	if _, err := m.survey(1, true); err == nil || !strings.Contains(err.Error(), "ran for") {
		t.Errorf("a survey that had to read the rows anew: %v, want an error", err)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		line string
		want string
	}{
		{[]string{"-serve"}, "jump", "want lines"},
		{[]string{"-serve", "-sets", sets}, "lap en soon", "invalid syntax"},
		{[]string{"-serve", "-sets", "/nowhere"}, "lap de 1", "no such file"},
		{[]string{"-n", "0"}, "", "-n"},
		{[]string{"-cold", "/nowhere"}, "", "no such file"},
	} {
		var out bytes.Buffer
		if err := run(c.args, strings.NewReader(c.line+"\n"), &out, &out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("run(%q, %q) = %v, want %q", c.args, c.line, err, c.want)
		}
	}
}

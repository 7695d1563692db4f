//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateFaults = flag.Bool("update", false, "write the tables of faults in docs/en/feed.md and docs/fa/feed.md")

// fault is a row of the pages' tables: what goes wrong, and what voxpack makes
// of it, as all of its trials show.
type fault struct {
	en, fa words
	trials []trial
	codes  []int  // as the trials ended, each once
	left   int    // into leftovers
	said   string // by all of them
	seen   bool   // all of them were done
}

// words are what a row says in a language. Exit codes and what is left behind
// come from the trials.
type words struct{ fault, does, cure string }

// leftovers are what a run may leave behind it, from nothing on.
var leftovers = []struct{ en, fa string }{
	{"nothing", "هیچ"},
	{"the saved position", "جایگاهِ ذخیره‌شده"},
	{"the saved position; the system takes the memory back", "جایگاهِ ذخیره‌شده؛ حافظه را خود سیستم پس می‌گیرد"},
}

// faults are all rows, in the pages' order.
func faults(m *machine) []*fault {
	return slices.Concat(deviceFaults(m), memoryFaults(), copyFaults(m), storeFaults(), processFaults())
}

// TestFaults has everything go wrong that the fake drivers, the store and the
// process can do to a feed, and compares what came of it with the pages.
func TestFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for copies that do not end")
	}
	t.Parallel()
	m := newMachine(t)
	list := faults(m)
	passed := t.Run("trials", func(t *testing.T) {
		for _, f := range list {
			t.Run(f.en.fault, f.try(m))
		}
	})
	if !passed || slices.ContainsFunc(list, func(f *fault) bool { return !f.seen }) {
		return // -run leaves trials out
	}
	for _, page := range []struct {
		file, head, between, none string
		words                     func(*fault) (words, string)
	}{
		{"docs/en/feed.md", "| fault | what voxpack does | exit code | left behind | what to do |", ", ", "none",
			func(f *fault) (words, string) { return f.en, leftovers[f.left].en }},
		{"docs/fa/feed.md", "| خطا | voxpack چه می‌کند | کد خروج | چه می‌ماند | چه باید کرد |", "، ", "ندارد",
			func(f *fault) (words, string) { return f.fa, leftovers[f.left].fa }},
	} {
		table := page.head + "\n|---|---|---|---|---|\n"
		for _, f := range list {
			w, left := page.words(f)
			var codes []string
			for _, c := range f.codes {
				codes = append(codes, fmt.Sprint(c))
			}
			if len(codes) == 0 {
				codes = []string{page.none}
			}
			table += fmt.Sprintf("| %s | %s | %s | %s | %s |\n", w.fault, w.does, strings.Join(codes, page.between), left, w.cure)
		}
		wantTable(t, page.file, table)
	}
}

// try does a fault's trials, and notes how they ended.
func (f *fault) try(m *machine) func(*testing.T) {
	return func(t *testing.T) {
		t.Parallel()
		results := make([]*running, len(f.trials))
		t.Cleanup(func() { // behind the parallel ones
			if !t.Failed() {
				f.observe(t, results)
			}
		})
		for i, tr := range f.trials {
			t.Run(tr.name, func(t *testing.T) {
				t.Parallel()
				results[i] = m.run(t, tr)
			})
		}
	}
}

// phrases are what a page quotes; one with a space in it is a piece of a message.
var phrases = regexp.MustCompile("`[^`]*`")

// observe takes what a row says from the trials, and looks whether they said
// what it quotes.
func (f *fault) observe(t *testing.T, results []*running) {
	for i, r := range results {
		if r == nil {
			return
		}
		f.said += r.stderr.String() + r.stdout.String()
		if f.trials[i].inside == "" {
			f.codes = append(f.codes, r.code)
		}
		switch {
		case len(liveOf(r.counters)) > 0:
			f.left = 2
			if r.cursor == nil && f.trials[i].inside == "" {
				t.Error("no position was saved")
			}
		case r.cursor != nil && r.code != exitDone:
			f.left = max(f.left, 1)
		}
	}
	slices.Sort(f.codes)
	f.codes, f.seen = slices.Compact(f.codes), true
	for _, w := range []words{f.en, f.fa} {
		for _, phrase := range phrases.FindAllString(w.does, -1) {
			if phrase = strings.Trim(phrase, "`"); strings.Contains(phrase, " ") && !strings.Contains(f.said, phrase) {
				t.Errorf("the page quotes %q, no trial said so", phrase)
			}
		}
	}
}

// wantTable compares what stands between the marks of a page, or writes it.
func wantTable(t *testing.T, file, table string) {
	t.Helper()
	const begin, end = "<!-- faults:begin -->\n", "<!-- faults:end -->"
	path := filepath.Join("..", "..", filepath.FromSlash(file))
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(src), begin)
	old, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no marks %q and %q", file, begin, end)
	}
	if table = "\n" + table + "\n"; old == table {
		return
	}
	if !*updateFaults {
		t.Errorf("%s is not what was seen: run go test ./cmd/voxpack -run TestFaults -update; it has\n%swant\n%s", file, old, table)
		return
	}
	if err := os.WriteFile(path, []byte(head+begin+table+end+tail), 0o666); err != nil {
		t.Fatal(err)
	}
}

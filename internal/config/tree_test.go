package config

import (
	"fmt"
	"strings"
	"testing"
)

// Files that would take a naive reader's memory, time or stack.
func TestHostileFilesAreBounded(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&laughs, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	var merges strings.Builder
	merges.WriteString("m0: &m0 {k: 1}\n")
	for i := 1; i < 12; i++ {
		fmt.Fprintf(&merges, "m%d: &m%d\n  <<: [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*m%d, ", i-1), 10), ", "))
	}
	tests := []struct {
		name, src string
		want      []string
	}{
		{"a file over a mebibyte", strings.Repeat("#", MaxBytes+1), []string{"config.yaml: more than the 1048576 bytes"}},
		{"more tokens than a config has", strings.Repeat("a: 1\n", maxTokens), []string{"config.yaml:10923:4: too long"}},
		{"brackets in brackets", "data: " + strings.Repeat("[", 5000), []string{"config.yaml:1:71: nested too deeply"}},
		{"entries in entries", strings.Repeat("- ", 5000), []string{"config.yaml:1:1025: nested too deeply"}},
		{"question marks", strings.Repeat("? ", 5000), []string{"config.yaml:1:1025: nested too deeply"}},
		{"a billion laughs in a foreign section cost nothing", laughs.String() + "data:\n", nil},
		{"nor where nothing is ours", laughs.String(), []string{"config.yaml:1:1: no voxpack setting found in this file"}},
		{"a billion laughs in a key are no text", laughs.String() + "data:\n  speakers: *a11\n", []string{"config.yaml:14:3: data.speakers: item 1: a list is not a text"}},
		{"a billion merges are refused", merges.String() + "data:\n  <<: *m11\n", []string{"config.yaml:24:1: data: merge keys bring more than 4096 keys"}},
		{"an anchor within itself", "data: &d\n  speakers: &s [*s]\n", []string{"config.yaml:2:3: data.speakers: item 1: an alias to an anchor that does not stand above it"}},
		{"an alias to nothing", "data:\n  n_mels: *none\n", []string{"config.yaml:2:3: data.n_mels: an alias"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, problems(tt.src), tt.want) })
	}
}

func TestMergeKeys(t *testing.T) {
	tests := []struct {
		name, src string
		want      int // n_mels
	}{
		{"own keys win, wherever the merge stands", "a: &a {n_mels: 1}\ndata:\n  n_mels: 2\n  <<: *a\n", 2},
		{"the first of a list wins", "a: &a {n_mels: 1}\nb: &b {n_mels: 2}\ndata:\n  <<: [*b, *a]\n", 2},
		{"merges of merges count", "a: &a {n_mels: 1}\nb: &b\n  <<: *a\ndata:\n  <<: *b\n", 1},
		{"an alias is the value", "x: &n 7\ndata:\n  n_mels: *n\n", 7},
		{"an anchor in the section is a value too", "data:\n  n_mels: &n 9\nother: *n\n", 9},
		{"a question mark makes a key", "data:\n  ? n_mels\n  : 5\n", 5},
	}
	for _, tt := range tests {
		c, list := Load("config.yaml", []byte(tt.src), formats)
		if len(list) > 0 || c.Mel.NMels != tt.want {
			t.Errorf("%s: n_mels = %d, %v, want %d", tt.name, c.Mel.NMels, list, tt.want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	for _, src := range []string{
		"", "data:\n  fmax: 12000\n  symbols: ab\n  speakers: [a, b]\n", "a: &a {n_mels: 1}\ndata:\n  <<: [*a, *a]\n  x: !!int 3\n",
		"data:\n  ? [a]\n  : |\n   x\n", "{data: {n_mels: 1e3}, model: {n_mels: 2}}", "data: [1\n", "\xff", "---\n...\n---\n", "data:\n\tx: 1\n",
		"%YAML 1.2\n---\ndata: *a\n", "data:\n  << : &x\n   <<: *x\n", "data:\n  symbols_file: load_test.go\n",
		"data:\n  datasets:\n    - a\n    - {path: b, columns: {text: 1, x: 2}, weight: 3, y: 4}\n    - &c\n      <<: [{path: d}]\n    - *c\n",
		"data:\n  datasets: [[], {}, ~, !!x y]\n  columns: &a\n    <<: *a\n    text: -1\n  drop_ids: load_test.go\n  lexicon: .\n",
		"feed:\n  weights: {\"speaker:a\\nb\": 2, \"x\": -1}\n  buckets: [4, x]\n  seed: 1e15\ndata:\n  segment: 3\n", "feed: ~\nfeed: {split: val}\n", "feed: &a {<<: *a, columns: a}\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, list := Load("config.yaml", src, formats)
		last := Problem{}
		for _, p := range list {
			if p.Message == "" || p.Line < 0 || p.Line > 0 && p.Col < 1 || strings.Contains(p.String(), "\n") {
				t.Errorf("Load(%q): problem %+v is not one line with a place", src, p)
			}
			if p.Line < last.Line || p.Line == last.Line && p.Col < last.Col {
				t.Errorf("Load(%q): %v stands after %v", src, p, last)
			}
			last = p
		}
		if Errors(list) {
			return
		}
		// What was accepted is within the table's bounds.
		for _, k := range Keys() {
			if k.at == nil {
				continue
			}
			if v, ok := k.at(&c).(*int); ok && (float64(*v) < k.Min || float64(*v) > k.Max) {
				t.Errorf("Load(%q): %s = %d", src, k.Name, *v)
			}
		}
		names := map[string]bool{}
		for _, d := range c.Dataset.Datasets {
			if d.Path == "" || d.Name == "" || names[d.Name] || strings.Contains(d.Name, "/") || !(d.Weight >= 0 && d.Weight <= 1000) || d.Line < 1 {
				t.Errorf("Load(%q) accepted %+v", src, d)
			}
			names[d.Name] = true
		}
		if c.Mel.FMax > float64(c.Audio.SampleRate)/2 || c.Mel.HopLength > c.Mel.WinLength || c.Mel.WinLength > c.Mel.NFFT {
			t.Errorf("Load(%q) accepted %+v", src, c.Mel)
		}
	})
}

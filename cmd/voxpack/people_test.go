package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// foul is what a terminal would obey: codes that clear it, ring, go back in the
// line, turn text round, end a line, C1 as a character and as a byte.
const foul = "\x1b[2J\x1b]0;owned\a\r\u202e\u2066\u2028\u009b31m\x7f"

func TestPeopleSeeEveryCharacter(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"text is left", "a\tb\nسلام ☃ «x» \u200c\u200f", "a\tb\nسلام ☃ «x» \u200c\u200f"},
		{"codes are shown", foul, `\u001b[2J\u001b]0;owned\u0007\u000d\u202e\u2066\u2028\u009b31m\u007f`},
		{"bytes that are no UTF-8", "a\x9b\xffb", `a\x9b\xffb`},
		{"an end within a character", "a\xe2\x80", `a\xe2\x80`},
		{"one byte too few before text", "\xc2a\xe2\x80b", `\xc2a\xe2\x80b`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= len(tt.in); size++ { // however it is cut into writes
				var out bytes.Buffer
				p := forPeople(&out)
				for part := range slices.Chunk([]byte(tt.in), size) {
					if n, err := p.Write(part); n != len(part) || err != nil {
						t.Fatalf("Write = %d, %v", n, err)
					}
				}
				p.end()
				if out.String() != tt.want {
					t.Fatalf("in parts of %d: %q, want %q", size, &out, tt.want)
				}
			}
		})
	}
	if p := forPeople(io.Discard); forPeople(p) != p || drawn(p) != io.Discard || drawn(io.Discard) != io.Discard {
		t.Error("a door stands in front of a door")
	}
	line := []byte(strings.Repeat("سلام, LJ001-0001\n", 1000))
	if n := testing.AllocsPerRun(10, func() { forPeople(io.Discard).Write(line) }); n > 1 {
		t.Errorf("%v allocations for harmless output, want that of the door", n)
	}
}

// TestNoCommandWritesWhatATerminalObeys: whatever ids, paths, speakers, texts and
// arguments hold, in all that every command prints.
func TestNoCommandWritesWhatATerminalObeys(t *testing.T) {
	work := t.TempDir()
	dir := filepath.Join(work, "set"+foul)
	id, bad := "a"+foul, "b"+foul
	clip, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "en", "wavs", "en-0001.wav"))
	if err != nil {
		t.Fatal(err)
	}
	row := func(id string) string {
		b, _ := json.Marshal(map[string]string{"audio": "wavs/" + id + ".wav", "text": "Clear the screen: " + foul + " ☃ 5 km.", "speaker": "eve" + foul + "\nadam"})
		return string(b) + "\n"
	}
	for path, content := range map[string]string{"metadata.jsonl": row(id) + row(bad) + row("two\nlines") + row("../out"+foul), "wavs/" + id + ".wav": string(clip), "voxpack.yaml": "data:\n  n_mels: 80\n  \"zz\\e[2J\\u202E\": 1\n"} {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	png := filepath.Join(work, "out"+foul+".png")
	calls := [][]string{
		{"build", dir, "--dry-run"}, {"build", dir, "-v"}, {"build", dir, "--strict"}, {"build", dir, "--json"}, {"build", dir, "--config", dir + foul}, {"build", dir + foul},
		{"build", dir, "--metadata", dir + "/" + foul}, {"build", dir, "-o", dir + "/wavs"}, {"build", dir, "--max-loss", foul}, {"build", dir, "--no-flag-" + foul},
		{"show", dir}, {"show", dir, "--ids"}, {"show", dir, "--json"}, {"show", dir, id}, {"show", dir, id, "--json"}, {"show", dir, bad}, {"show", dir, id + "x"}, {"show", dir + "@" + foul},
		{"show", dir, id, "--column", foul, "--png", png}, {"show", dir, id, "--column", "mel", "--png", png}, {"show", dir, id, "--wav", filepath.Join(work, foul, foul)},
		{"explain", dir}, {"explain", dir, id}, {"explain", dir, bad, id + "y"}, {"explain", dir, id, "--json"}, {"explain", dir + "@" + foul},
		{"verify", dir}, {"verify", dir, "--sources"}, {"verify", dir + foul},
		{"text", "normalize", "--explain"}, {"text", "normalize", "--json"}, {"text", "normalize", "--store", dir + foul}, {"text", "tokenize", "--explain"}, {"text", "tokenize", "--store", dir, "--json"},
		{"text", "detect"}, {"text", "detect", "--json"}, {"text", "number", foul}, {"text", "number"}, {"text", "normalize", "--lang", foul}, {"text", "tokenize", "--tokenizer", foul}, {"text", foul},
		{"feed", dir, "--device", "host", "--batch-size", "1", "--epochs", "1", "--ids", "-"}, {"feed", dir, "--device", "host", "--batch-size", "1", "--epochs", "1", "--json"}, {"feed", dir + foul}, {"feed", dir, "--device", foul},
		{"feed", dir, "--device", "host", "--cursor", filepath.Join(work, foul, foul)}, {"feed", dir, "--weight", "corpus:" + foul + "=2"},
		{"serve", dir + foul}, {"serve", dir, "--socket", filepath.Join(work, foul, foul)},
		{"version"}, {"version", foul}, {foul}, {"--" + foul}, {"help", foul},
	}
	asked := map[string]bool{"completion": true}
	for _, args := range calls {
		asked[args[0]] = true
		var stdout, stderr bytes.Buffer
		code := run(args, strings.NewReader("Clear "+foul+" it ☃ 5 km.\nno \xff\x9b UTF-8\n"+foul+"\n"), &stdout, &stderr)
		for name, out := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			if strings.Contains(out, "panic") {
				t.Errorf("%q: %s", args, out)
			}
			if at := strings.IndexFunc(out, obeyed); at >= 0 || !utf8.ValidString(out) {
				t.Errorf("%q, exit %d, %s: %q", args, code, name, out)
			}
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, "adam") || strings.HasPrefix(line, "lines") {
					t.Errorf("%q, %s: a name of two lines makes a line of its own: %q", args, name, line)
				}
			}
		}
		if slices.Contains(args, "--json") && args[0] == "show" && len(args) == 4 {
			var got struct{ ID, Speaker string }
			if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || got.ID != id {
				t.Errorf("JSON says %q, %v; want the id as it is", got.ID, err)
			}
		}
	}
	for _, cmd := range newRootCommand().Commands() {
		if !asked[cmd.Name()] {
			t.Errorf("no call of %s here (%v)", cmd.Name(), slices.Sorted(maps.Keys(asked)))
		}
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
)

// hostile is what a terminal would obey: codes that clear it, ring, go back in the
// line, turn text round, end a line, C1 as a character and as a byte.
const hostile = "\x1b[2J\x1b]0;owned\a\r\u202e\u2066\u2028\u009b31m\x7f"

// TestNoCommandWritesWhatATerminalObeys: whatever ids, paths, speakers, texts and
// arguments hold, in all that every command prints.
func TestNoCommandWritesWhatATerminalObeys(t *testing.T) {
	t.Parallel()
	work := t.TempDir()
	dir := filepath.Join(work, "set"+hostile)
	id, bad := "a"+hostile, "b"+hostile
	clip, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", "en", "wavs", "en-0001.wav"))
	if err != nil {
		t.Fatal(err)
	}
	row := func(id string) string {
		b, _ := json.Marshal(map[string]string{"audio": "wavs/" + id + ".wav", "text": "Clear the screen: " + hostile + " ☃ 5 km.", "speaker": "eve" + hostile + "\nadam"})
		return string(b) + "\n"
	}
	for path, content := range map[string]string{"metadata.jsonl": row(id) + row(bad) + row("two\nlines") + row("../out"+hostile), "wavs/" + id + ".wav": string(clip), "voxpack.yaml": "data:\n  n_mels: 80\n  \"zz\\e[2J\\u202E\": 1\n  \"batch_siz\\e\": 1\n"} {
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	png := filepath.Join(work, "out"+hostile+".png")
	calls := [][]string{
		{"build", dir, "--dry-run"}, {"build", dir, "-v"}, {"build", dir, "--strict"}, {"build", dir, "--json"}, {"build", dir, "--config", dir + hostile}, {"build", dir + hostile},
		{"build", dir, "--metadata", dir + "/" + hostile}, {"build", dir, "-o", dir + "/wavs"}, {"build", dir, "--max-loss", hostile}, {"build", dir, "--no-flag-" + hostile},
		{"show", dir}, {"show", dir, "--ids"}, {"show", dir, "--json"}, {"show", dir, id}, {"show", dir, id, "--json"}, {"show", dir, bad}, {"show", dir, id + "x"}, {"show", dir + "@" + hostile},
		{"show", dir, id, "--column", hostile, "--png", png}, {"show", dir, id, "--column", "mel", "--png", png}, {"show", dir, id, "--wav", filepath.Join(work, hostile, hostile)},
		{"explain", dir}, {"explain", dir, id}, {"explain", dir, bad, id + "y"}, {"explain", dir, id, "--json"}, {"explain", dir + "@" + hostile},
		{"log", dir}, {"log", dir, "--rows", id}, {"log", dir, "--rows", bad + "x"}, {"log", dir + "@" + hostile}, {"diff", dir + "@main", dir + "@main", "--full"}, {"diff", dir + "@main", "--row", id}, {"diff", dir + "@" + hostile}, {"diff", dir + "@main", "--row", hostile},
		{"copy", dir, filepath.Join(work, "copy"+hostile)}, {"copy", dir + "@" + hostile, work}, {"copy", dir, filepath.Join(work, "copy"+hostile), "--tag", hostile}, {"copy", dir, filepath.Join(work, "rows"), "--row-filter", hostile}, {"copy", dir, filepath.Join(work, "rows"), "--row-filter", "speaker:" + hostile}, {"copy", dir, filepath.Join(work, "rows"), "--row-filter", "corpus:" + hostile}, {"repair", dir, "--drop"}, {"gc", dir}, {"gc", dir + hostile}, {"gc", dir, "--keep-last", hostile}, {"gc", dir, "--json", "--apply"}, {"du", dir}, {"du", dir + "@" + hostile}, {"repair", dir, "-q"}, {"repair", dir + hostile}, {"repair", dir, "--json"}, {"restore", dir, bad + "x"}, {"restore", dir + "@" + hostile}, {"restore", dir, "--corpus", hostile}, {"tag", dir, hostile}, {"tag", dir, "x\u202ey"}, {"tag", dir}, {"untag", dir, hostile}, {"rollback", dir}, {"rollback", dir + "@" + hostile}, {"rollback", dir + "@main"},
		{"plan", dir}, {"plan", dir + hostile, "-o", filepath.Join(work, "plan.json")}, {"plan", dir, "-o", filepath.Join(work, hostile, hostile)}, {"plan", dir, "-o", filepath.Join(work, "plan.json")},
		{"build", dir, "--plan", filepath.Join(work, "plan.json"), "--part", hostile, "-o", png}, {"build", dir, "--plan", hostile, "--part", "0/1", "-o", png}, {"build", dir, "--plan", filepath.Join(work, "plan.json"), "--part", "0/1", "-o", filepath.Join(work, "part"+hostile)}, {"join", hostile}, {"join", filepath.Join(work, "part"+hostile), "-o", filepath.Join(work, "joined"+hostile)},
		{"launch", hostile}, {"launch", "slurm", dir, "--plan", filepath.Join(work, "plan.json"), "-o", filepath.Join(work, "launched"+hostile)}, {"launch", "slurm", dir + hostile}, {"launch", "slurm", dir, "--plan", hostile, "--parts", hostile},
		{"verify", dir}, {"verify", dir, "--sources"}, {"verify", dir + hostile},
		{"text", "normalize", "--explain"}, {"text", "normalize", "--json"}, {"text", "normalize", "--store", dir + hostile}, {"text", "tokenize", "--explain"}, {"text", "tokenize", "--store", dir, "--json"},
		{"text", "detect"}, {"text", "detect", "--json"}, {"text", "number", hostile}, {"text", "number"}, {"text", "normalize", "--lang", hostile}, {"text", "tokenize", "--tokenizer", hostile}, {"text", hostile},
		{"feed", dir, "--device", "host", "--batch-size", "1", "--epochs", "1", "--ids", "-"}, {"feed", dir, "--device", "host", "--batch-size", "1", "--epochs", "1", "--json"}, {"feed", dir + hostile}, {"feed", dir, "--device", hostile},
		{"feed", dir, "--device", "host", "--cursor", filepath.Join(work, hostile, hostile)}, {"feed", dir, "--weight", "corpus:" + hostile + "=2"}, {"feed", dir, "--speaker", hostile},
		{"serve", dir + hostile}, {"serve", dir, "--socket", filepath.Join(work, hostile, hostile)},
		{"estimate", "--stages", hostile}, {"estimate", "--stages", "train=" + hostile}, {"estimate", "--run", dir + hostile}, {"topo"}, {"topo", "--json"}, {"topo", "--data-gpu", hostile},
		{"tune", dir}, {"tune", dir, "--json"}, {"tune", dir, "--verify"}, {"tune", "--config", filepath.Join(dir, "voxpack.yaml"), "--verify"}, {"tune", "--config", hostile}, {"tune", dir + hostile}, {"tune", "--framework", hostile}, {"tune", dir, "--apply", filepath.Join(work, hostile, "x.yaml")}, {"tune", "--apply", png},
		{"check", dir, "--device", "host"}, {"check", dir + hostile, "--fix"}, {"check", "--json", filepath.Join(dir, "voxpack.yaml")}, {"check", filepath.Join(dir, "voxpack.yaml"), "--fix"}, {"check", dir, "--stages", hostile},
		{"report", dir, "--json"}, {"report", dir, "-o", png + ".html"}, {"report", dir + hostile}, {"report", dir, "--lang", hostile}, {"report", dir, "-o", filepath.Join(work, hostile, hostile)},
		{"profile", dir, "--device", "sim", "--batch-size", "1", "--num-steps", "3"}, {"profile", dir, "--device", "host", "--batch-size", "1", "--num-steps", "2", "--json"},
		{"profile", "--attach", dir}, {"profile", "--attach", dir + hostile, "--kept"}, {"profile", "--attach", filepath.Join(work, hostile, hostile), "--rank", hostile},
		{"profile", dir + hostile}, {"profile", dir, "--target", hostile}, {"profile", dir, "--num-steps", "1", "--record", filepath.Join(work, hostile, hostile)},
		{"compare", hostile, dir + hostile}, {"compare", dir + hostile, dir + hostile}, {"compare", "--json", dir + hostile, hostile},
		{"analyze", dir, "--step-ms", "1", "--seconds", "0.1"}, {"analyze", dir, "--seconds", "0.1", "--json"}, {"analyze", dir + hostile}, {"analyze", dir, "--dataset", hostile, "--target", hostile},
		{"diagnose", dir, "--quick"}, {"diagnose", dir, "--json", "--config", filepath.Join(dir, "voxpack.yaml")}, {"diagnose", dir + hostile}, {"diagnose", dir, "--quick", "--bundle", filepath.Join(work, "b"+hostile+".zip"), "--yes"}, {"diagnose", dir, "--quick", "--bundle", png}, {"diagnose", dir, "--config", hostile}, {"diagnose", dir, "--device", hostile}, {"diagnose", dir, "--quick", "--dataset", hostile, "--target", hostile},
		{"top", dir}, {"top", dir + hostile}, {"top", hostile + ".sock"}, {"top", "--prometheus", hostile}, {"top", dir, "--json", "--count", "1"},
		{"version"}, {"version", hostile}, {hostile}, {"--" + hostile}, {"help", hostile},
	}
	asked := map[string]bool{"completion": true}
	for _, args := range calls {
		asked[args[0]] = true
		var stdout, stderr bytes.Buffer
		code := run(args, strings.NewReader("Clear "+hostile+" it ☃ 5 km.\nno \xff\x9b UTF-8\n"+hostile+"\n"), &stdout, &stderr)
		for name, out := range map[string]string{"stdout": stdout.String(), "stderr": stderr.String()} {
			if strings.Contains(out, "panic") {
				t.Errorf("%q: %s", args, out)
			}
			if at := strings.IndexFunc(out, term.Obeyed); at >= 0 || !utf8.ValidString(out) {
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

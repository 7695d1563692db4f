package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
	"voxpack/internal/corpustest"
)

// stagesOfTable are the readers of config keys that are stages.
var stagesOfTable = []string{"audio", "text", "tokens", "mel"}

// otherValues are other valid values where the rule of otherValue gives none:
// keys that hang together with another key.
var otherValues = map[string]string{
	"preset":      "bigvgan-24khz",
	"raw_audio":   "s16le@16000",
	"channel":     "right", // which no clip of the corpus has; of those with one, left is the same
	"sample_rate": "24000", "n_fft": "2048", "hop_length": "200", "win_length": "800", "fmin": "50", "fmax": "7600",
	"language": "fr", "languages": "[en, fa]", "speaker_languages": "{ada: de}", "speakers": "[ada, bo]", "text_cleaners": "[basic_cleaners]",
	"symbols": `"abcdefghijklmnopqrstuvwxyz "`, "symbols_file": "symbols.txt", "dataset_path": "elsewhere",
	"pad_symbol": "_\n  symbols: [_, a, e, i, o, t, n, s, \" \"]",
	"features":   "[energy]", "mel_norms": "norms.txt\n  mel_variant: xtts-dvae",
	"trim_db": "30\n  trim_silence: true", "trim_margin": "0.1\n  trim_silence: true",
	"normalize_to": "loudness\n  normalize_audio: true", "peak_db": "-3\n  normalize_audio: true",
	"loudness_lufs": "-20\n  normalize_to: loudness\n  normalize_audio: true",
	"min_seconds":   "0.001", "max_seconds": "3600",
	"audio_roots": "[.]", "datasets": "[DATASET]", "metadata_train": "all.csv", "metadata_eval": "half2.csv\n  metadata_train: half1.csv",
	"columns": "{text: 2}", "lexicon": "lexicon.tsv", "only_speakers": "[ada]", "not_speakers": "[ada]", "only_languages": "[en]",
	"drop_ids": "ids.txt", "keep_ids": "ids.txt",
	"tokenizer": "xtts.json", "language_tag": "true\n  tokenizer: und.json", "space_symbol": "\"[SPACE]\"\n  tokenizer: xtts.json",
	"feed.columns": "[mel]", "feed.languages": "[en]", "feed.speakers": "[ada]", "feed.weights": `{"speaker:ada": 2}`, "feed.buckets": "[100]", "feed.extra": "[attn_prior]",
	"unk_symbol": "<other>", "bos_symbol": "<other>", "eos_symbol": "<other>", "blank_symbol": "<other>",
}

// otherValue is a value that the key does not have by default, as YAML; "" where
// this version obeys one value alone.
func otherValue(k config.Key) string {
	if v, ok := otherValues[k.Name]; ok {
		return v
	}
	if k.OnlyDefault {
		return ""
	}
	switch v := k.Default.(type) {
	case bool:
		return fmt.Sprint(!v)
	case int:
		if float64(v) < k.Max {
			return fmt.Sprint(v + 1)
		}
		return fmt.Sprint(v - 1)
	case float64:
		return fmt.Sprint((v + k.Max) / 4)
	case string:
		if k.Kind == config.Enum {
			i := slices.IndexFunc(k.Enum, func(e string) bool { return e != v && e != "error" })
			if i < 0 {
				return ""
			}
			return k.Enum[i]
		}
		return "something"
	}
	return ""
}

// TestEachKeyRunsTheStagesThatReadIt goes through the table of keys: changing a
// key to another valid value runs the stages that the table names for all rows,
// and no other stage for any; a key that no part of the compiler reads changes
// nothing at all.
func TestEachKeyRunsTheStagesThatReadIt(t *testing.T) {
	t.Parallel()
	dataset := filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dataset, corpustest.Files(filepath.Join("..", "..", "testdata", "corpus", "en"))); err != nil {
		t.Fatal(err)
	}
	first := buildWith(t, dataset, filepath.Join(dataset, compiler.StoreName), "data: {}\n")
	if first.Rows.Kept != first.Rows.Total || first.Rows.Kept < 5 {
		t.Fatalf("rows = %+v, want all of the bundled corpus", first.Rows)
	}
	var tested atomic.Int32
	t.Cleanup(func() { // after all keys
		if n := tested.Load(); n < 40 {
			t.Errorf("%d keys changed, want 40 at least", n)
		}
	})
	for _, k := range config.Keys(intake.FormatNames()...) {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel() // most of a build's time the disk works
			value := otherValue(k)
			if value == "" {
				if !k.OnlyDefault && !(k.Kind == config.Enum && len(k.Enum) == 1) {
					t.Errorf("the test knows no other value of %s", k.Name)
				}
				return
			}
			tested.Add(1)
			at := filepath.Join(t.TempDir(), "store")
			yaml := fmt.Sprintf("%s:\n  %s: %s\n", k.Section, k.Short(), value)
			if _, err := optionsWith(t, dataset, at, yaml); err != nil && strings.Contains(err.Error(), "data."+k.Name+": this version cannot do that") {
				t.Skip("known and not obeyed yet, which is an error")
			}
			if err := os.CopyFS(at, os.DirFS(first.Store)); err != nil {
				t.Fatal(err)
			}
			r := buildWith(t, dataset, at, yaml)
			checkStages(t, k, r)
		})
	}
}

// follows are the stages behind those that read a key, where its other value
// changes what they get of each row of the corpus.
var follows = map[string][]string{"case": {"tokens"}}

func checkStages(t *testing.T, k config.Key, r *compiler.Report) {
	t.Helper()
	compiles := false
	for _, stage := range stagesOfTable {
		want := 0
		if slices.Contains(k.Reads, stage) || slices.Contains(follows[k.Name], stage) {
			want = r.Rows.Total
		}
		if got := r.Stages[stage].Run; got != want {
			t.Errorf("%s ran for %d rows, want %d: %s is read by %v", stage, got, want, k.Name, k.Reads)
		}
		compiles = compiles || want > 0
	}
	for _, reader := range []string{"shape", "shards", "rows", "features"} {
		compiles = compiles || slices.Contains(k.Reads, reader)
	}
	if !compiles && (!r.UpToDate || r.BytesWritten != 0) {
		t.Errorf("%s is read by %v, and changing it wrote %d bytes (up to date: %v)", k.Name, k.Reads, r.BytesWritten, r.UpToDate)
	}
	if compiles && r.UpToDate && !slices.Contains(k.Reads, "rows") {
		t.Errorf("%s is read by %v, and changing it changed nothing", k.Name, k.Reads)
	}
}

// buildWith builds a dataset under a config file, by the way of the command.
func buildWith(t *testing.T, dataset, at, yaml string) *compiler.Report {
	t.Helper()
	opts, err := optionsWith(t, dataset, at, yaml)
	if err != nil {
		t.Fatalf("config %q: %v", yaml, err)
	}
	opts.MinKept = 0 // a filter may leave out every row
	r, err := compiler.Build(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// optionsWith is what a config file makes of a build's order. Beside it lie the
// files that otherValues name.
func optionsWith(t *testing.T, dataset, at, yaml string) (compiler.Options, error) {
	t.Helper()
	dir := t.TempDir()
	rows, err := os.ReadFile(filepath.Join(dataset, "metadata.csv"))
	if err != nil {
		t.Fatal(err)
	}
	vocabulary, err := os.ReadFile(filepath.Join("..", "..", "textnorm", "hftok", "testdata", "xtts.json"))
	if err != nil {
		t.Fatal(err)
	}
	half := bytes.IndexByte(rows[len(rows)/2:], '\n') + len(rows)/2 + 1
	for name, text := range map[string]string{
		"config.yaml": strings.ReplaceAll(yaml, "DATASET", dataset),
		"all.csv":     string(rows),
		"half1.csv":   string(rows[:half]),
		"half2.csv":   string(rows[half:]),
		"symbols.txt": "<pad>\n" + strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz", ""), "\n") + "\n",
		"norms.txt":   strings.Repeat("2 ", 80),
		"ids.txt":     "en-0001\n",
		"xtts.json":   string(vocabulary),
		"und.json":    strings.ReplaceAll(string(vocabulary), "[fa]", "[und]"), // the language of the rows
		"lexicon.tsv": ".\t.\u200b\n?\t?\u200b\n!\t!\u200b\n",                  // what the text stage takes out again,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	if strings.Contains(yaml, "datasets:") {
		dataset = "" // the config says where the rows are
	}
	opts, _, err := settings.Flags{Dataset: dataset, Config: filepath.Join(dir, "config.yaml"), Store: at}.Options(&said)
	return opts, err
}

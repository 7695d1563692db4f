package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// notOfText are settings of a root that a text is not read by, with the reason
// where the name does not say it.
var notOfText = map[string]string{
	"symbols": "the symbols stand in the root", "speaker_languages": "who asks names the language",
	"fmax": "", "fmin": "", "hop_length": "", "mel_dtype": "", "mel_variant": "", "n_fft": "", "n_mels": "", "precision": "", "sample_rate": "", "win_length": "",
	"pad_mode": "", "features": "", "channel": "", "raw_audio": "", "trim_db": "", "trim_margin": "", "normalize_to": "", "peak_db": "", "loudness_lufs": "", "pre_emphasis": "",
	"max_mel_frames": "of the shape", "max_text_length": "of the shape", "overlong": "of the shape", "rows_per_shard": "of the shape",
	"min_seconds": "of rows", "max_seconds": "of rows", "min_chars_per_second": "of rows", "max_chars_per_second": "of rows",
	"only_speakers": "of rows", "not_speakers": "of rows", "only_languages": "of rows", "keep_ids": "of rows", "drop_ids": "of rows",
}

// TestOtherTextRulesAreSaid: each setting and version of a root that text is read
// by is obeyed, refused, or warned of where the program has another. Nothing else
// is warned of.
func TestOtherTextRulesAreSaid(t *testing.T) {
	vocabularies, err := filepath.Abs(filepath.Join("..", "..", "textnorm", "hftok", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	for file, text := range map[string]string{"lexicon.tsv": "ships\tvessels\n", "drop.txt": "en-0001\n", "keep.txt": "en-0001\nen-0002\nen-0003\nen-0004\n"} {
		if err := os.WriteFile(filepath.Join(work, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	common := `data:
  languages: [en, de]
  lexicon: lexicon.tsv
  drop_ids: drop.txt
  keep_ids: keep.txt
  features: [energy]
  pad_mode: edge
  channel: left
  raw_audio: s16le@16000
  trim_silence: true
  normalize_audio: true
  pre_emphasis: 0.9
  min_seconds: 0.01
  max_seconds: 100
  min_chars_per_second: 0.1
  max_chars_per_second: 1000
  not_speakers: [ada]
  only_languages: [en, de]
`
	asked := map[string]bool{}
	for name, yaml := range map[string]string{"char": "  speaker_languages: {ada: de}\n", "loud": "  normalize_to: loudness\n",
		"file": "  tokenizer: " + vocabularies + "/xtts.json\n  space_symbol: \"[SPACE]\"\n  language_tag: true\n  unknown: drop\n  language: en\n"} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(work, name)
			config := filepath.Join(work, name+".yaml")
			if err := os.WriteFile(config, []byte(common+yaml), 0o666); err != nil {
				t.Fatal(err)
			}
			var out, said bytes.Buffer
			if code := run([]string{"build", filepath.Join("..", "..", "testdata", "corpus", "en"), "--config", config, "-o", at}, strings.NewReader(""), &out, &said); code != 0 {
				t.Fatalf("build: %s%s", &out, &said)
			}
			st, err := store.Open(at)
			if err != nil {
				t.Fatal(err)
			}
			defer st.Close()
			d, err := st.Dataset(compiler.MainRef)
			if err != nil {
				t.Fatal(err)
			}
			same, differ, err := compiler.FrontEndOf(d)
			if err != nil || len(differ) > 0 {
				t.Fatalf("the program's own store: %v, said %q", err, differ)
			}
			changed := func(list []store.Named, i int, value string) []store.Named {
				list = slices.Clone(list)
				list[i].Value = value
				return list
			}
			ask := func(key string, root store.Root) (differ []frontend.Difference) {
				t.Helper()
				other := *d
				other.Root = &root
				got, differ, err := compiler.FrontEndOf(&other)
				if _, unread := notOfText[key]; unread {
					if err != nil || len(differ) > 0 {
						t.Errorf("%s changed: %v, said %q; text does not read it", key, err, differ)
					}
					return nil
				}
				if err == nil && len(differ) == 0 && readBy(got) == readBy(same) {
					t.Errorf("%s changed: nobody obeys it, and nothing is said", key)
				}
				return differ
			}
			for i, n := range d.Root.Config {
				asked[n.Name] = true
				for _, value := range []string{n.Value + "9", strings.ReplaceAll(n.Value, "/", "/9"), ""} {
					if value == n.Value {
						continue
					}
					root := *d.Root
					root.Config = changed(root.Config, i, value)
					ask(n.Name, root)
				}
			}
			for i, n := range d.Root.Stages {
				if n.Name == "text" || n.Name == "tokens" {
					root := *d.Root
					root.Stages = changed(root.Stages, i, n.Value+"9")
					ask("version of "+n.Name, root)
				}
			}
			root := *d.Root
			root.Config = append(slices.Clone(root.Config), store.Named{Name: "read_backwards", Value: "true"})
			differ = ask("read_backwards", root)
			if len(differ) != 1 || differ[0].Warning(at) != at+" was built with read_backwards true, which this program does not have: a result can differ" {
				t.Errorf("a setting of a newer program: said %q", differ)
			}
		})
	}
	for key := range notOfText {
		if !asked[key] && key != "only_speakers" && key != "mel_norms" { // a corpus with speakers has no other rules
			t.Errorf("no root of the test has %s", key)
		}
	}
	for _, key := range []string{"detector_rules", "lexicon_rules", "tokenizer_rules", "text", "language", "language_tag", "space_symbol", "unknown", "specials", "add_bos"} {
		if !asked[key] {
			t.Errorf("no root of the test has %s", key)
		}
	}
}

// readBy is all of a front end that text is read by.
func readBy(end frontend.Config) string {
	return fmt.Sprintln(end.Language, end.Text.Canonical(), end.Tokens.Canonical(), end.Tokens.LanguageTag, end.Tokens.SpaceSymbol, end.Lexicon.Canonical(), end.Phonemes)
}

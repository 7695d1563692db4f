package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/gpufeed/serve"
)

// frontEnds are the settings that a served front-end is tried with; the value is
// what a text has to be for its tokens to give it back: "spoken", "phonemes" or,
// where they do not, "". FOLDER is that of hftok's vocabularies.
var frontEnds = map[string]struct{ yaml, back string }{
	"defaults":   {"", "spoken"},
	"everything": {"  languages: [en, fa, de]\n  lexicon: lexicon.tsv\n  code_switching: true\n  case: lower\n  punctuation: plain\n  mojibake: repair\n  add_bos: true\n  add_eos: true\n  add_blank: true\n  unknown: unk\n", ""},
	"blanks":     {"  add_blank: true\n  add_bos: true\n  add_eos: true\n", "spoken"},
	"as written": {"  verbalise: false\n", "spoken"},
	"tacotron":   {"  tokenizer: tacotron\n  language: en\n", ""},
	"phonemes":   {"  tokenizer: phoneme\n", "phonemes"},
	"gpt2":       {"  tokenizer: FOLDER/gpt2.json\n", "spoken"},
	"llama":      {"  tokenizer: FOLDER/llama.json\n", ""},
	"xtts":       {"  tokenizer: FOLDER/xtts.json\n  space_symbol: \"[SPACE]\"\n  language: en\n  language_tag: true\n  unknown: drop\n", ""},
	"bert":       {"  tokenizer: FOLDER/bert.json\n", ""},
}

// TestServedFrontEndIsThatOfTheBuild: what a feeder makes of each row's text is
// what the store has of it, for every row of the bundled corpora in every
// setting; and where nothing is lost on the way, the tokens give the text back.
func TestServedFrontEndIsThatOfTheBuild(t *testing.T) {
	vocabularies, err := filepath.Abs(filepath.Join("..", "..", "textnorm", "hftok", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for corpus, dir := range map[string]string{"en": "en", "fa": "fa", "readers": "mixed/readers", "english": "mixed/english"} {
		for name, end := range frontEnds {
			t.Run(corpus+"/"+name, func(t *testing.T) {
				if _, err := exec.LookPath("espeak-ng"); err != nil && name == "phonemes" {
					t.Skip("no espeak-ng here")
				}
				work := t.TempDir()
				yaml := "data:\n  max_text_length: 2000\n" + strings.ReplaceAll(end.yaml, "FOLDER", vocabularies)
				for file, text := range map[string]string{"voxpack.yaml": yaml, "lexicon.tsv": "ships\tvessels\nthe\tthe very\n"} {
					if err := os.WriteFile(filepath.Join(work, file), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				at := filepath.Join(work, "store")
				var out, said bytes.Buffer
				code := run([]string{"build", filepath.Join("..", "..", "testdata", "corpus", filepath.FromSlash(dir)), "--config", filepath.Join(work, "voxpack.yaml"), "-o", at}, strings.NewReader(""), &out, &said)
				if code != 0 {
					t.Fatalf("build: %s%s", &out, &said)
				}
				rows := storedRows(t, at)
				if len(rows) < 3 {
					t.Skipf("%d rows of this corpus are kept in this setting", len(rows))
				}
				sameAsStored(t, servedFrontEnd(t, at), rows, end.back)
			})
		}
	}
}

// servedFrontEnd is that of a store, until the test ends.
func servedFrontEnd(t *testing.T, at string) *serve.FrontEnd {
	t.Helper()
	p, err := locate.Find(at)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.OpenDataset()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Store.Close() })
	words, done := servedWords(context.Background(), d, p)
	t.Cleanup(done)
	front, err := words.FrontEnd()
	if err != nil || len(front.Warnings) > 0 {
		t.Fatalf("front-end: %v, warnings %q", err, front.Warnings)
	}
	return front
}

func sameAsStored(t *testing.T, front *serve.FrontEnd, rows []storedRow, back string) {
	t.Helper()
	for _, r := range rows {
		line, err := front.Encode(context.Background(), r.text, r.language)
		if err != nil || line.Error != "" {
			t.Errorf("%s: %v %s", r.id, err, line.Error)
			continue
		}
		if line.Spoken != r.spoken || !slices.Equal(line.IDs, r.ids) {
			t.Errorf("%s: encode makes %q, %v of it, the store has %q, %v", r.id, line.Spoken, line.IDs, r.spoken, r.ids)
		}
		unknown := slices.ContainsFunc(line.Notes, func(n serve.LineNote) bool { return n.Stage == "tokens" })
		want := map[string]string{"spoken": line.Spoken, "phonemes": line.Phonemes}[back]
		if got := front.Decode(line.IDs); back != "" && !unknown && got != want {
			t.Errorf("%s: its tokens give %q back, want %q", r.id, got, want)
		} else if got == "" {
			t.Errorf("%s: its tokens give nothing back", r.id)
		}
	}
}

// TestEncodeSaysWhatIsWrong with the language, and with a text that a build would
// reject.
func TestEncodeSaysWhatIsWrong(t *testing.T) {
	at := filepath.Join(t.TempDir(), "store")
	var out bytes.Buffer
	if code := run([]string{"build", filepath.Join("..", "..", "testdata", "corpus", "en"), "-o", at}, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatal(out.String())
	}
	front := servedFrontEnd(t, at)
	ctx := context.Background()
	for _, language := range []string{"xx", "english", "a b", "-"} {
		if _, err := front.Encode(ctx, "hello", language); err == nil || !strings.Contains(err.Error(), "table of languages") {
			t.Errorf("language %q: %v", language, err)
		}
	}
	for text, want := range map[string]string{"": "empty text", " \n": "empty text", "\u0001": "empty text", "〠": "no known character"} {
		line, err := front.Encode(ctx, text, "en")
		if err != nil || !strings.Contains(line.Error, want) || len(line.IDs) > 0 || line.IDs == nil {
			t.Errorf("Encode(%q) = %+v, %v, want %q", text, line, err, want)
		}
	}
	line, err := front.Encode(ctx, "In 1905, 3 ships\u0007 came.", "")
	if err != nil || line.Language != "en" || !strings.Contains(line.Spoken, "nineteen") || len(line.Notes) != 1 || line.Notes[0].Kind != "control-character" || line.Notes[0].Stage != "text" {
		t.Errorf("Encode = %+v, %v", line, err)
	}
	if _, err := json.Marshal(line); err != nil {
		t.Error(err)
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// TestAStoreGivesItsFrontEndBack: normalize and tokenize with --store make of each
// row's text the spoken text and the very ids that the store has of it, for every
// row of the bundled corpora and, where they are, the real ones.
func TestAStoreGivesItsFrontEndBack(t *testing.T) {
	corpora := map[string]string{"readers": filepath.Join("..", "..", "testdata", "corpus", "mixed", "readers"), "fa": filepath.Join("..", "..", "testdata", "corpus", "fa"),
		"en": filepath.Join("..", "..", "testdata", "corpus", "en")}
	if real := ljspeech(); real != "" {
		corpora["ljspeech"] = real
	}
	configs := map[string]string{
		"defaults": "data: {max_text_length: 2000}\n",
		"all": "data:\n  max_text_length: 2000\n  overlong: truncate\n  languages: [en, fa, de]\n  lexicon: lexicon.tsv\n  code_switching: true\n  case: lower\n" +
			"  punctuation: plain\n  mojibake: repair\n  add_bos: true\n  add_eos: true\n  add_blank: true\n  unknown: unk\n",
	}
	for name, dir := range corpora {
		for config, yaml := range configs {
			t.Run(name+"/"+config, func(t *testing.T) {
				work := t.TempDir()
				for file, text := range map[string]string{"voxpack.yaml": yaml, "lexicon.tsv": "ships\tvessels\nthe\tthe very\n"} {
					if err := os.WriteFile(filepath.Join(work, file), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				at := filepath.Join(work, "store")
				var out, said bytes.Buffer
				if code := run([]string{"build", dir, "--config", filepath.Join(work, "voxpack.yaml"), "-o", at}, strings.NewReader(""), &out, &said); code != 0 {
					t.Fatalf("build: %s%s", &out, &said)
				}
				rows := storedRows(t, at)
				if len(rows) < 5 {
					t.Fatalf("%d rows, want 5 at least", len(rows))
				}
				for language, list := range byLanguage(rows) {
					given := make([]string, len(list))
					for i, r := range list {
						given[i] = r.text
					}
					spoken := throughText(t, given, "normalize", "--store", at, "--lang", language)
					var said []string
					for i, r := range list {
						if spoken[i].Output != r.spoken {
							t.Errorf("%s: normalize --store says %q, the store has %q", r.id, spoken[i].Output, r.spoken)
						}
						said = append(said, r.spoken)
					}
					for i, line := range throughText(t, said, "tokenize", "--store", at, "--lang", language) {
						if r := list[i]; !slices.Equal(line.IDs, r.ids) {
							t.Errorf("%s: tokenize --store makes %v, the store has %v", r.id, line.IDs, r.ids)
						}
					}
				}
			})
		}
	}
}

// storedRow is what a store has of a row. language is "auto" where its text told it.
type storedRow struct {
	id, text, spoken, language string
	ids                        []int32
}

func storedRows(t *testing.T, at string) (rows []storedRow) {
	t.Helper()
	st, err := store.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset(compiler.MainRef)
	if err != nil {
		t.Fatal(err)
	}
	d.IDs(func(where store.At, id string) bool {
		origin, err := d.Origin(where.Leaf)
		if err != nil {
			t.Fatal(err)
		}
		o := origin.Rows[where.Row]
		row := storedRow{id: id, text: o.Text, spoken: o.Spoken, language: o.Language}
		if o.HasGiven && o.Given != "" {
			row.text = o.Given
		}
		if o.Told {
			row.language = frontend.LanguageAuto
		}
		n, err := d.Scalar(where, "text_len")
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Value(where, "tokens")
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(n) {
			row.ids = append(row.ids, int32(binary.LittleEndian.Uint32(b[4*i:])))
		}
		rows = append(rows, row)
		return true
	})
	return rows
}

func byLanguage(rows []storedRow) map[string][]storedRow {
	m := map[string][]storedRow{}
	for _, r := range rows {
		m[r.language] = append(m[r.language], r)
	}
	return m
}

// throughText runs a text command over lines and reads its JSON.
func throughText(t *testing.T, lines []string, args ...string) (out []textLine) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(append([]string{"text"}, append(args, "--json")...), strings.NewReader(strings.Join(lines, "\n")+"\n"), &stdout, &stderr); code != 0 {
		t.Fatalf("text %v: %s", args, &stderr)
	}
	for line := range strings.Lines(stdout.String()) {
		var l textLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	if len(out) != len(lines) {
		t.Fatalf("text %v: %d lines for %d", args, len(out), len(lines))
	}
	return out
}

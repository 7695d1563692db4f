package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/textnorm/detect"
)

// two small languages of one script and one word that belongs to the other.
const (
	arabicText  = "ذهب الولد إلى المدرسة\nهذا الكتاب في البيت\nكانت المدينة جميلة في الصباح\n"
	persianText = "این کتاب را به من بده\nپسر به مدرسه می\u200cرود\nشهر در صبح زیبا بود\n"
)

// TestTrainLearns: a few thousand fragments tell two languages apart, and the
// same text gives the same model.
func TestTrainLearns(t *testing.T) {
	o := options{drop: 0.3, rate: 0.15, step: 0.1, keep: 0.08, doubt: 0.7}
	corpora := []corpus{newCorpus(arabicText, "ar"), newCorpus(persianText, "fa")}
	group := groupOf(t, "fa")
	r := train(o, group, []string{"ar", "fa"}, corpora, 2000)
	for class, text := range []string{arabicText, persianText} {
		for line := range strings.Lines(text) {
			if r.doubts(group, line, class, 0.5) {
				t.Errorf("%q is taken for the other language", strings.TrimSpace(line))
			}
			if !r.doubts(group, line, 1-class, 0.5) {
				t.Errorf("%q is not doubted in the other language", strings.TrimSpace(line))
			}
		}
	}
	first, second := r.pack(o), train(o, group, []string{"ar", "fa"}, corpora, 2000).pack(o)
	for row := range first.Values {
		if string(bytesOf(first.Values[row])) != string(bytesOf(second.Values[row])) {
			t.Fatalf("row %d is %v, then %v", row, first.Values[row], second.Values[row])
		}
	}
}

func bytesOf(row []int8) []byte {
	b := make([]byte, len(row))
	for i, v := range row {
		b[i] = byte(v)
	}
	return b
}

func groupOf(t *testing.T, code string) int {
	for _, c := range detect.Classes() {
		if c.Code == code {
			return c.Group
		}
	}
	t.Fatalf("%s is in no group", code)
	return 0
}

func TestFragment(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words, letters := newCorpus("a b c d e f\ng\n\n", "en"), newCorpus("一二三四五六\n", "zh")
	if len(words.paragraphs) != 2 || len(letters.paragraphs) != 1 {
		t.Fatalf("%d and %d paragraphs, want 2 and 1", len(words.paragraphs), len(letters.paragraphs))
	}
	for range 100 {
		if f := words.fragment(random); !strings.Contains("a b c d e f", f) && f != "g" {
			t.Fatalf("fragment %q", f)
		}
		if f := letters.fragment(random); !strings.Contains("一二三四五六", f) || strings.Contains(f, " ") {
			t.Fatalf("fragment %q", f)
		}
	}
}

func TestMissingText(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "en.txt"), []byte("one two\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readAll(dir, []string{"en", "es"}); err == nil || !strings.Contains(err.Error(), "es.txt") {
		t.Errorf("readAll has the error %v, want one that names es.txt", err)
	}
}

func TestJapaneseIsToldByKana(t *testing.T) {
	for text, want := range map[string]bool{"東京へ行く": true, "東京都知事選挙投票所": false, "": true} {
		if got := japanese(text); got != want {
			t.Errorf("japanese(%q) = %v, want %v", text, got, want)
		}
	}
}

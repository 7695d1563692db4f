package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/textnorm/detect"
)

// TestFragmentsAreOneToTwelveWords: neighbours of one paragraph, of every length up to four
// and then of three, six, nine and twelve, three in four of them short.
func TestFragmentsAreOneToTwelveWords(t *testing.T) {
	const words = "a b c d e f g h i j k l m n o p"
	c, random := newCorpus(words+"\n", "en"), rand.New(rand.NewPCG(4, 4))
	lengths := map[int]int{}
	const draws = 20_000
	for range draws {
		f := c.fragment(random)
		if !strings.Contains(words, f) {
			t.Fatalf("fragment %q is no part of %q", f, words)
		}
		lengths[len(strings.Fields(f))]++
	}
	short := lengths[1] + lengths[2] + lengths[3] + lengths[4]
	for n, want := range map[int]int{1: 3, 2: 3, 3: 4, 4: 3, 6: 1, 9: 1, 12: 1} { // sixteenths
		if got := lengths[n]; got < (want*draws/16)*9/10 || got > (want*draws/16)*11/10 {
			t.Errorf("%d of %d fragments have %d words, want some %d", got, draws, n, want*draws/16)
		}
		delete(lengths, n)
	}
	if len(lengths) > 0 || short < draws*3/4 {
		t.Errorf("%d of %d fragments are short; other lengths: %v", short, draws, lengths)
	}
}

// TestWhatIsAltered: how often a fragment is written carelessly, and how, by language.
func TestWhatIsAltered(t *testing.T) {
	const draws = 20_000
	for _, tt := range []struct {
		code, text, careless string
		percent              int
	}{
		{"fa", "یک کتاب", "يك كتاب", 10},
		{"ar", "هذا أمر", "هذا أمر", 0}, // none of its letters has another one
		{"ar", "في كل", "فی کل", 1},
		{"tr", "Şaşı ığdır", "Þaþý ýðdýr", 4},
		{"tr", "Şaşı ığdır", "sasi igdir", 4},
		{"cs", "Žluťoučký kůň", "zlutoucky kun", 4},
		{"hu", "Árvíztűrő", "arvizturo", 4},
		{"ru", "Вчера", "вчера", 4},
	} {
		random, n := rand.New(rand.NewPCG(5, 5)), 0
		for range draws {
			got := altered(tt.text, tt.code, random)
			if got != tt.text && got == tt.careless {
				n++
			}
			if got != tt.text && got != tt.careless && tt.code != "tr" {
				t.Fatalf("%s: %q becomes %q", tt.code, tt.text, got)
			}
		}
		want := draws * tt.percent / 100
		if n < want*8/10 || n > want*12/10 {
			t.Errorf("%s: %q becomes %q %d times of %d, want some %d", tt.code, tt.text, tt.careless, n, draws, want)
		}
	}
}

// TestParagraphsThatAreLeftOut: those that are unwanted, in any spelling of their spaces.
func TestParagraphsThatAreLeftOut(t *testing.T) {
	c := newCorpus("one  two\n\nthree\nfour five\n", "en").without(func(p string) bool { return p == "one two" || p == "three" })
	if len(c.paragraphs) != 1 || !slices.Equal(c.paragraphs[0], []string{"four", "five"}) || c.space != " " {
		t.Errorf("%q are kept", c.paragraphs)
	}
	if c = newCorpus("一二\n", "zh").without(func(p string) bool { return p != "一二" }); len(c.paragraphs) != 1 {
		t.Errorf("letters are joined otherwise than they stood: %q are kept", c.paragraphs)
	}
}

// TestRunWritesAModel: texts of all languages in a folder become a model file, the same one
// in each run; a missing text is named and leaves no file.
func TestRunWritesAModel(t *testing.T) {
	f, err := os.Open("../../testdata/sentences.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		code, text, _ := strings.Cut(lines.Text(), "\t")
		texts[code] += text + "\n"
	}
	dir := t.TempDir()
	for _, c := range detect.Classes() {
		if texts[c.Code] == "" {
			texts[c.Code] = "Їжак і ґава зустріли єнота.\n" // the test set is of 18 languages
		}
		if err := os.WriteFile(filepath.Join(dir, c.Code+".txt"), []byte(texts[c.Code]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	o := options{text: dir, samples: 400, drop: 0.3, rate: 0.15, step: 0.1, keep: 0.08, doubt: 0.7}
	var files [2][]byte
	for i := range files {
		o.out = filepath.Join(t.TempDir(), "model.bin")
		if err := run(o); err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(o.out); err != nil || !bytes.HasPrefix(files[i], []byte("voxdet01")) {
			t.Fatalf("the model begins with %q, %v", files[i][:min(8, len(files[i]))], err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("two runs wrote %d and %d bytes that differ", len(files[0]), len(files[1]))
	}
	o.text, o.out = t.TempDir(), filepath.Join(t.TempDir(), "model.bin")
	if err := run(o); err == nil || !strings.Contains(err.Error(), ".txt") {
		t.Errorf("run without texts has the error %v", err)
	}
	if _, err := os.Stat(o.out); err == nil {
		t.Error("run without texts wrote a model")
	}
}

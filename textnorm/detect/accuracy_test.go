package detect

import (
	"bufio"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// readSentences opens the vendored test set: 200 sentences of each language that
// the model was not trained on, chosen by bench/detect/fetch.py.
func readSentences(t testing.TB) map[string][]string {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "sentences.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		code, sentence, _ := strings.Cut(lines.Text(), "\t")
		all[code] = append(all[code], sentence)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// fragmentOf cuts three consecutive words by chance, six letters where no
// spaces stand between words; nothing where the sentence is shorter.
func fragmentOf(sentence, code string, random *rand.Rand) string {
	var parts []string
	most, space := 3, " "
	if code == "zh" || code == "ja" {
		most, space = 6, ""
		for _, r := range sentence {
			if s := scriptOf(r); s == han || s == kana {
				parts = append(parts, string(r))
			}
		}
	} else {
		for _, w := range strings.Fields(sentence) {
			if strings.ContainsFunc(w, unicode.IsLetter) {
				parts = append(parts, w)
			}
		}
	}
	if len(parts) < most {
		return ""
	}
	at := random.IntN(len(parts) - most + 1)
	return strings.Join(parts[at:at+most], space)
}

// TestAccuracy holds the mean over the languages to what is promised, and each
// language to a floor: these sentences are as the web has them, with names and
// quotations in other languages, and Czech ones hold Slovak and Latin.
func TestAccuracy(t *testing.T) {
	type score struct{ right, all int }
	sentences := readSentences(t)
	measure := func(kind string, mean, floor float64, line func(sentence, code string) string) {
		sum := 0.0
		for _, code := range codes {
			var s score
			for _, sentence := range sentences[code] {
				text := line(sentence, code)
				if text == "" {
					continue
				}
				s.all++
				if got, _ := detector.Detect(text, nil); got == code {
					s.right++
				}
			}
			if s.all < 150 {
				t.Fatalf("%s: only %d %s", code, s.all, kind)
			}
			share := 100 * float64(s.right) / float64(s.all)
			sum += share
			t.Logf("%s %s: %.1f %% of %d", code, kind, share, s.all)
			if share < floor {
				t.Errorf("%s: %.1f %% of the %s are right, want %.0f", code, share, kind, floor)
			}
		}
		if got := sum / float64(len(codes)); got < mean {
			t.Errorf("%.2f %% of the %s are right, want %.0f", got, kind, mean)
		}
	}
	measure("sentences", 99, 96, func(sentence, _ string) string { return sentence })
	random := rand.New(rand.NewPCG(7, 18))
	measure("fragments", 96, 85, func(sentence, code string) string { return fragmentOf(sentence, code, random) })
}

// TestSpeech: every transcript of LJSpeech is English.
func TestSpeech(t *testing.T) {
	folder := os.Getenv("VOXPACK_CORPORA")
	if folder == "" {
		t.Skip("VOXPACK_CORPORA names no folder with ljspeech-32: no transcripts")
	}
	data, err := os.ReadFile(filepath.Join(folder, "ljspeech-32", "metadata.csv"))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(data)) {
		_, text, _ := strings.Cut(strings.TrimSpace(line), "|")
		if got, confidence := detector.Detect(text, nil); got != "en" || confidence < 0.99 {
			t.Errorf("Detect(%q) = %s, %v", text, got, confidence)
		}
	}
}

func TestDetectAllocatesNothing(t *testing.T) {
	among := []string{"en", "fa", "de", "ja", "zh"}
	for _, text := range []string{"The birch canoe slid on the smooth planks", "سلام، این یک آزمایش است", "我昨天去了北京"} {
		if n := testing.AllocsPerRun(100, func() { detector.Detect(text, among) }); n != 0 {
			t.Errorf("Detect(%q) allocates %v times", text, n)
		}
	}
}

// BenchmarkDetect goes through the vendored sentences, 111 characters each in
// the mean.
func BenchmarkDetect(b *testing.B) {
	var lines []string
	bytes := 0
	for _, code := range codes {
		lines = append(lines, readSentences(b)[code]...)
	}
	for _, line := range lines {
		bytes += len(line)
	}
	b.SetBytes(int64(bytes / len(lines)))
	i := 0
	for b.Loop() {
		detector.Detect(lines[i%len(lines)], nil)
		i++
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New()
	}
}

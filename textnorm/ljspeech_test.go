package textnorm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// ljspeech returns the 13,100 real transcripts, or skips the test.
func ljspeech(t testing.TB) []string {
	t.Helper()
	dir := os.Getenv("VOXPACK_CORPORA")
	if dir == "" {
		t.Skip("VOXPACK_CORPORA is not set: no LJSpeech transcripts")
	}
	b, err := os.ReadFile(filepath.Join(dir, "ljspeech-32", "transcripts-13100.csv"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for line := range strings.Lines(string(b)) {
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		texts = append(texts, columns[len(columns)-1])
	}
	return texts
}

// The lengths of real texts: 13,100 of them fit 200 tokens without blanks; with
// blanks more than half do not (M5). What a build reports rests on Count.
func TestLengthsOfRealTexts(t *testing.T) {
	texts := ljspeech(t)
	n := newNormalizer(t)
	for _, tt := range []struct {
		name          string
		config        TokenizerConfig
		over, longest int
	}{
		{"without blanks every text fits", TokenizerConfig{Unknown: UnknownReject}, 0, 187},
		{"with blanks more than half do not", TokenizerConfig{Unknown: UnknownReject, AddBlank: true}, 6941, 375},
	} {
		tok := newTokenizer(t, tt.config)
		over, longest := 0, 0
		for _, text := range texts {
			spoken, notes := n.Normalize(text, "en")
			ids, more, err := tok.Encode(nil, spoken)
			if err != nil || len(notes)+len(more) > 0 {
				t.Fatalf("%q: %d ids, %v %v, %v", text, len(ids), notes, more, err)
			}
			longest = max(longest, len(ids))
			if len(ids) > 200 {
				over++
			}
		}
		if len(texts) != 13100 || over != tt.over || longest != tt.longest {
			t.Errorf("%s: %d texts, %d over 200, longest %d, want 13100, %d, %d", tt.name, len(texts), over, longest, tt.over, tt.longest)
		}
	}
}

func BenchmarkTextAndTokens(b *testing.B) {
	texts := ljspeech(b)
	n, tok := newNormalizer(b), newTokenizer(b, TokenizerConfig{})
	var ids []int32
	i := 0
	for b.Loop() {
		spoken, _ := n.Normalize(texts[i%len(texts)], "en")
		ids, _, _ = tok.Encode(ids[:0], spoken)
		i++
	}
	b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "rows/s")
}

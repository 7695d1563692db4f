package extra

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// TestPriorsAreScipys: testdata/priors.json is of scipy.stats.betabinom, whose own error is up to 5e-11 here since it goes by
// logarithms of gamma functions; a float32 has 6e-8. What is below 1e-37 is no normal float32.
func TestPriorsAreScipys(t *testing.T) {
	b, err := os.ReadFile("testdata/priors.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Of             string
		Tokens, Frames int
		Scale          float64
		Rows           []int
		PMF            [][]float64
	}
	if err := json.Unmarshal(b, &cases); err != nil || len(cases) < 18 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		width, p := c.Tokens+2, Prior{NeMo: c.Of == "nemo", Scale: c.Scale}
		for n, frame := range c.Rows {
			dst := make([]byte, 2*width*4)
			p.Put(dst, width, c.Tokens, c.Frames, frame-1)
			for k := range width {
				got, want := float64(math.Float32frombits(binary.LittleEndian.Uint32(dst[4*k:]))), 0.0
				if k < c.Tokens {
					want = c.PMF[n][k]
				}
				if math.Abs(got-want) > 6.1e-8*want+1e-37 {
					t.Fatalf("%s %d×%d scale %v: frame %d, token %d = %v, want %v", c.Of, c.Tokens, c.Frames, c.Scale, frame, k, got, want)
				}
			}
			if frame == c.Frames { // nothing after the last one
				for _, b := range dst[width*4:] {
					if b != 0 {
						t.Fatal("padding is not 0")
					}
				}
			}
		}
	}
}

func TestWords(t *testing.T) {
	for words, ok := range map[string]bool{"attn_prior": true, "attn_prior@0.05": true, "attn_prior:nemo@2": true, "attn_prior:fastpitch": true, "piece_mel": true,
		"attn_prior@0": false, "attn_prior@NaN": false, "attn_prior@1e9": false, "attn_prior:x": false, "piece_": false, "": false, "mel": false, "attn_prior:": false, "attn_prior@": false} {
		if err := Check([]string{words}); (err == nil) != ok {
			t.Errorf("%q: %v", words, err)
		}
	}
	if Check([]string{"attn_prior", "attn_prior@2"}) == nil {
		t.Error("two priors are accepted")
	}
}

func BenchmarkPrior(b *testing.B) {
	dst, p := make([]byte, 800*200*4), Prior{Scale: 1}
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		p.Put(dst, 200, 100, 500, 0)
	}
}

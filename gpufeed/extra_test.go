package gpufeed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// pieceRoot is a dataset with samples, a mel, and a second one of other bands.
func pieceRoot(dtype store.DType, more ...store.Named) (root store.Root, mel, low audio.MelConfig) {
	mel = audio.MelConfig{SampleRate: 8000, NFFT: 256, HopLength: 64, WinLength: 256, NMels: 20, FMax: 4000}.WithDefaults()
	low = mel
	low.NMels, low.FMin, low.FMax = 7, 50, 1234.5
	root = store.Root{PerShard: 4, Schema: store.Schema{
		{Name: "tokens", DType: store.Int32, Shape: []int{5}}, {Name: "mel", DType: dtype, Shape: []int{40, 20}},
		{Name: "text_len", DType: store.Int32}, {Name: "mel_len", DType: store.Int32},
		{Name: "pcm", DType: store.Int16, Shape: []int{40 * 64}}, {Name: "pcm_len", DType: store.Int32}, {Name: "low", DType: store.Float32, Shape: []int{40, 7}, Along: "mel_len"},
	}}
	for name, value := range map[string]any{"mel_variant": mel.Variant, "sample_rate": 8000, "n_fft": 256, "hop_length": 64, "win_length": 256, "n_mels": 20, "fmin": 0, "fmax": 4000,
		"precision": mel.Precision, "column_low": "length mel_len, feature mel, n_mels 7, fmin 50, fmax 1234.5"} {
		root.Config = append(root.Config, store.Named{Name: name, Value: fmt.Sprint(value)})
	}
	for _, n := range more {
		if n.Name != "" {
			root.Config = append(root.Config, n)
		}
	}
	slices.SortFunc(root.Config, func(a, b store.Named) int { return strings.Compare(a.Name, b.Name) })
	return root, mel, low
}

// voiced is a clip whose samples end where pcm_len says.
type voiced struct{ datatest.Clip }

func (v voiced) Bytes(c store.Column) []byte {
	b := v.Clip.Bytes(c)
	if c.Name == "pcm" {
		clear(b[2*v.Scalars["pcm_len"]:])
	}
	return b
}

// TestAPieceIsTheMelOfItsSamples: computed by itself, silence after a short clip included, in the type of the column.
func TestAPieceIsTheMelOfItsSamples(t *testing.T) {
	for _, dtype := range []store.DType{store.Float32, store.Float16} {
		root, mel, low := pieceRoot(dtype)
		var rows []voiced
		for _, c := range datatest.SomeClips(rand.New(rand.NewPCG(3, 3)), 30, root.Schema) {
			c.Scalars["pcm_len"] = c.Scalars["mel_len"] * 64
			rows = append(rows, voiced{c})
		}
		set := choose(t, datatest.Of(t, root, rows), plan.Selection{})
		c := Config{Plan: plan.Options{Batch: 3, Seed: 5}, Segment: 8, Extra: []string{"piece_mel", "piece_low"}, Checks: ChecksFirst}
		if err := c.findPieces(&root); err != nil {
			t.Fatal(err)
		}
		l, err := NewLayout(root.Schema, 1, c.form(0))
		if err != nil {
			t.Fatal(err)
		}
		r, slot, moved := reader(t, set, ChecksFirst), make([]byte, l.Bytes), 0
		for row := range uint32(set.Len()) {
			if err := r.Fill(l, Delivery{Seed: 5, Rows: []uint32{row}}, slot); err != nil {
				t.Fatal(err)
			}
			samples, _ := l.Field("pcm")
			moved += valuesOf(t, l, "mel_start", slot)[0]
			for name, how := range map[string]audio.MelConfig{"piece_mel": mel, "piece_low": low} {
				f, _ := l.Field(name)
				m, err := audio.NewMel(how)
				if err != nil {
					t.Fatal(err)
				}
				want := make([]float32, 8*how.NMels)
				m.ComputeStored(want, samples.at(slot, 0))
				if f.Column.DType == store.Float16 {
					half := make([]byte, 2*len(want))
					audio.PutFloat16(half, want)
					audio.Float16(want, half)
				}
				if got := floats(f, f.at(slot, 0)); !slices.Equal(got, want) || f.Along != "mel_len" || !slices.Equal(f.Column.Shape, []int{8, how.NMels}) {
					t.Fatalf("%v %s of row %d is not the mel of its samples", dtype, name, row)
				}
			}
		}
		if moved == 0 {
			t.Error("no crop began after the first frame")
		}
		// Under the race detector a pool loses what it holds, at random.
		if n := testing.AllocsPerRun(20, func() { r.Fill(l, Delivery{Seed: 5, Rows: []uint32{3}}, slot) }); n != 0 && !raceDetector {
			t.Errorf("%v allocations a batch", n)
		}
	}
}

// TestAPieceThatCannotBeIsRefused, before a batch is filled.
func TestAPieceThatCannotBeIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		more    store.Named
		segment int
		extra   string
	}{
		"norms":      {store.Named{Name: "mel_norms", Value: "abc"}, 8, "piece_mel"},
		"no mel":     {store.Named{}, 8, "piece_tokens"},
		"short":      {store.Named{}, 1, "piece_mel"},
		"no segment": {store.Named{}, 0, "piece_mel"},
		"samples":    {store.Named{}, 8, "piece_pcm"},
	} {
		root, _, _ := pieceRoot(store.Float32, c.more)
		var rows []voiced
		for _, clip := range datatest.SomeClips(rand.New(rand.NewPCG(3, 3)), 8, root.Schema) {
			clip.Scalars["pcm_len"] = 0
			rows = append(rows, voiced{clip})
		}
		set := choose(t, datatest.Of(t, root, rows), plan.Selection{})
		feed, err := Open(t.Context(), set, Config{Plan: plan.Options{Batch: 2}, Segment: c.segment, Extra: []string{c.extra}})
		if !errors.Is(err, plan.ErrConfig) {
			t.Errorf("%s: Open = %v, want a wrong config", name, err)
		}
		if err == nil {
			feed.Close()
		}
	}
}

// TestAPriorHasTheFramesOfItsRow, in full and of a crop: frame n of a crop is frame start + n.
func TestAPriorHasTheFramesOfItsRow(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(24)), plan.Selection{})
	for _, form := range []Form{{Extra: []string{"attn_prior:nemo@0.5"}}, {Segment: 3, Extra: []string{"attn_prior:nemo@0.5"}}} {
		l := formed(t, datatest.Schema, 1, form)
		f, _ := l.Field("attn_prior")
		if f.Along != "mel_len" || f.Column.Shape[0] != l.Form.steps() || f.Column.Shape[1] != datatest.Tokens {
			t.Fatalf("%+v", f)
		}
		r, slot := reader(t, set, ChecksFirst), make([]byte, l.Bytes)
		for row := range uint32(set.Len()) {
			if err := r.Fill(l, Delivery{Seed: 2, Rows: []uint32{row}}, slot); err != nil {
				t.Fatal(err)
			}
			start, frames, tokens := 0, int(scalarOf(t, set, row, "mel_len")), int(scalarOf(t, set, row, "text_len"))
			if form.Segment > 0 {
				start = valuesOf(t, l, "mel_start", slot)[0]
			}
			for i := range l.Form.steps() {
				sum := 0.0
				for k := range datatest.Tokens {
					v := float64(math.Float32frombits(binary.LittleEndian.Uint32(f.at(slot, 0)[4*(i*datatest.Tokens+k):])))
					if want := priorByGamma(tokens-1, k, 0.5*float64(start+i+1), 0.5*float64(frames-start-i)); k < tokens && start+i < frames && math.Abs(v-want) > 1e-6 {
						t.Fatalf("row %d: frame %d token %d = %v, want %v", row, i, k, v, want)
					}
					sum += v
				}
				if used := start+i < frames && tokens > 0; used && math.Abs(sum-1) > 1e-6 || !used && sum != 0 {
					t.Fatalf("row %d: frame %d of %d adds up to %v", row, i, frames, sum)
				}
			}
		}
	}
}

// priorByGamma is the probability by its definition.
func priorByGamma(n, k int, a, b float64) float64 {
	g := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	x, m := float64(k), float64(n)
	return math.Exp(g(m+1) - g(x+1) - g(m-x+1) + g(x+a) + g(m-x+b) - g(m+a+b) - g(a) - g(b) + g(a+b))
}

func TestAnExtraThatDoesNotFitIsRefused(t *testing.T) {
	for _, c := range []struct {
		schema store.Schema
		form   Form
	}{{datatest.Schema[1:], Form{Extra: []string{"attn_prior"}}}, {datatest.Schema, Form{Extra: []string{"piece_mel"}}}, {datatest.Schema, Form{Segment: 2, Extra: []string{"piece_mel"}}}} {
		if _, err := NewLayout(c.schema, 1, c.form); err == nil {
			t.Errorf("%+v of %v is accepted", c.form, c.schema)
		}
	}
}

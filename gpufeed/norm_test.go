package gpufeed

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio"
	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/store"
)

// melody is a clip whose mels are numbers, with padding that is not zero.
type melody struct{ datatest.Clip }

func (m melody) Bytes(c store.Column) []byte {
	if c.Name != "mel" {
		return m.Clip.Bytes(c)
	}
	r := rand.New(rand.NewPCG(m.Content, 0))
	b := make([]byte, c.SampleBytes())
	values := make([]float32, len(b)/c.DType.Size())
	for i := range values {
		values[i] = float32(r.NormFloat64()*2 - 5.5*float64(i%c.Shape[1]))
	}
	if c.DType == store.Float16 {
		audio.PutFloat16(b, values)
	} else {
		audio.PutFloat32(b, values)
	}
	return b
}

// floats are a field's values of a sample.
func floats(f Field, sample []byte) []float32 {
	values := make([]float32, f.Size/f.Column.DType.Size())
	if f.Column.DType == store.Float16 {
		audio.Float16(values, sample)
	} else {
		audio.Float32(values, sample)
	}
	return values
}

// TestANormChangesFramesInUseAlone: whatever the form is, a normalised batch is the
// plain one with (x - mean) / std in float32 in its frames, and the same elsewhere.
func TestANormChangesFramesInUseAlone(t *testing.T) {
	for _, dtype := range []store.DType{store.Float32, store.Float16} {
		schema := store.Schema{
			{Name: "tokens", DType: store.Int32, Shape: []int{5}}, {Name: "mel", DType: dtype, Shape: []int{12, 70}},
			{Name: "text_len", DType: store.Int32}, {Name: "mel_len", DType: store.Int32}, {Name: "speaker", DType: store.Int32},
		}
		var rows []melody
		for _, c := range datatest.SomeClips(rand.New(rand.NewPCG(1, 1)), 40, schema) {
			rows = append(rows, melody{c})
		}
		d := datatest.Of(t, store.Root{Schema: schema, PerShard: 4}, rows)
		known, _, err := stats.Of(t.Context(), d, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []string{stats.ByColumn, stats.ByBand} {
			for _, c := range []Config{{}, {Segment: 5}, {Reference: true}, {Segment: 3, Reference: true}} {
				for _, buckets := range [][]int{nil, {6}} {
					sameButNormed(t, choose(t, d, plan.Selection{Buckets: buckets}), c, how, known.Column("mel"))
				}
			}
		}
	}
}

func sameButNormed(t *testing.T, set *plan.Set, c Config, how string, mel *stats.Column) {
	t.Helper()
	c.Plan = plan.Options{Batch: 8, Tail: plan.Pad, Seed: 7}
	plain, err := Open(t.Context(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	c.MelNorm = how
	normal, err := Open(t.Context(), set, c)
	if err != nil {
		t.Fatal(err)
	}
	defer normal.Close()
	for index := range 4 {
		a, err := plain.BatchAt(0, index)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := normal.BatchAt(0, index)
		l := plain.Layouts()[a.Bucket]
		x, y := make([]byte, l.Bytes), make([]byte, l.Bytes)
		if err := errors.Join(plain.FillApart(&a, x), normal.FillApart(&b, y)); err != nil {
			t.Fatal(err)
		}
		for _, f := range l.Fields {
			for i := range l.Samples {
				was, is := f.at(x, i), f.at(y, i)
				if f.Column.Name == "mel" || f.Column.Name == "reference_mel" {
					length, _ := l.Field(f.Along)
					used := int(int32(length.at(x, i)[0])) * f.Column.Shape[1]
					was = normed32(f, was, used, how, mel)
				}
				if !bytes.Equal(was, is) {
					t.Fatalf("%s, segment %d, %v: sample %d of batch %d is %v, want %v", how, c.Segment, f.Column, i, index, floats(f, is), floats(f, was))
				}
			}
		}
	}
}

// normed32 is a sample whose first values are normalised.
func normed32(f Field, sample []byte, used int, how string, mel *stats.Column) []byte {
	values := floats(f, sample)
	for i := range values[:used] {
		v := mel.Value
		if how == stats.ByBand {
			v = mel.Bands[i%f.Column.Shape[1]]
		}
		values[i] = (values[i] - float32(v.Mean)) / float32(v.Std)
	}
	b := make([]byte, len(sample))
	if f.Column.DType == store.Float16 {
		audio.PutFloat16(b, values)
	} else {
		audio.PutFloat32(b, values)
	}
	return b
}

func TestAMelNormThatCannotBeIsRefused(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(8)), plan.Selection{})
	if _, err := Open(t.Context(), set, Config{Plan: plan.Options{Batch: 2}, MelNorm: "mean"}); !errors.Is(err, plan.ErrConfig) {
		t.Errorf("norm mean: %v, want ErrConfig", err)
	}
	schema := store.Schema{{Name: "tokens", DType: store.Int32, Shape: []int{5}}, {Name: "text_len", DType: store.Int32}}
	set = choose(t, datatest.Of(t, store.Root{Schema: schema, PerShard: 4}, datatest.Samples(8)), plan.Selection{})
	if _, err := Open(t.Context(), set, Config{Plan: plan.Options{Batch: 2}, MelNorm: stats.ByColumn}); !errors.Is(err, plan.ErrConfig) {
		t.Errorf("without a mel: %v, want ErrConfig", err)
	}
}

func BenchmarkNorm(b *testing.B) {
	c := store.Column{Name: "mel", DType: store.Float32, Shape: []int{600, 80}}
	s := stats.Stats{Columns: []stats.Column{{Name: "mel", Value: stats.Value{Count: 1, Mean: -5.5, Std: 2.0625}}}}
	n, err := s.Norm(stats.ByColumn, c)
	if err != nil {
		b.Fatal(err)
	}
	src, dst := bytes.Repeat([]byte{0, 0, math.MaxInt8, 0x3f}, c.SampleBytes()/4), make([]byte, c.SampleBytes())
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		n.Put(dst, src)
	}
}

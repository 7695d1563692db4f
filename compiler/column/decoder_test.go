package column

import (
	"testing"

	"voxpack/store"
)

// FuzzValue: whatever a file holds, a value is put or refused, and never panics; what is
// put has the row's own number of steps.
func FuzzValue(f *testing.F) {
	f.Add(".npy", []byte("\x93NUMPY\x01\x00\x36\x00{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}\n\x01\x00\x00\x00\x00\x00\x00\x00"), "")
	f.Add(".safetensors", []byte("\x2e\x00\x00\x00\x00\x00\x00\x00{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}1234"), "a")
	f.Add(".ark", []byte("a \x00BFV \x04\x01\x00\x00\x00abcd"), "a")
	f.Add(".TextGrid", []byte("ooTextFile\n\"TextGrid\" 0 0.5 <exists> 1 \"IntervalTier\" \"phones\" 0 0.5 2 0 0.25 \"\" 0.25 0.5 \"a\""), "")
	f.Add(".ctm", []byte("a 1 0 0.25 x\n"), "")
	f.Fuzz(func(t *testing.T, ends string, b []byte, field string) {
		d, ok := decoderOf("x" + ends)
		if !ok || d.decode == nil {
			return
		}
		for _, c := range []Config{
			{Name: "a", DType: store.Int32, Length: Tokens, Field: field}, {Name: "a", DType: store.Float16, Length: Own, Steps: 4, Shape: []int{2}, Field: field, Pad: 1},
			{Name: "a", DType: store.Float32, Field: field, Shape: []int{3}}, {Name: "a", DType: store.Int32, Field: field},
		} {
			c.Rate, c.Hop = 22050, 256
			a, err := d.decode(c, "x"+ends, b, Row{Frames: 43})
			if err != nil {
				continue
			}
			a, steps, err := c.Fit(a)
			if err != nil || c.Scalar() {
				continue
			}
			column := c.Schema(Limits{Tokens: 5, Frames: 5})[0]
			dst := make([]byte, column.SampleBytes())
			if err := c.Put(dst, column, a); err != nil {
				t.Fatalf("%v does not put what fits: %v", c, err)
			}
			if steps < 0 || c.Length == Whole && steps != c.Shape[0] {
				t.Errorf("%v has %d steps", c, steps)
			}
		}
	})
}

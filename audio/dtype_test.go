package audio

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

func TestHalfFloatsRoundToNearestEven(t *testing.T) {
	inf := float32(math.Inf(1))
	tests := []struct {
		name string
		v    float32
		f16  uint16
		bf16 uint16
	}{
		{"zero", 0, 0x0000, 0x0000},
		{"one", 1, 0x3c00, 0x3f80},
		{"largest f16", 65504, 0x7bff, 0x4780},
		{"just under the rounding limit of f16", 0x1.ffdffep15, 0x7bff, 0x4780},
		{"rounding limit of f16 goes to infinity", 65520, 0x7c00, 0x4780},
		{"too large for f16", 1e30, 0x7c00, 0x714a},
		{"infinity", inf, 0x7c00, 0x7f80},
		{"tie to even, down", 1 + 0x1p-11, 0x3c00, 0x3f80},
		{"tie to even, up", 1 + 3*0x1p-11, 0x3c02, 0x3f80},
		{"just over a tie", 1 + 0x1p-11 + 0x1p-23, 0x3c01, 0x3f80},
		{"carry into the exponent", 0x1.ffep0, 0x4000, 0x4000},
		{"smallest normal f16", 0x1p-14, 0x0400, 0x3880},
		{"largest f16 subnormal", 0x1.ff8p-15, 0x03ff, 0x3880},
		{"f16 subnormal rounds up to normal", 0x1.ffcp-15, 0x0400, 0x3880},
		{"smallest f16 subnormal", 0x1p-24, 0x0001, 0x3380},
		{"half of it is a tie to zero", 0x1p-25, 0x0000, 0x3300},
		{"just over half of it", 0x1.000002p-25, 0x0001, 0x3300},
		{"three halves of it is a tie up", 0x1.8p-24, 0x0002, 0x33c0},
		{"smallest float32", 0x1p-149, 0x0000, 0x0000},
		{"bf16 subnormal", 0x1p-133, 0x0000, 0x0001},
		{"largest float32 rounds to infinity", math.MaxFloat32, 0x7c00, 0x7f80},
		{"bf16 tie to even, down", 0x1.01p0, 0x3c04, 0x3f80},
		{"bf16 tie to even, up", 0x1.03p0, 0x3c0c, 0x3f82},
	}
	for _, c := range tests {
		for _, sign := range []uint16{0, 0x8000} {
			v := c.v
			if sign != 0 {
				v = -v
				if v == 0 {
					v = float32(math.Copysign(0, -1))
				}
			}
			if got := float16Bits(v); got != c.f16|sign {
				t.Errorf("%s: f16 of %g = %#04x, want %#04x", c.name, v, got, c.f16|sign)
			}
			if got := bfloat16Bits(v); got != c.bf16|sign {
				t.Errorf("%s: bf16 of %g = %#04x, want %#04x", c.name, v, got, c.bf16|sign)
			}
		}
	}
}

func TestHalfFloatsKeepEveryValueOfTheirOwn(t *testing.T) {
	raw, back := make([]byte, 2), make([]byte, 2)
	var v [1]float32
	for h := range 1 << 16 {
		binary.LittleEndian.PutUint16(raw, uint16(h))
		Float16(v[:], raw)
		if v[0] == v[0] {
			if PutFloat16(back, v[:]); string(back) != string(raw) {
				t.Fatalf("f16 %#04x reads as %g and writes as %x", h, v[0], back)
			}
		} else if h&0x7c00 != 0x7c00 || h&0x3ff == 0 {
			t.Fatalf("f16 %#04x reads as NaN", h)
		}
		BFloat16(v[:], raw)
		if v[0] == v[0] {
			if PutBFloat16(back, v[:]); string(back) != string(raw) {
				t.Fatalf("bf16 %#04x reads as %g and writes as %x", h, v[0], back)
			}
		}
	}
}

func TestHalfFloatsPickTheNearestValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500_000 {
		v := math.Float32frombits(rng.Uint32())
		if v != v || math.Abs(float64(v)) >= 65504 {
			continue
		}
		h := float16Bits(v)
		d := math.Abs(float64(float16Value(h)) - float64(v))
		for _, other := range []uint16{h - 1, h + 1} {
			if o := float64(float16Value(other)); !math.IsInf(o, 0) && math.Abs(o-float64(v)) < d {
				t.Fatalf("f16 of %g is %#04x, but %#04x is nearer", v, h, other)
			}
		}
	}
}

func TestNaNStaysNaN(t *testing.T) {
	for _, bits := range []uint32{0x7f800001, 0x7fffffff, 0xff800001, 0x7fc00000} {
		v := math.Float32frombits(bits)
		if got := float16Value(float16Bits(v)); got == got {
			t.Errorf("f16 of NaN %#x is %g", bits, got)
		}
		if got := math.Float32frombits(uint32(bfloat16Bits(v)) << 16); got == got {
			t.Errorf("bf16 of NaN %#x is %g", bits, got)
		}
	}
}

func TestFloat32IsLittleEndian(t *testing.T) {
	raw := make([]byte, 8)
	PutFloat32(raw, []float32{1, -2})
	if want := "\x00\x00\x80\x3f\x00\x00\x00\xc0"; string(raw) != want {
		t.Errorf("PutFloat32(1, -2) = %x, want %x", raw, want)
	}
	var back [2]float32
	if Float32(back[:], raw); back != [2]float32{1, -2} {
		t.Errorf("Float32 = %v, want [1 -2]", back)
	}
}

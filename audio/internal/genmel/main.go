package main

import (
	"flag"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	samples := flag.Bool("int16", false, "write only the conversion of 16-bit samples, for package codec")
	flag.Parse()
	ConstraintExpr("amd64")
	if *samples {
		convert()
	} else {
		mel()
	}
	Generate()
}

// mel writes the kernels of both widths.
func mel() {
	sqrtHalf = floats("sqrtHalf", math.Float32bits(float32(math.Sqrt2/2)))
	logTable = floats("logTable", logConstants()...)
	for _, k := range []*kernel{{lanes: 8}, {lanes: 16}} {
		k.load()
		k.radix2()
		k.radix4()
		k.radix8()
		k.last8()
		k.power("both")
		k.power("single")
		k.bank()
		k.log()
		k.store()
	}
}

// A kernel is the code for one width of registers.
type kernel struct {
	lanes int
	free  []reg.VecPhysical
}

var ymm = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}

var zmm = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
	reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
	reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}

// begin opens a function and makes all registers free.
func (k *kernel) begin(name, signature string) {
	suffix := "8"
	k.free = append(k.free[:0], ymm...)
	if k.lanes == 16 {
		suffix = "16"
		k.free = append(k.free[:0], zmm...)
	}
	TEXT(name+suffix, NOSPLIT, signature)
}

func (k *kernel) end() {
	VZEROUPPER()
	RET()
}

// take gives a free register; drop makes registers free again.
func (k *kernel) take() reg.VecPhysical {
	r := k.free[0] // none left: a fault of this program
	k.free = k.free[1:]
	return r
}

func (k *kernel) drop(rs ...reg.VecPhysical) { k.free = append(k.free, rs...) }

// row is the size of a row in bytes, point that of a point.
func (k *kernel) row() int   { return 4 * k.lanes }
func (k *kernel) point() int { return 8 * k.lanes }

// fetch loads a row.
func (k *kernel) fetch(m Mem) reg.VecPhysical {
	r := k.take()
	VMOVUPS(m, r)
	return r
}

// broadcast puts one float32 into all lanes.
func (k *kernel) broadcast(m Mem) reg.VecPhysical {
	r := k.take()
	VBROADCASTSS(m, r)
	return r
}

// arithmetic of new registers; the operands stay.

func (k *kernel) add(a, b reg.VecPhysical) reg.VecPhysical {
	r := k.take()
	VADDPS(b, a, r)
	return r
}

func (k *kernel) sub(a, b reg.VecPhysical) reg.VecPhysical {
	r := k.take()
	VSUBPS(b, a, r)
	return r
}

func (k *kernel) mul(a, b reg.VecPhysical) reg.VecPhysical {
	r := k.take()
	VMULPS(b, a, r)
	return r
}

// sumDif replaces a and b by a + b and a - b.
func (k *kernel) sumDif(a, b *reg.VecPhysical) {
	s := k.add(*a, *b)
	VSUBPS(*b, *a, *b) // a - b into b's register
	k.drop(*a)
	*a = s
}

// turn replaces r + i·s by its product with cos + i·sin, which stand side by side at w.
func (k *kernel) turn(r, s *reg.VecPhysical, w Mem) {
	cos, sin := k.broadcast(w), k.broadcast(w.Offset(4))
	p, q := k.mul(*r, cos), k.mul(*s, sin)
	VSUBPS(q, p, p) // r cos - s sin
	VMULPS(sin, *r, *r)
	VMULPS(cos, *s, *s)
	VADDPS(*s, *r, *s) // r sin + s cos
	k.drop(cos, sin, q, *r)
	*r = p
}

// floats defines a table of float32 constants as bit patterns: an F32 of a whole number would be
// assembled as an integer.
func floats(name string, bits ...uint32) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i, b := range bits {
		DATA(4*i, U32(b))
	}
	return m
}

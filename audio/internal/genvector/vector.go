package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes is how many float32 a register of the code that is being written holds.
var lanes = 8

// rowBytes is the size of a row, pointBytes that of a point.
func rowBytes() int   { return 4 * lanes }
func pointBytes() int { return 2 * rowBytes() }

// vec is a register of the width.
func vec() reg.VecVirtual {
	if lanes == 8 {
		return YMM()
	}
	return ZMM()
}

// begin opens a function; doc is for its stub.
func begin(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Doc(doc)
	Pragma("noescape")
}

// end closes it. VZEROUPPER keeps SSE code that runs later from waiting for the upper halves.
func end() {
	VZEROUPPER()
	RET()
}

// arg is a parameter that is a pointer or an integer, in a register.
func arg(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

// param is the place of a parameter.
func param(name string) Mem {
	at, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return at.Addr
}

// counted emits a loop that runs n times, n ≥ 1.
func counted(label string, n reg.Register, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNZ(LabelRef(label))
}

// lines gives the addresses of n lines, a multiple of 4, that stand step bytes apart, from base on, and
// the registers to move for all of them to go on.
func lines(base, step reg.GPVirtual, n int) (at []Mem, bases []reg.GPVirtual) {
	step3 := GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	for len(at) < n {
		if len(at) > 0 {
			next := GP64()
			LEAQ(Mem{Base: base, Index: step, Scale: 4}, next)
			base = next
		}
		bases = append(bases, base)
		at = append(at, Mem{Base: base}, Mem{Base: base, Index: step, Scale: 1},
			Mem{Base: base, Index: step, Scale: 2}, Mem{Base: base, Index: step3, Scale: 1})
	}
	return at, bases
}

// advance moves lines on.
func advance(bases []reg.GPVirtual, bytes int) {
	for _, b := range bases {
		ADDQ(I32(bytes), b)
	}
}

// fetch loads a row.
func fetch(m Mem) reg.VecVirtual {
	r := vec()
	VMOVUPS(m, r)
	return r
}

// fetchD loads a row of float64.
func fetchD(m Mem) reg.VecVirtual {
	r := vec()
	VMOVUPD(m, r)
	return r
}

// broadcast puts one float32 into all lanes.
func broadcast(m Mem) reg.VecVirtual {
	r := vec()
	VBROADCASTSS(m, r)
	return r
}

// sum is a + b in a new register; the operands stay, and avo frees those that nothing reads any more.
func sum(a, b reg.VecVirtual) reg.VecVirtual {
	r := vec()
	VADDPS(b, a, r)
	return r
}

// difference is a - b.
func difference(a, b reg.VecVirtual) reg.VecVirtual {
	r := vec()
	VSUBPS(b, a, r)
	return r
}

// product is a b.
func product(a, b reg.VecVirtual) reg.VecVirtual {
	r := vec()
	VMULPS(b, a, r)
	return r
}

// complexRow is a point in registers.
type complexRow struct{ re, im reg.VecVirtual }

// fetchPoint loads a point, store writes one.
func fetchPoint(m Mem) complexRow { return complexRow{fetch(m), fetch(m.Offset(rowBytes()))} }

func store(x complexRow, m Mem) {
	VMOVUPS(x.re, m)
	VMOVUPS(x.im, m.Offset(rowBytes()))
}

// add is x + y, sub x - y.
func add(x, y complexRow) complexRow { return complexRow{sum(x.re, y.re), sum(x.im, y.im)} }
func sub(x, y complexRow) complexRow {
	return complexRow{difference(x.re, y.re), difference(x.im, y.im)}
}

// addTurned is x + iy, subTurned x - iy.
func addTurned(x, y complexRow) complexRow {
	return complexRow{difference(x.re, y.im), sum(x.im, y.re)}
}

func subTurned(x, y complexRow) complexRow {
	return complexRow{sum(x.re, y.im), difference(x.im, y.re)}
}

// turn is x w, where w is one complex number in memory: two products and a difference, two products and
// a sum, each rounded. turnBack is x times the conjugate of w.
func turn(x complexRow, w Mem) complexRow {
	z, other := turnParts(x, w)
	return complexRow{difference(z.re, other.im), sum(z.im, other.re)}
}

func turnBack(x complexRow, w Mem) complexRow {
	z, other := turnParts(x, w)
	return complexRow{sum(z.re, other.im), difference(z.im, other.re)}
}

// turnParts is x times the real and times the imaginary part of w.
func turnParts(x complexRow, w Mem) (byReal, byImaginary complexRow) {
	return scaled(x, w), scaled(x, w.Offset(4))
}

// scaled is x times one real number in memory.
func scaled(x complexRow, factor Mem) complexRow {
	f := broadcast(factor)
	return complexRow{product(x.re, f), product(x.im, f)}
}

// oddRow and allRow are the signs of a row of float64, those of its odd lanes and all.
var oddRow, allRow Mem

// writeSigns defines them for the width.
func writeSigns() { oddRow, allRow = signRow("oddSigns", true), signRow("allSigns", false) }

func signRow(name string, odd bool) Mem {
	m := GLOBL(fmt.Sprint(name, lanes), RODATA|NOPTR)
	for i := range lanes / 2 {
		sign := uint64(1) << 63
		if odd && i%2 == 0 {
			sign = 0
		}
		DATA(8*i, U64(sign))
	}
	return m
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

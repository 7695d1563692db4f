package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	vector = 32         // bytes of a register
	point  = 2 * vector // bytes of a point
)

func main() {
	ConstraintExpr("amd64")
	forwardPass()
	inversePass()
	fold()
	unfold()
	spread()
	collect()
	for _, taps := range []int{8, 16, 0} {
		sumRows(taps)
		blendRows(taps)
	}
	planRows()
	Generate()
}

// complexVector is 8 complex numbers.
type complexVector struct{ re, im reg.VecVirtual }

func newComplex() complexVector { return complexVector{YMM(), YMM()} }

// load takes a point.
func load(m Mem) complexVector {
	x := newComplex()
	VMOVUPS(m, x.re)
	VMOVUPS(m.Offset(vector), x.im)
	return x
}

// store puts a point.
func store(x complexVector, m Mem) {
	VMOVUPS(x.re, m)
	VMOVUPS(x.im, m.Offset(vector))
}

// add is x + y.
func add(x, y complexVector) complexVector {
	z := newComplex()
	VADDPS(y.re, x.re, z.re)
	VADDPS(y.im, x.im, z.im)
	return z
}

// sub is x - y.
func sub(x, y complexVector) complexVector {
	z := newComplex()
	VSUBPS(y.re, x.re, z.re)
	VSUBPS(y.im, x.im, z.im)
	return z
}

// addTurned is x + iy.
func addTurned(x, y complexVector) complexVector {
	z := newComplex()
	VSUBPS(y.im, x.re, z.re)
	VADDPS(y.re, x.im, z.im)
	return z
}

// subTurned is x - iy.
func subTurned(x, y complexVector) complexVector {
	z := newComplex()
	VADDPS(y.im, x.re, z.re)
	VSUBPS(y.re, x.im, z.im)
	return z
}

// turn is x w, where w is one complex number in memory: two products and a difference, two products and
// a sum, each rounded.
func turn(x complexVector, w Mem) complexVector {
	z := newComplex()
	other := YMM()
	factor := YMM()
	VBROADCASTSS(w, factor)
	VMULPS(factor, x.re, z.re)
	VMULPS(factor, x.im, z.im)
	VBROADCASTSS(w.Offset(4), factor)
	VMULPS(factor, x.im, other)
	VSUBPS(other, z.re, z.re)
	VMULPS(factor, x.re, other)
	VADDPS(other, z.im, z.im)
	return z
}

// turnBack is x times the conjugate of w.
func turnBack(x complexVector, w Mem) complexVector {
	z := newComplex()
	other := YMM()
	factor := YMM()
	VBROADCASTSS(w, factor)
	VMULPS(factor, x.re, z.re)
	VMULPS(factor, x.im, z.im)
	VBROADCASTSS(w.Offset(4), factor)
	VMULPS(factor, x.im, other)
	VADDPS(other, z.re, z.re)
	VMULPS(factor, x.re, other)
	VSUBPS(other, z.im, z.im)
	return z
}

// scaled is x times one real number in memory.
func scaled(x complexVector, factor Mem) complexVector {
	z, f := newComplex(), YMM()
	VBROADCASTSS(factor, f)
	VMULPS(f, x.re, z.re)
	VMULPS(f, x.im, z.im)
	return z
}

// counted emits a loop that runs n times, n ≥ 1.
func counted(label string, n reg.Register, body func()) {
	Label(label)
	body()
	DECQ(n)
	JNE(LabelRef(label))
}

// loadPointer is a parameter that is a pointer or an integer, in a register.
func loadPointer(name string) reg.GPVirtual {
	r := GP64()
	Load(Param(name), r)
	return r
}

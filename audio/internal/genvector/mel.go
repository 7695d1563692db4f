package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// power is plan32.power and the roots after it, for n entries of a table of split32: 24 bytes: two rows
// of z and two of dst as int32, a cosine and a sine as float32. kind "both" writes the bins k and n/2 -
// k, "single" only the first. epsilon, with least after it, and the root are the same for all; the branch on
// root is taken alike in every round.
func power(kind string) {
	begin32(kind, "func(dst, z *float32, table *byte, n int, epsilon *float32, root int)")
	dst, z, table, n := arg("dst"), arg("z"), arg("table"), arg("n")
	epsilon, root := arg("epsilon"), arg("root")
	at := func(disp, size int, base reg.Register) Mem { // of the row that an int32 of the entry numbers
		i := GP64()
		MOVLQSX(Mem{Base: table, Disp: disp}, i)
		IMUL3Q(I32(size), i, i)
		ADDQ(base, i)
		return Mem{Base: i}
	}
	eps, least := broadcast(Mem{Base: epsilon}), broadcast(Mem{Base: epsilon, Disp: 4})
	counted("loop", n, func() {
		a, b := fetchPoint(at(0, pointBytes(), z)), fetchPoint(at(4, pointBytes(), z))
		e := complexRow{sum(a.re, b.re), difference(a.im, b.im)}
		o := complexRow{sum(a.im, b.im), difference(b.re, a.re)}
		o = turn(o, Mem{Base: table, Disp: 16})
		outs := []complexRow{add(e, o)}
		if kind == "both" {
			outs = append(outs, sub(e, o))
		}
		for i := range outs {
			x := &outs[i]
			VMULPS(x.re, x.re, x.re)
			VMULPS(x.im, x.im, x.im)
			VADDPS(x.im, x.re, x.re)
			VADDPS(eps, x.re, x.re)
			VMAXPS(x.re, least, x.re)
		}
		CMPQ(root, U8(0))
		JEQ(LabelRef("power"))
		for _, x := range outs {
			VSQRTPS(x.re, x.re)
		}
		Label("power")
		for i, x := range outs {
			VMOVUPS(x.re, at(8+4*i, rowBytes(), dst))
		}
		ADDQ(I32(24), table)
	})
	end()
}

// bank is dot32 for n bands: a weight is one number for all lanes, a bin is a row. Even and odd terms
// have sums of their own; terms counts down by two and is -1 at the end if one is left.
func bank() {
	begin32("bank", "func(dst, bins, weights *float32, spans *byte, n int)")
	dst, bins, weights := arg("dst"), arg("bins"), arg("weights")
	spans, n := arg("spans"), arg("n")
	even, odd, p, q := vec(), vec(), vec(), vec()
	row, w, terms := GP64(), GP64(), GP64()
	counted("band", n, func() {
		MOVLQSX(Mem{Base: spans}, row)
		IMUL3Q(I32(rowBytes()), row, row)
		ADDQ(bins, row)
		MOVLQSX(Mem{Base: spans, Disp: 4}, w)
		LEAQ(Mem{Base: weights, Index: w, Scale: 4}, w)
		MOVLQSX(Mem{Base: spans, Disp: 8}, terms)
		zero(even)
		zero(odd)
		SUBQ(U8(2), terms)
		JLT(LabelRef("rest"))
		Label("pair")
		VBROADCASTSS(Mem{Base: w}, p)
		VBROADCASTSS(Mem{Base: w, Disp: 4}, q)
		VMULPS(Mem{Base: row}, p, p)
		VMULPS(Mem{Base: row, Disp: rowBytes()}, q, q)
		VADDPS(p, even, even)
		VADDPS(q, odd, odd)
		ADDQ(U8(8), w)
		ADDQ(I32(2*rowBytes()), row)
		SUBQ(U8(2), terms)
		JGE(LabelRef("pair"))
		Label("rest")
		CMPQ(terms, I8(-1))
		JNE(LabelRef("sum"))
		VBROADCASTSS(Mem{Base: w}, p)
		VMULPS(Mem{Base: row}, p, p)
		VADDPS(p, even, even)
		Label("sum")
		VADDPS(odd, even, even)
		VMOVUPS(even, Mem{Base: dst})
		ADDQ(I32(rowBytes()), dst)
		ADDQ(U8(12), spans)
	})
	end()
}

// zero clears a register. VXORPS has a form for 512 bits only with AVX-512DQ, VPXORD with AVX-512F.
func zero(r reg.VecVirtual) {
	if lanes == 8 {
		VXORPS(r, r, r)
	} else {
		VPXORD(r, r, r)
	}
}

// log is log32 for n rows, in place, with what is added after the floor in memory, step for step as detmath.LogParts and LogOf: the
// exponent e comes from the bits of x less those of √½, f is what is left of x less 1, s = f / (2 + f),
// and the series in z = s² goes up to the term of 2/9.
func log() {
	begin32("log", "func(x *float32, n int, floor *float32)")
	x, n, floor := arg("x"), arg("n"), arg("floor")
	least, plus := broadcast(Mem{Base: floor}), broadcast(Mem{Base: floor, Disp: 4})
	c := func(i int) reg.VecVirtual { return broadcast(logTable.Offset(4 * i)) }
	half, one, two, n9, n7, n5, n3, lo, hi := c(0), c(1), c(2), c(3), c(4), c(5), c(6), c(7), c(8)
	counted("loop", n, func() {
		f := vec()
		VADDPS(Mem{Base: x}, plus, f)
		VMAXPS(f, least, f)
		e := vec()
		VPSUBD(half, f, e)
		VPSRAD(U8(23), e, e)
		shift := vec()
		VPSLLD(U8(23), e, shift)
		VPSUBD(shift, f, f)
		VCVTDQ2PS(e, e)
		VSUBPS(one, f, f)
		s := sum(two, f)
		VDIVPS(s, f, s)
		z := product(s, s)
		r := product(z, n9)
		for _, next := range []reg.VecVirtual{n7, n5, n3} {
			VADDPS(r, next, r)
			VMULPS(r, z, r)
		}
		VSUBPS(r, f, r) // f - r
		VMULPS(r, s, r)
		VMULPS(lo, e, z)
		VSUBPS(r, z, z) // low
		VADDPS(z, f, f)
		VMULPS(hi, e, e)
		VADDPS(f, e, e)
		VMOVUPS(e, Mem{Base: x})
		ADDQ(I32(rowBytes()), x)
	})
	end()
}

var logTable Mem

// logConstants are those of log32, its threshold first.
func logConstants() []uint32 {
	f := func(v float64) uint32 { return math.Float32bits(float32(v)) }
	const hi = 0x1.62e4p-1
	return []uint32{0x3f3504f3, f(1), f(2), f(2.0 / 9), f(2.0 / 7), f(2.0 / 5), f(2.0 / 3), f(math.Ln2 - hi), f(hi)}
}

// convert is codec.Int16 for n groups of 16 values: 16 bits to 32 with their sign, to float32, times
// 2^-15. All three are exact.
func convert() {
	begin32("convert", "func(dst *float32, src *byte, n int)")
	dst, src, n := arg("dst"), arg("src"), arg("n")
	scale := broadcast(floats("int16Scale", math.Float32bits(1.0/(1<<15))))
	a, b := vec(), vec()
	counted("loop", n, func() {
		VPMOVSXWD(Mem{Base: src}, a)
		VPMOVSXWD(Mem{Base: src, Disp: 16}, b)
		VCVTDQ2PS(a, a)
		VCVTDQ2PS(b, b)
		VMULPS(scale, a, a)
		VMULPS(scale, b, b)
		VMOVUPS(a, Mem{Base: dst})
		VMOVUPS(b, Mem{Base: dst, Disp: 32})
		ADDQ(U8(32), src)
		ADDQ(U8(64), dst)
	})
	end()
}

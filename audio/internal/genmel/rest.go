package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// power is plan32.power and the roots after it, for n entries of a table of split32: 24 bytes: two rows
// of z and two of dst as int32, a cosine and a sine as float32. kind "both" writes the bins k and n/2 -
// k, "single" only the first. eps and the root are the same for all; the branch on root is taken alike
// in every round.
func (k *kernel) power(kind string) {
	k.begin(kind, "func(dst, z *float32, table *byte, n int, epsilon *float32, root int)")
	dst, z, table, n := Load(Param("dst"), GP64()), Load(Param("z"), GP64()), Load(Param("table"), GP64()), Load(Param("n"), GP64())
	epsilon, root := Load(Param("epsilon"), GP64()), Load(Param("root"), GP64())
	at := func(disp, size int, base reg.Register) Mem { // of the row that an int32 of the entry numbers
		i := GP64()
		MOVLQSX(Mem{Base: table, Disp: disp}, i)
		IMUL3Q(I32(size), i, i)
		ADDQ(base, i)
		return Mem{Base: i}
	}
	eps := k.broadcast(Mem{Base: epsilon})
	Label("loop")
	a, b := k.point2(at(0, k.point(), z)), k.point2(at(4, k.point(), z))
	e := complex{k.add(a.r, b.r), k.sub(a.i, b.i)}
	o := complex{k.add(a.i, b.i), k.sub(b.r, a.r)}
	k.drop(a.r, a.i, b.r, b.i)
	k.turn(&o.r, &o.i, Mem{Base: table, Disp: 16})
	outs := []complex{k.plus(e, o)}
	if kind == "both" {
		outs = append(outs, k.minus(e, o))
	}
	k.drop(e.r, e.i, o.r, o.i)
	for i := range outs {
		x := &outs[i]
		VMULPS(x.r, x.r, x.r)
		VMULPS(x.i, x.i, x.i)
		VADDPS(x.i, x.r, x.r)
		VADDPS(eps, x.r, x.r)
	}
	CMPQ(root, U8(0))
	JEQ(LabelRef("power"))
	for _, x := range outs {
		VSQRTPS(x.r, x.r)
	}
	Label("power")
	for i, x := range outs {
		VMOVUPS(x.r, at(8+4*i, k.row(), dst))
		k.drop(x.r, x.i)
	}
	ADDQ(I32(24), table)
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
}

// bank is dot32 for n bands: a weight is one number for all lanes, a bin is a row. Even and odd terms
// have sums of their own; terms counts down by two and is -1 at the end if one is left.
func (k *kernel) bank() {
	k.begin("bank", "func(dst, bins, weights *float32, spans *byte, n int)")
	dst, bins, weights := Load(Param("dst"), GP64()), Load(Param("bins"), GP64()), Load(Param("weights"), GP64())
	spans, n := Load(Param("spans"), GP64()), Load(Param("n"), GP64())
	even, odd, p, q := k.take(), k.take(), k.take(), k.take()
	row, w, terms := GP64(), GP64(), GP64()
	Label("band")
	MOVLQSX(Mem{Base: spans}, row)
	IMUL3Q(I32(k.row()), row, row)
	ADDQ(bins, row)
	MOVLQSX(Mem{Base: spans, Disp: 4}, w)
	LEAQ(Mem{Base: weights, Index: w, Scale: 4}, w)
	MOVLQSX(Mem{Base: spans, Disp: 8}, terms)
	k.zero(even)
	k.zero(odd)
	SUBQ(U8(2), terms)
	JLT(LabelRef("rest"))
	Label("pair")
	VBROADCASTSS(Mem{Base: w}, p)
	VBROADCASTSS(Mem{Base: w, Disp: 4}, q)
	VMULPS(Mem{Base: row}, p, p)
	VMULPS(Mem{Base: row, Disp: k.row()}, q, q)
	VADDPS(p, even, even)
	VADDPS(q, odd, odd)
	ADDQ(U8(8), w)
	ADDQ(I32(2*k.row()), row)
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
	ADDQ(I32(k.row()), dst)
	ADDQ(U8(12), spans)
	DECQ(n)
	JNZ(LabelRef("band"))
	k.end()
}

// zero clears a register. VXORPS has a form for 512 bits only with AVX-512DQ, VPXORD with AVX-512F.
func (k *kernel) zero(r reg.VecPhysical) {
	if k.lanes == 8 {
		VXORPS(r, r, r)
	} else {
		VPXORD(r, r, r)
	}
}

// log is log32(max(x, floor)) for n rows, in place, step for step as detmath.LogParts and LogOf: the
// exponent e comes from the bits of x less those of √½, f is what is left of x less 1, s = f / (2 + f),
// and the series in z = s² goes up to the term of 2/9.
func (k *kernel) log() {
	k.begin("log", "func(x *float32, n int, floor *float32)")
	x, n, floor := Load(Param("x"), GP64()), Load(Param("n"), GP64()), Load(Param("floor"), GP64())
	least := k.broadcast(Mem{Base: floor})
	c := func(i int) reg.VecPhysical { return k.broadcast(logTable.Offset(4 * i)) }
	half, one, two, n9, n7, n5, n3, lo, hi := c(0), c(1), c(2), c(3), c(4), c(5), c(6), c(7), c(8)
	Label("loop")
	f := k.take()
	VMAXPS(Mem{Base: x}, least, f)
	e := k.take()
	VPSUBD(half, f, e)
	VPSRAD(U8(23), e, e)
	shift := k.take()
	VPSLLD(U8(23), e, shift)
	VPSUBD(shift, f, f)
	k.drop(shift)
	VCVTDQ2PS(e, e)
	VSUBPS(one, f, f)
	s := k.add(two, f)
	VDIVPS(s, f, s)
	z := k.mul(s, s)
	r := k.mul(z, n9)
	for _, next := range []reg.VecPhysical{n7, n5, n3} {
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
	ADDQ(I32(k.row()), x)
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
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
	k := &kernel{lanes: 8}
	k.begin("convert", "func(dst *float32, src *byte, n int)")
	dst, src, n := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("n"), GP64())
	scale := k.broadcast(floats("int16Scale", math.Float32bits(1.0/(1<<15))))
	a, b := k.take(), k.take()
	Label("loop")
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
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
}

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vorbis writes the transform of the Vorbis decoder and what follows it, for 4 lanes of float64: two complex
// numbers, real and imaginary parts by turns.
func vorbis() {
	writeSigns()
	twistIn()
	firstPasses()
	onePass()
	twoPasses()
	twistOut()
	lapIn()
	lapOut()
	mean()
}

// times is the product of two complex numbers each: two products and a difference, two products and a sum.
func times(a, b reg.VecVirtual) reg.VecVirtual {
	p, q, t := YMM(), YMM(), YMM()
	VMOVDDUP(a, p)
	VMULPD(b, p, p)
	VPERMILPD(U8(15), a, q) // the imaginary parts
	VPERMILPD(U8(5), b, t)  // parts exchanged
	VMULPD(t, q, q)
	VADDSUBPD(q, p, p)
	return p
}

// butterfly2 is low + high root and low - high root.
func butterfly2(low, high, root reg.VecVirtual) (sum, difference reg.VecVirtual) {
	b := times(high, root)
	sum, difference = YMM(), YMM()
	VADDPD(b, low, sum)
	VSUBPD(b, low, difference)
	return sum, difference
}

// twistIn makes m/2 complex numbers of m coefficients from both ends, times twist, and puts them into their order.
func twistIn() {
	begin("twistIn", "func(z *complex128, x *float32, twist *complex128, order *int, m int)", "")
	z, x, twist, order, n := arg("z"), arg("x"), arg("twist"), arg("order"), arg("m")
	last := GP64()
	LEAQ(Mem{Base: x, Index: n, Scale: 4, Disp: -16}, last)
	SHRQ(U8(2), n)
	counted("loop", n, func() {
		a, b, y := XMM(), XMM(), YMM()
		VMOVUPS(Mem{Base: x}, a)
		VPERMILPS(U8(0x4c), Mem{Base: last}, b)
		VBLENDPS(U8(10), b, a, a)
		VCVTPS2PD(a, y)
		c := times(y, fetchD(Mem{Base: twist}))
		at := GP64()
		MOVQ(Mem{Base: order}, at)
		SHLQ(U8(4), at)
		VMOVUPD(c.AsX(), Mem{Base: z, Index: at, Scale: 1})
		at = GP64()
		MOVQ(Mem{Base: order, Disp: 8}, at)
		SHLQ(U8(4), at)
		VEXTRACTF128(U8(1), c, Mem{Base: z, Index: at, Scale: 1})
		ADDQ(U8(16), x)
		SUBQ(U8(16), last)
		ADDQ(U8(32), twist)
		ADDQ(U8(16), order)
	})
	end()
}

// firstPasses does the passes over neighbours and over those two apart, for n times 8 numbers. roots[1] is the first
// pass's root, roots[2] and roots[3] those of the second.
func firstPasses() {
	begin("firstPasses", "func(z, roots *complex128, n int)", "")
	z, roots, n := arg("z"), arg("roots"), arg("n")
	var root [3]reg.VecVirtual
	for i := range root {
		root[i] = YMM()
		VBROADCASTF128(Mem{Base: roots, Disp: 16 * (i + 1)}, root[i])
	}
	counted("loop", n, func() {
		// Numbers 0 to 3 of two groups, a group in each half of a register.
		pairs := func(a, b reg.VecVirtual) (lows, highs reg.VecVirtual) {
			lows, highs = YMM(), YMM()
			VPERM2F128(U8(0x20), b, a, lows)
			VPERM2F128(U8(0x31), b, a, highs)
			return lows, highs
		}
		x0, x1 := pairs(fetchD(Mem{Base: z}), fetchD(Mem{Base: z, Disp: 64}))
		x2, x3 := pairs(fetchD(Mem{Base: z, Disp: 32}), fetchD(Mem{Base: z, Disp: 96}))
		x0, x1 = butterfly2(x0, x1, root[0])
		x2, x3 = butterfly2(x2, x3, root[0])
		x0, x2 = butterfly2(x0, x2, root[1])
		x1, x3 = butterfly2(x1, x3, root[2])
		x0, x1 = pairs(x0, x1)
		x2, x3 = pairs(x2, x3)
		for i, r := range []reg.VecVirtual{x0, x2, x1, x3} {
			VMOVUPD(r, Mem{Base: z, Disp: 32 * i})
		}
		ADDQ(I32(128), z)
	})
	end()
}

// onePass does a pass over pairs that stand half apart, in n blocks of 2 half numbers. roots has half numbers.
func onePass() {
	begin("onePass", "func(z, roots *complex128, half, n int)", "")
	z, roots, half, n := arg("z"), arg("roots"), arg("half"), arg("n")
	bytes := GP64()
	MOVQ(half, bytes)
	SHLQ(U8(4), bytes)
	SHRQ(U8(1), half)
	counted("block", n, func() {
		j, root := GP64(), GP64()
		MOVQ(half, j)
		MOVQ(roots, root)
		counted("pair", j, func() {
			low, high := Mem{Base: z}, Mem{Base: z, Index: bytes, Scale: 1}
			a, b := butterfly2(fetchD(low), fetchD(high), fetchD(Mem{Base: root}))
			VMOVUPD(a, low)
			VMOVUPD(b, high)
			ADDQ(U8(32), z)
			ADDQ(U8(32), root)
		})
		ADDQ(bytes, z)
	})
	end()
}

// twoPasses does the pass of half and the next one at once, in n blocks of 4 half numbers. roots has the half
// numbers of the first and the 2 half numbers of the second pass.
func twoPasses() {
	begin("twoPasses", "func(z, roots *complex128, half, n int)", "")
	z, roots, half, n := arg("z"), arg("roots"), arg("half"), arg("n")
	bytes, bytes3 := GP64(), GP64()
	MOVQ(half, bytes)
	SHLQ(U8(4), bytes)
	LEAQ(Mem{Base: bytes, Index: bytes, Scale: 2}, bytes3)
	SHRQ(U8(1), half)
	counted("block", n, func() {
		j, root := GP64(), GP64()
		MOVQ(half, j)
		MOVQ(roots, root)
		counted("four", j, func() {
			at := [4]Mem{{Base: z}, {Base: z, Index: bytes, Scale: 1}, {Base: z, Index: bytes, Scale: 2}, {Base: z, Index: bytes3, Scale: 1}}
			first := fetchD(Mem{Base: root})
			x0, x1 := butterfly2(fetchD(at[0]), fetchD(at[1]), first)
			x2, x3 := butterfly2(fetchD(at[2]), fetchD(at[3]), first)
			x0, x2 = butterfly2(x0, x2, fetchD(Mem{Base: root, Index: bytes, Scale: 1}))
			x1, x3 = butterfly2(x1, x3, fetchD(Mem{Base: root, Index: bytes, Scale: 2}))
			for i, r := range []reg.VecVirtual{x0, x1, x2, x3} {
				VMOVUPD(r, at[i])
			}
			ADDQ(U8(32), z)
			ADDQ(U8(32), root)
		})
		ADDQ(bytes3, z)
	})
	end()
}

// twistOut writes m values from both ends: the real parts of the numbers times twist, and the imaginary parts
// with the sign changed.
func twistOut() {
	begin("twistOut", "func(u *float64, z, twist *complex128, m int)", "")
	u, z, twist, n := arg("u"), arg("z"), arg("twist"), arg("m")
	signs := fetchD(oddRow)
	zEnd, twistEnd, uEnd := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: z, Index: n, Scale: 8, Disp: -32}, zEnd)
	LEAQ(Mem{Base: twist, Index: n, Scale: 8, Disp: -32}, twistEnd)
	LEAQ(Mem{Base: u, Index: n, Scale: 8, Disp: -32}, uEnd)
	SHRQ(U8(3), n)
	counted("loop", n, func() {
		a := times(fetchD(Mem{Base: z}), fetchD(Mem{Base: twist}))
		b := times(fetchD(Mem{Base: zEnd}), fetchD(Mem{Base: twistEnd}))
		VPERM2F128(U8(1), b, b, b) // the last number first
		low, high := YMM(), YMM()
		VSHUFPD(U8(10), b, a, low)
		VXORPD(signs, low, low)
		VMOVUPD(low, Mem{Base: u})
		VSHUFPD(U8(10), a, b, high)
		VXORPD(signs, high, high)
		VPERM2F128(U8(1), high, high, high)
		VMOVUPD(high, Mem{Base: uEnd})
		for _, r := range []reg.GPVirtual{u, z, twist} {
			ADDQ(U8(32), r)
		}
		for _, r := range []reg.GPVirtual{uEnd, zEnd, twistEnd} {
			SUBQ(U8(32), r)
		}
	})
	end()
}

// reversed4 loads four float64 from the last to the first.
func reversed4(m Mem) reg.VecVirtual {
	r := YMM()
	VPERMPD(U8(0x1b), m, r)
	return r
}

// lapIn adds to 2h sums what the block before left, then h values and their mirror with the sign changed, times
// the slope.
func lapIn() {
	begin("lapIn", "func(sum, tail, u, slope *float64, h int)", "")
	sum, tail, u, slope, h := arg("sum"), arg("tail"), arg("u"), arg("slope"), arg("h")
	mirror := GP64()
	MOVQ(h, mirror)
	SHLQ(U8(4), mirror)
	SUBQ(U8(32), mirror) // the last four of 2h, from the first four on
	SHRQ(U8(2), h)
	counted("loop", h, func() {
		add := func(at Mem, tail, slope Mem, v reg.VecVirtual, to func(...Op)) {
			s, p := fetchD(at), YMM()
			VADDPD(tail, s, s)
			VMULPD(slope, v, p)
			to(p, s, s)
			VMOVUPD(s, at)
		}
		there := func(base reg.GPVirtual) Mem { return Mem{Base: base, Index: mirror, Scale: 1} }
		add(Mem{Base: sum}, Mem{Base: tail}, Mem{Base: slope}, fetchD(Mem{Base: u}), VADDPD)
		add(there(sum), there(tail), there(slope), reversed4(Mem{Base: u}), VSUBPD)
		for _, r := range []reg.GPVirtual{sum, tail, u, slope} {
			ADDQ(U8(32), r)
		}
		SUBQ(U8(64), mirror)
	})
	end()
}

// lapOut writes what a block leaves for the next: h values with the sign changed, after their mirror, times the
// slope from its end.
func lapOut() {
	begin("lapOut", "func(tail, u, slope *float64, h int)", "")
	tail, u, slope, h := arg("tail"), arg("u"), arg("slope"), arg("h")
	signs := fetchD(allRow)
	before, rising, falling := GP64(), GP64(), GP64() // the last of the first half of tail, the slope from its middle on both ways
	LEAQ(Mem{Base: tail, Index: h, Scale: 8, Disp: -32}, before)
	LEAQ(Mem{Base: slope, Index: h, Scale: 8}, rising)
	LEAQ(Mem{Base: rising, Disp: -32}, falling)
	LEAQ(Mem{Base: tail, Index: h, Scale: 8}, tail)
	SHRQ(U8(2), h)
	counted("loop", h, func() {
		v, p := YMM(), YMM()
		VXORPD(Mem{Base: u}, signs, v)
		VMULPD(reversed4(Mem{Base: falling}), v, p)
		VMOVUPD(p, Mem{Base: tail})
		VMULPD(Mem{Base: rising}, v, p)
		VPERMPD(U8(0x1b), p, p)
		VMOVUPD(p, Mem{Base: before})
		for _, r := range []reg.GPVirtual{tail, u, rising} {
			ADDQ(U8(32), r)
		}
		for _, r := range []reg.GPVirtual{before, falling} {
			SUBQ(U8(32), r)
		}
	})
	end()
}

// mean writes sums over a number of channels as float32, held between -1 and most: n times 4 of them. notNumbers has
// a bit for each lane that met something else.
func mean() {
	begin("mean", "func(dst *float32, sum *float64, channels float64, most float32, n int) (notNumbers uint32)", "")
	dst, sum, n := arg("dst"), arg("sum"), arg("n")
	channels, most, least, bad := YMM(), XMM(), XMM(), YMM()
	VBROADCASTSD(param("channels"), channels)
	VBROADCASTSS(param("most"), most)
	VBROADCASTSS(floats("minusOne", math.Float32bits(-1)), least)
	VXORPD(bad, bad, bad)
	counted("loop", n, func() {
		v, t, f := fetchD(Mem{Base: sum}), YMM(), XMM()
		VCMPPD(U8(3), v, v, t) // unordered
		VORPD(t, bad, bad)
		VDIVPD(channels, v, v)
		VCVTPD2PSY(v, f)
		VMINPS(most, f, f)
		VMAXPS(least, f, f)
		VMOVUPS(f, Mem{Base: dst})
		ADDQ(U8(32), sum)
		ADDQ(U8(16), dst)
	})
	mask := GP32()
	VMOVMSKPD(bad, mask)
	VZEROUPPER()
	Store(mask, Return("notNumbers"))
	RET()
}

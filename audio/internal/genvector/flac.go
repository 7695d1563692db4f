package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// flac writes what the FLAC decoder spends its time with. The loop over a residual, whose numbers are read and
// added to what the samples before them predict, has no vectors: each sample waits for the one before it, in
// the stream and in the sum. It gains because both waits overlap, and by instructions that the Go compiler
// uses from GOAMD64=v3 on only.
func flac() {
	for _, taps := range []int{4, 8, 12, 32} {
		restore(taps)
	}
	narrow()
	foldCRC()
}

// predict makes the sum of the weighed samples before dst out of the last one.
func predict(last, dst, weights reg.GPVirtual, taps int) {
	IMULQ(Mem{Base: weights}, last)
	var sum reg.GPVirtual
	for i := 1; i < taps; i++ {
		p := GP64()
		MOVQ(Mem{Base: dst, Disp: -8 * (i + 1)}, p)
		IMULQ(Mem{Base: weights, Disp: 8 * i}, p)
		if i == 1 {
			sum = p
		} else {
			ADDQ(p, sum)
		}
	}
	ADDQ(sum, last)
}

// narrow writes n times 16 samples in 16 bits. In wide those bits are set that a sample of more bits has.
func narrow() {
	lanes = 8
	begin("narrow", "func(dst *byte, src *int64, n int) (wide uint64)", "")
	dst, src, n := arg("dst"), arg("src"), arg("n")
	half, order, all := YMM(), YMM(), YMM()
	VPBROADCASTQ(floats("half16", 1<<15, 0), half)
	VMOVDQU(floats("pairs", 0, 4, 1, 5, 2, 6, 3, 7), order) // the pairs of samples as the instructions leave them
	VPXOR(all, all, all)
	counted("loop", n, func() {
		var rows [4]reg.VecVirtual
		for i := range rows {
			rows[i] = fetch(Mem{Base: src, Disp: 32 * i})
			t := YMM()
			VPADDQ(half, rows[i], t)
			VPOR(t, all, all)
		}
		for i := range 2 { // the lower halves
			VSHUFPS(U8(0x88), rows[2*i+1], rows[2*i], rows[i])
		}
		VPACKSSDW(rows[1], rows[0], rows[0])
		VPERMD(rows[0], order, rows[0])
		VMOVDQU(rows[0], Mem{Base: dst})
		ADDQ(I32(128), src)
		ADDQ(U8(32), dst)
	})
	t := XMM()
	VEXTRACTI128(U8(1), all, t)
	low := all.AsX()
	VPOR(t, low, low)
	VPUNPCKHQDQ(low, low, t)
	VPOR(t, low, low)
	wide := GP64()
	VMOVQ(low, wide)
	SHRQ(U8(16), wide)
	VZEROUPPER()
	Store(wide, Return("wide"))
	RET()
}

// foldCRC writes 64 bytes that have the checksum of the first 64 (n + 1) bytes of src: as polynomials they differ by a multiple
// of x¹⁶ + x¹⁵ + x² + 1. Four registers of 128 bits go on by 512 bits at a time; each half is multiplied by what its
// power of x is modulo the polynomial.
func foldCRC() {
	begin("foldCRC", "func(dst *[64]byte, src *byte, n int)", "")
	dst, src, n := arg("dst"), arg("src"), arg("n")
	powers, reversed := XMM(), XMM()
	VMOVDQU(floats("powers16", 0x8107, 0, 0x1446, 0), powers) // x⁵¹² and x⁵⁷⁶
	VMOVDQU(floats("reversed16", 0x0c0d0e0f, 0x08090a0b, 0x04050607, 0x00010203), reversed)
	next := func(i int) reg.VecVirtual {
		r := XMM()
		VMOVDQU(Mem{Base: src, Disp: 16 * i}, r)
		VPSHUFB(reversed, r, r)
		return r
	}
	var sums [4]reg.VecVirtual
	for i := range sums {
		sums[i] = next(i)
	}
	counted("loop", n, func() {
		ADDQ(U8(64), src)
		for i, s := range sums {
			low, high := XMM(), XMM()
			VPCLMULQDQ(U8(0x00), powers, s, low)
			VPCLMULQDQ(U8(0x11), powers, s, high)
			VPXOR(low, high, s)
			VPXOR(next(i), s, s)
		}
	})
	for i, s := range sums {
		VPSHUFB(reversed, s, s)
		VMOVDQU(s, Mem{Base: dst, Disp: 16 * i})
	}
	RET()
}

// restore reads numbers with k low bits each from bit at of src, adds what taps samples before each predict,
// and writes the sums to dst. most is how many numbers are read before eight bytes of the stream are loaded
// again. It ends before a number of more than 57 bits, or where no eight bytes are left; done and bit say where.
func restore(taps int) {
	begin(fmt.Sprint("restore", taps), "func(dst *int64, n int, src *byte, size, at int, k uint, most int, weights *[32]int64, shift uint) (done, bit int)", "")
	dst, src, at, k, most, weights, shift := arg("dst"), arg("src"), arg("at"), arg("k"), arg("most"), arg("weights"), arg("shift")
	local := AllocLocal(32)
	end, limit, bound, atMost := local, local.Offset(8), local.Offset(16), local.Offset(24)
	t := arg("n")
	LEAQ(Mem{Base: dst, Index: t, Scale: 8}, t)
	MOVQ(t, end)
	t = arg("size")
	SUBQ(U8(8), t)
	MOVQ(t, limit)
	MOVQ(most, atMost)
	rest, last := GP64(), GP64() // rest is 63 - k, as far as a shift looks at it
	MOVQ(k, rest)
	NOTQ(rest)
	MOVQ(Mem{Base: dst, Disp: -8}, last)
	acc, left := GP64(), GP64()

	Label("look")
	t = GP64()
	MOVQ(at, t)
	SHRQ(U8(3), t)
	CMPQ(t, limit)
	JGT(LabelRef("out"))
	MOVQ(Mem{Base: src, Index: t, Scale: 1}, acc)
	BSWAPQ(acc)
	MOVQ(at, t)
	ANDQ(U8(7), t)
	SHLXQ(t, acc, acc)
	LEAQ(Mem{Base: at, Disp: 57}, t)
	MOVQ(t, bound)
	MOVQ(atMost, left)

	Label("number")
	zeros, bits := GP64(), GP64()
	LZCNTQ(acc, zeros)
	LEAQ(Mem{Base: zeros, Index: k, Scale: 1, Disp: 1}, bits)
	ADDQ(bits, at)
	CMPQ(at, bound)
	JGT(LabelRef("long"))
	u := GP64() // the one and the low bits, then zeros - 1 above them
	SHLXQ(zeros, acc, u)
	SHRXQ(rest, u, u)
	SHLXQ(bits, acc, acc)
	DECQ(zeros)
	SHLXQ(k, zeros, zeros)
	ADDQ(zeros, u)
	sign := GP64()
	MOVQ(u, sign)
	SHRQ(U8(1), u)
	ANDQ(U8(1), sign)
	NEGQ(sign)
	XORQ(sign, u)

	predict(last, dst, weights, taps)
	SARXQ(shift, last, last)
	ADDQ(u, last)
	MOVQ(last, Mem{Base: dst})
	ADDQ(U8(8), dst)
	CMPQ(dst, end)
	JE(LabelRef("out"))
	DECQ(left)
	JNZ(LabelRef("number"))
	JMP(LabelRef("look"))

	Label("long") // the first number of a look is too long for any; others are looked at again
	SUBQ(bits, at)
	CMPQ(left, atMost)
	JNE(LabelRef("look"))

	Label("out")
	n := arg("n")
	SUBQ(end, dst)
	SARQ(U8(3), dst)
	ADDQ(n, dst)
	Store(dst, Return("done"))
	Store(at, Return("bit"))
	RET()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pass emits the loops of a pass over blocks of 4 × quarter points; body gets the addresses of the four
// points and of the twiddles. A point has 64 bytes, three twiddles have 24: a butterfly turns 8 lanes,
// the two halves of 16 blocks, by the same numbers.
func pass(name, doc string, body func(p [4]Mem, w Mem)) {
	TEXT(name, NOSPLIT, "func(a, twiddles *float32, quarter, blocks int)")
	Doc(doc)
	Pragma("noescape")
	a, twiddles := loadPointer("a"), loadPointer("twiddles")
	quarter, blocks := loadPointer("quarter"), loadPointer("blocks")
	length, length3 := GP64(), GP64()
	MOVQ(quarter, length)
	SHLQ(Imm(6), length)
	LEAQ(Mem{Base: length, Index: length, Scale: 2}, length3)
	w, left := GP64(), GP64()
	counted("block", blocks, func() {
		MOVQ(twiddles, w)
		MOVQ(quarter, left)
		counted("butterfly", left, func() {
			body([4]Mem{
				{Base: a},
				{Base: a, Index: length, Scale: 1},
				{Base: a, Index: length, Scale: 2},
				{Base: a, Index: length3, Scale: 1},
			}, Mem{Base: w})
			ADDQ(Imm(point), a)
			ADDQ(Imm(24), w)
		})
		ADDQ(length3, a)
	})
	VZEROUPPER()
	RET()
}

// forwardPass is decimation in frequency: sums and differences first, then the twiddles.
func forwardPass() {
	pass("forwardPassAVX2", "forwardPassAVX2 is forwardPassPortable; quarter counts points.", func(p [4]Mem, w Mem) {
		x0, x2 := load(p[0]), load(p[2])
		s02, d02 := add(x0, x2), sub(x0, x2)
		x1, x3 := load(p[1]), load(p[3])
		s13, d13 := add(x1, x3), sub(x1, x3)
		store(add(s02, s13), p[0])
		store(turn(sub(s02, s13), w.Offset(8)), p[2])
		store(turn(subTurned(d02, d13), w), p[1])
		store(turn(addTurned(d02, d13), w.Offset(16)), p[3])
	})
}

// inversePass goes the other way: the conjugate twiddles first.
func inversePass() {
	pass("inversePassAVX2", "inversePassAVX2 is inversePassPortable; quarter counts points.", func(p [4]Mem, w Mem) {
		v1, v3 := turnBack(load(p[1]), w), turnBack(load(p[3]), w.Offset(16))
		s13, d13 := add(v1, v3), sub(v1, v3)
		x0, v2 := load(p[0]), turnBack(load(p[2]), w.Offset(8))
		s02, d02 := add(x0, v2), sub(x0, v2)
		store(add(s02, s13), p[0])
		store(sub(s02, s13), p[2])
		store(addTurned(d02, d13), p[1])
		store(subTurned(d02, d13), p[3])
	})
}

// fold ends the transform over 1024 points, multiplies by the response, which is real, and adds the
// bins k and k + 512, as dropping every other sample does.
func fold() {
	TEXT("foldAVX2", NOSPLIT, "func(b, a, response *float32, n int)")
	Doc("foldAVX2 is foldPortable over n times 4 bins.")
	Pragma("noescape")
	b, a, response, n := loadPointer("b"), loadPointer("a"), loadPointer("response"), loadPointer("n")
	counted("fold", n, func() {
		at := func(base reg.Register, i int) Mem { return Mem{Base: base, Disp: i * point} }
		h := func(i int) Mem { return Mem{Base: response, Disp: 4 * i} }
		x0, x2 := load(at(a, 0)), load(at(a, 2))
		s02, d02 := add(x0, x2), sub(x0, x2)
		x1, x3 := load(at(a, 1)), load(at(a, 3))
		s13, d13 := add(x1, x3), sub(x1, x3)
		even := add(scaled(add(s02, s13), h(0)), scaled(sub(s02, s13), h(2)))
		odd := add(scaled(subTurned(d02, d13), h(1)), scaled(addTurned(d02, d13), h(3)))
		store(add(even, odd), at(b, 0))
		store(sub(even, odd), at(b, 1))
		ADDQ(Imm(2*point), b)
		ADDQ(U32(4*point), a)
		ADDQ(Imm(16), response)
	})
	VZEROUPPER()
	RET()
}

// unfold is the way up: zeros between samples repeat the spectrum, so that each of two bins is
// multiplied by two responses.
func unfold() {
	TEXT("unfoldAVX2", NOSPLIT, "func(a, b, response *float32, n int)")
	Doc("unfoldAVX2 is unfoldPortable over n times 4 bins.")
	Pragma("noescape")
	a, b, response, n := loadPointer("a"), loadPointer("b"), loadPointer("response"), loadPointer("n")
	counted("unfold", n, func() {
		at := func(base reg.Register, i int) Mem { return Mem{Base: base, Disp: i * point} }
		h := func(i int) Mem { return Mem{Base: response, Disp: 4 * i} }
		x0, x1 := load(at(b, 0)), load(at(b, 1))
		even, odd := add(x0, x1), sub(x0, x1)
		v0, v2 := scaled(even, h(0)), scaled(even, h(2))
		s02, d02 := add(v0, v2), sub(v0, v2)
		v1, v3 := scaled(odd, h(1)), scaled(odd, h(3))
		s13, d13 := add(v1, v3), sub(v1, v3)
		store(add(s02, s13), at(a, 0))
		store(sub(s02, s13), at(a, 2))
		store(addTurned(d02, d13), at(a, 1))
		store(subTurned(d02, d13), at(a, 3))
		ADDQ(Imm(2*point), b)
		ADDQ(U32(4*point), a)
		ADDQ(Imm(16), response)
	})
	VZEROUPPER()
	RET()
}

// crossed turns rows and columns of the 4 × 4 values in each half of four registers.
func crossed(r [4]reg.VecVirtual) (c [4]reg.VecVirtual) {
	var t [4]reg.VecVirtual
	for i := range 4 {
		t[i], c[i] = YMM(), YMM()
	}
	VUNPCKLPS(r[1], r[0], t[0])
	VUNPCKHPS(r[1], r[0], t[1])
	VUNPCKLPS(r[3], r[2], t[2])
	VUNPCKHPS(r[3], r[2], t[3])
	VUNPCKLPD(t[2], t[0], c[0])
	VUNPCKHPD(t[2], t[0], c[1])
	VUNPCKLPD(t[3], t[1], c[2])
	VUNPCKHPD(t[3], t[1], c[3])
	return c
}

// lanePointers are addresses of the 8 lanes from a pointer on that stride samples lie between; the
// caller advances both bases.
func lanePointers(p, stride reg.GPVirtual) (upper reg.GPVirtual, lane [8]Mem) {
	stride3 := GP64()
	SHLQ(Imm(2), stride)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	upper = GP64()
	LEAQ(Mem{Base: p, Index: stride, Scale: 4}, upper)
	for i, base := range []reg.Register{p, upper} {
		lane[4*i] = Mem{Base: base}
		lane[4*i+1] = Mem{Base: base, Index: stride, Scale: 1}
		lane[4*i+2] = Mem{Base: base, Index: stride, Scale: 2}
		lane[4*i+3] = Mem{Base: base, Index: stride3, Scale: 1}
	}
	return upper, lane
}

// spread takes 8 samples of each of 8 lanes at a time and transposes them: four lanes to each half of a
// register, as the instructions for 4 × 4 values work within halves.
func spread() {
	TEXT("spreadAVX2", NOSPLIT, "func(a, x *float32, stride, n int)")
	Doc("spreadAVX2 is spreadPortable, n a multiple of 8.")
	Pragma("noescape")
	a, x, stride, n := loadPointer("a"), loadPointer("x"), loadPointer("stride"), loadPointer("n")
	SHRQ(Imm(3), n)
	upper, lane := lanePointers(x, stride)
	counted("spread", n, func() {
		for part := range 2 {
			var rows [4]reg.VecVirtual
			for i := range 4 {
				rows[i] = YMM()
				VMOVUPS(lane[i].Offset(16*part), rows[i].AsX())
				VINSERTF128(Imm(1), lane[4+i].Offset(16*part), rows[i], rows[i])
			}
			for i, c := range crossed(rows) {
				VMOVUPS(c, Mem{Base: a, Disp: (4*part + i) * point})
			}
		}
		ADDQ(Imm(vector), x)
		ADDQ(Imm(vector), upper)
		ADDQ(U32(8*point), a)
	})
	VZEROUPPER()
	RET()
}

// collect transposes back.
func collect() {
	TEXT("collectAVX2", NOSPLIT, "func(dst, a *float32, stride, n int)")
	Doc("collectAVX2 is collectPortable, n a multiple of 8.")
	Pragma("noescape")
	dst, a, stride, n := loadPointer("dst"), loadPointer("a"), loadPointer("stride"), loadPointer("n")
	SHRQ(Imm(3), n)
	upper, lane := lanePointers(dst, stride)
	counted("collect", n, func() {
		for part := range 2 {
			var columns [4]reg.VecVirtual
			for i := range 4 {
				columns[i] = YMM()
				VMOVUPS(Mem{Base: a, Disp: (4*part + i) * point}, columns[i])
			}
			for i, r := range crossed(columns) {
				VMOVUPS(r.AsX(), lane[i].Offset(16*part))
				VEXTRACTF128(Imm(1), r, lane[4+i].Offset(16*part))
			}
		}
		ADDQ(Imm(vector), dst)
		ADDQ(Imm(vector), upper)
		ADDQ(U32(8*point), a)
	})
	VZEROUPPER()
	RET()
}

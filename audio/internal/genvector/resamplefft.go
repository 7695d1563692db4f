package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pass emits the loops of a pass over blocks of 4 × quarter points; body gets the addresses of the four
// points and of the twiddles. A point has 64 bytes, three twiddles have 24: a butterfly turns 8 lanes,
// the two halves of 16 blocks, by the same numbers.
func pass(name, doc string, body func(at []Mem, w Mem)) {
	begin(name, "func(a, twiddles *float32, quarter, blocks int)", doc)
	a, twiddles, quarter, blocks := arg("a"), arg("twiddles"), arg("quarter"), arg("blocks")
	length, w, left := GP64(), GP64(), GP64()
	MOVQ(quarter, length)
	SHLQ(Imm(6), length)
	at, _ := lines(a, length, 4)
	counted("block", blocks, func() {
		MOVQ(twiddles, w)
		MOVQ(quarter, left)
		counted("butterfly", left, func() {
			body(at, Mem{Base: w})
			ADDQ(I32(pointBytes()), a)
			ADDQ(Imm(24), w)
		})
		ADDQ(at[3].Index, a)
	})
	end()
}

// backwards is the order of outputs of a butterfly by conjugate numbers.
var backwards = [4]int{0, 2, 3, 1}

// forwardPass is decimation in frequency: sums and differences first, then the twiddles.
func forwardPass() {
	pass("forwardPassAVX2", "forwardPassAVX2 is forwardPassPortable; quarter counts points.", func(at []Mem, w Mem) {
		butterfly(4, at, Mem{}, turned(at, w))
	})
}

// inversePass goes the other way: the conjugate twiddles first.
func inversePass() {
	pass("inversePassAVX2", "inversePassAVX2 is inversePassPortable; quarter counts points.", func(at []Mem, w Mem) {
		var v [4]complexRow
		for i := range v {
			if v[i] = fetchPoint(at[i]); i > 0 {
				v[i] = turnBack(v[i], w.Offset(8*(i-1)))
			}
		}
		even(v, func(c complexRow, q int) { store(c, at[q]) }, backwards)
	})
}

// fold ends the transform over 1024 points, multiplies by the response, which is real, and adds the
// bins k and k + 512, as dropping every other sample does.
func fold() {
	begin("foldAVX2", "func(b, a, response *float32, n int)", "foldAVX2 is foldPortable over n times 4 bins.")
	bins("fold", func(a, b, h []Mem) {
		var x [4]complexRow
		butterfly(4, a, Mem{}, func(c complexRow, q int) { x[q] = scaled(c, h[q]) })
		even, odd := add(x[0], x[2]), add(x[1], x[3])
		store(add(even, odd), b[0])
		store(sub(even, odd), b[1])
	})
}

// unfold is the way up: zeros between samples repeat the spectrum, so that each of two bins is
// multiplied by two responses.
func unfold() {
	begin("unfoldAVX2", "func(a, b, response *float32, n int)", "unfoldAVX2 is unfoldPortable over n times 4 bins.")
	bins("unfold", func(a, b, h []Mem) {
		x0, x1 := fetchPoint(b[0]), fetchPoint(b[1])
		x := [2]complexRow{add(x0, x1), sub(x0, x1)}
		var v [4]complexRow
		for i := range v {
			v[i] = scaled(x[i%2], h[i])
		}
		even(v, func(c complexRow, q int) { store(c, a[q]) }, backwards)
	})
}

// bins ends a function over n times 4 points of a, 2 of b and 4 numbers of the response.
func bins(label string, body func(a, b, h []Mem)) {
	a, b, response, n := arg("a"), arg("b"), arg("response"), arg("n")
	at := func(base reg.Register, step int) (m []Mem) {
		for i := range 4 {
			m = append(m, Mem{Base: base, Disp: i * step})
		}
		return m
	}
	counted(label, n, func() {
		body(at(a, pointBytes()), at(b, pointBytes()), at(response, 4))
		ADDQ(I32(2*pointBytes()), b)
		ADDQ(I32(4*pointBytes()), a)
		ADDQ(Imm(16), response)
	})
	end()
}

// spread takes 8 samples of each of 8 lanes at a time and transposes them: four lanes to each half of a
// register, as the instructions for 4 × 4 values work within halves.
func spread() {
	begin("spreadAVX2", "func(a, x *float32, stride, n int)", "spreadAVX2 is spreadPortable, n a multiple of 8.")
	a, x, stride, n := arg("a"), arg("x"), arg("stride"), arg("n")
	SHRQ(Imm(3), n)
	SHLQ(Imm(2), stride)
	lane, bases := lines(x, stride, 8)
	counted("spread", n, func() {
		for part := range 2 {
			rows := make([]reg.VecVirtual, 4)
			for i := range rows {
				rows[i] = YMM()
				VMOVUPS(lane[i].Offset(16*part), rows[i].AsX())
				VINSERTF128(Imm(1), lane[4+i].Offset(16*part), rows[i], rows[i])
			}
			for i, c := range crossed(rows) {
				VMOVUPS(c, Mem{Base: a, Disp: (4*part + i) * pointBytes()})
			}
		}
		advance(bases, rowBytes())
		ADDQ(I32(8*pointBytes()), a)
	})
	end()
}

// collect transposes back.
func collect() {
	begin("collectAVX2", "func(dst, a *float32, stride, n int)", "collectAVX2 is collectPortable, n a multiple of 8.")
	dst, a, stride, n := arg("dst"), arg("a"), arg("stride"), arg("n")
	SHRQ(Imm(3), n)
	SHLQ(Imm(2), stride)
	lane, bases := lines(dst, stride, 8)
	counted("collect", n, func() {
		for part := range 2 {
			var columns []reg.VecVirtual
			for i := range 4 {
				columns = append(columns, fetch(Mem{Base: a, Disp: (4*part + i) * pointBytes()}))
			}
			for i, r := range crossed(columns) {
				VMOVUPS(r.AsX(), lane[i].Offset(16*part))
				VEXTRACTF128(Imm(1), r, lane[4+i].Offset(16*part))
			}
		}
		advance(bases, rowBytes())
		ADDQ(I32(8*pointBytes()), a)
	})
	end()
}

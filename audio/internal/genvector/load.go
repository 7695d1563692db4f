package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// load reads samples of W frames, step bytes apart, weighs them by the window and writes them as rows
// of one sample each. n is the number of samples over W. The product with the window is taken before
// the transposition, while W samples of a frame lie side by side as the window does.
func load() {
	begin32("load", "func(dst, src, window *float32, step, n int)")
	dst, src, window, step, n := arg("dst"), arg("src"), arg("window"), arg("step"), arg("n")
	at, bases := lines(src, step, lanes)
	counted("loop", n, func() {
		w := fetch(Mem{Base: window})
		rows := make([]reg.VecVirtual, lanes)
		for i := range rows {
			rows[i] = vec()
			VMULPS(at[i], w, rows[i])
		}
		for i, r := range transpose(rows) {
			VMOVUPS(r, Mem{Base: dst, Disp: i * rowBytes()})
		}
		advance(append(bases, window), rowBytes())
		ADDQ(I32(rowBytes()*lanes), dst)
	})
	end()
}

// storeFrames writes rows of one value each of W frames as W frames, step bytes apart. n is the number of
// values over W.
func storeFrames() {
	begin32("store", "func(dst, src *float32, step, n int)")
	dst, src, step, n := arg("dst"), arg("src"), arg("step"), arg("n")
	at, bases := lines(dst, step, lanes)
	counted("loop", n, func() {
		var rows []reg.VecVirtual
		for i := range lanes {
			rows = append(rows, fetch(Mem{Base: src, Disp: i * rowBytes()}))
		}
		for i, r := range transpose(rows) {
			VMOVUPS(r, at[i])
		}
		ADDQ(I32(rowBytes()*lanes), src)
		advance(bases, rowBytes())
	})
	end()
}

// transpose gives columns for rows, W rows of W values: the 4 × 4 blocks within 128 bits are crossed, then
// they change places, once for 8 lanes, twice for 16.
func transpose(rows []reg.VecVirtual) []reg.VecVirtual {
	rows = crossed(rows)
	if lanes == 8 {
		return exchange(rows, 4, func(a, b, lo, hi reg.VecVirtual) {
			VPERM2F128(U8(0x20), b, a, lo)
			VPERM2F128(U8(0x31), b, a, hi)
		})
	}
	quarters := func(a, b, lo, hi reg.VecVirtual) {
		VSHUFF32X4(U8(0x88), b, a, lo) // quarters 0 and 2 of both
		VSHUFF32X4(U8(0xdd), b, a, hi) // quarters 1 and 3
	}
	return exchange(exchange(rows, 4, quarters), 8, quarters)
}

// crossed transposes the 4 × 4 blocks of each four rows within each 128 bits, which these instructions do
// not leave: pairs of rows one apart are interleaved, then pairs two apart, which leaves the columns in
// the order 0, 2, 1, 3.
func crossed(rows []reg.VecVirtual) []reg.VecVirtual {
	rows = exchange(rows, 1, func(a, b, lo, hi reg.VecVirtual) { VUNPCKLPS(b, a, lo); VUNPCKHPS(b, a, hi) })
	rows = exchange(rows, 2, func(a, b, lo, hi reg.VecVirtual) { VUNPCKLPD(b, a, lo); VUNPCKHPD(b, a, hi) })
	for i := 0; i < len(rows); i += 4 {
		rows[i+1], rows[i+2] = rows[i+2], rows[i+1]
	}
	return rows
}

// exchange works on pairs of rows that stand apart, and puts lo in the place of the first, hi in that
// of the second.
func exchange(rows []reg.VecVirtual, apart int, pair func(a, b, lo, hi reg.VecVirtual)) []reg.VecVirtual {
	out := make([]reg.VecVirtual, len(rows))
	for i := range rows {
		if i&apart != 0 {
			continue
		}
		a, b := rows[i], rows[i+apart]
		lo, hi := vec(), vec()
		pair(a, b, lo, hi)
		out[i], out[i+apart] = lo, hi
	}
	return out
}

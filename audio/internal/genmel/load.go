package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lines gives the addresses of n lines, 8 or 16, that stand step bytes apart, from base on.
func lines(base, step reg.Register, n int) []Mem {
	s3, s5, s7 := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, s3)
	LEAQ(Mem{Base: step, Index: step, Scale: 4}, s5)
	LEAQ(Mem{Base: s3, Index: step, Scale: 4}, s7)
	eight := func(b reg.Register) []Mem {
		return []Mem{{Base: b}, {Base: b, Index: step, Scale: 1}, {Base: b, Index: step, Scale: 2}, {Base: b, Index: s3, Scale: 1},
			{Base: b, Index: step, Scale: 4}, {Base: b, Index: s5, Scale: 1}, {Base: b, Index: s3, Scale: 2}, {Base: b, Index: s7, Scale: 1}}
	}
	all := eight(base)
	if n == 16 {
		upper := GP64()
		LEAQ(Mem{Base: base, Index: step, Scale: 8}, upper)
		all = append(all, eight(upper)...)
	}
	return all
}

// advance moves the lines on.
func (k *kernel) advance(lines []Mem, bytes int) {
	ADDQ(I32(bytes), lines[0].Base)
	if k.lanes == 16 {
		ADDQ(I32(bytes), lines[8].Base)
	}
}

// load reads samples of W frames, step bytes apart, weighs them by the window and writes them as rows
// of one sample each. n is the number of samples over W. The product with the window is taken before
// the transposition, while W samples of a frame lie side by side as the window does.
func (k *kernel) load() {
	k.begin("load", "func(dst, src, window *float32, step, n int)")
	dst, src, window := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("window"), GP64())
	step, n := Load(Param("step"), GP64()), Load(Param("n"), GP64())
	lines := lines(src, step, k.lanes)
	Label("loop")
	w := k.fetch(Mem{Base: window})
	rows := make([]reg.VecPhysical, k.lanes)
	for i := range rows {
		rows[i] = k.take()
		VMULPS(lines[i], w, rows[i])
	}
	k.drop(w)
	rows = k.transpose(rows)
	for i, r := range rows {
		VMOVUPS(r, Mem{Base: dst, Disp: i * k.row()})
	}
	k.drop(rows...)
	k.advance(lines, k.row())
	ADDQ(I32(k.row()), window)
	ADDQ(I32(k.row()*k.lanes), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
}

// store writes rows of one value each of W frames as W frames, step bytes apart. n is the number of
// values over W.
func (k *kernel) store() {
	k.begin("store", "func(dst, src *float32, step, n int)")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	step, n := Load(Param("step"), GP64()), Load(Param("n"), GP64())
	lines := lines(dst, step, k.lanes)
	Label("loop")
	var rows []reg.VecPhysical
	for i := range k.lanes {
		rows = append(rows, k.fetch(Mem{Base: src, Disp: i * k.row()}))
	}
	rows = k.transpose(rows)
	for i, r := range rows {
		VMOVUPS(r, lines[i])
	}
	k.drop(rows...)
	ADDQ(I32(k.row()*k.lanes), src)
	k.advance(lines, k.row())
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
}

// transpose gives columns for rows, W rows of W values. Interleaving pairs of rows one apart, then two
// apart, transposes each 4 × 4 block within 128 bits, which these instructions do not leave; then the
// blocks change places, once for 8 lanes, twice for 16.
func (k *kernel) transpose(rows []reg.VecPhysical) []reg.VecPhysical {
	rows = k.exchange(rows, 1, func(a, b, lo, hi reg.VecPhysical) { VUNPCKLPS(b, a, lo); VUNPCKHPS(b, a, hi) })
	rows = k.exchange(rows, 2, func(a, b, lo, hi reg.VecPhysical) { VUNPCKLPD(b, a, lo); VUNPCKHPD(b, a, hi) })
	// Row i of each 4 holds values of one column now, of columns 0, 2, 1, 3 and, in each further 128
	// bits, of the fourth one on.
	if k.lanes == 8 {
		rows = k.exchange(rows, 4, func(a, b, lo, hi reg.VecPhysical) {
			VPERM2F128(U8(0x20), b, a, lo)
			VPERM2F128(U8(0x31), b, a, hi)
		})
	} else {
		quarters := func(a, b, lo, hi reg.VecPhysical) {
			VSHUFF32X4(U8(0x88), b, a, lo) // quarters 0 and 2 of both
			VSHUFF32X4(U8(0xdd), b, a, hi) // quarters 1 and 3
		}
		rows = k.exchange(k.exchange(rows, 4, quarters), 8, quarters)
	}
	for i := 0; i < k.lanes; i += 4 {
		rows[i+1], rows[i+2] = rows[i+2], rows[i+1]
	}
	return rows
}

// exchange works on pairs of rows that stand apart, and puts lo in the place of the first, hi in that
// of the second.
func (k *kernel) exchange(rows []reg.VecPhysical, apart int, pair func(a, b, lo, hi reg.VecPhysical)) []reg.VecPhysical {
	out := make([]reg.VecPhysical, len(rows))
	for i := range rows {
		if i&apart != 0 {
			continue
		}
		a, b := rows[i], rows[i+apart]
		lo, hi := k.take(), k.take()
		pair(a, b, lo, hi)
		k.drop(a, b)
		out[i], out[i+apart] = lo, hi
	}
	return out
}

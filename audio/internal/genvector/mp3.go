package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mp3 writes the transforms of the MP3 decoder, for 4 lanes of float64. Each lane is a sum of its own, whose
// terms come in the order of the portable code.
func mp3() {
	cosines16()
	cosines18()
	weigh()
}

const rowOf4 = 32 // bytes

// zeros are n registers of zeros: a sum that begins with its first term could end as -0.
func zeros(n int) []reg.VecVirtual {
	var list []reg.VecVirtual
	for range n {
		r := YMM()
		VXORPD(r, r, r)
		list = append(list, r)
	}
	return list
}

// addProducts adds a row of a table times one number to the sums.
func addProducts(sums []reg.VecVirtual, row, x Mem) {
	factor := YMM()
	VBROADCASTSD(x, factor)
	for i, s := range sums {
		t := YMM()
		VMULPD(row.Offset(i*rowOf4), factor, t)
		VADDPD(t, s, s)
	}
}

func storeRows(rows []reg.VecVirtual, to Mem) {
	for i, r := range rows {
		VMOVUPD(r, to.Offset(i*rowOf4))
	}
}

// cosines16 multiplies two matrices of 16 × 16 with a vector each: table has a row of either side by side.
func cosines16() {
	begin("cosines16", "func(dst *[32]float64, table *[16][32]float64, x *[32]float64)", "")
	dst, table, x := arg("dst"), arg("table"), arg("x")
	even, odd := zeros(4), zeros(4)
	n := GP64()
	MOVQ(U32(16), n)
	counted("loop", n, func() {
		addProducts(even, Mem{Base: table}, Mem{Base: x})
		addProducts(odd, Mem{Base: table, Disp: 128}, Mem{Base: x, Disp: 128})
		ADDQ(I32(256), table)
		ADDQ(U8(8), x)
	})
	storeRows(append(even, odd...), Mem{Base: dst})
	end()
}

// cosines18 multiplies a matrix of 18 × 18, whose rows are filled up to 20, with a vector. The terms of even and
// of odd numbers are added up by themselves.
func cosines18() {
	begin("cosines18", "func(dst *[20]float64, table *[18][20]float64, x *[18]float64)", "")
	dst, table, x := arg("dst"), arg("table"), arg("x")
	even, odd := zeros(5), zeros(5)
	n := GP64()
	MOVQ(U32(9), n)
	counted("loop", n, func() {
		addProducts(even, Mem{Base: table}, Mem{Base: x})
		addProducts(odd, Mem{Base: table, Disp: 160}, Mem{Base: x, Disp: 8})
		ADDQ(I32(320), table)
		ADDQ(U8(16), x)
	})
	for i := range even {
		VADDPD(odd[i], even[i], even[i])
	}
	storeRows(even, Mem{Base: dst})
	end()
}

// weigh adds the last 16 vectors of a channel, weighed by the window, to 32 sums. slot is the newest vector.
func weigh() {
	begin("weigh", "func(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int)", "")
	sum, ring, window, slot := arg("sum"), arg("ring"), arg("window"), arg("slot")
	var sums []reg.VecVirtual
	for i := range 8 {
		r := YMM()
		VMOVUPD(Mem{Base: sum, Disp: i * rowOf4}, r)
		sums = append(sums, r)
	}
	n := GP64()
	MOVQ(U32(8), n)
	next := func() (vector reg.GPVirtual) { // the vector at slot, and slot goes on
		vector = GP64()
		MOVQ(slot, vector)
		SHLQ(U8(9), vector) // 64 float64
		ADDQ(ring, vector)
		INCQ(slot)
		ANDQ(U8(15), slot)
		return vector
	}
	counted("loop", n, func() {
		a, b := next(), next()
		for i, s := range sums {
			p, q := YMM(), YMM()
			VMOVUPD(Mem{Base: a, Disp: i * rowOf4}, p)
			VMULPD(Mem{Base: window, Disp: i * rowOf4}, p, p)
			VMOVUPD(Mem{Base: b, Disp: 256 + i*rowOf4}, q)
			VMULPD(Mem{Base: window, Disp: 256 + i*rowOf4}, q, q)
			VADDPD(q, p, p)
			VADDPD(p, s, s)
		}
		ADDQ(I32(512), window)
	})
	storeRows(sums, Mem{Base: sum})
	end()
}

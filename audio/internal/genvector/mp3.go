package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mp3 writes the transforms of the MP3 decoder in float64, for 4 lanes and for 8. Each lane is a sum of its own,
// whose terms come in the order of the portable code.
func mp3() {
	for _, lanes = range []int{8, 16} { // of float32, which are half as long
		writeSigns()
		subbandsLong()
		subbandsShort()
		matrix()
		weigh()
	}
}

const (
	bandRow   = 32 * 8 // bytes of a value of all subbands
	cosineRow = 20 * 8 // bytes of a row of dct18
)

// zeros are n registers of zeros: a sum that begins with its first term could end as -0.
func zeros(n int) []reg.VecVirtual {
	var list []reg.VecVirtual
	for range n {
		r := vec()
		VXORPD(r, r, r)
		list = append(list, r)
	}
	return list
}

// addProduct adds a register times one number in memory to a sum.
func addProduct(sum, x reg.VecVirtual, factor Mem) {
	VADDPD(product64(x, factor), sum, sum)
}

// product64 is a row times one number in memory.
func product64(x reg.VecVirtual, factor Mem) reg.VecVirtual {
	r := vec()
	VBROADCASTSD(factor, r)
	VMULPD(x, r, r)
	return r
}

// begin64 opens a function of the width.
func begin64(name, signature string) { begin(fmt.Sprint(name, lanes/2), signature, "") }

// A bands is what the functions for subbands have in common: those of a register's width are transformed at once.
type bands struct {
	out, x, kept, window reg.GPVirtual
}

func row(base reg.GPVirtual, i int) Mem { return Mem{Base: base, Disp: i * bandRow} }

// give adds what was kept to value i, changes the sign where value and subband are odd, and writes it. minus: v is
// subtracted.
func (b bands) give(i int, v reg.VecVirtual, minus bool) {
	t := fetchD(row(b.kept, i))
	if minus {
		VSUBPD(v, t, t)
	} else {
		VADDPD(v, t, t)
	}
	if i%2 == 1 {
		VXORPD(oddRow, t, t)
	}
	VMOVUPD(t, row(b.out, i))
}

// keep writes value i of the second half.
func (b bands) keep(i int, v reg.VecVirtual, minus bool) {
	if minus {
		VXORPD(allRow, v, v)
	}
	VMOVUPD(v, row(b.kept, i))
}

// each emits the loop over the subbands.
func (b bands) each(body func()) {
	counted("bands", arg("groups"), func() {
		body()
		for _, r := range []reg.GPVirtual{b.out, b.x, b.kept} {
			ADDQ(I32(rowBytes()), r)
		}
	})
}

func newBands() bands {
	return bands{arg("out"), arg("x"), arg("kept"), arg("window")}
}

// subbandsLong is the transform of long blocks: 18 × 18 cosines, the terms of even and of odd numbers added up by
// themselves, and of each sum two windowed values. Six sums at a time are what 16 registers hold.
func subbandsLong() {
	begin64("subbandsLong", "func(out, x, kept *[18][32]float64, table *[18][20]float64, window *[36]float64, groups int)")
	b, table := newBands(), arg("table")
	weight := func(i int) Mem { return Mem{Base: b.window, Disp: 8 * i} }
	b.each(func() {
		for pass, sums := range [3][6]int{{9, 10, 11, 12, 13, 14}, {15, 16, 17, 0, 1, 2}, {3, 4, 5, 6, 7, 8}} {
			even, odd := zeros(6), zeros(6)
			x, cosines, n := GP64(), GP64(), GP64()
			MOVQ(b.x, x)
			MOVQ(table, cosines)
			MOVQ(U32(9), n)
			counted(fmt.Sprint("terms", pass), n, func() {
				for i, list := range [2][]reg.VecVirtual{even, odd} {
					v := fetchD(row(x, i))
					for j, m := range sums {
						addProduct(list[j], v, Mem{Base: cosines, Disp: i*cosineRow + 8*m})
					}
				}
				ADDQ(I32(2*bandRow), x)
				ADDQ(I32(2*cosineRow), cosines)
			})
			for j, m := range sums {
				u := even[j]
				VADDPD(odd[j], u, u)
				if m >= 9 {
					b.give(m-9, product64(u, weight(m-9)), false)
					b.give(26-m, product64(u, weight(26-m)), true)
				} else {
					b.keep(8-m, product64(u, weight(26-m)), true)
					b.keep(9+m, product64(u, weight(27+m)), true)
				}
			}
		}
	})
	end()
}

// subbandsShort is the transform of short blocks: three windows of 6 × 6 cosines, each laid over the one before. The
// sums of a window stand in the place of its lines.
func subbandsShort() {
	begin64("subbandsShort", "func(out, x, kept *[18][32]float64, table *[6][6]float64, window *[36]float64, groups int)")
	b, table := newBands(), arg("table")
	b.each(func() {
		first, n := GP64(), GP64()
		MOVQ(b.x, first)
		MOVQ(U32(3), n)
		counted("windows", n, func() {
			sums := zeros(6)
			x, cosines, k := GP64(), GP64(), GP64()
			MOVQ(first, x)
			MOVQ(table, cosines)
			MOVQ(U32(6), k)
			counted("terms", k, func() {
				v := fetchD(Mem{Base: x})
				for m, s := range sums {
					addProduct(s, v, Mem{Base: cosines, Disp: 8 * 6 * m})
				}
				ADDQ(I32(3*bandRow), x)
				ADDQ(U8(8), cosines)
			})
			for m, s := range sums {
				VMOVUPD(s, row(first, 3*m))
			}
			ADDQ(I32(bandRow), first)
		})
		for i := range 36 {
			y := zeros(1)[0]
			for n := range 3 {
				q := i - 6 - 6*n // a window's value
				if q < 0 || q > 11 {
					continue
				}
				m, minus := 3+q, false
				if q >= 3 {
					m, minus = max(8-q, q-9), true
				}
				p := product64(fetchD(row(b.x, 3*m+n)), Mem{Base: b.window, Disp: 8 * q})
				if minus {
					VSUBPD(p, y, y)
				} else {
					VADDPD(p, y, y)
				}
			}
			if i < 18 {
				b.give(i, y, false)
			} else {
				b.keep(i-18, y, false)
			}
		}
	})
	end()
}

// reversed is a row from its last value to the first.
func reversed(x reg.VecVirtual, order reg.VecVirtual) reg.VecVirtual {
	r := vec()
	if lanes == 8 {
		VPERMPD(U8(0x1b), x, r)
	} else {
		VPERMPD(x, order, r)
	}
	return r
}

// indices is a row of numbers of lanes, of 8 lanes only.
func indices(name string, of func(i int) int) reg.VecVirtual {
	if lanes == 8 {
		return nil
	}
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(of(i)))
	}
	return fetchD(m)
}

// matrix makes the 64 values of a step of the synthesis of 32 subbands: sums and differences of both ends, 16 × 16
// cosines each, whose sums by turns are c[0] to c[31]; then c[16] to c[31], 0, -c[31] to -c[0], and -c[1] on.
func matrix() {
	begin64("matrix", "func(v *[64]float64, table *[16][32]float64, x *[32]float64)")
	v, table, x := arg("v"), arg("table"), arg("x")
	per := lanes / 2 // values a row
	rows := 16 / per
	order := indices("reverse", func(i int) int { return 7 - i })
	local := AllocLocal(256)
	for i := range rows {
		a := fetchD(Mem{Base: x, Disp: 8 * per * i})
		b := reversed(fetchD(Mem{Base: x, Disp: 8 * (32 - per*(i+1))}), order)
		t := vec()
		VADDPD(b, a, t)
		VMOVUPD(t, local.Offset(8*per*i))
		VSUBPD(b, a, a)
		VMOVUPD(a, local.Offset(128+8*per*i))
	}
	even, odd := zeros(rows), zeros(rows)
	at, n := GP64(), GP64()
	LEAQ(local, at)
	MOVQ(U32(16), n)
	counted("loop", n, func() {
		for half, list := range [2][]reg.VecVirtual{even, odd} {
			f := vec()
			VBROADCASTSD(Mem{Base: at, Disp: 128 * half}, f)
			for i, s := range list {
				t := vec()
				VMULPD(Mem{Base: table, Disp: 128*half + i*rowBytes()}, f, t)
				VADDPD(t, s, s)
			}
		}
		ADDQ(I32(256), table)
		ADDQ(U8(8), at)
	})
	spreadOut(v, even, odd, order)
	end()
}

// spreadOut writes the 64 values of the sums of even and odd numbers.
func spreadOut(v reg.GPVirtual, even, odd []reg.VecVirtual, order reg.VecVirtual) {
	low, high := indices("byTurns", func(i int) int { return i/2 + i%2*8 }), indices("byTurnsAbove", func(i int) int { return 4 + i/2 + i%2*8 })
	var c []reg.VecVirtual
	for i := range even {
		a, b := vec(), vec()
		if lanes == 8 {
			p, q := vec(), vec()
			VUNPCKLPD(odd[i], even[i], p)
			VUNPCKHPD(odd[i], even[i], q)
			VPERM2F128(U8(0x20), q, p, a)
			VPERM2F128(U8(0x31), q, p, b)
		} else {
			VMOVAPD(low, a)
			VPERMI2PD(odd[i], even[i], a)
			VMOVAPD(high, b)
			VPERMI2PD(odd[i], even[i], b)
		}
		c = append(c, a, b)
	}
	per := lanes / 2
	for i, r := range c {
		first := per * i // the number of its first value
		if first >= 16 {
			VMOVUPD(r, Mem{Base: v, Disp: 8 * (first - 16)})
		}
		VXORPD(allRow, r, r)
		if first < 16 {
			VMOVUPD(r, Mem{Base: v, Disp: 8 * (48 + first)})
		}
		VMOVUPD(reversed(r, order), Mem{Base: v, Disp: 8 * (48 - first - per + 1)})
	}
	MOVQ(U32(0), Mem{Base: v, Disp: 8 * 16})
}

// weigh adds the last 16 vectors of a channel, weighed by the window, to 32 sums. slot is the newest vector.
func weigh() {
	begin64("weigh", "func(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int)")
	sum, ring, window, slot := arg("sum"), arg("ring"), arg("window"), arg("slot")
	var sums []reg.VecVirtual
	for i := range 64 / lanes {
		sums = append(sums, fetchD(Mem{Base: sum, Disp: i * rowBytes()}))
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
			p, q := fetchD(Mem{Base: a, Disp: i * rowBytes()}), fetchD(Mem{Base: b, Disp: 256 + i*rowBytes()})
			VMULPD(Mem{Base: window, Disp: i * rowBytes()}, p, p)
			VMULPD(Mem{Base: window, Disp: 256 + i*rowBytes()}, q, q)
			VADDPD(q, p, p)
			VADDPD(p, s, s)
		}
		ADDQ(I32(512), window)
	})
	for i, s := range sums {
		VMOVUPD(s, Mem{Base: sum, Disp: i * rowBytes()})
	}
	end()
}

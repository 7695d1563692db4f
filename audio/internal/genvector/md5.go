package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// md5Turns are the rotations of the four rounds of MD5 (RFC 1321, 3.4), which come again every four steps.
var md5Turns = [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}

// md5 writes digest8 and digest16, which take n blocks of 64 bytes, one after the other, into each of W sums. A step
// of MD5 waits for the one before it, so that W sums take little longer than one. state holds W times a, then b, c
// and d, then room for the words of a block; block k of a sum is at its address in at, 64k bytes on.
func md5() {
	constants := GLOBL("sines", RODATA|NOPTR)
	for i := range 64 {
		DATA(4*i, U32(uint32(math.Floor(math.Abs(math.Sin(float64(i+1)))*(1<<32)))))
	}
	for _, lanes = range []int{8, 16} {
		digest(constants)
	}
}

// digest writes the function of one width.
func digest(constants Mem) {
	begin(fmt.Sprint("digest", lanes), "func(state *uint32, at **byte, n int)", "")
	state, at, n, offset := arg("state"), arg("at"), arg("n"), GP64()
	words := Mem{Base: state, Disp: 4 * rowBytes()}
	XORQ(offset, offset)
	ones := vec()
	if lanes == 8 {
		VPCMPEQD(ones, ones, ones)
	}
	v := [4]reg.VecVirtual{}
	for i := range v {
		v[i] = fetch(Mem{Base: state, Disp: rowBytes() * i})
	}
	counted("loop", n, func() {
		for part := range 16 / lanes {
			var rows []reg.VecVirtual
			for i := range lanes {
				p := GP64()
				MOVQ(Mem{Base: at, Disp: 8 * i}, p)
				rows = append(rows, fetch(Mem{Base: p, Index: offset, Scale: 1, Disp: rowBytes() * part}))
			}
			for i, r := range transpose(rows) {
				VMOVUPS(r, words.Offset((lanes*part+i)*rowBytes()))
			}
		}
		for i := range 64 {
			md5Step(i, v[(64-i)%4], v[(65-i)%4], v[(66-i)%4], v[(67-i)%4], ones, constants, words)
		}
		for i, x := range v {
			at := Mem{Base: state, Disp: rowBytes() * i}
			VPADDD(at, x, x)
			VMOVUPS(x, at)
		}
		ADDQ(U8(64), offset)
	})
	end()
}

// md5Step writes one of the 64 steps on a block: a + f(b, c, d) + word + constant, turned, and b is added. The sums
// that do not need b, the youngest of them, stand first.
func md5Step(i int, a, b, c, d, ones reg.VecVirtual, constants, words Mem) {
	round := i / 16
	word := [4]int{i, 5*i + 1, 3*i + 5, 7 * i}[round] % 16
	k, f := vec(), vec()
	VPBROADCASTD(constants.Offset(4*i), k)
	VPADDD(words.Offset(rowBytes()*word), k, k)
	VPADDD(k, a, a)
	turn := md5Turns[round][i%4]
	if lanes == 16 { // the tables of the four functions, by the bits of b, c and d
		VMOVAPS(b, f)
		VPTERNLOGD(U8([4]int{0xca, 0xe4, 0x96, 0x39}[round]), d, c, f)
		VPADDD(f, a, a)
		VPROLD(U8(turn), a, a)
		VPADDD(b, a, a)
		return
	}
	switch round {
	case 0: // b and c, or not b and d
		VPXOR(c, d, f)
		VPAND(b, f, f)
		VPXOR(d, f, f)
	case 1: // d and b, or not d and c, of which no bit is in both
		VPANDN(c, d, f)
		VPADDD(f, a, a)
		f = YMM()
		VPAND(b, d, f)
	case 2:
		VPXOR(c, d, f)
		VPXOR(b, f, f)
	case 3: // c, turned over where b is or d is not
		VPXOR(ones, d, f)
		VPOR(b, f, f)
		VPXOR(c, f, f)
	}
	VPADDD(f, a, a)
	high := YMM()
	VPSLLD(U8(turn), a, high)
	VPSRLD(U8(32-turn), a, a)
	VPOR(high, a, a)
	VPADDD(b, a, a)
}

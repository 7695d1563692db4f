package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The state's words are v, in which the chaining value has the first eight, the message's are m. A register holds one word of
// all 16 inputs.
var (
	v = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15}
	m = []reg.VecPhysical{reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23,
		reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
)

// The initial value is SHA-256's (BLAKE3, table 1), and the words of the message move by the permutation of table 2 after each
// round but the last.
var (
	initial     = []uint32{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19}
	permutation = []int{2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8}
)

const rounds = 7

func main() {
	ConstraintExpr("amd64")
	iv := GLOBL("sumInitial", RODATA|NOPTR)
	for i, w := range initial {
		DATA(4*i, U32(w))
	}
	compress(iv)
	Generate()
}

func compress(iv Mem) {
	TEXT("compress16", NOSPLIT, "func(out *[16][8]uint32, in *byte, stride, blocks int, counters *[16]uint32, flags *[16]uint32, last uint32)")
	in, stride := Load(Param("in"), GP64()), Load(Param("stride"), GP64())
	blocks := Load(Param("blocks"), GP64())
	counters, flags := Load(Param("counters"), GP64()), Load(Param("flags"), GP64())
	last, length := Load(Param("last"), GP32()), GP32()
	for i := range 8 {
		VPBROADCASTD(iv.Offset(4*i), v[i])
	}
	Label("block")
	message(in, stride)
	for i := range 4 {
		VPBROADCASTD(iv.Offset(4*i), v[8+i])
	}
	MOVL(U32(64), length)
	CMPQ(blocks, U8(1))
	CMOVLEQ(last, length)
	VMOVDQU32(Mem{Base: counters}, v[12])
	VPXORD(v[13], v[13], v[13]) // the upper half of the counters
	VPBROADCASTD(length, v[14])
	VPBROADCASTD(Mem{Base: flags}, v[15])
	order := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	for range rounds {
		round(order)
		next := make([]int, len(order))
		for i, from := range permutation {
			next[i] = order[from]
		}
		order = next
	}
	for i := range 8 {
		VPXORD(v[8+i], v[i], v[i])
	}
	ADDQ(U8(64), in)
	ADDQ(U8(4), flags)
	DECQ(blocks)
	JNE(LabelRef("block"))
	out := Load(Param("out"), GP64())
	results(Mem{Base: out})
	VZEROUPPER()
	RET()
}

// message brings the next 64 bytes of each input into m: 16 rows of 16 words become 16 columns. v[8] and on are free.
func message(in, stride reg.Register) {
	row := GP64()
	MOVQ(in, row)
	for g := range 4 {
		for i := range 4 {
			VMOVDQU32(Mem{Base: row}, v[8+i])
			if g < 3 || i < 3 {
				ADDQ(stride, row)
			}
		}
		quarters(v[8:12], v[12:16], m[4*g:4*g+4])
	}
	// Now lane l of m[4g+j] has word 4l+j of inputs 4g to 4g+3.
	for j := range 4 {
		a, b, c, d := m[j], m[4+j], m[8+j], m[12+j]
		const even, odd = 0x88, 0xDD
		VSHUFI32X4(U8(even), b, a, v[8])
		VSHUFI32X4(U8(odd), b, a, v[9])
		VSHUFI32X4(U8(even), d, c, v[10])
		VSHUFI32X4(U8(odd), d, c, v[11])
		VSHUFI32X4(U8(even), v[10], v[8], a)
		VSHUFI32X4(U8(even), v[11], v[9], b)
		VSHUFI32X4(U8(odd), v[10], v[8], c)
		VSHUFI32X4(U8(odd), v[11], v[9], d)
	}
}

// quarters transposes four rows by four words within each lane.
func quarters(rows, free, to []reg.VecPhysical) {
	VPUNPCKLDQ(rows[1], rows[0], free[0])
	VPUNPCKHDQ(rows[1], rows[0], free[1])
	VPUNPCKLDQ(rows[3], rows[2], free[2])
	VPUNPCKHDQ(rows[3], rows[2], free[3])
	VPUNPCKLQDQ(free[2], free[0], to[0])
	VPUNPCKHQDQ(free[2], free[0], to[1])
	VPUNPCKLQDQ(free[3], free[1], to[2])
	VPUNPCKHQDQ(free[3], free[1], to[3])
}

// round mixes the columns of the state, then its diagonals. Four of either do not touch each other, and stand step by step side by
// side, so that none waits for itself.
func round(order []int) {
	for half := range 2 {
		var g [4][4]reg.VecPhysical
		for i := range g {
			for row := range 4 {
				g[i][row] = v[4*row+(i+half*row)%4]
			}
		}
		word := func(i, n int) reg.VecPhysical { return m[order[8*half+2*i+n]] }
		step := func(n int, right1, right2 uint64) {
			each := func(do func(i int, a, b, c, d reg.VecPhysical)) {
				for i, w := range g {
					do(i, w[0], w[1], w[2], w[3])
				}
			}
			each(func(i int, a, b, c, d reg.VecPhysical) { VPADDD(word(i, n), a, a) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPADDD(b, a, a) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPXORD(a, d, d) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPRORD(U8(right1), d, d) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPADDD(d, c, c) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPXORD(c, b, b) })
			each(func(i int, a, b, c, d reg.VecPhysical) { VPRORD(U8(right2), b, b) })
		}
		step(0, 16, 12)
		step(1, 8, 7)
	}
}

// results writes the chaining values, eight words of each input.
func results(out Mem) {
	quarters(v[0:4], v[8:12], m[0:4])
	quarters(v[4:8], v[8:12], m[4:8])
	// Lane l of m[k] has the first four words of input 4l+k, of m[4+k] the others.
	for l := range 4 {
		for k := range 4 {
			VEXTRACTI32X4(U8(uint64(l)), m[k], out.Offset(32*(4*l+k)))
			VEXTRACTI32X4(U8(uint64(l)), m[4+k], out.Offset(32*(4*l+k)+16))
		}
	}
}

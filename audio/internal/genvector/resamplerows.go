package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sumRows emits the sums of rows, 8 outputs at a time, for a number of taps, or for any multiple of 8
// when that is 0. The 8 partial sums of an output are the lanes of one register. Four outputs are
// summed side by side, so that an addition need not wait for the one before it.
func sumRows(taps int) {
	name := "sumRowsAVX2"
	if taps > 0 {
		name = fmt.Sprintf("sumRows%dAVX2", taps)
	}
	begin(name, "func(dst, x, rows *float32, at *int32, groups, taps int)",
		fmt.Sprintf("%s is sumRowsPortable for groups of 8 outputs.", name))
	dst, x, row, at, groups := arg("dst"), arg("x"), arg("rows"), arg("at"), arg("groups")
	var length, length3 reg.GPVirtual
	if taps == 0 {
		length, length3 = arg("taps"), GP64()
		SHLQ(Imm(2), length)
		LEAQ(Mem{Base: length, Index: length, Scale: 2}, length3)
	}
	first := GP64()
	MOVLQSX(Mem{Base: at}, first)
	SHLQ(Imm(2), first)
	SUBQ(first, x)
	counted("group", groups, func() {
		var sums [8]reg.VecVirtual
		for half := range 2 {
			var in [4]reg.GPVirtual
			for o := range in {
				in[o] = GP64()
				MOVLQSX(Mem{Base: at, Disp: 4 * (4*half + o)}, in[o])
				sums[4*half+o] = YMM()
			}
			if taps > 0 {
				sumFixed(sums[4*half:][:4], in, x, row, taps, 4*half)
			} else {
				sumAny(fmt.Sprintf("half%d", half), sums[4*half:][:4], in, x, row, length, length3)
			}
		}
		VMOVUPS(added(sums), Mem{Base: dst})
		ADDQ(I32(rowBytes()), dst)
		ADDQ(I32(rowBytes()), at)
		if taps > 0 {
			ADDQ(U32(8*4*taps), row)
		}
	})
	end()
}

// sumFixed emits four sums whose rows have a known length; first is the number of the first row.
func sumFixed(sums []reg.VecVirtual, in [4]reg.GPVirtual, x, row reg.Register, taps, first int) {
	product, zero := YMM(), YMM()
	VXORPS(zero, zero, zero)
	for o, sum := range sums {
		for k := 0; k < 4*taps; k += rowBytes() {
			VMOVUPS(Mem{Base: row, Disp: (first+o)*4*taps + k}, product)
			VMULPS(Mem{Base: x, Index: in[o], Scale: 4, Disp: k}, product, product)
			if k == 0 {
				VADDPS(product, zero, sum)
			} else {
				VADDPS(product, sum, sum)
			}
		}
	}
}

// sumAny emits four sums of any length, and leaves row after the fourth of their rows.
func sumAny(label string, sums []reg.VecVirtual, in [4]reg.GPVirtual, x, row, length, length3 reg.GPVirtual) {
	product := YMM()
	for o, sum := range sums {
		LEAQ(Mem{Base: x, Index: in[o], Scale: 4}, in[o])
		VXORPS(sum, sum, sum)
	}
	k := GP64()
	XORQ(k, k)
	Label(label)
	rows := [4]Mem{{Base: row}, {Base: row, Index: length, Scale: 1}, {Base: row, Index: length, Scale: 2},
		{Base: row, Index: length3, Scale: 1}}
	for o, m := range rows {
		VMOVUPS(m, product)
		VMULPS(Mem{Base: in[o], Index: k, Scale: 1}, product, product)
		VADDPS(product, sums[o], sums[o])
	}
	ADDQ(I32(rowBytes()), row)
	ADDQ(I32(rowBytes()), k)
	CMPQ(k, length)
	JLT(LabelRef(label))
	ADDQ(length3, row)
}

// added is ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) of each register, as addSums takes it: VHADDPS
// adds neighbours within each half, so that two rounds leave the sums of the lower and of the upper
// four lanes of all registers, which the last addition joins.
func added(sums [8]reg.VecVirtual) reg.VecVirtual {
	for step := 1; step < 4; step *= 2 {
		for i := 0; i < 8; i += 2 * step {
			VHADDPS(sums[i+step], sums[i], sums[i])
		}
	}
	low, high := YMM(), YMM()
	VPERM2F128(Imm(0x20), sums[4], sums[0], low)
	VPERM2F128(Imm(0x31), sums[4], sums[0], high)
	VADDPS(high, low, low)
	return low
}

// blendRows emits the sums of rows between rows, 8 outputs at a time, for a number of taps, or for any
// multiple of 8 when that is 0.
func blendRows(taps int) {
	name := "blendRowsAVX2"
	if taps > 0 {
		name = fmt.Sprintf("blendRows%dAVX2", taps)
	}
	begin(name, "func(dst, x, rows *float32, at, row *int32, part *float32, groups, taps int)",
		fmt.Sprintf("%s is blendRowsPortable for groups of 8 outputs.", name))
	dst, x, rows, at, row := arg("dst"), arg("x"), arg("rows"), arg("at"), arg("row")
	part, groups, length := arg("part"), arg("groups"), arg("taps")
	SHLQ(Imm(2), length)
	counted("group", groups, func() {
		var sums [8]reg.VecVirtual
		for o := range sums {
			in, this := GP64(), GP64()
			MOVLQSX(Mem{Base: at, Disp: 4 * o}, in)
			LEAQ(Mem{Base: x, Index: in, Scale: 4}, in)
			MOVLQSX(Mem{Base: row, Disp: 4 * o}, this)
			IMULQ(length, this)
			ADDQ(rows, this)
			a, b, factor := YMM(), YMM(), YMM()
			sums[o] = YMM()
			VBROADCASTSS(Mem{Base: part, Disp: 4 * o}, factor)
			VXORPS(sums[o], sums[o], sums[o])
			step := func(here, next, sample Mem) {
				VMOVUPS(here, a)
				VMOVUPS(next, b)
				VSUBPS(a, b, b)
				VMULPS(factor, b, b)
				VADDPS(b, a, a)
				VMULPS(sample, a, a)
				VADDPS(a, sums[o], sums[o])
			}
			if taps > 0 {
				for k := 0; k < 4*taps; k += rowBytes() {
					step(Mem{Base: this, Disp: k}, Mem{Base: this, Disp: 4*taps + k}, Mem{Base: in, Disp: k})
				}
				continue
			}
			k := GP64()
			XORQ(k, k)
			label := fmt.Sprintf("output%d", o)
			Label(label)
			step(Mem{Base: this}, Mem{Base: this, Index: length, Scale: 1}, Mem{Base: in, Index: k, Scale: 1})
			ADDQ(I32(rowBytes()), this)
			ADDQ(I32(rowBytes()), k)
			CMPQ(k, length)
			JLT(LabelRef(label))
		}
		VMOVUPS(added(sums), Mem{Base: dst})
		ADDQ(I32(rowBytes()), dst)
		ADDQ(I32(rowBytes()), at)
		ADDQ(I32(rowBytes()), row)
		ADDQ(I32(rowBytes()), part)
	})
	end()
}

// planRows emits the plan of outputs, 8 at a time in integers and 4 at a time in float64. Float64 holds
// every product phase × scale as the portable code has it; the conversion to an integer cuts off, as
// Go's does. A phase that has reached up goes back by it: passed is -1 there, so that taking it away
// adds 1 to the sample.
func planRows() {
	begin("planRowsAVX2",
		"func(at, row *int32, part *float32, phase, begin *int32, scale *float64, groups int, up, step, steps int32)",
		"planRowsAVX2 is planRowsPortable.")
	at, row, part := arg("at"), arg("row"), arg("part")
	phase, begin, scale := YMM(), YMM(), YMM()
	VMOVDQU(Mem{Base: arg("phase")}, phase)
	VMOVDQU(Mem{Base: arg("begin")}, begin)
	VBROADCASTSD(Mem{Base: arg("scale")}, scale)
	groups := arg("groups")
	everywhere := func(name string) reg.VecVirtual {
		r, v := GP32(), YMM()
		Load(Param(name), r)
		VMOVD(r, v.AsX())
		VPBROADCASTD(v.AsX(), v)
		return v
	}
	up, step, steps := everywhere("up"), everywhere("step"), everywhere("steps")
	last, one := YMM(), YMM() // up - 1, and -1
	VPCMPEQD(one, one, one)
	VPADDD(one, up, last)
	counted("plan", groups, func() {
		VMOVDQU(begin, Mem{Base: at})
		half := phase.AsX()
		for i := range 2 {
			if i == 1 {
				half = XMM()
				VEXTRACTI128(Imm(1), phase, half)
			}
			place, whole, rows := YMM(), YMM(), XMM()
			VCVTDQ2PD(half, place)
			VMULPD(scale, place, place)
			VCVTTPD2DQY(place, rows)
			VMOVDQU(rows, Mem{Base: row, Disp: 16 * i})
			VCVTDQ2PD(rows, whole)
			VSUBPD(whole, place, place)
			VCVTPD2PSY(place, rows)
			VMOVUPS(rows, Mem{Base: part, Disp: 16 * i})
		}
		passed, back := YMM(), YMM()
		VPADDD(step, phase, phase)
		VPADDD(steps, begin, begin)
		VPCMPGTD(last, phase, passed)
		VPAND(up, passed, back)
		VPSUBD(back, phase, phase)
		VPSUBD(passed, begin, begin)
		ADDQ(I32(rowBytes()), at)
		ADDQ(I32(rowBytes()), row)
		ADDQ(I32(rowBytes()), part)
	})
	end()
}

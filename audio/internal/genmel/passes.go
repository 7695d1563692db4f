package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// complex is a point in two registers.
type complex struct{ r, i reg.VecPhysical }

func (k *kernel) point2(m Mem) complex { return complex{k.fetch(m), k.fetch(m.Offset(k.row()))} }

// put stores a point and makes its registers free.
func (k *kernel) put(c complex, m Mem) {
	VMOVUPS(c.r, m)
	VMOVUPS(c.i, m.Offset(k.row()))
	k.drop(c.r, c.i)
}

// turned stores output q of a butterfly, turned by its twiddle where there are twiddles.
func (k *kernel) turned(c complex, m Mem, twiddles reg.Register, q int) {
	if twiddles != nil && q > 0 {
		k.turn(&c.r, &c.i, Mem{Base: twiddles, Disp: 8 * (q - 1)})
	}
	k.put(c, m)
}

func (k *kernel) plus(a, b complex) complex  { return complex{k.add(a.r, b.r), k.add(a.i, b.i)} }
func (k *kernel) minus(a, b complex) complex { return complex{k.sub(a.r, b.r), k.sub(a.i, b.i)} }

// crossed is a ∓ i·b: (a.r + b.i, a.i - b.r) and (a.r - b.i, a.i + b.r).
func (k *kernel) crossed(a, b complex) (complex, complex) {
	return complex{k.add(a.r, b.i), k.sub(a.i, b.r)}, complex{k.sub(a.r, b.i), k.add(a.i, b.r)}
}

// even writes the outputs 0, 4, 2, 6 of 8 points (or 0, 2, 1, 3 of 4) from the sums s, whose registers
// it makes free. The names t0 to t3 are those of fft32.go.
func (k *kernel) even(s [4]complex, out func(c complex, q int), q [4]int) {
	for i := range 2 {
		k.sumDif(&s[i].r, &s[i+2].r)
		k.sumDif(&s[i].i, &s[i+2].i)
	}
	k.sumDif(&s[0].r, &s[1].r) // t0 ± t2
	k.sumDif(&s[0].i, &s[1].i)
	out(s[0], q[0])
	out(s[1], q[1])
	a, b := k.crossed(s[2], s[3]) // t1 ∓ i·t3
	k.drop(s[2].r, s[2].i, s[3].r, s[3].i)
	out(a, q[2])
	out(b, q[3])
}

// odd writes the outputs 1, 5, 3, 7 from the differences d, whose registers it makes free. d1 and d3
// are turned by an eighth, as sums and differences times √½, in the order of fft32.go: a product rounds
// otherwise than a sum of products.
func (k *kernel) odd(d [4]complex, out func(c complex, q int)) {
	root := k.broadcast(sqrtHalf)
	for _, i := range []int{1, 3} {
		sum := k.add(d[i].r, d[i].i)
		if i == 1 {
			VSUBPS(d[i].r, d[i].i, d[i].r) // d1i - d1r
			VMULPS(root, sum, sum)
			VMULPS(root, d[i].r, d[i].r)
			k.drop(d[i].i)
			d[i] = complex{sum, d[i].r}
		} else {
			VSUBPS(d[i].r, d[i].i, d[i].r) // d3i - d3r
			VMULPS(root, d[i].r, d[i].r)
			VMULPS(root, sum, sum)
			k.drop(d[i].i)
			d[i] = complex{d[i].r, sum} // e3i with its sign turned
		}
	}
	k.drop(root)
	// u2, u3 in the places of e1, e3.
	k.sumDif(&d[1].r, &d[3].r)
	sum := k.add(d[1].i, d[3].i)
	VSUBPS(d[3].i, d[1].i, d[1].i)
	k.drop(d[3].i)
	d[3].i = sum
	u0, u1 := k.crossed(d[0], d[2])
	k.drop(d[0].r, d[0].i, d[2].r, d[2].i)
	k.sumDif(&u0.r, &d[1].r)
	k.sumDif(&u0.i, &d[1].i)
	out(u0, 1)
	out(d[1], 5)
	a, b := k.crossed(u1, d[3])
	k.drop(u1.r, u1.i, d[3].r, d[3].i)
	out(a, 3)
	out(b, 7)
}

// sqrtHalf is sqrtHalf32 of the portable code.
var sqrtHalf Mem

// butterfly8 transforms 8 points in place. Registers of 8 lanes are too few for it: the differences
// wait on the stack.
func (k *kernel) butterfly8(at []Mem, stack Mem, twiddles reg.Register) {
	out := func(c complex, q int) { k.turned(c, at[q], twiddles, q) }
	var s, d [4]complex
	for i := range 4 {
		a, b := k.point2(at[i]), k.point2(at[i+4])
		s[i], d[i] = k.plus(a, b), complex{a.r, a.i}
		VSUBPS(b.r, a.r, a.r)
		VSUBPS(b.i, a.i, a.i)
		k.drop(b.r, b.i)
		if k.lanes == 8 {
			k.put(d[i], stack.Offset(i*k.point()))
		}
	}
	k.even(s, out, [4]int{0, 4, 2, 6})
	if k.lanes == 8 {
		for i := range d {
			d[i] = k.point2(stack.Offset(i * k.point()))
		}
	}
	k.odd(d, out)
}

// radix8 is pass32.radix8: apart butterflies whose points stand apart points apart.
func (k *kernel) radix8() {
	k.begin("radix8x", "func(z, twiddles *float32, apart int)")
	stack := k.local()
	z, twiddles, apart := Load(Param("z"), GP64()), Load(Param("twiddles"), GP64()), Load(Param("apart"), GP64())
	step := GP64()
	MOVQ(apart, step)
	IMUL3Q(I32(k.point()), step, step)
	at := lines(z, step, 8)
	Label("loop")
	k.butterfly8(at, stack, twiddles)
	ADDQ(I32(k.point()), z)
	ADDQ(I32(14*4), twiddles)
	DECQ(apart)
	JNZ(LabelRef("loop"))
	k.end()
}

// last8 is last8 for n blocks of 8 points side by side.
func (k *kernel) last8() {
	k.begin("last8x", "func(z *float32, n int)")
	stack := k.local()
	z, n := Load(Param("z"), GP64()), Load(Param("n"), GP64())
	var at []Mem
	for i := range 8 {
		at = append(at, Mem{Base: z, Disp: i * k.point()})
	}
	Label("loop")
	k.butterfly8(at, stack, nil)
	ADDQ(I32(8*k.point()), z)
	DECQ(n)
	JNZ(LabelRef("loop"))
	k.end()
}

// local is the room on the stack for the four differences of butterfly8; registers of 16 lanes are 32,
// which are enough.
func (k *kernel) local() Mem {
	if k.lanes == 8 {
		return AllocLocal(4 * k.point())
	}
	return Mem{}
}

// radix4 is pass32.radix4.
func (k *kernel) radix4() {
	k.begin("radix4x", "func(z, twiddles *float32, apart int)")
	z, twiddles, apart := Load(Param("z"), GP64()), Load(Param("twiddles"), GP64()), Load(Param("apart"), GP64())
	step := GP64()
	MOVQ(apart, step)
	IMUL3Q(I32(k.point()), step, step)
	at := lines(z, step, 8)[:4]
	Label("loop")
	var s [4]complex
	for i := range s {
		s[i] = k.point2(at[i])
	}
	k.even(s, func(c complex, q int) { k.turned(c, at[q], twiddles, q) }, [4]int{0, 2, 1, 3})
	ADDQ(I32(k.point()), z)
	ADDQ(I32(6*4), twiddles)
	DECQ(apart)
	JNZ(LabelRef("loop"))
	k.end()
}

// radix2 is pass32.radix2.
func (k *kernel) radix2() {
	k.begin("radix2x", "func(z, twiddles *float32, apart int)")
	z, twiddles, apart := Load(Param("z"), GP64()), Load(Param("twiddles"), GP64()), Load(Param("apart"), GP64())
	step := GP64()
	MOVQ(apart, step)
	IMUL3Q(I32(k.point()), step, step)
	at := []Mem{{Base: z}, {Base: z, Index: step, Scale: 1}}
	Label("loop")
	a, b := k.point2(at[0]), k.point2(at[1])
	k.sumDif(&a.r, &b.r)
	k.sumDif(&a.i, &b.i)
	k.put(a, at[0])
	k.turned(b, at[1], twiddles, 1)
	ADDQ(I32(k.point()), z)
	ADDQ(I32(2*4), twiddles)
	DECQ(apart)
	JNZ(LabelRef("loop"))
	k.end()
}

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sqrtHalf is sqrtHalf32 of the portable code.
var sqrtHalf Mem

// begin32 opens a function of the mel for the width; its stubs are written by hand, for types of their own.
func begin32(name, signature string) { begin(fmt.Sprint(name, lanes), signature, "") }

// even writes the outputs 0, 4, 2, 6 of 8 points (or 0, 2, 1, 3 of 4) from the sums s. The names t0 to t3
// are those of fft32.go.
func even(s [4]complexRow, out func(c complexRow, q int), q [4]int) {
	t0, t1 := add(s[0], s[2]), sub(s[0], s[2])
	t2, t3 := add(s[1], s[3]), sub(s[1], s[3])
	out(add(t0, t2), q[0])
	out(sub(t0, t2), q[1])
	out(subTurned(t1, t3), q[2])
	out(addTurned(t1, t3), q[3])
}

// odd writes the outputs 1, 5, 3, 7 from the differences d. d1 and d3 are turned by an eighth, as sums and
// differences times √½, in the order of fft32.go: a product rounds otherwise than a sum of products.
func odd(d [4]complexRow, out func(c complexRow, q int)) {
	root := broadcast(sqrtHalf)
	e1 := complexRow{product(sum(d[1].re, d[1].im), root), product(difference(d[1].im, d[1].re), root)}
	// The imaginary part of e3 has its sign turned.
	e3 := complexRow{product(difference(d[3].im, d[3].re), root), product(sum(d[3].re, d[3].im), root)}
	u0, u1 := subTurned(d[0], d[2]), addTurned(d[0], d[2])
	u2 := complexRow{sum(e1.re, e3.re), difference(e1.im, e3.im)}
	u3 := complexRow{difference(e1.re, e3.re), sum(e1.im, e3.im)}
	out(add(u0, u2), 1)
	out(sub(u0, u2), 5)
	out(subTurned(u1, u3), 3)
	out(addTurned(u1, u3), 7)
}

// butterfly transforms n points; out gets them, in the order in which they are ready. 16 registers of 8
// lanes are too few for 8 points: the differences wait on the stack.
func butterfly(n int, at []Mem, stack Mem, out func(c complexRow, q int)) {
	var s, d [4]complexRow
	switch n {
	case 2:
		a, b := fetchPoint(at[0]), fetchPoint(at[1])
		out(add(a, b), 0)
		out(sub(a, b), 1)
	case 4:
		for i := range s {
			s[i] = fetchPoint(at[i])
		}
		even(s, out, [4]int{0, 2, 1, 3})
	case 8:
		for i := range s {
			a, b := fetchPoint(at[i]), fetchPoint(at[i+4])
			s[i], d[i] = add(a, b), sub(a, b)
			if lanes == 8 {
				store(d[i], stack.Offset(i*pointBytes()))
			}
		}
		even(s, out, [4]int{0, 4, 2, 6})
		for i := 0; i < 4 && lanes == 8; i++ {
			d[i] = fetchPoint(stack.Offset(i * pointBytes()))
		}
		odd(d, out)
	}
}

// turned stores the outputs of a butterfly, all but the first turned by their twiddles.
func turned(at []Mem, twiddles Mem) func(c complexRow, q int) {
	return func(c complexRow, q int) {
		if q > 0 {
			c = turn(c, twiddles.Offset(8*(q-1)))
		}
		store(c, at[q])
	}
}

// radix is pass32.radix2, radix4 or radix8: apart butterflies in place, whose points stand apart points
// apart.
func radix(n int) {
	begin32(fmt.Sprintf("radix%dx", n), "func(z, twiddles *float32, apart int)")
	stack := local(n)
	z, twiddles, apart := arg("z"), arg("twiddles"), arg("apart")
	step := GP64()
	IMUL3Q(I32(pointBytes()), apart, step)
	at, bases := lines(z, step, max(n, 4))
	if n < 4 {
		bases = []reg.GPVirtual{z}
	}
	counted("loop", apart, func() {
		butterfly(n, at, stack, turned(at, Mem{Base: twiddles}))
		advance(bases, pointBytes())
		ADDQ(I32(8*(n-1)), twiddles)
	})
	end()
}

// last8 is last8 for n blocks of 8 points side by side.
func last8() {
	begin32("last8x", "func(z *float32, n int)")
	stack := local(8)
	z, n := arg("z"), arg("n")
	var at []Mem
	for i := range 8 {
		at = append(at, Mem{Base: z, Disp: i * pointBytes()})
	}
	counted("loop", n, func() {
		butterfly(8, at, stack, func(c complexRow, q int) { store(c, at[q]) })
		ADDQ(I32(8*pointBytes()), z)
	})
	end()
}

// local is the room on the stack for the four differences of 8 points; registers of 16 lanes are 32,
// which are enough.
func local(points int) Mem {
	if lanes == 8 && points == 8 {
		return AllocLocal(4 * pointBytes())
	}
	return Mem{}
}

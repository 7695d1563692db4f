package audio

import "math"

// The portable transform: one frame of points. The vector code is generated from the same
// order of sums and products (internal/genmel); a change of either is a change of both and of MelVersion.

// sqrtHalf32 is the cosine of an eighth of a turn.
const sqrtHalf32 = float32(math.Sqrt2 / 2)

// point32 is a point of the transform. Its two parts stand side by side, so that a butterfly needs one address for both: Go has
// registers for eight, not for sixteen.
type point32 struct{ re, im float32 }

// run transforms z in place.
func (p *plan32) run(z []point32) {
	for i := range p.passes {
		pass := &p.passes[i]
		for at := 0; at < p.half; at += pass.size {
			z := z[at : at+pass.size]
			switch {
			case pass.apart == 1:
				last8((*[8]point32)(z))
			case pass.radix == 8:
				pass.radix8(z)
			case pass.radix == 4:
				pass.radix4(z)
			default:
				pass.radix2(z)
			}
		}
	}
}

// turn is (r + i·s) × (cos + i·sin).
func turn(r, s, cos, sin float32) point32 {
	return point32{float32(r*cos) - float32(s*sin), float32(r*sin) + float32(s*cos)}
}

// radix8 is a pass over one block: butterfly j takes the points j, j + apart, … and leaves output q in the place of point q.
func (p *pass32) radix8(z []point32) {
	m, twiddles := p.apart, p.twiddles
	for j := range m {
		w := (*[14]float32)(twiddles)
		twiddles = twiddles[14:]
		j1 := j + m
		j2 := j1 + m
		j3 := j2 + m
		j4 := j3 + m
		j5 := j4 + m
		j6 := j5 + m
		j7 := j6 + m
		a0, a4 := z[j], z[j4]
		s0r, s0i, d0r, d0i := a0.re+a4.re, a0.im+a4.im, a0.re-a4.re, a0.im-a4.im
		a1, a5 := z[j1], z[j5]
		s1r, s1i, d1r, d1i := a1.re+a5.re, a1.im+a5.im, a1.re-a5.re, a1.im-a5.im
		a2, a6 := z[j2], z[j6]
		s2r, s2i, d2r, d2i := a2.re+a6.re, a2.im+a6.im, a2.re-a6.re, a2.im-a6.im
		a3, a7 := z[j3], z[j7]
		s3r, s3i, d3r, d3i := a3.re+a7.re, a3.im+a7.im, a3.re-a7.re, a3.im-a7.im
		t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
		t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
		z[j] = point32{t0r + t2r, t0i + t2i}
		z[j4] = turn(t0r-t2r, t0i-t2i, w[6], w[7])
		z[j2] = turn(t1r+t3i, t1i-t3r, w[2], w[3])
		z[j6] = turn(t1r-t3i, t1i+t3r, w[10], w[11])
		e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
		e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
		u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
		u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
		z[j1] = turn(u0r+u2r, u0i+u2i, w[0], w[1])
		z[j5] = turn(u0r-u2r, u0i-u2i, w[8], w[9])
		z[j3] = turn(u1r+u3i, u1i-u3r, w[4], w[5])
		z[j7] = turn(u1r-u3i, u1i+u3r, w[12], w[13])
	}
}

// last8 is radix8 for a block of 8 points, which nothing turns.
func last8(z *[8]point32) {
	a0, a4 := z[0], z[4]
	s0r, s0i, d0r, d0i := a0.re+a4.re, a0.im+a4.im, a0.re-a4.re, a0.im-a4.im
	a1, a5 := z[1], z[5]
	s1r, s1i, d1r, d1i := a1.re+a5.re, a1.im+a5.im, a1.re-a5.re, a1.im-a5.im
	a2, a6 := z[2], z[6]
	s2r, s2i, d2r, d2i := a2.re+a6.re, a2.im+a6.im, a2.re-a6.re, a2.im-a6.im
	a3, a7 := z[3], z[7]
	s3r, s3i, d3r, d3i := a3.re+a7.re, a3.im+a7.im, a3.re-a7.re, a3.im-a7.im
	t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
	t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
	z[0] = point32{t0r + t2r, t0i + t2i}
	z[4] = point32{t0r - t2r, t0i - t2i}
	z[2] = point32{t1r + t3i, t1i - t3r}
	z[6] = point32{t1r - t3i, t1i + t3r}
	e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
	e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
	u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
	u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
	z[1] = point32{u0r + u2r, u0i + u2i}
	z[5] = point32{u0r - u2r, u0i - u2i}
	z[3] = point32{u1r + u3i, u1i - u3r}
	z[7] = point32{u1r - u3i, u1i + u3r}
}

func (p *pass32) radix4(z []point32) {
	m := p.apart
	z0, z1, z2, z3 := z[:m], z[m:][:m], z[2*m:][:m], z[3*m:][:m]
	for j := range z0 {
		w := (*[6]float32)(p.twiddles[6*j:])
		a0, a1, a2, a3 := z0[j], z1[j], z2[j], z3[j]
		t0r, t0i, t1r, t1i := a0.re+a2.re, a0.im+a2.im, a0.re-a2.re, a0.im-a2.im
		t2r, t2i, t3r, t3i := a1.re+a3.re, a1.im+a3.im, a1.re-a3.re, a1.im-a3.im
		z0[j] = point32{t0r + t2r, t0i + t2i}
		z2[j] = turn(t0r-t2r, t0i-t2i, w[2], w[3])
		z1[j] = turn(t1r+t3i, t1i-t3r, w[0], w[1])
		z3[j] = turn(t1r-t3i, t1i+t3r, w[4], w[5])
	}
}

func (p *pass32) radix2(z []point32) {
	m := p.apart
	z0, z1 := z[:m], z[m:][:m]
	for j := range z0 {
		w := (*[2]float32)(p.twiddles[2*j:])
		a, b := z0[j], z1[j]
		z0[j] = point32{a.re + b.re, a.im + b.im}
		z1[j] = turn(a.re-b.re, a.im-b.im, w[0], w[1])
	}
}

// power writes |X[k]|² + epsilon of the wanted bins, or the root of it, doubled halves left out (see window). Roots come out of a
// unit of their own, so that they cost half as much beside sums as in a loop by themselves.
func (p *plan32) power(dst []float32, z []point32, epsilon float32, root bool) {
	for i := range p.both {
		s := &p.both[i]
		e, t := s.apart(z)
		xr, xi, yr, yi := e.re+t.re, e.im+t.im, e.re-t.re, e.im-t.im
		x, y := float32(xr*xr)+float32(xi*xi)+epsilon, float32(yr*yr)+float32(yi*yi)+epsilon
		if root {
			x, y = sqrt32(x), sqrt32(y)
		}
		dst[s.plus], dst[s.minus] = x, y
	}
	for i := range p.single {
		s := &p.single[i]
		e, t := s.apart(z)
		xr, xi := e.re+t.re, e.im+t.im
		x := float32(xr*xr) + float32(xi*xi) + epsilon
		if root {
			x = sqrt32(x)
		}
		dst[s.plus] = x
	}
}

// sqrt32 is the float32 root, correctly rounded: float64 has more than twice its digits.
func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// apart gives the transforms of the even samples and, turned, of the odd ones.
func (s *split32) apart(z []point32) (e, t point32) {
	a, b := z[s.a], z[s.b]
	return point32{a.re + b.re, a.im - b.im}, turn(a.im+b.im, b.re-a.re, s.cos, s.sin)
}

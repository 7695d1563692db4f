package audio

import "math"

// The portable transform: one frame of points, each as its real and its imaginary part side by side.
// The vector code is generated from the same order of sums and products (internal/genvector); a change of
// either is a change of both and of MelVersion.
//
// The order of the lines inside a butterfly is free. It is chosen so that few values live at once: Go
// has 15 registers for floats, a butterfly of 8 has 16 of them in the air at its widest.

// sqrtHalf32 is the cosine of an eighth of a turn.
const sqrtHalf32 = float32(math.Sqrt2 / 2)

// run transforms block × window, all but the last pass, to z.
func (p *plan32) run(z, block, window []float32) {
	first := &p.passes[0]
	switch first.radix {
	case 8:
		first.first8(z, block, window)
	case 4:
		first.first4(z, block, window)
	default:
		first.first2(z, block, window)
	}
	for i := 1; i < len(p.passes)-1; i++ {
		pass := &p.passes[i]
		for z := z; len(z) > 0; z = z[2*pass.size:] {
			if pass.apart == 64 {
				radix8[[64]float32](z, pass.twiddles)
			} else {
				radix8[[8]float32](z, pass.twiddles)
			}
		}
	}
}

// turn is (r + i·s) × (cos + i·sin).
func turn(r, s, cos, sin float32) (re, im float32) {
	return float32(r*cos) - float32(s*sin), float32(r*sin) + float32(s*cos)
}

// first8 is a pass of radix 8 over the one block of 512 points that begins with it. Butterfly j takes
// the points j, j + 64, … and leaves output q in the place of point q. It windows as it reads: a pass
// that did only this cost a tenth of a frame.
//
// A butterfly is the transform of 8 points a0 to a7: s and d are the sums and differences of points
// that lie four apart. The even outputs are a transform of the four sums (t), the odd ones of the four
// differences (u), of which d1 and d3 are turned by an eighth first (e1, e3): that is a sum and a
// difference times √½. Output q is turned by w^(qj), whose cosine and sine stand at t[2q-2] and
// t[2q-1]; the outputs come in the order in which they are ready.
func (p *pass32) first8(z, block, window []float32) {
	const m = 2 * 64
	for j := range 64 {
		t := (*[14]float32)(p.twiddles[14*j:])
		z, x, w := (*[7*m + 2]float32)(z[2*j:]), (*[7*m + 2]float32)(block[2*j:]), (*[7*m + 2]float32)(window[2*j:])
		a0r, a0i, a4r, a4i := float32(x[0]*w[0]), float32(x[1]*w[1]), float32(x[4*m]*w[4*m]), float32(x[4*m+1]*w[4*m+1])
		s0r, s0i, d0r, d0i := a0r+a4r, a0i+a4i, a0r-a4r, a0i-a4i
		a2r, a2i, a6r, a6i := float32(x[2*m]*w[2*m]), float32(x[2*m+1]*w[2*m+1]), float32(x[6*m]*w[6*m]), float32(x[6*m+1]*w[6*m+1])
		s2r, s2i, d2r, d2i := a2r+a6r, a2i+a6i, a2r-a6r, a2i-a6i
		t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
		u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
		a1r, a1i, a5r, a5i := float32(x[m]*w[m]), float32(x[m+1]*w[m+1]), float32(x[5*m]*w[5*m]), float32(x[5*m+1]*w[5*m+1])
		s1r, s1i, d1r, d1i := a1r+a5r, a1i+a5i, a1r-a5r, a1i-a5i
		a3r, a3i, a7r, a7i := float32(x[3*m]*w[3*m]), float32(x[3*m+1]*w[3*m+1]), float32(x[7*m]*w[7*m]), float32(x[7*m+1]*w[7*m+1])
		s3r, s3i, d3r, d3i := a3r+a7r, a3i+a7i, a3r-a7r, a3i-a7i
		t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
		z[0], z[1] = t0r+t2r, t0i+t2i
		z[4*m], z[4*m+1] = turn(t0r-t2r, t0i-t2i, t[6], t[7])
		z[2*m], z[2*m+1] = turn(t1r+t3i, t1i-t3r, t[2], t[3])
		z[6*m], z[6*m+1] = turn(t1r-t3i, t1i+t3r, t[10], t[11])
		e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
		e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
		u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
		z[m], z[m+1] = turn(u0r+u2r, u0i+u2i, t[0], t[1])
		z[5*m], z[5*m+1] = turn(u0r-u2r, u0i-u2i, t[8], t[9])
		z[3*m], z[3*m+1] = turn(u1r+u3i, u1i-u3r, t[4], t[5])
		z[7*m], z[7*m+1] = turn(u1r-u3i, u1i+u3r, t[12], t[13])
	}
}

// radix8 is a pass of radix 8 over one block, as first8 is. How far apart the points of a butterfly are
// comes as the length of a type, so that each has code of its own, with one address for all eight;
// MaxNFFT allows these two.
func radix8[M [8]float32 | [64]float32](z, twiddles []float32) {
	var apart M
	m := 2 * len(apart)
	for j := range len(apart) {
		t, z := (*[14]float32)(twiddles[14*j:]), z[2*j:][:7*m+2]
		s0r, s0i, d0r, d0i := z[0]+z[4*m], z[1]+z[4*m+1], z[0]-z[4*m], z[1]-z[4*m+1]
		s2r, s2i, d2r, d2i := z[2*m]+z[6*m], z[2*m+1]+z[6*m+1], z[2*m]-z[6*m], z[2*m+1]-z[6*m+1]
		t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
		u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
		s1r, s1i, d1r, d1i := z[m]+z[5*m], z[m+1]+z[5*m+1], z[m]-z[5*m], z[m+1]-z[5*m+1]
		s3r, s3i, d3r, d3i := z[3*m]+z[7*m], z[3*m+1]+z[7*m+1], z[3*m]-z[7*m], z[3*m+1]-z[7*m+1]
		t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
		z[0], z[1] = t0r+t2r, t0i+t2i
		z[4*m], z[4*m+1] = turn(t0r-t2r, t0i-t2i, t[6], t[7])
		z[2*m], z[2*m+1] = turn(t1r+t3i, t1i-t3r, t[2], t[3])
		z[6*m], z[6*m+1] = turn(t1r-t3i, t1i+t3r, t[10], t[11])
		e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
		e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
		u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
		z[m], z[m+1] = turn(u0r+u2r, u0i+u2i, t[0], t[1])
		z[5*m], z[5*m+1] = turn(u0r-u2r, u0i-u2i, t[8], t[9])
		z[3*m], z[3*m+1] = turn(u1r+u3i, u1i-u3r, t[4], t[5])
		z[7*m], z[7*m+1] = turn(u1r-u3i, u1i+u3r, t[12], t[13])
	}
}

// last8 is the last pass: radix8 for a block of 8 points, which nothing turns.
func last8(z *[16]float32) {
	s0r, s0i, d0r, d0i := z[0]+z[8], z[1]+z[9], z[0]-z[8], z[1]-z[9]
	s2r, s2i, d2r, d2i := z[4]+z[12], z[5]+z[13], z[4]-z[12], z[5]-z[13]
	t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
	u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
	s1r, s1i, d1r, d1i := z[2]+z[10], z[3]+z[11], z[2]-z[10], z[3]-z[11]
	s3r, s3i, d3r, d3i := z[6]+z[14], z[7]+z[15], z[6]-z[14], z[7]-z[15]
	t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
	z[0], z[1] = t0r+t2r, t0i+t2i
	z[8], z[9] = t0r-t2r, t0i-t2i
	z[4], z[5] = t1r+t3i, t1i-t3r
	z[12], z[13] = t1r-t3i, t1i+t3r
	e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
	e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
	u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
	z[2], z[3] = u0r+u2r, u0i+u2i
	z[10], z[11] = u0r-u2r, u0i-u2i
	z[6], z[7] = u1r+u3i, u1i-u3r
	z[14], z[15] = u1r-u3i, u1i+u3r
}

// first4 is first8 for a pass of radix 4.
func (p *pass32) first4(z, block, window []float32) {
	m := 2 * p.apart
	z0, z1, z2, z3 := z[:m], z[m:][:m], z[2*m:][:m], z[3*m:][:m]
	for j := 0; j < m-1; j += 2 {
		t := (*[6]float32)(p.twiddles[3*j:])
		a0r, a0i := windowed(block, window, j)
		a2r, a2i := windowed(block, window, j+2*m)
		t0r, t0i, t1r, t1i := a0r+a2r, a0i+a2i, a0r-a2r, a0i-a2i
		a1r, a1i := windowed(block, window, j+m)
		a3r, a3i := windowed(block, window, j+3*m)
		t2r, t2i, t3r, t3i := a1r+a3r, a1i+a3i, a1r-a3r, a1i-a3i
		z0[j], z0[j+1] = t0r+t2r, t0i+t2i
		z2[j], z2[j+1] = turn(t0r-t2r, t0i-t2i, t[2], t[3])
		z1[j], z1[j+1] = turn(t1r+t3i, t1i-t3r, t[0], t[1])
		z3[j], z3[j+1] = turn(t1r-t3i, t1i+t3r, t[4], t[5])
	}
}

// first2 is first8 for a pass of radix 2.
func (p *pass32) first2(z, block, window []float32) {
	m := 2 * p.apart
	z0, z1 := z[:m], z[m:][:m]
	for j := 0; j < m-1; j += 2 {
		t := (*[2]float32)(p.twiddles[j:])
		ar, ai := windowed(block, window, j)
		br, bi := windowed(block, window, j+m)
		z0[j], z0[j+1] = ar+br, ai+bi
		z1[j], z1[j+1] = turn(ar-br, ai-bi, t[0], t[1])
	}
}

// windowed is the point that begins at sample i.
func windowed(block, window []float32, i int) (re, im float32) {
	return float32(block[i] * window[i]), float32(block[i+1] * window[i+1])
}

// bins32 is split32 in 16 bytes, the size that Go addresses in one step: a and b are where the points
// begin in z.
type bins32 struct {
	a, b        uint16
	plus, minus uint16
	cos, sin    float32
}

func bins32s(splits []split32) []bins32 {
	var s []bins32
	for _, from := range splits {
		s = append(s, bins32{uint16(2 * from.a), uint16(2 * from.b), uint16(from.plus), uint16(from.minus), from.cos, from.sin})
	}
	return s
}

// spectrum ends the transform and writes |X[k]|² + epsilon of the wanted bins, least at least, or the
// root of it, doubled halves left out (see window). Roots come out of a unit of their own, so that they cost half
// as much beside sums as in a loop by themselves.
func (e *engine32) spectrum(dst, z []float32) {
	for i := 0; i < len(z); i += 16 {
		last8((*[16]float32)(z[i:]))
	}
	epsilon, least, root := float32(e.epsilon), float32(e.least), !e.power
	for i := range e.both {
		s := &e.both[i]
		er, ei, tr, ti := s.apart(z)
		xr, xi, yr, yi := er+tr, ei+ti, er-tr, ei-ti
		x, y := float32(xr*xr)+float32(xi*xi)+epsilon, float32(yr*yr)+float32(yi*yi)+epsilon
		if x < least {
			x = least
		}
		if y < least {
			y = least
		}
		if root {
			x, y = sqrt32(x), sqrt32(y)
		}
		dst[s.plus], dst[s.minus] = x, y
	}
	for i := range e.single {
		s := &e.single[i]
		er, ei, tr, ti := s.apart(z)
		xr, xi := er+tr, ei+ti
		x := float32(xr*xr) + float32(xi*xi) + epsilon
		if x < least {
			x = least
		}
		if root {
			x = sqrt32(x)
		}
		dst[s.plus] = x
	}
}

// sqrt32 is the float32 root, correctly rounded: float64 has more than twice its digits.
func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// apart gives the transforms of the even samples and, turned, of the odd ones.
func (s *bins32) apart(z []float32) (er, ei, tr, ti float32) {
	ai, ar, bi, br := z[int(s.a)+1], z[s.a], z[int(s.b)+1], z[s.b]
	tr, ti = turn(ai+bi, br-ar, s.cos, s.sin)
	return ar + br, ai - bi, tr, ti
}

package audio

import "math"

// The portable transform: one frame, real and imaginary parts in arrays of their own. The vector code is generated from the same
// order of sums and products (internal/genmel); a change of either is a change of both and of MelVersion.

// sqrtHalf32 is the cosine of an eighth of a turn.
const sqrtHalf32 = float32(math.Sqrt2 / 2)

// run transforms re and im in place.
func (p *plan32) run(re, im []float32) {
	for i := range p.passes {
		pass := &p.passes[i]
		for at := 0; at < p.half; at += pass.size {
			re, im := re[at:at+pass.size], im[at:at+pass.size]
			switch {
			case pass.apart == 1:
				last8((*[8]float32)(re), (*[8]float32)(im))
			case pass.radix == 8:
				pass.radix8(re, im)
			case pass.radix == 4:
				pass.radix4(re, im)
			default:
				pass.radix2(re, im)
			}
		}
	}
}

// turn is (r + i·s) × (cos + i·sin).
func turn(r, s, cos, sin float32) (float32, float32) {
	return float32(r*cos) - float32(s*sin), float32(r*sin) + float32(s*cos)
}

// radix8 is a pass over one block: butterfly j takes the points j, j + apart, … and leaves output q in the place of point q.
func (p *pass32) radix8(re, im []float32) {
	m := p.apart
	r0, r1, r2, r3, r4, r5, r6, r7 := re[:m], re[m:][:m], re[2*m:][:m], re[3*m:][:m], re[4*m:][:m], re[5*m:][:m], re[6*m:][:m], re[7*m:][:m]
	i0, i1, i2, i3, i4, i5, i6, i7 := im[:m], im[m:][:m], im[2*m:][:m], im[3*m:][:m], im[4*m:][:m], im[5*m:][:m], im[6*m:][:m], im[7*m:][:m]
	for j := range r0 {
		w := (*[14]float32)(p.twiddles[14*j:])
		s0r, s0i, d0r, d0i := r0[j]+r4[j], i0[j]+i4[j], r0[j]-r4[j], i0[j]-i4[j]
		s1r, s1i, d1r, d1i := r1[j]+r5[j], i1[j]+i5[j], r1[j]-r5[j], i1[j]-i5[j]
		s2r, s2i, d2r, d2i := r2[j]+r6[j], i2[j]+i6[j], r2[j]-r6[j], i2[j]-i6[j]
		s3r, s3i, d3r, d3i := r3[j]+r7[j], i3[j]+i7[j], r3[j]-r7[j], i3[j]-i7[j]
		t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
		t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
		r0[j], i0[j] = t0r+t2r, t0i+t2i
		r4[j], i4[j] = turn(t0r-t2r, t0i-t2i, w[6], w[7])
		r2[j], i2[j] = turn(t1r+t3i, t1i-t3r, w[2], w[3])
		r6[j], i6[j] = turn(t1r-t3i, t1i+t3r, w[10], w[11])
		e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
		e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
		u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
		u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
		r1[j], i1[j] = turn(u0r+u2r, u0i+u2i, w[0], w[1])
		r5[j], i5[j] = turn(u0r-u2r, u0i-u2i, w[8], w[9])
		r3[j], i3[j] = turn(u1r+u3i, u1i-u3r, w[4], w[5])
		r7[j], i7[j] = turn(u1r-u3i, u1i+u3r, w[12], w[13])
	}
}

// last8 is radix8 for a block of 8 points, which nothing turns.
func last8(re, im *[8]float32) {
	s0r, s0i, d0r, d0i := re[0]+re[4], im[0]+im[4], re[0]-re[4], im[0]-im[4]
	s1r, s1i, d1r, d1i := re[1]+re[5], im[1]+im[5], re[1]-re[5], im[1]-im[5]
	s2r, s2i, d2r, d2i := re[2]+re[6], im[2]+im[6], re[2]-re[6], im[2]-im[6]
	s3r, s3i, d3r, d3i := re[3]+re[7], im[3]+im[7], re[3]-re[7], im[3]-im[7]
	t0r, t0i, t1r, t1i := s0r+s2r, s0i+s2i, s0r-s2r, s0i-s2i
	t2r, t2i, t3r, t3i := s1r+s3r, s1i+s3i, s1r-s3r, s1i-s3i
	re[0], im[0] = t0r+t2r, t0i+t2i
	re[4], im[4] = t0r-t2r, t0i-t2i
	re[2], im[2] = t1r+t3i, t1i-t3r
	re[6], im[6] = t1r-t3i, t1i+t3r
	e1r, e1i := float32(sqrtHalf32*(d1r+d1i)), float32(sqrtHalf32*(d1i-d1r))
	e3r, e3i := float32(sqrtHalf32*(d3i-d3r)), float32(sqrtHalf32*(d3r+d3i)) // e3i with its sign turned
	u0r, u0i, u1r, u1i := d0r+d2i, d0i-d2r, d0r-d2i, d0i+d2r
	u2r, u2i, u3r, u3i := e1r+e3r, e1i-e3i, e1r-e3r, e1i+e3i
	re[1], im[1] = u0r+u2r, u0i+u2i
	re[5], im[5] = u0r-u2r, u0i-u2i
	re[3], im[3] = u1r+u3i, u1i-u3r
	re[7], im[7] = u1r-u3i, u1i+u3r
}

func (p *pass32) radix4(re, im []float32) {
	m := p.apart
	r0, r1, r2, r3 := re[:m], re[m:][:m], re[2*m:][:m], re[3*m:][:m]
	i0, i1, i2, i3 := im[:m], im[m:][:m], im[2*m:][:m], im[3*m:][:m]
	for j := range r0 {
		w := (*[6]float32)(p.twiddles[6*j:])
		t0r, t0i, t1r, t1i := r0[j]+r2[j], i0[j]+i2[j], r0[j]-r2[j], i0[j]-i2[j]
		t2r, t2i, t3r, t3i := r1[j]+r3[j], i1[j]+i3[j], r1[j]-r3[j], i1[j]-i3[j]
		r0[j], i0[j] = t0r+t2r, t0i+t2i
		r2[j], i2[j] = turn(t0r-t2r, t0i-t2i, w[2], w[3])
		r1[j], i1[j] = turn(t1r+t3i, t1i-t3r, w[0], w[1])
		r3[j], i3[j] = turn(t1r-t3i, t1i+t3r, w[4], w[5])
	}
}

func (p *pass32) radix2(re, im []float32) {
	m := p.apart
	r0, r1, i0, i1 := re[:m], re[m:][:m], im[:m], im[m:][:m]
	for j := range r0 {
		w := (*[2]float32)(p.twiddles[2*j:])
		dr, di := r0[j]-r1[j], i0[j]-i1[j]
		r0[j], i0[j] = r0[j]+r1[j], i0[j]+i1[j]
		r1[j], i1[j] = turn(dr, di, w[0], w[1])
	}
}

// power writes |X[k]|² + epsilon of the wanted bins, doubled halves left out (see window).
func (p *plan32) power(dst, re, im []float32, epsilon float32) {
	for i := range p.both {
		s := &p.both[i]
		er, ei, tr, ti := s.apart(re, im)
		xr, xi, yr, yi := er+tr, ei+ti, er-tr, ei-ti
		dst[s.plus] = float32(xr*xr) + float32(xi*xi) + epsilon
		dst[s.minus] = float32(yr*yr) + float32(yi*yi) + epsilon
	}
	for i := range p.single {
		s := &p.single[i]
		er, ei, tr, ti := s.apart(re, im)
		xr, xi := er+tr, ei+ti
		dst[s.plus] = float32(xr*xr) + float32(xi*xi) + epsilon
	}
}

// apart gives the transforms of the even samples and, turned, of the odd ones.
func (s *split32) apart(re, im []float32) (er, ei, tr, ti float32) {
	ar, ai, br, bi := re[s.a], im[s.a], re[s.b], im[s.b]
	er, ei = ar+br, ai-bi
	tr, ti = turn(ai+bi, br-ar, s.cos, s.sin)
	return er, ei, tr, ti
}

package resample

// The kernels of the resampler in Go. Those of kernels_amd64.s do the same operations in the same order
// and give the same bits; the tests compare them.

// sumRowsPortable makes dst[o] of row o of rows, taps long, and of the samples of x from at[o] - at[0] on.
func sumRowsPortable(dst, x, rows []float32, at []int32, taps int) {
	for o := range dst {
		var sums [rowSums]float32
		row := rows[o*taps:][:taps]
		in := x[at[o]-at[0]:][:taps]
		for k := 0; k+rowSums <= len(row) && k+rowSums <= len(in); k += rowSums {
			r, s := (*[rowSums]float32)(row[k:]), (*[rowSums]float32)(in[k:])
			for i := range sums {
				sums[i] += float32(r[i] * s[i])
			}
		}
		dst[o] = addSums(&sums)
	}
}

// blendRowsPortable makes dst[o] of the samples of x from at[o] on and of a row between row[o] and the
// next, part[o] on the way.
func blendRowsPortable(dst, x, rows []float32, at, row []int32, part []float32, taps int) {
	for o := range dst {
		var sums [rowSums]float32
		first := int(row[o]) * taps
		this, next := rows[first:first+taps], rows[first+taps:first+2*taps]
		in := x[at[o]:][:taps]
		for k := 0; k+rowSums <= len(this) && k+rowSums <= len(next) && k+rowSums <= len(in); k += rowSums {
			a, b, s := (*[rowSums]float32)(this[k:]), (*[rowSums]float32)(next[k:]), (*[rowSums]float32)(in[k:])
			for i := range sums {
				tap := a[i] + float32(part[o]*(b[i]-a[i]))
				sums[i] += float32(tap * s[i])
			}
		}
		dst[o] = addSums(&sums)
	}
}

// planRowsPortable plans groups of 8 outputs.
func planRowsPortable(p *broadPlan, s *planStart, groups int) {
	phase, at := s.phase, s.at
	for g := range groups {
		ats, rows, parts := (*[rowSums]int32)(p.at[rowSums*g:]), (*[rowSums]int32)(p.row[rowSums*g:]), (*[rowSums]float32)(p.part[rowSums*g:])
		for o := range phase {
			place := float64(float64(phase[o]) * s.scale)
			row := int32(place)
			ats[o], rows[o], parts[o] = at[o], row, float32(place-float64(row))
			phase[o] += s.step
			at[o] += s.steps
			if phase[o] >= s.up {
				phase[o] -= s.up
				at[o]++
			}
		}
	}
}

func addSums(s *[rowSums]float32) float32 {
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// spreadPortable takes n samples into each lane of a; the lane's first sample is stride further in x
// than that of the lane before.
func spreadPortable(a, x []float32, stride, n int) {
	for lane := range lanes {
		for i, v := range x[lane*stride:][:n] {
			a[i*point+lane] = v
		}
	}
}

// collectPortable is the way back from spreadPortable.
func collectPortable(dst, a []float32, stride, n int) {
	for lane := range lanes {
		to := dst[lane*stride:][:n]
		for i := range to {
			to[i] = a[i*point+lane]
		}
	}
}

// forwardPassPortable does one radix-4 pass over each of the blocks in a, as long as the twiddles say.
func forwardPassPortable(a, twiddles []float32, blocks int) {
	length := len(twiddles) / 6 * point // of a quarter of a block
	for range blocks {
		x0, x1, x2, x3 := a[:length], a[length:2*length], a[2*length:3*length], a[3*length:4*length]
		for j := 0; j < length; j += point {
			w := (*[6]float32)(twiddles[j/point*6:])
			p0, p1, p2, p3 := (*[point]float32)(x0[j:]), (*[point]float32)(x1[j:]), (*[point]float32)(x2[j:]), (*[point]float32)(x3[j:])
			for l := range lanes {
				s02r, s02i := p0[l]+p2[l], p0[l+lanes]+p2[l+lanes]
				d02r, d02i := p0[l]-p2[l], p0[l+lanes]-p2[l+lanes]
				s13r, s13i := p1[l]+p3[l], p1[l+lanes]+p3[l+lanes]
				d13r, d13i := p1[l]-p3[l], p1[l+lanes]-p3[l+lanes]
				p0[l], p0[l+lanes] = s02r+s13r, s02i+s13i
				p1[l], p1[l+lanes] = turned(d02r+d13i, d02i-d13r, w[0], w[1])
				p2[l], p2[l+lanes] = turned(s02r-s13r, s02i-s13i, w[2], w[3])
				p3[l], p3[l+lanes] = turned(d02r-d13i, d02i+d13r, w[4], w[5])
			}
		}
		a = a[4*length:]
	}
}

// turned is the complex product.
func turned(xr, xi, wr, wi float32) (re, im float32) {
	return float32(xr*wr) - float32(xi*wi), float32(xi*wr) + float32(xr*wi)
}

// turnedBack is the complex product with the conjugate of w.
func turnedBack(xr, xi, wr, wi float32) (re, im float32) {
	return float32(xr*wr) + float32(xi*wi), float32(xi*wr) - float32(xr*wi)
}

// inversePassPortable undoes forwardPassPortable but for a factor of 4.
func inversePassPortable(a, twiddles []float32, blocks int) {
	length := len(twiddles) / 6 * point
	for range blocks {
		x0, x1, x2, x3 := a[:length], a[length:2*length], a[2*length:3*length], a[3*length:4*length]
		for j := 0; j < length; j += point {
			w := (*[6]float32)(twiddles[j/point*6:])
			p0, p1, p2, p3 := (*[point]float32)(x0[j:]), (*[point]float32)(x1[j:]), (*[point]float32)(x2[j:]), (*[point]float32)(x3[j:])
			for l := range lanes {
				v1r, v1i := turnedBack(p1[l], p1[l+lanes], w[0], w[1])
				v2r, v2i := turnedBack(p2[l], p2[l+lanes], w[2], w[3])
				v3r, v3i := turnedBack(p3[l], p3[l+lanes], w[4], w[5])
				s02r, s02i := p0[l]+v2r, p0[l+lanes]+v2i
				d02r, d02i := p0[l]-v2r, p0[l+lanes]-v2i
				s13r, s13i := v1r+v3r, v1i+v3i
				d13r, d13i := v1r-v3r, v1i-v3i
				p0[l], p0[l+lanes] = s02r+s13r, s02i+s13i
				p1[l], p1[l+lanes] = d02r-d13i, d02i+d13r
				p2[l], p2[l+lanes] = s02r-s13r, s02i-s13i
				p3[l], p3[l+lanes] = d02r+d13i, d02i-d13r
			}
		}
		a = a[4*length:]
	}
}

// foldPortable ends the transform in a by its passes over 4 points, filters, folds bins that differ by
// half the rate, and begins the way back in b by its passes over 2 points. Real parts and imaginary
// parts do not meet but in the first of these.
func foldPortable(b, a, response []float32) {
	for i := 0; i < len(response); i += 4 {
		h := (*[4]float32)(response[i:])
		x, y := (*[4 * point]float32)(a[i*point:]), (*[2 * point]float32)(b[i/2*point:])
		for l := range lanes {
			s02r, s02i := x[l]+x[2*point+l], x[lanes+l]+x[2*point+lanes+l]
			d02r, d02i := x[l]-x[2*point+l], x[lanes+l]-x[2*point+lanes+l]
			s13r, s13i := x[point+l]+x[3*point+l], x[point+lanes+l]+x[3*point+lanes+l]
			d13r, d13i := x[point+l]-x[3*point+l], x[point+lanes+l]-x[3*point+lanes+l]
			evenR := float32((s02r+s13r)*h[0]) + float32((s02r-s13r)*h[2])
			evenI := float32((s02i+s13i)*h[0]) + float32((s02i-s13i)*h[2])
			oddR := float32((d02r+d13i)*h[1]) + float32((d02r-d13i)*h[3])
			oddI := float32((d02i-d13r)*h[1]) + float32((d02i+d13r)*h[3])
			y[l], y[lanes+l] = evenR+oddR, evenI+oddI
			y[point+l], y[point+lanes+l] = evenR-oddR, evenI-oddI
		}
	}
}

// unfoldPortable ends the transform in b by its passes over 2 points, repeats the bins, filters, and
// begins the way back in a by its passes over 4 points.
func unfoldPortable(a, b, response []float32) {
	for i := 0; i < len(response); i += 4 {
		h := (*[4]float32)(response[i:])
		x, y := (*[2 * point]float32)(b[i/2*point:]), (*[4 * point]float32)(a[i*point:])
		for l := range lanes {
			evenR, evenI := x[l]+x[point+l], x[lanes+l]+x[point+lanes+l]
			oddR, oddI := x[l]-x[point+l], x[lanes+l]-x[point+lanes+l]
			v0r, v0i := float32(evenR*h[0]), float32(evenI*h[0])
			v1r, v1i := float32(oddR*h[1]), float32(oddI*h[1])
			v2r, v2i := float32(evenR*h[2]), float32(evenI*h[2])
			v3r, v3i := float32(oddR*h[3]), float32(oddI*h[3])
			s02r, s02i, d02r, d02i := v0r+v2r, v0i+v2i, v0r-v2r, v0i-v2i
			s13r, s13i, d13r, d13i := v1r+v3r, v1i+v3i, v1r-v3r, v1i-v3i
			y[l], y[lanes+l] = s02r+s13r, s02i+s13i
			y[point+l], y[point+lanes+l] = d02r-d13i, d02i+d13r
			y[2*point+l], y[2*point+lanes+l] = s02r-s13r, s02i-s13i
			y[3*point+l], y[3*point+lanes+l] = d02r+d13i, d02i-d13r
		}
	}
}

package audio

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./internal/genvector -out vector32_amd64.s

// vector32 is the memory of the vector code: a batch of as many frames as a register has lanes, one
// frame to a lane.
type vector32 struct {
	*kernel32
	points  []float32 // half rows of real and imaginary parts
	bins    []float32 // rows of lanes
	bands   []float32 // rows of lanes
	samples []float32 // a batch that reaches over an end of the clip

	floor   [2]float32 // floor and add
	epsilon [2]float32 // epsilon and least
	root    int
}

// kernel32 is the vector code for one width of registers; internal/genvector says what each function does.
type kernel32 struct {
	lanes        int
	load         func(dst, src, window *float32, step, n int)
	radix2       func(z, twiddles *float32, apart int)
	radix4       func(z, twiddles *float32, apart int)
	radix8       func(z, twiddles *float32, apart int)
	last8        func(z *float32, n int)
	both, single func(dst, z *float32, table *split32, n int, epsilon *float32, root int)
	bank         func(dst, bins, weights *float32, spans *span32, n int)
	log          func(x *float32, n int, floor *float32)
	store        func(dst, src *float32, step, n int)
}

var kernels32 = []kernel32{
	{16, load16, radix2x16, radix4x16, radix8x16, last8x16, both16, single16, bank16, log16, store16},
	{8, load8, radix2x8, radix4x8, radix8x8, last8x8, both8, single8, bank8, log8, store8},
}

// usable says whether this machine has the instructions for registers of that many lanes of float32.
func usable(lanes int) bool {
	if lanes == 16 {
		return cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
	}
	return cpu.X86.HasAVX2
}

// Float32View is a column's stored bytes as values, for features that are computed in their place;
// false where the machine stores numbers in another way or the bytes lie across words.
func Float32View(b []byte) ([]float32, bool) {
	if len(b) < 4 || uintptr(unsafe.Pointer(&b[0]))%4 != 0 {
		return nil, false
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), len(b)/4), true // within b, and every bit pattern is a float32
}

// newVector32 takes the widest code that the machine has; nil: it has none.
func newVector32(e *engine32) *vector32 {
	for i := range kernels32 {
		if k := &kernels32[i]; usable(k.lanes) {
			return k.vector(e)
		}
	}
	return nil
}

func (k *kernel32) vector(e *engine32) *vector32 {
	w := k.lanes
	v := &vector32{
		kernel32: k,
		points:   aligned(2 * e.plan.half * w),
		bins:     aligned((e.plan.bins + w) * w), // rows that store reads beyond the last bin
		samples:  aligned(e.nfft + (w-1)*e.hop),

		floor:   [2]float32{float32(e.floor), float32(e.add)},
		epsilon: [2]float32{float32(e.epsilon), float32(e.least)},
	}
	if e.bands != nil {
		v.bands = aligned((len(e.bands) + w) * w)
	}
	if !e.power {
		v.root = 1
	}
	return v
}

// aligned is memory that begins with a cache line, so that no row lies on two.
func aligned(n int) []float32 {
	b := make([]float32, n+16)
	skip := 0
	for uintptr(unsafe.Pointer(&b[skip]))%64 != 0 { // the address of large Go memory never changes
		skip++
	}
	return b[skip:][:n:n]
}

// rows computes the first n frames of a clip. Stored samples are converted a batch at a time: what load
// reads then lies in the first-level cache, where the whole clip in float32 does not even fit the
// second.
func (v *vector32) rows(e *engine32, dst []float32, c clip, n int) {
	w := e.width()
	for f := 0; f < n; f += v.lanes {
		count := min(v.lanes, n-f)
		start, reach := f*e.hop-e.pad, e.nfft+(v.lanes-1)*e.hop
		from := v.samples
		switch inside := start >= 0 && start+reach <= c.len(); {
		case inside && c.stored == nil:
			from = c.pcm[start:][:reach]
		case inside:
			c.put(from[:reach], start)
		default:
			reach = e.nfft + (count-1)*e.hop
			e.read(from[:reach], c, start)
			clear(from[reach:])
		}
		v.batch(e, dst[f*w:][:count*w], from, count)
	}
}

// batch computes count frames, at most as many as there are lanes.
func (v *vector32) batch(e *engine32, dst, from []float32, count int) {
	z := &v.points[0]
	v.load(z, &from[0], &e.window[0], 4*e.hop, e.nfft/v.lanes)
	v.transform(e.plan, 0, v.points)
	p := e.plan
	if len(p.both) > 0 {
		v.both(&v.bins[0], z, &p.both[0], len(p.both), &v.epsilon[0], v.root)
	}
	if len(p.single) > 0 {
		v.single(&v.bins[0], z, &p.single[0], len(p.single), &v.epsilon[0], v.root)
	}
	rows := v.bins
	if e.bands != nil {
		rows = v.bands
		v.bank(&rows[0], &v.bins[0], &e.weights[0], &e.spans[0], len(e.spans))
		if e.floor > 0 {
			v.log(&rows[0], len(e.spans), &v.floor[0])
		}
	}
	v.put(dst, rows, e.width(), count)
}

// transform works depth first, so that the blocks of the later passes stay in the first-level cache.
func (v *vector32) transform(p *plan32, at int, points []float32) {
	pass := &p.passes[at]
	switch {
	case pass.apart == 1:
		v.last8(&points[0], 1)
		return
	case pass.radix == 8:
		v.radix8(&points[0], &pass.twiddles[0], pass.apart)
	case pass.radix == 4:
		v.radix4(&points[0], &pass.twiddles[0], pass.apart)
	default:
		v.radix2(&points[0], &pass.twiddles[0], pass.apart)
	}
	if p.passes[at+1].apart == 1 {
		v.last8(&points[0], pass.radix)
		return
	}
	for size := len(points) / pass.radix; len(points) > 0; points = points[size:] {
		v.transform(p, at+1, points[:size])
	}
}

// put writes rows of values, one frame to a lane, as frames of width values.
func (v *vector32) put(dst, rows []float32, width, count int) {
	if groups := width / v.lanes; count == v.lanes && groups > 0 {
		v.store(&dst[0], &rows[0], 4*width, groups)
		v.rest(dst, rows, width, count, groups*v.lanes)
		return
	}
	v.rest(dst, rows, width, count, 0)
}

// rest is put for the values from one on.
func (v *vector32) rest(dst, rows []float32, width, count, from int) {
	for f := range count {
		row := dst[f*width:][:width]
		for i := from; i < width; i++ {
			row[i] = rows[i*v.lanes+f]
		}
	}
}

// The vector code, see internal/genvector.

//go:noescape
func load8(dst, src, window *float32, step, n int)

//go:noescape
func radix2x8(z, twiddles *float32, apart int)

//go:noescape
func radix4x8(z, twiddles *float32, apart int)

//go:noescape
func radix8x8(z, twiddles *float32, apart int)

//go:noescape
func last8x8(z *float32, n int)

//go:noescape
func both8(dst, z *float32, table *split32, n int, epsilon *float32, root int)

//go:noescape
func single8(dst, z *float32, table *split32, n int, epsilon *float32, root int)

//go:noescape
func bank8(dst, bins, weights *float32, spans *span32, n int)

//go:noescape
func log8(x *float32, n int, floor *float32)

//go:noescape
func store8(dst, src *float32, step, n int)

//go:noescape
func load16(dst, src, window *float32, step, n int)

//go:noescape
func radix2x16(z, twiddles *float32, apart int)

//go:noescape
func radix4x16(z, twiddles *float32, apart int)

//go:noescape
func radix8x16(z, twiddles *float32, apart int)

//go:noescape
func last8x16(z *float32, n int)

//go:noescape
func both16(dst, z *float32, table *split32, n int, epsilon *float32, root int)

//go:noescape
func single16(dst, z *float32, table *split32, n int, epsilon *float32, root int)

//go:noescape
func bank16(dst, bins, weights *float32, spans *span32, n int)

//go:noescape
func log16(x *float32, n int, floor *float32)

//go:noescape
func store16(dst, src *float32, step, n int)

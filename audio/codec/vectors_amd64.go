package codec

import "golang.org/x/sys/cpu"

//go:generate go run ../internal/genvector -kernels int16 -out int16_amd64.s
//go:generate go run ../internal/genvector -kernels flac -out flac_amd64.s
//go:generate go run ../internal/genvector -kernels md5 -out md5_amd64.s
//go:generate go run ../internal/genvector -kernels mp3 -out mp3_amd64.s
//go:generate go run ../internal/genvector -kernels vorbis -out vorbis_amd64.s

// convertQuickly converts as many of the first samples as vectors can, and says how many these are.
func convertQuickly(dst []float32, raw []byte) int {
	n := len(dst) / 16
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0
	}
	convert8(&dst[0], &raw[0], n)
	return 16 * n
}

// convert8 converts n times 16 samples; internal/genvector writes it.
//
//go:noescape
func convert8(dst *float32, src *byte, n int)

// vectorsFLAC reports whether restoreQuickly runs here. Every processor with BMI2 has LZCNT, for which there is no flag.
func vectorsFLAC() bool { return cpu.X86.HasBMI2 && cpu.X86.HasAVX2 }

// restoreQuickly is restore as far as the stream has eight bytes to look at, and no number takes more than 57 bits. It
// gives how many samples that were.
func (s *flacStream) restoreQuickly(block []int64, at, end int, k uint, p *flacPredictor) int {
	kernel := restore32
	switch {
	case p.order <= 4:
		kernel = restore4
	case p.order <= 8:
		kernel = restore8
	case p.order <= 12:
		kernel = restore12
	}
	most := max(1, int(57/(k+3))) // the numbers that usually lie within 57 bits
	done, bit := kernel(&block[at], end-at, &s.b[0], len(s.b), s.at(), k, most, &p.weights, p.shift)
	s.seek(bit)
	return done
}

// restore4 and the others read and predict n samples from a bit of src on; internal/genvector writes them.
// Before dst stand as many samples as they have weights.
//
//go:noescape
func restore4(dst *int64, n int, src *byte, size int, at int, k uint, most int, weights *[32]int64, shift uint) (done, bit int)

//go:noescape
func restore8(dst *int64, n int, src *byte, size int, at int, k uint, most int, weights *[32]int64, shift uint) (done, bit int)

//go:noescape
func restore12(dst *int64, n int, src *byte, size int, at int, k uint, most int, weights *[32]int64, shift uint) (done, bit int)

//go:noescape
func restore32(dst *int64, n int, src *byte, size int, at int, k uint, most int, weights *[32]int64, shift uint) (done, bit int)

// narrowQuickly is narrow16 for as many of the first samples as vectors can; done says how many these are.
func narrowQuickly(raw []byte, block []int64) (done int, wide uint64) {
	n := len(block) / 16
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0, 0
	}
	return 16 * n, narrow(&raw[0], &block[0], n)
}

//go:noescape
func narrow(dst *byte, src *int64, n int) (wide uint64)

// foldQuickly writes 64 bytes that have the CRC-16 of the first n bytes of b; n is 0 where b is short or no vectors are.
func foldQuickly(dst *[64]byte, b []byte) (n int) {
	blocks := len(b) / 64
	if blocks < 2 || !cpu.X86.HasPCLMULQDQ || !cpu.X86.HasAVX2 {
		return 0
	}
	foldCRC(dst, &b[0], blocks-1)
	return 64 * blocks
}

//go:noescape
func foldCRC(dst *[64]byte, src *byte, n int)

// lanesMD5 is how many sums are made together; 0: there are no vectors for it.
func lanesMD5() int {
	switch {
	case cpu.X86.HasAVX512F:
		return 16
	case cpu.X86.HasAVX2:
		return 8
	}
	return 0
}

// digest takes n blocks of 64 bytes, which lie one after the other from an address on, into each of some sums. state
// holds a of all of them, then b, c and d, then room for 16 times as many words.
func digest(state []uint32, at []*byte, n int) {
	if len(at) == 16 {
		digest16(&state[0], &at[0], n)
	} else {
		digest8(&state[0], &at[0], n)
	}
}

// digest8 and digest16 are written by internal/genvector.
//
//go:noescape
func digest8(state *uint32, at **byte, n int)

//go:noescape
func digest16(state *uint32, at **byte, n int)

// vectorsMP3 reports whether the vector code of the transforms runs here. It has the bits of the portable
// one; internal/genvector writes it and says what each function does.
func vectorsMP3() bool { return cpu.X86.HasAVX2 }

// wideMP3 reports whether it runs for 8 lanes of float64.
func wideMP3() bool { return cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL }

// subbandsQuickly transforms the subbands of a granule that hold something, which all have the same kind of block, and
// as many more as fill the lanes up; it gives how many that are.
func (d *mp3Decoder) subbandsQuickly(g *mp3Granule, ch, used int) int {
	for sb := range used {
		for k, v := range d.lines[ch][18*sb : 18*sb+18] {
			d.columns[k][sb] = v
		}
	}
	lanes, long, short := 4, subbandsLong4, subbandsShort4
	if wideMP3() {
		lanes, long, short = 8, subbandsLong8, subbandsShort8
	}
	groups := (used + lanes - 1) / lanes
	for k := range d.columns {
		clear(d.columns[k][used : lanes*groups])
	}
	t := mp3Shared()
	if g.blockType == 2 {
		short(&d.steps[ch], &d.columns, &d.overlap[ch], &t.dct6, &t.window[2], groups)
	} else {
		long(&d.steps[ch], &d.columns, &d.overlap[ch], &t.dct18, &t.window[g.blockType], groups)
	}
	return lanes * groups
}

func matrixQuickly(v *[64]float64, table *[16][32]float64, x *[32]float64) {
	if wideMP3() {
		matrix8(v, table, x)
	} else {
		matrix4(v, table, x)
	}
}

func weighQuickly(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int) {
	if wideMP3() {
		weigh8(sum, ring, window, slot)
	} else {
		weigh4(sum, ring, window, slot)
	}
}

//go:noescape
func subbandsLong4(out, x, kept *[18][32]float64, table *[18][20]float64, window *[36]float64, groups int)

//go:noescape
func subbandsLong8(out, x, kept *[18][32]float64, table *[18][20]float64, window *[36]float64, groups int)

//go:noescape
func subbandsShort4(out, x, kept *[18][32]float64, table *[6][6]float64, window *[36]float64, groups int)

//go:noescape
func subbandsShort8(out, x, kept *[18][32]float64, table *[6][6]float64, window *[36]float64, groups int)

//go:noescape
func matrix4(v *[64]float64, table *[16][32]float64, x *[32]float64)

//go:noescape
func matrix8(v *[64]float64, table *[16][32]float64, x *[32]float64)

//go:noescape
func weigh4(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int)

//go:noescape
func weigh8(sum *[32]float64, ring *[16][64]float64, window *[512]float64, slot int)

// vectorsVorbis reports whether the vector code of the Vorbis decoder runs here.
func vectorsVorbis() bool { return cpu.X86.HasAVX2 }

// transformQuickly is transformHalf. A block has 64 values at least, and so a transform of 16.
func (t *imdct) transformQuickly(x []float32) {
	k := len(t.z)
	twistIn(&t.z[0], &x[0], &t.twist[0], &t.order[0], t.m)
	firstPasses(&t.z[0], &t.roots[0], k/8)
	half := 4
	for ; 4*half <= k; half *= 4 {
		twoPasses(&t.z[0], &t.roots[half], half, k/(4*half))
	}
	if half < k {
		onePass(&t.z[0], &t.roots[half], half, k/(2*half))
	}
	twistOut(&t.dct[0], &t.z[0], &t.twist[0], t.m)
}

// meanQuickly is meanOf for as many of the first sums as vectors can; done says how many these are.
func meanQuickly(dst []float32, sum []float64, channels int) (done int, ok bool) {
	n := len(dst) / 4
	if n == 0 || !cpu.X86.HasAVX2 {
		return 0, true
	}
	return 4 * n, mean(&dst[0], &sum[0], float64(channels), belowOne, n) == 0
}

//go:noescape
func twistIn(z *complex128, x *float32, twist *complex128, order *int, m int)

//go:noescape
func firstPasses(z, roots *complex128, n int)

//go:noescape
func onePass(z, roots *complex128, half, n int)

//go:noescape
func twoPasses(z, roots *complex128, half, n int)

//go:noescape
func twistOut(u *float64, z, twist *complex128, m int)

//go:noescape
func lapIn(sum, tail, u, slope *float64, h int)

//go:noescape
func lapOut(tail, u, slope *float64, h int)

//go:noescape
func mean(dst *float32, sum *float64, channels float64, most float32, n int) (notNumbers uint32)

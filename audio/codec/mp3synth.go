package codec

import (
	"math"

	"voxpack/audio/detmath"
)

// An mp3Decoder keeps what one frame leaves for the next.
type mp3Decoder struct {
	header     mp3Header
	pick       int // see Limits
	long       []int
	short      []int
	mixed      []int
	mixedLongs int
	longSubs   int // subbands of a mixed block that are long

	reservoir []byte // the last main data, of which the next frame may need 511 bytes
	data      []byte // of one frame
	reuse     [2]int
	granules  [2][2]mp3Granule
	values    [576]int16
	lines     [2][576]float64
	sorted    [576]float64
	steps     [2][18][32]float64 // the samples of each subband
	overlap   [2][18][32]float64 // what a granule leaves for the next
	columns   [18][32]float64    // lines of each subband
	v         [2][16][64]float64 // the last vectors of the synthesis, as a ring
	slot      int
}

// newMP3Decoder lists the bands of the stream's rate. In the list of short ones each band stands three
// times, once a window. A mixed block begins with 8 long bands in MPEG-1 and with 6 in the others; either
// way they take the place of the first three short ones: 36 lines, which are two subbands, and twice as many
// at 8,000 Hz.
func newMP3Decoder(h mp3Header) *mp3Decoder {
	rows := mp3Bands[h.version][h.row]
	d := &mp3Decoder{header: h, long: mp3Long[rows.long][:], mixedLongs: 8, longSubs: 2}
	if h.version > 0 {
		d.mixedLongs = 6
	}
	if h.rate == 8000 {
		d.longSubs = 4
	}
	for _, width := range mp3Short[rows.short] {
		d.short = append(d.short, width, width, width)
	}
	d.mixed = append(append(d.mixed, d.long[:d.mixedLongs]...), d.short[9:]...)
	return d
}

// newMP3Tables makes the tables from their formulas: powers of 4/3, the cosines of the transforms,
// windows that are sines (11172-3, 2.4.3.4.10.3), factors of butterflies and directions. All come from
// detmath, so that they have the same bits everywhere.
func newMP3Tables() *mp3Tables {
	t := &mp3Tables{}
	for i, code := range mp3Codes {
		if i >= 17 && i < 24 || i > 24 && i < 32 {
			t.books[i] = t.books[i-1]
		} else if code != "" {
			t.books[i] = newMP3Book(code)
		}
	}
	for i := 1; i <= mp3Most; i++ {
		v := detmath.Exp(float64(detmath.Log(float64(i)) * (4.0 / 3)))
		t.powers[mp3Most+i], t.powers[mp3Most-i] = v, -v
	}
	t.roots = [4]float64{1, math.Sqrt(math.Sqrt2), math.Sqrt2, math.Sqrt(math.Sqrt2) * math.Sqrt2}
	for m := range 18 {
		for k := range 18 {
			_, t.dct18[k][m] = detmath.SinCos(int64((2*m+1)*(2*k+1)), 144)
			if m < 6 && k < 6 {
				_, t.dct6[m][k] = detmath.SinCos(int64((2*m+1)*(2*k+1)), 48)
			}
		}
	}
	for i := range 36 {
		long, _ := detmath.SinCos(int64(2*i+1), 144)
		t.window[0][i], t.window[1][i], t.window[3][35-i] = long, long, long
		if i < 12 {
			t.window[2][i], _ = detmath.SinCos(int64(2*i+1), 48)
		}
	}
	// The second half of block type 1: six ones, the falling half of a short window, six zeros. The first
	// half of type 3 is its mirror.
	for i := range 18 {
		edge := 0.0
		if i < 6 {
			edge = 1
		} else if i < 12 {
			edge = t.window[2][i]
		}
		t.window[1][18+i], t.window[3][17-i] = edge, edge
	}
	for m := range 16 {
		for k := range 16 {
			_, t.dct16[k][m] = detmath.SinCos(int64(2*m*(2*k+1)), 128)
			_, t.dct16[k][16+m] = detmath.SinCos(int64((2*m+1)*(2*k+1)), 128)
		}
	}
	for i := range t.synth {
		v := mp3Window[min(i, 512-i)]
		if i > 256 && i%64 != 0 {
			v = -v
		}
		t.synth[i] = float64(v) / 65536
	}
	for i, c := range mp3Alias {
		t.cs[i] = 1 / math.Sqrt(1+float64(c*c))
		t.ca[i] = c / math.Sqrt(1+float64(c*c))
	}
	for i := range t.is {
		sin, cos := detmath.SinCos(int64(i), 24) // the ratio of the channels is the tangent
		t.is[i] = [2]float64{sin / (sin + cos), cos / (sin + cos)}
	}
	return t
}

// readFrame decodes a frame; pcm is nil if nobody wants its samples. The text says what is wrong with it.
// Without pcm all but the synthesis runs: overlaps and reservoir go on, and damage is found as it would be.
func (d *mp3Decoder) readFrame(frame []byte, pcm []float32) string {
	h, _ := readMP3Header(frame)
	d.header = h
	frame = frame[:h.size]
	if h.protected {
		if got, want := mp3CRC(frame, h.sideSize()), uint16(frame[4])<<8|uint16(frame[5]); got != want {
			return "the checksum of its header is wrong"
		}
	}
	side := &msbReader{b: frame[h.body() : h.body()+h.sideSize()]}
	begin, why := d.readSide(side)
	if why != "" {
		return why
	}
	if begin > len(d.reservoir) {
		return "it needs bytes of frames before it that are not there, so the file was cut out of a longer one: decode it and encode it again"
	}
	main := frame[h.body()+h.sideSize():]
	d.data = append(append(d.data[:0], d.reservoir[len(d.reservoir)-begin:]...), main...)
	// begin is at most 511 in MPEG-1 (9 bits) and 255 in MPEG-2 (8 bits): no more is kept.
	d.reservoir = append(d.reservoir, main...)
	d.reservoir = append(d.reservoir[:0], d.reservoir[max(0, len(d.reservoir)-511):]...)
	r := &msbReader{b: d.data}
	at := 0
	for gr := range h.samples() / 576 {
		for ch := range h.channels {
			g := &d.granules[gr][ch]
			if at += g.bits; at > 8*len(d.data) {
				return "it has fewer bits than it says"
			}
			if h.version > 0 {
				g.readScales2(r, h.intensity && ch == 1)
			} else {
				g.readScales(r, &d.granules[0][ch], d.reuse[ch]*gr)
				// In MPEG-1 position 7 of the right channel is no direction (11172-3, 2.4.3.4.9.3).
				for i, v := range g.scales {
					g.legal[i] = v < 7
				}
			}
			if why := g.readValues(r, at, &d.values); why != "" {
				return why
			}
			d.requantise(g, &d.lines[ch])
		}
		d.stereo(&d.granules[gr][0], &d.granules[gr][1])
		for ch := range h.channels {
			d.hybrid(&d.granules[gr][ch], ch)
		}
		if pcm != nil {
			d.synthesise(pcm[576*gr:])
		} else {
			d.slot = (d.slot + 18*15) % 16
		}
	}
	return ""
}

// requantise gives the lines their size (11172-3, 2.4.3.4.7), in the order of the bands: sign(v)
// |v|^(4/3) 2^((gain - 210 - 8 subGain)/4) 2^(-scale/2) or, with g.scale, 2^(-scale). The exponent is
// kept in quarters, so that 2^(n/4) is one of four roots and a shift.
func (d *mp3Decoder) requantise(g *mp3Granule, lines *[576]float64) {
	t := mp3Shared()
	at := 0
	for band, width := range g.bands {
		if at >= g.top {
			break
		}
		quarters := g.gain - 210
		scale := int(g.scales[band])
		if band >= g.longs {
			quarters -= 8 * g.subGain[(band-g.longs)%3]
		} else if g.preflag == 1 {
			scale += mp3Pretab[band]
		}
		quarters -= scale * (2 << g.scale)
		// quarters is from -430 to 45 (all of scale, subGain and gain), so that the power of two is a usual number.
		factor := t.roots[quarters&3] * math.Float64frombits(uint64(1023+quarters>>2)<<52)
		for i := at; i < at+width; i++ {
			lines[i] = float64(t.powers[mp3Most+int(d.values[i])] * factor)
		}
		at += width
	}
	clear(lines[at:])
}

// stereo makes left and right out of what a joint frame holds: sum and difference, or one channel and
// directions.
func (d *mp3Decoder) stereo(left, right *mp3Granule) {
	if d.header.channels == 1 || !d.header.ms && !d.header.intensity {
		return
	}
	l, r := &d.lines[0], &d.lines[1]
	tops := [3]int{-1, -1, -1} // the last band with a value in the right channel, by window
	if d.header.intensity {
		at := 0
		for band, width := range right.bands {
			for _, v := range r[at : at+width] {
				if v != 0 {
					tops[window3(right, band)] = band
				}
			}
			at += width
		}
		// Where there are long bands the windows have one bound together.
		if right.longs > 0 {
			top := max(tops[0], tops[1], tops[2])
			tops = [3]int{top, top, top}
		}
	} else {
		// No band is above: there are at most 39.
		tops = [3]int{39, 39, 39}
	}
	at := 0
	for band, width := range right.bands {
		a, b := l[at:at+width], r[at:at+width]
		at += width
		if top := tops[window3(right, band)]; band > top {
			if kl, kr, ok := d.direction(right, band, top); ok {
				for i, v := range a {
					a[i], b[i] = float64(v*kl), float64(v*kr)
				}
				continue
			}
		}
		if d.header.ms {
			for i, m := range a {
				s := b[i]
				a[i], b[i] = float64((m+s)*(math.Sqrt2/2)), float64((m-s)*(math.Sqrt2/2))
			}
		}
	}
	// Either channel may now hold values as far up as both did together.
	top := max(left.top, right.top)
	left.top, right.top = top, top
}

// window3 is the window of a band of short blocks, 0 of a long one.
func window3(g *mp3Granule, band int) int {
	if band < g.longs {
		return 0
	}
	return (band - g.longs) % 3
}

// direction gives the factors of an intensity band, which all bands over top are. Position 7 of MPEG-1
// and the greatest that a band's width can hold of MPEG-2 are no direction (11172-3, 2.4.3.4.9.3;
// 13818-3, 2.4.3.2, as other decoders cite them).
//
// No position is stored for the last band of a block: it has that of the band before it. Where that one
// is no intensity band, its scale factor is no position, and decoders differ. Here the sound is in the
// middle then, as in the PCM beside the streams l3-test45 and l3-test46 of minimp3's vectors, which
// this matches in all 1,072 granules.
func (d *mp3Decoder) direction(g *mp3Granule, band, top int) (left, right float64, ok bool) {
	step := 1
	if len(g.bands) > g.longs {
		step = 3
	}
	at := band
	if band >= len(g.bands)-step {
		at = band - step
	}
	position, legal := int(g.scales[at]), g.legal[at]
	switch {
	case at <= top && d.header.version == 0:
		position = 3
	case at <= top:
		position = 0
	case !legal:
		return 0, 0, false
	}
	if d.header.version == 0 {
		k := mp3Shared().is[position]
		return k[0], k[1], true
	}
	// 13818-3, 2.4.3.2: by turns left and right become softer, by steps of 1.5 or 3 dB.
	quarters := (position + 1) / 2 * (1 + g.compress&1)
	k := math.Ldexp(mp3Shared().roots[-quarters&3], -quarters>>2)
	if position&1 == 1 {
		return k, 1, true
	}
	return 1, k, true
}

// hybrid turns the lines of a channel into 18 samples of each of 32 subbands: butterflies between neighbouring
// subbands undo the aliasing of the encoder's filters (11172-3, 2.4.3.4.10.1), an IMDCT of each subband is
// windowed and added to the half that the granule before left, and every other sample of every other subband
// changes its sign, since those subbands have their spectrum upside down (2.4.3.4.10.5).
//
// Only subbands that hold something are transformed: g.top is the first line after the last value, and
// the butterflies carry it one subband further.
func (d *mp3Decoder) hybrid(g *mp3Granule, ch int) {
	t := mp3Shared()
	lines := &d.lines[ch]
	plain := 0 // subbands with the window of a long block, whatever the others have (11172-3, 2.4.2.7, mixed_block_flag)
	if g.mixed {
		plain = d.longSubs
	}
	longs := 32
	if g.blockType == 2 {
		longs = plain
		d.sortShort(g, lines)
	}
	used := min(32, (g.top+17)/18+1)
	// sortShort has moved lines upwards, so top says nothing about them.
	if g.blockType == 2 {
		used = 32
	}
	for sb := 1; sb < min(longs, used); sb++ {
		up, down := lines[18*sb-18:18*sb], lines[18*sb:18*sb+18]
		for i := range 8 {
			u, v := up[17-i], down[i]
			up[17-i] = float64(u*t.cs[i]) - float64(v*t.ca[i])
			down[i] = float64(v*t.cs[i]) + float64(u*t.ca[i])
		}
	}
	done := 0
	if vectorsMP3() && plain == 0 {
		done = d.subbandsQuickly(g, ch, used)
	}
	for sb := done; sb < 32; sb++ {
		var y [36]float64
		x := (*[18]float64)(lines[18*sb:])
		switch {
		case sb >= used:
		case sb < plain:
			t.imdctLong(&y, x, 0)
		case g.blockType == 2:
			t.imdctShort(&y, x)
		default:
			t.imdctLong(&y, x, g.blockType)
		}
		out, kept := &d.steps[ch], &d.overlap[ch]
		for i := range 18 {
			v := y[i] + kept[i][sb]
			if sb&i&1 == 1 {
				v = -v
			}
			out[i][sb], kept[i][sb] = v, y[18+i]
		}
	}
}

// sortShort brings the lines of short blocks from the order of the bands, one window after the other,
// into that of frequency, three windows side by side (11172-3, 2.4.3.4.8).
func (d *mp3Decoder) sortShort(g *mp3Granule, lines *[576]float64) {
	at := 0
	for _, width := range g.bands[:g.longs] {
		at += width
	}
	for band := g.longs; band < len(g.bands); band += 3 {
		width := g.bands[band]
		for i := range width {
			for w := range 3 {
				d.sorted[at+3*i+w] = lines[at+w*width+i]
			}
		}
		copy(lines[at:at+3*width], d.sorted[at:])
		at += 3 * width
	}
}

// imdctLong is the windowed transform of 18 lines: like imdct a DCT-IV with its symmetries, which of
// this size needs no trick.
func (t *mp3Tables) imdctLong(y *[36]float64, x *[18]float64, blockType int) {
	var u [18]float64
	for m := range u {
		var a, b float64
		for k := 0; k < 18; k += 2 {
			a += float64(t.dct18[k][m] * x[k])
			b += float64(t.dct18[k+1][m] * x[k+1])
		}
		u[m] = a + b
	}
	w := &t.window[blockType]
	for i := range 9 {
		y[i] = float64(u[9+i] * w[i])
		y[27+i] = -float64(u[i] * w[27+i])
	}
	for i := range 18 {
		y[9+i] = -float64(u[17-i] * w[9+i])
	}
}

// imdctShort is the same for three windows of 6 lines, each laid over the one before by half: they
// begin at 6, 12 and 18 of 36 values (11172-3, 2.4.3.4.10.3).
func (t *mp3Tables) imdctShort(y *[36]float64, x *[18]float64) {
	w := &t.window[2]
	for n := range 3 {
		var u [6]float64
		for m := range u {
			for k := range 6 {
				u[m] += float64(t.dct6[m][k] * x[3*k+n])
			}
		}
		out := y[6+6*n:]
		for i := range 3 {
			out[i] += float64(u[3+i] * w[i])
			out[9+i] -= float64(u[i] * w[9+i])
		}
		for i := range 6 {
			out[3+i] -= float64(u[5-i] * w[3+i])
		}
	}
}

// synthesise turns the subbands into 576 samples and writes the mean of the channels (11172-3,
// 2.4.3.2.2). The matrix of 64 × 32 cosines is a DCT of 32 with its symmetries, of which even and odd
// ones need half the inputs each.
func (d *mp3Decoder) synthesise(pcm []float32) {
	t := mp3Shared()
	channels := d.header.channels
	if d.pick > 0 {
		channels = 1
	}
	for step := range 18 {
		d.slot = (d.slot + 15) % 16
		var sum [32]float64
		for ch := range d.header.channels {
			if d.pick > 0 && ch+1 != d.pick {
				continue // nobody hears it
			}
			v := &d.v[ch][d.slot]
			if vectorsMP3() {
				matrixQuickly(v, &t.dct16, &d.steps[ch][step])
				weighQuickly(&sum, &d.v[ch], &t.synth, d.slot)
				continue
			}
			t.matrix(v, &d.steps[ch][step])
			for i := range 8 {
				a, b := &d.v[ch][(d.slot+2*i)%16], &d.v[ch][(d.slot+2*i+1)%16]
				w := (*[64]float64)(t.synth[64*i:])
				for j := range sum {
					sum[j] += float64(w[j]*a[j]) + float64(w[32+j]*b[32+j])
				}
			}
		}
		meanOf(pcm[32*step:][:32], sum[:], channels)
	}
}

// matrix is the first step of the synthesis: v[i] = Σ x[k] cos((16 + i)(2k + 1) π/64) for 64 values
// of 32 subbands (11172-3, figure A.2). cos((16 + i)(2k + 1) π/64) is a DCT's value at 16 + i, and a
// DCT is even around 0 and odd around 32, so that 32 sums c make all 64. c[32] is never read: it is 0.
func (t *mp3Tables) matrix(v *[64]float64, x *[32]float64) {
	var c [32]float64
	for k := range 16 {
		a, b := x[k]+x[31-k], x[k]-x[31-k]
		for m := range 16 {
			c[2*m] += float64(t.dct16[k][m] * a)
			c[2*m+1] += float64(t.dct16[k][16+m] * b)
		}
	}
	for i := range 16 {
		v[i] = c[16+i]
		v[48+i] = -c[i]
	}
	// The mirror of c around 32, of which 16 + i runs from 33 to 63.
	for i := 17; i < 48; i++ {
		v[i] = -c[48-i]
	}
	v[16] = 0
}

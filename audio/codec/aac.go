package codec

import "bytes"

// This is a decoder of AAC-LC by ISO/IEC 14496-3, subpart 4, whose sections the comments name;
// docs/design/0116 says why it is our own. It computes with the same bits on every machine. One channel or a
// pair is read; more of them, SBR and what else a stream may hold besides are left to ffmpeg.
//
// A block of 1,024 lines a channel goes this way:
//
//	bits ── windows, sections, scale factors ──▶ a code and a factor for each band      readChannel
//	bits ── Huffman codes, pulses, noise ──▶ lines                                      readLines
//	lines ── sum and difference, directions ──▶ two channels                            unite
//	lines ── prediction over frequency (TNS), IMDCT, overlap ──▶ 1,024 samples          synthesise

// aacForeign is what is wrong with a block that ffmpeg may read.
const aacForeign = "it is of a kind that only ffmpeg reads"

// The kinds of blocks (table 4.112): a long one, one before short ones, eight short ones, and one after them.
const (
	aacLong = iota
	aacStart
	aacShort
	aacStop
)

// The codes of bands that hold no values: their lines are zero, noise, or those of the left channel.
const (
	aacZero    = 0
	aacEscapes = 11
	aacNoise   = 13
	aacAgainst = 14
	aacAlike   = 15
)

// An aacDecoder decodes the blocks of a stream, in their order.
type aacDecoder struct {
	bands  *[2]aacBands
	pair   bool
	pick   int // see Limits
	work   [2]aacChannel
	common bool      // both channels have the same windows
	ms     [128]bool // bands that hold sum and difference, or directions that are turned round
	all    bool      // ms is said of all bands at once
	seed   uint32    // of noise
	blocks [2]*imdct
	sum    [1024]float64 // of the channels
	y      [2048]float64
}

// aacChannel is one channel of a block, and what the block before left. Bands are numbered by 16 for a group of
// windows and 1 for a band in it; long blocks have one group.
type aacChannel struct {
	aacWindows
	codes   [128]uint8
	scales  [128]int // scale factors, energies of noise, or directions
	filters []aacFilter
	lines   [1024]float32 // of short blocks 128 for each
	tail    [1024]float64
	shape   int // of the window's falling half, before this block
}

// aacWindows is how a block is divided.
type aacWindows struct {
	kind, curve int
	bands       aacBands
	used        int    // of the bands
	groups      [8]int // how many windows each has
	count       int    // of groups
}

// newAACDecoder is a decoder for a rate by its index, and one or two channels.
func newAACDecoder(rate, channels int) *aacDecoder {
	// The seed and the step of noise are those of ffmpeg, so that its output can be compared.
	d := &aacDecoder{bands: &aacShared().bands[rate], pair: channels == 2, seed: 0x1f2e3d4c}
	d.blocks = [2]*imdct{newIMDCT(2048), newIMDCT(256)}
	return d
}

// decode decodes a block to 1,024 samples, of which no dst is as good; the text says what is wrong with it.
func (d *aacDecoder) decode(dst []float32, block []byte) (size int, why string) {
	r := &msbReader{b: block}
	if why := d.readBlock(r); why != "" {
		return 0, why
	}
	channels := d.work[:1]
	if d.pair {
		channels = d.work[:]
		d.unite()
	}
	if d.pick > 0 {
		channels = d.work[d.pick-1 : d.pick] // nobody hears the other
	}
	clear(d.sum[:])
	for i := range channels {
		c := &channels[i]
		for _, f := range c.filters {
			f.apply(&c.lines)
		}
		d.synthesise(c)
	}
	if !meanOf(dst, d.sum[:], len(channels)) {
		return 0, "it gives samples that are not numbers"
	}
	return r.align(), ""
}

// readBlock reads the elements of a block up to its end (4.4.2.1, tables 4.3 to 4.12).
func (d *aacDecoder) readBlock(r *msbReader) (why string) {
	const single, pair, stream, fill, end = 0, 1, 4, 6, 7
	for found := false; ; {
		kind := r.take(3)
		if r.over {
			return "it ends early"
		}
		switch kind {
		case single, pair:
			if found || (kind == pair) != d.pair {
				return aacForeign
			}
			found = true
			r.take(4)
			if why = d.readElement(r); why != "" {
				return why
			}
		case stream:
			r.take(4)
			aligned, size := r.take(1) == 1, r.take(8)
			if size == 255 {
				size += r.take(8)
			}
			if aligned {
				r.align()
			}
			r.skip(size)
		case fill:
			size := r.take(4)
			if size == 15 {
				size += r.take(8) - 1
			}
			if size == 0 {
				continue
			}
			if bytes.HasPrefix(r.b[min(4, len(r.b)):], []byte("libfaac")) { // FAAC: ffmpeg knows how late it is
				return aacForeign
			}
			if extension := r.take(8); extension>>5 == 6 { // 13 and 14 are SBR
				return aacForeign
			}
			r.skip(size - 1)
		case end:
			if !found {
				return aacForeign
			}
			return ""
		default:
			return aacForeign
		}
	}
}

// skip passes bytes.
func (r *msbReader) skip(n uint64) {
	for ; n > 0 && !r.over; n-- {
		r.take(8)
	}
}

// readElement reads one channel or two.
func (d *aacDecoder) readElement(r *msbReader) (why string) {
	left, right := &d.work[0], &d.work[1]
	if d.common = false; !d.pair {
		return d.readChannel(r, left)
	}
	d.ms, d.all = [128]bool{}, false
	if d.common = r.take(1) == 1; d.common {
		if why = d.readWindows(r, &left.aacWindows); why != "" {
			return why
		}
		right.aacWindows = left.aacWindows
		switch mask := r.take(2); mask {
		case 1:
			for g := range left.count {
				for b := range left.used {
					d.ms[16*g+b] = r.take(1) == 1
				}
			}
		case 2:
			d.all = true
		case 3:
			return "its mask is a reserved one"
		}
	}
	if why = d.readChannel(r, left); why == "" {
		why = d.readChannel(r, right)
	}
	return why
}

// readWindows reads ics_info (table 4.6). A bit for each short block but the first says that it is of the same
// group as the one before.
func (d *aacDecoder) readWindows(r *msbReader, w *aacWindows) string {
	r.take(1)
	*w = aacWindows{kind: int(r.take(2)), curve: int(r.take(1)), bands: d.bands[0], groups: [8]int{1}, count: 1}
	if w.kind == aacShort {
		w.bands, w.used = d.bands[1], int(r.take(4))
		for range 7 {
			if r.take(1) == 0 {
				w.count++
			}
			w.groups[w.count-1]++
		}
	} else {
		w.used = int(r.take(6))
		if r.take(1) == 1 {
			return "it is predicted, which AAC-LC has not"
		}
	}
	if w.used > len(w.bands.at)-1 {
		return "it has more bands than there are"
	}
	return ""
}

// each hands out the lines of every band in every window, with the band's number.
func (w *aacWindows) each(yield func(band, from, to int)) {
	first := 0
	for g, n := range w.groups[:w.count] {
		for b := range w.used {
			for k := first; k < first+n; k++ {
				yield(16*g+b, 128*k+w.bands.at[b], 128*k+w.bands.at[b+1])
			}
		}
		first += n
	}
}

// readChannel reads individual_channel_stream (table 4.50).
func (d *aacDecoder) readChannel(r *msbReader, c *aacChannel) (why string) {
	gain := int(r.take(8))
	if !d.common {
		if why = d.readWindows(r, &c.aacWindows); why != "" {
			return why
		}
	}
	if why = c.readSections(r); why != "" {
		return why
	}
	if why = c.readScales(r, gain); why != "" {
		return why
	}
	var pulses []aacPulse
	if r.take(1) == 1 {
		if pulses, why = c.readPulses(r); why != "" {
			return why
		}
	}
	if why = c.readFilters(r); why != "" {
		return why
	}
	if r.take(1) == 1 {
		return "it has a gain control, which AAC-LC has not"
	}
	if why = d.readLines(r, c); why != "" {
		return why
	}
	c.addPulses(pulses)
	if r.over {
		return "it ends early"
	}
	return ""
}

// readSections reads which code each band has (table 4.52): runs of bands, whose lengths are numbers of 3 or 5
// bits, added up as long as they are the greatest.
func (c *aacChannel) readSections(r *msbReader) string {
	width := uint(5)
	if c.kind == aacShort {
		width = 3
	}
	for g := range c.count {
		for b := 0; b < c.used; {
			code, end := uint8(r.take(4)), b
			if code == 12 {
				return "its code is a reserved one"
			}
			for more := true; more && end <= c.used && !r.over; {
				n := int(r.take(width))
				end += n
				more = n == 1<<width-1
			}
			if end > c.used || r.over {
				return "its sections are longer than it"
			}
			for ; b < end; b++ {
				c.codes[16*g+b] = code
			}
		}
	}
	return ""
}

// readScales reads scale factors (table 4.53), each as a difference from the one before of its kind. The first
// energy of noise is a number by itself (4.6.13.3).
func (c *aacChannel) readScales(r *msbReader, gain int) string {
	book := aacShared().books[11]
	noise, direction, noisy := gain-90, 0, false
	for g := range c.count {
		for b := 16 * g; b < 16*g+c.used; b++ {
			code := c.codes[b]
			if code == aacZero {
				continue
			}
			step := 0
			if code == aacNoise && !noisy {
				noisy, step = true, int(r.take(9))-256
			} else {
				step = int(book.read(r)>>14) - 60
			}
			switch code {
			case aacNoise:
				noise += step
				c.scales[b] = max(-100, min(noise, 155))
			case aacAlike, aacAgainst:
				direction += step
				c.scales[b] = max(-155, min(direction, 100))
			default:
				if gain += step; gain < 0 || gain > 255 {
					return "a scale factor of it is none"
				}
				c.scales[b] = gain
			}
		}
	}
	return ""
}

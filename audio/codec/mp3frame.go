package codec

import (
	"encoding/binary"
	"sync"
)

// mp3Granule is the side information of one channel for 576 samples, and what follows from it. The fields up
// to quads are read from the stream; those after it are computed from them and from the scale factors.
type mp3Granule struct {
	bits      int // of scale factors and values together
	pairs     int // of values in the big regions
	gain      int // global_gain, in quarters of a power of two, 210 for a factor of 1
	compress  int
	blockType int // 0: long, 1: a long one before short ones, 2: short, 3: a long one after them
	mixed     bool
	tables    [3]int // the Huffman code of each region
	subGain   [3]int
	regions   [2]int // where the second and the third region begin
	preflag   int
	scale     int // 1: scale factors count in steps of 1/2, not of 1/√2
	quads     int // which code of quadruples

	longs  int // bands of long blocks at the beginning; the others come in threes, one a window
	bands  []int
	scales [39]uint8
	legal  [39]bool // of an intensity channel: the scale factor is a direction
	top    int      // lines from this one on are zero
}

const mp3Most = 15 + 8191

// mp3Tables is what all decoders share. It is made once and only read after that. powers begins
// and ends at the greatest value there is, mp3Most: 15 in the code and 8,191 in 13 more bits.
type mp3Tables struct {
	books  [34]mp3Book
	powers [2*mp3Most + 1]float64 // sign(n) |n|^(4/3) for n - mp3Most
	roots  [4]float64             // 2^(n/4)
	dct18  [18][20]float64        // a row for each line; two zeros fill it up
	dct6   [6][6]float64
	window [4][36]float64  // by block type; that of short blocks has 12 values
	dct16  [16][32]float64 // a row for each pair of subbands: the even cosines, then the odd ones
	synth  [512]float64
	cs, ca [8]float64
	is     [7][2]float64 // left and right factor of an intensity direction of MPEG-1
}

var mp3Shared = sync.OnceValue(newMP3Tables)

// bandsOf gives the widths of the bands of a granule and how many of them are long.
func (d *mp3Decoder) bandsOf(blockType int, mixed bool) ([]int, int) {
	switch {
	case blockType != 2:
		return d.long, 22
	case mixed:
		return d.mixed, d.mixedLongs
	}
	return d.short, 0
}

// readSide reads the side information of a frame; the text says what is wrong with it.
func (d *mp3Decoder) readSide(r *msbReader) (begin int, why string) {
	h := d.header
	if h.version == 0 {
		begin = int(r.take(9))
		r.take(uint(7 - 2*h.channels)) // private: 5 bits for one channel, 3 for two
		for ch := range h.channels {
			d.reuse[ch] = int(r.take(4))
		}
	} else {
		begin = int(r.take(8))
		r.take(uint(h.channels))
	}
	for gr := range h.samples() / 576 {
		for ch := range h.channels {
			if why := d.readGranule(r, &d.granules[gr][ch]); why != "" {
				return 0, why
			}
		}
	}
	return begin, ""
}

// readGranule reads the side information of one channel and granule (11172-3, 2.4.1.7 and 2.4.2.7; in
// MPEG-2 the scale factors' lengths take 9 bits, and there is no preflag, 13818-3, 2.4.1.7). The big
// values stand in three regions with a Huffman code each. Regions end at borders of bands: of given
// ones where the window is switched, else of those that the header counts.
func (d *mp3Decoder) readGranule(r *msbReader, g *mp3Granule) string {
	*g = mp3Granule{bits: int(r.take(12)), pairs: int(r.take(9)), gain: int(r.take(8))}
	if g.pairs > 288 { // 576 values
		return "it has more values than places"
	}
	g.compress = int(r.take(map[bool]uint{true: 4, false: 9}[d.header.version == 0]))
	first, second := 0, 0
	if switched := r.take(1) == 1; switched {
		g.blockType, g.mixed = int(r.take(2)), r.take(1) == 1
		if g.blockType == 0 {
			return "its block type is a reserved one"
		}
		g.tables = [3]int{int(r.take(5)), int(r.take(5)), 0}
		g.subGain = [3]int{int(r.take(3)), int(r.take(3)), int(r.take(3))}
		second = 576
		for _, width := range d.long[:8] {
			first += width
		}
		if g.blockType == 2 {
			first = 9 * d.short[0]
		}
	} else {
		g.tables = [3]int{int(r.take(5)), int(r.take(5)), int(r.take(5))}
		a := int(r.take(4)) + 1
		b := a + int(r.take(3)) + 1
		for i, width := range d.long {
			if i < a {
				first += width
			}
			if i < b {
				second += width
			}
		}
	}
	g.regions = [2]int{min(first, 2*g.pairs), min(second, 2*g.pairs)}
	if d.header.version == 0 {
		g.preflag = int(r.take(1))
	}
	g.scale, g.quads = int(r.take(1)), 32+int(r.take(1))
	g.bands, g.longs = d.bandsOf(g.blockType, g.mixed)
	for _, t := range g.tables {
		if t == 4 || t == 14 {
			return "its code is a reserved one"
		}
	}
	return ""
}

// readScales reads the scale factors of MPEG-1. Granule 1 may take over those of granule 0, a group of
// bands at a time.
func (g *mp3Granule) readScales(r *msbReader, before *mp3Granule, reuse int) {
	low, high := mp3Scales[0][g.compress], mp3Scales[1][g.compress]
	if g.blockType != 2 {
		for group, to := range [4]int{6, 11, 16, 21} {
			from, width := [4]int{0, 6, 11, 16}[group], low
			if group > 1 {
				width = high
			}
			for i := from; i < to; i++ {
				if before != nil && reuse>>(3-group)&1 == 1 {
					g.scales[i] = before.scales[i]
				} else {
					g.scales[i] = uint8(r.take(width))
				}
			}
		}
		return
	}
	// Of short blocks bands 0 to 5 are the lower ones, in three windows each. Mixed blocks have eight
	// long bands in the place of bands 0 to 2.
	lows := 18
	if g.mixed {
		lows = 8 + 9
	}
	for i := range len(g.bands) - 3 {
		width := low
		if i >= lows {
			width = high
		}
		g.scales[i] = uint8(r.take(width))
	}
}

// readScales2 reads the scale factors of MPEG-2 (13818-3, 2.4.3.2): 9 bits say how many bits the
// factors of each of four groups have, by a division with a remainder that differs between three
// ranges, and which bands the groups have. Those of an intensity channel are directions, of which the
// greatest that fits is none; theirs are three ranges more.
func (g *mp3Granule) readScales2(r *msbReader, intensity bool) {
	var widths [4]int
	kind, c := 0, g.compress
	switch {
	case !intensity && c < 400:
		widths = [4]int{c >> 4 / 5, c >> 4 % 5, c % 16 >> 2, c % 4}
	case !intensity && c < 500:
		c -= 400
		kind, widths = 1, [4]int{c >> 2 / 5, c >> 2 % 5, c % 4, 0}
	case !intensity:
		c -= 500
		kind, widths, g.preflag = 2, [4]int{c / 3, c % 3, 0, 0}, 1
	case c>>1 < 180:
		c >>= 1
		kind, widths = 3, [4]int{c / 36, c % 36 / 6, c % 6, 0}
	case c>>1 < 244:
		c = c>>1 - 180
		kind, widths = 4, [4]int{c % 64 >> 4, c % 16 >> 2, c % 4, 0}
	default:
		c = c>>1 - 244
		kind, widths = 5, [4]int{c / 3, c % 3, 0, 0}
	}
	shape := 0
	if g.blockType == 2 {
		shape = 1
		if g.mixed {
			shape = 2
		}
	}
	i := 0
	for group, n := range mp3Groups[kind][shape] {
		width := uint(widths[group])
		for range n {
			v := uint8(r.take(width))
			g.scales[i], g.legal[i] = v, width == 0 || v != 1<<width-1
			i++
		}
	}
}

// readValues reads the quantised spectrum up to a bit of the main data; the text says what is wrong
// with it. First come pairs of big values, then quadruples of values of -1, 0 or 1 up to that bit, then
// zeros (11172-3, 2.4.2.7, big_values and count1table_select).
func (g *mp3Granule) readValues(r *msbReader, end int, values *[576]int16) string {
	tables := mp3Shared()
	i := 0
	for region, to := range [3]int{g.regions[0], g.regions[1], 2 * g.pairs} {
		book, linBits := &tables.books[g.tables[region]], mp3LinBits[g.tables[region]]
		if g.tables[region] == 0 {
			for ; i < to; i++ {
				values[i] = 0
			}
		}
		if linBits == 0 && i < to {
			i += book.readPairs(r, values[i:to])
		}
		for ; i < to; i += 2 {
			values[i], values[i+1] = book.readPair(r, linBits)
		}
	}
	if r.over || r.at() > end {
		return "its values are longer than it says"
	}
	book := &tables.books[g.quads]
	// Quadruples fill what the big values have left, up to the 576th value.
	for i <= 572 && r.at() < end {
		book.readQuad(r, (*[4]int16)(values[i:]))
		if r.over || r.at() > end { // the bits that fill a granule up may look like another quadruple
			clear(values[i : i+4])
			break
		}
		i += 4
	}
	g.top = i
	clear(values[i:])
	r.over = false
	r.seek(end)
	return ""
}

// longestPair is the most bits that a pair of values can have: a codeword, and a sign and 13 more bits for each.
const longestPair = 19 + 2*14

// readPairs reads values by two pairs at a time, as long as the stream has eight bytes, and gives how many. No value
// has more bits after its codeword, so that two pairs have 42 bits at most.
func (b *mp3Book) readPairs(r *msbReader, values []int16) int {
	acc, n, pos, i := r.acc, r.n, r.pos, 0
	for ; i+4 <= len(values) && pos+8 <= len(r.b); i += 4 {
		acc |= binary.BigEndian.Uint64(r.b[pos:]) >> (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		four := (*[4]int16)(values[i:])
		for k := 0; k < 4; k += 2 {
			word := uint(b.words[acc>>((64-b.width)&63)])
			length, hasX, hasY := word&31, word>>14&1, word>>13&1
			signs := acc << (length & 63)
			signX := uint(signs>>63) & hasX
			signY := uint(signs<<(hasX&63)>>63) & hasY
			length += hasX + hasY
			acc <<= length & 63
			n -= length
			four[k] = int16((word>>9&15 ^ -signX) + signX)
			four[k+1] = int16((word>>5&15 ^ -signY) + signY)
		}
	}
	r.acc, r.n, r.pos = acc, n, pos
	return i
}

// readQuad reads four values of -1, 0 or 1: which of them are not 0, and their signs. That takes 10 bits at most.
func (b *mp3Book) readQuad(r *msbReader, values *[4]int16) {
	quad := uint(b.read(r))
	if r.n < 4 {
		r.fill()
	}
	for k := range values {
		has := quad >> (3 - k) & 1
		sign := uint(r.acc>>63) & has
		values[k] = int16((has ^ -sign) + sign)
		if has > r.n {
			r.over, r.n, r.acc = true, 0, 0
			return
		}
		r.acc <<= has
		r.n -= has
	}
}

// readPair reads two values. Most of a stream is these, so the reader's state stands in registers where
// there are bits enough for any pair.
func (b *mp3Book) readPair(r *msbReader, linBits uint) (x, y int16) {
	if r.n < longestPair {
		r.fill()
	}
	if r.n < longestPair { // near the end
		xy := b.read(r)
		x = readMP3Value(r, int(xy>>4), linBits)
		return x, readMP3Value(r, int(xy&15), linBits)
	}
	word := b.words[r.acc>>((64-b.width)&63)]
	acc, n := r.acc<<(word&31), r.n-uint(word&31)
	value := func(v uint) int16 {
		if v == 15 && linBits > 0 {
			v += uint(acc >> ((64 - linBits) & 63))
			acc <<= linBits & 63
			n -= linBits
		}
		// The sign without a branch, which nobody could predict: 0 has none, else it is the next bit.
		has := (v + 1<<20 - 1) >> 20
		sign := uint(acc>>63) & has
		acc <<= has
		n -= has
		return int16((v ^ -sign) + sign)
	}
	x, y = value(uint(word>>9&15)), value(uint(word>>5&15))
	r.acc, r.n = acc, n
	return x, y
}

// readMP3Value reads what follows a codeword for a value v: linBits more bits where v is 15, the
// greatest in the code, and the sign.
func readMP3Value(r *msbReader, v int, linBits uint) int16 {
	if v == 0 {
		return 0
	}
	if v == 15 && linBits > 0 {
		v += int(r.take(linBits))
	}
	if r.take(1) == 1 {
		v = -v
	}
	return int16(v)
}

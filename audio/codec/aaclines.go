package codec

import (
	"math"
	"sort"
)

// readLines reads the lines of all bands (table 4.56), makes noise, and multiplies by the factors. The factors
// bring the scale of the transform with them, and that of 16 bits: 2^-25 for long blocks, 2^-22 for short ones.
func (d *aacDecoder) readLines(r *msbReader, c *aacChannel) (why string) {
	t := aacShared()
	clear(c.lines[:])
	c.each(func(band, from, to int) {
		lines := c.lines[from:to]
		switch code := c.codes[band]; {
		case code == aacZero || code > aacNoise || why != "":
		case code == aacNoise:
			d.makeNoise(lines, t.factors[c.scales[band]+c.unit()])
		case code < 5:
			t.books[code-1].readFours(r, lines, t.factors[c.scales[band]-100+c.unit()])
		default:
			if !t.books[code-1].readPairs(r, lines, t.factors[c.scales[band]-100+c.unit()], code == aacEscapes) {
				why = "a line of it is too loud"
			}
		}
	})
	return why
}

// unit is the place of the factor of scale 0.
func (w *aacWindows) unit() int {
	if w.kind == aacShort {
		return 256 - 4*22
	}
	return 256 - 4*25
}

// read reads a word without signs.
func (b *aacBook) read(r *msbReader) uint32 {
	if r.n < 20 {
		r.fill()
	}
	word := b.find(r.acc)
	r.use(uint(word & 31))
	return word
}

// use takes bits that were looked at.
func (r *msbReader) use(n uint) {
	if n > r.n {
		r.over, r.n, r.acc = true, 0, 0
		return
	}
	r.acc <<= n
	r.n -= n
}

// readFours reads lines of which four share a codeword. Signs follow the codeword, 1 for minus, of those that
// are not zero.
func (b *aacBook) readFours(r *msbReader, lines []float32, factor float32) {
	for ; len(lines) >= 4; lines = lines[4:] {
		if r.n < 20 {
			r.fill()
		}
		word := b.find(r.acc)
		acc := r.acc << (word & 31)
		lines[0] = signed(b.values[word>>14&3]*factor, acc, word>>10)
		acc <<= word >> 10 & 1
		lines[1] = signed(b.values[word>>16&3]*factor, acc, word>>11)
		acc <<= word >> 11 & 1
		lines[2] = signed(b.values[word>>18&3]*factor, acc, word>>12)
		acc <<= word >> 12 & 1
		lines[3] = signed(b.values[word>>20&3]*factor, acc, word>>13)
		r.use(uint(word >> 5 & 31))
	}
}

// readPairs reads lines of which two share a codeword; false: one is greater than there are. With escapes, 16
// says that ones follow after the signs, and a zero, and four bits more than there were ones.
func (b *aacBook) readPairs(r *msbReader, lines []float32, factor float32, escapes bool) bool {
	for ; len(lines) >= 2; lines = lines[2:] {
		if r.n < 20 {
			r.fill()
		}
		word := b.find(r.acc)
		acc := r.acc << (word & 31)
		lines[0] = signed(b.values[word>>14&31]*factor, acc, word>>10)
		acc <<= word >> 10 & 1
		lines[1] = signed(b.values[word>>19&31]*factor, acc, word>>11)
		r.use(uint(word >> 5 & 31))
		if !escapes {
			continue
		}
		for k := range 2 {
			if word>>(14+5*k)&31 != 16 {
				continue
			}
			width := uint(4)
			for r.take(1) == 1 {
				width++
			}
			if width > 12 {
				return false
			}
			v := 1<<width + int(r.take(width))
			lines[k] = float32(math.Copysign(float64(float32(mp3Shared().powers[mp3Most+v])*factor), float64(lines[k])))
		}
	}
	return true
}

// signed turns a line round where it has a sign and the next bit is set.
func signed(line float32, acc uint64, has uint32) float32 {
	return math.Float32frombits(math.Float32bits(line) ^ uint32(acc>>63)&has<<31)
}

// makeNoise fills a band with noise of the energy factor² (4.6.13.3). The generator is a linear congruence
// modulo 2^32.
func (d *aacDecoder) makeNoise(lines []float32, factor float32) {
	energy := 0.0
	for i := range lines {
		d.seed = d.seed*1664525 + 1013904223
		v := float64(int32(d.seed))
		lines[i] = float32(v)
		energy += float64(v * v)
	}
	scale := float64(factor) / math.Sqrt(energy)
	for i, v := range lines {
		lines[i] = float32(float64(v) * scale)
	}
}

// An aacPulse is what a line's value is increased by, up to 15.
type aacPulse struct{ line, by int }

// readPulses reads up to four of them (table 4.7).
func (c *aacChannel) readPulses(r *msbReader) ([]aacPulse, string) {
	pulses := make([]aacPulse, 1+r.take(2))
	first := int(r.take(6))
	if c.kind == aacShort || first >= len(c.bands.at) {
		return nil, "its pulses have no place"
	}
	line := c.bands.at[first]
	for i := range pulses {
		line += int(r.take(5))
		pulses[i] = aacPulse{line, int(r.take(4))}
	}
	if line >= len(c.lines) {
		return nil, "its pulses have no place"
	}
	return pulses, ""
}

// addPulses increases the values of lines, away from zero (4.6.3.3). A line tells its value: powers increase.
func (c *aacChannel) addPulses(pulses []aacPulse) {
	for _, p := range pulses {
		band := sort.SearchInts(c.bands.at, p.line+1) - 1
		if band >= c.used || c.codes[band] == aacZero || c.codes[band] >= aacNoise {
			continue
		}
		factor, powers := aacShared().factors[c.scales[band]-100+c.unit()], mp3Shared().powers[mp3Most:]
		line := float64(c.lines[p.line])
		v := sort.Search(8191, func(v int) bool { return float64(float32(powers[v])*factor) >= math.Abs(line) }) + p.by
		if line > 0 {
			c.lines[p.line] = float32(powers[v]) * factor
		} else { // also where it was zero
			c.lines[p.line] = -float32(powers[v]) * factor
		}
	}
}

// unite makes left and right of sum and difference (4.6.8.1), and the right channel's bands out of the left's
// where they have a direction (4.6.8.2) or the same noise (4.6.13).
func (d *aacDecoder) unite() {
	left, right := &d.work[0], &d.work[1]
	t := aacShared()
	right.each(func(band, from, to int) {
		l, r := left.lines[from:to], right.lines[from:to]
		factor, ms := float32(1), d.common && (d.all || d.ms[band])
		switch code := right.codes[band]; {
		case code == aacAlike || code == aacAgainst:
			factor = t.factors[256-right.scales[band]]
			if (code == aacAgainst) != (ms && !d.all) {
				factor = -factor
			}
		case !ms:
			return
		case code == aacNoise && left.codes[band] == aacNoise:
			factor = t.factors[256+right.scales[band]-left.scales[band]]
		case code < aacNoise && left.codes[band] < aacNoise:
			for i, v := range l {
				l[i], r[i] = v+r[i], v-r[i]
			}
			return
		default:
			return
		}
		for i, v := range l {
			r[i] = v * factor
		}
	})
}

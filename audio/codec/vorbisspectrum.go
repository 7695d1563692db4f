package codec

import (
	"slices"
	"sync"

	"voxpack/audio/detmath"
)

// points reads a floor's curve from a packet, as the heights of its points in y; false: this channel is
// silent (7.2.3). A packet that ends within makes it silent too.
func (f *vorbisFloor) points(r *lsbReader, books []vorbisBook, y []int) bool {
	if !r.flag() {
		return false
	}
	// The two ends are stored in as many bits as the range of heights needs: 256, 128, 86 or 64 of them.
	width := [4]uint{8, 7, 7, 6}[f.multiplier-1]
	y[0], y[1] = int(r.take(width)), int(r.take(width))
	at := 2
	for _, class := range f.classes {
		c := &f.class[class]
		value := 0
		if c.bits > 0 {
			value = books[c.master].number(r)
		}
		for range c.dims {
			y[at] = 0
			if book := c.books[value&(1<<c.bits-1)]; book >= 0 {
				y[at] = books[book].number(r)
			}
			value >>= c.bits
			at++
		}
	}
	return !r.over
}

// curve multiplies the first n values of a spectrum by the envelope (7.2.4). A point's stored height is
// how far it lies from the line between its neighbours that came before it: 0 is on the line, small
// ones go up and down by turns, and once one side has no room left the rest goes to the other. A point
// with 0 is not drawn.
func (f *vorbisFloor) curve(y []int, spectrum []float32) {
	height := [4]int{256, 128, 86, 64}[f.multiplier-1]
	var used [65]bool // a floor has at most 65 points (7.2.2), which vorbisFloor.read checks
	used[0], used[1] = true, true
	for i := 2; i < len(f.x); i++ {
		low, high := f.low[i], f.high[i]
		predicted := linePoint(f.x[low], y[low], f.x[high], y[high], f.x[i])
		value, above, below := y[i], height-predicted, predicted
		room := 2 * min(above, below)
		if value == 0 {
			y[i] = predicted
			continue
		}
		used[low], used[high], used[i] = true, true, true
		switch {
		case value >= room && above > below:
			y[i] = value // value - below + predicted
		case value >= room:
			y[i] = predicted - value + above - 1
		case value%2 == 1:
			y[i] = predicted - (value+1)/2
		default:
			y[i] = predicted + value/2
		}
		// A damaged packet may leave the range; the table of decibels ends with it.
		y[i] = max(0, min(y[i], height-1))
	}
	decibels := vorbisDecibels()
	x0, y0 := 0, min(y[0], height-1)*f.multiplier
	for _, i := range f.order[1:] {
		if used[i] {
			x1, y1 := f.x[i], min(y[i], height-1)*f.multiplier
			drawLine(x0, y0, x1, y1, spectrum, decibels)
			x0, y0 = x1, y1
		}
	}
	drawLine(x0, y0, max(x0, len(spectrum)), y0, spectrum, decibels)
}

// linePoint is the height of a line at x, in integers (9.2.6).
func linePoint(x0, y0, x1, y1, x int) int {
	dy := y1 - y0
	off := max(dy, -dy) * (x - x0) / (x1 - x0)
	if dy < 0 {
		return y0 - off
	}
	return y0 + off
}

// drawLine scales the values from x0 up to x1 by the decibels of a line (9.2.7), drawn in integers as
// Bresenham does: the specification prescribes every step, so that encoder and decoder have one curve.
func drawLine(x0, y0, x1, y1 int, spectrum []float32, decibels *[256]float32) {
	adx := x1 - x0
	if adx == 0 {
		return
	}
	dy := y1 - y0
	base := dy / adx
	ady := max(dy, -dy) - max(base, -base)*adx
	step := 1
	if dy < 0 {
		step = -1
	}
	y, miss := y0, 0
	for x := x0; x < min(x1, len(spectrum)); x++ {
		spectrum[x] *= decibels[y]
		y += base
		if miss += ady; miss >= adx {
			miss -= adx
			y += step
		}
	}
}

// vorbisDecibels is the table of 10.1: 256 steps of 140/256 dB up to 0 dB. The printed one was rounded
// on its way, by up to 7 in ten million; the formula gives the same on every machine.
var vorbisDecibels = sync.OnceValue(func() *[256]float32 {
	const step = 140.0 / 256 / 20 * 2.302585092994045684 // in nepers
	var t [256]float32
	for i := range t {
		t[i] = float32(detmath.Exp(float64(float64(i-255) * step)))
	}
	return &t
})

// read adds a packet's residue to the spectra (8.6.2); those of silent channels are left out. A packet
// may end within: what it does not hold is zero.
func (e *vorbisResidue) read(r *lsbReader, books []vorbisBook, spectra [][]float32, silent []bool, work *vorbisWork) {
	streams := len(spectra)
	length := len(spectra[0])
	if e.kind == 2 {
		if !slices.Contains(silent, false) {
			return
		}
		streams, length = 1, length*len(spectra)
		silent = work.none[:1]
	}
	begin, end := min(e.begin, length), min(e.end, length)
	partitions := (end - begin) / e.size
	if partitions == 0 {
		return
	}
	words := &books[e.classBook]
	// A word holds the classes of words.dims partitions, and the last one may reach beyond the spectrum.
	if need := streams * (partitions + words.dims); cap(work.classes) < need {
		work.classes = make([]uint8, need)
	}
	stride := partitions + words.dims
	classes := work.classes[:streams*stride]
	// Classes are read in the first pass only; the later ones add finer vectors to the same partitions.
	for pass := range 8 {
		for at := 0; at < partitions; {
			if pass == 0 {
				for ch := range streams {
					if silent[ch] {
						continue
					}
					v := words.number(r)
					for i := words.dims - 1; i >= 0; i-- {
						classes[ch*stride+at+i] = uint8(v % e.classes)
						v /= e.classes
					}
				}
			}
			for i := 0; i < words.dims && at < partitions; i, at = i+1, at+1 {
				for ch := range streams {
					if silent[ch] || r.over {
						continue
					}
					if book := e.books[classes[ch*stride+at]][pass]; book >= 0 {
						e.partition(r, &books[book], spectra, ch, begin+at*e.size)
					}
				}
			}
			if r.over {
				return
			}
		}
	}
}

// partition adds the vectors of one partition, which begins at a place of a channel; for type 2 at a
// place of all channels interleaved. Type 0 spreads a vector's values over the partition, step apart,
// the others put them side by side (8.6.3 to 8.6.5).
func (e *vorbisResidue) partition(r *lsbReader, book *vorbisBook, spectra [][]float32, ch, at int) {
	dims, streams := book.dims, len(spectra)
	switch e.kind {
	case 0:
		step := e.size / dims
		for i := range step {
			n := book.number(r)
			if r.over {
				return
			}
			for j, v := range book.vectors[n*dims : (n+1)*dims] {
				spectra[ch][at+i+j*step] += v
			}
		}
	case 1:
		part := spectra[ch][at : at+e.size]
		for i := 0; i < len(part); {
			n := book.number(r)
			if r.over {
				return
			}
			for _, v := range book.vectors[n*dims : (n+1)*dims][:min(dims, len(part)-i)] {
				part[i] += v
				i++
			}
		}
	case 2:
		ch, place := at%streams, at/streams
		for i := 0; i < e.size; {
			n := book.number(r)
			if r.over {
				return
			}
			for _, v := range book.vectors[n*dims : (n+1)*dims][:min(dims, e.size-i)] {
				spectra[ch][place] += v
				if ch++; ch == streams {
					ch, place = 0, place+1
				}
				i++
			}
		}
	}
}

// uncouple makes two channels out of magnitude and angle (4.3.5): the magnitude is the channel of the
// greater absolute value, the angle how far the other is below it, with a sign that says which one it
// is.
func uncouple(magnitude, angle []float32) {
	for i, m := range magnitude {
		a := angle[i]
		other := m
		switch {
		case m > 0 && a > 0:
			other = m - a
		case m > 0:
			m, other = m+a, m
		case a > 0:
			other = m + a
		default:
			m, other = m-a, m
		}
		magnitude[i], angle[i] = m, other
	}
}

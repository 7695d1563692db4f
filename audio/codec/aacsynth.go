package codec

// An aacFilter is one of the filters of temporal noise shaping: an all-pole filter over the lines of a window.
type aacFilter struct {
	from, to int
	down     bool // from the last line to the first
	order    int
	weights  [12]float64
}

// readFilters reads tns_data (table 4.54). A filter reaches down from where the one before ended, over as many
// bands as it says; of these count those that are used and that TNS reaches.
func (c *aacChannel) readFilters(r *msbReader) string {
	if c.filters = c.filters[:0]; r.take(1) == 0 {
		return ""
	}
	windows, widths, most := 1, [3]uint{2, 6, 5}, 12
	if c.kind == aacShort {
		windows, widths, most = 8, [3]uint{1, 4, 3}, 7
	}
	for w := range windows {
		filters, resolution := r.take(widths[0]), uint(0)
		if filters > 0 {
			resolution = uint(r.take(1))
		}
		top := len(c.bands.at) - 1
		for range filters {
			bottom := max(0, top-int(r.take(widths[1])))
			f := aacFilter{order: int(r.take(widths[2]))}
			if f.order > most {
				return "a filter of it has a higher order than AAC-LC has"
			}
			if f.order > 0 {
				f.down = r.take(1) == 1
				width := 3 + resolution - uint(r.take(1))
				for m := range f.order {
					f.extend(m, float64(aacShared().curves[resolution][8+r.signed(width)]))
				}
				reach := min(c.bands.tns, c.used)
				f.from, f.to = 128*w+c.bands.at[min(bottom, reach)], 128*w+c.bands.at[min(top, reach)]
				if f.from < f.to {
					c.filters = append(c.filters, f)
				}
			}
			top = bottom
		}
	}
	return ""
}

// extend makes weights for m+1 lines of those for m and a reflection (4.6.9.3).
func (f *aacFilter) extend(m int, reflection float64) {
	before := f.weights
	for i := range m {
		f.weights[i] = before[i] + float64(reflection*before[m-1-i])
	}
	f.weights[m] = reflection
}

// apply subtracts from each line what those before it predict. What a line adds to the predictions of those
// after it is added at once, so that none waits for a long sum.
func (f *aacFilter) apply(lines *[1024]float32) {
	at, step := f.from, 1
	if f.down {
		at, step = f.to-1, -1
	}
	var next [13]float64
	for range f.to - f.from {
		v := float64(lines[at]) - next[0]
		lines[at] = float32(v)
		for i := range f.order {
			next[i] = next[i+1] + float64(f.weights[i]*v)
		}
		at += step
	}
}

// synthesise transforms a channel's lines and adds what comes out to the sum, after what the block before left
// (4.6.11). The rising half of a window has the shape of the block before.
func (d *aacDecoder) synthesise(c *aacChannel) {
	slopes := &aacShared().slopes
	rising, falling := slopes[c.shape], slopes[c.curve]
	c.shape = c.curve
	switch {
	case isZero(c.lines[:]):
		addTo(d.sum[:], c.tail[:])
		clear(c.tail[:])
	case c.kind == aacShort:
		d.synthesiseShort(c, rising[1], falling[1])
	default:
		before, after := 0, 0
		if c.kind == aacStop {
			before = 1
		}
		if c.kind == aacStart {
			after = 1
		}
		d.blocks[0].transformHalf(c.lines[:])
		d.blocks[0].lap(d.sum[:], c.tail[:], d.y[:], rising[before], falling[after])
	}
}

// synthesiseShort is synthesise for eight short blocks, which lie in the middle of the time of a long one.
func (d *aacDecoder) synthesiseShort(c *aacChannel, rising, falling []float64) {
	const first = (1024 - 128) / 2
	t := d.blocks[1]
	clear(d.y[:])
	copy(d.y[:], c.tail[:])
	var tail [128]float64
	for w := range 8 {
		var y [256]float64
		t.transformHalf(c.lines[128*w:][:128])
		t.lap(d.y[first+128*w:][:128], tail[:], y[:], rising, falling)
		rising = falling
	}
	addTo(d.y[first+1024:], tail[:])
	addTo(d.sum[:], d.y[:1024])
	copy(c.tail[:], d.y[1024:])
}

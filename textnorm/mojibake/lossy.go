package mojibake

import "slices"

// manyGone is a number of bytes that may be lost of which one that is lost is
// never sure to be a certain one.
const manyGone = 8

// maxTried bounds the work on hostile texts: with more lossy units than a text of
// some pages has, none is read.
const maxTried = 1000

// missing are the bytes of a page that may be lost from a text. What loses one
// control character or no-break space loses all of them. A text without any
// character that Windows has where Latin-1 has controls may have been read as
// Latin-1, and all of those are lost.
func missing(runes []rune, which int) []byte {
	gone := pages[which].gone
	windows := which == cp1256
	var there [0x40]bool
	for _, r := range runes {
		if b := byteOf(r, which); b >= 0x80 && b < 0xC0 {
			there[b-0x80] = true
			windows = windows || b < 0xA0 && r >= 0xA0
		}
	}
	if !windows && which != macRoman {
		gone = pages[latin1].gone
	}
	controls := false // some are left
	for _, b := range gone {
		controls = controls || b < 0xA0 && there[b-0x80]
	}
	return slices.DeleteFunc(slices.Clone(gone), func(b byte) bool {
		return there[b-0x80] || b < 0xA0 && controls
	})
}

// lossyAt is the unit that begins at i and lacks a byte that is lost in this
// text: one that is not there, or a no-break space that is a plain space now.
// before are the units found so far.
func (rd *reader) lossyAt(i int, before []unit) (unit, bool) {
	runes := rd.runes
	b := byteOf(runes[i], rd.which)
	n := length(b)
	if n == 0 || len(rd.gone) == 0 || !rd.strange(i) {
		return unit{}, false
	}
	have := 1
	for have < n && i+have < len(runes) {
		if c := byteOf(runes[i+have], rd.which); c < 0x80 || c >= 0xC0 {
			break
		}
		have++
	}
	// One character that lacks two others is taken for a letter of its word.
	if have == 1 && n > 2 && rd.inWord(i) {
		return unit{}, false
	}
	u := unit{start: i, end: i + have, lost: true}
	atEnd := u.end == len(runes)
	// The unit is reported without a reading; units takes those before it away.
	if rd.tried++; rd.tried > maxTried {
		return u, true
	}
	// Also where no reading can be sure the best one counts: without it anything rare
	// would be dearer than the nothing in its place, such as the soft hyphens after é.
	var room [128]reading
	readings := room[:0]
	if have == n-1 {
		readings = rd.dropped(readings, runes[i:u.end])
	}
	if !atEnd && runes[u.end] == ' ' {
		readings = rd.respaced(readings, runes[i:], n)
	}
	if len(readings) == 0 {
		// Several bytes may be gone, or the end of the text was cut.
		return u, have < n && (atEnd || !rd.few(n))
	}
	best, second := rd.weigh(readings, i, before)
	u.is, u.end = best.is, i+best.span
	// U+00A0 and U+00AD are seen nowhere, so that nothing tells them apart.
	u.only = second-best.cost >= 4 && !atEnd && rd.few(n) && best.is >= 'À'
	return u, true
}

// few reports whether the bytes that may be lost of n are few enough for one to be sure.
func (rd *reader) few(n int) bool { return n == 2 || len(rd.gone) < manyGone }

// inWord reports whether letters stand beside the character at i.
func (rd *reader) inWord(i int) bool {
	return i > 0 && kindOf(rd.runes[i-1]).wordy() || i+1 < len(rd.runes) && kindOf(rd.runes[i+1]).wordy()
}

// strange reports whether the character at i is out of place as it stands, which
// an accented letter in most words is not.
func (rd *reader) strange(i int) bool {
	window := [5]rune{' ', ' ', rd.runes[i], ' ', ' '}
	copy(window[3:], rd.runes[i+1:min(i+3, len(rd.runes))])
	copy(window[2-min(i, 2):2], rd.runes[max(0, i-2):i])
	return costOf(window[:4], rd.mostlyASCII) >= 5
}

// reading is a character that a lossy unit may have been.
type reading struct {
	is   rune
	span int // characters that it takes
	cost int
}

// dropped puts each lost byte into each place of the bytes that are left.
func (rd *reader) dropped(into []reading, left []rune) []reading {
	var whole [4]byte
	kept := make([]byte, len(left), len(whole))
	for k, r := range left {
		kept[k] = byteOf(r, rd.which)
	}
	for at := 1; at <= len(kept); at++ {
		for _, lost := range rd.gone {
			if is, ok := decode(append(append(append(whole[:0], kept[:at]...), lost), kept[at:]...)); ok {
				into = append(into, reading{is: is, span: len(left)})
			}
		}
	}
	return into
}

// respaced reads the spaces among the next n characters as the no-break spaces
// that they may have been.
func (rd *reader) respaced(into []reading, next []rune, n int) []reading {
	if len(next) < n || !slices.Contains(rd.gone, 0xA0) {
		return into
	}
	var bytes [4]byte
	for k, r := range next[:n] {
		bytes[k] = byteOf(r, rd.which)
		if r == ' ' && k > 0 {
			bytes[k] = 0xA0
		}
	}
	if is, ok := decode(bytes[:n]); ok {
		into = append(into, reading{is: is, span: n})
	}
	return into
}

// decode reads one character.
func decode(b []byte) (rune, bool) {
	// The first byte of n has n ones, a zero and then the upper bits.
	is := rune(b[0]) & (0x7F >> len(b))
	for _, c := range b[1:] {
		if c < 0x80 || c >= 0xC0 {
			return 0, false
		}
		is = is<<6 | rune(c&0x3F)
	}
	return is, wellFormed(is, len(b))
}

// weigh finds the reading that costs least between its repaired neighbours, and
// what the next best costs.
func (rd *reader) weigh(readings []reading, i int, before []unit) (best reading, second int) {
	second = endless
	best.cost = second
	context := [5]rune{' ', ' ', 0, ' ', ' '}
	for k, at := 1, i; k >= 0 && at > 0; k-- {
		if n := len(before); n > 0 && before[n-1].end == at && before[n-1].is != 0 {
			context[k], at = before[n-1].is, before[n-1].start
			before = before[:n-1]
		} else {
			context[k] = rd.runes[at-1]
			at--
		}
	}
	for _, r := range readings {
		context[2], context[3], context[4] = r.is, ' ', ' '
		for k, at := 3, i+r.span; k < 5 && at < len(rd.runes); k++ {
			if u, ok := unitAt(rd.runes, at, rd.which); ok {
				context[k], at = u.is, u.end
			} else if rd.runes[at] < 0x80 {
				context[k] = rd.runes[at]
				at++
			} else {
				break // another loss
			}
		}
		r.cost = costOf(context[:], rd.mostlyASCII)
		if !rd.arabicDigits && r.is >= '٠' && r.is <= '٩' {
			r.cost += 4 // numbers are of one kind of digit in most texts
		}
		if r.is == '”' && kindOf(context[1]).role == space && kindOf(context[3]).wordy() {
			r.cost += 4 // an opening mark in some languages only
		}
		switch {
		// The same reading in another way is no rival.
		case r.is == best.is && r.span == best.span:
		case r.cost < best.cost:
			best, second = r, best.cost
		case r.cost < second:
			second = r.cost
		}
	}
	return best, second
}

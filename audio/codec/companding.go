package codec

// The values of A-law and µ-law bytes (ITU-T G.711, 11/1988, tables 1 and 2): a sign, one of eight
// segments, one of its sixteen intervals. A value is the middle of its interval, in units of a 16-bit
// sample, of which the recommendation's unit is 8 (A-law) and 4 (µ-law).
var (
	aLaw  = lawTable(aLawValue)
	muLaw = lawTable(muLawValue)
)

func lawTable(value func(b byte) int) *[256]int16 {
	var table [256]int16
	for b := range table {
		table[b] = int16(value(byte(b)))
	}
	return &table
}

// aLawValue: every other bit is sent inverted. The two lowest segments have intervals of the same
// width, 2 units; from there on each has those of twice the width.
func aLawValue(b byte) int {
	b ^= 0x55
	segment, interval := int(b>>4&7), int(b&15)
	v := 2*interval + 1
	if segment > 0 {
		v = (v + 32) << (segment - 1)
	}
	if b&0x80 == 0 {
		v = -v
	}
	return 8 * v
}

// muLawValue: all bits are sent inverted. Each segment has intervals of twice the width of the segment
// before, from 2 units on; the first interval is half an interval around 0.
func muLawValue(b byte) int {
	b = ^b
	segment, interval := int(b>>4&7), int(b&15)
	v := (2*interval+33)<<segment - 33
	if b&0x80 != 0 {
		v = -v
	}
	return 4 * v
}

// convertLaw looks values up and sums over the channels, exactly in an integer; raw
// holds the channels interleaved, one byte a sample.
func convertLaw(dst []float32, raw []byte, channels int, values *[256]int16) {
	if channels == 1 { // nearly all telephone speech, in half of the time
		for i, b := range raw[:len(dst)] {
			dst[i] = float32(values[b]) * 0x1p-15
		}
		return
	}
	scale := float64(channels) * (1 << 15)
	for i := range dst {
		var sum int64
		for _, b := range raw[i*channels:][:channels] {
			sum += int64(values[b])
		}
		dst[i] = float32(float64(sum) / scale)
	}
}

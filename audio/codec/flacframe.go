package codec

import "math/bits"

// readHeader reads and checks a frame's header (9.1): the sync code and the kind of blocks, four bits
// each for block size, rate and channels, three for the width, the frame's number, then size and rate
// where four bits do not say them, and a CRC-8.
func (s *flacStream) readHeader(at int) (flacFrame, error) {
	f := flacFrame{at: at}
	s.take(15)
	variable := s.take(1) == 1
	size, rate, channels, width := int(s.take(4)), int(s.take(4)), int(s.take(4)), uint(s.take(3))
	reserved := s.take(1)
	number, ok := s.number()
	switch { // 9.1.1; 0 is reserved
	case size == 6:
		f.size = int(s.take(8)) + 1
	case size == 7:
		f.size = int(s.take(16)) + 1
	case size >= 8:
		f.size = 256 << (size - 8)
	case size >= 2:
		f.size = 576 << (size - 2)
	case size == 1:
		f.size = 192
	}
	// 9.1.2: 0 is what STREAMINFO says, 12 to 14 are in kHz, Hz and tens of Hz, 15 is forbidden.
	switch rate {
	case 12:
		rate = int(s.take(8)) * 1000
	case 13:
		rate = int(s.take(16))
	case 14:
		rate = int(s.take(16)) * 10
	default:
		rate = [16]int{0, 88200, 176400, 192000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 15: -1}[rate]
	}
	// The header is whole bytes; what the number and the sizes took is checked by the CRC-8.
	end := s.align()
	want := uint8(s.take(8))
	if s.over {
		return f, Errorf(ErrLength, "FLAC frame %s at byte %s: the file ends within its header", commas(s.frames), commas(int64(at)))
	}
	if got := flacCRC8(s.b[at:end]); got != want {
		return f, s.corrupt(f, "header checksum %02x, %02x was stored", got, want)
	}
	// 9.1.3: below 8 the number of channels less one; 8 to 10 are two channels, one of which is a difference.
	if channels >= 8 && channels <= 10 {
		f.stereo, channels = channels-7, 1
	}
	// 3 bits: 0 for what STREAMINFO says, 3 is reserved, and marked here by a width that no stream has.
	widths := [8]uint{s.bits, 8, 12, 64, 16, 20, 24, 32}
	switch {
	case f.size == 0 || rate < 0 || channels > 7 || reserved != 0 || width == 3 || !ok:
		return f, s.corrupt(f, "its header has a reserved value")
	case rate != 0 && rate != s.rate || channels+1 != s.channels || widths[width] != s.bits:
		return f, Errorf(ErrUnsupported, "FLAC frame %s at byte %s has another rate, width or number of channels than the file's header: convert it",
			commas(s.frames), commas(int64(at)))
	}
	return f, s.checkNumber(f, variable, number)
}

// number reads a number of up to 36 bits in the manner of UTF-8 (9.1.5): the ones that the first byte
// begins with count its bytes, each further byte begins with 10 and holds six bits. false: the first
// byte or one of the others is not so.
func (s *flacStream) number() (int64, bool) {
	first := uint8(s.take(8))
	n := bits.LeadingZeros8(^first)
	if n == 0 {
		return int64(first), true
	}
	if n == 1 || n == 8 {
		return 0, false
	}
	v := int64(first & (0x7f >> n))
	for range n - 1 {
		b := s.take(8)
		if b>>6 != 2 {
			return 0, false
		}
		v = v<<6 | int64(b&0x3f)
	}
	return v, true
}

// checkNumber notices a frame that is missing or out of its order. The first frame may bear any number:
// streams are cut. Before 2007 there was no bit for blocks that vary, and encoders numbered those by
// samples all the same (Flake up to 0.11); what the second frame's number fits tells such streams.
func (s *flacStream) checkNumber(f flacFrame, variable bool, number int64) error {
	if s.frames == 1 && s.varies && !variable && !s.variable && number != s.next && number == s.after {
		s.unsaid = true
	}
	want := s.next
	if s.variable || s.unsaid {
		want = s.after
	}
	if s.frames > 0 && (variable != s.variable || number != want) {
		return s.corrupt(f, "it has the number %s, and %s was expected", commas(number), commas(want))
	}
	s.variable, s.next, s.after = variable, number+1, number+int64(f.size)
	return nil
}

// isFLACFrame fits the header of a frame, whose checksum tells it from anything else that begins with
// these bits.
func isFLACFrame(b []byte) bool {
	if len(b) < 6 || b[0] != 0xff || b[1]&0xfe != 0xf8 {
		return false
	}
	n := 4 + max(1, bits.LeadingZeros8(^b[4])) // the number
	switch b[2] >> 4 {                         // a size that follows
	case 6:
		n++
	case 7:
		n += 2
	}
	switch b[2] & 15 { // a rate that follows
	case 12:
		n++
	case 13, 14:
		n += 2
	}
	return len(b) > n && flacCRC8(b[:n]) == b[n]
}

// flacFixed are the fixed predictors (RFC 9639, 9.2.5).
var flacFixed = [5][]int64{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}

// readSubframe reads one channel of a frame, whose samples have width bits; it returns what is wrong
// with it. Its header (9.2.1) is a zero bit, six bits for the coding and one that says whether low bits
// are wasted: zero in all samples of the subframe, and left out (9.2.2).
func (s *flacStream) readSubframe(block []int64, width uint) string {
	dst := block[flacPast:]
	if s.take(1) != 0 {
		return "a reserved bit is set"
	}
	kind := int(s.take(6))
	var wasted uint
	if s.take(1) == 1 {
		// 9.2.2: as many zeros and a one; k wasted bits are k - 1 zeros.
		if wasted = s.unary() + 1; wasted >= width {
			return "it has no bits left"
		}
		width -= wasted
	}
	why := ""
	switch {
	case kind == 0: // constant (9.2.3)
		v := s.signed(width)
		for i := range dst {
			dst[i] = v
		}
	case kind == 1: // verbatim (9.2.4)
		for i := range dst {
			dst[i] = s.signed(width)
		}
	case kind >= 8 && kind <= 12:
		why = s.readFixed(block, kind-8, width)
	case kind >= 32:
		why = s.readLPC(block, kind-31, width)
	default:
		return "its coding is a reserved one"
	}
	if wasted > 0 {
		for i := range dst {
			dst[i] <<= wasted
		}
	}
	return why
}

// A flacPredictor says what the samples before one predict: Σ weights[k] × the sample k + 1 before it, shifted.
type flacPredictor struct {
	order   int
	weights [flacPast]int64 // zeros from the order on
	shift   uint
}

// flacPast is the greatest order of a predictor. As many zeros stand before the first sample of a block, so that no
// sample needs a sum of its own length.
const flacPast = 32

// readFixed reads a subframe with a fixed predictor (9.2.5): the first samples as they are, then residuals.
func (s *flacStream) readFixed(block []int64, order int, width uint) string {
	p := &s.predictor
	*p = flacPredictor{order: order}
	copy(p.weights[:], flacFixed[order])
	if order > len(block)-flacPast {
		return "it is shorter than its predictor"
	}
	for i := range order {
		block[flacPast+i] = s.signed(width)
	}
	return s.readResidual(block, p)
}

// readLPC reads a subframe with a predictor of its own (9.2.6): the first samples, 4 bits of the
// coefficients' precision less one, 5 bits of shift, the coefficients with the latest sample's first,
// residuals. A negative shift is forbidden.
func (s *flacStream) readLPC(block []int64, order int, width uint) string {
	if order > len(block)-flacPast {
		return "it is shorter than its predictor"
	}
	for i := range order {
		block[flacPast+i] = s.signed(width)
	}
	precision := uint(s.take(4)) + 1
	shift := s.signed(5)
	if precision == 16 || shift < 0 {
		return "its predictor is a reserved one"
	}
	p := &s.predictor
	*p = flacPredictor{order: order, shift: uint(shift)}
	for i := range order {
		p.weights[i] = s.signed(precision)
	}
	return s.readResidual(block, p)
}

// readResidual reads what the predictor missed (9.2.7): two bits of the method, four of the logarithm of the
// number of partitions, then each partition with a Rice parameter of 4 or 5 bits. The first one is shorter by
// the order. A parameter of all ones is an escape (9.2.7.1): 5 bits of a width, then plain numbers.
func (s *flacStream) readResidual(block []int64, p *flacPredictor) string {
	method := s.take(2)
	if method > 1 {
		return "its residual coding is a reserved one"
	}
	parameter := uint(4 + method)
	escape := uint64(1)<<parameter - 1
	partitions := 1 << s.take(4)
	samples := len(block) - flacPast
	size := samples / partitions
	if size*partitions != samples || size < p.order {
		return "its length is not a multiple of its partitions"
	}
	at := flacPast + p.order
	for n := range partitions {
		end := flacPast + (n+1)*size
		if k := s.take(parameter); k == escape {
			width := uint(s.take(5))
			for ; at < end; at++ {
				var v int64
				if width > 0 {
					v = s.signed(width)
				}
				block[at] = v + p.predict(block[:at])
			}
		} else {
			s.restore(block, at, end, uint(k), p)
		}
		if s.over {
			return ""
		}
		at = end
	}
	return ""
}

// restore reads the samples of a partition from at, before end, as numbers that are added to what is predicted.
func (s *flacStream) restore(block []int64, at, end int, k uint, p *flacPredictor) {
	for at < end {
		if vectorsFLAC() {
			if at += s.restoreQuickly(block, at, end, k, p); at == end {
				break
			}
		}
		block[at] = s.rice(k) + p.predict(block[:at])
		at++
	}
}

// predict is what the samples before one predict. The integers wrap in a damaged stream, which the check of the
// samples' width or a checksum finds. The sum runs in two halves, so that a product need not wait for the
// sum before it. Integers may be added in any order.
func (p *flacPredictor) predict(past []int64) int64 {
	latest := (*[8]int64)(past[len(past)-8:])
	w := &p.weights
	sum := w[0]*latest[7] + w[2]*latest[5]
	other := w[1]*latest[6] + w[3]*latest[4]
	if p.order > 4 {
		sum += w[4]*latest[3] + w[6]*latest[1]
		other += w[5]*latest[2] + w[7]*latest[0]
	}
	for k := 8; k < p.order; k++ {
		sum += w[k] * past[len(past)-1-k]
	}
	return (sum + other) >> p.shift
}

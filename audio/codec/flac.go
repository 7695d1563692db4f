package codec

import (
	"crypto/md5"
	"encoding/binary"
	"hash"
	"slices"
)

// This is a FLAC decoder by RFC 9639, whose sections the comments name; docs/design/0116 says why it is
// our own. It reads every stream of the RFC: 4 to 32 bits, 1 to 8 channels, fixed and variable blocks.
// Every checksum there is, of headers, frames and samples, is checked.
//
// A stream is the magic fLaC, blocks of metadata and frames. A frame is a header, one subframe a
// channel, zero bits up to a whole byte and a checksum. All of it is integers: the decoder gives the
// samples that were encoded, or an error.

// flacInfoSize is the size of STREAMINFO in bytes.
const flacInfoSize = 34

// flacInfo is the STREAMINFO block (RFC 9639, 8.2).
type flacInfo struct {
	rate     int
	channels int
	bits     uint
	varies   bool     // the sizes of its blocks: the smallest is not the largest
	samples  int64    // per channel; 0: not said
	sum      [16]byte // MD5 of all samples; zero: not said
}

// A flacStream is one stream while it is decoded. Samples are int64: the difference of two channels of
// 32 bits takes 33, and a sum of 32 products of 15 and 33 bits takes 53.
type flacStream struct {
	flacInfo
	msbReader
	frames    int64         // decoded so far
	next      int64         // the number that the next frame must bear, once frames > 0
	after     int64         // the same, if frames are numbered by samples
	variable  bool          // blocks of different length, numbered by samples, as the header of each frame says
	unsaid    bool          // the same, and no header says so
	blocks    [][]int64     // one a channel, of the current frame
	lines     [][]int64     // the same after flacPast zeros
	predictor flacPredictor // of the current subframe
	out       output
	pick      int       // see Limits
	hash      hash.Hash // nil: there is none, or owes
	owes      bool      // the sum is made later, out of raw
	raw       []byte    // the samples as the MD5 wants them: the frame's, or all so far
}

// flacFrame is a frame's header (RFC 9639, 9.1).
type flacFrame struct {
	at     int // its offset
	size   int // samples per channel
	stereo int // 0: channels as they are; 1: left, side; 2: side, right; 3: mid, side
}

// decodeFLAC decodes a whole file. Memory is taken for what has been decoded; that the header claims a
// length only makes one allocation of several (see output.expect).
func decodeFLAC(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	s := flacStream{msbReader: msbReader{b: file}}
	if err := s.readMetadata(); err != nil {
		return nil, Info{}, err
	}
	s.out = output{title: "FLAC", pcm: dst, keep: keep, rate: s.rate, l: l}
	var err error
	if s.pick, err = l.pick("FLAC", s.channels); err != nil {
		return nil, Info{}, err
	}
	if err := l.Check("FLAC", s.samples, s.rate); err != nil {
		return nil, Info{}, err
	}
	s.out.expect(s.samples, len(file)-s.pos)
	if s.sum != [16]byte{} {
		if s.raw, s.owes = l.sums.take(s.samples*int64(s.channels*s.width()), len(file)-s.pos); !s.owes {
			s.hash = md5.New()
		}
	}
	s.blocks, s.lines = make([][]int64, s.channels), make([][]int64, s.channels)
	for {
		at := s.align()
		if more, err := s.more(at); err != nil {
			return nil, Info{}, err
		} else if !more {
			break
		}
		if err := s.readFrame(at); err != nil {
			return nil, Info{}, err
		}
	}
	if err := s.checkEnd(); err != nil {
		return nil, Info{}, err
	}
	return s.out.pcm, s.info(s.out.n), nil
}

// claimFLAC is what STREAMINFO says, which a file begins with.
func claimFLAC(head []byte, l Limits) (Info, error) {
	s := flacStream{msbReader: msbReader{b: head}}
	if len(head) < 8+flacInfoSize || !begins(0, "fLaC")(head) || binary.BigEndian.Uint32(head[4:])&0x7fffffff != flacInfoSize {
		return Info{}, Errorf(ErrHeader, "FLAC file does not begin with STREAMINFO")
	}
	if err := s.readInfo(head[8:]); err != nil {
		return Info{}, err
	}
	return s.info(s.samples), l.Check("FLAC", s.samples, s.rate)
}

// info describes a file of this stream.
func (s *flacInfo) info(samples int64) Info {
	return Info{Format: "flac", Rate: s.rate, Channels: s.channels, Bits: int(s.bits), Samples: samples}
}

// readMetadata reads STREAMINFO and goes on to the first frame.
func (s *flacStream) readMetadata() error {
	at := skipID3(s.b)
	if isFLACFrame(s.b[at:]) {
		return Errorf(ErrHeader, "FLAC file has no header: a frame begins at byte %s; ffmpeg -f flac -i IN OUT.flac writes it anew", commas(int64(at)))
	}
	at += 4
	for first := true; ; first = false {
		if at+4 > len(s.b) {
			return Errorf(ErrLength, "FLAC header: the file ends after %s bytes, within its metadata", commas(int64(len(s.b))))
		}
		// 8.1: one bit marks the last block, 7 are its type, 24 its length in bytes.
		head := binary.BigEndian.Uint32(s.b[at:])
		kind, n, last := head>>24&0x7f, int(head&0xffffff), head>>31 == 1
		at += 4
		if n > len(s.b)-at {
			return Errorf(ErrLength, "FLAC header says %s bytes for a block of metadata, the file holds %s", commas(int64(n)), commas(int64(len(s.b)-at)))
		}
		if first {
			if kind != 0 || n != flacInfoSize {
				return Errorf(ErrHeader, "FLAC header begins with a block of type %d and %s bytes, not with STREAMINFO", kind, commas(int64(n)))
			}
			if err := s.readInfo(s.b[at:]); err != nil {
				return err
			}
			// STREAMINFO comes once; 127 is forbidden, so that a block never looks like a frame.
		} else if kind == 0 || kind == 127 {
			return Errorf(ErrHeader, "FLAC header has a block of type %d at byte %s, which there must not be", kind, commas(int64(at-4)))
		}
		if at += n; last {
			s.pos = at
			return nil
		}
	}
}

// readInfo reads STREAMINFO (8.2): 16 + 16 bits of the smallest and the largest block, 24 + 24 of the
// smallest and the largest frame, then in 64 bits the rate (20), channels - 1 (3), bits - 1 (5) and
// samples (36), then the MD5.
func (s *flacStream) readInfo(b []byte) error {
	v := binary.BigEndian.Uint64(b[10:])
	s.flacInfo = flacInfo{rate: int(v >> 44), channels: int(v>>41&7) + 1, bits: uint(v>>36&31) + 1, samples: int64(v & (1<<36 - 1)), sum: [16]byte(b[18:])}
	s.varies = [2]byte(b) != [2]byte(b[2:])
	if s.bits < 4 {
		return Errorf(ErrHeader, "FLAC header says %d bits a sample; there are 4 to 32", s.bits)
	}
	return checkRate("FLAC", s.rate)
}

// more says whether a frame begins at the offset: 15 bits that only a frame begins with (9.1). What
// other programs put after the last one, tags or zeros, is no frame.
func (s *flacStream) more(at int) (bool, error) {
	rest := s.b[at:]
	sync := len(rest) >= 2 && rest[0] == 0xff && rest[1]&0xfe == 0xf8
	switch done := s.out.n; {
	case sync && s.samples > 0 && done >= s.samples:
		return false, Errorf(ErrLength, "FLAC header says %s samples, but another frame follows them at byte %s", commas(s.samples), commas(int64(at)))
	case sync:
		return true, nil
	case len(rest) < 2 && s.samples > done:
		return false, Errorf(ErrLength, "FLAC header says %s samples, the file ends after %s", commas(s.samples), commas(done))
	case len(rest) == 0 || done >= s.samples && (isTail(rest) || s.samples > 0 && onlyZeros(rest)):
		return false, nil
	}
	return false, Errorf(ErrCorrupt, "FLAC frame %s at byte %s: no frame begins there (%x)", commas(s.frames), commas(int64(at)), rest[:min(2, len(rest))])
}

// readFrame decodes the frame at an offset. The samples are checked before they are given out: first
// the subframes have to make sense, then the CRC-16 over the frame has to be right, then every sample
// has to fit the stream's width.
func (s *flacStream) readFrame(at int) error {
	f, err := s.readHeader(at)
	if err != nil {
		return err
	}
	dst, err := s.out.room(f.size)
	if err != nil {
		return err
	}
	for ch := range s.blocks {
		s.lines[ch] = slices.Grow(s.lines[ch][:0], flacPast+f.size)[:flacPast+f.size]
		s.blocks[ch] = s.lines[ch][flacPast:]
		bits := s.bits
		// The side channel is the difference of two channels and has one bit more (4.2): it comes first
		// in side + right, second in the others.
		if f.stereo == 2 && ch == 0 || (f.stereo == 1 || f.stereo == 3) && ch == 1 {
			bits++
		}
		if why := s.readSubframe(s.lines[ch], bits); why != "" && !s.over {
			return s.corrupt(f, "channel %d: %s", ch, why)
		}
		if s.over {
			return Errorf(ErrLength, "FLAC frame %s at byte %s: the file ends within it", commas(s.frames), commas(int64(at)))
		}
	}
	end := s.align()
	if len(s.b)-end < 2 {
		return Errorf(ErrLength, "FLAC frame %s at byte %s: the file ends within it", commas(s.frames), commas(int64(at)))
	}
	if got, want := flacCRC16(s.b[at:end]), uint16(s.take(16)); got != want {
		return s.corrupt(f, "checksum %04x, %04x was stored", got, want)
	}
	if !s.finish(f.stereo, dst) {
		return s.corrupt(f, "a sample does not fit into %d bits", s.bits)
	}
	s.frames++
	return nil
}

// corrupt says in which frame something is wrong, and where the frame begins.
func (s *flacStream) corrupt(f flacFrame, format string, args ...any) error {
	e := Errorf(ErrCorrupt, format, args...)
	return Errorf(ErrCorrupt, "FLAC frame %s at byte %s: %v", commas(s.frames), commas(int64(f.at)), e)
}

// finish brings the samples of a frame into the MD5 and into dst, if there is one. false: they do not fit.
func (s *flacStream) finish(stereo int, dst []float32) bool {
	if s.channels == 1 && s.bits == 16 {
		raw := s.room(2 * len(s.blocks[0]))
		if !narrow16(raw, s.blocks[0]) {
			return false
		}
		if s.hash != nil {
			s.hash.Write(raw)
		}
		if dst != nil {
			Int16(dst, raw)
		}
		return true
	}
	if !s.correlate(stereo) {
		return false
	}
	s.sumSamples()
	if dst != nil {
		s.convert(dst)
	}
	return true
}

// width is how many bytes a sample has in the MD5.
func (s *flacInfo) width() int { return int(s.bits+7) / 8 }

// room is where n bytes of the frame's samples go, after those of the frames before it if the sum is owed.
func (s *flacStream) room(n int) []byte {
	if !s.owes {
		s.raw = s.raw[:0]
	}
	at := len(s.raw)
	s.raw = slices.Grow(s.raw, n)[:at+n]
	return s.raw[at:]
}

// narrow16 writes samples in 16 bits, little-endian; false: one has more.
func narrow16(raw []byte, block []int64) bool {
	done, wide := narrowQuickly(raw, block)
	for i, v := range block[done:] {
		wide |= uint64(v+1<<15) >> 16
		binary.LittleEndian.PutUint16(raw[2*(done+i):], uint16(v))
	}
	return wide == 0
}

// correlate makes two channels out of one and a difference (RFC 9639, 4.2), and says whether all
// samples have the stream's width.
func (s *flacStream) correlate(stereo int) bool {
	if stereo != 0 {
		a, b := s.blocks[0], s.blocks[1]
		for i, x := range a {
			y := b[i]
			switch stereo {
			case 1:
				b[i] = x - y
			case 2:
				a[i] = x + y
			case 3:
				// mid lost its lowest bit to a shift; it is that of side, since the sum and the
				// difference of two integers are both even or both odd.
				mid := x<<1 | y&1
				a[i], b[i] = (mid+y)>>1, (mid-y)>>1
			}
		}
	}
	var wide int64
	shift := s.bits - 1
	for _, block := range s.blocks {
		for _, v := range block {
			wide |= v>>shift ^ v>>63 // 0 if v fits: then both are nothing but its sign
		}
	}
	return wide == 0
}

// sumSamples feeds the MD5 (8.2): channels interleaved, little-endian, in whole bytes, which the sign fills
// up where the width is no multiple of 8.
func (s *flacStream) sumSamples() {
	if s.hash == nil && !s.owes {
		return
	}
	width := s.width()
	raw := s.room(len(s.blocks[0]) * len(s.blocks) * width)
	stride := len(s.blocks) * width
	for ch, block := range s.blocks {
		at := ch * width
		if width == 2 {
			for _, v := range block {
				binary.LittleEndian.PutUint16(raw[at:], uint16(v))
				at += stride
			}
			continue
		}
		for _, v := range block {
			for k := range width {
				raw[at+k] = byte(v >> (8 * k))
			}
			at += stride
		}
	}
	if s.hash != nil {
		s.hash.Write(raw)
	}
}

// convert gives the bits that convertPCM gives for the same samples in a WAV file: a FLAC file and its
// WAV make one dataset.
func (s *flacStream) convert(dst []float32) {
	blocks := s.blocks
	if s.pick > 0 {
		blocks = blocks[s.pick-1:][:1]
	}
	scale := float64(len(blocks)) * float64(int64(1)<<(s.bits-1))
	if len(blocks) == 1 && s.bits <= 24 {
		unit := float32(1 / scale) // a power of two, so that the product is exact
		for i, v := range blocks[0] {
			dst[i] = float32(v) * unit
		}
		return
	}
	for i := range dst {
		var sum int64
		for _, block := range blocks {
			sum += block[i]
		}
		dst[i] = min(float32(float64(sum)/scale), belowOne)
	}
}

// checkEnd checks what is known only at the end.
func (s *flacStream) checkEnd() error {
	switch {
	case s.out.n == 0:
		return Errorf(ErrEmpty, "FLAC file has no samples")
	case s.samples > 0 && s.samples != s.out.n:
		return Errorf(ErrLength, "FLAC header says %s samples, the file holds %s", commas(s.samples), commas(s.out.n))
	}
	if s.owes {
		s.out.l.sums.owe(s.raw, s.sum)
	}
	if s.hash != nil {
		if got := [16]byte(s.hash.Sum(nil)); got != s.sum {
			return Errorf(ErrCorrupt, "FLAC samples have the MD5 %x, the header says %x", got, s.sum)
		}
	}
	return nil
}

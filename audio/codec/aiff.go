package codec

import (
	"encoding/binary"
	"io"
	"math"
	"math/bits"
)

// AIFF and AIFF-C (Apple, Audio Interchange File Format 1.3, 1989, and AIFF-C, draft of 1991): "FORM", a
// size, "AIFF" or "AIFC", and chunks: four characters, a size of 32 bits, a body, a pad byte if the size
// is odd. All numbers have their highest byte first. COMM describes the samples, SSND holds them after 8
// bytes of offset and block size.

// aiffKinds are the kinds of samples of AIFF-C that are read, by the four characters in COMM; those of
// AIFF are NONE.
var aiffKinds = map[string]struct {
	tag    uint16 // of WAV
	bits   int    // 0: what COMM says, in whole bytes
	little bool
	plus   bool // 8 bits have no sign
}{
	"NONE": {tag: tagPCM}, "twos": {tag: tagPCM}, "sowt": {tag: tagPCM, little: true}, "raw ": {tag: tagPCM, bits: 8, plus: true},
	"in24": {tag: tagPCM, bits: 24}, "in32": {tag: tagPCM, bits: 32}, "42ni": {tag: tagPCM, bits: 24, little: true}, "23ni": {tag: tagPCM, bits: 32, little: true},
	"fl32": {tag: tagFloat, bits: 32}, "FL32": {tag: tagFloat, bits: 32}, "fl64": {tag: tagFloat, bits: 64}, "FL64": {tag: tagFloat, bits: 64},
	"alaw": {tag: tagALaw, bits: 8}, "ALAW": {tag: tagALaw, bits: 8}, "ulaw": {tag: tagMuLaw, bits: 8}, "ULAW": {tag: tagMuLaw, bits: 8},
}

// readAIFF finds the samples and what they are.
func readAIFF(r io.ReadSeeker, size int64) (stored, Info, error) {
	s, info := stored{title: "AIFF", big: true, signed: true}, Info{Format: "aiff"}
	p := peeker{r: r, size: size}
	form, at, err := p.aiffForm()
	if err != nil {
		return s, info, err
	}
	frames := int64(-1)
	for range maxChunks {
		if size-at < 8 {
			break
		}
		head, err := p.peek(at, 8)
		if err != nil {
			return s, info, err
		}
		id, n, body := string(head[:4]), int64(binary.BigEndian.Uint32(head[4:])), at+8
		switch rest := size - body; {
		case id == "SSND" && s.data == 0 && isAIFFOpen(n):
			info.Open, n = true, rest
		case s.data != 0 && n > rest: // what follows the samples may be cut, and costs none
			n = rest
		case n > rest:
			return s, info, Errorf(ErrLength, "AIFF header says %s bytes for chunk %q, the file holds %s", commas(n), id, commas(rest))
		}
		switch {
		case id == "COMM" && frames >= 0 || id == "SSND" && s.data != 0:
			err = Errorf(ErrHeader, "AIFF file has two chunks %q", id)
		case id == "COMM":
			frames, err = s.describe(&p, body, n, form, &info)
		case id == "SSND":
			err = s.setSSND(&p, body, n)
		case s.data != 0 && !isChunkID([4]byte(head)):
			var tail bool
			if tail, err = p.isTail(at); err == nil && !tail {
				err = Errorf(ErrLength, "AIFF header says %s bytes of samples, but %s bytes follow them that are neither a chunk nor a tag nor zeros", commas(s.dataSize), commas(size-at))
			}
			n = size - body
		}
		if err != nil {
			return s, info, err
		}
		at = body + n + n%2
	}
	if frames < 0 || s.data == 0 {
		return s, info, Errorf(ErrHeader, "AIFF file lacks a chunk: COMM there: %v, SSND there: %v", frames >= 0, s.data != 0)
	}
	if err := info.check(s.title, s.encoding); err != nil {
		return s, info, err
	}
	return s, info, s.take(frames, &info)
}

// aiffForm reads the type of a FORM file, and says where its chunks begin.
func (p *peeker) aiffForm() (form string, chunks int64, err error) {
	_, at, err := readHead(p.r, p.size)
	if err != nil {
		return "", 0, err
	}
	head, err := p.peek(at, int(min(12, p.size-at)))
	if err != nil {
		return "", 0, err
	}
	if form = string(head[min(8, len(head)):]); form != "AIFF" && form != "AIFC" {
		return "", 0, Errorf(ErrHeader, "a FORM file of type %q is not AIFF", form)
	}
	return form, at + 12, nil
}

// isAIFFOpen tells the sizes of programs that write to a pipe and cannot go back: SoX leaves 0x7f000000
// and more, others 0 or all ones.
func isAIFFOpen(size int64) bool { return size == 0 || size >= 0x7f000000 }

// setSSND notes the samples in the SSND chunk at body, n bytes long, which begin at its offset.
func (s *stored) setSSND(p *peeker, body, n int64) error {
	if n < 8 {
		return Errorf(ErrHeader, "AIFF file has an SSND chunk of %d bytes, of 8 at least", n)
	}
	b, err := p.peek(body, 4)
	if err != nil {
		return err
	}
	offset := int64(binary.BigEndian.Uint32(b))
	if offset > n-8 {
		return Errorf(ErrHeader, "AIFF header says that samples begin at byte %s of %s", commas(offset), commas(n-8))
	}
	s.data, s.dataSize = body+8+offset, n-8-offset
	return nil
}

// describe reads the COMM chunk at body, n bytes long: channels, samples, bits, rate, and of AIFF-C the kind
// of the samples.
func (s *stored) describe(p *peeker, body, n int64, form string, info *Info) (frames int64, err error) {
	least := int64(18)
	if form == "AIFC" {
		least = 22
	}
	if n < least {
		return 0, Errorf(ErrHeader, "AIFF header has a COMM chunk of %d bytes, of %d at least", n, least)
	}
	b, err := p.peek(body, int(least))
	if err != nil {
		return 0, err
	}
	name := "NONE"
	if form == "AIFC" {
		name = string(b[18:])
	}
	kind, ok := aiffKinds[name]
	if !ok {
		return 0, Errorf(ErrForeign, "AIFF-C of the kind %q needs ffmpeg, which is not installed: install it or convert to WAV or FLAC", name)
	}
	s.encoding, s.big, s.signed = encodings[kind.tag], !kind.little, !kind.plus
	info.Channels, info.Bits, info.Rate = int(binary.BigEndian.Uint16(b)), int(binary.BigEndian.Uint16(b[6:])), extended(b[8:18])
	if kind.bits != 0 {
		info.Bits = kind.bits
	} else if info.Bits >= 1 && info.Bits <= 32 {
		info.Bits = (info.Bits + 7) / 8 * 8 // they fill the upper bits of whole bytes
	}
	return int64(binary.BigEndian.Uint32(b[2:])), nil
}

// extended is a rate from a number of 80 bits (IEEE 754 extended: a sign, 15 bits of exponent, 64 of
// significand), rounded; 0 if it is none that is read.
func extended(b []byte) int {
	exponent, significand := int(binary.BigEndian.Uint16(b)), binary.BigEndian.Uint64(b[2:])
	shift := 16383 + 63 - exponent
	if exponent > math.MaxInt16 || shift < 1 || shift > 63 || bits.Len64(significand) != 64 {
		return 0
	}
	v := (significand>>(shift-1) + 1) >> 1
	return int(min(v, MaxRate+1))
}

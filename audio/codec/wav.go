package codec

import (
	"io"
	"slices"
)

// Limits of what is taken for speech audio: telephone rates and below up to the highest that converters
// offer, and as many channels as a microphone array has.
const (
	MinRate     = 1000
	MaxRate     = 768000
	MaxChannels = 64
)

// Format tags of a fmt chunk (RFC 2361, appendix A).
const (
	tagPCM        = 0x0001
	tagMSADPCM    = 0x0002
	tagFloat      = 0x0003
	tagALaw       = 0x0006
	tagMuLaw      = 0x0007
	tagIMAADPCM   = 0x0011
	tagExtensible = 0xFFFE
)

// tagNames are the formats that get a message with their name.
var tagNames = map[uint16]string{
	tagMSADPCM: "Microsoft ADPCM", tagIMAADPCM: "IMA ADPCM", 0x0031: "GSM 6.10", 0x0050: "MPEG", 0x0055: "MP3", 0x00FF: "AAC", 0xF1AC: "FLAC",
}

// An encoding is how a WAV file stores a sample.
// widths are the ones whose bytes the readers know; convert is the end of a message about any other.
type encoding struct {
	name    string
	widths  []int       // in bits
	convert string      // advice for other widths
	law     *[256]int16 // nil: none
	float   bool
}

// encodings are those that are read, by format tag.
var encodings = map[uint16]*encoding{
	tagPCM:   {name: "PCM", widths: []int{8, 16, 24, 32}, convert: "16, 24 or 32 bits"},
	tagFloat: {name: "floating-point PCM", widths: []int{32, 64}, convert: "32 bits", float: true},
	tagALaw:  {name: "A-law", widths: []int{8}, convert: "PCM", law: aLaw},
	tagMuLaw: {name: "µ-law", widths: []int{8}, convert: "PCM", law: muLaw},
}

// guidTail ends the subformat of an extensible header, after a format tag of two bytes: the GUID of
// KSDATAFORMAT_SUBTYPE_PCM and its relatives.
const guidTail = "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"

// readWAV finds the samples of a WAV file and what they are.
func readWAV(r io.ReadSeeker, size int64) (stored, Info, error) {
	c, err := findChunks(r, size)
	if err != nil {
		return c.stored, Info{}, err
	}
	info, err := readFormat(&c)
	return c.stored, info, err
}

// readFormat parses and checks a fmt chunk: tag, channels, samples a second, bytes a second (which
// nothing needs), bytes of one sample of all channels, bits of a sample (Multimedia Programming
// Interface and Data Specifications 1.0, WAVEFORMAT and PCMWAVEFORMAT).
func readFormat(c *chunks) (Info, error) {
	b := c.format[:]
	tag := c.order.Uint16(b)
	if tag == tagExtensible {
		var err error
		if tag, err = c.subformat(); err != nil {
			return Info{}, err
		}
	}
	info := Info{Format: "wav", Rate: int(c.order.Uint32(b[4:])), Channels: int(c.order.Uint16(b[2:])), Bits: int(c.order.Uint16(b[14:])), Open: c.open}
	if tag == tagMSADPCM || tag == tagIMAADPCM {
		err := c.readADPCM(tag, &info)
		return info, err
	}
	if c.encoding = encodings[tag]; c.encoding == nil {
		if name, ok := tagNames[tag]; ok {
			return Info{}, Errorf(ErrUnsupported, "%s WAV (%d bits) is not read yet: convert to PCM", name, info.Bits)
		}
		return Info{}, Errorf(ErrUnsupported, "WAV format %#04x is not read yet: convert to PCM", tag)
	}
	if tag == tagPCM && info.Bits >= 1 && info.Bits <= 32 {
		info.Bits = (info.Bits + 7) / 8 * 8 // they fill the upper bits of whole bytes (Multimedia Programming Interface and Data Specifications 1.0)
	}
	if err := info.check("WAV", c.encoding); err != nil {
		return Info{}, err
	}
	if align := int(c.order.Uint16(b[12:])); align != info.Channels*info.Bits/8 {
		return Info{}, Errorf(ErrHeader, "WAV header says %s bytes a sample of all channels; %d channels of %d bits take %d",
			commas(int64(align)), info.Channels, info.Bits, info.Channels*info.Bits/8)
	}
	frame, who := int64(info.Channels*info.Bits/8), "WAV header says"
	if c.open {
		who = "WAV file holds"
	}
	if c.dataSize%frame == 1 && c.dataSize%2 == 0 {
		c.dataSize-- // the pad byte after samples of an odd size, which some programs count
	}
	if c.dataSize%frame != 0 {
		return Info{}, Errorf(ErrLength, "%s %s bytes of samples, which is not a multiple of the %d bytes of one sample of all channels",
			who, commas(c.dataSize), frame)
	}
	info.Samples = c.dataSize / frame
	return info, nil
}

// subformat returns the format tag inside an extensible fmt chunk, which stands in the first two bytes of
// the GUID at byte 24. Fewer valid bits than stored ones are no reason to refuse: they are the upper ones.
func (c *chunks) subformat() (uint16, error) {
	if c.formatN < 40 {
		return 0, Errorf(ErrHeader, "WAV header has an extensible fmt chunk of %d bytes, of 40 at least", c.formatN)
	}
	if string(c.format[26:40]) != guidTail {
		return 0, Errorf(ErrUnsupported, "WAV format with subformat %x is not read yet: convert to PCM", c.format[24:40])
	}
	bits, valid := c.order.Uint16(c.format[14:]), c.order.Uint16(c.format[18:])
	if valid > bits {
		return 0, Errorf(ErrHeader, "WAV header says %d valid bits of %d", valid, bits)
	}
	return c.order.Uint16(c.format[24:]), nil
}

// check checks what a header says of stored samples; title names the format.
func (i Info) check(title string, e *encoding) error {
	switch {
	case !slices.Contains(e.widths, i.Bits):
		return Errorf(ErrUnsupported, "%s of %d bits is not read: convert to %s", e.name, i.Bits, e.convert)
	case i.Channels < 1 || i.Channels > MaxChannels:
		return Errorf(ErrHeader, "%s header says %s channels; 1 to %d are read", title, commas(int64(i.Channels)), MaxChannels)
	}
	return checkRate(title, i.Rate)
}

// checkRate refuses what is no rate of a recording.
func checkRate(title string, rate int) error {
	if rate < MinRate || rate > MaxRate {
		return Errorf(ErrHeader, "%s header says %s samples a second; %s to %s are read", title, commas(int64(rate)), commas(MinRate), commas(MaxRate))
	}
	return nil
}

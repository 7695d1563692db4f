package codec

import (
	"fmt"
	"io"
	"slices"
)

// A stored is where the samples lie in a file that stores them behind a header, and how: WAV, AIFF, NIST
// SPHERE. A piece at a time they are turned into WAV's order, the lowest byte first and 8 bits without a sign.
type stored struct {
	title    string
	data     int64 // offset of the first sample; 0: none seen
	dataSize int64 // bytes of samples, > 0
	encoding *encoding
	big      bool   // the highest byte comes first
	signed   bool   // 8 bits have a sign
	adpcm    *adpcm // nil: the samples lie there one by one
	pick     int    // see Limits
}

// readBytes is how much of the samples is read at once: the 300 kB of a usual clip in three reads, in a
// buffer that stays in the second-level cache.
const readBytes = 128 << 10

// probe reads the header of a file whose samples are stored.
func (l Limits) probe(f Format, r io.ReadSeeker, size int64) (stored, Info, error) {
	s, info, err := f.header(r, size)
	if err == nil {
		err = l.Check(s.title, info.Samples, info.Rate)
	}
	if err == nil {
		s.pick, err = l.pick(s.title, info.Channels)
	}
	if err != nil {
		return s, Info{}, err
	}
	return s, info, nil
}

// take takes the samples that a header counts, which have to be there.
func (s *stored) take(samples int64, info *Info) error {
	frame := int64(info.Channels * info.Bits / 8)
	if info.Open && (samples == 0 || samples > s.dataSize/frame) {
		samples = s.dataSize / frame
	}
	if extra := s.dataSize - samples*frame; extra < 0 || extra >= frame && !info.Open {
		return Errorf(ErrLength, "%s header says %s samples of %d bytes, the file holds %s bytes of samples", s.title, commas(samples), frame, commas(s.dataSize))
	}
	if samples == 0 {
		return Errorf(ErrEmpty, "%s file has no samples", s.title)
	}
	s.dataSize, info.Samples = samples*frame, samples
	return nil
}

// survey reads the samples, from one on, where the header does not tell whether they are good.
func (s *stored) survey(r io.ReadSeeker, info Info, first int64) (Info, error) {
	if !s.encoding.float && s.adpcm == nil {
		return info, nil
	}
	var scratch []float32
	err := s.read(r, &info, first, func(_, n int) []float32 {
		scratch = slices.Grow(scratch[:0], n)[:n]
		return scratch
	})
	if err != nil {
		return Info{}, err
	}
	return info, nil
}

// read converts info.Samples samples from the given first one on, piece by piece. room(at, n) gives the
// place of n samples, the first of which is number at of these.
func (s *stored) read(r io.ReadSeeker, info *Info, first int64, room func(at, n int) []float32) error {
	if s.adpcm != nil {
		return s.readBlocks(r, info, first, room)
	}
	frame, all := info.Channels*info.Bits/8, int(info.Samples)
	if _, err := r.Seek(s.data+first*int64(frame), io.SeekStart); err != nil {
		return fmt.Errorf("%s samples: %w", s.title, err)
	}
	buf := make([]byte, min(all*frame, readBytes/frame*frame))
	for done := 0; done < all; {
		raw := buf[:min(len(buf), (all-done)*frame)]
		n, from := len(raw)/frame, int(first)+done
		if _, err := io.ReadFull(r, raw); err != nil {
			return fmt.Errorf("%s samples %d to %d: %w", s.title, from, from+n-1, err)
		}
		if s.turned(*info) {
			turn(raw, info.Bits/8)
		}
		if err := s.convert(room(done, n), raw, info, from); err != nil {
			return err
		}
		done += n
	}
	return nil
}

// turned reports whether the bytes of a sample do not lie as in WAV.
func (s *stored) turned(info Info) bool {
	return s.big && info.Bits > 8 || s.signed && info.Bits == 8 && s.encoding.law == nil
}

// turn turns samples of some bytes each into WAV's order.
func turn(raw []byte, width int) {
	if width == 1 {
		for i := range raw {
			raw[i] ^= 0x80
		}
		return
	}
	for ; len(raw) > 0; raw = raw[width:] {
		slices.Reverse(raw[:width])
	}
}

// convert converts the stored samples of all channels, of which from come before these.
func (s *stored) convert(dst []float32, raw []byte, info *Info, from int) error {
	if s.pick > 0 {
		return s.convertOne(dst, raw, info, from)
	}
	switch {
	case s.encoding.float:
		return convertFloat(dst, raw, info, from)
	case s.encoding.law != nil:
		convertLaw(dst, raw, info.Channels, s.encoding.law)
	case info.Channels == 1 && info.Bits == 16:
		Int16(dst, raw)
	default:
		convertPCM(dst, raw, *info)
	}
	return nil
}

// convertOne converts one channel of several: what is left of the others is a file of one.
func (s *stored) convertOne(dst []float32, raw []byte, info *Info, from int) error {
	one, mono := *s, *info
	one.pick, mono.Channels = 0, 1
	width := info.Bits / 8
	buf := make([]byte, 0, len(dst)*width)
	for at := (s.pick - 1) * width; at < len(raw); at += info.Channels * width {
		buf = append(buf, raw[at:at+width]...)
	}
	err := one.convert(dst, buf, &mono, from)
	info.Over = mono.Over
	return err
}

package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// Info describes a file that Probe or Decode accepted.
type Info struct {
	Format   string // a name of the table of formats
	Rate     int    // samples a second
	Channels int    // before averaging
	Bits     int    // of a stored sample: 4 to 64; 0 where samples are not stored as such (MP3, Vorbis)
	Samples  int64  // per channel, > 0
	Over     int64  // of the Samples, those in floating point that lie beyond ±1 and are kept as they are
	Open     bool   // the header leaves the length open, as a stream's does: the samples go to the end of the file
	Trimmed  int64  // per channel, of MP3: what the encoder put before and after the recording and noted; it is left out
}

// belowOne is the greatest float32 under 1.
const belowOne = 1 - 0x1p-24

// Probe is Limits.Probe within the default limits.
func Probe(r io.ReadSeeker, size int64) (Info, error) { return Limits{}.Probe(r, size) }

// Decode is Limits.Decode within the default limits.
func Decode(dst []float32, r io.ReadSeeker, size int64) ([]float32, Info, error) {
	return Limits{}.Decode(dst, r, size)
}

// Probe reports what Decode would find in a file of size bytes. It accepts what Decode accepts and
// nothing else, as long as the file can be read: of a file that stores samples (WAV, AIFF, NIST SPHERE) it
// reads the header, of any other it decodes all. So it does with samples in floating point, of which
// the header does not tell whether they are numbers. Errors are of one of the kinds Err… of this
// package, or come from r.
func (l Limits) Probe(r io.ReadSeeker, size int64) (Info, error) { return l.ProbePart(r, size, Part{}) }

// Decode reads a file of size bytes as mono float32 in [-1, 1): of integer PCM (WAV, AIFF, NIST SPHERE, FLAC) a
// stored value divided by 2^(bits-1) (8-bit values of WAV are unsigned and lose 128 first), of the others
// what the decoder gives; the mean of the channels. Values in floating point stay what they are, beyond
// that range too (see Info.Over). The samples replace what dst holds; its capacity is used
// before any is allocated. On error dst comes back with its length; what it held may be lost.
func (l Limits) Decode(dst []float32, r io.ReadSeeker, size int64) ([]float32, Info, error) {
	return l.DecodePart(dst, r, size, Part{})
}

// DecodeBytes is Decode for a file in memory, which it does not copy.
func (l Limits) DecodeBytes(dst []float32, file []byte) ([]float32, Info, error) {
	f := l.formatOfBytes(file)
	if f.decode != nil {
		pcm, info, err := f.decode(dst[:0], file, l, true)
		if err != nil {
			return dst, Info{}, err // what a decoder gives beside an error is nothing
		}
		return pcm, info, nil
	}
	if f.header == nil {
		return dst, Info{}, f.foreign()
	}
	r := bytes.NewReader(file)
	s, info, err := l.probe(f, r, r.Size())
	if err != nil {
		return dst, Info{}, err
	}
	pcm := slices.Grow(dst[:0], int(info.Samples))[:info.Samples]
	if s.adpcm == nil && !s.turned(info) {
		err = s.convert(pcm, file[s.data:s.data+s.dataSize], &info, 0)
	} else {
		err = s.read(r, &info, 0, func(at, n int) []float32 { return pcm[at:][:n] })
	}
	if err != nil {
		return dst, Info{}, err
	}
	return pcm, info, nil
}

// formatOfBytes is FormatOf for a file in memory; what is of no format is left to the reader of WAV, which says why.
func (l Limits) formatOfBytes(file []byte) Format {
	if l.Raw != nil {
		return l.Raw.format()
	}
	at := skipID3(file)
	f, ok, _ := formatOf(file[at:], bytes.NewReader(file), int64(len(file)))
	if !ok {
		f, ok = formatIn(file[at:])
	}
	if !ok {
		f = formats[0]
	}
	return f
}

// Stored finds the samples in a file that stores one channel of 16 bits as WAV does, what nearly every
// corpus has. They lie in file, and are what DecodeBytes decodes. false: it is another file, or one that is refused.
func (l Limits) Stored(file []byte) (samples []byte, info Info, ok bool) {
	f := l.formatOfBytes(file)
	if f.header == nil {
		return nil, Info{}, false
	}
	s, info, err := l.probe(f, bytes.NewReader(file), int64(len(file)))
	if err != nil || s.encoding.float || s.encoding.law != nil || info.Channels != 1 || info.Bits != 16 || s.turned(info) {
		return nil, Info{}, false
	}
	return file[s.data : s.data+s.dataSize], info, true
}

// foreign is the rejection of what only ffmpeg reads, for a caller that has none.
func (f Format) foreign() error {
	return Errorf(ErrForeign, "%s needs ffmpeg, which is not installed: install it or convert to WAV or FLAC", f.Title)
}

// readFile reads a whole file. Its memory grows with what is read: the size is what somebody said of the file.
func readFile(r io.ReadSeeker, size int64) ([]byte, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("audio file: %w", err)
	}
	var file []byte
	for int64(len(file)) < size {
		at := len(file)
		n := int(min(size-int64(at), int64(max(1<<20, at))))
		file = slices.Grow(file, n)[:at+n]
		if _, err := io.ReadFull(r, file[at:]); err != nil {
			return nil, fmt.Errorf("audio file of %s bytes, from byte %s: %w", commas(size), commas(int64(at)), err)
		}
	}
	return file, nil
}

// Int16 converts the stored samples in raw, little-endian, to dst: it is convertPCM for one channel of
// 16 bits, what nearly every corpus has.
func Int16(dst []float32, raw []byte) {
	raw = raw[:2*len(dst)]
	done := convertQuickly(dst, raw)
	dst, raw = dst[done:], raw[2*done:]
	for i := range dst {
		dst[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) * 0x1p-15
	}
}

// convertPCM takes the mean over the channels. The sum is exact, also in float64: 64 channels of 32
// bits stay within 2^37. The quotient is rounded there and then to float32.
func convertPCM(dst []float32, raw []byte, info Info) {
	width := info.Bits / 8
	scale := float64(info.Channels) * float64(int64(1)<<(info.Bits-1))
	at := 0
	for i := range dst {
		var sum int64
		for range info.Channels {
			switch b := raw[at:]; width {
			case 1:
				sum += int64(b[0]) - 128
			case 2:
				sum += int64(int16(binary.LittleEndian.Uint16(b)))
			// The shift back from the upper 24 of 32 bits brings the sign.
			case 3:
				sum += int64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24) >> 8)
			case 4:
				sum += int64(int32(binary.LittleEndian.Uint32(b)))
			}
			at += width
		}
		// Of 32 bits only the topmost values would round to 1.
		dst[i] = min(float32(float64(sum)/scale), belowOne)
	}
}

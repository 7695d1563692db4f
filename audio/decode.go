package audio

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// Info describes a file that Probe or Decode accepted.
type Info struct {
	Rate     int   // samples a second
	Channels int   // before averaging
	Bits     int   // of a stored sample: 8, 16, 24 or 32
	Samples  int64 // per channel, > 0
}

// readBytes is how much Decode reads at once: enough to make a read's cost small, few enough to stay in the first-level cache.
const readBytes = 32 << 10

// belowOne is the greatest float32 under 1.
const belowOne = 1 - 0x1p-24

// Probe reads the header of a WAV file of size bytes and reports what Decode would find. It reads no sample, and accepts what
// Decode accepts and nothing else, as long as the file can be read. Errors are of one of the kinds Err… of this package, or come
// from r.
func Probe(r io.ReadSeeker, size int64) (Info, error) {
	_, info, err := probe(r, size)
	return info, err
}

func probe(r io.ReadSeeker, size int64) (chunks, Info, error) {
	c, err := findChunks(r, size)
	if err != nil {
		return c, Info{}, err
	}
	info, err := readFormat(&c)
	return c, info, err
}

// Decode reads a WAV file of size bytes of integer PCM as mono float32 in [-1, 1): a stored value divided by 2^(bits-1) (8-bit
// values are unsigned and lose 128 first), the channels averaged, rounded once. The samples replace what dst holds; its capacity
// is used before any is allocated. On error dst comes back as it was.
func Decode(dst []float32, r io.ReadSeeker, size int64) ([]float32, Info, error) {
	c, info, err := probe(r, size)
	if err != nil {
		return dst, Info{}, err
	}
	if _, err := r.Seek(c.data, io.SeekStart); err != nil {
		return dst, Info{}, fmt.Errorf("WAV samples: %w", err)
	}
	pcm := slices.Grow(dst[:0], int(info.Samples))[:info.Samples]
	frame := info.Channels * info.Bits / 8
	buf := make([]byte, min(c.dataSize, int64(readBytes/frame*frame)))
	for done := 0; done < len(pcm); {
		raw := buf[:min(len(buf), (len(pcm)-done)*frame)]
		if _, err := io.ReadFull(r, raw); err != nil {
			return dst, Info{}, fmt.Errorf("WAV samples %d to %d: %w", done, done+len(raw)/frame-1, err)
		}
		n := len(raw) / frame
		if info.Channels == 1 && info.Bits == 16 {
			convertInt16(pcm[done:done+n], raw)
		} else {
			convertPCM(pcm[done:done+n], raw, info)
		}
		done += n
	}
	return pcm, info, nil
}

// convertInt16 is convertPCM for one channel of 16 bits, what nearly every corpus has.
func convertInt16(dst []float32, raw []byte) {
	raw = raw[:2*len(dst)]
	for i := range dst {
		dst[i] = float32(int16(binary.LittleEndian.Uint16(raw[2*i:]))) * 0x1p-15
	}
}

// convertPCM converts the stored samples of all channels. The sum over the channels is exact in an integer; so is its float64.
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

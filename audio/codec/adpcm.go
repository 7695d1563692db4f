package codec

import (
	"encoding/binary"
	"fmt"
	"io"
)

// ADPCM in WAV, 4 bits a sample: IMA's (Recommended Practices for Enhancing Digital Audio Compatibility,
// 1992) and Microsoft's (Multimedia Standards Update 3.0, 1994, which says how both stand in WAV). A block
// begins with a sample and the state of each channel, so each can be decoded by itself.

// adpcm is how a file stores its blocks.
type adpcm struct {
	microsoft bool
	align     int // bytes of a block
	frames    int // samples of a block, per channel
	channels  int
}

// readADPCM parses the rest of a fmt chunk of one of the two kinds, and how many samples there are: all
// that the blocks hold, or what the fact chunk says of the last.
func (c *chunks) readADPCM(tag uint16, info *Info) error {
	b, name := c.format[:], tagNames[tag]
	a := &adpcm{microsoft: tag == tagMSADPCM, align: int(c.order.Uint16(b[12:])), channels: info.Channels}
	switch {
	case info.Bits != 4:
		return Errorf(ErrUnsupported, "%s of %d bits is not read: convert to PCM", name, info.Bits)
	case info.Channels < 1 || info.Channels > 2:
		return Errorf(ErrHeader, "WAV header says %d channels of %s; 1 and 2 are read", info.Channels, name)
	case a.microsoft && (c.formatN < 22 || int(c.order.Uint16(b[20:])) != len(msCoefficients)):
		return Errorf(ErrUnsupported, "Microsoft ADPCM WAV with other coefficients than the 7 of its definition is not read: convert to PCM")
	}
	if err := checkRate("WAV", info.Rate); err != nil {
		return err
	}
	if a.frames = a.framesOf(a.align); a.frames < 1 {
		return Errorf(ErrHeader, "WAV header says blocks of %d bytes, which hold no sample", a.align)
	}
	whole, rest := c.dataSize/int64(a.align), int(c.dataSize%int64(a.align))
	info.Samples = whole * int64(a.frames)
	if rest > 1 { // one byte more is the pad byte that some programs count
		if a.framesOf(rest) < 1 {
			return Errorf(ErrLength, "WAV file ends within the head of a block of %s: %d bytes of it are there", name, rest)
		}
		info.Samples += int64(a.framesOf(rest))
	}
	if c.fact > info.Samples {
		return Errorf(ErrLength, "WAV header says %s samples, its blocks hold %s", commas(c.fact), commas(info.Samples))
	}
	if c.fact > info.Samples-int64(a.frames) { // one that says much less is some other number
		info.Samples = c.fact
	}
	if info.Samples == 0 {
		return Errorf(ErrEmpty, "WAV file has no samples")
	}
	c.encoding, c.adpcm = &encoding{name: name}, a
	return nil
}

// head is the bytes before the nibbles of a block.
func (a *adpcm) head() int {
	if a.microsoft {
		return 7 * a.channels
	}
	return 4 * a.channels
}

// framesOf is the samples in n bytes of a block, the last of which may be short. Of IMA's a group of 4
// bytes a channel is 8 samples after the one in the head, of Microsoft's each byte two after two.
func (a *adpcm) framesOf(n int) int {
	switch n -= a.head(); {
	case n < 0:
		return 0
	case a.microsoft:
		return 2 + n*2/a.channels
	}
	return 1 + n/(4*a.channels)*8
}

// readBlocks is read of ADPCM.
func (s *stored) readBlocks(r io.ReadSeeker, info *Info, first int64, room func(at, n int) []float32) error {
	a := s.adpcm
	number := first / int64(a.frames)
	if _, err := r.Seek(s.data+number*int64(a.align), io.SeekStart); err != nil {
		return fmt.Errorf("WAV samples: %w", err)
	}
	block, pcm := make([]byte, a.align), make([]int16, a.frames*a.channels)
	left := s.dataSize - number*int64(a.align)
	skip, scale := int(first%int64(a.frames)), float64(a.channels)*(1<<15)
	for done := 0; done < int(info.Samples); number++ {
		block = block[:min(int64(a.align), left)]
		left -= int64(len(block))
		if _, err := io.ReadFull(r, block); err != nil {
			return fmt.Errorf("WAV block %s: %w", commas(number), err)
		}
		frames := a.framesOf(len(block))
		if !a.decode(pcm[:frames*a.channels], block) {
			return Errorf(ErrCorrupt, "WAV block %s of %s has a head that cannot be", commas(number), s.encoding.name)
		}
		values := pcm[skip*a.channels : frames*a.channels]
		n := min(frames-skip, int(info.Samples)-done)
		dst := room(done, n)
		for i := range dst {
			var sum int
			if s.pick > 0 {
				dst[i] = float32(values[i*a.channels+s.pick-1]) * 0x1p-15
				continue
			}
			for ch := range a.channels {
				sum += int(values[i*a.channels+ch])
			}
			dst[i] = float32(float64(sum) / scale)
		}
		done, skip = done+n, 0
	}
	return nil
}

// decode decodes a block to interleaved samples, as many as dst takes. false: it is damaged.
func (a *adpcm) decode(dst []int16, block []byte) bool {
	if a.microsoft {
		return msBlock(dst, block, a.channels)
	}
	for ch := range a.channels {
		if !imaChannel(dst, block, ch, a.channels) {
			return false
		}
	}
	return true
}

// imaSteps are the 89 steps of the quantiser, imaIndex what a code adds to their index.
var (
	imaSteps = [89]int{
		7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118, 130, 143,
		157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411,
		1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442,
		11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
	}
	imaIndex = [8]int{-1, -1, -1, -1, 2, 4, 6, 8}
)

// imaChannel decodes one channel of a block: in the head its first sample, the index of the step and a
// zero; then in turns 4 bytes of each channel, the lower half of a byte first.
func imaChannel(dst []int16, block []byte, ch, channels int) bool {
	head := block[4*ch:]
	value, index := int(int16(binary.LittleEndian.Uint16(head))), int(head[2])
	if index >= len(imaSteps) {
		return false
	}
	dst[ch] = int16(value)
	for i := 1; i < len(dst)/channels; i++ {
		group, in := (i-1)/8, (i-1)%8
		code := block[4*channels*(group+1)+4*ch+in/2] >> (4 * (in % 2)) & 15
		step := imaSteps[index]
		// (code + ½) step / 4, each part cut off by itself as hardware does
		difference := step >> 3
		for bit := range 3 {
			if code>>bit&1 != 0 {
				difference += step >> (2 - bit)
			}
		}
		if code&8 != 0 {
			difference = -difference
		}
		value = max(-1<<15, min(value+difference, 1<<15-1))
		index = max(0, min(index+imaIndex[code&7], len(imaSteps)-1))
		dst[i*channels+ch] = int16(value)
	}
	return true
}

// msCoefficients are those of the two samples before, in units of 1/256; msAdaption is what a code makes
// of the step, in the same unit.
var (
	msCoefficients = [7][2]int{{256, 0}, {512, -256}, {0, 0}, {192, 64}, {240, 0}, {460, -208}, {392, -232}}
	msAdaption     = [16]int{230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230}
)

// msBlock decodes a block: of each channel the number of its coefficients, of each its step, of each its
// second sample, of each its first; then a half of a byte for each channel in turns, the upper first.
func msBlock(dst []int16, block []byte, channels int) bool {
	type state struct{ c1, c2, step, last, before int }
	var states [2]state
	word := func(at int) int { return int(int16(binary.LittleEndian.Uint16(block[at:]))) }
	for ch := range channels {
		if int(block[ch]) >= len(msCoefficients) {
			return false
		}
		c := msCoefficients[block[ch]]
		at := channels + 2*ch
		states[ch] = state{c[0], c[1], word(at), word(at + 2*channels), word(at + 4*channels)}
		dst[ch], dst[channels+ch] = int16(states[ch].before), int16(states[ch].last)
	}
	for i := 2 * channels; i < len(dst); i++ {
		at := i - 2*channels
		code := int(block[7*channels+at/2] >> (4 * (1 - at%2)) & 15)
		s := &states[i%channels]
		value := (s.last*s.c1 + s.before*s.c2) / 256
		if value += (code - code&8<<1) * s.step; value > 1<<15-1 {
			value = 1<<15 - 1
		}
		s.before, s.last = s.last, max(-1<<15, value)
		s.step = max(16, min(msAdaption[code]*s.step/256, 1<<20))
		dst[i] = int16(s.last)
	}
	return true
}

package codec

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"sync"

	"crypto/sha256"
	_ "embed"

	"github.com/pion/opus"

	"voxpack/audio/detmath"
)

// Opus (RFC 6716) in Ogg (RFC 7845, whose sections the comments name). The packets are decoded by
// pion/opus (docs/design/0126), all around them is here: pages, the header, what is left out at both
// ends, the gain. Everything comes out at 48 kHz, whatever rate the header tells of the input.

// opusVersion names the decoder and its release; a test compares it with go.mod.
const opusVersion = "opus/1-pion-v0.1.0"

// opusRate is the rate at which positions count and samples come out (4).
const opusRate = 48000

// opusPacket is how long a packet may be, 120 ms, and opusFrame the shortest, 2.5 ms (RFC 6716, 2.1.4).
const (
	opusPacket = opusRate * 120 / 1000
	opusFrame  = opusRate * 25 / 10000
)

// An opusStream is one stream while it is decoded.
type opusStream struct {
	ogg      oggReader
	decoder  opus.Decoder
	channels int
	pick     int     // see Limits
	skip     int64   // samples to leave out at the beginning, in which the decoder settles
	gain     float64 // factor of all samples
	claim    bool    // packets are counted and not decoded
	pcm      []float32
	out      output

	packets int64
	made    int64 // samples of all packets so far
	offset  int64 // what the stream's positions add to that; known after the first page
	placed  bool
	end     int64 // where the recording ends, by the last position
}

// decodeOpus decodes a whole file. Bytes that make the decoder panic are a damaged stream.
func decodeOpus(dst []float32, file []byte, l Limits, keep bool) (pcm []float32, info Info, err error) {
	s := opusStream{ogg: oggReader{b: file}}
	defer func() {
		if fault := recover(); fault != nil {
			pcm, info, err = nil, Info{}, s.bad(fmt.Sprint(fault))
		}
	}()
	if err := s.readHeaders(); err != nil {
		return nil, Info{}, err
	}
	if s.decoder, err = opus.NewDecoderWithOutput(opusRate, s.channels); err != nil {
		return nil, Info{}, fmt.Errorf("decoder of Opus: %w", err)
	}
	s.pcm = make([]float32, s.channels*opusPacket)
	s.out = output{title: "Opus", pcm: dst, keep: keep, rate: opusRate, l: l}
	if s.pick, err = l.pick("Opus", s.channels); err != nil {
		return nil, Info{}, err
	}
	if err := s.readAudio(); err != nil {
		return nil, Info{}, err
	}
	if pcm = s.out.pcm; keep {
		pcm = pcm[:copy(pcm, pcm[s.skip:s.end])]
	}
	return pcm, s.info(), nil
}

// claimOpus is what pages and the first bytes of packets say.
func claimOpus(file []byte, l Limits) (Info, error) {
	s := opusStream{ogg: oggReader{b: file}, claim: true}
	if err := s.readHeaders(); err != nil {
		return Info{}, err
	}
	s.out = output{title: "Opus", rate: opusRate, l: l}
	if err := s.readAudio(); err != nil {
		return Info{}, err
	}
	return s.info(), nil
}

func (s *opusStream) info() Info {
	return Info{Format: "opus", Rate: opusRate, Channels: s.channels, Samples: s.end - s.skip}
}

// readHeaders reads the two headers (5). Of the comments nothing is read but that they are there.
func (s *opusStream) readHeaders() error {
	for i, name := range []string{"OpusHead", "OpusTags"} {
		p, err := s.ogg.next()
		if err != nil {
			return err
		}
		if !begins(0, name)(p.data) {
			return Errorf(ErrHeader, "Opus header %d of 2 is not there", i+1)
		}
		if i == 0 {
			if err := s.readIdentification(p.data[len(name):]); err != nil {
				return err
			}
		}
	}
	return nil
}

// readIdentification reads the first header (5.1): a version of which the upper half counts, channels,
// the samples to skip, the input's rate, which nothing needs, the gain in 1/256 dB, and how channels are
// mapped to streams: 0 for one stream of one or two channels, or a table.
func (s *opusStream) readIdentification(b []byte) error {
	if len(b) < 11 || b[0]&0xf0 != 0 {
		return Errorf(ErrHeader, "Opus header is of another version than 1, or cut")
	}
	s.channels, s.skip = int(b[1]), int64(binary.LittleEndian.Uint16(b[2:]))
	// 10^(dB/20); a file without a gain keeps its bits.
	s.gain = 1
	if q := int16(binary.LittleEndian.Uint16(b[8:])); q != 0 {
		s.gain = detmath.Exp(float64(q) * (math.Ln10 / (20 * 256)))
	}
	family, table := b[10], b[11:]
	switch {
	case s.channels < 1:
		return Errorf(ErrHeader, "Opus header says no channels")
	case family == 0 && s.channels <= 2:
		return nil
	case family == 0:
		return Errorf(ErrHeader, "Opus header says %d channels in one stream, which holds 2", s.channels)
	case family != 1 || s.channels > 2:
		return Errorf(ErrUnsupported, "Opus file has %d channels in several streams (mapping family %d); files of one or two channels in one stream are read: convert it to FLAC",
			s.channels, family)
	case len(table) != 2+s.channels || table[0] != 1 || int(table[1]) != s.channels-1 || table[2]+table[len(table)-1] != byte(s.channels-1):
		return Errorf(ErrUnsupported, "Opus file maps its %d channels to streams in a way that is not read (%x): convert it to FLAC", s.channels, table)
	}
	return nil
}

// readAudio reads the packets of audio, and what the file has after them.
func (s *opusStream) readAudio() error {
	for {
		p, err := s.ogg.next()
		if err != nil {
			return err
		}
		if p.data == nil {
			break
		}
		if err := s.readPacket(p.data); err != nil {
			return err
		}
		if p.granule >= 0 {
			if err := s.place(p); err != nil {
				return err
			}
		}
	}
	if err := s.ogg.rest("Opus"); err != nil {
		return err
	}
	if s.end <= s.skip {
		return Errorf(ErrEmpty, "Opus file has no samples")
	}
	return nil
}

// readPacket decodes a packet and gives out its samples.
func (s *opusStream) readPacket(data []byte) error {
	n := opusLength(data)
	if n == 0 {
		return s.bad("it is none")
	}
	dst, err := s.out.room(n)
	if err != nil {
		return err
	}
	if s.made = s.out.n; s.claim {
		return nil
	}
	got, err := s.decoder.DecodeToFloat32(data, s.pcm)
	if err != nil {
		return s.bad(err.Error())
	}
	if got != n {
		return s.bad(fmt.Sprintf("it holds %d samples and says %d", got, n))
	}
	if !s.mix(dst) {
		return s.bad("it gives samples that are not numbers")
	}
	s.packets++
	return nil
}

// mix gives out the samples of a packet: the mean of the channels, or the one that is wanted. false: one is not a number.
func (s *opusStream) mix(dst []float32) bool {
	from, n := 0, s.channels
	if s.pick > 0 {
		from, n = s.pick-1, 1
	}
	if s.channels == 1 && s.gain == 1 { // the same bits as below, without divisions
		for i, v := range s.pcm[:len(dst)] {
			if v += 0; v != v { // a sum has no -0
				return false
			}
			dst[i] = max(-1, min(v, belowOne))
		}
		return true
	}
	for i := range dst {
		var sum float64
		for _, v := range s.pcm[i*s.channels+from:][:n] {
			sum += float64(v)
		}
		v := float32(float64(sum*s.gain) / float64(n))
		if v != v {
			return false
		}
		dst[i] = max(-1, min(v, belowOne))
	}
	return true
}

func (s *opusStream) bad(why string) error {
	return Errorf(ErrCorrupt, "Opus packet %s in the page at byte %s: %s", commas(s.packets), commas(int64(s.ogg.pageAt)), why)
}

// opusLength is the length of a packet at 48 kHz by its first byte, which tells how long a frame is, and
// how many there are: 1, 2, 2, or what the second byte says (RFC 6716, 3.1 and 3.2); 0 if it is none.
func opusLength(packet []byte) int {
	if len(packet) == 0 {
		return 0
	}
	frame, size := 0, int(packet[0]>>3&3)
	switch config := packet[0] >> 3; {
	case config < 12: // SILK: 10, 20, 40, 60 ms
		frame = []int{480, 960, 1920, 2880}[size]
	case config < 16: // hybrid: 10, 20 ms
		frame = 480 << (size & 1)
	default: // CELT: 2.5, 5, 10, 20 ms
		frame = opusFrame << size
	}
	count := []int{1, 2, 2, 0}[packet[0]&3]
	if packet[0]&3 == 3 && len(packet) > 1 {
		count = int(packet[1] & 63)
	}
	if frame*count > opusPacket {
		return 0
	}
	return frame * count
}

// place takes the position that a page gives for its last packet (4). The first one tells where the
// stream begins: at 0, or anywhere in a longer one that it was cut from. From there on positions count
// the samples of the packets, except that the last may be smaller, which cuts the end off (4.4). What
// differs by less than the shortest packet is a muxer's rounding to milliseconds; more is a packet that
// is missing or twice there.
func (s *opusStream) place(p oggPacket) error {
	if !s.placed {
		s.placed = true
		if s.offset = p.granule - s.made; p.last {
			s.offset = max(0, s.offset)
		}
	}
	s.end = min(p.granule-s.offset, s.made)
	switch off := p.granule - s.offset - s.made; {
	case off >= opusFrame:
		return Errorf(ErrLength, "Opus page %s at byte %s ends at sample %s, its packets hold %s", commas(s.ogg.page), commas(int64(s.ogg.pageAt)), commas(s.made+off), commas(s.made))
	case off <= -opusFrame && !p.last:
		return Errorf(ErrCorrupt, "Opus page %s at byte %s has a position that is %s samples before the end of its packets", commas(s.ogg.page), commas(int64(s.ogg.pageAt)), commas(-off))
	}
	return nil
}

// opusProbe is some packets of each kind (SILK, hybrid, CELT) of a bundled clip.
//
//go:embed opusprobe.opus
var opusProbe []byte

// opusProbeSum is the sum of what opusProbe decodes to where no product is fused with a sum.
const opusProbeSum = "680c3e204ca9f2af"

// opusKey is opusVersion, and in a program that was compiled so that its decoder gives other bits, a
// digest of what it gives: the Go compiler fuses products with sums for arm64 and for GOAMD64=v3. The
// Makefile switches that off for the decoder's packages. So no two programs that decode to other bits
// share a key.
var opusKey = sync.OnceValue(func() string {
	pcm, _, err := decodeOpus(nil, opusProbe, Limits{}, true)
	var b []byte
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	sum := sha256.Sum256(b)
	if bits := hex.EncodeToString(sum[:8]); err != nil || bits != opusProbeSum {
		return opusVersion + "-" + bits
	}
	return opusVersion
})

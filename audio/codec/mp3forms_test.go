package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The tables of ISO 11172-3 and 13818-3, 2.4.2.3, for Layer III: kbit/s and Hz by code, of MPEG-1, MPEG-2 and MPEG-2.5.
var (
	testMP3Bits  = [3][]int{{32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}, lowMP3Bits, lowMP3Bits}
	lowMP3Bits   = []int{8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
	testMP3Rates = [3][3]int{{44100, 48000, 32000}, {22050, 24000, 16000}, {11025, 12000, 8000}}
)

// A testMP3Head is a frame's header by its codes.
type testMP3Head struct {
	version       int // 0: MPEG-1, 1: MPEG-2, 2: MPEG-2.5
	bits, rate    int // codes; bits from 1 on
	padded, sumed bool
	mode          byte // 3: one channel
	rest          byte // of the last byte: how two channels are coded
}

func (h testMP3Head) bytes() []byte {
	b := []byte{0xff, 0xe0 | [3]byte{3, 2, 0}[h.version]<<3 | 1<<1 | 1, byte(h.bits<<4 | h.rate<<2), h.mode<<6 | h.rest}
	if h.padded {
		b[2] |= 2
	}
	if h.sumed {
		b[1] &^= 1
	}
	return b
}

// side is how many bytes of side information a frame has, size how many bytes it takes (2.4.3.1).
func (h testMP3Head) side() int {
	if h.version == 0 {
		return map[bool]int{true: 17, false: 32}[h.mode == 3]
	}
	return map[bool]int{true: 9, false: 17}[h.mode == 3]
}

func (h testMP3Head) samples() int { return map[bool]int{true: 1152, false: 576}[h.version == 0] }

func (h testMP3Head) size() int {
	n := h.samples() / 8 * 1000 * testMP3Bits[h.version][h.bits-1] / testMP3Rates[h.version][h.rate]
	if h.padded {
		n++
	}
	return n
}

// frame is a frame around side information and what follows it.
func (h testMP3Head) frame(side, rest []byte) []byte {
	b := h.bytes()
	if h.sumed { // 2.4.3.1: over the header's second half and the side information
		sum := uint16(0xffff)
		for _, v := range slices.Concat(b[2:4], side) {
			sum ^= uint16(v) << 8
			for range 8 {
				sum = sum<<1 ^ 0x8005*(sum>>15)
			}
		}
		b = binary.BigEndian.AppendUint16(b, sum)
	}
	b = slices.Concat(b, side, rest)
	return append(b, make([]byte, h.size()-len(b))...)
}

func headOfMP3(b []byte) testMP3Head {
	version := map[byte]int{3: 0, 2: 1, 0: 2}[b[1]>>3&3]
	return testMP3Head{version: version, bits: int(b[2] >> 4), rate: int(b[2] >> 2 & 3), padded: b[2]&2 != 0, sumed: b[1]&1 == 0, mode: b[3] >> 6, rest: b[3] & 0x3f}
}

// plainMP3 is a kept file without its tags and the encoder's note.
func plainMP3(t *testing.T, name string) (file []byte, frames int, pcm []float32) {
	t.Helper()
	file = readEncoded(t, name)
	found, err := readMP3(file)
	if err != nil {
		t.Fatal(err)
	}
	first, last := found.frames[0], found.frames[len(found.frames)-1]
	file = file[first : last+headOfMP3(file[last:]).size()]
	pcm, _, err = Limits{}.DecodeBytes(nil, file)
	if err != nil {
		t.Fatal(err)
	}
	return file, len(found.frames), pcm
}

// silence has side information of zeros: no bits of main data.
func (h testMP3Head) silence() []byte { return h.frame(make([]byte, h.side()), nil) }

// TestMP3HeaderTables: every version, rate, bit rate, number of channels, with padding and a checksum or without.
func TestMP3HeaderTables(t *testing.T) {
	for version := range 3 {
		for rate := range 3 {
			for bits := 1; bits <= 14; bits++ {
				for way := range 8 {
					h := testMP3Head{version: version, bits: bits, rate: rate, padded: way&1 == 1, sumed: way&2 == 2, mode: []byte{3, 0}[way>>2]}
					pcm, info, err := Limits{}.DecodeBytes(nil, bytes.Repeat(h.silence(), 5))
					want := Info{Format: "mp3", Rate: testMP3Rates[version][rate], Channels: 1 + way>>2, Samples: int64(5 * h.samples())}
					if err != nil || info != want || slices.ContainsFunc(pcm, func(v float32) bool { return v != 0 }) {
						t.Errorf("%+v: %+v, %v; want %+v", h, info, err, want)
					}
				}
			}
		}
	}
}

// TestMP3BitRatesMayChange: a frame may have another bit rate, mode and padding than the one before, not another rate.
func TestMP3BitRatesMayChange(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	var file []byte
	for range 60 {
		file = append(file, testMP3Head{bits: 1 + random.IntN(14), padded: random.IntN(2) == 1, sumed: random.IntN(2) == 1, mode: byte(random.IntN(3))}.silence()...)
	}
	if _, info, err := (Limits{}).DecodeBytes(nil, file); err != nil || info.Samples != 60*1152 || info.Channels != 2 {
		t.Errorf("%+v, %v; want 60 frames of two channels", info, err)
	}
	for name, h := range map[string]testMP3Head{"rate": {bits: 5, rate: 1}, "version": {version: 1, bits: 5}, "number of channels": {bits: 5, mode: 3}} {
		if _, info, err := (Limits{}).DecodeBytes(nil, slices.Concat(file, h.silence(), h.silence())); !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrCorrupt) {
			t.Errorf("another %s: %+v, %v; want it refused", name, info, err)
		}
	}
}

// TestReservedMP3IsRefused: the codes that the tables leave out, in the third frame and in all of them; a sum that is wrong.
func TestReservedMP3IsRefused(t *testing.T) {
	good := testMP3Head{bits: 5, sumed: true}.silence()
	plain := testMP3Head{bits: 5}.silence()
	set := func(frame []byte, at int, mask, v byte) []byte {
		b := slices.Clone(frame)
		b[at] = b[at]&^mask | v
		return b
	}
	for name, frame := range map[string][]byte{
		"bit rate 15":              set(plain, 2, 0xf0, 0xf0),
		"free bit rate":            set(plain, 2, 0xf0, 0),
		"rate 3":                   set(plain, 2, 0x0c, 0x0c),
		"version 1":                set(plain, 1, 0x18, 0x08),
		"layer 0":                  set(plain, 1, 0x06, 0),
		"Layer II":                 set(plain, 1, 0x06, 4),
		"Layer I":                  set(plain, 1, 0x06, 6),
		"sync of ten bits":         set(plain, 1, 0x80, 0),
		"a bit of the checksum":    set(good, 5, 0xff, good[5]^1),
		"a bit of the side info":   set(good, 30, 1, good[30]&1^1),
		"a bit of the copyright":   set(good, 3, 8, good[3]&8^8),
		"more main data than fits": testMP3Head{bits: 5}.frame(append([]byte{0, 0, 0xff, 0xff, 0xff}, make([]byte, 27)...), nil),
	} {
		if _, info, err := (Limits{}).DecodeBytes(nil, slices.Concat(plain, plain, frame, plain, plain)); err == nil {
			t.Errorf("%s in the third frame: %+v; want it refused", name, info)
		}
		if _, info, err := (Limits{}).DecodeBytes(nil, bytes.Repeat(frame, 5)); err == nil {
			t.Errorf("%s in every frame: %+v; want it refused", name, info)
		}
	}
	for _, layer := range []byte{4, 6} {
		b := set(plain, 1, 0x06, layer)
		if _, _, err := (Limits{}).DecodeBytes(nil, bytes.Repeat(b, 5)); !errors.Is(err, ErrForeign) {
			t.Errorf("layer code %d: %v, want that ffmpeg reads it", layer>>1, err)
		}
	}
}

// A testMP3Part is a frame taken apart: its main data lies in it, or in the frames before.
type testMP3Part struct {
	head       testMP3Head
	side, data []byte
}

// partsOfMP3 takes a stream without tags apart (2.4.1.7: main_data_begin and the lengths of all granules).
func partsOfMP3(t *testing.T, name string, file []byte) (parts []testMP3Part) {
	t.Helper()
	var areas []byte // the frames' rooms for main data, one after the other
	for len(file) > 0 {
		h := headOfMP3(file)
		at := 4
		if h.sumed {
			at = 6
		}
		side := file[at:][:h.side()]
		start := len(areas)
		areas = append(areas, file[at+h.side():h.size()]...)
		bit := 0
		take := func(n int) (v int) {
			for range n {
				v, bit = v<<1|int(side[bit/8]>>(7-bit%8)&1), bit+1
			}
			return v
		}
		channels := map[bool]int{true: 1, false: 2}[h.mode == 3]
		begin, length := 0, 0
		if h.version == 0 {
			begin, bit = take(9), 9+map[bool]int{true: 5, false: 3}[channels == 1]+4*channels
		} else {
			begin, bit = take(8), 8+channels
		}
		for range h.samples() / 576 * channels {
			next := bit + 59 + 4*min(h.version, 1)
			length += take(12)
			bit = next
		}
		if start < begin {
			t.Fatalf("%s: frame %d needs %d bytes of %d", name, len(parts), begin, start)
		}
		parts = append(parts, testMP3Part{h, slices.Clone(side), slices.Clone(areas[start-begin:][:(length+7)/8])})
		file = file[h.size():]
	}
	return parts
}

// TestMP3ReservoirMakesNoDifference: the same main data, as near to its frame as can be and as far before it, in frames of other sizes
// and with bytes of others between, is the same sound.
func TestMP3ReservoirMakesNoDifference(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	for _, name := range []string{"mono.mp3", "high.mp3", "vbr.mp3", "low.mp3", "mixed.mp3"} {
		plain, _, want := plainMP3(t, name)
		parts := partsOfMP3(t, name, plain)
		for way := range 4 { // bit 0: far before the frame; bit 1: other bytes between
			if way != 1 && name == "vbr.mp3" {
				continue // it has more for some frames than one can hold
			}
			var out, areas []byte
			var ats []int // where each frame's room begins, in the file
			var rooms []int
			end := 0 // of the main data so far, in areas
			for _, p := range parts {
				h, most := p.head, 255
				h.padded = false
				if h.version == 0 {
					most = 511
				}
				start := len(areas)
				at := start
				if way&1 == 1 {
					at = max(end, start-most)
				}
				if way&2 == 2 {
					at = min(at+random.IntN(9), start)
				}
				overhead := 4 + len(p.side)
				if h.sumed {
					overhead += 2
				}
				for h.bits = 1; start+h.size()-overhead < at+len(p.data); h.bits++ {
				}
				if way&1 == 1 { // room for later frames
					h.bits = min(h.bits+6, 14)
				}
				setMP3Begin(p.side, h.version, start-at)
				frame := h.frame(p.side, nil)
				ats, rooms = append(ats, len(out)+overhead), append(rooms, start)
				out = append(out, frame...)
				areas = append(areas, bytes.Repeat([]byte{byte(random.IntN(256))}, h.size()-overhead)...)
				end = at + copy(areas[at:], p.data)
			}
			for i, at := range ats {
				to := len(areas)
				if i+1 < len(rooms) {
					to = rooms[i+1]
				}
				copy(out[at:], areas[rooms[i]:to])
			}
			decodesTo(t, fmt.Sprintf("%s, way %d", name, way), out, want)
		}
	}
}

// setMP3Begin writes main_data_begin: 9 bits of MPEG-1, 8 of the others.
func setMP3Begin(side []byte, version, n int) {
	if version > 0 {
		side[0] = byte(n)
		return
	}
	side[0], side[1] = byte(n>>1), side[1]&0x7f|byte(n<<7)
}

// mp3Note is the frame that encoders put before the recording: Xing's or Info, with the fields that flags tell, and LAME's of how many
// samples were put before and after.
func mp3Note(h testMP3Head, mark string, flags uint32, frames, size int, lame string, before, after int) []byte {
	b := binary.BigEndian.AppendUint32([]byte(mark), flags)
	for i, field := range [][]byte{binary.BigEndian.AppendUint32(nil, uint32(frames)), binary.BigEndian.AppendUint32(nil, uint32(size)), make([]byte, 100), make([]byte, 4)} {
		if flags>>i&1 == 1 {
			b = append(b, field...)
		}
	}
	if lame != "" {
		b = append(append(b, lame...), make([]byte, 21-len(lame))...)
		b = append(b, byte(before>>4), byte(before<<4|after>>8), byte(after))
		b = append(b, make([]byte, 12)...)
	}
	return h.frame(make([]byte, h.side()), b)
}

// TestMP3NotesOfEncoders: what the first frame notes is left out at both ends, and is checked against the frames; a decoder's own delay
// is 529 samples.
func TestMP3NotesOfEncoders(t *testing.T) {
	plain, frames, whole := plainMP3(t, "mono.mp3")
	h := testMP3Head{version: 1, bits: 14, mode: 3}
	for _, mark := range []string{"Xing", "Info"} {
		for flags := range uint32(16) {
			for _, c := range []struct{ before, after int }{{576, 529}, {576, 1000}, {0, 529}, {1105, 1200}, {2000, 3000}} {
				name := fmt.Sprintf("%s, flags %d, %d and %d samples", mark, flags, c.before, c.after)
				note := mp3Note(h, mark, flags, frames, len(plain)+h.size(), "LAME3.100", c.before, c.after)
				decodesTo(t, name, slices.Concat(note, plain), whole[c.before+529:len(whole)-(c.after-529)])
			}
			if flags&1 == 1 {
				for _, n := range []int{frames - 1, frames + 1, 2 * frames, 1 << 31} {
					note := mp3Note(h, mark, flags, n, len(plain)+h.size(), "", 0, 0)
					if _, _, err := (Limits{}).DecodeBytes(nil, slices.Concat(note, plain)); !errors.Is(err, ErrLength) {
						t.Errorf("%s, flags %d, %d frames noted of %d: %v, want ErrLength", mark, flags, n, frames, err)
					}
				}
			}
			decodesTo(t, fmt.Sprintf("%s, flags %d, no delays", mark, flags), slices.Concat(mp3Note(h, mark, flags, frames, 0, "", 0, 0), plain), whole)
		}
	}
	// Fraunhofer's note stands 32 bytes after the header in any frame: a version, a delay and a quality of 2 bytes each, then the file's
	// bytes and frames.
	for n, kind := range map[int]error{frames: nil, frames - 1: ErrLength, frames + 1: ErrLength} {
		note := h.silence()
		copy(note[36:], "VBRI\x00\x01")
		binary.BigEndian.PutUint32(note[50:], uint32(n))
		if pcm, _, err := (Limits{}).DecodeBytes(nil, slices.Concat(note, plain)); !errors.Is(err, kind) || err == nil && !slices.Equal(pcm, whole) {
			t.Errorf("VBRI, %d frames noted of %d: %d samples, %v; want %v", n, frames, len(pcm), err, kind)
		}
	}
	over := mp3Note(h, "Info", 1, frames, 0, "LAME3.100", 4095, 4095)
	short := plain[:3*headOfMP3(plain).size()]
	if _, info, err := (Limits{}).DecodeBytes(nil, slices.Concat(over, short)); err == nil {
		t.Errorf("more left out than there is: %+v", info)
	}
}

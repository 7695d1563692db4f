package codec

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// What an MP4 file (ISO/IEC 14496-12, 14496-14) says of its samples: boxes of a size of 32 bits, four
// characters and a body, the tables of one track in moov/trak/mdia/minf/stbl. A file whose tables leave a
// doubt is left to ffmpeg and claims nothing: fragments, several edits, AAC with a doubled rate (SBR).

// aacFrame is the samples of a frame of AAC (ISO/IEC 14496-3, 4.5.2.1.1).
const aacFrame = 1024

// maxALACFrame bounds what a file may say of its frames; Apple's have 4,096 samples.
const maxALACFrame = 1 << 20

// aacRates are the rates by their index (ISO/IEC 14496-3, table 1.18).
var aacRates = []int{96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350}

// aacChannels are the channels by their configuration, which may leave them to the stream (table 1.19).
var aacChannels = []int{0, 1, 2, 3, 4, 5, 6, 8}

// mp4Track is what the boxes of a track tell.
type mp4Track struct {
	kind      string // of stsd: "mp4a", "alac"
	entry     []byte // what stsd says of it
	scale     uint32 // of its times, a second
	durations []byte // of stts: pairs of a count and a duration
	edit      []byte // a duration and a beginning: the only one of elst; nil: none
	tables    []byte // stbl
	info      Info
	from, to  int64 // which samples of all frames are the recording
}

// errNoClaim says that a file claims nothing. Nobody reads its text.
var errNoClaim = Errorf(ErrUnsupported, "a file that does not tell its length")

func claimMP4(file []byte, l Limits) (Info, error) {
	moov, _ := box(file, "moov")
	t, ok := readMoov(moov)
	if !ok {
		return Info{}, errNoClaim
	}
	return t.info, checkClaim(t.info, l)
}

// readMoov reads what moov tells of the first track of sound; false: it leaves a doubt.
func readMoov(moov []byte) (t mp4Track, ok bool) {
	header, known := box(moov, "mvhd")
	if _, fragments := box(moov, "mvex"); !known || fragments {
		return t, false
	}
	at := 12 // of the version and two times of 32 bits
	if len(header) > 0 && header[0] == 1 {
		at = 20
	}
	if len(header) < at+4 {
		return t, false
	}
	if t, ok = audioTrack(moov); !ok {
		return t, false
	}
	frame, ok := t.stream()
	if !ok || int(t.scale) != t.info.Rate {
		return t, false
	}
	if t.from, t.to, ok = t.samples(frame, binary.BigEndian.Uint32(header[at:])); !ok {
		return t, false
	}
	if note := bytes.Index(moov, []byte(gapNote)); note >= 0 {
		if ok = t.skip(moov[note+len(gapNote):]); !ok {
			return t, false
		}
	}
	t.info.Samples = t.to - t.from
	return t, true
}

// gapNote names what iTunes and Apple's tools tell about the silence that they add: a box of text follows,
// hexadecimal numbers, of which the second is how many samples stand before the recording.
const gapNote = "iTunSMPB"

// skip leaves out what the note says, where there is no edit list. What stands after the recording stays, as with ffmpeg.
func (t *mp4Track) skip(note []byte) bool {
	const text = 16 // after a size, a kind, and eight bytes of the text's own kind
	if t.edit != nil || t.kind != "mp4a" || len(note) < text {
		return false
	}
	words := bytes.Fields(note[text:min(len(note), text+20)])
	if len(words) < 2 {
		return false
	}
	n, err := strconv.ParseUint(string(words[1]), 16, 14)
	t.from = int64(n)
	return err == nil && t.from < t.to
}

// checkClaim holds a claim to what is read.
func checkClaim(info Info, l Limits) error {
	if info.Samples < 1 || info.Rate < MinRate || info.Rate > MaxRate || info.Channels < 1 || info.Channels > MaxChannels {
		return errNoClaim
	}
	return l.Check(info.Format, info.Samples, info.Rate)
}

// eachBox hands the boxes of b out, until one of them does not fit or yield has enough.
func eachBox(b []byte, yield func(kind string, body []byte) bool) {
	for len(b) >= 8 {
		size, head := uint64(binary.BigEndian.Uint32(b)), uint64(8)
		switch {
		case size == 0: // to the end
			size = uint64(len(b))
		case size == 1 && len(b) >= 16:
			size, head = binary.BigEndian.Uint64(b[8:]), 16
		}
		if size < head || size > uint64(len(b)) || !yield(string(b[4:8]), b[head:size]) {
			return
		}
		b = b[size:]
	}
}

// box is the body of the box at the end of a path.
func box(b []byte, path ...string) (body []byte, ok bool) {
	for _, kind := range path {
		ok = false
		eachBox(b, func(k string, inner []byte) bool {
			if k == kind {
				body, ok = inner, true
			}
			return !ok
		})
		if b = body; !ok {
			return nil, false
		}
	}
	return body, ok
}

// audioTrack is the first track of sound.
func audioTrack(moov []byte) (t mp4Track, ok bool) {
	eachBox(moov, func(kind string, trak []byte) bool {
		handler, _ := box(trak, "mdia", "hdlr")
		if kind != "trak" || len(handler) < 12 || string(handler[8:12]) != "soun" {
			return true
		}
		ok = t.read(trak)
		return false
	})
	return t, ok
}

// read finds the tables of a track.
func (t *mp4Track) read(trak []byte) bool {
	times, a := box(trak, "mdia", "mdhd")
	t.tables, _ = box(trak, "mdia", "minf", "stbl")
	kinds, b := box(t.tables, "stsd")
	table, c := box(t.tables, "stts")
	if !a || !b || !c || len(times) < 24 || len(kinds) < 16 || len(table) < 8 || binary.BigEndian.Uint32(kinds[4:]) != 1 {
		return false
	}
	t.scale = binary.BigEndian.Uint32(times[12:])
	if times[0] == 1 {
		t.scale = binary.BigEndian.Uint32(times[20:])
	}
	eachBox(kinds[8:], func(kind string, body []byte) bool {
		t.kind, t.entry = kind, body
		return false
	})
	if t.durations = table[8:]; uint64(len(t.durations)) != 8*uint64(binary.BigEndian.Uint32(table[4:])) {
		return false
	}
	if list, ok := box(trak, "edts", "elst"); ok {
		if len(list) != 20 || list[0] != 0 || binary.BigEndian.Uint32(list[4:]) != 1 || binary.BigEndian.Uint32(list[16:]) != 1<<16 {
			return false
		}
		t.edit = list[8:16]
	}
	return true
}

// stream reads what is said of the stream, and gives the samples of a frame of it.
func (t *mp4Track) stream() (frame int64, ok bool) {
	const fixed = 28 // bytes of every entry of sound before its boxes
	if len(t.entry) < fixed || binary.BigEndian.Uint16(t.entry[8:]) != 0 {
		return 0, false
	}
	t.info.Format = "mp4"
	switch t.kind {
	case "mp4a":
		setup, found := box(t.entry[fixed:], "esds")
		if found && len(setup) > 4 {
			t.info.Rate, t.info.Channels, ok = aacSetup(setup[4:])
		}
		return aacFrame, ok
	case "alac":
		setup, found := box(t.entry[fixed:], "alac") // a version, then ALACSpecificConfig
		if !found || len(setup) != 28 {
			return 0, false
		}
		t.info.Rate, t.info.Channels = int(binary.BigEndian.Uint32(setup[24:])), int(setup[13])
		return int64(binary.BigEndian.Uint32(setup[4:])), true
	}
	return 0, false
}

// samples is which of them an edit takes: those of all frames that it touches, but what it leaves out at the
// beginning.
// ffmpeg gives whole frames, also the last one where it goes on after the edit; of ALAC a frame has the samples
// that it is said to have.
func (t *mp4Track) samples(frame int64, movieScale uint32) (from, held int64, ok bool) {
	until := int64(1) << 62
	if frame > maxALACFrame {
		return 0, 0, false
	}
	if t.edit != nil {
		from = int64(int32(binary.BigEndian.Uint32(t.edit[4:])))
		length := rescale(binary.BigEndian.Uint32(t.edit), t.scale, movieScale)
		if from < 0 || length <= 0 || from != 0 && t.kind != "mp4a" {
			return 0, 0, false
		}
		until = from + length
	}
	end := int64(0) // by the table; held is in samples
	for b := t.durations; len(b) > 0; b = b[8:] {
		count, duration := int64(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint32(b[4:]))
		last := len(b) == 8 && count == 1
		if duration < 1 || duration > frame || duration != frame && !last || count < 1 {
			return 0, 0, false
		}
		if left := until - end; left < count*duration {
			count = max(0, (left+duration-1)/duration)
		}
		end += count * duration
		if t.kind == "mp4a" {
			duration = aacFrame
		}
		held += count * duration
		if end >= until || held > 1<<40 {
			break
		}
	}
	return from, held, held > from
}

// rescale is a time in units of a scale in those of another, rounded to the nearest.
func rescale(v, to, from uint32) int64 {
	if from == 0 {
		return 0
	}
	return int64((uint64(v)*uint64(to) + uint64(from/2)) / uint64(from))
}

// aacSetup reads the rate and the channels of AAC-LC out of the descriptors of esds (ISO/IEC 14496-1, 7.2.6: a
// tag, a size of seven bits a byte, a body): of a stream, a decoder, and its AudioSpecificConfig.
func aacSetup(b []byte) (rate, channels int, ok bool) {
	b, ok = descriptor(b, 3)
	if !ok || len(b) < 3 || b[2]&0xe0 != 0 {
		return 0, 0, false
	}
	b, ok = descriptor(b[3:], 4)
	if !ok || len(b) < 13 || b[0] != 0x40 {
		return 0, 0, false
	}
	if b, ok = descriptor(b[13:], 5); !ok {
		return 0, 0, false
	}
	// Five bits of kind, four of rate, four of channels, three flags that are all 0, and where something
	// follows the bits of an extension that says that there is none (1.6.2.1, 4.4.1).
	v := uint64(0)
	for i := range 5 {
		v <<= 8
		if i < len(b) {
			v |= uint64(b[i])
		}
	}
	index, order := int(v>>31&15), int(v>>27&15)
	if len(b) < 2 || v>>35 != 2 || index >= len(aacRates) || order >= len(aacChannels) || order == 0 || v>>24&7 != 0 {
		return 0, 0, false
	}
	if len(b) > 2 && v&0xffffff != 0x56e500 {
		return 0, 0, false
	}
	return aacRates[index], aacChannels[order], true
}

// descriptor is the body of the descriptor that b begins with, if it has a tag.
func descriptor(b []byte, tag byte) ([]byte, bool) {
	if len(b) < 2 || b[0] != tag {
		return nil, false
	}
	size, at := 0, 1
	for ; at < min(len(b), 5); at++ {
		size = size<<7 | int(b[at]&0x7f)
		if b[at]&0x80 == 0 {
			break
		}
	}
	if at++; at > len(b) || size > len(b)-at {
		return nil, false
	}
	return b[at : at+size], true
}

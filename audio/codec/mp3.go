package codec

import "encoding/binary"

// This is a decoder of MPEG-1, MPEG-2 and MPEG-2.5 Layer III by ISO/IEC 11172-3 and 13818-3;
// docs/design/0116 says why it is our own. It computes in float64 with the same bits on every machine.
// Free bit rates and other layers are not read.
//
// A frame is a header of 4 bytes, maybe a checksum, side information and main data, which may begin in
// earlier frames (the bit reservoir). It holds one granule of 576 samples a channel, in MPEG-1 two. A
// granule goes this way:
//
//	bits ── scale factors, Huffman codes ──▶ 576 integers       readScales, readValues
//	integers ── v^(4/3) × a factor for each band ──▶ lines      requantise
//	lines ── sum and difference, directions ──▶ two channels    stereo
//	lines ── butterflies against aliasing, IMDCT, overlap ──▶ 18 samples in each of 32 subbands    hybrid
//	subbands ── polyphase synthesis ──▶ 576 samples             synthesise

// An mp3Header is the header of a frame.
type mp3Header struct {
	version   int // 0: MPEG-1, 1: MPEG-2, 2: MPEG-2.5
	protected bool
	row       int // of mp3Bands
	rate      int
	channels  int
	size      int  // of the frame in bytes
	ms        bool // two channels as sum and difference
	intensity bool // upper bands as one channel with directions
}

// mp3Delay is what the decoder's filters delay every sample by, in samples: 528 of them and one by the
// convention of LAME. The delay that an encoder notes is its own, without this.
const mp3Delay = 529

// mp3Search is how far the first frame is looked for if something else stands there: pictures in tags
// are longer, but their tags say how long they are.
const mp3Search = 64 << 10

// mp3Start is where the first two frames stand that follow each other, 0 for nowhere. A single header has
// so few fixed bits that it turns up in other data by chance.
func mp3Start(b []byte) int {
	for at := range b {
		h, why := readMP3Header(b[at:])
		if why != "" || h.size > len(b)-at {
			continue
		}
		if next, why := readMP3Header(b[at+h.size:]); why == "" && next.like(h) {
			return at
		}
	}
	return 0
}

// like reports whether two frames may be of one stream. The bit rate and the way of coding two channels may
// change from frame to frame. No two versions have a rate in common.
func (h mp3Header) like(other mp3Header) bool {
	return h.rate == other.rate && h.channels == other.channels
}

// An mp3File is what the walk over all headers finds before anything is decoded.
type mp3File struct {
	first   mp3Header
	frames  []int // their offsets; an info frame is none of them
	claimed int64 // how many the info frame says there are; -1: nothing says it
	delay   int64 // that the encoder noted, and samples that it filled up with at the end
	fill    int64
	noted   bool
}

// decodeMP3 decodes a whole file. Its frames are found first, all of them, so that a gap is an error
// before anything is decoded.
func decodeMP3(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	f, from, to, err := mp3Walk(file, l)
	if err != nil {
		return nil, Info{}, err
	}
	h := f.first
	out := output{title: "MP3", pcm: dst, keep: keep, rate: h.rate, l: l}
	d := newMP3Decoder(h)
	if d.pick, err = l.pick("MP3", h.channels); err != nil {
		return nil, Info{}, err
	}
	for n, at := range f.frames {
		pcm, err := out.room(h.samples())
		if err != nil {
			return nil, Info{}, err
		}
		if why := d.readFrame(file[at:], pcm); why != "" {
			return nil, Info{}, Errorf(ErrCorrupt, "MP3 frame %s at byte %s: %s", commas(int64(n)), commas(int64(at)), why)
		}
	}
	pcm := out.pcm
	if keep {
		pcm = pcm[:copy(pcm, pcm[from:to])]
	}
	return pcm, f.info(from, to), nil
}

// claimMP3 is what the headers of all frames say.
func claimMP3(file []byte, l Limits) (Info, error) {
	f, from, to, err := mp3Walk(file, l)
	if err != nil {
		return Info{}, err
	}
	return f.info(from, to), nil
}

// mp3Walk finds a file's frames, and which of their samples are the recording: from from, before to.
func mp3Walk(file []byte, l Limits) (f *mp3File, from, to int64, err error) {
	if f, err = readMP3(file); err != nil {
		return nil, 0, 0, err
	}
	whole := f.samples()
	from, to = 0, whole
	// Every sample comes out mp3Delay later than the encoder put it in, the last ones too.
	if f.noted {
		from = f.delay + mp3Delay
		to = min(whole, whole-f.fill+mp3Delay)
	}
	if from >= to {
		return nil, 0, 0, Errorf(ErrEmpty, "MP3 file has no samples")
	}
	return f, from, to, l.Check("MP3", whole, f.first.rate) // the whole is decoded, so the whole counts
}

// samples is how many samples per channel all frames give.
func (f *mp3File) samples() int64 { return int64(len(f.frames)) * int64(f.first.samples()) }

// info describes a file of which only the samples from from, before to, are the recording.
func (f *mp3File) info(from, to int64) Info {
	return Info{Format: "mp3", Rate: f.first.rate, Channels: f.first.channels, Samples: to - from, Trimmed: f.samples() - (to - from)}
}

// samples is how many samples per channel a frame gives.
func (h mp3Header) samples() int {
	if h.version == 0 {
		return 1152
	}
	return 576
}

// isMP3 fits the header of a Layer III frame: eleven bits of ones, a version, the layer, a bit rate, a rate.
// Version 1, bit rate 15 and rate 3 are reserved and refused.
func isMP3(b []byte) bool {
	return len(b) >= 4 && b[0] == 0xff && b[1]&0xe6 == 0xe2 && b[1]&0x18 != 0x08 && b[2]&0xf0 != 0xf0 && b[2]&0x0c != 0x0c
}

// readMP3Header reads the header that a frame begins with; the text says what is wrong with it.
func readMP3Header(b []byte) (mp3Header, string) {
	if !isMP3(b) {
		return mp3Header{}, "no frame begins there"
	}
	h := mp3Header{version: [4]int{2, 0, 1, 0}[b[1]>>3&3], protected: b[1]&1 == 0, row: int(b[2] >> 2 & 3), channels: 2}
	h.rate = mp3Bands[h.version][h.row].rate
	kilobits := mp3Rates[min(h.version, 1)][b[2]>>4]
	if kilobits == 0 {
		return h, "free bit rates are not read: convert it to WAV or FLAC"
	}
	h.size = h.samples()/8*1000*kilobits/h.rate + int(b[2]>>1&1) // 11172-3, 2.4.3.1; the last bit is padding by a byte
	switch mode := b[3] >> 6; mode {
	case 1:
		h.ms, h.intensity = b[3]&0x20 != 0, b[3]&0x10 != 0
	case 3:
		h.channels = 1
	}
	return h, ""
}

// sideSize is the size of a frame's side information after header and checksum, in bytes (11172-3,
// 2.4.1.7; 13818-3, 2.4.1.7).
func (h mp3Header) sideSize() int {
	switch {
	case h.version == 0 && h.channels == 2:
		return 32
	case h.version == 0 || h.channels == 2:
		return 17
	}
	return 9
}

// body is where a frame's side information begins.
func (h mp3Header) body() int {
	if h.protected {
		return 6
	}
	return 4
}

// readMP3 walks over the frames. Each has to follow the one before it without a gap, to the end of the
// file or to the tags there. Only an info frame that counts them shows that none is lost where
// something else stands before the first or after the last.
func readMP3(file []byte) (*mp3File, error) {
	f := &mp3File{claimed: -1}
	tags := skipID3(file)
	at := tags
	if !isMP3(file[at:]) {
		at += mp3Start(file[at:min(len(file), at+mp3Search)])
	}
	begin := at
	for n := 0; at < len(file); n++ {
		h, why := readMP3Header(file[at:])
		over := why != "" || h.size > len(file)-at
		if over && f.whole() && mp3Start(file[at:min(len(file), at+mp3Search)]) == 0 || why != "" && n > 0 && isTail(file[at:]) {
			break
		}
		if why != "" {
			return nil, f.noFrame(n, at, h, why)
		}
		if h.size < h.body()+h.sideSize() || h.size > len(file)-at {
			return nil, Errorf(ErrLength, "MP3 frame %s at byte %s has %s bytes, the file holds %s", commas(int64(n)), commas(int64(at)), commas(int64(h.size)), commas(int64(len(file)-at)))
		}
		if n == 0 {
			f.first = h
			if c, ok := f.readInfo(h, file[at:at+h.size]); ok {
				f.claimed = c
				at += h.size
				continue
			}
		}
		if !h.like(f.first) {
			return nil, Errorf(ErrUnsupported, "MP3 frame %s at byte %s has another rate or number of channels than those before: convert it", commas(int64(n)), commas(int64(at)))
		}
		f.frames = append(f.frames, at)
		at += h.size
	}
	switch {
	case f.claimed >= 0 && f.claimed != int64(len(f.frames)):
		return nil, Errorf(ErrLength, "MP3 header says %s frames, the file holds %s", commas(f.claimed), commas(int64(len(f.frames))))
	case len(f.frames) == 0:
		return nil, Errorf(ErrEmpty, "MP3 file has no samples")
	case !f.whole() && !onlyZeros(file[tags:begin]):
		return nil, Errorf(ErrCorrupt, "MP3 file has %s bytes of something else at byte %s, before its first frame, and nothing says that no frame is lost there: %s",
			commas(int64(begin-tags)), commas(int64(tags)), mp3Advice)
	}
	return f, nil
}

// mp3Advice is what to do with a file whose frames stand among other bytes. To copy the frames (-c
// copy) is not enough: what follows the last one is copied too.
const mp3Advice = "listen to it, and convert it with ffmpeg -i IN.mp3 OUT.flac"

// whole reports whether there are as many frames as the info frame counted.
func (f *mp3File) whole() bool { return f.claimed >= 0 && f.claimed == int64(len(f.frames)) }

// noFrame is the rejection of a place where a frame had to begin.
func (f *mp3File) noFrame(n, at int, h mp3Header, why string) error {
	if h.rate != 0 {
		return Errorf(ErrUnsupported, "MP3 frame %s at byte %s: %s", commas(int64(n)), commas(int64(at)), why)
	}
	return Errorf(ErrCorrupt, "MP3 frame %s at byte %s: %s, so the file is damaged or something else follows the recording: %s", commas(int64(n)), commas(int64(at)), why, mp3Advice)
}

// readInfo reads the frame that encoders put first to tell about the file: Xing's, with LAME's delays
// after it, or VBRI. It gives the number of frames, -1 if it is not told.
func (f *mp3File) readInfo(h mp3Header, frame []byte) (int64, bool) {
	be := binary.BigEndian
	if b := frame[min(36, len(frame)):]; len(b) >= 18 && string(b[:4]) == "VBRI" {
		return int64(be.Uint32(b[14:])), true
	}
	b := frame[h.body()+h.sideSize():]
	if len(b) < 8 || string(b[:4]) != "Xing" && string(b[:4]) != "Info" {
		return 0, false
	}
	flags, claimed := be.Uint32(b[4:]), int64(-1)
	b = b[8:]
	for i, size := range [4]int{4, 4, 100, 4} { // frames, bytes, a table to seek by, quality
		if flags>>i&1 == 0 {
			continue
		}
		if len(b) < size {
			return claimed, true
		}
		if i == 0 {
			claimed = int64(be.Uint32(b))
		}
		b = b[size:]
	}
	// LAME's tag: a name of 9 bytes, 12 bytes of settings and gains, then two numbers of 12 bits: the
	// delay that the encoder put before the first sample, and what fills the last frame up.
	if len(b) >= 24 && (string(b[:4]) == "LAME" || string(b[:4]) == "Lavc" || string(b[:4]) == "Lavf") {
		v := be.Uint32(b[20:]) & 0xffffff
		f.noted, f.delay, f.fill = true, int64(v>>12), int64(v&0xfff)
	}
	return claimed, true
}

// An mp3Book is a Huffman code as a table: by the next width bits, the symbol and its length.
type mp3Book struct {
	width uint
	words []uint16 // length, symbol<<5, and a bit each from 13 on: the symbol's lower and upper half are not 0
}

// newMP3Book unfolds a code out of its list: a codeword of n bits fills the 2^(width - n) places whose
// first bits are its own, and as the list is in the order of the codewords, the places fill up from 0.
func newMP3Book(code string) mp3Book {
	var b mp3Book
	for i := 2; i < len(code); i += 3 {
		b.width = max(b.width, uint(code[i]-'`'))
	}
	for i := 0; i < len(code); i += 3 {
		symbol, length := hexDigit(code[i])<<4|hexDigit(code[i+1]), uint(code[i+2]-'`')
		signs := min(symbol&15, 1) | min(symbol>>4, 1)<<1
		for range 1 << (b.width - length) {
			b.words = append(b.words, signs<<13|symbol<<5|uint16(length))
		}
	}
	return b
}

func hexDigit(c byte) uint16 {
	if c >= 'a' {
		return uint16(c-'a') + 10
	}
	return uint16(c - '0')
}

// read reads a symbol: the next width bits are looked up, and as many taken as the codeword has.
func (b *mp3Book) read(r *msbReader) uint8 {
	if r.n < b.width {
		r.fill()
	}
	word := b.words[r.acc>>(64-b.width)]
	n := uint(word & 31)
	if n > r.n {
		r.over, r.n, r.acc = true, 0, 0
		return 0
	}
	r.acc <<= n
	r.n -= n
	return uint8(word >> 5)
}

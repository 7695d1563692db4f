package codec

import (
	"encoding/binary"
	"slices"
)

// This is a decoder of Vorbis I (the specification of Xiph.org, 2015, whose sections the comments name)
// in Ogg; docs/design/0116 says why it is our own. It gives the same bits on every machine. Floors of
// type 0 and more than one stream in a file are not read.
//
// A packet of audio is one block, short or long, of all channels:
//
//	bits ── a curve of straight lines in dB ──▶ the envelope of each channel      floor: points, curve
//	bits ── vectors from codebooks ──▶ the fine structure under it                residue: read
//	pairs ── magnitude and angle ──▶ two channels                                 uncouple
//	spectrum × envelope ── IMDCT, window, overlap with the block before ──▶ samples   overlap

// A vorbisStream is one stream while it is decoded.
type vorbisStream struct {
	ogg      oggReader
	rate     int
	channels int
	pick     int    // see Limits
	sizes    [2]int // of short and long blocks
	setup    *vorbisSetup
	blocks   [2]*imdct
	work     vorbisWork
	out      output
	claim    bool // packets are counted and not decoded

	packets int64 // of audio
	made    int64 // samples of all whole packets so far
	offset  int64 // what the stream's positions add to that; known after the first page
	placed  bool
	skip    int64 // samples to leave out at the beginning
}

// vorbisWork is the memory of one packet.
type vorbisWork struct {
	spectra [][]float32
	parts   [][]float32 // the spectra of one submap
	mute    []bool
	y       [][]int
	silent  []bool
	none    []bool
	classes []uint8
	block   []float64
	tails   [][]float64 // what the block before left for this one
	tail    int         // its length: half of its block, 0 before the first
	sum     []float64   // channels added up
}

// decodeVorbis decodes a whole file. The position that the last page gives ends the recording, so that
// samples that only fill a block up are left out; a position beyond what the packets hold is an error.
func decodeVorbis(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	s := vorbisStream{ogg: oggReader{b: file}}
	if err := s.readHeaders(); err != nil {
		return nil, Info{}, err
	}
	s.out = output{title: "Vorbis", pcm: dst, keep: keep, rate: s.rate, l: l}
	var err error
	if s.pick, err = l.pick("Vorbis", s.channels); err != nil {
		return nil, Info{}, err
	}
	s.prepare()
	end, err := s.readAudio()
	if err != nil {
		return nil, Info{}, err
	}
	pcm := s.out.pcm
	if keep {
		pcm = pcm[:copy(pcm, pcm[s.skip:end])]
	}
	return pcm, s.info(end), nil
}

// claimVorbis is what pages and the sizes of blocks say.
func claimVorbis(file []byte, l Limits) (Info, error) {
	s := vorbisStream{ogg: oggReader{b: file}, claim: true}
	if err := s.readHeaders(); err != nil {
		return Info{}, err
	}
	s.out = output{title: "Vorbis", rate: s.rate, l: l}
	end, err := s.readAudio()
	return s.info(end), err
}

// info describes a file whose last sample is the one before end.
func (s *vorbisStream) info(end int64) Info {
	return Info{Format: "vorbis", Rate: s.rate, Channels: s.channels, Samples: end - s.skip}
}

// readAudio reads the packets of audio, and what the file has after them. end is where the recording ends.
func (s *vorbisStream) readAudio() (end int64, err error) {
	for {
		p, err := s.ogg.next()
		if err != nil {
			return 0, err
		}
		if p.data == nil {
			break
		}
		if len(p.data) > 0 {
			if err := s.readPacket(p.data); err != nil {
				return 0, err
			}
		}
		if p.granule >= 0 {
			s.place(p)
			end = p.granule - s.offset
		}
	}
	if err := s.ogg.rest("Vorbis"); err != nil {
		return 0, err
	}
	switch {
	case end > s.made:
		return 0, Errorf(ErrLength, "Vorbis stream ends at sample %s, its packets hold %s", commas(end), commas(s.made))
	case end <= s.skip:
		return 0, Errorf(ErrEmpty, "Vorbis file has no samples")
	}
	return end, nil
}

// readHeaders reads the three headers (4.2): identification, comments, setup. Of the comments nothing is
// read but that they are there, so that what they claim costs no memory.
func (s *vorbisStream) readHeaders() error {
	var setup []byte
	for i := range 3 {
		p, err := s.ogg.next()
		if err != nil {
			return err
		}
		if len(p.data) < 7 || p.data[0] != byte(2*i+1) || string(p.data[1:7]) != "vorbis" {
			return Errorf(ErrHeader, "Vorbis header %d of 3 is not there", i+1)
		}
		if i == 0 {
			if err := s.readIdentification(p.data[7:]); err != nil {
				return err
			}
		}
		setup = p.data[7:]
	}
	var why string
	if s.setup, why = sharedVorbisSetup(setup, s.channels); why != "" {
		return Errorf(ErrHeader, "Vorbis setup: %s", why)
	}
	return nil
}

// readIdentification reads the first header (4.2.2): version, channels, rate, three bit rates that
// nothing needs, the logarithms of the two block sizes in four bits each, a set bit.
func (s *vorbisStream) readIdentification(b []byte) error {
	if len(b) < 23 || binary.LittleEndian.Uint32(b) != 0 || b[22]&1 == 0 {
		return Errorf(ErrHeader, "Vorbis header is of another version than I, or cut")
	}
	s.channels, s.rate = int(b[4]), int(binary.LittleEndian.Uint32(b[5:]))
	s.sizes = [2]int{1 << (b[21] & 15), 1 << (b[21] >> 4)}
	switch {
	case s.channels < 1 || s.channels > MaxChannels:
		return Errorf(ErrHeader, "Vorbis header says %d channels; 1 to %d are read", s.channels, MaxChannels)
	case s.sizes[0] < 64 || s.sizes[1] < s.sizes[0] || s.sizes[1] > 8192:
		return Errorf(ErrHeader, "Vorbis header says blocks of %d and %d samples", s.sizes[0], s.sizes[1])
	}
	return checkRate("Vorbis", s.rate)
}

// prepare makes the tables and takes the memory of a stream, which MaxChannels and blocks of at most 8,192
// samples bound. Only the classes of residues, whose number the setup decides, are taken while it is read.
func (s *vorbisStream) prepare() {
	for i, n := range s.sizes {
		s.blocks[i] = newIMDCT(n)
	}
	w := &s.work
	w.block, w.sum = make([]float64, s.sizes[1]), make([]float64, s.sizes[1])
	w.silent, w.none, w.mute = make([]bool, s.channels), make([]bool, s.channels), make([]bool, s.channels)
	for range s.channels {
		w.spectra = append(w.spectra, make([]float32, s.sizes[1]/2))
		w.tails = append(w.tails, make([]float64, s.sizes[1]/2))
		w.y = append(w.y, make([]int, 65))
	}
	w.parts = make([][]float32, 0, s.channels)
}

// readPacket decodes an audio packet (4.3) and gives out what it completes.
func (s *vorbisStream) readPacket(data []byte) error {
	r := &lsbReader{b: data}
	bad := func(why string) error {
		return Errorf(ErrCorrupt, "Vorbis packet %s in the page at byte %s: %s", commas(s.packets), commas(int64(s.ogg.pageAt)), why)
	}
	if r.flag() {
		return bad("it is not audio")
	}
	number := int(r.take(s.setup.modeBits))
	if number >= len(s.setup.modes) {
		return bad("its mode is not in the header")
	}
	mode := s.setup.modes[number]
	// A long block says what its neighbours are, a short one has short slopes on both sides (4.3.1).
	size, before, after := 0, 0, 0
	if mode.long {
		size, before, after = 1, int(r.take(1)), int(r.take(1))
	}
	if r.over {
		return bad("it ends early")
	}
	if !s.claim {
		s.readSpectra(r, &s.setup.mappings[mode.mapping], s.sizes[size]/2)
	}
	dst, err := s.roomFor(s.sizes[size])
	if err != nil {
		return err
	}
	if s.claim {
		s.work.tail = s.sizes[size] / 2
	} else if !s.overlap(dst, size, before, after) {
		return bad("it gives samples that are not numbers")
	}
	s.packets++
	return nil
}

// roomFor is the place of the samples that a block of n completes: from the middle of the block before
// to its own, a quarter of either block (4.3.8). The first block completes none.
func (s *vorbisStream) roomFor(n int) ([]float32, error) {
	if s.packets == 0 {
		return nil, nil
	}
	ready := s.work.tail/2 + n/4
	dst, err := s.out.room(ready)
	s.made = s.out.n
	return dst, err
}

// readSpectra reads floors and residues of all channels, of n values each.
func (s *vorbisStream) readSpectra(r *lsbReader, m *vorbisMapping, n int) {
	w := &s.work
	for ch := range w.spectra {
		w.spectra[ch] = w.spectra[ch][:n]
		clear(w.spectra[ch])
		w.silent[ch] = !s.setup.floors[m.floors[m.of[ch]]].points(r, s.setup.books, w.y[ch])
	}
	// 4.3.3: of a pair both are decoded if one of them is. silent stays as it was read, since the floor
	// of a silent channel is not applied.
	copy(w.mute, w.silent)
	for _, pair := range m.pairs {
		if !w.mute[pair[0]] || !w.mute[pair[1]] {
			w.mute[pair[0]], w.mute[pair[1]] = false, false
		}
	}
	var mute [MaxChannels]bool
	for submap, residue := range m.residues {
		w.parts = w.parts[:0]
		for ch, of := range m.of {
			if of == submap {
				mute[len(w.parts)] = w.mute[ch]
				w.parts = append(w.parts, w.spectra[ch])
			}
		}
		if len(w.parts) > 0 {
			s.setup.residues[residue].read(r, s.setup.books, w.parts, mute[:len(w.parts)], w)
		}
	}
	// 4.3.5: pairs are taken apart in the opposite order.
	for _, pair := range slices.Backward(m.pairs) {
		uncouple(w.spectra[pair[0]], w.spectra[pair[1]])
	}
	for ch, spectrum := range w.spectra {
		if w.silent[ch] {
			clear(spectrum)
			continue
		}
		s.setup.floors[m.floors[m.of[ch]]].curve(w.y[ch], spectrum)
	}
}

// overlap transforms the spectra, adds each block's rising half to what the block before left, and
// writes the mean of the channels. It is false if a sample is not a number, which a header with absurd
// factors can bring about.
func (s *vorbisStream) overlap(dst []float32, size, before, after int) bool {
	w := &s.work
	n := s.sizes[size]
	sum := w.sum[:w.tail/2+n/4]
	clear(sum)
	// Only between two long blocks is the slope long: size is 1 for a long block, before and after
	// are 1 for long neighbours.
	rising, falling := s.blocks[before&size].slope, s.blocks[after&size].slope
	for ch, spectrum := range w.spectra {
		if s.pick > 0 && ch+1 != s.pick {
			continue // nobody hears it
		}
		tail := w.tails[ch]
		if isZero(spectrum) { // a packet of a few bytes should cost no more than it says
			addTo(sum, tail[:min(w.tail, len(sum))])
			clear(tail[:n/2])
			continue
		}
		t := s.blocks[size]
		t.transformHalf(spectrum)
		t.lap(sum, tail[:w.tail], w.block[:n], rising, falling)
	}
	w.tail = n / 2
	if s.pick > 0 {
		return meanOf(dst, sum, 1)
	}
	return meanOf(dst, sum, s.channels)
}

// addTo adds values to the first sums.
func addTo(sum, values []float64) {
	for i, v := range values {
		sum[i] += v
	}
}

// meanOf writes the sums of the channels as samples; false: one is not a number. No dst is as good.
func meanOf(dst []float32, sum []float64, channels int) bool {
	done, ok := meanQuickly(dst, sum, channels)
	for i, v := range sum[done:] {
		if v != v {
			ok = false
		}
		if done+i < len(dst) {
			dst[done+i] = max(-1, min(float32(v/float64(channels)), belowOne))
		}
	}
	return ok
}

// rise applies a rising slope in the middle of half a block: zeros before it, ones after it. Where a
// long block meets a short one, the slope is that of the short one (4.3.1).
func rise(half, slope []float64) {
	flat := (len(half) - len(slope)) / 2
	clear(half[:flat])
	for i, v := range slope {
		half[flat+i] *= v
	}
}

// isZero reports whether a spectrum holds nothing, as after a packet of silence.
func isZero(spectrum []float32) bool {
	for _, v := range spectrum {
		if v != 0 {
			return false
		}
	}
	return true
}

// place takes the position that a page gives for its last packet. The first one tells where the stream
// begins: before its first sample, so that some are left out, or anywhere in a longer recording that it
// was cut from. One page alone can only be cut at its end.
func (s *vorbisStream) place(p oggPacket) {
	if s.placed || s.packets == 0 {
		return
	}
	s.placed = true
	if p.granule >= s.made {
		s.offset = p.granule - s.made
	} else if !p.last {
		s.offset, s.skip = p.granule-s.made, s.made-p.granule
	}
}

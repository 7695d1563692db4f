package codec

import (
	"encoding/binary"
	"io"
	"slices"
)

// AAC in MP4 and raw AAC (ADTS). A file is ours if it says that it is AAC-LC of one or two channels and its first
// block is; others are ffmpeg's.

// mostMoov bounds how much of a file is read to tell whether it is ours: the tables of half an hour take 400 kB.
const mostMoov = 16 << 20

// ownsMP4 reports whether a file's sound is read here.
func ownsMP4(r io.ReadSeeker, size int64) (bool, error) {
	for at := int64(0); ; {
		var head [16]byte
		n := min(size-at, int64(len(head)))
		if n < 8 {
			return false, nil
		}
		if err := readAt(r, at, head[:n]); err != nil {
			return false, err
		}
		length := int64(binary.BigEndian.Uint32(head[:]))
		switch length {
		case 0:
			length = size - at
		case 1:
			length = int64(binary.BigEndian.Uint64(head[8:]))
		}
		if length < 8 || length > size-at {
			return false, nil
		}
		if string(head[4:8]) == "moov" {
			if length > mostMoov {
				return false, nil
			}
			return ownsMoov(r, size, at, length)
		}
		at += length
	}
}

// ownsMoov reads moov and the first frame.
func ownsMoov(r io.ReadSeeker, size, at, length int64) (bool, error) {
	b := make([]byte, length)
	if err := readAt(r, at, b); err != nil {
		return false, err
	}
	t, ok := aacTrack(b)
	if !ok {
		return false, nil
	}
	first := [2]int64{-1, 0}
	t.frames(func(_ int, at, n int64) bool { first = [2]int64{at, n}; return false })
	if first[0] < 0 || first[0] > size || first[1] > min(size-first[0], mostMoov) {
		return true, nil // it is damaged; decoding says where
	}
	frame := make([]byte, first[1])
	if err := readAt(r, first[0], frame); err != nil {
		return false, err
	}
	return t.decoder().readBlock(&msbReader{b: frame}) != aacForeign, nil
}

// aacTrack reads the tables of a file, or of its moov alone; false: they are not of AAC-LC that is read here.
func aacTrack(file []byte) (mp4Track, bool) {
	moov, _ := box(file, "moov")
	t, ok := readMoov(moov)
	return t, ok && t.kind == "mp4a" && t.info.Channels <= 2
}

func (t *mp4Track) decoder() *aacDecoder {
	return newAACDecoder(slices.Index(aacRates, t.info.Rate), t.info.Channels)
}

// decodeMP4 decodes a whole file, the frames of the edit and those before it.
func decodeMP4(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	t, ok := aacTrack(file)
	if !ok {
		return nil, Info{}, errNoClaim
	}
	if err := checkRate("MP4", t.info.Rate); err != nil {
		return nil, Info{}, err
	}
	out := output{title: "MP4", pcm: dst, keep: keep, rate: t.info.Rate, l: l}
	d := t.decoder()
	var fault error
	if d.pick, fault = l.pick("MP4", t.info.Channels); fault != nil {
		return nil, Info{}, fault
	}
	t.frames(func(i int, at, n int64) bool {
		if at > int64(len(file)) || n > int64(len(file))-at {
			fault = longAAC("MP4", i, at, n, int64(len(file)))
			return false
		}
		_, fault = d.give(&out, file[at:at+n], "MP4", i, int(at))
		return fault == nil && out.n < t.to
	})
	switch {
	case fault != nil:
		return nil, Info{}, fault
	case out.n < t.to:
		return nil, Info{}, Errorf(ErrHeader, "MP4 tables do not say where all frames are")
	}
	pcm := out.pcm
	if keep {
		pcm = pcm[:copy(pcm, pcm[t.from:t.to])]
	}
	return pcm, t.info, nil
}

// give decodes a block and puts its samples out; it gives the block's size.
func (d *aacDecoder) give(out *output, block []byte, title string, n, at int) (int, error) {
	dst, err := out.room(aacFrame)
	if err != nil {
		return 0, err
	}
	size, why := d.decode(dst, block)
	switch why {
	case "":
		return size, nil
	case aacForeign:
		return 0, badAAC(ErrForeign, title, n, at, why+", and it is not installed: install it or convert to WAV or FLAC")
	}
	return 0, badAAC(ErrCorrupt, title, n, at, why)
}

func badAAC(kind error, title string, n, at int, why string) error {
	return Errorf(kind, "%s frame %s at byte %s: %s", title, commas(int64(n)), commas(int64(at)), why)
}

// longAAC says that a file ends within a frame, or before it.
func longAAC(title string, n int, at, size, file int64) error {
	return Errorf(ErrLength, "%s frame %s at byte %s has %s bytes, the file holds %s",
		title, commas(int64(n)), commas(at), commas(size), commas(file))
}

// frames hands out where each frame is and its size, by the sizes of all (stsz), how many frames a chunk has
// (stsc), and where each chunk begins (stco or co64), as far as the tables say it and until yield has enough.
func (t *mp4Track) frames(yield func(i int, at, n int64) bool) {
	be := binary.BigEndian
	sizes, a := box(t.tables, "stsz")
	runs, b := box(t.tables, "stsc")
	chunks, c := box(t.tables, "stco")
	width := 4
	if !c {
		chunks, c = box(t.tables, "co64")
		width = 8
	}
	if !a || !b || !c || len(sizes) < 12 || len(runs) < 8 || len(chunks) < 8 {
		return
	}
	same, count := int64(be.Uint32(sizes[4:])), int(be.Uint32(sizes[8:]))
	sizes, runs, chunks = sizes[12:], runs[8:], chunks[8:]
	if same == 0 {
		count = min(count, len(sizes)/4)
	}
	i, each := 0, 0
	for k := 0; k < len(chunks)/width && i < count; k++ {
		for len(runs) >= 12 && int(be.Uint32(runs)) <= k+1 {
			each, runs = int(be.Uint32(runs[4:])), runs[12:]
		}
		at := int64(be.Uint32(chunks[k*width:]))
		if width == 8 {
			at = int64(be.Uint64(chunks[k*width:]) & (1<<62 - 1))
		}
		for end := i + min(each, count-i); i < end; i++ {
			n := same
			if same == 0 {
				n = int64(be.Uint32(sizes[4*i:]))
			}
			if !yield(i, at, n) {
				return
			}
			at += n
		}
	}
}

// An adtsHeader is the header of a frame of raw AAC (ISO/IEC 13818-7, 6.2).
type adtsHeader struct {
	kind           [3]byte // what all frames of a stream have in common
	rate, channels int     // their index, and the configuration of channels
	size, body     int     // of the frame with its header, and of the header
	blocks         int
}

func readADTS(b []byte) (h adtsHeader, ok bool) {
	if !isADTS(b) {
		return h, false
	}
	h.kind = [3]byte{b[1] & 0xfe, b[2] & 0xfd, b[3] & 0xc0} // but the checksum and the private bit
	h.rate, h.channels = int(b[2]>>2&15), int(b[2]&1)<<2|int(b[3]>>6)
	h.size, h.blocks, h.body = int(b[3]&3)<<11|int(b[4])<<3|int(b[5])>>5, 1+int(b[6]&3), 7
	if b[1]&1 == 0 { // a checksum, and where each block begins
		h.body += 2 * h.blocks
	}
	return h, h.size >= h.body && h.rate < len(aacRates)
}

// ours reports whether a stream's frames are read here: AAC-LC; several blocks without checksums between them.
func (h adtsHeader) ours() bool {
	return h.kind[1]>>6 == 1 && (h.channels == 1 || h.channels == 2) && (h.blocks == 1 || h.body == 7)
}

// ownsADTS reports whether a stream is read here. At half the rate that one hears it may hold the other
// half (SBR) and not say it in the header.
func ownsADTS(r io.ReadSeeker, size int64) (bool, error) {
	_, at, err := readHead(r, size)
	if err != nil {
		return false, err
	}
	frame := make([]byte, min(size-at, 1<<13))
	if err := readAt(r, at, frame); err != nil {
		return false, err
	}
	h, ok := readADTS(frame)
	if !ok || !h.ours() || h.size > len(frame) {
		return false, nil
	}
	return newAACDecoder(h.rate, h.channels).readBlock(&msbReader{b: frame[h.body:h.size]}) != aacForeign, nil
}

// decodeADTS decodes a whole file: frames from its first byte to its last, or to the tags there. Nothing tells
// what the encoder put before and after the recording, so that it is left in.
func decodeADTS(dst []float32, file []byte, l Limits, keep bool) ([]float32, Info, error) {
	var out output
	var d *aacDecoder
	info, err := walkADTS(file, func(h adtsHeader, n, at int) error {
		if d == nil {
			if err := checkRate("AAC", aacRates[h.rate]); err != nil {
				return err
			}
			d = newAACDecoder(h.rate, h.channels)
			var err error
			if d.pick, err = l.pick("AAC", h.channels); err != nil {
				return err
			}
			out = output{title: "AAC", pcm: dst, keep: keep, rate: aacRates[h.rate], l: l}
		}
		if !h.ours() {
			return badAAC(ErrUnsupported, "AAC", n, at, "it has several blocks with checksums: convert it")
		}
		block := file[at+h.body : at+h.size]
		for range h.blocks {
			size, err := d.give(&out, block, "AAC", n, at)
			if err != nil {
				return err
			}
			block = block[size:]
		}
		return nil
	})
	return out.pcm, info, err
}

// claimADTS counts the blocks of all frames.
func claimADTS(file []byte, l Limits) (Info, error) {
	info, err := walkADTS(file, func(adtsHeader, int, int) error { return nil })
	if err != nil {
		return Info{}, err
	}
	return info, checkClaim(info, l)
}

// walkADTS hands out all frames, with their number and place.
func walkADTS(file []byte, yield func(h adtsHeader, n, at int) error) (info Info, err error) {
	info.Format = "aac"
	var first adtsHeader
	at := skipID3(file)
	for n := 0; at < len(file); n++ {
		h, ok := readADTS(file[at:])
		switch {
		case !ok && n > 0 && isTail(file[at:]):
			return info, nil
		case !ok:
			return Info{}, badAAC(ErrCorrupt, "AAC", n, at, "no frame begins there")
		case h.size > len(file)-at:
			return Info{}, longAAC("AAC", n, int64(at), int64(h.size), int64(len(file)))
		case n == 0:
			first = h
			info.Rate, info.Channels = aacRates[h.rate], aacChannels[h.channels]
		case h.kind != first.kind:
			return Info{}, badAAC(ErrUnsupported, "AAC", n, at, "it has another rate or number of channels than those before: convert it")
		}
		if err := yield(h, n, at); err != nil {
			return Info{}, err
		}
		info.Samples += aacFrame * int64(h.blocks)
		at += h.size
	}
	if info.Samples == 0 {
		return Info{}, Errorf(ErrEmpty, "AAC file has no samples")
	}
	return info, nil
}

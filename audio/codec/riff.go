package codec

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// chunks is where the chunks that matter lie in a WAV file. A file is "RIFF", a size in 32 bits, "WAVE"
// and chunks: four characters, a size in 32 bits, a body, and a pad byte if the size is odd (Multimedia
// Programming Interface and Data Specifications 1.0). All numbers have their lowest byte first, those of RIFX their highest.
type chunks struct {
	stored
	order   binary.ByteOrder // of all numbers
	format  [40]byte         // the fmt chunk's first bytes; zero from formatN on
	formatN int              // 0: none seen; 16 to 40
	open    bool             // the header leaves dataSize open: it is what the file holds
	fact    int64            // samples as the fact chunk says; 0: it says nothing
	long    longSizes
}

// maxChunks bounds the walk through a file made of empty chunks. Real files hold fewer than 20.
const maxChunks = 4096

// findChunks walks through the chunks of a WAV file of the given size without reading their bodies. It
// walks to the end of the file, so that a header which claims too few samples is noticed too: what
// follows them is then no chunk.
func findChunks(r io.ReadSeeker, size int64) (chunks, error) {
	c := chunks{stored: stored{title: "WAV"}, order: binary.LittleEndian}
	p := peeker{r: r, size: size}
	rf64, err := c.readMagic(&p)
	if err != nil {
		return c, err
	}
	at := int64(12)
	for range maxChunks {
		if size-at < 8 { // a lone pad byte, or less than a chunk's head
			return c, c.check(size)
		}
		head, err := p.peek(at, 8)
		if err != nil {
			return c, err
		}
		id, n := [4]byte(head), int64(c.order.Uint32(head[4:]))
		body := at + 8
		if rf64 && n == unknownSize {
			if n, err = c.long.of(&p, id); err != nil {
				return c, err
			}
		}
		switch {
		case string(id[:]) == "fmt ":
			err = c.readFormat(&p, body, n)
		case string(id[:]) == "fact" && n >= 4 && size-body >= 4:
			if head, err = p.peek(body, 4); err == nil {
				c.fact = int64(c.order.Uint32(head))
			}
		case string(id[:]) == "data":
			n, err = c.setData(&p, body, n)
		// After the samples a chunk may be cut short: it ends the walk and costs no sample.
		case c.data == 0 && n > size-body:
			return c, Errorf(ErrLength, "WAV header says %s bytes for chunk %q, the file holds %s", commas(n), id[:], commas(size-body))
		case c.data != 0 && !isChunkID(id):
			if tail, err := p.isTail(at); tail || err != nil {
				return c, cmp.Or(err, c.check(size))
			}
			return c, Errorf(ErrLength, "WAV header says %s bytes of samples, but %s bytes follow them that are neither a chunk nor a tag nor zeros: if they are samples, write the file anew with ffmpeg -ignore_length 1 -i IN.wav OUT.wav",
				commas(c.dataSize), commas(size-at))
		case rf64 && c.data == 0 && string(id[:]) == "ds64":
			err = c.long.read(&p, body, n)
		}
		if err == nil {
			at, err = p.next(body, n)
		}
		if err != nil {
			return c, err
		}
	}
	return c, Errorf(ErrHeader, "WAV file has more than %s chunks", commas(maxChunks))
}

// readFormat keeps the head of the fmt chunk at body, n bytes long.
func (c *chunks) readFormat(p *peeker, body, n int64) error {
	if c.formatN != 0 {
		return Errorf(ErrHeader, "WAV file has two fmt chunks")
	}
	if n < 16 {
		return Errorf(ErrHeader, "WAV header has a fmt chunk of %d bytes, of 16 at least", n)
	}
	if n > p.size-body {
		return Errorf(ErrLength, "WAV header says %s bytes for chunk \"fmt \", the file holds %s", commas(n), commas(p.size-body))
	}
	c.formatN = int(min(n, int64(len(c.format))))
	b, err := p.peek(body, c.formatN)
	copy(c.format[:], b)
	return err
}

// unknownSize is the size of a chunk that is not known, or stands in the ds64 chunk.
const unknownSize = 0xFFFFFFFF

// isOpen tells the sizes of programs that write to a pipe and cannot go back to tell the length: ffmpeg
// leaves 0xFFFFFFFF, SoX and eSpeak the whole samples of 0x7FFFF000 bytes, arecord 0x7FFFFF00 or 2^31,
// others 0, or 0xFFFFFFFF less what stands before the samples. (Seen in their sources and files. The
// longest frame, 64 channels of 64 bits, has 512 bytes.)
func isOpen(n int64) bool {
	return n == 0 || n > unknownSize-512 && n <= unknownSize || n > 0x7FFFF000-MaxChannels*8 && n <= 0x7FFFF000 || n == 0x7FFFFF00 || n == 1<<31
}

// setData notes the data chunk at body, n bytes long by its header, and returns its length. What
// follows samples of an open length cannot be told from samples, so they go to the end of the file. But
// a length of 0 can be true as well, if chunks follow.
func (c *chunks) setData(p *peeker, body, n int64) (int64, error) {
	rest := p.size - body
	if c.data != 0 {
		return 0, Errorf(ErrHeader, "WAV file has two data chunks")
	}
	if rest == 0 && isOpen(n) {
		return 0, Errorf(ErrEmpty, "WAV file has no samples")
	}
	if n == 0 {
		if empty, err := p.onlyChunks(body, c.order); empty || err != nil {
			return 0, cmp.Or(err, Errorf(ErrEmpty, "WAV header says 0 bytes of samples (%s bytes of other chunks follow it)", commas(rest)))
		}
	}
	if c.open = n == 0 || isOpen(n) && n > rest; c.open {
		n = rest
	}
	if n > rest {
		return 0, Errorf(ErrLength, "WAV header says %s bytes of samples, the file holds %s", commas(n), commas(rest))
	}
	c.data, c.dataSize = body, n
	return n, nil
}

// check says whether the walk to the end of the file found what it needs.
func (c *chunks) check(size int64) error {
	switch {
	case c.formatN == 0:
		return Errorf(ErrHeader, "WAV file of %s bytes has no fmt chunk", commas(size))
	case c.data == 0:
		return Errorf(ErrHeader, "WAV file of %s bytes has no data chunk", commas(size))
	}
	return nil
}

// isChunkID tells chunk names, four printable ASCII characters, from samples.
func isChunkID(id [4]byte) bool {
	for _, b := range id {
		if b < ' ' || b > '~' {
			return false
		}
	}
	return true
}

// A peeker reads a few bytes here and there of a file; one real read serves a usual header.
type peeker struct {
	r    io.ReadSeeker
	size int64
	buf  [64]byte
	at   int64 // offset of buf
	n    int   // valid bytes in buf
}

// peek returns n ≤ 64 bytes from offset at, valid until the next call. The caller has checked that they
// lie within the size.
func (p *peeker) peek(at int64, n int) ([]byte, error) {
	if at < p.at || at+int64(n) > p.at+int64(p.n) {
		p.at, p.n = at, 0
		if _, err := p.r.Seek(at, io.SeekStart); err != nil {
			return nil, fmt.Errorf("header at byte %d: %w", at, err)
		}
		want := int(min(int64(len(p.buf)), p.size-at))
		if _, err := io.ReadFull(p.r, p.buf[:want]); err != nil {
			return nil, fmt.Errorf("header at byte %d: %w", at, err)
		}
		p.n = want
	}
	return p.buf[at-p.at:][:n], nil
}

// isTail reports whether nothing but tags and zeros stands from at to the end of the file.
func (p *peeker) isTail(at int64) (bool, error) {
	if p.size-at > mostTail {
		return false, nil
	}
	b := make([]byte, p.size-at)
	if err := readAt(p.r, at, b); err != nil {
		return false, fmt.Errorf("file from byte %d: %w", at, err)
	}
	return isTail(b), nil
}

// next is where the chunk begins that follows one of n bytes at body. A chunk of odd size is followed
// by a pad byte, which some programs forget. One cut short after the samples ends the walk and costs no
// sample.
func (p *peeker) next(body, n int64) (int64, error) {
	at := body + n
	if n%2 == 0 || at > p.size-4 {
		return at + n%2, nil
	}
	b, err := p.peek(at, 4)
	if err == nil && !slices.Contains([]string{"fmt ", "data", "LIST", "fact", "PEAK", "bext", "cue ", "id3 "}, string(b)) {
		at++
	}
	return at, err
}

// onlyChunks reports whether nothing but whole chunks stands from at to the end of the file.
func (p *peeker) onlyChunks(at int64, order binary.ByteOrder) (bool, error) {
	for range maxChunks {
		if at == p.size {
			return true, nil
		}
		if at > p.size-8 {
			return false, nil
		}
		head, err := p.peek(at, 8)
		if err != nil {
			return false, err
		}
		n := int64(order.Uint32(head[4:]))
		if !isChunkID([4]byte(head)) || n > p.size-at-8 {
			return false, nil
		}
		at = min(at+8+n+n%2, p.size)
	}
	return false, nil
}

// readMagic reads the file's first twelve bytes. rf64: sizes may stand in a chunk ds64.
func (c *chunks) readMagic(p *peeker) (rf64 bool, err error) {
	if p.size < 12 {
		if p.size <= 0 {
			return false, Errorf(ErrNotWAV, "not a WAV file: it is empty")
		}
		return false, Errorf(ErrNotWAV, "not a WAV file: %d bytes are too few for a header", p.size)
	}
	b, err := p.peek(0, 12)
	if err != nil {
		return false, err
	}
	switch string(b[:4]) {
	case "RIFF":
	case "RIFX":
		c.big, c.order = true, binary.BigEndian
	case "RF64", "BW64":
		rf64 = true
	default:
		return false, Errorf(ErrNotWAV, "not a WAV file: it begins with %q", b[:4])
	}
	if string(b[8:12]) != "WAVE" {
		return false, Errorf(ErrNotWAV, "not a WAV file: a RIFF file of type %q", b[8:12])
	}
	return rf64, nil
}

package audio

import (
	"encoding/binary"
	"fmt"
	"io"
)

// chunks is where the two chunks that matter lie in a WAV file.
type chunks struct {
	format   [40]byte // the fmt chunk's first bytes; zero behind formatN
	formatN  int      // 0: none seen; 16 to 40
	data     int64    // offset of the first sample; 0: none seen
	dataSize int64    // bytes of samples, > 0
}

// maxChunks bounds the walk through a file made of empty chunks. Real files hold fewer than 20.
const maxChunks = 4096

// findChunks walks through the chunks of a WAV file of the given size without reading their bodies. It walks to the end of the
// file, so that a header which claims too few samples is noticed too: what follows them is then no chunk.
func findChunks(r io.ReadSeeker, size int64) (chunks, error) {
	var c chunks
	p := peeker{r: r, size: size}
	if err := p.checkMagic(); err != nil {
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
		id, n := [4]byte(head), int64(binary.LittleEndian.Uint32(head[4:]))
		body := at + 8
		switch {
		case string(id[:]) == "fmt ":
			err = c.readFormat(&p, body, n)
		case string(id[:]) == "data":
			err = c.setData(body, n, size)
		case c.data == 0 && n > size-body:
			return c, failf(ErrLength, "WAV header says %s bytes for chunk %q, the file holds %s", commas(n), id[:], commas(size-body))
		case c.data != 0 && !isChunkID(id):
			return c, failf(ErrLength, "WAV header says %s bytes of samples, but %s bytes follow them that are no chunk",
				commas(c.dataSize), commas(size-at))
		}
		if err != nil {
			return c, err
		}
		// A chunk of odd size is followed by a pad byte. One cut short behind the samples ends the walk and costs no sample.
		at = body + n + n&1
	}
	return c, failf(ErrHeader, "WAV file has more than %s chunks", commas(maxChunks))
}

// readFormat keeps the head of the fmt chunk at body, n bytes long.
func (c *chunks) readFormat(p *peeker, body, n int64) error {
	if c.formatN != 0 {
		return failf(ErrHeader, "WAV file has two fmt chunks")
	}
	if n < 16 {
		return failf(ErrHeader, "WAV header has a fmt chunk of %d bytes, of 16 at least", n)
	}
	if n > p.size-body {
		return failf(ErrLength, "WAV header says %s bytes for chunk \"fmt \", the file holds %s", commas(n), commas(p.size-body))
	}
	c.formatN = int(min(n, int64(len(c.format))))
	b, err := p.peek(body, c.formatN)
	copy(c.format[:], b)
	return err
}

// setData notes the data chunk at body, n bytes long by its header.
func (c *chunks) setData(body, n, size int64) error {
	switch rest := size - body; {
	case c.data != 0:
		return failf(ErrHeader, "WAV file has two data chunks")
	case n == 0xFFFFFFFF:
		return failf(ErrLength, "WAV header leaves the number of samples open (written as a stream): write it again to a file")
	case n == 0 && rest > 0:
		return failf(ErrEmpty, "WAV header says 0 bytes of samples (%s bytes follow it)", commas(rest))
	case n == 0:
		return failf(ErrEmpty, "WAV file has no samples")
	case n > rest:
		return failf(ErrLength, "WAV header says %s bytes of samples, the file holds %s", commas(n), commas(rest))
	}
	c.data, c.dataSize = body, n
	return nil
}

// check says whether the walk to the end of the file found what it needs.
func (c *chunks) check(size int64) error {
	switch {
	case c.formatN == 0:
		return failf(ErrHeader, "WAV file of %s bytes has no fmt chunk", commas(size))
	case c.data == 0:
		return failf(ErrHeader, "WAV file of %s bytes has no data chunk", commas(size))
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

// peek returns n ≤ 64 bytes from offset at, valid until the next call. The caller has checked that they lie within the size.
func (p *peeker) peek(at int64, n int) ([]byte, error) {
	if at < p.at || at+int64(n) > p.at+int64(p.n) {
		p.at, p.n = at, 0
		if _, err := p.r.Seek(at, io.SeekStart); err != nil {
			return nil, fmt.Errorf("WAV header at byte %d: %w", at, err)
		}
		want := int(min(int64(len(p.buf)), p.size-at))
		if _, err := io.ReadFull(p.r, p.buf[:want]); err != nil {
			return nil, fmt.Errorf("WAV header at byte %d: %w", at, err)
		}
		p.n = want
	}
	return p.buf[at-p.at:][:n], nil
}

// checkMagic checks the file's first twelve bytes.
func (p *peeker) checkMagic() error {
	if p.size < 12 {
		if p.size <= 0 {
			return failf(ErrNotWAV, "not a WAV file: it is empty")
		}
		return failf(ErrNotWAV, "not a WAV file: %d bytes are too few for a header", p.size)
	}
	b, err := p.peek(0, 12)
	if err != nil {
		return err
	}
	switch string(b[:4]) {
	case "RIFF":
	case "RF64", "BW64", "RIFX":
		return failf(ErrUnsupported, "%s files are not read yet: convert to PCM WAV", b[:4])
	default:
		return failf(ErrNotWAV, "not a WAV file: it begins with %q", b[:4])
	}
	if string(b[8:12]) != "WAVE" {
		return failf(ErrNotWAV, "not a WAV file: a RIFF file of type %q", b[8:12])
	}
	return nil
}

package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// header is what stands in front of a page.
// Both forms of data pages and dictionaries come together here, as PageHeader has
// a structure for each of them.
type header struct {
	kind       int64
	compressed int64
	size       int64 // as it was before it was compressed
	crc        int64 // untold: not told

	values   int64
	encoding int64
	levels   int64 // how they are written
	lists    int64 // how levels of lists are
	nulls    int64 // -1: not told

	second        bool  // a data page of the second form, whose levels stand in front
	rows          int64 // there; -1: not told
	levelBytes    int64 // there
	listBytes     int64
	notCompressed bool

	body int64 // offset in the file
}

// The kinds of pages.
const (
	// Cursor passes over index pages, and over any kind that is not named here.
	pageData   = 0
	pageIndex  = 1
	pageWords  = 2 // the dictionary
	pageSecond = 3
)

// maxPage bounds a page. Writers begin a new one after 1 MB; one of recordings
// may hold a whole group, of which a hundred rows are usual.
// Memory of that size is asked for only when the bytes are there or the codec can
// give as many (unpacker).
const maxPage = 256 << 20

// maxHeader bounds a header: its statistics may hold the least and the greatest value.
const maxHeader = 1 << 20

// readHeader reads the header at a place of a chunk that ends at end. A header
// does not tell its own length: 256 bytes are read first, and eight times as many
// while it ends too early.
// buf is scratch memory, and is given back grown for the next call. The header's
// sizes are held against what is left of the chunk, so the next page begins inside.
func readHeader(r io.ReaderAt, at, end int64, buf []byte) (h header, _ []byte, err error) {
	for n := int64(256); ; n *= 8 {
		n = min(n, end-at, maxHeader)
		buf = slices.Grow(buf[:0], int(n))[:n]
		if _, err := r.ReadAt(buf, at); err != nil {
			return h, buf, err
		}
		c := &compact{b: buf}
		h = header{kind: -1, nulls: -1, rows: -1, crc: untold} // a page without a kind is passed over
		h.read(c)
		if c.err == nil {
			h.body = at + int64(c.at)
			break
		}
		if !errors.Is(c.err, errShort) || n == end-at || n == maxHeader {
			return h, buf, fmt.Errorf("the head of a page is damaged: %w", c.err)
		}
	}
	if h.compressed < 0 || h.compressed > end-h.body || h.size < 0 || h.values < 0 {
		return h, buf, fmt.Errorf("a page of %d bytes where %d are left", h.compressed, end-h.body)
	}
	if h.size > maxPage || h.compressed > maxPage {
		return h, buf, fmt.Errorf("a page of %d bytes; %d are the most: write the file with fewer rows a group", max(h.size, h.compressed), maxPage)
	}
	return h, buf, nil
}

// read reads PageHeader of parquet.thrift; the numbers are those of its fields.
// Whether the form of its fields is that of its kind, Cursor.page checks.
func (h *header) read(c *compact) {
	// A data page of the first form, and a dictionary, which has no more than two.
	first := []*int64{1: &h.values, 2: &h.encoding, 3: &h.levels, 4: &h.lists}
	second := []*int64{1: &h.values, 2: &h.nulls, 3: &h.rows, 4: &h.encoding, 5: &h.levelBytes, 6: &h.listBytes}
	c.numbers(typeStruct, []*int64{1: &h.kind, 2: &h.size, 3: &h.compressed, 4: &h.crc}, func(id int, kind byte) bool {
		switch id {
		case 5:
			c.numbers(kind, first, func(id int, kind byte) bool {
				if id == 5 { // by which Null need not read the page
					h.nulls = readNulls(c, kind)
				}
				return id == 5
			})
		case 7:
			c.numbers(kind, first[:3], nil)
		case 8:
			h.second, h.levels, h.lists = true, encodingRuns, encodingRuns
			c.numbers(kind, second, func(id int, kind byte) bool {
				// is_compressed is true where it is missing, so only a false one counts.
				h.notCompressed = h.notCompressed || id == 7 && kind == typeFalse
				return false
			})
		default:
			return false
		}
		return true
	})
}

// page is the content of a page, decompressed: the levels of the second form,
// which never are compressed, and the rest. Both last until the next page.
// The checksum is of the bytes as they are stored, before decompression
// (parquet.thrift, PageHeader.crc); where the writer left it out nothing is checked.
func (u *unpacker) page(h header, codec int64) (levels, rest []byte, err error) {
	u.raw = slices.Grow(u.raw[:0], int(h.compressed))[:h.compressed]
	if _, err := u.r.ReadAt(u.raw, h.body); err != nil {
		return nil, nil, err
	}
	if h.crc != untold && crc32.ChecksumIEEE(u.raw) != uint32(h.crc) {
		return nil, nil, errors.New("a page is damaged: its checksum does not fit")
	}
	raw := u.raw
	if h.second {
		// Levels of lists stand before definition levels.
		front := h.levelBytes + h.listBytes
		if h.levelBytes < 0 || h.listBytes < 0 || front > int64(len(raw)) || front > h.size {
			return nil, nil, fmt.Errorf("levels of %d bytes in a page of %d", front, len(raw))
		}
		levels, raw = raw[:front], raw[front:]
		h.size -= front
		if h.notCompressed {
			codec = 0
		}
	}
	if rest = raw; codec != 0 {
		rest, err = u.decompress(raw, codec, int(h.size))
	}
	if err == nil && int64(len(rest)) != h.size {
		err = fmt.Errorf("a page of %d bytes that claims %d", len(rest), h.size)
	}
	return levels, rest, err
}

// cutLevels takes levels off the front of a page of the first form, where they
// are compressed with the values and stand after their length in bytes.
// The length is 4 bytes, lowest first. BIT_PACKED, the other way, is deprecated in
// the format and has no length in front.
func cutLevels(encoding int64, page []byte) (levels, values []byte, err error) {
	if encoding != encodingRuns {
		return nil, nil, fmt.Errorf("levels are written as %s, which is not read here", encodings[encoding])
	}
	if len(page) < 4 || int64(binary.LittleEndian.Uint32(page)) > int64(len(page)-4) {
		return nil, nil, errors.New("levels are longer than their page")
	}
	n := 4 + int(binary.LittleEndian.Uint32(page))
	return page[4:n], page[n:], nil
}

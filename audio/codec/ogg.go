package codec

import (
	"bytes"
	"encoding/binary"
)

// An oggReader takes the packets of the one logical stream of an Ogg file (RFC 3533). A page (6) has a
// header of 27 bytes, a table of lacing values and a body. A packet is cut into pieces of 255 bytes;
// the table has their lengths, and a value below 255 ends the packet. So a packet of n · 255 bytes ends
// with a value of 0, and one may go on in the next page.
//
// Every page's checksum and number are checked; two streams in one file are not read.
type oggReader struct {
	b      []byte
	at     int // the next page
	serial uint32
	page   int64 // number of the page in hand, from 0
	pageAt int   // its offset
	last   bool  // it ends the stream
	lacing []byte
	body   []byte
	packet []byte // of a packet over several pages
}

// An oggPacket lies in the file, or in the reader's memory until the next call.
type oggPacket struct {
	data []byte
	// granule is the position that the page gives for the last packet that ends on it; -1 for the
	// packets before it.
	granule int64
	last    bool // of the stream
}

// next returns the next packet; nil data at the end of the stream.
func (o *oggReader) next() (oggPacket, error) {
	o.packet = o.packet[:0]
	whole := true // it lies in one page
	for {
		n := 0
		for i, v := range o.lacing {
			n += int(v)
			if v == 255 {
				continue
			}
			data := o.body[:n:n]
			o.body, o.lacing = o.body[n:], o.lacing[i+1:]
			if !whole {
				o.packet = append(o.packet, data...)
				data = o.packet
			}
			return o.finish(data), nil
		}
		if len(o.lacing) > 0 {
			o.packet = append(o.packet, o.body...)
			whole = false
		}
		if o.last {
			if !whole {
				return oggPacket{}, Errorf(ErrLength, "Ogg page %s at byte %s: the last packet does not end", commas(o.page), commas(int64(o.pageAt)))
			}
			return oggPacket{}, nil
		}
		if err := o.readPage(!whole); err != nil {
			return oggPacket{}, err
		}
	}
}

// rest is what is wrong with the bytes after the page that ends the stream; title names the format.
func (o *oggReader) rest(title string) error {
	switch rest := o.b[o.at:]; {
	case begins(0, "OggS")(rest):
		return Errorf(ErrUnsupported, "%s file has another stream at byte %s; only files with one stream are read", title, commas(int64(o.at)))
	case !isTail(rest):
		return Errorf(ErrCorrupt, "%s stream is followed by %s bytes that are not a page", title, commas(int64(len(rest))))
	}
	return nil
}

// finish gives a packet the position of its page, if it is the last that ends there.
func (o *oggReader) finish(data []byte) oggPacket {
	for _, v := range o.lacing {
		if v < 255 {
			return oggPacket{data: data, granule: -1}
		}
	}
	return oggPacket{data: data, granule: int64(binary.LittleEndian.Uint64(o.b[o.pageAt+6:])), last: o.last}
}

// oggSearch is how far a page is looked for, which has at most 65,307 bytes.
const oggSearch = 64 << 10

// readPage reads the next page, which goes on with a packet or not. Its header (RFC 3533, 6): "OggS",
// the version 0, flags (1: a packet goes on, 2: the stream begins, 4: it ends), 8 bytes of the granule
// position, 4 each of the stream's serial number, the page's number and the checksum, and the number of
// lacing values.
func (o *oggReader) readPage(continued bool) error {
	first := o.at == 0
	if first {
		o.at, o.page = skipID3(o.b), -1
	}
	o.page++
	// Bytes of a broken tagger between pages cost nothing: the numbers of the pages and their checksums
	// show that.
	if b := o.b[o.at:]; !first && len(b) > 4 && string(b[:4]) != "OggS" {
		o.at += max(0, bytes.Index(b[:min(len(b), oggSearch)], []byte("OggS\x00")))
	}
	b := o.b[o.at:]
	fail := func(kind error, format string, args ...any) error {
		return Errorf(kind, "Ogg page %s at byte %s: %v", commas(o.page), commas(int64(o.at)), Errorf(kind, format, args...))
	}
	if len(b) < 27 {
		return fail(ErrLength, "the file ends before the page that ends the stream")
	}
	if string(b[:4]) != "OggS" || b[4] != 0 {
		return fail(ErrCorrupt, "no page begins there (%x)", b[:5])
	}
	flags, segments := b[5], int(b[26])
	if len(b) < 27+segments {
		return fail(ErrLength, "the file ends within it")
	}
	size := 27 + segments
	for _, v := range b[27:size] {
		size += int(v)
	}
	if len(b) < size {
		return fail(ErrLength, "the file ends within it")
	}
	if got, want := oggCRC(b[:size]), binary.LittleEndian.Uint32(b[22:]); got != want {
		return fail(ErrCorrupt, "checksum %08x, %08x was stored", got, want)
	}
	serial, number := binary.LittleEndian.Uint32(b[14:]), binary.LittleEndian.Uint32(b[18:])
	switch {
	case first != (flags&2 != 0) || !first && serial != o.serial:
		return fail(ErrUnsupported, "the file has more than one stream; only files with one stream are read")
	case first:
		o.serial = serial
	case number != uint32(o.page):
		return fail(ErrCorrupt, "it has the number %s", commas(int64(number)))
	}
	if (flags&1 != 0) != continued {
		return fail(ErrCorrupt, "a packet is cut between it and the page before")
	}
	o.pageAt, o.last = o.at, flags&4 != 0
	o.lacing, o.body = b[27:27+segments], b[27+segments:size]
	o.at += size
	return nil
}

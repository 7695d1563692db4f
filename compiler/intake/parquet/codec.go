package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// The codecs (CompressionCodec of parquet.thrift).
const (
	codecNone      = 0
	codecSnappy    = 1
	codecGzip      = 2
	codecLZO       = 3
	codecBrotli    = 4
	codecHadoopLZ4 = 5
	codecZstd      = 6
	codecLZ4       = 7
)

// unpacker takes pages out of the file. Its buffers are used again.
// raw is the page as it is stored, out what became of it. A caller that keeps parts
// of them longer than a page takes the buffers away (Cursor.readWords).
type unpacker struct {
	r    io.ReaderAt
	raw  []byte
	out  []byte
	zstd *zstd.Decoder
}

// The zstd decoder holds memory until it is closed, and is made when the first page needs it.
func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// ratios are more than the codecs can reach, snappy by copies of 64 bytes in 3,
// gzip by 258 in 2 bits, LZ4 by 255 in one, so that no memory is taken for what
// cannot come. Brotli and zstd have no such bound.
var ratios = map[int64]int{codecSnappy: 32, codecGzip: 1100, codecHadoopLZ4: 256, codecLZ4: 256}

// decompress gives size bytes.
// The result lies in out. size is the header's claim: a codec that gives another
// number is an error here or in page.
func (u *unpacker) decompress(raw []byte, codec int64, size int) ([]byte, error) {
	if size == 0 { // a page of nothing but nulls: by one writer no byte, by another an empty frame
		return nil, nil
	}
	if most, ok := ratios[codec]; ok && size > most*(len(raw)+16) {
		return nil, fmt.Errorf("a page of %d bytes that claims %d when decompressed", len(raw), size)
	}
	switch codec {
	case codecSnappy:
		if n, err := snappy.DecodedLen(raw); err != nil || n != size {
			return nil, fmt.Errorf("a page of %d bytes that claims %d", n, size)
		}
		return snappy.Decode(u.room(size), raw)
	case codecGzip:
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		return u.readAll(z, size)
	case codecBrotli:
		return u.readAll(brotli.NewReader(bytes.NewReader(raw)), size)
	case codecZstd:
		if u.zstd == nil {
			var err error
			if u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxPage)); err != nil {
				return nil, err
			}
		}
		u.out = slices.Grow(u.out[:0], min(size, 64*len(raw)))
		return u.zstd.DecodeAll(raw, u.out)
	case codecLZ4:
		return lz4Block(raw, u.room(size))
	case codecHadoopLZ4:
		return hadoopLZ4(raw, u.room(size))
	case codecLZO:
		return nil, errors.New("it is compressed with LZO, which is not read here; write it with snappy, zstd or gzip")
	}
	return nil, fmt.Errorf("unknown compression codec %d", codec)
}

// room is the output's buffer with size bytes.
func (u *unpacker) room(size int) []byte {
	u.out = slices.Grow(u.out[:0], size)[:size]
	return u.out
}

// readAll reads size bytes and finds the end there. Memory grows with what comes.
// The buffer at most doubles at a time, so a page that claims 256 MiB and holds
// nothing costs 64 KiB.
func (u *unpacker) readAll(r io.Reader, size int) ([]byte, error) {
	u.out = u.out[:0]
	for len(u.out) < size {
		n := len(u.out)
		u.out = slices.Grow(u.out, min(size-n, max(n, 64<<10)))
		u.out = u.out[:min(size, cap(u.out))]
		if _, err := io.ReadFull(r, u.out[n:]); err != nil {
			return nil, err
		}
	}
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return nil, fmt.Errorf("a page of more than the %d bytes that it claims (%v)", size, err)
	}
	return u.out, nil
}

// lz4Block fills dst with a block.
// The library does not write outside dst; what does not fit is its error.
func lz4Block(raw, dst []byte) ([]byte, error) {
	n, err := lz4.UncompressBlock(raw, dst)
	return dst[:max(n, 0)], err
}

// hadoopLZ4 fills dst with blocks, each after its two lengths, as Hadoop writes
// them; a page of the same codec without lengths is one block, as the first
// parquet-cpp wrote it.
// Hadoop's lengths are 4 bytes each, highest first: unpacked, then packed. Which of
// the two a page is, only trying tells.
func hadoopLZ4(raw, dst []byte) ([]byte, error) {
	rest, done := raw, 0
	for len(rest) >= 8 && done < len(dst) {
		size, packed := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		if packed > int64(len(rest)-8) || size > int64(len(dst)-done) {
			break
		}
		b, err := lz4Block(rest[8:8+packed], dst[done:done+int(size)])
		if err != nil || int64(len(b)) != size {
			break
		}
		rest, done = rest[8+packed:], done+int(size)
	}
	if len(rest) == 0 && done == len(dst) {
		return dst, nil
	}
	return lz4Block(raw, dst)
}

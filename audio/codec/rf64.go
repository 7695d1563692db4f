package codec

import "encoding/binary"

// longSizes are the sizes of more than 32 bits in the ds64 chunk of an RF64 or BW64 file (EBU Tech
// 3306, 3; ITU-R BS.2088, 2).
type longSizes struct {
	seen  bool
	data  uint64 // of the data chunk
	table int64  // offset of the list of other chunks
	n     int64  // their number
}

// longEntry is the size of a list entry: a chunk's name and its size in 64 bits.
const longEntry = 12

// read reads the ds64 chunk at body, n bytes long: three sizes (of the file, of the samples, their
// number), then the list.
func (l *longSizes) read(p *peeker, body, n int64) error {
	if l.seen {
		return Errorf(ErrHeader, "WAV file has two ds64 chunks")
	}
	if n < 28 {
		return Errorf(ErrHeader, "WAV header has a ds64 chunk of %d bytes, of 28 at least", n)
	}
	b, err := p.peek(body, 28)
	if err != nil {
		return err
	}
	*l = longSizes{seen: true, data: binary.LittleEndian.Uint64(b[8:]), table: body + 28, n: int64(binary.LittleEndian.Uint32(b[24:]))}
	if l.n > maxChunks || l.n*longEntry > n-28 {
		return Errorf(ErrHeader, "WAV header lists %s long chunks in %d bytes of ds64", commas(l.n), n)
	}
	return nil
}

// of is the size of a chunk whose own head does not tell it. The data chunk has a field of its own; others
// stand in the list. All bits set mean here too that the size was never filled in.
func (l *longSizes) of(p *peeker, id [4]byte) (int64, error) {
	if !l.seen {
		return 0, Errorf(ErrHeader, "WAV header says that the size of chunk %q stands in ds64, and there is none", id[:])
	}
	size, found := l.data, string(id[:]) == "data"
	for i := int64(0); i < l.n && !found; i++ {
		b, err := p.peek(l.table+i*longEntry, longEntry)
		if err != nil {
			return 0, err
		}
		size, found = binary.LittleEndian.Uint64(b[4:]), string(b[:4]) == string(id[:])
	}
	switch {
	case !found:
		return 0, Errorf(ErrHeader, "WAV header says that the size of chunk %q stands in ds64, and it does not", id[:])
	case size == 1<<64-1:
		return unknownSize, nil
	case size > 1<<62:
		return 0, Errorf(ErrLength, "WAV header says %d bytes for chunk %q, the file holds %s", size, id[:], commas(p.size))
	}
	return int64(size), nil
}

package store

import (
	"encoding/binary"
	"fmt"
)

// Extent is a stretch of a block that is stored whole.
type Extent struct {
	Block     Digest
	From, Len int64
}

// extentLen is the size of an extent in an entry of KindExtents.
const extentLen = len(Digest{}) + 8 + 8

// EncodeExtents is the value of a KindExtents entry, without its sum, which the store adds. Extents that
// continue each other become one.
func EncodeExtents(list []Extent) []byte {
	var joined []Extent
	for _, e := range list {
		if n := len(joined); n > 0 && joined[n-1].Block == e.Block && joined[n-1].From+joined[n-1].Len == e.From {
			joined[n-1].Len += e.Len
			continue
		}
		joined = append(joined, e)
	}
	b := make([]byte, 0, len(joined)*extentLen)
	for _, e := range joined {
		b = append(b, e.Block[:]...)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.From))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.Len))
	}
	return b
}

// decodeExtents reads a value with its sum; nil where it is damaged. Together they are no longer than a value
// may be.
func decodeExtents(value []byte) []Extent {
	b, ok := checkTrailer(value)
	if !ok || len(b) == 0 || len(b)%extentLen != 0 {
		return nil
	}
	list := make([]Extent, len(b)/extentLen)
	total := uint64(0)
	for i := range list {
		at := b[i*extentLen:]
		from, n := binary.LittleEndian.Uint64(at[32:]), binary.LittleEndian.Uint64(at[40:])
		if total += n; n == 0 || n > valueLogSize || from > valueLogSize || total > valueLogSize {
			return nil
		}
		list[i] = Extent{Digest(at[:32]), int64(from), int64(n)}
	}
	return list
}

// extents are what the pack has of KindExtents, read at the first call: a sealed pack does not change, and few blocks
// are stored so. Damaged entries are left out; Verify tells of them.
func (p *pack) extents() map[Digest][]Extent {
	eng, err := p.engine()
	if err != nil {
		return nil
	}
	p.readExtents.Do(func() {
		_ = eng.scan([]byte{byte(KindExtents)}, true, func(key, value []byte, _ int64) error {
			list := decodeExtents(value)
			if list == nil || foreign(key) {
				return nil
			}
			if p.gathered == nil {
				p.gathered = map[Digest][]Extent{}
			}
			p.gathered[Digest(key[1:])] = list
			return nil
		})
	})
	return p.gathered
}

// Extents is where the bytes of a block lie that is not stored whole: the first list of them of which all blocks are
// there, else any; nil for a block that no list is of.
func (s *Store) Extents(block Digest) []Extent {
	packs, own := s.hands()
	var lists [][]Extent
	if own != nil {
		key := entryKey(KindExtents, block)
		if v, err := own.value(key[:], false); err == nil {
			lists = append(lists, decodeExtents(v))
		}
	}
	for _, p := range packs {
		lists = append(lists, p.extents()[block])
	}
	var first []Extent
	for _, list := range lists {
		if s.hasAll(list) {
			return list
		}
		if first == nil {
			first = list
		}
	}
	return first
}

// hasAll reports whether all blocks of a list are there, and there is a list.
func (s *Store) hasAll(list []Extent) bool {
	for _, e := range list {
		key := entryKey(KindBlock, e.Block)
		if !s.hasKey(key[:]) {
			return false
		}
	}
	return len(list) > 0
}

// Locate is where a stretch of a block lies.
func (s *Store) Locate(block Digest, from, n int64) (Extent, error) {
	key := entryKey(KindBlock, block)
	if s.hasKey(key[:]) {
		return Extent{block, from, n}, nil
	}
	at := int64(0)
	for _, e := range s.Extents(block) {
		if from >= at && from+n <= at+e.Len {
			return Extent{e.Block, e.From + from - at, n}, nil
		}
		at += e.Len
	}
	return Extent{}, fmt.Errorf("%s: bytes %d to %d are in no one place: %w", keyText(key[:]), from, from+n, ErrNotFound)
}

// extent is the bytes of an extent, mapped where they can be.
func (s *Store) extent(e Extent) ([]byte, error) {
	key := entryKey(KindBlock, e.Block)
	v, err := s.search(key[:], true, false)
	if err == nil && e.From+e.Len > int64(len(v)) {
		err = fmt.Errorf("%s: bytes to %d of %d: %w", keyText(key[:]), e.From+e.Len, len(v), ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	return v[e.From : e.From+e.Len : e.From+e.Len], nil
}

// gather is a copy of a block that is stored as extents.
func (s *Store) gather(block Digest, check bool) ([]byte, error) {
	list := s.Extents(block)
	if list == nil {
		return nil, ErrNotFound
	}
	var out []byte
	for _, e := range list {
		err := Shielded(func() error {
			b, err := s.extent(e)
			out = append(out, b...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("extent of block %s: %w", block.Short(), err)
		}
	}
	if check && Sum(out) != block {
		return nil, fmt.Errorf("block %s: its extents are not the bytes that were stored; see voxpack verify --full: %w", block.Short(), ErrDamaged)
	}
	return out, nil
}

// BlockSize is the length of a block.
func (s *Store) BlockSize(block Digest) (int, error) {
	v, err := s.find(KindBlock, block, true, false, wholeOnly)
	if err == nil {
		return len(v), nil
	}
	list := s.Extents(block)
	if !s.hasAll(list) {
		return 0, err
	}
	n := 0
	for _, e := range list {
		n += int(e.Len)
	}
	return n, nil
}

// Samples are the samples of a block, where they lie.
type Samples struct {
	size  int
	whole []byte   // all of them, one after the other
	each  [][]byte // where they are not stored so
}

// WholeSamples are the samples of a block that lies in one piece.
func WholeSamples(block []byte, size int) Samples { return Samples{size: size, whole: block} }

// Row is a sample.
func (s *Samples) Row(i int) []byte {
	if s.each != nil {
		return s.each[i]
	}
	return s.whole[i*s.size : (i+1)*s.size]
}

// Stretches adds to list the bytes of all samples, in as long pieces as they lie in.
func (s *Samples) Stretches(list [][]byte) [][]byte {
	if s.each != nil {
		return append(list, s.each...)
	}
	return append(list, s.whole)
}

// Samples returns the samples of a block as View returns bytes: mapped and not hashed. A block of another
// length than rows samples of size bytes: ErrDamaged.
func (s *Store) Samples(block Digest, rows, size int) (Samples, error) {
	v, err := s.find(KindBlock, block, true, false, wholeOnly)
	if err == nil && len(v) != rows*size {
		return Samples{}, fmt.Errorf("block %s has %d bytes, want %d samples of %d: %w", block.Short(), len(v), rows, size, ErrDamaged)
	}
	if err == nil {
		return WholeSamples(v, size), nil
	}
	list := s.Extents(block)
	if list == nil {
		return Samples{}, err
	}
	out := Samples{size: size, each: make([][]byte, 0, rows)}
	for _, e := range list {
		b, err := s.extent(e)
		if err != nil {
			return Samples{}, fmt.Errorf("extent of block %s: %w", block.Short(), err)
		}
		for ; len(b) >= size && len(out.each) < rows; b = b[size:] {
			out.each = append(out.each, b[:size:size])
		}
		if len(b) > 0 {
			return Samples{}, fmt.Errorf("block %s: an extent does not hold whole samples of %d bytes: %w", block.Short(), size, ErrDamaged)
		}
	}
	if len(out.each) != rows {
		return Samples{}, fmt.Errorf("block %s has %d samples, want %d: %w", block.Short(), len(out.each), rows, ErrDamaged)
	}
	return out, nil
}

package codec

import (
	"bytes"
	"math/bits"
	"slices"
	"sync"
)

// A vorbisSetup is what the third header of a stream says (Vorbis I specification, 4.2.4): the parts
// that packets refer to.
type vorbisSetup struct {
	books    []vorbisBook
	floors   []vorbisFloor
	residues []vorbisResidue
	mappings []vorbisMapping
	modes    []vorbisMode
	modeBits uint
}

// A vorbisFloor is the shape of a spectral envelope (7.2.2).
type vorbisFloor struct {
	classes    []uint8 // of each partition
	class      [16]vorbisClass
	multiplier int   // of the heights: 1 to 4
	x          []int // the places of the curve's points
	order      []int // points by their place
	low, high  []int // the neighbours of a point among the points before it
}

// A vorbisClass is a kind of partition of a floor: how many points it has and how they are coded (7.2.2).
type vorbisClass struct {
	dims   int
	bits   uint // of the subclass
	master int
	books  [8]int // -1: none
}

// A vorbisResidue is how the fine structure below the envelope is coded (8.6).
type vorbisResidue struct {
	kind       int // 0: values spread over a partition, 1: side by side, 2: all channels interleaved
	begin, end int // the values of the spectrum that are coded
	size       int // of a partition
	classes    int
	classBook  int          // its words hold the classes of several partitions
	books      [64][8]int16 // by class and pass; -1: none
}

// A vorbisMapping says which floor and residue each channel has, and which channels are coded as a pair.
type vorbisMapping struct {
	pairs    [][2]int // magnitude, angle
	of       []int    // the submap of each channel
	floors   []int
	residues []int
}

// A vorbisMode is what a packet's first bits choose.
type vorbisMode struct {
	long    bool
	mapping int
}

// keptSetups is how many setups are kept. The files of a corpus mostly have the one of their encoder and its
// quality, which takes as long to read as several seconds of sound take to decode.
const keptSetups = 4

// vorbisSetups are the last ones that were read. Nothing writes to a setup after that.
var vorbisSetups struct {
	sync.Mutex
	kept [keptSetups]struct {
		header   []byte
		channels int
		setup    *vorbisSetup
	}
	next int
}

// sharedVorbisSetup is readVorbisSetup, which it calls for a header that is none of the last. Setups that take
// much memory are not kept: the usual encoder's have 200,000 values, of 4 bytes.
func sharedVorbisSetup(header []byte, channels int) (*vorbisSetup, string) {
	v := &vorbisSetups
	v.Lock()
	for _, k := range v.kept {
		if k.channels == channels && bytes.Equal(k.header, header) {
			v.Unlock()
			return k.setup, ""
		}
	}
	v.Unlock()
	s, why := readVorbisSetup(&lsbReader{b: header}, channels)
	if why == "" && len(header) <= 64<<10 && s.values() <= maxBookValues/16 {
		v.Lock()
		k := &v.kept[v.next]
		k.header, k.channels, k.setup = bytes.Clone(header), channels, s
		v.next = (v.next + 1) % keptSetups
		v.Unlock()
	}
	return s, why
}

// values is how many values the codebooks hold.
func (s *vorbisSetup) values() (n int) {
	for _, k := range s.books {
		n += k.entries * max(k.dims, 1)
	}
	return n
}

// readSetup reads the third header; the text says what is wrong with it.
func readVorbisSetup(r *lsbReader, channels int) (*vorbisSetup, string) {
	s := &vorbisSetup{}
	left := maxBookValues // of all codebooks together, since a header may have 256
	for range int(r.take(8)) + 1 {
		var k vorbisBook
		if why := k.read(r, &left); why != "" {
			return nil, "codebook " + commas(int64(len(s.books))) + ": " + why
		}
		s.books = append(s.books, k)
	}
	for range int(r.take(6)) + 1 {
		if r.take(16) != 0 {
			return nil, "a reserved time transform"
		}
	}
	for _, read := range []func(*lsbReader, int) string{s.readFloors, s.readResidues, s.readMappings, s.readModes} {
		if why := read(r, channels); why != "" {
			return nil, why
		}
		if r.over {
			return nil, "it ends early"
		}
	}
	if !r.flag() || r.over {
		return nil, "it ends early"
	}
	return s, ""
}

// readFloors reads how envelopes are coded.
func (s *vorbisSetup) readFloors(r *lsbReader, _ int) string {
	for range int(r.take(6)) + 1 {
		switch kind := r.take(16); kind {
		case 0:
			return "a floor of type 0, which no encoder since 2001 writes, is not read"
		case 1:
		default:
			return "a floor of a reserved type"
		}
		var f vorbisFloor
		if why := f.read(r, s); why != "" {
			return why
		}
		s.floors = append(s.floors, f)
	}
	return ""
}

// read reads a floor of type 1 (7.2.2): a list of partitions by class; for each class how many points a
// partition has and which codebooks code them; then the places of the points along the spectrum. The
// first two points are its ends.
func (f *vorbisFloor) read(r *lsbReader, s *vorbisSetup) string {
	f.classes = make([]uint8, r.take(5))
	most := -1
	for i := range f.classes {
		f.classes[i] = uint8(r.take(4))
		most = max(most, int(f.classes[i]))
	}
	for i := range most + 1 {
		c := &f.class[i]
		c.dims, c.bits = int(r.take(3))+1, uint(r.take(2))
		if c.bits > 0 {
			if c.master = int(r.take(8)); c.master >= len(s.books) {
				return "a floor names a codebook that is not there"
			}
		}
		for j := range 1 << c.bits {
			if c.books[j] = int(r.take(8)) - 1; c.books[j] >= len(s.books) {
				return "a floor names a codebook that is not there"
			}
		}
	}
	f.multiplier = int(r.take(2)) + 1
	width := uint(r.take(4))
	f.x = []int{0, 1 << width}
	for _, class := range f.classes {
		for range f.class[class].dims {
			f.x = append(f.x, int(r.take(width)))
		}
	}
	if len(f.x) > 65 {
		return "a floor has more than 65 points"
	}
	return f.neighbours()
}

// neighbours finds what the decoding of every packet needs: the points by their place, and between
// which of the earlier points a point lies.
func (f *vorbisFloor) neighbours() string {
	f.order = make([]int, len(f.x))
	for i := range f.order {
		f.order[i] = i
	}
	slices.SortStableFunc(f.order, func(a, b int) int { return f.x[a] - f.x[b] })
	for i := 1; i < len(f.order); i++ {
		if f.x[f.order[i]] == f.x[f.order[i-1]] {
			return "a floor has two points in one place"
		}
	}
	f.low, f.high = make([]int, len(f.x)), make([]int, len(f.x))
	for i := 2; i < len(f.x); i++ {
		low, high := 0, 1
		for j := range i {
			if f.x[j] < f.x[i] && f.x[j] > f.x[low] {
				low = j
			}
			if f.x[j] > f.x[i] && f.x[j] < f.x[high] {
				high = j
			}
		}
		f.low[i], f.high[i] = low, high
	}
	return ""
}

// readResidues reads how fine structures are coded (8.6.1): the part of the spectrum that is, the size
// of a partition, the classes of partitions, and for each class and each of eight passes a codebook or
// none.
func (s *vorbisSetup) readResidues(r *lsbReader, _ int) string {
	for range int(r.take(6)) + 1 {
		e := vorbisResidue{kind: int(r.take(16)), begin: int(r.take(24)), end: int(r.take(24)), size: int(r.take(24)) + 1, classes: int(r.take(6)) + 1, classBook: int(r.take(8))}
		if e.kind > 2 {
			return "a residue of a reserved type"
		}
		if e.end < e.begin || e.classBook >= len(s.books) || s.books[e.classBook].dims == 0 {
			return "a residue is out of bounds"
		}
		var passes [64]uint32
		for i := range e.classes {
			passes[i] = r.take(3)
			if r.flag() {
				passes[i] |= r.take(5) << 3
			}
		}
		for i := range e.classes {
			for pass := range 8 {
				e.books[i][pass] = -1
				if passes[i]>>pass&1 == 0 {
					continue
				}
				book := int(r.take(8))
				if book >= len(s.books) || s.books[book].vectors == nil || s.books[book].dims == 0 {
					return "a residue names a codebook that is not there or has no vectors"
				}
				e.books[i][pass] = int16(book)
			}
		}
		s.residues = append(s.residues, e)
	}
	return ""
}

// readMappings reads which floor and which residue each channel has, by way of submaps, and the
// channels that are coded as magnitude and angle (4.2.4, mappings).
func (s *vorbisSetup) readMappings(r *lsbReader, channels int) string {
	for range int(r.take(6)) + 1 {
		if r.take(16) != 0 {
			return "a mapping of a reserved type"
		}
		m := vorbisMapping{of: make([]int, channels)}
		submaps := 1
		if r.flag() {
			submaps = int(r.take(4)) + 1
		}
		if r.flag() {
			// A channel's number takes ilog(channels - 1) bits (9.2.1).
			width := uint(bits.Len(uint(channels - 1)))
			for range int(r.take(8)) + 1 {
				pair := [2]int{int(r.take(width)), int(r.take(width))}
				if pair[0] == pair[1] || max(pair[0], pair[1]) >= channels {
					return "a mapping couples channels that are not there"
				}
				m.pairs = append(m.pairs, pair)
			}
		}
		if r.take(2) != 0 {
			return "a mapping has reserved bits"
		}
		if submaps > 1 {
			for ch := range m.of {
				if m.of[ch] = int(r.take(4)); m.of[ch] >= submaps {
					return "a mapping names a part that is not there"
				}
			}
		}
		for range submaps {
			r.take(8) // the number of a time transform, which Vorbis I does not use
			floor, residue := int(r.take(8)), int(r.take(8))
			if floor >= len(s.floors) || residue >= len(s.residues) {
				return "a mapping names a floor or a residue that is not there"
			}
			m.floors, m.residues = append(m.floors, floor), append(m.residues, residue)
		}
		s.mappings = append(s.mappings, m)
	}
	return ""
}

// readModes reads what the first bits of a packet choose from: block size and mapping (4.2.4, modes).
func (s *vorbisSetup) readModes(r *lsbReader, _ int) string {
	n := int(r.take(6)) + 1
	s.modeBits = uint(bits.Len(uint(n - 1)))
	for range n {
		m := vorbisMode{long: r.flag()}
		if r.take(32) != 0 {
			return "a mode of a reserved type"
		}
		if m.mapping = int(r.take(8)); m.mapping >= len(s.mappings) {
			return "a mode names a mapping that is not there"
		}
		s.modes = append(s.modes, m)
	}
	return ""
}

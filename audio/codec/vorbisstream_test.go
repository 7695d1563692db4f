package codec

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// A testVorbis is a stream while it is written: what its setup header says, and the samples that its packets stand for, in float64.
type testVorbis struct {
	random   *rand.Rand
	channels int
	sizes    [2]int // of blocks
	residue  int    // its type
	coupled  bool   // the first two channels
	books    []*testBook
	floors   [2]testFloor // of short and of long blocks
	begin    int          // of the residue
	end      int
	submaps  [][]int // channels that have their residues together
	packets  [][]byte
	granules []int64     // the position after each packet
	pcm      [][]float64 // one a channel; with the last half block, which no other completes
	last     int         // size of the last block; 0: none yet
	centre   int         // of it, in pcm
}

func newTestVorbis(seed uint64, channels, residue, lookup int, form string, coupled bool) *testVorbis {
	random := rand.New(rand.NewPCG(seed, 21))
	v := &testVorbis{random: random, channels: channels, sizes: [2]int{64, 256}, residue: residue, coupled: coupled, begin: 8 * random.IntN(2), end: 45}
	if random.IntN(2) == 1 {
		v.end = 1 << 20 // that of the block (8.6.2)
	}
	v.submaps = [][]int{{0}, {0, 1}, {0, 1, 2}}[channels-1 : channels]
	if channels == 3 && !coupled {
		v.submaps = [][]int{{0, 2}, {1}}
	}
	flat := func(n int) *testBook { // scalars, with words of one length
		b := newTestBook(random, 1, 2, 0, "")
		b.lengths, b.words = slices.Repeat([]int{bits.Len(uint(n - 1))}, n), make([]uint64, n)
		for i := range b.words {
			b.words[i] = uint64(i)
		}
		return b
	}
	v.books = []*testBook{flat(128), flat(8), newTestBook(random, 2, 9, 0, ""), newTestBook(random, 2, 7, lookup, form), newTestBook(random, 4, 17, lookup, form)}
	v.floors = [2]testFloor{newTestFloor(random, 5), newTestFloor(random, 6+random.IntN(3), 0, 1, 0, 1)}
	v.pcm = make([][]float64, channels)
	for range 3 {
		v.granules = append(v.granules, 0)
	}
	v.packets = [][]byte{v.identification(), v.comment(0), v.setup()}
	return v
}

func (v *testVorbis) identification() []byte {
	b := append([]byte("\x01vorbis\x00\x00\x00\x00"), byte(v.channels))
	b = binary.LittleEndian.AppendUint32(b, 22050)
	b = append(b, make([]byte, 12)...) // bit rates: not said
	return append(b, byte(bits.Len(uint(v.sizes[0]))-1|(bits.Len(uint(v.sizes[1]))-1)<<4), 1)
}

// comment has n bytes more than it needs.
func (v *testVorbis) comment(n int) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("\x03vorbis"), uint32(n))
	return append(append(b, make([]byte, n+4)...), 1)
}

func (v *testVorbis) setup() []byte {
	w := lsbWriter{b: []byte("\x05vorbis")}
	w.put(uint64(len(v.books)-1), 8)
	for _, b := range v.books {
		b.header(&w)
	}
	w.put(0, 6+16) // one time, of no meaning
	w.put(1, 6)
	for _, f := range v.floors {
		f.header(&w)
	}
	w.put(0, 6)
	w.put(uint64(v.residue), 16)
	w.put(uint64(v.begin), 24)
	w.put(uint64(v.end), 24)
	w.put(8-1, 24) // lines in a partition
	w.put(3-1, 6)  // classes
	w.put(bookClasses, 8)
	for _, passes := range []uint64{0, 1, 1<<4 | 1} { // class 0: nothing; 1: coarse; 2: coarse, and fine in the fifth pass
		w.put(passes&7, 3)
		w.put(min(passes>>3, 1), 1)
		if passes>>3 > 0 {
			w.put(passes>>3, 5)
		}
	}
	w.put(bookCoarse, 8)
	w.put(bookCoarse, 8)
	w.put(bookFine, 8)
	w.put(1, 6)
	for mapping := range uint64(2) {
		w.put(0, 16)
		w.put(uint64(len(v.submaps)-1), 1)
		if len(v.submaps) > 1 {
			w.put(uint64(len(v.submaps)-1), 4)
		}
		if v.coupled {
			w.put(1, 1)
			w.put(0, 8)
			n := uint(bits.Len(uint(v.channels - 1)))
			w.put(0, n)
			w.put(1, n)
		} else {
			w.put(0, 1)
		}
		w.put(0, 2)
		for c := 0; c < v.channels && len(v.submaps) > 1; c++ {
			w.put(uint64(slices.IndexFunc(v.submaps, func(m []int) bool { return slices.Contains(m, c) })), 4)
		}
		for range v.submaps {
			w.put(0, 8)
			w.put(mapping, 8) // its floor
			w.put(0, 8)
		}
	}
	w.put(1, 6)
	for mode := range uint64(2) {
		w.put(mode, 1)
		w.put(0, 32)
		w.put(mode, 8)
	}
	w.put(1, 1)
	return w.b
}

// residues writes the residue vectors of a submap's channels, as far as they are told (8.6), into lines.
func (v *testVorbis) residues(w *lsbWriter, lines [][]float64, told []bool) {
	vectors := slices.Clone(lines)
	if v.residue == 2 {
		told = []bool{slices.Contains(told, true)}
		vectors = [][]float64{make([]float64, len(lines)*len(lines[0]))}
	}
	partitions := (min(v.end, len(vectors[0])) - v.begin) / 8
	classes := make([][]int, len(vectors))
	for pass := range 8 {
		for p := range partitions {
			if pass == 0 && p%2 == 0 {
				for c := range vectors {
					if told[c] {
						word := v.books[bookClasses].any(v.random)
						v.books[bookClasses].put(w, word)
						classes[c] = append(classes[c], word/3, word%3)
					}
				}
			}
			for c, vector := range vectors {
				if !told[c] {
					continue
				}
				var book *testBook
				switch class := classes[c][p]; {
				case pass == 0 && class > 0:
					book = v.books[bookCoarse]
				case pass == 4 && class == 2:
					book = v.books[bookFine]
				default:
					continue
				}
				part := vector[v.begin+8*p:][:8]
				for i := range 8 / book.dims {
					entry := book.any(v.random)
					book.put(w, entry)
					for j, x := range book.vector(entry) {
						if v.residue == 0 {
							part[i+j*8/book.dims] += x
						} else {
							part[i*book.dims+j] += x
						}
					}
				}
			}
		}
	}
	if v.residue == 2 {
		for i, x := range vectors[0] {
			lines[i%len(lines)][i/len(lines)] = x
		}
	}
}

// block writes a packet: a short or a long block (mode 0 or 1) between blocks of the modes before and after.
func (v *testVorbis) block(before, mode, after int) {
	w := lsbWriter{}
	w.put(0, 1)
	w.put(uint64(mode), 1)
	if mode == 1 {
		w.put(uint64(before), 1)
		w.put(uint64(after), 1)
	}
	size := v.sizes[mode]
	n := size / 2
	position := v.granules[len(v.granules)-1]
	if v.centre += v.last/4 + size/4; v.last > 0 {
		position += int64(v.last/4 + size/4)
	} else {
		v.centre = size / 2
	}
	curves, told := make([][]float64, v.channels), make([]bool, v.channels)
	for c := range curves {
		if told[c] = v.random.IntN(4) > 0; told[c] {
			curves[c] = v.floors[mode].write(&w, v.random, v.books, n)
		} else {
			w.put(0, 1)
			curves[c] = make([]float64, n)
		}
	}
	if v.coupled && (told[0] || told[1]) {
		told[0], told[1] = true, true
	}
	lines := make([][]float64, v.channels)
	for c := range lines {
		lines[c] = make([]float64, n)
	}
	for _, channels := range v.submaps {
		var some [][]float64
		var which []bool
		for _, c := range channels {
			some, which = append(some, lines[c]), append(which, told[c])
		}
		v.residues(&w, some, which)
	}
	if v.coupled { // 4.3.5
		for i, m := range lines[0] {
			a := lines[1][i]
			switch {
			case m > 0 && a > 0:
				lines[0][i], lines[1][i] = m, m-a
			case m > 0:
				lines[0][i], lines[1][i] = m+a, m
			case a > 0:
				lines[0][i], lines[1][i] = m, m+a
			default:
				lines[0][i], lines[1][i] = m-a, m
			}
		}
	}
	for c := range lines {
		for i := range lines[c] {
			lines[c][i] *= curves[c][i]
		}
		v.overlap(c, lines[c], v.sizes[min(before, mode)], v.sizes[min(after, mode)])
	}
	v.packets = append(v.packets, w.b)
	v.granules, v.last = append(v.granules, position), size
}

// overlap transforms, windows and adds a channel's block (4.3.1, 4.3.7, 4.3.8): its centre follows that of the block before it by a
// quarter of both.
func (v *testVorbis) overlap(c int, lines []float64, left, right int) {
	size := 2 * len(lines)
	slope := func(i, width int) float64 { // of the sample i of a rise over half of width, around the quarter point
		switch at := float64(i-size/4+width/4) + 0.5; {
		case at < 0:
			return 0
		case at > float64(width/2):
			return 1
		default:
			sin := math.Sin(at / float64(width) * math.Pi)
			return math.Sin(math.Pi / 2 * sin * sin)
		}
	}
	turn := make([]float64, 4*size)
	for i := range turn {
		turn[i] = math.Cos(2 * math.Pi * float64(i) / float64(4*size))
	}
	begin := v.centre - size/2
	for len(v.pcm[c]) < begin+size {
		v.pcm[c] = append(v.pcm[c], 0)
	}
	for i := range size {
		var sum float64
		for k, x := range lines {
			sum += x * turn[(2*i+1+size/2)*(2*k+1)%len(turn)]
		}
		v.pcm[c][begin+i] += sum * slope(i, left) * slope(size-1-i, right)
	}
}

// blocks writes blocks of the given modes.
func (v *testVorbis) blocks(modes ...int) {
	for i, mode := range modes {
		v.block(modes[max(i-1, 0)], mode, modes[min(i+1, len(modes)-1)])
	}
}

// mean is what a decoder makes of it: from the centre of the first block on, n samples.
func (v *testVorbis) mean(first, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		var sum float64
		for _, x := range v.pcm {
			sum += x[first+i]
		}
		out[i] = float32(sum / float64(v.channels))
	}
	return out
}

// decodes compares what the decoder makes of the stream.
func (v *testVorbis) decodes(t *testing.T, name string) {
	t.Helper()
	n := v.granules[len(v.granules)-1]
	got, info, err := Limits{}.DecodeBytes(nil, oggFile(v.packets, n))
	if err != nil || info.Samples != n || info.Channels != v.channels {
		t.Errorf("%s: %+v, %v; want %d samples", name, info, err, n)
		return
	}
	want := v.mean(v.sizes[testModes[0]]/2, int(n))
	if most, _ := differenceOf(want, make([]float32, n)); most == 0 || slices.Max(want) > 1 {
		t.Errorf("%s: the highest sample is %g", name, slices.Max(want))
	} else if _, peak := differenceOf(got, want); peak > 2e-6*float64(slices.Max(want)) {
		t.Errorf("%s: off by %g, the highest sample is %g", name, peak, slices.Max(want))
	}
}

package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// An lsbWriter packs bits as Vorbis I, 2.1, does: into the lowest free bit of each byte.
type lsbWriter struct {
	b []byte
	n uint
}

func (w *lsbWriter) put(v uint64, n uint) {
	for i := range n {
		if w.n%8 == 0 {
			w.b = append(w.b, 0)
		}
		w.b[len(w.b)-1] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
}

// A testBook is a codebook (3.2.1) while it is written. Its vectors are (multiplicand - 4) / 4, scaled by 2^-9 so that no sum of
// lines is as loud as to be cut off.
type testBook struct {
	dims          int
	lengths       []int // of codewords; 0: the entry is not used
	form          string
	lookup        int
	sequence      bool
	multiplicands []int
	words         []uint64
}

const testUnit = 0x1p-11

// newTestBook has n used entries, whose codewords are the leaves of a random tree.
func newTestBook(random *rand.Rand, dims, n, lookup int, form string) *testBook {
	b := &testBook{dims: dims, lookup: lookup, form: form, sequence: random.IntN(2) == 1}
	b.lengths = []int{0}
	for len(b.lengths) < n {
		i := random.IntN(len(b.lengths))
		b.lengths[i]++
		b.lengths = slices.Insert(b.lengths, i, b.lengths[i])
	}
	if n == 1 {
		b.lengths[0] = 1
	}
	switch form {
	case "ordered":
		slices.Sort(b.lengths)
	case "deep": // words of every length, up to one less than there are entries
		for i := range b.lengths {
			b.lengths[i] = min(i+1, n-1)
		}
	case "sparse":
		for range 3 {
			b.lengths = slices.Insert(b.lengths, random.IntN(len(b.lengths)+1), 0)
		}
	}
	values := len(b.lengths) * dims
	if lookup == 1 { // the greatest number whose power of dims is no more than the entries
		for values = 1; math.Pow(float64(values+1), float64(dims)) <= float64(len(b.lengths)); values++ {
		}
	}
	for range values {
		b.multiplicands = append(b.multiplicands, random.IntN(8))
	}
	// 3.2.1: each entry in turn takes the lowest codeword that is still free.
	b.words = make([]uint64, len(b.lengths))
	for i, n := range b.lengths {
		for taken := n > 0; taken; {
			taken = false
			for j, m := range b.lengths[:i] {
				shorter := min(n, m)
				taken = taken || m > 0 && b.words[i]>>(n-shorter) == b.words[j]>>(m-shorter)
			}
			if taken {
				b.words[i]++
			}
		}
	}
	return b
}

func (b *testBook) header(w *lsbWriter) {
	w.put(0x564342, 24)
	w.put(uint64(b.dims), 16)
	w.put(uint64(len(b.lengths)), 24)
	if b.form == "ordered" {
		w.put(1, 1)
		w.put(uint64(b.lengths[0]-1), 5)
		for at, n := 0, b.lengths[0]; at < len(b.lengths); n++ {
			count := 0
			for at+count < len(b.lengths) && b.lengths[at+count] == n {
				count++
			}
			w.put(uint64(count), uint(bits.Len(uint(len(b.lengths)-at))))
			at += count
		}
	} else {
		w.put(0, 1)
		sparse := b.form == "sparse"
		w.put(map[bool]uint64{true: 1}[sparse], 1)
		for _, n := range b.lengths {
			if sparse {
				w.put(uint64(min(n, 1)), 1)
			}
			if n > 0 {
				w.put(uint64(n-1), 5)
			}
		}
	}
	w.put(uint64(b.lookup), 4)
	if b.lookup == 0 {
		return
	}
	w.put(1<<31|(788-9)<<21|1, 32) // the least value, -1 × 2^-9
	w.put((788-11)<<21|1, 32)      // a step
	w.put(3-1, 4)
	w.put(map[bool]uint64{true: 1}[b.sequence], 1)
	for _, m := range b.multiplicands {
		w.put(uint64(m), 3)
	}
}

// any returns an entry that is used.
func (b *testBook) any(random *rand.Rand) int {
	for {
		if i := random.IntN(len(b.lengths)); b.lengths[i] > 0 {
			return i
		}
	}
}

func (b *testBook) put(w *lsbWriter, entry int) {
	for bit := b.lengths[entry] - 1; bit >= 0; bit-- {
		w.put(b.words[entry]>>bit, 1)
	}
}

// vector is what an entry stands for (3.3).
func (b *testBook) vector(entry int) []float64 {
	v := make([]float64, b.dims)
	var last float64
	for j, divisor := 0, 1; j < b.dims; j++ {
		at := entry*b.dims + j
		if b.lookup == 1 {
			at = entry / divisor % len(b.multiplicands)
			divisor *= len(b.multiplicands)
		}
		v[j] = float64(b.multiplicands[at]-4)*testUnit + last
		if b.sequence {
			last = v[j]
		}
	}
	return v
}

// A testFloor is a floor 1 (7.2): its posts in the order of the header.
type testFloor struct {
	multiplier, rangeBits int
	classes               []int // of the partitions: 0 has two posts and one book, 1 three posts and a choice of it or none
	posts                 []int
}

// The codebooks by number: those of floors, the classes of residues, their vectors.
const (
	bookPosts = iota
	bookChoice
	bookClasses
	bookCoarse
	bookFine
)

func newTestFloor(random *rand.Rand, rangeBits int, classes ...int) testFloor {
	f := testFloor{multiplier: 1 + random.IntN(4), rangeBits: rangeBits, classes: classes, posts: []int{0, 1 << rangeBits}}
	for _, c := range classes {
		for range 2 + c {
			x := 0
			for slices.Contains(f.posts, x) {
				x = random.IntN(1 << rangeBits)
			}
			f.posts = append(f.posts, x)
		}
	}
	return f
}

func (f testFloor) header(w *lsbWriter) {
	w.put(1, 16)
	w.put(uint64(len(f.classes)), 5)
	for _, c := range f.classes {
		w.put(uint64(c), 4)
	}
	if len(f.classes) > 0 {
		for c := range slices.Max(f.classes) + 1 {
			w.put(uint64(2+c-1), 3)
			w.put(uint64(c), 2)
			if c == 1 {
				w.put(bookChoice, 8)
				w.put(0, 8) // no book
			}
			w.put(bookPosts+1, 8)
		}
	}
	w.put(uint64(f.multiplier-1), 2)
	w.put(uint64(f.rangeBits), 4)
	for _, x := range f.posts[2:] {
		w.put(uint64(x), uint(f.rangeBits))
	}
}

// write writes a random curve of n lines and returns it (7.2.3 and 7.2.4).
func (f testFloor) write(w *lsbWriter, random *rand.Rand, books []*testBook, n int) []float64 {
	limit := []int{256, 128, 86, 64}[f.multiplier-1]
	w.put(1, 1)
	y := []int{random.IntN(limit), random.IntN(limit)}
	for _, v := range y {
		w.put(uint64(v), uint(bits.Len(uint(limit-1))))
	}
	for _, c := range f.classes {
		choice := 1
		if c == 1 {
			choice = random.IntN(8)
			books[bookChoice].put(w, choice)
		}
		for range 2 + c {
			v := 0
			if c == 0 || choice&1 == 1 {
				v = random.IntN(min(limit, 128)) * random.IntN(2)
				books[bookPosts].put(w, v)
			}
			choice >>= c
			y = append(y, v)
		}
	}
	// line is render_line, and render_point, at x.
	line := func(x0, y0, x1, y1, x int) int { return y0 + (y1-y0)*(x-x0)/(x1-x0) }
	used := make([]bool, len(y))
	used[0], used[1] = true, true
	for i := 2; i < len(y); i++ {
		low, high := 0, 1
		for j, x := range f.posts[:i] {
			if x < f.posts[i] && x > f.posts[low] {
				low = j
			}
			if x > f.posts[i] && x < f.posts[high] {
				high = j
			}
		}
		predicted := line(f.posts[low], y[low], f.posts[high], y[high], f.posts[i])
		above, below, v := limit-predicted, predicted, y[i]
		switch {
		case v == 0:
			y[i] = predicted
			continue
		case v >= 2*min(above, below) && above > below:
			y[i] = v - below + predicted
		case v >= 2*min(above, below):
			y[i] = predicted - v + above - 1
		case v%2 == 1:
			y[i] = predicted - (v+1)/2
		default:
			y[i] = predicted + v/2
		}
		used[low], used[high], used[i] = true, true, true
	}
	curve := make([]float64, n)
	for x := range curve {
		low, high := 0, -1
		for j, post := range f.posts {
			if used[j] && post <= x && post >= f.posts[low] {
				low = j
			}
			if used[j] && post > x && (high < 0 || post < f.posts[high]) {
				high = j
			}
		}
		level := y[low] * f.multiplier
		if high >= 0 {
			level = line(f.posts[low], level, f.posts[high], y[high]*f.multiplier, x)
		}
		curve[x] = math.Pow(10, float64(level-255)*140/256/20)
	}
	return curve
}

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

// testModes: blocks of both sizes beside each other in every way.
var testModes = []int{1, 1, 0, 0, 1, 0, 1, 1, 0}

// TestVorbisStreamsByTheDefinition: streams that no encoder of today writes, in every form of codebook, lookup and residue, against
// sums of cosines in float64.
func TestVorbisStreamsByTheDefinition(t *testing.T) {
	seed := uint64(0)
	for residue := range 3 {
		for _, lookup := range []int{1, 2} {
			for _, form := range []string{"plain", "ordered", "sparse", "deep"} {
				for channels := 1; channels <= 3; channels++ {
					seed++
					coupled := channels > 1 && seed%3 > 0
					v := newTestVorbis(seed, channels, residue, lookup, form, coupled)
					v.blocks(testModes...)
					name := fmt.Sprintf("residue %d, lookup %d, %s books, %d channels, coupled %v", residue, lookup, form, channels, coupled)
					v.decodes(t, name)
				}
			}
		}
	}
}

// TestVorbisBookOfOneWord: 3.2.1 lets a book have one used entry of one bit, which either bit reads.
func TestVorbisBookOfOneWord(t *testing.T) {
	for _, bit := range []uint64{0, 1} {
		v := newTestVorbis(5, 1, 1, 1, "plain", false)
		v.books[bookFine] = newTestBook(v.random, 4, 1, 2, "sparse")
		v.packets[2] = v.setup()
		v.books[bookFine].words[slices.Max(v.books[bookFine].lengths[:1])] = 0
		for i := range v.books[bookFine].words {
			v.books[bookFine].words[i] = bit
		}
		v.blocks(testModes...)
		v.decodes(t, fmt.Sprintf("bit %d", bit))
	}
}

// TestVorbisFloorOfManyPosts: 7.2.2 allows 65 of them.
func TestVorbisFloorOfManyPosts(t *testing.T) {
	v := newTestVorbis(6, 1, 1, 1, "plain", false)
	v.floors[1] = newTestFloor(v.random, 8, append(make([]int, 30), 1)...)
	v.packets[2] = v.setup()
	v.blocks(testModes...)
	v.decodes(t, "65 posts")
}

// TestVorbisPacketsMayEndEarly: 4.3: what a packet does not hold any more is zero, and the stream keeps its length and all that other
// packets say.
func TestVorbisPacketsMayEndEarly(t *testing.T) {
	v, want := oggStream(t)
	const cut = 9 // this packet
	from, to := v.granules[cut-1]-int64(v.sizes[1]), v.granules[cut]+int64(v.sizes[1])
	for n := 1; n < len(v.packets[cut]); n++ {
		packets := slices.Clone(v.packets)
		packets[cut] = packets[cut][:n]
		got, _, err := Limits{}.DecodeBytes(nil, oggFile(packets, v.granules[len(v.granules)-1]))
		if err != nil || len(got) != len(want) || !slices.Equal(got[:from], want[:from]) || !slices.Equal(got[to:], want[to:]) {
			t.Fatalf("a packet of %d bytes cut to %d: %d samples, %v", len(v.packets[cut]), n, len(got), err)
		}
	}
	packets := slices.Clone(v.packets)
	packets[cut] = append(slices.Clone(packets[cut]), 0xff, 0xff, 0xff)
	decodesTo(t, "bytes that nothing reads at a packet's end", oggFile(packets, v.granules[len(v.granules)-1]), want)
}

// TestVorbisBeginsWhereItsFirstPageSays: A.2: the first position may be less than what the packets hold, which is cut off in front, or
// more, where the stream was cut from a longer one.
func TestVorbisBeginsWhereItsFirstPageSays(t *testing.T) {
	v, want := oggStream(t)
	for _, shift := range []int64{-100, -33, -1, 0, 1, 7, 22_050, 1 << 40} {
		granules := slices.Clone(v.granules)
		for i := 3; i < len(granules); i++ {
			granules[i] = max(granules[i]+shift, 0)
		}
		for _, segments := range []int{3, 6, 11} {
			name := fmt.Sprintf("positions %d later, %d segments a page", shift, segments)
			decodesTo(t, name, joinPages(pagesOf(v.packets, granules, segments)), want[max(0, -shift):])
		}
	}
}

// TestDamagedVorbisSetupIsRefused: what the tables of 3.2.1, 4.2.4, 7.2.2 and 8.6.1 do not allow.
func TestDamagedVorbisSetupIsRefused(t *testing.T) {
	for name, damage := range map[string]func(v *testVorbis){
		"a code with words left":             func(v *testVorbis) { v.books[bookCoarse].lengths[0]++ },
		"a code with too many words":         func(v *testVorbis) { v.books[bookClasses].lengths[4]-- },
		"a reserved lookup":                  func(v *testVorbis) { v.books[bookFine].lookup = 3 },
		"a residue's book without vectors":   func(v *testVorbis) { v.books[bookFine].lookup = 0 },
		"a residue of type 3":                func(v *testVorbis) { v.residue = 3 },
		"a residue that ends before it does": func(v *testVorbis) { v.begin, v.end = 9, 8 },
		"a submap that is not there":         func(v *testVorbis) { v.submaps = [][]int{{0}, {}, {}, {1}}[:3] },
		"two posts in one place":             func(v *testVorbis) { v.floors[1].posts[5] = v.floors[1].posts[3] },
		"a post at the end":                  func(v *testVorbis) { v.floors[1].posts[5] = 0 },
		"66 posts":                           func(v *testVorbis) { v.floors[1] = newTestFloor(v.random, 8, append(make([]int, 29), 1, 1)...) },
		"a channel coupled with itself":      func(v *testVorbis) { v.channels, v.coupled, v.submaps = 1, true, [][]int{{0}} },
	} {
		v := newTestVorbis(31, 2, 1, 2, "plain", false)
		damage(v)
		v.packets[0], v.packets[2] = v.identification(), v.setup()
		_, _, err := Limits{}.DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32))
		if !errors.Is(err, ErrHeader) {
			t.Errorf("%s: %v, want ErrHeader", name, err)
		}
	}
	// Each cut of a right header, and each that is a bit off in its mark.
	v := newTestVorbis(32, 2, 2, 1, "plain", true)
	setup := v.packets[2]
	for n := range len(setup) {
		v.packets[2] = setup[:n]
		if _, _, err := (Limits{}).DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32)); !errors.Is(err, ErrHeader) {
			t.Fatalf("%d bytes of a setup of %d: %v, want ErrHeader", n, len(setup), err)
		}
	}
	for bit := range 24 {
		v.packets[2] = slices.Clone(setup)
		v.packets[2][8+bit/8] ^= 1 << (bit % 8)
		if _, _, err := (Limits{}).DecodeBytes(nil, oggFile(append(v.packets, []byte{0}, []byte{0}), 32)); !errors.Is(err, ErrHeader) {
			t.Fatalf("bit %d of a codebook's mark: %v, want ErrHeader", bit, err)
		}
	}
}

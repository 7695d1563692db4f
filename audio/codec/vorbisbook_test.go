package codec

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
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

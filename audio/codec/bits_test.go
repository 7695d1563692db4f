package codec

import (
	"math"
	"math/rand/v2"
	"testing"

	"voxpack/audio/detmath"
)

// TestChecksums: the check values that Williams' catalogue of CRCs gives for the digits 1 to 9: CRC-16/UMTS, CRC-8/SMBUS, CRC-32/CKSUM
// without its last inversion and CRC-16/CMS. The last two leave some bytes out, which are put around the digits here.
func TestChecksums(t *testing.T) {
	digits := []byte("123456789")
	if got := flacCRC16(digits); got != 0xfee8 {
		t.Errorf("flacCRC16 = %#04x, want 0xfee8", got)
	}
	if got := flacCRC8(digits); got != 0xf4 {
		t.Errorf("flacCRC8 = %#02x, want 0xf4", got)
	}
	if got := oggCRC(digits); got != 0x89a1897f {
		t.Errorf("oggCRC = %#08x, want 0x89a1897f", got)
	}
	if got := mp3CRC([]byte("--12--3456789"), 7); got != 0xaee7 {
		t.Errorf("mp3CRC = %#04x, want 0xaee7", got)
	}
	// Many bytes at a time, and what is left, are the same as bit by bit.
	long := make([]byte, 2000)
	for i := range long {
		long[i] = byte(i * i * 37 >> 3)
	}
	var want uint16
	for n, v := range long {
		if got := flacCRC16(long[:n]); got != want {
			t.Errorf("flacCRC16 of %d bytes = %#04x, bit by bit %#04x", n, got, want)
		}
		want ^= uint16(v) << 8
		for range 8 {
			carry := want >> 15
			want = want<<1 ^ 0x8005*carry
		}
	}
}

// A bitList reads bits one by one.
type bitList []byte

func (b *bitList) take(n uint) (v uint64) {
	for range n {
		v = v<<1 | uint64((*b)[0])
		*b = (*b)[1:]
	}
	return v
}

// TestBitReaders holds both readers to one that takes bit after bit.
func TestBitReaders(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	raw := make([]byte, 5000)
	for i := range raw {
		some, others := byte(random.Uint32()), byte(random.Uint32())
		raw[i] = some & others // zeros in the majority, so that some runs are long
	}
	clear(raw[2000:2040])
	var high, low bitList
	for _, v := range raw {
		for bit := range 8 {
			high, low = append(high, v>>(7-bit)&1), append(low, v>>bit&1)
		}
	}
	m, l := msbReader{b: raw}, lsbReader{b: raw}
	for len(high) > 2000 {
		switch n := uint(random.IntN(57)); random.IntN(4) {
		case 0:
			if got, want := m.take(n), high.take(n); got != want {
				t.Fatalf("take(%d) = %x, want %x", n, got, want)
			}
		case 1:
			n = max(n, 1)
			if got, want := m.signed(n), int64(high.take(n)<<(64-n))>>(64-n); got != want {
				t.Fatalf("signed(%d) = %d, want %d", n, got, want)
			}
		case 2:
			want := uint(0)
			for high.take(1) == 0 {
				want++
			}
			if got := m.unary(); got != want {
				t.Fatalf("unary = %d, want %d", got, want)
			}
		default:
			var got [20]int64
			k := n % 12
			for i := range got {
				got[i] = m.rice(k)
			}
			for i, v := range got {
				q := int64(0)
				for high.take(1) == 0 {
					q++
				}
				want := q<<k | int64(high.take(k))
				if want = want>>1 ^ -(want & 1); v != want {
					t.Fatalf("number %d of rice(%d) = %d, want %d", i, k, v, want)
				}
			}
		}
		if at := 8*len(raw) - len(high); m.at() != at {
			t.Fatalf("the reader is at bit %d, want %d", m.at(), at)
		}
	}
	for len(low) > 2000 {
		n := uint(random.IntN(33))
		got, want := l.take(n), uint32(0)
		for i, v := range low[:n] {
			want |= uint32(v) << i
		}
		if low = low[n:]; got != want {
			t.Fatalf("take(%d), low bits first, = %x, want %x", n, got, want)
		}
	}
	if m.over || l.over {
		t.Error("a reader says that it is over")
	}
	end := msbReader{b: []byte{0xff}}
	if got := end.take(9); got != 0 || !end.over {
		t.Errorf("9 bits of 8 are %x, over %v", got, end.over)
	}
}

// TestMP3TransformsAreTheirDefinitions: 11172-3, 2.4.3.4.10.2 and .3 (IMDCT and windows) and figure A.2 (the synthesis matrix), each a
// sum of cosines in float64.
func TestMP3TransformsAreTheirDefinitions(t *testing.T) {
	const within = 1e-12
	tables := mp3Shared()
	random := rand.New(rand.NewPCG(3, 4))
	// imdct is x[i] = Σ X[k] cos(π/2n (2i + 1 + n/2)(2k + 1)) for n values, times a window.
	imdct := func(n, i int, lines func(k int) float64) float64 {
		var sum float64
		for k := range n / 2 {
			sum += lines(k) * math.Cos(math.Pi/float64(2*n)*float64(2*i+1+n/2)*float64(2*k+1))
		}
		return sum
	}
	window := func(kind, i int) float64 {
		long, short := math.Sin(math.Pi/36*(float64(i)+0.5)), func(i int) float64 { return math.Sin(math.Pi / 12 * (float64(i) + 0.5)) }
		switch {
		case kind == 1 && i >= 30, kind == 3 && i < 6:
			return 0
		case kind == 1 && i >= 24:
			return short(i - 18)
		case kind == 1 && i >= 18, kind == 3 && i >= 12 && i < 18:
			return 1
		case kind == 3 && i < 12:
			return short(i - 6)
		}
		return long
	}
	var x [18]float64
	for i := range x {
		x[i] = random.NormFloat64()
	}
	for _, kind := range []int{0, 1, 3} {
		var y [36]float64
		tables.imdctLong(&y, &x, kind)
		for i, got := range y {
			if want := window(kind, i) * imdct(36, i, func(k int) float64 { return x[k] }); math.Abs(got-want) > within {
				t.Errorf("block type %d: value %d = %.15g, want %.15g", kind, i, got, want)
			}
		}
	}
	var y, want [36]float64
	tables.imdctShort(&y, &x)
	for w := range 3 {
		for i := range 12 {
			want[6+6*w+i] += math.Sin(math.Pi/12*(float64(i)+0.5)) * imdct(12, i, func(k int) float64 { return x[3*k+w] })
		}
	}
	for i, got := range y {
		if math.Abs(got-want[i]) > within {
			t.Errorf("short blocks: value %d = %.15g, want %.15g", i, got, want[i])
		}
	}
	var steps [32]float64
	for i := range steps {
		steps[i] = random.NormFloat64()
	}
	var v [64]float64
	tables.matrix(&v, &steps)
	for i, got := range v {
		var want float64
		for k := range 32 {
			want += math.Cos(float64(16+i)*float64(2*k+1)*math.Pi/64) * steps[k]
		}
		if math.Abs(got-want) > within {
			t.Errorf("synthesis: value %d = %.15g, want %.15g", i, got, want)
		}
	}
	for n, got := range tables.powers[mp3Most:] {
		if want := math.Pow(float64(n), 4.0/3); math.Abs(got-want) > 4e-15*want {
			t.Fatalf("%d^(4/3) = %.17g, want %.17g", n, got, want)
		}
	}
}

// TestVorbisNumbersAreTheirDefinitions: Vorbis I, 4.3.1 (the slope of the window), 9.2.2 and 9.2.3, and the table 10.1 at its ends.
func TestVorbisNumbersAreTheirDefinitions(t *testing.T) {
	s := vorbisStream{channels: 1, sizes: [2]int{64, 2048}}
	s.prepare()
	for i, n := range s.sizes {
		slope := s.blocks[i].slope
		for j, got := range slope {
			sin := math.Sin((float64(j) + 0.5) / float64(n) * math.Pi)
			if want := math.Sin(math.Pi / 2 * sin * sin); math.Abs(got-want) > 1e-15 {
				t.Errorf("slope of %d: value %d = %.17g, want %.17g", n, j, got, want)
			}
			if mirror := slope[len(slope)-1-j]; math.Abs(got*got+mirror*mirror-1) > 1e-15 {
				t.Errorf("slope of %d: the squares of value %d and its mirror are %.17g", n, j, got*got+mirror*mirror)
			}
		}
	}
	for v, want := range map[uint32]float32{0: 0, 788<<21 | 1: 1, 1<<31 | 788<<21 | 3: -3, 789<<21 | 5: 10, 787<<21 | 5: 2.5, 768<<21 | 1<<20: 1} {
		if got := unpackFloat(v); got != want {
			t.Errorf("unpackFloat(%#x) = %g, want %g", v, got, want)
		}
	}
	for entries := range 300 {
		for dims := 1; dims < 9; dims++ {
			got := rootOf(entries, dims)
			if math.Pow(float64(got), float64(dims)) > float64(entries) || math.Pow(float64(got+1), float64(dims)) <= float64(entries) {
				t.Errorf("rootOf(%d, %d) = %d", entries, dims, got)
			}
		}
	}
	decibels := vorbisDecibels()
	for i, want := range map[int]float32{0: 1.0649863e-07, 1: 1.1341951e-07, 253: 0.88168307, 254: 0.9389798, 255: 1} {
		if got := decibels[i]; math.Abs(float64(got-want)) > 7e-7*float64(want) { // the table's own rounding
			t.Errorf("decibel %d = %.9g, want %.9g", i, got, want)
		}
	}
	if r := float64(decibels[200] / decibels[199]); math.Abs(r-detmath.Exp(140.0/256/20*math.Ln10)) > 1e-6 {
		t.Errorf("a step is a factor of %g", r)
	}
}

package stats

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
)

// Values are counted in steps of 2^-149, the smallest float32, and their squares in
// steps of 2^-298: both are whole numbers. A float32 is below 2^128 and there are
// fewer than 2^64 of them, which leaves room for the sign.
const (
	valueUnit  = 149
	valueWords = 6  // 149 + 128 + 64 bits, and the sign
	squareWord = 10 // 298 + 256 + 64 bits, and the sign
)

// wide is a whole number of several words in two's complement, the lowest first.
type wide []uint64

// add adds v, of whose sign ext is the extension, shifted to the left.
func (w wide) add(v, ext uint64, shift int) {
	at, by := shift/64, uint(shift%64)
	low, high := v<<by, ext
	if by > 0 {
		high = v>>(64-by) | ext<<by
	}
	var carry uint64
	w[at], carry = bits.Add64(w[at], low, 0)
	w[at+1], carry = bits.Add64(w[at+1], high, carry)
	for i := at + 2; i < len(w) && carry+ext != 0; i++ {
		w[i], carry = bits.Add64(w[i], ext, carry)
	}
}

// plus adds a number of as many words.
func (w wide) plus(o wide) {
	var carry uint64
	for i := range w {
		w[i], carry = bits.Add64(w[i], o[i], carry)
	}
}

// number is the same as a big.Int.
func (w wide) number() *big.Int {
	b := make([]byte, 8*len(w))
	for i, word := range w {
		binary.BigEndian.PutUint64(b[len(b)-8*(i+1):], word)
	}
	n := new(big.Int).SetBytes(b)
	if w[len(w)-1]>>63 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(64*len(w))))
	}
	return n
}

// Sum is what is known of some values. The zero Sum is of none. Sums of the same
// values are equal, in whatever order and groups they were added.
type Sum struct {
	Count    uint64
	Min, Max float64 // where Count is not 0
	values   [valueWords]uint64
	squares  [squareWord]uint64
}

// Add adds the values of another sum.
func (s *Sum) Add(o *Sum) {
	if o.Count == 0 {
		return
	}
	s.seen(o.Count, o.Min, o.Max)
	wide(s.values[:]).plus(o.values[:])
	wide(s.squares[:]).plus(o.squares[:])
}

// seen counts n values from least to greatest. Which of two zeros came first is no
// matter: a bound of -0 is 0.
func (s *Sum) seen(n uint64, least, greatest float64) {
	if least == 0 {
		least = 0
	}
	if greatest == 0 {
		greatest = 0
	}
	if s.Count == 0 {
		s.Min, s.Max = least, greatest
	}
	s.Min, s.Max = min(s.Min, least), max(s.Max, greatest)
	s.Count += n
}

// whole adds an integer that no float32 is.
func (s *Sum) whole(v int32) {
	s.seen(1, float64(v), float64(v))
	wide(s.values[:]).add(uint64(int64(v)), uint64(int64(v)>>63), valueUnit)
	wide(s.squares[:]).add(uint64(int64(v)*int64(v)), 0, 2*valueUnit)
}

// Mean is the float64 next to the mean; 0 of no values.
func (s *Sum) Mean() float64 {
	if s.Count == 0 {
		return 0
	}
	steps := new(big.Int).Lsh(new(big.Int).SetUint64(s.Count), valueUnit)
	mean, _ := new(big.Rat).SetFrac(wide(s.values[:]).number(), steps).Float64()
	return mean
}

// Std is the float64 next to the standard deviation, the root of the mean square of
// the distances from the mean (NumPy's std, without ddof); 0 of no values.
func (s *Sum) Std() float64 {
	if s.Count == 0 {
		return 0
	}
	// √(n Σx² - (Σx)²) / n: the difference is exact, so nothing is lost where the mean is large.
	n := new(big.Int).SetUint64(s.Count)
	sum := wide(s.values[:]).number()
	spread := new(big.Int).Mul(n, wide(s.squares[:]).number())
	spread.Sub(spread, sum.Mul(sum, sum))
	const digits = 256
	std := new(big.Float).SetPrec(digits).SetInt(spread)
	std.Sqrt(std)
	std.Quo(std, new(big.Float).SetPrec(digits).SetInt(n.Lsh(n, valueUnit)))
	v, _ := std.Float64()
	return v
}

// encode appends the sum: its count, and if that is not 0 the bounds as binary64 and
// the two numbers, each as the zero bytes that it begins with, the bytes in use, and
// those.
func (s *Sum) encode(b []byte) []byte {
	b = binary.AppendUvarint(b, s.Count)
	if s.Count == 0 {
		return b
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Min))
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Max))
	return wide(s.squares[:]).encode(wide(s.values[:]).encode(b))
}

func (w wide) encode(b []byte) []byte {
	var all [8 * squareWord]byte
	n := 8 * len(w)
	for i, word := range w {
		binary.LittleEndian.PutUint64(all[8*i:], word)
	}
	from, to := 0, n
	for sign := byte(int8(all[n-1]) >> 7); to > 1 && all[to-1] == sign && (all[to-2]^sign)&0x80 == 0; {
		to--
	}
	for from < to-1 && all[from] == 0 {
		from++
	}
	return append(append(b, byte(from), byte(to-from)), all[from:to]...)
}

// decode reads a sum; ok is false where the bytes are none.
func (s *Sum) decode(b []byte) (rest []byte, ok bool) {
	*s = Sum{}
	n, used := binary.Uvarint(b)
	if used <= 0 || n == 0 {
		return b[max(0, used):], used > 0
	}
	if b = b[used:]; len(b) < 16 {
		return nil, false
	}
	s.Count = n
	s.Min = math.Float64frombits(binary.LittleEndian.Uint64(b))
	s.Max = math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
	if b, ok = wide(s.values[:]).decode(b[16:]); !ok {
		return nil, false
	}
	return wide(s.squares[:]).decode(b)
}

func (w wide) decode(b []byte) (rest []byte, ok bool) {
	if len(b) < 2 {
		return nil, false
	}
	from, n := int(b[0]), int(b[1])
	if b = b[2:]; n < 1 || from+n > 8*len(w) || len(b) < n {
		return nil, false
	}
	var all [8 * squareWord]byte
	copy(all[from:], b[:n])
	for i := from + n; i < 8*len(w); i++ {
		all[i] = byte(int8(b[n-1]) >> 7)
	}
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(all[8*i:])
	}
	return b[n:], true
}

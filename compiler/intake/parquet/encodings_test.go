package parquet

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// The writers below follow the format's Encodings.md, and choose at random what it
// leaves open: the kind and length of runs, the size of blocks, how much is shared.

// packBits puts numbers of a width one after the other, the lowest bit first.
func packBits(numbers []uint64, width uint) []byte {
	b := make([]byte, (uint(len(numbers))*width+7)/8)
	for i, v := range numbers {
		for k := range width {
			at := uint(i)*width + k
			b[at/8] |= byte(v>>k&1) << (at % 8)
		}
	}
	return b
}

// asRuns writes the hybrid of runs and packed groups of eight.
func asRuns(r *rand.Rand, numbers []uint64, width uint) (b []byte) {
	for len(numbers) > 0 {
		same := 1
		for same < len(numbers) && numbers[same] == numbers[0] {
			same++
		}
		if n := 1 + r.IntN(same); r.IntN(2) == 0 {
			b = binary.AppendUvarint(b, uint64(n)<<1)
			for k := range (width + 7) / 8 {
				b = append(b, byte(numbers[0]>>(8*k)))
			}
			numbers = numbers[n:]
			continue
		}
		groups := 1 + r.IntN(4)
		if groups*8 > len(numbers) {
			groups = (len(numbers) + 7) / 8 // the last one is filled up
		}
		n := min(groups*8, len(numbers))
		b = binary.AppendUvarint(b, uint64(groups)<<1|1)
		b = append(b, packBits(append(slices.Clone(numbers[:n]), make([]uint64, groups*8-n)...), width)...)
		numbers = numbers[n:]
	}
	return b
}

// asDelta writes DELTA_BINARY_PACKED.
func asDelta(r *rand.Rand, numbers []uint64) []byte {
	block, minis := 128*(1+r.IntN(3)), []int{1, 2, 4}[r.IntN(3)]
	zigzag := func(v uint64) uint64 { return v<<1 ^ -(v >> 63) }
	b := binary.AppendUvarint(nil, uint64(block))
	b = binary.AppendUvarint(b, uint64(minis))
	b = binary.AppendUvarint(b, uint64(len(numbers)))
	if len(numbers) == 0 {
		return binary.AppendUvarint(b, 0)
	}
	b = binary.AppendUvarint(b, zigzag(numbers[0]))
	for at := 1; at < len(numbers); at += block {
		var steps []uint64
		least := int64(numbers[at] - numbers[at-1])
		for i := at; i < min(at+block, len(numbers)); i++ {
			steps = append(steps, numbers[i]-numbers[i-1])
			least = min(least, int64(steps[len(steps)-1]))
		}
		b = binary.AppendUvarint(b, zigzag(uint64(least)))
		var bodies []byte
		for mini := range minis {
			size := block / minis
			part := steps[min(mini*size, len(steps)):min((mini+1)*size, len(steps))]
			var width uint
			full := make([]uint64, size)
			for i, step := range part {
				full[i] = step - uint64(least)
				width = max(width, uint(bits.Len64(full[i])))
			}
			if b = append(b, byte(width)); len(part) > 0 { // those that nobody needs have a width alone
				bodies = append(bodies, packBits(full, width)...)
			}
		}
		b = append(b, bodies...)
	}
	return b
}

func asDeltaLengths(r *rand.Rand, values [][]byte) []byte {
	var lengths []uint64
	for _, v := range values {
		lengths = append(lengths, uint64(len(v)))
	}
	return append(asDelta(r, lengths), slices.Concat(values...)...)
}

func asDeltaBytes(r *rand.Rand, values [][]byte) []byte {
	var shared []uint64
	var rests [][]byte
	var last []byte
	for _, v := range values {
		most := 0
		for most < min(len(v), len(last)) && v[most] == last[most] {
			most++
		}
		n := r.IntN(most + 1)
		shared, rests, last = append(shared, uint64(n)), append(rests, v[n:]), v
	}
	return append(asDelta(r, shared), asDeltaLengths(r, rests)...)
}

func asSplit(values [][]byte, width int) []byte {
	b := make([]byte, 0, len(values)*width)
	for i := range width {
		for _, v := range values {
			b = append(b, v[i])
		}
	}
	return b
}

func asPlain(values [][]byte, fixed bool) (b []byte) {
	for _, v := range values {
		if !fixed {
			b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		}
		b = append(b, v...)
	}
	return b
}

// numbersFor are numbers of a width: near each other, far apart, or all the same.
func numbersFor(r *rand.Rand, n int, width uint) []uint64 {
	mask := uint64(1)<<width - 1
	if width == 64 {
		mask = ^uint64(0)
	}
	list, spread := make([]uint64, n), r.IntN(int(width)+1)
	for i := range list {
		if i > 0 && r.IntN(3) > 0 {
			list[i] = list[i-1]
			continue
		}
		list[i] = r.Uint64() & mask >> spread
	}
	return list
}

func littleEndian(numbers []uint64, width int) (values [][]byte) {
	for _, v := range numbers {
		values = append(values, binary.LittleEndian.AppendUint64(nil, v)[:width:width])
	}
	return values
}

// texts are values of different lengths that often share their beginnings.
func texts(r *rand.Rand, n int) (values [][]byte) {
	last := []byte{}
	for range n {
		last = append(slices.Clone(last[:r.IntN(len(last)+1)]), bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(9))...)
		values = append(values, last)
	}
	return values
}

// TestEveryEncodingGivesBackItsValues: what the writers above write of random
// values is read as them, and a page that is cut anywhere gives the values up to
// there and then an error, never another value.
func TestEveryEncodingGivesBackItsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []struct {
		name     string
		kind     Kind
		encoding int64
		make     func(n int) (values [][]byte, page []byte)
	}{
		{"plain texts", ByteArray, encodingPlain, func(n int) ([][]byte, []byte) { v := texts(r, n); return v, asPlain(v, false) }},
		{"plain numbers", Int32, encodingPlain, func(n int) ([][]byte, []byte) {
			v := littleEndian(numbersFor(r, n, 32), 4)
			return v, asPlain(v, true)
		}},
		{"packed booleans", Boolean, encodingPlain, func(n int) ([][]byte, []byte) {
			bools := numbersFor(r, n, 1)
			return littleEndian(bools, 1), packBits(bools, 1)
		}},
		{"booleans in runs", Boolean, encodingRuns, func(n int) ([][]byte, []byte) {
			bools := numbersFor(r, n, 1)
			return littleEndian(bools, 1), asPlain([][]byte{asRuns(r, bools, 1)}, false)
		}},
		{"differences of 32 bits", Int32, encodingDelta, func(n int) ([][]byte, []byte) {
			list := numbersFor(r, n, 32)
			return littleEndian(list, 4), asDelta(r, list)
		}},
		{"differences of 64 bits, which wrap around", Int64, encodingDelta, func(n int) ([][]byte, []byte) {
			list := numbersFor(r, n, 64)
			return littleEndian(list, 8), asDelta(r, list)
		}},
		{"lengths in front", ByteArray, encodingDeltaLength, func(n int) ([][]byte, []byte) { v := texts(r, n); return v, asDeltaLengths(r, v) }},
		{"shared beginnings", ByteArray, encodingDeltaBytes, func(n int) ([][]byte, []byte) { v := texts(r, n); return v, asDeltaBytes(r, v) }},
		{"bytes apart", Double, encodingSplit, func(n int) ([][]byte, []byte) {
			v := littleEndian(numbersFor(r, n, 64), 8)
			return v, asSplit(v, 8)
		}},
		{"words of a dictionary", ByteArray, encodingDictionary, func(n int) ([][]byte, []byte) {
			width := uint(r.IntN(9))
			var values [][]byte
			places := numbersFor(r, n, width)
			for _, p := range places {
				values = append(values, binary.LittleEndian.AppendUint32(nil, uint32(p)))
			}
			return values, append([]byte{byte(width)}, asRuns(r, places, width)...)
		}},
	} {
		col := Column{Kind: c.kind, width: widths[c.kind]}
		decode := func(page []byte, n int) (decoder, error) { return col.decoderOf(c.encoding, page, int64(n)) }
		if c.encoding == encodingDictionary {
			words := littleEndian(slices.Collect(func(yield func(uint64) bool) {
				for i := range uint64(1 << 8) {
					if !yield(i) {
						return
					}
				}
			}), 4)
			d, err := newDictionary(asPlain(words, false), 0, 1<<8)
			if err != nil {
				t.Fatal(err)
			}
			decode = func(page []byte, _ int) (decoder, error) { return d.words(page) }
		}
		for round := range 40 {
			n := r.IntN(40)
			switch round % 8 {
			case 0:
				n = r.IntN(900) // over the end of a block
			case 1:
				n = 1 + 32*r.IntN(28) // up to the very end of a miniblock, or of a block
			}
			values, page := c.make(n)
			next, err := decode(page, n)
			if err != nil && n > 0 {
				t.Fatalf("%s: %d values: %v", c.name, n, err)
			}
			for i, want := range values {
				if got, err := next(); err != nil || got == nil || !bytes.Equal(got, want) {
					t.Fatalf("%s: value %d of %d = %x, %v; want %x", c.name, i, n, got, err, want)
				}
			}
			step := 1 + len(page)/64
			for cut := r.IntN(step); cut < len(page); cut += step {
				next, err := decode(page[:cut:cut], n)
				read := 0
				for err == nil && read < n {
					var got []byte
					if got, err = next(); err == nil && !bytes.Equal(got, values[read]) {
						t.Fatalf("%s: cut after byte %d of %d, value %d of %d = %x, want %x or an error", c.name, cut, len(page), read, n, got, values[read])
					}
					read++
				}
			}
		}
	}
}

// TestARunOfABooleanThatIsNeither: a repeated run has a byte for its value, of
// which a boolean takes one bit.
func TestARunOfABooleanThatIsNeither(t *testing.T) {
	next, err := runBools([]byte{2, 0, 0, 0, 2 << 1, 5})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := next(); err == nil {
		t.Errorf("the value 5 is read as %q", v)
	}
}

package codec

import (
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A flacHead is a frame's header as RFC 9639, section 9.1, describes it: codes, and the numbers that stand after them. What is zero
// takes rate and depth from STREAMINFO and says the size in 16 bits.
type flacHead struct {
	reserved, after int64 // the two reserved bits
	variable        int64
	sizeCode        int64 // 0: 7, unless reservedSize
	reservedSize    bool
	rateCode, rate  int64 // rate: in the units of the codes 12 to 14
	assignment      int64
	depthCode       int64
	number          uint64
}

// codedNumber is the number of a frame or sample in section 9.1.5: UTF-8 as it was, of up to 36 bits.
func codedNumber(n uint64) []byte {
	if n < 0x80 {
		return []byte{byte(n)}
	}
	k := 1
	for k < 6 && n >= 1<<(6+5*k) {
		k++
	}
	b := []byte{byte(0xff<<(7-k)) | byte(n>>(6*k))}
	for k--; k >= 0; k-- {
		b = append(b, 0x80|byte(n>>(6*k)&0x3f))
	}
	return b
}

// frame is the whole frame of size samples; body writes its subframes.
func (h flacHead) frame(size int, body func(w *flacWriter)) []byte {
	var w flacWriter
	if h.sizeCode == 0 && !h.reservedSize {
		h.sizeCode = 7
	}
	w.put(0x3ffe, 14)
	w.put(h.reserved, 1)
	w.put(h.variable, 1)
	w.put(h.sizeCode, 4)
	w.put(h.rateCode, 4)
	w.put(h.assignment, 4)
	w.put(h.depthCode, 3)
	w.put(h.after, 1)
	for _, v := range codedNumber(h.number) {
		w.put(int64(v), 8)
	}
	switch h.sizeCode {
	case 6:
		w.put(int64(size-1), 8)
	case 7:
		w.put(int64(size-1), 16)
	}
	switch h.rateCode {
	case 12:
		w.put(h.rate, 8)
	case 13, 14:
		w.put(h.rate, 16)
	}
	w.put(int64(flacCRC8(w.b)), 8)
	body(&w)
	for w.bits%8 != 0 {
		w.put(0, 1)
	}
	return binary.BigEndian.AppendUint16(w.b, flacCRC16(w.b))
}

// A flacCoding is one way to write a subframe (9.2): the code of its type, and what a predictor needs.
type flacCoding struct {
	code             int64 // 0 constant, 1 verbatim, 8 + order fixed, 31 + order linear
	coefficients     []int64
	precision, shift uint
	wasted           uint
	method           int64 // of the residual's parameters: 0 of four bits, 1 of five
	partitions       uint  // 2^n
	parameter        func(partition int) (rice, escaped int64)
}

// write writes the samples x of a channel that are bits wide.
func (c flacCoding) write(w *flacWriter, x []int64, bits uint) {
	w.put(c.code<<1|min(int64(c.wasted), 1), 8)
	if c.wasted > 0 {
		w.put(1, c.wasted)
	}
	bits -= c.wasted
	x = slices.Clone(x)
	for i := range x {
		x[i] >>= c.wasted
	}
	order, predict := 0, func(int) int64 { return 0 }
	switch {
	case c.code == 0:
		w.put(x[0], bits)
		return
	case c.code == 1:
		order = len(x)
	case c.code < 32:
		order = int(c.code - 8)
		predict = func(i int) (sum int64) { // x - its difference of that order
			for j, binomial := range [][]int64{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}[order] {
				sum += binomial * x[i-1-j]
			}
			return sum
		}
	default:
		order = int(c.code - 31)
		predict = func(i int) (sum int64) {
			for j, v := range c.coefficients {
				sum += v * x[i-1-j]
			}
			return sum >> c.shift
		}
	}
	for _, v := range x[:order] {
		w.put(v, bits)
	}
	if c.code == 1 {
		return
	}
	if c.code >= 32 {
		w.put(int64(c.precision-1), 4)
		w.put(int64(c.shift), 5)
		for _, v := range c.coefficients {
			w.put(v, c.precision)
		}
	}
	w.put(c.method, 2)
	w.put(int64(c.partitions), 4)
	each := len(x) >> c.partitions
	for p := range 1 << c.partitions {
		rice, escaped := int64(bits/2), int64(-1)
		if c.parameter != nil {
			rice, escaped = c.parameter(p)
		}
		w.put(rice, uint(4+c.method))
		if escaped >= 0 {
			w.put(escaped, 5)
		}
		for i := max(p*each, order); i < (p+1)*each; i++ {
			r := x[i] - predict(i)
			if escaped >= 0 {
				w.put(r, uint(escaped))
				continue
			}
			folded := uint64(r<<1 ^ r>>63)
			for range folded >> rice {
				w.put(0, 1)
			}
			w.put(1, 1)
			w.put(int64(folded), uint(rice))
		}
	}
}

// flacSignal is a slow sine with some noise, in integers of so many bits of which the lowest are wasted.
func flacSignal(n int, bits, wasted uint, seed uint64) []int64 {
	random := rand.New(rand.NewPCG(seed, 7))
	x, full := make([]int64, n), math.Exp2(float64(bits-1))
	for i := range x {
		x[i] = int64(full*(0.9*math.Sin(float64(i)/29+float64(seed))+0.03*random.Float64())) >> wasted << wasted
	}
	return x
}

// flacOf is a whole file of one frame, with the MD5 of its samples, and what it decodes to.
func flacOf(h flacHead, bits uint, codings []flacCoding, channels ...[]int64) (file []byte, want []float32) {
	n := len(channels[0])
	interleaved := md5.New()
	for i := range n {
		var sum float64
		for _, x := range channels {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], uint64(x[i]))
			interleaved.Write(b[:(bits+7)/8])
			sum += float64(x[i])
		}
		want = append(want, min(float32(sum/float64(len(channels))/math.Exp2(float64(bits-1))), belowOne))
	}
	written, widths := slices.Clone(channels), []uint{bits, bits}
	if h.assignment >= 8 { // 9.1.3
		mid, side := make([]int64, n), make([]int64, n)
		for i := range n {
			l, r := channels[0][i], channels[1][i]
			mid[i], side[i] = (l+r)>>1, l-r
		}
		switch h.assignment {
		case 8:
			written[1], widths[1] = side, bits+1
		case 9:
			written[0], widths[0] = side, bits+1
		case 10:
			written, widths[1] = [][]int64{mid, side}, bits+1
		}
	}
	file = flacFile(22050, len(channels), int(bits), int64(n), h.frame(n, func(w *flacWriter) {
		for c, x := range written {
			codings[c%len(codings)].write(w, x, widths[c%2])
		}
	}))
	copy(file[26:], interleaved.Sum(nil))
	return file, want
}

func decodesTo(t *testing.T, name string, file []byte, want []float32) {
	t.Helper()
	got, _, err := Limits{}.DecodeBytes(nil, file)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %d samples, %v; want %d with the bits that were written", name, len(got), err, len(want))
	}
}

// TestFLACSubframes: every type of section 9.2, at every width of samples, with and without wasted bits; the decoder compares the MD5
// of what it reads with that of what was written.
func TestFLACSubframes(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, bits := range []uint{4, 8, 12, 16, 20, 24, 32} {
		for _, wasted := range []uint{0, 1, 3} {
			x := flacSignal(192, bits, wasted, uint64(bits))
			codings := map[string]flacCoding{"constant": {}, "verbatim": {code: 1}}
			for order := range 5 {
				codings[fmt.Sprintf("fixed %d", order)] = flacCoding{code: int64(8 + order), partitions: uint(order), method: 1}
			}
			for _, order := range []int{1, 2, 3, 7, 8, 9, 12, 31, 32} {
				c := flacCoding{code: int64(31 + order), precision: uint(2 + random.IntN(14)), shift: uint(random.IntN(16)), method: 1}
				for range order { // small ones, so that residuals keep to 32 bits
					c.coefficients = append(c.coefficients, random.Int64N(1<<(c.precision-1))>>min(c.precision-1, 13-min(c.shift, 12))-random.Int64N(2))
				}
				codings[fmt.Sprintf("linear %d, precision %d, shift %d", order, c.precision, c.shift)] = c
			}
			for name, c := range codings {
				samples := x
				if c.code == 0 {
					samples = slices.Repeat(x[5:6], 192)
				}
				c.wasted = wasted
				c.parameter = func(int) (int64, int64) { return min(int64(bits), 30), -1 }
				file, want := flacOf(flacHead{}, bits, []flacCoding{c}, samples)
				decodesTo(t, fmt.Sprintf("%d bits, %d wasted, %s", bits, wasted, name), file, want)
			}
		}
	}
}

// TestFLACChannels: section 9.1.3, with each way to write two channels and up to eight of them; parity of a sum is in mid's lost bit.
func TestFLACChannels(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for _, bits := range []uint{4, 8, 16, 24, 32} {
		noise := func() []int64 {
			x := make([]int64, 100)
			for i := range x {
				x[i] = random.Int64N(1<<bits) - 1<<(bits-1)
			}
			x[0], x[1] = -1<<(bits-1), 1<<(bits-1)-2
			return x
		}
		ways := []flacCoding{{code: 1}, {code: 9, method: 1, parameter: func(int) (int64, int64) { return int64(min(bits, 30)), -1 }}}
		if bits == 32 {
			ways = ways[:1] // the residual of noise is wider than may be
		}
		for assignment := range int64(11) {
			channels := [][]int64{noise(), noise()}
			for int64(len(channels)) <= assignment && assignment < 8 {
				channels = append(channels, noise())
			}
			if assignment == 0 {
				channels = channels[:1]
			}
			file, want := flacOf(flacHead{assignment: assignment}, bits, ways, channels...)
			decodesTo(t, fmt.Sprintf("%d bits, assignment %d", bits, assignment), file, want)
			if len(channels) > 1 { // the MD5 tells which channel is which
				swapped, _ := flacOf(flacHead{assignment: assignment}, bits, ways, append(slices.Clone(channels[1:]), channels[0])...)
				copy(file[26:42], swapped[26:42])
				if _, _, err := (Limits{}).DecodeBytes(nil, file); !errors.Is(err, ErrCorrupt) {
					t.Errorf("%d bits, assignment %d, the MD5 of other channels: %v, want ErrCorrupt", bits, assignment, err)
				}
			}
		}
	}
}

// TestFLACResiduals: section 9.2.7 with every parameter, escapes of every width, and every number of partitions.
func TestFLACResiduals(t *testing.T) {
	x := flacSignal(64, 8, 0, 1)
	for method, last := range []int64{14, 30} {
		for rice := range last + 1 {
			file, want := flacOf(flacHead{}, 8, []flacCoding{{code: 8, method: int64(method), parameter: func(int) (int64, int64) { return rice, -1 }}}, x)
			decodesTo(t, fmt.Sprintf("method %d, parameter %d", method, rice), file, want)
		}
		for width := range int64(32) {
			samples := x
			if width < 8 {
				samples = slices.Clone(x)
				for i, v := range samples {
					samples[i] = v % (1 << max(width-1, 0))
				}
			}
			escape := func(int) (int64, int64) { return last + 1, width }
			file, want := flacOf(flacHead{}, 8, []flacCoding{{code: 8, method: int64(method), parameter: escape}}, samples)
			decodesTo(t, fmt.Sprintf("method %d, escaped in %d bits", method, width), file, want)
		}
	}
	for partitions := range uint(16) {
		samples := flacSignal(1<<max(partitions, 4), 8, 0, 2)
		order := 1 // where a partition is one sample, the first holds no residual
		mixed := func(p int) (int64, int64) {
			if p%3 == 2 {
				return 15, 9
			}
			return int64(4 + p%4), -1
		}
		file, want := flacOf(flacHead{}, 8, []flacCoding{{code: int64(8 + order), partitions: partitions, parameter: mixed}}, samples)
		decodesTo(t, fmt.Sprintf("2^%d partitions", partitions), file, want)
	}
}

// TestFLACHeaderCodes: the tables of sections 9.1.1, 9.1.2 and 9.1.4. A frame that says another rate or width than STREAMINFO is refused.
func TestFLACHeaderCodes(t *testing.T) {
	sizes := map[int64]int{1: 192, 2: 576, 3: 1152, 4: 2304, 5: 4608, 6: 256, 7: 65535,
		8: 256, 9: 512, 10: 1024, 11: 2048, 12: 4096, 13: 8192, 14: 16384, 15: 32768}
	for code, size := range sizes {
		file := flacFile(8000, 1, 16, int64(size), flacHead{sizeCode: code}.frame(size, constant(5, 16)))
		decodesTo(t, fmt.Sprintf("size code %d", code), file, slices.Repeat([]float32{5.0 / 32768}, size))
	}
	one := []float32{5.0 / 32768}
	for _, c := range []struct{ code, value, rate int64 }{{1, 0, 88200}, {2, 0, 176400}, {3, 0, 192000}, {4, 0, 8000}, {5, 0, 16000}, {6, 0, 22050},
		{7, 0, 24000}, {8, 0, 32000}, {9, 0, 44100}, {10, 0, 48000}, {11, 0, 96000}, {12, 11, 11000}, {12, 255, 255000},
		{13, 11025, 11025}, {13, 65535, 65535}, {14, 1103, 11030}, {14, 65535, 655350}} {
		frame := flacHead{rateCode: c.code, rate: c.value}.frame(1, constant(5, 16))
		decodesTo(t, fmt.Sprintf("rate code %d", c.code), flacFile(int(c.rate), 1, 16, 1, frame), one)
		if _, _, err := (Limits{}).DecodeBytes(nil, flacFile(12345, 1, 16, 1, frame)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("rate code %d in a stream of 12,345 Hz: %v, want ErrUnsupported", c.code, err)
		}
	}
	for code, bits := range map[int64]int{1: 8, 2: 12, 4: 16, 5: 20, 6: 24, 7: 32} {
		frame := flacHead{depthCode: code}.frame(1, constant(5, uint(bits)))
		decodesTo(t, fmt.Sprintf("depth code %d", code), flacFile(8000, 1, bits, 1, frame), []float32{float32(5 / math.Exp2(float64(bits-1)))})
		if _, _, err := (Limits{}).DecodeBytes(nil, flacFile(8000, 1, bits-1, 1, frame)); !errors.Is(err, ErrUnsupported) {
			t.Errorf("depth code %d in a stream of %d bits: %v, want ErrUnsupported", code, bits-1, err)
		}
	}
}

// TestFLACNumbers: frames are numbered by one, or by samples, in one to five bytes (36 bits would be days of sound).
func TestFLACNumbers(t *testing.T) {
	for name, c := range map[string]struct {
		variable int64
		sizes    []int
	}{
		"frames, two and three bytes":          {0, slices.Repeat([]int{16}, 2100)},
		"samples, blocks of any size":          {1, []int{16, 4096, 17, 300, 65535, 1, 65536, 20, 900, 65000}},
		"samples, four and five bytes at last": {1, slices.Repeat([]int{65536}, 34)},
	} {
		var frames [][]byte
		at := 0
		for i, size := range c.sizes {
			number := i
			if c.variable == 1 {
				number = at
			}
			frames = append(frames, flacHead{variable: c.variable, number: uint64(number)}.frame(size, constant(3, 16)))
			at += size
		}
		decodesTo(t, name, flacFile(8000, 1, 16, int64(at), frames...), slices.Repeat([]float32{3.0 / 32768}, at))
		if _, _, err := (Limits{}).DecodeBytes(nil, flacFile(8000, 1, 16, 0, slices.Delete(frames, 5, 6)...)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s, the sixth frame missing: %v, want ErrCorrupt", name, err)
		}
	}
}

// TestReservedFLACIsRefused: what section 5 calls reserved, and what cannot be, in frames whose checksums are right.
func TestReservedFLACIsRefused(t *testing.T) {
	predictor := func(code int64, rest func(w *flacWriter)) func(w *flacWriter) {
		return func(w *flacWriter) { w.put(code<<1, 8); rest(w) }
	}
	// linear is a predictor of order 1 over 16 samples: a 3, a coefficient of 0, and residuals of 0.
	linear := func(precision, shift int64) func(w *flacWriter) {
		return predictor(32, func(w *flacWriter) {
			w.put(3, 16)
			w.put(precision, 4)
			w.put(shift, 5)
			w.put(0, uint(precision)+1)
			w.put(0, 2+4+4)
			w.put(-1, 15)
		})
	}
	residual := func(method, partitions int64) func(w *flacWriter) {
		return predictor(10, func(w *flacWriter) {
			w.put(0, 32)
			w.put(method, 2)
			w.put(partitions, 4)
			w.put(-1, 64)
			w.put(-1, 64)
		})
	}
	plain := constant(1, 16)
	bad := map[string][]byte{
		"reserved bit after the sync":       flacHead{reserved: 1}.frame(16, plain),
		"reserved bit after the depth":      flacHead{after: 1}.frame(16, plain),
		"size code 0":                       flacHead{reservedSize: true}.frame(16, plain),
		"rate code 15":                      flacHead{rateCode: 15}.frame(16, plain),
		"depth code 3":                      flacHead{depthCode: 3}.frame(16, plain),
		"a bit before the type":             flacHead{}.frame(16, func(w *flacWriter) { w.put(0x80, 8); w.put(1, 16) }),
		"precision code 15":                 flacHead{}.frame(16, linear(15, 0)),
		"negative shift":                    flacHead{}.frame(16, linear(7, -1)),
		"lowest shift":                      flacHead{}.frame(16, linear(7, -16)),
		"method 2 of the residual":          flacHead{}.frame(16, residual(2, 0)),
		"method 3 of the residual":          flacHead{}.frame(16, residual(3, 0)),
		"16 samples in 32 partitions":       flacHead{}.frame(16, residual(0, 5)),
		"17 samples in two partitions":      flacHead{}.frame(17, residual(0, 1)),
		"a partition shorter than order 2":  flacHead{}.frame(16, residual(0, 4)),
		"an order above the block's size":   flacHead{}.frame(3, predictor(12, func(w *flacWriter) { w.put(0, 64); w.put(0, 10); w.put(-1, 32) })),
		"wasted bits, none left":            flacHead{}.frame(16, func(w *flacWriter) { w.put(1, 8); w.put(1, 16); w.put(0, 16) }),
		"more wasted bits than the samples": flacHead{}.frame(16, func(w *flacWriter) { w.put(1, 8); w.put(1, 40); w.put(0, 16) }),
		"a number that begins with 10":      slices.Concat([]byte{0xff, 0xf8, 0x60, 0, 0x80, 15, flacCRC8([]byte{0xff, 0xf8, 0x60, 0, 0x80, 15})}, make([]byte, 20)),
	}
	for assignment := int64(11); assignment < 16; assignment++ {
		bad[fmt.Sprintf("channel assignment %d", assignment)] = flacHead{assignment: assignment}.frame(16, func(w *flacWriter) { plain(w); plain(w) })
	}
	for code := range int64(32) {
		if code > 1 && code < 8 || code > 12 {
			bad[fmt.Sprintf("subframe type %d", code)] = flacHead{}.frame(16, predictor(code, func(w *flacWriter) { w.put(0, 48); w.put(0, 10); w.put(-1, 64) }))
		}
	}
	for name, frame := range bad {
		pcm, _, err := Limits{}.DecodeBytes(nil, flacFile(8000, 1, 16, 0, frame))
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %d samples, %v; want it refused", name, len(pcm), err)
		}
	}
	if _, _, err := (Limits{}).DecodeBytes(nil, flacFile(8000, 1, 16, 0, flacHead{}.frame(16, linear(7, 0)))); err != nil {
		t.Errorf("the predictor that the reserved ones are like: %v", err)
	}
}

// TestFLACMetadata: section 8. Blocks that nothing is taken of are passed, of any type, and STREAMINFO is believed where the frames agree.
func TestFLACMetadata(t *testing.T) {
	frame := flacHead{}.frame(16, constant(4, 16))
	file := flacFile(8000, 1, 16, 16, frame)
	head, want := file[:42], slices.Repeat([]float32{4.0 / 32768}, 16)
	head[4] = 0 // not the last block
	block := func(kind byte, n int) []byte {
		return append([]byte{kind, 0, byte(n >> 8), byte(n)}, make([]byte, n)...)
	}
	for kind := range byte(127) {
		if kind != 0 {
			decodesTo(t, fmt.Sprintf("a block of type %d", kind), slices.Concat(head, block(kind, 300), block(0x80|kind, 0), frame), want)
		}
	}
	for name, between := range map[string][]byte{
		"a second STREAMINFO":              append([]byte{0x80}, head[5:]...),
		"a block of type 127":              block(0xff, 10),
		"no last block":                    block(1, 10),
		"a block that is longer than said": append(block(0x81, 10), 0),
		"a block that goes past the end":   {0x84, 0xff, 0xff, 0xff},
	} {
		if _, _, err := (Limits{}).DecodeBytes(nil, slices.Concat(head, between, frame)); err == nil {
			t.Errorf("%s is read as if it were right", name)
		}
	}
}

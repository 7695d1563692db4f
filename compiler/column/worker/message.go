package worker

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"

	"voxpack/store"
)

// A Row is what a worker is told of one row. What the column does not read is empty.
type Row struct {
	ID     string
	PCM    []byte // samples at Config.Rate: float32, little-endian; memory of Pool.Samples is sent to nobody
	Text   string
	Tokens []int32

	held   part // of the pool's memory, until the row is answered
	shared bool // PCM is what is held
}

// An Array is a row's value: little-endian, the last dimension's neighbours side by side.
type Array struct {
	Shape []int
	Bytes []byte
}

// hello is the first frame's JSON.
type hello struct {
	Protocol int    `json:"protocol"`
	Column   string `json:"column"`
	Version  string `json:"version"`
	DType    string `json:"dtype"`
	Shape    []int  `json:"shape"`
	Shorter  bool   `json:"shorter"` // the first dimension may be less
	Rate     int    `json:"rate"`    // Hz of the samples; 0: none are sent
	Batch    int    `json:"batch"`   // rows at most
	Memory   *seen  `json:"memory,omitempty"`
}

// ready is the JSON of the answer. Version is that of the program, "" for one that does not care.
// Memory says that it sees the memory that the hello named.
type ready struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Memory   bool   `json:"memory"`
}

// The words of a result's second number.
const (
	answerArray  = 0
	answerFailed = 1
)

// What a row's fifth number says of its samples.
const (
	samplesHere  = 4 // they follow, in 4 bytes each
	samplesThere = 0 // their place in the memory that both see follows, a u64
)

// appendRow appends a row of a batch, without samples that follow: u32 bytes of id, of text, u32 tokens,
// samples, where they are; id; text; zeros to a multiple of 4; tokens.
func appendRow(dst []byte, r *Row, there bool) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.ID)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Text)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.Tokens)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(r.PCM)/4))
	where := uint32(samplesHere)
	if there {
		where = samplesThere
	}
	dst = binary.LittleEndian.AppendUint32(dst, where)
	dst = append(append(dst, r.ID...), r.Text...)
	dst = append(dst, make([]byte, -(len(r.ID)+len(r.Text))&3)...)
	for _, t := range r.Tokens {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(t))
	}
	if there {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(r.held.at))
	}
	return dst
}

// rowBytes is what a row takes in a batch.
func rowBytes(r *Row, there bool) int {
	text := len(r.ID) + len(r.Text)
	n := 20 + text + -text&3 + 4*len(r.Tokens)
	if there {
		return n + 8
	}
	return n + len(r.PCM)
}

// writeBatch writes a batch: u32 its number, u32 rows, rows. sees: the worker sees the pool's memory.
func writeBatch(w io.Writer, number uint32, rows []*Row, sees bool) error {
	size := 8
	for _, r := range rows {
		size += rowBytes(r, sees && r.shared)
	}
	head := putHeader(nil, kindBatch, size)
	head = binary.LittleEndian.AppendUint32(head, number)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(rows)))
	for _, r := range rows {
		there := sees && r.shared
		if head = appendRow(head, r, there); there || len(r.PCM) == 0 {
			continue
		}
		if _, err := w.Write(head); err != nil {
			return err
		}
		if _, err := w.Write(r.PCM); err != nil {
			return err
		}
		head = head[:0]
	}
	_, err := w.Write(head)
	return err
}

func writeHello(w io.Writer, h hello) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	_, err = w.Write(append(putHeader(nil, kindHello, len(text)), text...))
	return err
}

// answer is a frame of a worker, read.
type answer struct {
	kind   frameKind
	ready  ready
	text   string // of a failed row, of a fault
	batch  uint32
	row    uint32
	failed bool
	array  Array
	dtype  string
	excess bool // the array is larger than the column's; its bytes were passed over
}

// readAnswer reads one frame. An array takes at most arrayBytes of memory.
func readAnswer(r io.Reader, arrayBytes int) (*answer, error) {
	kind, size, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if size > maxDiscard {
		return nil, stray("a frame of %d bytes", size)
	}
	a := &answer{kind: kind}
	switch kind {
	case kindReady, kindFault:
		text, err := readBytes(r, size, maxTextBytes)
		if err == nil && kind == kindReady {
			if json.Unmarshal(text, &a.ready) != nil {
				err = stray("its first frame is no JSON")
			}
		}
		a.text = oneLine(string(text))
		return a, err
	case kindResult:
		return a, a.readResult(r, size, arrayBytes)
	default:
		return nil, stray("a frame of kind %d", kind)
	}
}

// readResult: u32 batch, u32 row, u32 what it is, then either text, or the dtype's
// name in 4 bytes (zeros behind it), u32 dimensions, u32 each, and the bytes.
func (a *answer) readResult(r io.Reader, size uint64, arrayBytes int) error {
	if size < 12 {
		return stray("a result of %d bytes", size)
	}
	head, err := readBytes(r, 12, 12)
	if err != nil {
		return err
	}
	a.batch, a.row = binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	size -= 12
	switch what := binary.LittleEndian.Uint32(head[8:]); what {
	case answerFailed:
		text, err := readBytes(r, size, maxTextBytes)
		a.failed, a.text = true, oneLine(string(text))
		return err
	case answerArray:
		return a.readArray(r, size, arrayBytes)
	default:
		return stray("a result of kind %d", what)
	}
}

func (a *answer) readArray(r io.Reader, size uint64, arrayBytes int) error {
	if size < 8 {
		return stray("an array of %d bytes", size)
	}
	head, err := readBytes(r, 8, 8)
	if err != nil {
		return err
	}
	a.dtype = strings.TrimRight(string(head[:4]), "\x00")
	n := binary.LittleEndian.Uint32(head[4:])
	if size -= 8; n > maxDims || size < 4*uint64(n) {
		return stray("an array of %d dimensions", n)
	}
	dims, err := readBytes(r, 4*uint64(n), 4*maxDims)
	if err != nil {
		return err
	}
	for i := range int(n) {
		a.array.Shape = append(a.array.Shape, int(binary.LittleEndian.Uint32(dims[4*i:])))
	}
	if size -= 4 * uint64(n); size > uint64(arrayBytes) {
		a.excess = true
		_, err := io.CopyN(io.Discard, r, int64(size))
		return unexpected(err)
	}
	a.array.Bytes, err = readBytes(r, size, arrayBytes)
	return err
}

// readBytes takes no memory for more than most bytes.
func readBytes(r io.Reader, size uint64, most int) ([]byte, error) {
	if size > uint64(most) {
		return nil, stray("a frame of %d bytes, where %d are the most", size, most)
	}
	b := make([]byte, size)
	_, err := io.ReadFull(r, b)
	return b, unexpected(err)
}

// unexpected is the error of an end within a frame.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// check is what is wrong with an array for a column; nil: nothing.
func (a *answer) check(c *Config) *Refusal {
	want := slices.Clone(c.Shape)
	if c.Shorter && len(a.array.Shape) == len(want) {
		want[0] = min(want[0], a.array.Shape[0])
	}
	switch {
	case a.dtype != c.DType.String():
		return &Refusal{Cause: WrongType, Reason: fmt.Sprintf("an array of %q, want %s", a.dtype, c.DType)}
	case !slices.Equal(a.array.Shape, want):
		return &Refusal{Cause: WrongShape, Reason: fmt.Sprintf("an array of shape %v, want %s", a.array.Shape, c.shape())}
	}
	bytes := c.DType.Size()
	for _, n := range want {
		bytes *= n
	}
	if a.excess || len(a.array.Bytes) != bytes {
		return &Refusal{Cause: WrongShape, Reason: fmt.Sprintf("an array of shape %v with other than %d bytes", a.array.Shape, bytes)}
	}
	if i, ok := notFinite(c.DType, a.array.Bytes); ok {
		return &Refusal{Cause: NotFinite, Reason: fmt.Sprintf("value %d of the array is NaN or infinite", i)}
	}
	return nil
}

// notFinite finds the first NaN or infinity: all bits of the exponent are set.
func notFinite(t store.DType, b []byte) (at int, found bool) {
	var exponent uint32
	switch t {
	case store.Float32:
		for i := 0; i+4 <= len(b); i += 4 {
			if v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))); v-v != 0 {
				return i / 4, true
			}
		}
		return 0, false
	case store.Float16:
		exponent = 0x7c00
	case store.BFloat16:
		exponent = 0x7f80
	default:
		return 0, false
	}
	for i := 0; i+2 <= len(b); i += 2 {
		if uint32(binary.LittleEndian.Uint16(b[i:]))&exponent == exponent {
			return i / 2, true
		}
	}
	return 0, false
}

// oneLine is text as a message may quote it: one line of at most 300 bytes, without control characters.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if most := 300; len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " …"
	}
	return s
}

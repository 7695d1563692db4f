package datatest

import (
	"fmt"

	"voxpack/store"
)

// The shape of the made-up corpus: a few frames of a narrow mel, every column of a real one.
const (
	Tokens   = 5
	Frames   = 8
	Mels     = 3
	PerShard = 4 // K
)

// Schema is that of the made-up corpus.
var Schema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{Tokens}},
	{Name: "mel", DType: store.Float32, Shape: []int{Frames, Mels}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
	{Name: "speaker", DType: store.Int32},
	{Name: "language", DType: store.Int32},
}

// Sample is a row of the made-up corpus; what it holds follows from its id.
type Sample struct {
	ID                        string
	MelLen, Speaker, Language int32
	Spoilt                    string // a column whose bytes are not those of its checksum
}

// WideSchema has blocks of more than 1 KiB, which come mapped and not as copies.
var WideSchema = store.Schema{
	{Name: "tokens", DType: store.Int32, Shape: []int{200}},
	{Name: "mel", DType: store.Float32, Shape: []int{80, 16}},
	{Name: "text_len", DType: store.Int32},
	{Name: "mel_len", DType: store.Int32},
}

// Samples makes n rows, ids r0000 and on.
func Samples(n int) []Sample {
	list := make([]Sample, n)
	for i := range list {
		list[i] = Numbered(i)
	}
	return list
}

// Numbered is the row with a number.
func Numbered(i int) Sample {
	return Sample{ID: fmt.Sprintf("r%04d", i), MelLen: int32(1 + i%Frames), Speaker: int32(i % 3), Language: int32(i % 2)}
}

// Name is the row's id.
func (s Sample) Name() string { return s.ID }

// Spoils says of which column the stored bytes are not those of the checksum.
func (s Sample) Spoils(column string) bool { return s.Spoilt == column }

// Bytes is what the row has in a block column: never zero where it is real.
func (s Sample) Bytes(c store.Column) []byte {
	b := make([]byte, c.SampleBytes())
	real := len(b)
	if c.Name == "mel" {
		real = int(s.MelLen) * c.RowBytes()
	}
	x := store.Place(s.ID) | 1
	for i := range real {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x>>56) | 1
	}
	return b
}

// Scalar is what the row has in an inline column.
func (s Sample) Scalar(column string) int32 {
	switch column {
	case "mel_len":
		return s.MelLen
	case "speaker":
		return s.Speaker
	case "language":
		return s.Language
	}
	return Tokens
}

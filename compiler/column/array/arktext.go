package array

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// textReader reads words of Kaldi's text form, where a line's end, a bracket and a
// semicolon are words of their own.
type textReader struct {
	r  *bufio.Reader
	at int64 // bytes read
}

// maxWord bounds a number as text.
const maxWord = 400

func (in *input) words(begin int64) *textReader {
	return &textReader{r: bufio.NewReader(io.NewSectionReader(in.r, begin, max(in.size-begin, 0)))}
}

// next is the next word, "" at the end.
func (t *textReader) next() (string, error) {
	var word []byte
	for {
		c, err := t.r.ReadByte()
		if err == io.EOF {
			return string(word), nil
		}
		if err != nil {
			return "", err
		}
		t.at++
		switch c {
		case '[', ']', ';', '\n':
			if len(word) > 0 {
				t.at--
				return string(word), t.r.UnreadByte()
			}
			return string(c), nil
		case ' ', '\t', '\r', '\v', '\f':
			if len(word) > 0 {
				return string(word), nil
			}
		default:
			if word = append(word, c); len(word) > maxWord {
				return "", fmt.Errorf("%.20q is no number", word)
			}
		}
	}
}

// textEnd is the place after an object in text: after the bracket that closes it and
// the end of that line, or without brackets after its line.
func (in *input) textEnd(begin int64) (int64, error) {
	t := in.words(begin)
	word, err := t.next()
	if err != nil {
		return 0, err
	}
	end := "\n"
	if word == "[" {
		end = "]"
	}
	for word != end {
		if word, err = t.next(); err != nil {
			return 0, err
		}
		if word == "" && end == "]" {
			return 0, errors.New("its bracket is not closed")
		}
		if word == "" {
			return begin + t.at, nil
		}
	}
	for end == "]" {
		c, err := t.r.ReadByte()
		if err == io.EOF || err == nil && c == '\n' {
			return begin + t.at + 1, nil
		}
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\r' {
			return begin + t.at, nil
		}
		t.at++
	}
	return begin + t.at, nil
}

// text reads an object in text. In brackets stand numbers with a point: a vector, if no
// line ends before them (as Kaldi writes one), else a matrix of as many rows as lines.
// Without brackets, numbers to the end of the line.
func (in *input) text(begin int64) (*Array, error) {
	if begin >= in.size {
		return nil, errShort
	}
	t := in.words(begin)
	word, err := t.next()
	if err != nil {
		return nil, err
	}
	if word != "[" {
		return in.line(t, word)
	}
	a := &Array{DType: Float64}
	rows, cols, row, matrix := 0, 0, 0, false
	for {
		if word, err = t.next(); err != nil {
			return nil, err
		}
		switch word {
		case "":
			return nil, errors.New("its bracket is not closed")
		case "\n", ";", "]":
			matrix = matrix || word != "]"
			if row > 0 {
				if rows > 0 && row != cols {
					return nil, fmt.Errorf("row %d has %d values, those before it have %d", rows, row, cols)
				}
				rows, cols, row = rows+1, row, 0
			}
			if word != "]" {
				continue
			}
			if a.Shape = []int{cols}; matrix {
				a.Shape = []int{rows, cols}
			}
			return a, nil
		}
		bits, err := realBits(word)
		if err != nil {
			return nil, err
		}
		if a.Data = binary.LittleEndian.AppendUint64(a.Data, bits); int64(len(a.Data)) > in.most {
			return nil, in.tooLong()
		}
		row++
	}
}

// line reads the numbers of a line from its first word on: integers, unless there is a
// point in one.
func (in *input) line(t *textReader, word string) (*Array, error) {
	a := &Array{DType: Int64, Shape: []int{0}}
	for ; word != "" && word != "\n"; a.Shape[0]++ {
		v, err := strconv.ParseInt(word, 10, 64)
		bits := uint64(v)
		if err != nil || a.DType == Float64 {
			if a, err = a.Convert(Float64); err != nil {
				return nil, err
			}
			if bits, err = realBits(word); err != nil {
				return nil, err
			}
		}
		if a.Data = binary.LittleEndian.AppendUint64(a.Data, bits); int64(len(a.Data)) > in.most {
			return nil, in.tooLong()
		}
		if word, err = t.next(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// realBits reads a number with a point, an infinity or NaN.
func realBits(word string) (uint64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || strings.ContainsAny(word, "xXpP_") { // of Go alone
		return 0, fmt.Errorf("%.20q is no number", word)
	}
	return math.Float64bits(v), nil
}

func (in *input) tooLong() error {
	return fmt.Errorf("it takes more than the %d MiB that are read at once", in.most>>20)
}

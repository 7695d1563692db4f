package array

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Place is where a line of a scp file says that an array is.
type Place struct {
	Name string
	File string // as it is written
	at   int64
	part []span // of its rows and columns; none: all
}

// span is the first and the last index of an axis.
type span struct{ first, last int }

// maxLine bounds a line of a scp file.
const maxLine = 64 << 10

// Places reads a scp file of Kaldi: lines of a name, a space and the path of a file,
// perhaps with the place in it (feats.ark:1042) and the rows and columns (feats.ark:1042[0:9,3:5],
// first and last; kaldi-asr.org/doc/io.html). A command, which Kaldi would run, is refused.
func Places(r io.Reader) ([]Place, error) {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxLine)
	var places []Place
	for n := 1; s.Scan(); n++ {
		name, rest, _ := strings.Cut(strings.Replace(strings.TrimSpace(s.Text()), "\t", " ", 1), " ")
		p := Place{Name: name}
		if err := p.parse(strings.TrimSpace(rest)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		places = append(places, p)
	}
	return places, s.Err()
}

func (p *Place) parse(s string) error {
	switch {
	case s == "":
		return errors.New("it is no name and path")
	case strings.HasSuffix(s, "|") || strings.HasPrefix(s, "|"):
		return errors.New("a command, which is not run here; write what it prints to a file first and name that file")
	}
	if rest, in := strings.CutSuffix(s, "]"); in {
		file, axes, found := strings.Cut(rest, "[")
		if !found {
			return fmt.Errorf("%.40q is no range of rows and columns", s)
		}
		for axis := range strings.SplitSeq(axes, ",") {
			one, err := parseSpan(axis)
			if err != nil || len(p.part) == 2 {
				return fmt.Errorf("[%.40s] is no range of rows and columns", axes)
			}
			p.part = append(p.part, one)
		}
		s = file
	}
	p.File = s
	if colon := strings.LastIndexByte(s, ':'); colon > 0 {
		if at, err := strconv.ParseUint(s[colon+1:], 10, 62); err == nil {
			p.File, p.at = s[:colon], int64(at)
		}
	}
	return nil
}

// parseSpan reads first:last; a colon alone is all, whose last is -1.
func parseSpan(s string) (span, error) {
	if s == ":" {
		return span{0, -1}, nil
	}
	first, last, _ := strings.Cut(s, ":")
	a, err := strconv.ParseUint(first, 10, 31)
	if err != nil {
		return span{}, err
	}
	b, err := strconv.ParseUint(last, 10, 31)
	if err == nil && b < a {
		err = strconv.ErrRange
	}
	return span{int(a), int(b)}, err
}

// Read reads the array of a place from its file, which the caller opens.
func (p Place) Read(r io.ReaderAt, size int64) (*Array, error) {
	a, err := (&input{r: r, size: size, most: MaxBytes}).object(p.at)
	if err != nil {
		return nil, fmt.Errorf("byte %d: %w", p.at, err)
	}
	return a.cut(p.part)
}

// beyond is how far the last row of a range may lie behind the end: Kaldi allows as much,
// since the lengths of segments are rounded (kaldi-holder.cc, length_tolerance).
const beyond = 3

// cut is a part of a vector or of a matrix.
func (a *Array) cut(part []span) (*Array, error) {
	if len(part) == 0 {
		return a, nil
	}
	if len(part) > len(a.Shape) {
		return nil, fmt.Errorf("a range of %d axes of %v", len(part), a)
	}
	out := &Array{DType: a.DType, Shape: append([]int{}, a.Shape...)}
	begin := make([]int, len(a.Shape))
	for i, s := range part {
		n := a.Shape[i]
		if s.last < 0 {
			s.last = n - 1
		}
		if s.first > s.last && n > 0 || s.last >= n+beyond || i > 0 && s.last >= n || s.first > n {
			return nil, fmt.Errorf("a range from %d to %d of %v", s.first, s.last, a)
		}
		begin[i], out.Shape[i] = s.first, min(s.last, n-1)-s.first+1
	}
	row, width, skip := a.DType.Size(), a.DType.Size(), 0
	if len(a.Shape) == 2 {
		row, width, skip = row*a.Shape[1], width*out.Shape[1], width*begin[1]
	}
	for i := range out.Shape[0] {
		at := (begin[0]+i)*row + skip
		out.Data = append(out.Data, a.Data[at:at+width]...)
	}
	return out, nil
}

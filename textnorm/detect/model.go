package detect

import (
	"bytes"
	"cmp"
	"compress/flate"
	_ "embed" // the model
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

//go:embed model.bin
var modelFile []byte

// lanes is how many classes one machine word of a row carries. A weight has
// one byte, so that maxSum rows add up without touching the next lane.
const (
	lanes  = 4
	maxSum = 256
)

// model tells the languages of one group apart: the class with the largest sum
// of weights over all features wins.
type model struct {
	group
	words int      // machine words a row
	rows  []uint64 // 1<<bits rows; four weights of 16 bits in each word, 128 is none
	bias  []int32
	scale float64 // what one step of a weight is worth in natural logarithm
}

const modelMagic = "voxdet01"

// Weights are what training found for one group, before they are packed.
type Weights struct {
	Values [][]int8 // row, class
	Bias   []int32
	Scale  float64
}

// Encode writes the model file that New reads.
func Encode(all []Weights) ([]byte, error) {
	var file bytes.Buffer
	file.WriteString(modelMagic)
	z, err := flate.NewWriter(&file, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	write := func(v any) {
		if err == nil {
			err = binary.Write(z, binary.LittleEndian, v)
		}
	}
	for _, w := range all {
		// A fixed point with 20 bits, so that the file holds whole numbers only.
		write(int32(w.Scale * (1 << 20)))
		write(w.Bias)
		// Class by class: equal neighbours compress.
		for class := range w.Bias {
			for _, row := range w.Values {
				write(row[class])
			}
		}
	}
	err = cmp.Or(err, z.Close())
	return file.Bytes(), err
}

// decode reads a model file.
func decode(file []byte) ([]*model, error) {
	body, ok := bytes.CutPrefix(file, []byte(modelMagic))
	if !ok {
		return nil, errors.New("model of the language detector: not a model file")
	}
	r := flate.NewReader(bytes.NewReader(body))
	var models []*model
	for _, g := range groups {
		m := &model{group: g, words: (len(g.codes) + lanes - 1) / lanes, bias: make([]int32, len(g.codes))}
		if err := m.read(r); err != nil {
			return nil, fmt.Errorf("model of the language detector: %v: %w", g.codes, err)
		}
		models = append(models, m)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return nil, errors.New("model of the language detector: made for other groups")
	}
	return models, nil
}

// read reads a group's part of the file: scale, biases and, class by class, the
// weights. The order is that of Encode.
func (m *model) read(r io.Reader) error {
	var steps int32
	if err := binary.Read(r, binary.LittleEndian, &steps); err != nil {
		return err
	}
	m.scale = float64(steps) / (1 << 20)
	if err := binary.Read(r, binary.LittleEndian, m.bias); err != nil {
		return err
	}
	m.rows = make([]uint64, m.words<<m.bits)
	column := make([]byte, 1<<m.bits)
	for class := range m.codes {
		if _, err := io.ReadFull(r, column); err != nil {
			return err
		}
		for row, w := range column {
			m.rows[row*m.words+class/lanes] |= uint64(int(int8(w))+128) << (16 * (class % lanes))
		}
	}
	return nil
}

// sums are the weights of a text's features, by class.
type sums struct {
	m      *model
	packed [4]uint64
	pended int // features in packed
	total  [4 * lanes]int64
}

// add sums rows of the table up, and empties the lanes before they can run over.
func (s *sums) add(rows []uint32) {
	for len(rows) > 0 {
		n := min(len(rows), maxSum-s.pended)
		for _, row := range rows[:n] {
			at := int(row) * s.m.words
			for i, w := range s.m.rows[at : at+s.m.words] {
				s.packed[i] += w
			}
		}
		rows = rows[n:]
		if s.pended += n; s.pended == maxSum {
			s.flush()
		}
	}
}

// flush adds the lanes to the totals, and takes off the 128 by which each weight was
// raised to be no negative number.
func (s *sums) flush() {
	for class := range s.m.codes {
		lane := s.packed[class/lanes] >> (16 * (class % lanes)) & 0xFFFF
		s.total[class] += int64(lane) - 128*int64(s.pended)
	}
	s.packed, s.pended = [4]uint64{}, 0
}

// modelOf finds the model of a script, nil where one language has it alone.
func (d *Detector) modelOf(s script) *model {
	for _, m := range d.models {
		if m.script == s {
			return m
		}
	}
	return nil
}

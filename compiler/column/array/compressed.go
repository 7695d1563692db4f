package array

import (
	"encoding/binary"
	"math"
)

// compressedSize is the bytes of a compressed matrix after its front.
func compressedSize(token string, rows, cols int) int64 {
	r, c := int64(rows), int64(cols)
	switch token {
	case "CM":
		return c * (8 + r)
	case "CM2":
		return 2 * r * c
	}
	return r * c
}

// decompress makes a matrix of float32 of Kaldi's compressed ones (compressed-matrix.cc,
// CopyToMat). Each step is rounded where the C++ code rounds it, and none is fused: the
// bits are those of Kaldi.
//
// CM has for each column four values at its 0th, 25th, 75th and 100th percentile, in 16
// bits of the range, and then column by column a byte for each value, which divides the
// spans between them. CM2 and CM3 have 16 and 8 bits of the range, row by row.
func decompress(token string, least, span float32, data []byte, rows, cols int) *Array {
	a := &Array{DType: Float32, Shape: []int{rows, cols}, Data: make([]byte, 4*rows*cols)}
	set := func(row, col int, v float32) {
		binary.LittleEndian.PutUint32(a.Data[4*(row*cols+col):], math.Float32bits(v))
	}
	switch token {
	case "CM2", "CM3":
		width, top := 2, 65535.0
		if token == "CM3" {
			width, top = 1, 255
		}
		step := float32(float64(span) * (1 / top))
		for i := range rows * cols {
			set(0, i, least+float32(float32(get(data[width*i:], width))*step))
		}
	default:
		bytesOfColumns := data[8*cols:]
		for col := range cols {
			var p [4]float32 // the percentiles
			for i := range p {
				v := binary.LittleEndian.Uint16(data[8*col+2*i:])
				p[i] = least + float32(float32(span*1.52590218966964e-05)*float32(v)) // the constant is 1/65535
			}
			for row := range rows {
				set(row, col, between(p, bytesOfColumns[col*rows+row]))
			}
		}
	}
	return a
}

// between is the value of a byte: 0 to 64 lie between the first two percentiles, up to
// 192 between the next, up to 255 between the last.
func between(p [4]float32, v byte) float32 {
	low, high, from, over := p[0], p[1], byte(0), 1/64.0
	switch {
	case v > 192:
		low, high, from, over = p[2], p[3], 192, 1/63.0
	case v > 64:
		low, high, from, over = p[1], p[2], 64, 1/128.0
	}
	return float32(float64(low) + float64(float64(float32((high-low)*float32(v-from)))*over))
}

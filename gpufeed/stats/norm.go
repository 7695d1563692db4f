package stats

import (
	"encoding/binary"
	"fmt"
	"math"

	"voxpack/audio"
	"voxpack/store"
)

// The ways of normalising a column.
const (
	ByColumn = "stats" // by the mean and the deviation of the column, as Matcha-TTS does
	ByBand   = "bands" // by those of each band
)

// Norm takes the mean from the steps of a column and divides by the deviation, in
// float32: (x - mean) / std. What has no deviation is divided by 1.
type Norm struct {
	dtype     store.DType
	mean, std []float32 // by place in a step
}

// Norm is the norm of a column by its statistics.
func (s *Stats) Norm(how string, c store.Column) (*Norm, error) {
	if how != ByColumn && how != ByBand {
		return nil, fmt.Errorf("norm %q: want %s or %s", how, ByColumn, ByBand)
	}
	known := s.Column(c.Name)
	if known == nil || known.Count == 0 {
		return nil, fmt.Errorf("the dataset has no values of %s to make statistics of", c.Name)
	}
	n := &Norm{dtype: c.DType}
	for i := range c.RowBytes() / c.DType.Size() {
		v := known.Value
		if how == ByBand && len(known.Bands) > 0 {
			v = known.Bands[i]
		}
		std := float32(v.Std)
		if std == 0 {
			std = 1
		}
		n.mean, n.std = append(n.mean, float32(v.Mean)), append(n.std, std)
	}
	return n, nil
}

// Put writes steps of src into dst, normalised. Of both it takes whole steps.
func (n *Norm) Put(dst, src []byte) {
	wide := len(n.mean) * n.dtype.Size()
	for ; len(src) >= wide; dst, src = dst[wide:], src[wide:] {
		if n.dtype == store.Float32 {
			n.step(dst[:wide], src[:wide])
		} else {
			n.half(dst[:wide], src[:wide])
		}
	}
}

func (n *Norm) step(dst, src []byte) {
	mean, std := n.mean, n.std[:len(n.mean)]
	for i := range mean {
		v := math.Float32frombits(binary.LittleEndian.Uint32(src[4*i : 4*i+4]))
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4], math.Float32bits((v-mean[i])/std[i]))
	}
}

// half is step for the types of two bytes.
func (n *Norm) half(dst, src []byte) {
	read, write := audio.Float16, audio.PutFloat16
	if n.dtype == store.BFloat16 {
		read, write = audio.BFloat16, audio.PutBFloat16
	}
	var some [64]float32
	for at := 0; at < len(n.mean); at += len(some) {
		values := some[:min(len(some), len(n.mean)-at)]
		read(values, src[2*at:])
		for i := range values {
			values[i] = (values[i] - n.mean[at+i]) / n.std[at+i]
		}
		write(dst[2*at:], values)
	}
}

package report

import (
	"context"
	"math"
	"slices"

	"voxpack/audio"
	"voxpack/cmd/voxpack/internal/show"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
)

// sound is what the columns of a row say of how it sounds.
type sound struct {
	hasPCM, hasEnergy, hasBand bool

	loudness  float64 // dBFS, root of the mean square
	clipped   int     // samples in runs at full scale
	still     float64 // the part of the clip that is silent
	offset    float64 // mean sample, from -1 to 1
	bandwidth float64 // Hz up to which there is anything
	energy    float64 // dB, mean of frames
	f0        float64 // Hz, median of voiced frames; 0: none
}

// lookBytes bounds what is read of a column. 13,100 clips have 3.7 GB of samples,
// more than can be looked at while somebody waits; energy and f0 have 42 MB each
// and are read whole.
const lookBytes = 256 << 20

// silent is the level in dBFS of a clip that holds nothing: below one step of 16 bits.
const silent = -96.0

// lookAtSound reads the columns that say how rows sound: all rows where that is
// cheap, else evenly spaced ones.
func (s *set) lookAtSound(ctx context.Context, progress *term.Progress) error {
	s.sounds = map[int]sound{}
	for _, look := range []struct {
		column string
		take   func(*sound, []float32)
	}{
		{"energy", (*sound).takeEnergy},
		{"f0", (*sound).takeF0},
		{"pcm", (*sound).takePCM},
	} {
		at := s.data.Root.Schema.Index(look.column)
		if at < 0 {
			continue
		}
		column := s.data.Root.Schema[at]
		list := s.lookedAt(column)
		for done, i := range list {
			progress.Report(compiler.Progress{Phase: "reading " + look.column, Done: done, Total: len(list)})
			if err := ctx.Err(); err != nil {
				return err
			}
			values, err := s.values(column, i)
			if err != nil {
				return err
			}
			if values == nil {
				continue
			}
			v := s.sounds[i]
			look.take(&v, values)
			s.sounds[i] = v
		}
	}
	return s.lookAtBands(ctx, progress)
}

// lookedAt are the numbers of the rows whose value of a column is read.
func (s *set) lookedAt(c store.Column) []int {
	most := max(1, lookBytes/max(1, c.SampleBytes()))
	stride := (len(s.rows) + most - 1) / most
	var list []int
	for i := 0; i < len(s.rows); i += max(1, stride) {
		list = append(list, i)
	}
	return list
}

// takeEnergy takes the energy of frames, which is in proportion to amplitude.
func (v *sound) takeEnergy(frames []float32) {
	var sum float64
	for _, e := range frames {
		sum += float64(e) * float64(e)
	}
	if sum > 0 && !math.IsInf(sum, 0) {
		v.hasEnergy, v.energy = true, 10*math.Log10(sum/float64(len(frames)))
	}
}

// takeF0 takes the pitch of frames, 0 for those without voice.
func (v *sound) takeF0(frames []float32) {
	var voiced []float64
	for _, hz := range frames {
		if hz > 0 && !math.IsInf(float64(hz), 0) {
			voiced = append(voiced, float64(hz))
		}
	}
	if len(voiced) > 0 {
		slices.Sort(voiced)
		v.f0 = quantile(voiced, 0.5)
	}
}

// takePCM takes samples from -1 to 1.
func (v *sound) takePCM(pcm []float32) {
	if len(pcm) == 0 {
		return
	}
	var sum, squares float64
	for _, x := range pcm {
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	n := float64(len(pcm))
	v.hasPCM, v.offset, v.loudness = true, sum/n, silent
	if squares > 0 {
		v.loudness = max(silent, 10*math.Log10(squares/n))
	}
	v.clipped = clippedOf(pcm)
	v.still = stillOf(pcm)
}

// clippedOf counts the samples in runs of at least three equal ones at full scale. A
// loud voice touches it with single samples.
func clippedOf(pcm []float32) (clipped int) {
	const run, full = 3, 32_000.0 / 32_768
	for i := 0; i < len(pcm); {
		j := i + 1
		for j < len(pcm) && pcm[j] == pcm[i] {
			j++
		}
		if j-i >= run && (pcm[i] >= full || pcm[i] <= -full) {
			clipped += j - i
		}
		i = j
	}
	return clipped
}

// stillOf is the part of windows that are 40 dB or more under the loudest: a
// recording's room is 50 to 60 dB under its voice.
func stillOf(pcm []float32) float64 {
	const window, under = 512, 1e-4
	var loudest float64
	var powers []float64
	for i := 0; i+window <= len(pcm); i += window {
		var power float64
		for _, x := range pcm[i : i+window] {
			power += float64(x) * float64(x)
		}
		powers = append(powers, power)
		loudest = max(loudest, power)
	}
	quiet := 0
	for _, p := range powers {
		if p <= loudest*under {
			quiet++
		}
	}
	if len(powers) == 0 {
		return 0
	}
	return float64(quiet) / float64(len(powers))
}

// values reads a column of a row without its padding; nil where it is damaged.
func (s *set) values(c store.Column, i int) ([]float32, error) {
	values, err := show.Values(s.data, s.rows[i].at, c.Name, s.rows[i].length(c.Name, map[string]bool{"pcm": true}))
	return values, s.note(i, c.Name, err)
}

// spectra makes the computer of magnitudes of a dataset's frames.
func spectra(root *store.Root) (audio.Computer, audio.MelConfig, error) {
	c, err := compiler.MelOf(root)
	if err != nil {
		return nil, c, err
	}
	l, err := audio.NewLinear(c)
	return l, c, err
}

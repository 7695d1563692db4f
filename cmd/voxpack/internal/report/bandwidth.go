package report

import (
	"context"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
)

// lookAtBands finds how high the sound of rows reaches, where samples are stored.
// A clip that was made at 16 kHz and stored at 22,050 Hz is silent above 8 kHz.
func (s *set) lookAtBands(ctx context.Context, progress *term.Progress) error {
	at := s.data.Root.Schema.Index("pcm")
	if at < 0 {
		return nil
	}
	computer, mel, err := spectra(s.data.Root)
	if err != nil {
		return err
	}
	column := s.data.Root.Schema[at]
	width := computer.Width()
	var frames []float32
	list := s.lookedAt(column)
	for done, i := range list {
		progress.Report(compiler.Progress{Phase: "reading bands", Done: done, Total: len(list)})
		if err := ctx.Err(); err != nil {
			return err
		}
		pcm, err := s.values(column, i)
		if err != nil {
			return err
		}
		if pcm == nil {
			continue
		}
		n := computer.Frames(int64(len(pcm)))
		if len(pcm) < computer.MinSamples() || n < 1 {
			continue
		}
		if len(frames) < n*width {
			frames = make([]float32, n*width)
		}
		computer.Compute(frames[:n*width], pcm)
		v := s.sounds[i]
		// The frames at both ends hold what was put outside the clip, whose kink is heard
		// in all bins.
		if edge := (mel.NFFT/2 + mel.HopLength - 1) / mel.HopLength; n > 2*edge {
			v.bandwidth, v.hasBand = reachOf(frames[edge*width:(n-edge)*width], width)*float64(mel.SampleRate)/2, true
		}
		s.sounds[i] = v
	}
	return nil
}

// reachOf is the highest bin, as a part of all, whose mean power is within 75 dB of
// the strongest. Speech falls by 50 to 60 dB to the highest bins; the rounding of 16
// bits alone lies some 95 dB under a strong bin.
func reachOf(magnitudes []float32, width int) float64 {
	const within = 3.1623e-8 // -75 dB
	power := make([]float64, width)
	for i, m := range magnitudes {
		power[i%width] += float64(m) * float64(m)
	}
	var strongest float64
	for _, p := range power {
		strongest = max(strongest, p)
	}
	for bin := width - 1; bin > 0; bin-- {
		if power[bin] > strongest*within {
			return float64(bin) / float64(width-1)
		}
	}
	return 0
}

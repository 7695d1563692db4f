package settings

import (
	"slices"
	"testing"

	"voxpack/audio"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
)

// TestPadModesAreWhatTheirNamesSay: frames at the ends of a clip are those of the
// clip with the padding written out.
func TestPadModesAreWhatTheirNamesSay(t *testing.T) {
	const n, more = 5000, 768 // samples; more is three frames, over half a window
	clip := make([]float32, n)
	for i := range clip {
		clip[i] = float32((i*i*7+i*311)%4001)/4001 - 0.3 // nothing in it repeats at the ends
	}
	for mode, at := range map[string]func(i int) float32{ // sample i of a clip without ends
		"reflect":  func(i int) float32 { return clip[min(max(i, -i), 2*(n-1)-i)] },
		"edge":     func(i int) float32 { return clip[min(max(i, 0), n-1)] },
		"constant": func(i int) float32 { return append(clip, 0)[min(uint(i), n)] },
	} {
		long := make([]float32, n+2*more)
		for i := range long {
			long[i] = at(i - more)
		}
		got, want := melOf(t, mode, clip), melOf(t, "reflect", long)[more/256*80:]
		if !slices.Equal(got, want[:len(got)]) {
			t.Errorf("pad_mode %s is not the clip that is padded so", mode)
		}
	}
}

func melOf(t *testing.T, pad string, clip []float32) []float32 {
	t.Helper()
	c, problems := config.Load("config.yaml", []byte("data:\n  pad_mode: "+pad+"\n"), intake.FormatNames())
	compile, problems := translate(c, problems)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	m, err := audio.NewMel(compile.Mel)
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]float32, m.Frames(int64(len(clip)))*m.Config().NMels)
	m.Compute(frames, clip)
	return frames
}

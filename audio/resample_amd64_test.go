package audio

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"voxpack/audio/internal/audiotest"
)

// compareKernels compares the bits of both kernels.
func compareKernels(t *testing.T, r *Resampler, src []float32) {
	t.Helper()
	var want []float32
	audiotest.WithoutVectors(func() { want = r.Resample(nil, src) })
	if i := differsAt(r.Resample(nil, src), want); i >= 0 {
		t.Fatalf("%d/%d, %d samples: output %d differs from the portable kernels'", r.up, r.down, len(src), i)
	}
}

func TestResamplerGivesTheSameBitsWithoutVectors(t *testing.T) {
	if !resampleVectors() {
		t.Skip("this machine has no AVX2")
	}
	random := rand.New(rand.NewPCG(1, 2))
	pairs := append(pairsOfRates(), [][2]int{{22050, 44100}, {48000, 16000}, {768000, 4000}, {4000, 768000}, {22050, 16000}}...)
	for range 40 {
		pairs = append(pairs, [2]int{4000 + random.IntN(92_000), 4000 + random.IntN(92_000)})
	}
	for i, p := range pairs {
		r, err := NewResampler(p[0], p[1])
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			compareKernels(t, r, noise(1+random.IntN(40_000), uint64(i)))
		}
		compareKernels(t, r, noise(1+random.IntN(300), uint64(i)))
	}
}

// The kernels in the repository are what their generator writes.
func TestResampleKernelsAreGenerated(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command in PATH: cannot run the generator")
	}
	dir := t.TempDir()
	names := []string{"resample_kernels_amd64.s", "resample_stubs_amd64.go"}
	cmd := exec.Command(goTool, "run", "./internal/genresample", "-out", filepath.Join(dir, names[0]), "-stubs", filepath.Join(dir, names[1]), "-pkg", "audio")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range names {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, generatedHere(want, dir)) {
			t.Errorf("%s is not what go generate writes (%v)", name, err)
		}
	}
}

// generatedHere puts the command that go generate runs in the place of the one that wrote to dir.
func generatedHere(b []byte, dir string) []byte {
	return bytes.ReplaceAll(b, []byte(dir+string(filepath.Separator)), nil)
}

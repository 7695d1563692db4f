package compiler

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"

	"voxpack/audio"
)

var updateRoots = flag.Bool("update-roots", false, "rewrite testdata/golden/kernels.txt")

// goldenKernels holds the digests of datasets with every feature, by corpus and settings.
var goldenKernels = filepath.Join("..", "testdata", "golden", "kernels.txt")

// TestVectorsAndPortableCodeMakeOneDataset is law 1 for the kernels: a dataset
// with every feature has one identity, computed by vectors or by the portable
// code, here or on the machine that wrote the file.
func TestVectorsAndPortableCodeMakeOneDataset(t *testing.T) {
	kept := map[string]string{}
	b, err := os.ReadFile(goldenKernels)
	if err != nil && !*updateRoots {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		name, digest, _ := strings.Cut(strings.TrimSpace(line), "\t")
		kept[name] = digest
	}
	var now strings.Builder
	check := func(name, dir string, c Config) {
		vectors, portable := kernelRoot(t, dir, c, false), kernelRoot(t, dir, c, true)
		if vectors != portable {
			t.Errorf("%s: %s by vectors, %s by the portable code", name, vectors, portable)
		}
		if vectors != kept[name] && !*updateRoots {
			t.Errorf("%s: %s, and %s in %s: a stage changed without a new version, or this machine computes other bits (rewrite with -update-roots if it is meant)",
				name, vectors, kept[name], goldenKernels)
		}
		fmt.Fprintf(&now, "%s\t%s\n", name, vectors)
	}
	real := filepath.Join(os.Getenv("VOXPACK_CORPORA"), "ljspeech-32")
	variants := []string{"hifigan", "vits", "tacotron2", "coqui-ap", "xtts-dvae"}
	if testing.Short() {
		variants = variants[:1]
	}
	for _, variant := range variants {
		c := Config{Features: FeatureNames(), Mel: audio.MelConfig{Variant: variant}}
		check("en "+variant, filepath.Join("..", "testdata", "corpus", "en"), c)
	}
	resampled := Config{Features: FeatureNames(), SampleRate: 16000, Process: audio.Process{TrimDB: 45, Normalize: "loudness", PreEmphasis: 0.97},
		Mel: audio.MelConfig{NFFT: 2048, HopLength: 200, WinLength: 800, PadMode: audio.PadConstant}}
	check("fa resampled", filepath.Join("..", "testdata", "corpus", "fa"), resampled)
	check("fa f64", filepath.Join("..", "testdata", "corpus", "fa"), Config{Features: FeatureNames(), Mel: audio.MelConfig{Precision: audio.Float64Precision}})
	if testing.Short() && !*updateRoots {
		return
	}
	if _, err := os.Stat(real); err != nil {
		t.Log("VOXPACK_CORPORA is not set: no real clips")
		if *updateRoots {
			t.Error("the real clips' digests would be lost")
		}
		return
	}
	check("real clips", real, Config{Features: FeatureNames(), Shape: Shape{MaxMelFrames: 900}})
	check("real clips 16 kHz", real, Config{Features: FeatureNames(), SampleRate: 16000, Shape: Shape{MaxMelFrames: 900}})
	if *updateRoots {
		writeFile(t, goldenKernels, []byte(now.String()))
	}
}

func kernelRoot(t *testing.T, dir string, c Config, portable bool) string {
	t.Helper()
	if portable {
		before := cpu.X86
		defer func() { cpu.X86 = before }()
		cpu.X86.HasAVX2, cpu.X86.HasAVX512F = false, false
	}
	r := mustBuild(t, Options{Dataset: dir, Store: filepath.Join(fastTemp(t), "store"), Config: c})
	if r.Rows.Kept == 0 {
		t.Fatalf("%s: %+v", dir, r.Rejections)
	}
	return r.Dataset
}

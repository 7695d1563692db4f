package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNormsAreReadAsEveryProgramPrintsThem(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a line each": "1.5\n2\n0.25\n", "one line": "1.5 2 0.25", "a list": "[1.5, 2,\r\n 0.25]", "a mark before": "\ufeff1.5;2;0.25", "tensor": "(1.5, 2e0, 25e-2)",
	} {
		path := filepath.Join(dir, "norms.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := readNormsFile(path); err != nil || !slices.Equal(got, []float32{1.5, 2, 0.25}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func TestNormsThatAreNone(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"": "no numbers", "1\n2 x\n": ":2: \"x\" is not a number", "PK\x03\x04\x00": "is not a number", strings.Repeat("1 ", maxNormsFile): "no list of numbers",
	} {
		path := filepath.Join(dir, "norms.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := readNormsFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.10q: %v, %v, want an error with %q", text, got, err, want)
		}
	}
	got := problems("data:\n  mel_variant: xtts-dvae\n  mel_norms: gone.txt\n")
	if len(got) != 1 || !strings.Contains(got[0], ":3:") {
		t.Errorf("a file that is not there: %v, want one problem in line 3", got)
	}
}

func FuzzReadNorms(f *testing.F) {
	f.Add("1.5, 2\n[3]")
	f.Add("nan inf -1e400 0x1p-2")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "norms.txt")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := readNormsFile(path); err == nil && len(got) == 0 {
			t.Errorf("%q gives nothing and no error", text)
		}
	})
}

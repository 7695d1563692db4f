package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-audio/wav"
)

// generate runs the program and gives its files, by path inside OUT.
func generate(t *testing.T, args ...string) map[string][]byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	if err := run(append(args, out), io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, pattern := range []string{"metadata.csv", "wavs/*"} {
		paths, err := filepath.Glob(filepath.Join(out, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range paths {
			content, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(out, p)
			files[filepath.ToSlash(name)] = content
		}
	}
	return files
}

func TestSameSeedSameBytes(t *testing.T) {
	one := generate(t, "-n", "20", "-j", "1")
	many := generate(t, "-n", "20", "-j", "7")
	if len(one) != 21 || len(many) != 21 {
		t.Fatalf("%d and %d files, want 21", len(one), len(many))
	}
	seen := map[string]string{} // content -> name
	for name, content := range one {
		if !bytes.Equal(many[name], content) {
			t.Errorf("%s differs between -j 1 and -j 7", name)
		}
		if twin, ok := seen[string(content)]; ok {
			t.Errorf("%s and %s are equal", name, twin)
		}
		seen[string(content)] = name
	}
	for name, content := range generate(t, "-n", "20", "-seed", "2") {
		if bytes.Equal(one[name], content) {
			t.Errorf("%s is the same for seeds 1 and 2", name)
		}
	}
}

// The bytes of seed 1 are pinned: figures measured on one version of this
// program must be comparable with those of the next.
func TestBytesArePinned(t *testing.T) {
	const want = "a89d8faf4d6fb383e6bb7b4310cbe850b3984c1e9e0f44f2e4351c172484cf62"
	files := generate(t, "-n", "3")
	h := sha256.New()
	for _, name := range []string{"metadata.csv", "wavs/GEN-00001.wav", "wavs/GEN-00002.wav", "wavs/GEN-00003.wav"} {
		h.Write(files[name])
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("digest of the first 3 clips = %s, want %s", got, want)
	}
}

func TestClipIsSpeechLike(t *testing.T) {
	p := newPool(1)
	for index := range 20 {
		const samples = 4 * sampleRate
		file := appendClip(nil, p, 1, index, samples)
		if got := binary.LittleEndian.Uint32(file[4:]); int(got) != len(file)-8 {
			t.Fatalf("RIFF size = %d, want %d", got, len(file)-8)
		}
		d := wav.NewDecoder(bytes.NewReader(file))
		pcm, err := d.FullPCMBuffer()
		if err != nil || len(pcm.Data) != samples || d.SampleRate != sampleRate || d.NumChans != 1 || d.BitDepth != 16 {
			t.Fatalf("go-audio reads %v, %v; want %d samples of 16 bits at %d Hz", d, err, samples, sampleRate)
		}
		loudest, quietest := levels(file[headerBytes:])
		if loudest < 2000 || loudest > 32000 {
			t.Errorf("clip %d: peak %d, want speech between 2000 and 32000", index, loudest)
		}
		if quietest*20 > loudest {
			t.Errorf("clip %d: 20 ms of peak %d at the quietest, %d at the loudest; want pauses", index, quietest, loudest)
		}
		if quietest == 0 {
			t.Errorf("clip %d: digital silence; want a room", index)
		}
	}
}

// levels gives the peaks of the loudest and of the quietest 20 ms.
func levels(pcm []byte) (loudest, quietest int) {
	const window = sampleRate / 50
	quietest = 1 << 15
	for ; len(pcm) >= 2*window; pcm = pcm[2*window:] {
		peak := 0
		for i := range window {
			peak = max(peak, int(int16(binary.LittleEndian.Uint16(pcm[2*i:]))))
		}
		loudest, quietest = max(loudest, peak), min(quietest, peak)
	}
	return loudest, quietest
}

func TestFlags(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		err  string // a piece of the error; "" for none
	}{
		{"the folder may come first", []string{filepath.Join(t.TempDir(), "a"), "-n", "1"}, ""},
		{"the folder may come last", []string{"-n", "1", filepath.Join(t.TempDir(), "a")}, ""},
		{"an empty folder will do", []string{"-n", "1", t.TempDir()}, ""},
		{"a folder that holds something is refused", []string{"-n", "1", full}, "is not empty"},
		{"no folder", []string{"-n", "1"}, "want one folder"},
		{"two folders", []string{"a", "b"}, "got 2 arguments"},
		{"a negative count", []string{"-n", "-1", "a"}, "-n -1"},
		{"no workers", []string{"-j", "0", "a"}, "-j 0"},
		{"clips shorter than the shortest", []string{"-max-seconds", "1", "a"}, "-max-seconds 1"},
		{"not a number of seconds", []string{"-max-seconds", "NaN", "a"}, "-max-seconds NaN"},
		{"no such texts", []string{"-texts", filepath.Join(full, "none"), "a"}, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := run(tt.args, io.Discard, io.Discard)
			if tt.err == "" && err != nil {
				t.Errorf("run(%q): %v", tt.args, err)
			}
			if tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("run(%q): error %v, want %q", tt.args, err, tt.err)
			}
		})
	}
}

func TestMoreClipsThanTexts(t *testing.T) {
	texts := filepath.Join(t.TempDir(), "texts")
	if err := os.WriteFile(texts, []byte("a|x|x\nb|y|y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := run([]string{"-texts", texts, "-n", "3", t.TempDir()}, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "has 2 lines") {
		t.Errorf("error %v, want one that counts the lines", err)
	}
	files := generate(t, "-texts", texts, "-n", "1")
	if got, want := string(files["metadata.csv"]), "a|x|x\n"; got != want {
		t.Errorf("metadata = %q, want %q", got, want)
	}
}

func BenchmarkClip(b *testing.B) {
	p := newPool(1)
	const samples = sampleRate * 657 / 100 // LJSpeech's mean
	var wav []byte
	b.SetBytes(headerBytes + 2*samples)
	for b.Loop() {
		wav = appendClip(wav[:0], p, 1, 0, samples)
	}
}

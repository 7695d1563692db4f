package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMadeUpLengths(t *testing.T) {
	rows := madeUp(options{n: defaultClips, seed: 1, maxSeconds: longest})
	var sum, chars float64
	least, most := math.Inf(1), 0.0
	for _, r := range rows {
		seconds := float64(r.samples) / sampleRate
		sum += seconds
		chars += float64(len(r.spoken))
		least, most = min(least, seconds), max(most, seconds)
	}
	if mean := sum / defaultClips; math.Abs(mean-meanSeconds) > 0.05 {
		t.Errorf("mean length = %.3f s, want %.2f", mean, meanSeconds)
	}
	if least < shortest-0.001 || least > 1.5 || most > longest+0.001 || most < 9.9 {
		t.Errorf("lengths = %.2f to %.2f s, want about %.2f to %.2f", least, most, shortest, longest)
	}
	if rate := chars / sum; math.Abs(rate-charsASecond) > 0.5 {
		t.Errorf("text = %.2f characters a second, want about %.1f", rate, charsASecond)
	}
}

func TestReadTexts(t *testing.T) {
	long := strings.Repeat("x", 400)
	tests := []struct {
		name    string
		input   string
		samples []int  // of each row
		err     string // a piece of the error
	}{
		{"a clip lasts as long as its third column", "a|1|" + strings.Repeat("é", 76) + "\n", []int{5 * sampleRate}, ""},
		{"short texts last the least", "a|x|x\n", []int{24476}, ""},
		{"long texts fit 800 frames", "a|x|" + long + "\n", []int{204624}, ""},
		{"quotes are ordinary, empty lines are no rows", "a|\"x|\"x\r\n\nb|y\"|y\"", []int{24476, 24476}, ""},
		{"two columns", "a|x|x\nb|y\n", nil, "texts:2: 2 columns"},
		{"four columns", "a|x|x|x\n", nil, "texts:1: 4 columns"},
		{"an id with a path", "../a|x|x\n", nil, `texts:1: id "../a"`},
		{"an empty id", "|x|x\n", nil, `texts:1: id ""`},
		{"a repeated id", "a|x|x\nb|x|x\na|x|x\n", nil, "texts:3: id a stands in line 1"},
		{"nothing", "\n", nil, "texts: no lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := readTexts(strings.NewReader(tt.input), "texts", longestFitting)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("readTexts(%q): error %v, want %q", tt.input, err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(rows) != len(tt.samples) {
				t.Fatalf("%d rows, want %d", len(rows), len(tt.samples))
			}
			for i, r := range rows {
				if r.samples != tt.samples[i] {
					t.Errorf("row %d: %d samples, want %d", i, r.samples, tt.samples[i])
				}
			}
		})
	}
}

// Hop 256 and one frame more than whole hops: what 800 frames hold.
func TestLongestFitting(t *testing.T) {
	if frames := samplesOf(99, longestFitting)/256 + 1; frames != 800 {
		t.Errorf("the longest clip has %d frames, want 800", frames)
	}
}

func FuzzReadTexts(f *testing.F) {
	for _, seed := range []string{"a|x|y\n", "a|x\n", "a|b|c|d", "\xff|\xff|\xff\r\n", "a/b|x|x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		rows, err := readTexts(strings.NewReader(input), "texts", longestFitting)
		if (err == nil) != (len(rows) > 0) {
			t.Errorf("%d rows and error %v; want one of the two", len(rows), err)
		}
		for _, r := range rows {
			if filepath.Base(r.id) != r.id {
				t.Errorf("id %q is not a file name", r.id)
			}
			if r.samples < samplesOf(0, longest) || r.samples > samplesOf(99, longestFitting) {
				t.Errorf("%d samples", r.samples)
			}
		}
	})
}

func TestRealTexts(t *testing.T) {
	corpora := os.Getenv("VOXPACK_CORPORA")
	if corpora == "" {
		t.Skip("VOXPACK_CORPORA is not set: no LJSpeech transcripts")
	}
	rows, err := plan(options{texts: filepath.Join(corpora, "ljspeech-32", "transcripts-13100.csv"), maxSeconds: longestFitting})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != defaultClips {
		t.Errorf("%d rows, want %d", len(rows), defaultClips)
	}
}

package codec

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestClaimsAreWhatDecodingGives, for whole files and parts of them.
func TestClaimsAreWhatDecodingGives(t *testing.T) {
	parts := []Part{{}, {From: 50 * time.Millisecond}, {Length: 70 * time.Millisecond}, {From: 33 * time.Millisecond, Length: 20 * time.Millisecond}}
	for _, pattern := range []string{"*.flac", "*.mp3", "*.ogg", "*.opus", "[ms]*.m4a", "high.aac"} {
		files, err := filepath.Glob(filepath.Join(encodedDir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, path := range files {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range parts {
				want, err := Limits{}.ProbePart(bytes.NewReader(file), int64(len(file)), part)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				got, ok, err := Limits{}.Claim(bytes.NewReader(file), int64(len(file)), part)
				if got != want || !ok || err != nil {
					t.Errorf("%s, %v: claims %+v, %v, %v, want %+v", filepath.Base(path), part, got, ok, err, want)
				}
			}
		}
	}
}

// TestNoClaim: what tells too little, nothing that could be right, or is of a format that claims nothing.
func TestNoClaim(t *testing.T) {
	frame := flacFrameOf(0, 4, 0, constant(1, 16))
	flac, mp3, ogg := readEncoded(t, "mono16.flac"), readEncoded(t, "mono.mp3"), readEncoded(t, "mono.ogg")
	for name, c := range map[string]struct {
		file   []byte
		limits Limits
		part   Part
	}{
		"FLAC that leaves its length open": {file: flacFile(8000, 1, 16, 0, frame)},
		"FLAC that ends in its header":     {file: flac[:20]},
		"FLAC of another first block":      {file: append([]byte("fLaC\x01\x00\x00\x22"), flac[8:]...)},
		"FLAC without its header":          {file: frame},
		"FLAC over the limit":              {file: flac, limits: Limits{MaxClip: time.Millisecond}},
		"MP3 over the limit":               {file: mp3, limits: Limits{MaxClip: time.Millisecond}},
		"Vorbis over the limit":            {file: ogg, limits: Limits{MaxClip: time.Millisecond}},
		"a part after the end":             {file: flac, part: Part{From: time.Hour}},
		"MP3 with a cut frame":             {file: mp3[:len(mp3)-200]},
		"Vorbis without its last page":     {file: ogg[:len(ogg)-60]},
		"WAV, whose Probe is quick":        {file: readEncoded(t, "mono16.wav")},
		"Opus over the limit":              {file: readEncoded(t, "mono.opus"), limits: Limits{MaxClip: time.Millisecond}},
		"Opus without its last page":       {file: readEncoded(t, "mono.opus")[:1000]},
		"AAC":                              {file: []byte{0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc}},
		"text":                             {file: []byte("this is text and no audio")},
		"nothing":                          {},
	} {
		info, ok, err := c.limits.Claim(bytes.NewReader(c.file), int64(len(c.file)), c.part)
		if ok || err != nil {
			t.Errorf("%s: claims %+v, %v, want no claim", name, info, err)
		}
	}
}

// TestAClaimNeedsLittleOfAFile: of FLAC the header, however long the file is.
func TestAClaimNeedsLittleOfAFile(t *testing.T) {
	flac := readEncoded(t, "mono16.flac")
	broken := errors.New("a bad sector")
	if _, ok, err := (Limits{}).Claim(failsAfter(flac, headBytes, broken), int64(len(flac)), Part{}); !ok || err != nil {
		t.Errorf("FLAC: %v, %v", ok, err)
	}
	mp3 := readEncoded(t, "mono.mp3")
	if _, _, err := (Limits{}).Claim(failsAfter(mp3, headBytes, broken), int64(len(mp3)), Part{}); !errors.Is(err, broken) {
		t.Errorf("MP3: %v, want the reader's error", err)
	}
}

// failsAfter reads bytes of a file and then gives an error.
func failsAfter(file []byte, n int, err error) io.ReadSeeker {
	return &failing{bytes.NewReader(file[:n]), err}
}

type failing struct {
	*bytes.Reader
	err error
}

func (f *failing) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	if err == io.EOF {
		err = f.err
	}
	return n, err
}

func BenchmarkClaim(b *testing.B) {
	for _, name := range []string{"mono16.flac", "mono.mp3", "mono.ogg", "mono.opus"} {
		b.Run(name, func(b *testing.B) {
			file := readEncoded(b, name)
			for b.Loop() {
				if _, ok, err := (Limits{}).Claim(bytes.NewReader(file), int64(len(file)), Part{}); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tone writes a corpus of one clip: a second of 440 Hz.
func tone(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	const rate = 22050
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	b = binary.LittleEndian.AppendUint32(b, rate)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, 2*rate)
	for i := range rate {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(8000*math.Sin(2*math.Pi*440*float64(i)/rate))))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	if err := os.Mkdir(filepath.Join(dir, "wavs"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"wavs/a.wav": b, "metadata.csv": []byte("a|tone|tone\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAnswersLinesWithFrames(t *testing.T) {
	dir := tone(t)
	file := filepath.Join(t.TempDir(), "frames")
	var out, log bytes.Buffer
	in := strings.NewReader("versions\nlap 0.01\nwrite " + dir + " " + file + "\n")
	if err := run([]string{"-corpus", dir, "-precision", "f64"}, in, &out, &log); err != nil {
		t.Fatalf("run: %v\n%s", err, log.Bytes())
	}
	var versions map[string]string
	var l lap
	var wrote struct{ Frames int }
	d := json.NewDecoder(&out)
	for _, to := range []any{&versions, &l, &wrote} {
		if err := d.Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	const perClip = 22050 / 256
	if versions["go"] == "" || l.Seconds < 0.01 || l.Frames == 0 || l.Frames%perClip != 0 {
		t.Errorf("versions %v, lap %+v: want a version and whole passes of %d frames over 0.01 s", versions, l, perClip)
	}
	b, err := os.ReadFile(file)
	if err != nil || wrote.Frames != perClip || len(b) != 4*80*perClip {
		t.Fatalf("write: %d frames, %d bytes (%v), want %d frames of 80 bands", wrote.Frames, len(b), err, perClip)
	}
	// 440 Hz lies between the peaks of bands 10 and 11, of 2.5 bins width each.
	row := b[4*80*(perClip/2):][:4*80]
	loudest := 0
	for i := range 80 {
		if at(row, i) > at(row, loudest) {
			loudest = i
		}
	}
	if loudest < 10 || loudest > 12 {
		t.Errorf("440 Hz is loudest in band %d, want 10 to 12", loudest)
	}
}

func at(row []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:]))
}

func TestRefusesWhatItCannotAnswer(t *testing.T) {
	dir := tone(t)
	for _, c := range []struct {
		args []string
		line string
		want string
	}{
		{[]string{"-corpus", dir}, "jump", "want lap"},
		{[]string{"-corpus", dir}, "lap soon", "invalid syntax"},
		{[]string{"-corpus", dir, "-precision", "f16"}, "", "f16"},
		{[]string{"-corpus", dir + "/nowhere"}, "", "no such file"},
		{[]string{"-corpus", dir, "-clips", "0"}, "", "-clips"},
	} {
		var out bytes.Buffer
		err := run(c.args, strings.NewReader(c.line+"\n"), &out, &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("run(%q, %q) = %v, want %q", c.args, c.line, err, c.want)
		}
	}
}

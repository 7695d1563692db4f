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

// toneFolder has one WAV file: n samples of a sine of a tenth of the rate.
func toneFolder(t *testing.T, n int) string {
	t.Helper()
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	b = binary.LittleEndian.AppendUint32(b, 22050)
	b = binary.LittleEndian.AppendUint32(b, 2*22050)
	b = append(b, "\x02\x00\x10\x00data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(2*n))
	for i := range n {
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(8000*math.Sin(2*math.Pi*float64(i)/10))))
	}
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.wav"), b, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAnswersLines(t *testing.T) {
	dir := toneFolder(t, 4000)
	path := filepath.Join(t.TempDir(), "out")
	var out bytes.Buffer
	lines := "versions\nlap 44100 22050 0.001\nwrite 44100 22050 " + path + "\n"
	if err := run([]string{"-dir", dir}, strings.NewReader(lines), &out, &out); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	var versions, lap, written map[string]any
	answers := json.NewDecoder(&out)
	for _, to := range []*map[string]any{&versions, &lap, &written} {
		if err := answers.Decode(to); err != nil {
			t.Fatal(err)
		}
	}
	if versions["go"] == "" || lap["samples"].(float64) < 2000 || lap["seconds"].(float64) < 0.001 || written["samples"].(float64) != 2000 {
		t.Errorf("versions %v, lap %v, write %v", versions, lap, written)
	}
	b, err := os.ReadFile(path)
	if err != nil || len(b) != 4*2000 {
		t.Fatalf("%d bytes written, %v, want 8000", len(b), err)
	}
	var sum float64
	for i := 500; i < 1500; i++ {
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		sum += v * v
	}
	if rms, want := math.Sqrt(sum/1000), 8000.0/32768/math.Sqrt2; math.Abs(rms/want-1) > 1e-3 {
		t.Errorf("the tone has a mean of %g, want %g", rms, want)
	}
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	dir := toneFolder(t, 10)
	for _, c := range []struct{ dir, line, want string }{
		{"", "versions", "-dir"},
		{t.TempDir(), "versions", "no WAV files"},
		{dir, "lap 1 2 0.1", "out of range"},
		{dir, "lap a 22050 0.1", "invalid syntax"},
		{dir, "lap 44100 22050 soon", "invalid syntax"},
		{dir, "sing", "want lap"},
	} {
		var out bytes.Buffer
		err := run([]string{"-dir", c.dir}, strings.NewReader(c.line+"\n"), &out, &out)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("-dir %q, %q: %v, want %q in it", c.dir, c.line, err, c.want)
		}
	}
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"voxpack/compiler"
	"voxpack/store"
)

// tone is a WAV of three partials that swell and fade, sampled from the same
// continuous signal at any rate; none of them is near the half of 16,000 Hz.
func tone(rate int, seconds float64) []byte {
	n := int(math.Round(seconds * float64(rate)))
	pcm := make([]byte, 0, 2*n)
	for i := range n {
		t := float64(i) / float64(rate)
		v := 0.5*math.Sin(2*math.Pi*220*t) + 0.3*math.Sin(2*math.Pi*1300*t+1) + 0.15*math.Sin(2*math.Pi*5100*t+2)
		v *= 0.55 + 0.45*math.Cos(2*math.Pi*2.5*t)
		pcm = binary.LittleEndian.AppendUint16(pcm, uint16(int16(math.Round(20000*v))))
	}
	b := []byte("RIFF")
	b = binary.LittleEndian.AppendUint32(b, uint32(36+len(pcm)))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"...)
	for _, v := range []uint32{uint32(rate), uint32(2 * rate), 2 | 16<<16} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	b = append(b, "data"...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(pcm)))
	return append(b, pcm...)
}

// TestAnotherSampleRate: a clip of another rate than the config's is neither an
// error deep in training nor a voice of the wrong pitch. It is resampled, counted
// in a note, and its mel is that of a recording at the config's rate.
func TestAnotherSampleRate(t *testing.T) {
	dir := t.TempDir()
	rates := []int{22050, 48000, 44100, 16000, 96000}
	metadata := ""
	for _, rate := range rates {
		metadata += fmt.Sprintf("at-%d|A tone of three partials.\n", rate)
		writeAll(t, filepath.Join(dir, "wavs", fmt.Sprintf("at-%d.wav", rate)), tone(rate, 1.2))
	}
	writeAll(t, filepath.Join(dir, "metadata.csv"), []byte(metadata))
	writeAll(t, filepath.Join(dir, "voxpack.yaml"), []byte("data:\n  sample_rate: 22050\n"))
	r := built(t, dir)
	if r.Rows.Kept != len(rates) || r.Rows.Noted != len(rates)-1 {
		t.Fatalf("rows = %+v, want all kept and all but one noted; %v", r.Rows, r.Rejections)
	}
	said := strings.Join(fates(r), "\n")
	for _, rate := range rates[1:] {
		if want := fmt.Sprintf("note resampled %d Hz → 22050 Hz: 1 in 1 rows, at-%d", rate, rate); !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	want := mels(t, dir, "at-22050")
	for _, rate := range rates[1:] {
		got := mels(t, dir, fmt.Sprintf("at-%d", rate))
		if len(got) != len(want) {
			t.Errorf("at %d Hz %d frames, want %d as at 22,050", rate, len(got), len(want))
			continue
		}
		worst, compared := 0.0, 0
		for f := 4; f < len(want)-4; f++ { // at the ends the signal begins and stops with a step
			for band := range want[f] {
				if want[f][band] > -4 { // what is heard: the partials stand at -1 to 2
					worst = max(worst, math.Abs(float64(got[f][band]-want[f][band])))
					compared++
				}
			}
		}
		t.Logf("%d Hz: at most %.4f over %d values", rate, worst, compared)
		if worst > 0.05 || compared < 500 {
			t.Errorf("at %d Hz the mel differs by %.3f over %d values, want at most 0.05", rate, worst, compared)
		}
	}
}

// mels are the frames of a row, as far as they are its own.
func mels(t *testing.T, dir, id string) [][]float32 {
	t.Helper()
	st, err := store.Open(filepath.Join(dir, compiler.StoreName))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	at, err := d.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Value(at, "mel")
	if err != nil {
		t.Fatal(err)
	}
	length, err := d.Scalar(at, "mel_len")
	if err != nil {
		t.Fatal(err)
	}
	bands := d.Root.Schema[d.Root.Schema.Index("mel")].Shape[1]
	frames := make([][]float32, length)
	for f := range frames {
		frames[f] = make([]float32, bands)
		if err := binary.Read(bytes.NewReader(b[4*bands*f:]), binary.LittleEndian, frames[f]); err != nil {
			t.Fatal(err)
		}
	}
	return frames
}

func writeAll(t *testing.T, path string, b []byte) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, b, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestALargeManifestStaysSmall: the memory of 200,000 rows, as a table and as a
// line of JSON each, stays what a row needs, and does not grow into the tenfold of
// the manifest. All rows name one clip: what is measured is the rows. The design
// wants 200 MB and 250 bytes a row; what lives of a row takes some 950 (its text,
// its record with keys, its place), and 160 more where it is read aloud as another
// text, as here; the collector lets that double.
func TestALargeManifestStaysSmall(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("reads 200,000 rows twice, and the kernel's count of the process's memory")
	}
	t.Parallel()
	const rows, limit = 200_000, 200e6 + 1700*200_000
	for _, format := range []string{"csv", "jsonl"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeAll(t, filepath.Join(dir, "clips", "tone.wav"), tone(22050, 0.5))
			f, err := os.Create(filepath.Join(dir, map[string]string{"csv": "metadata.csv", "jsonl": "manifest.jsonl"}[format]))
			if err != nil {
				t.Fatal(err)
			}
			w := bufio.NewWriter(f)
			if format == "csv" {
				fmt.Fprintln(w, "id,path,text,speaker")
			}
			for i := range rows {
				text := fmt.Sprintf("Row number %d is a sentence of about a hundred characters as those that people read aloud are", i)
				if format == "csv" {
					fmt.Fprintf(w, "row-%06d,clips/tone.wav,%s,speaker-%03d\n", i, text, i%200)
				} else {
					fmt.Fprintf(w, `{"id": "row-%06d", "audio_filepath": "clips/tone.wav", "duration": 0.5, "text": "%s", "speaker": "speaker-%03d"}`+"\n", i, text, i%200)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			r, most := anonymous(t, "build", "-q", "--json", "--dry-run", dir)
			t.Logf("%d rows: %.0f MB of anonymous memory, %.1f s", r.Rows.Total, float64(most)/1e6, r.Seconds)
			if r.Rows.Kept != rows || r.Rows.Rejected != 0 {
				t.Errorf("rows = %+v, want %d kept", r.Rows, rows)
			}
			if most < 1e6 || most > limit {
				t.Errorf("the dry run took %.0f MB of anonymous memory, want at most %.0f", float64(most)/1e6, limit/1e6)
			}
		})
	}
}

// anonymous runs a build and returns its report and the most anonymous memory that
// it was seen to have.
func anonymous(t *testing.T, args ...string) (*compiler.Report, int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "voxpack", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var most int64
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // ends with stop, and says so by done
		defer close(done)
		for {
			most = max(most, residentAnonymous(cmd.Process.Pid))
			select {
			case <-stop:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	err := cmd.Wait()
	close(stop)
	<-done
	if err != nil {
		t.Fatalf("voxpack %v: %v\n%s", args, err, stderr.Bytes())
	}
	var r compiler.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	return &r, most
}

// residentAnonymous is what the kernel counts of a process, in bytes; 0 of one that
// is gone.
func residentAnonymous(pid int) int64 {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(b), "\nRssAnon:")
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(words[0], 10, 64)
	return kb << 10
}

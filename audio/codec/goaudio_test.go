package codec

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	goaudio "github.com/go-audio/audio"
	"github.com/go-audio/wav"
)

// likeGoAudio compares what is read of a WAV file with what go-audio/wav, another program's reader, reads of it: integers of each
// channel, which the mean of the channels is made of here.
func likeGoAudio(t *testing.T, name string, file []byte) {
	t.Helper()
	got, info, err := Limits{}.DecodeBytes(nil, file)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	d := wav.NewDecoder(bytes.NewReader(file))
	buf, err := d.FullPCMBuffer()
	if err != nil {
		t.Fatalf("%s: go-audio: %v", name, err)
	}
	if int(d.SampleRate) != info.Rate || int(d.NumChans) != info.Channels || int(d.BitDepth) != info.Bits {
		t.Errorf("%s: %+v; go-audio reads %d Hz, %d channels, %d bits", name, info, d.SampleRate, d.NumChans, d.BitDepth)
	}
	if n := len(buf.Data) / info.Channels; n != len(got) {
		t.Fatalf("%s: %d samples, go-audio reads %d", name, len(got), n)
	}
	scale := float64(info.Channels) * float64(int64(1)<<(info.Bits-1))
	for i, v := range got {
		sum := 0
		for _, stored := range buf.Data[i*info.Channels:][:info.Channels] {
			if info.Bits == 8 {
				stored -= 128
			}
			sum += stored
		}
		if want := min(float32(float64(sum)/scale), belowOne); v != want {
			t.Fatalf("%s: sample %d is %g, of go-audio's integers %g", name, i, v, want)
		}
	}
}

// TestWAVIsWhatGoAudioReads takes the bundled clips and what other programs wrote.
func TestWAVIsWhatGoAudioReads(t *testing.T) {
	clips, err := filepath.Glob("../../testdata/corpus/*/wavs/*.wav")
	if err != nil || len(clips) == 0 {
		t.Fatalf("%d clips, %v", len(clips), err)
	}
	more, _ := filepath.Glob(filepath.Join(encodedDir, "*.wav"))
	for _, path := range append(clips, more...) {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		likeGoAudio(t, filepath.Base(path), file)
	}
}

// TestWAVOfGoAudioIsRead reads what go-audio/wav writes, of every width that it can write and of chunks after the samples.
func TestWAVOfGoAudioIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{8, 16, 24, 32} {
		for _, channels := range []int{1, 2, 5} {
			for _, tagged := range []bool{false, true} {
				name := fmt.Sprintf("%d bits, %d channels, tags %v", bits, channels, tagged)
				path := filepath.Join(t.TempDir(), "clip.wav")
				out, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				e := wav.NewEncoder(out, 22050, bits, channels, tagPCM)
				if tagged {
					e.Metadata = &wav.Metadata{Artist: "somebody", Comments: "odd"}
				}
				buf := &goaudio.IntBuffer{Format: &goaudio.Format{NumChannels: channels, SampleRate: 22050}, SourceBitDepth: bits}
				for range 400 * channels {
					v := int(random.Int64N(1<<bits)) - 1<<(bits-1)
					if bits == 8 {
						v += 128
					}
					buf.Data = append(buf.Data, v)
				}
				if err := e.Write(buf); err != nil {
					t.Fatal(err)
				}
				if err := e.Close(); err != nil {
					t.Fatal(err)
				}
				if err := out.Close(); err != nil {
					t.Fatal(err)
				}
				file, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if pcm, _, err := (Limits{}).DecodeBytes(nil, file); err != nil || len(pcm) != 400 {
					t.Errorf("%s: %d samples, %v; want 400", name, len(pcm), err)
				}
				likeGoAudio(t, name, file)
			}
		}
	}
}

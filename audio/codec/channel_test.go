package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestAChannelOfStoredSamplesIsAFileOfIt: of each kind of WAV, and of one channel of three, what the file would be that had
// this channel alone.
func TestAChannelOfStoredSamplesIsAFileOfIt(t *testing.T) {
	for _, c := range []struct {
		tag  uint16
		bits int
	}{{tagPCM, 8}, {tagPCM, 16}, {tagPCM, 24}, {tagPCM, 32}, {tagFloat, 32}, {tagFloat, 64}, {tagALaw, 8}, {tagMuLaw, 8}} {
		const frames, channels = 50_000, 3 // more than one piece
		width := c.bits / 8
		one := [channels][]byte{}
		var all []byte
		for i := range frames {
			for ch := range channels {
				sample := binary.LittleEndian.AppendUint64(nil, uint64(i*2654435761*(ch+1)))[:width]
				if v := float64(i%1000)/400 - 1 + float64(ch)/10; c.tag == tagFloat && width == 4 { // some beyond 1
					sample = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
				} else if c.tag == tagFloat {
					sample = binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
				}
				one[ch], all = append(one[ch], sample...), append(all, sample...)
			}
		}
		for ch := range channels {
			name := fmt.Sprintf("%d bits of kind %d, channel %d", c.bits, c.tag, ch+1)
			want, wantInfo, err := Limits{}.DecodeBytes(nil, wavOf(c.tag, 1, c.bits, one[ch]))
			if err != nil {
				t.Fatal(name, err)
			}
			got, info, err := Limits{Channel: ch + 1}.DecodeBytes(nil, wavOf(c.tag, channels, c.bits, all))
			if wantInfo.Channels = channels; err != nil || !slices.Equal(got, want) || info != wantInfo {
				t.Errorf("%s: %v, %+v, want %+v", name, err, info, wantInfo)
			}
			r := bytes.NewReader(wavOf(c.tag, channels, c.bits, all))
			part := Part{From: time.Second, Length: time.Second}
			got, info, err = Limits{Channel: ch + 1}.DecodePart(nil, r, r.Size(), part)
			if err != nil || !slices.Equal(got, want[info.Rate:2*info.Rate]) {
				t.Errorf("%s: a part: %v, %+v", name, err, info)
			}
		}
	}
}

// TestAChannelOfEachFormat: of a file of two channels, left and right are other samples, and their mean is the mix, to the bit
// where samples are stored; of a file of one, left is the mix. A channel that is not there is a rejection by decoder and Probe,
// and no claim.
func TestAChannelOfEachFormat(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(encodedDir, "*.*"))
	if err != nil {
		t.Fatal(err)
	}
	stereo := map[string]bool{}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mix, info, err := Limits{}.DecodeBytes(nil, file)
		if err != nil {
			continue // for ffmpeg, or no recording
		}
		decode := func(ch int) []float32 {
			pcm, one, err := Limits{Channel: ch}.DecodeBytes(nil, file)
			if err != nil || one.Channels != info.Channels || len(pcm) != len(mix) {
				t.Fatalf("%s: channel %d: %d samples, %+v, %v", path, ch, len(pcm), one, err)
			}
			return pcm
		}
		left := decode(1)
		if info.Channels == 1 {
			if !slices.Equal(left, mix) {
				t.Errorf("%s: left is not the file", path)
			}
		} else {
			stereo[info.Format] = true
			checkMean(t, path, info, mix, left, decode(2))
		}
		none := Limits{Channel: info.Channels + 1}
		if _, _, err := none.DecodeBytes(nil, file); !errors.Is(err, ErrChannel) {
			t.Errorf("%s: channel %d: %v, want ErrChannel", path, none.Channel, err)
		}
		if _, err := none.Probe(bytes.NewReader(file), int64(len(file))); !errors.Is(err, ErrChannel) {
			t.Errorf("%s: channel %d: Probe: %v, want ErrChannel", path, none.Channel, err)
		}
		if _, claimed, err := none.Claim(bytes.NewReader(file), int64(len(file)), Part{}); claimed || err != nil {
			t.Errorf("%s: channel %d is claimed: %v", path, none.Channel, err)
		}
	}
	for _, format := range []string{"wav", "flac", "mp3", "vorbis", "opus", "mp4", "aac"} {
		if !stereo[format] {
			t.Errorf("no file of two channels is %s", format)
		}
	}
}

func checkMean(t *testing.T, path string, info Info, mix, left, right []float32) {
	t.Helper()
	if slices.Equal(left, right) {
		t.Errorf("%s: left and right are the same", path)
	}
	for i, v := range mix {
		mean := (float64(left[i]) + float64(right[i])) / 2
		if info.Bits > 0 && v != float32(mean) || math.Abs(float64(v)-mean) > 0x1p-23 {
			t.Fatalf("%s: sample %d is %g, the mean of the channels %g", path, i, v, mean)
		}
	}
}

// TestAChannelOfADPCM: of both kinds, what the blocks hold of it.
func TestAChannelOfADPCM(t *testing.T) {
	for _, tag := range []uint16{tagMSADPCM, tagIMAADPCM} {
		s := stored{encoding: encodings[tag], dataSize: 64, adpcm: &adpcm{microsoft: tag == tagMSADPCM, align: 64, channels: 2}}
		s.adpcm.frames = s.adpcm.framesOf(64)
		block := bytes.Repeat([]byte{1, 0, 3, 0, 5, 7, 11, 64}, 8)
		if tag == tagMSADPCM {
			block[1] = 2
		}
		info := Info{Rate: 8000, Channels: 2, Samples: int64(s.adpcm.frames)}
		read := func(pick int) []float32 {
			s.pick = pick
			pcm := make([]float32, info.Samples)
			if err := s.read(bytes.NewReader(block), &info, 0, func(at, n int) []float32 { return pcm[at:][:n] }); err != nil {
				t.Fatal(err)
			}
			return pcm
		}
		checkMean(t, fmt.Sprint("ADPCM ", tag), Info{Bits: 4}, read(0), read(1), read(2))
	}
}

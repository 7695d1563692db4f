package ffmpeg

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"voxpack/audio/codec"
)

// TestClaimsAreWhatFfmpegGives: of files that ffmpeg writes, short and long, of one channel and more, cut at their
// beginning and their end by an edit list. What leaves a doubt claims nothing. What package codec decodes by itself is the same.
func TestClaimsAreWhatFfmpegGives(t *testing.T) {
	if testing.Short() {
		t.Skip("a few processes of ffmpeg")
	}
	t.Parallel()
	ff := tool(t)
	dir := t.TempDir()
	claims := map[string]bool{} // by path
	var paths []string
	write := func(from []string, ways map[string]bool) {
		args := slices.Concat([]string{"-nostdin", "-v", "error"}, from)
		for way, claim := range ways {
			words := strings.Fields(way)
			words[len(words)-1] = filepath.Join(dir, words[len(words)-1])
			paths = append(paths, words[len(words)-1])
			claims[paths[len(paths)-1]] = claim
			args = append(args, words...)
		}
		if out, err := exec.Command(ff.Path, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	wav := []string{"-i", filepath.Join(encodedDir, "mono16.wav")}
	ways := map[string]bool{
		"-c:a aac a.m4a":                                     true,
		"-c:a aac -ac 2 -ar 48000 b.m4a":                     true,
		"-c:a aac -ar 44100 -movflags +faststart c.mp4":      true,
		"-c:a aac -ar 16000 d.3gp":                           true,
		"-c:a aac -use_editlist 0 e.m4a":                     true,
		"-c:a aac -ac 6 f.m4a":                               true,
		"-c:a alac g.m4a":                                    true,
		"-c:a alac -ac 2 -sample_fmt s32p h.m4a":             true,
		"-c:a aac -ar 44100 i.aac":                           true,
		"-c:a aac -ar 32000 -ac 2 j.aac":                     true,
		"-c:a aac -ar 22050 k.aac":                           true,
		"-c:a aac l.mov":                                     false, // with boxes of QuickTime's
		"-c:a aac -movflags +frag_keyframe+empty_moov m.m4a": false,
		"-c:a mp2 -ar 44100 -b:a 64k p.mp2":                  true, // with padded frames
		"-c:a mp2 -ar 48000 -ac 2 q.mp2":                     true,
		"-c:a mp2 -ar 22050 -b:a 32k r.mp2":                  true,
		"-c:a ac3 n.m4a":                                     false,
		"-c:a wmav2 o.wma":                                   false,
	}
	if exec.Command(ff.Path, "-nostdin", "-v", "error", "-f", "lavfi", "-i", "anullsrc", "-t", "0.1", "-ar", "16000", "-c:a", "libspeex", "-f", "null", "-").Run() == nil {
		for _, way := range []string{"-ar 8000 s.spx", "-ar 16000 t.spx", "-ar 32000 -ac 2 u.spx"} {
			ways["-c:a libspeex "+way] = true
		}
	}
	for _, samples := range []string{"300", "1024", "1025", "2047", "4096", "4097"} {
		ways["-c:a aac -af atrim=end_sample="+samples+" aac"+samples+".m4a"] = true
		ways["-c:a alac -af atrim=end_sample="+samples+" alac"+samples+".m4a"] = true
	}
	write(wav, ways)
	long := filepath.Join(dir, "a.m4a")
	write([]string{"-ss", "0.1", "-i", long}, map[string]bool{"-c copy from.m4a": true, "-c copy -t 0.15 middle.m4a": true})
	write([]string{"-i", long}, map[string]bool{"-c copy -t 0.1 to.m4a": true})
	own := 0
	for name, b := range amrFiles() {
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], b, 0o666); err != nil {
			t.Fatal(err)
		}
		claims[paths[len(paths)-1]] = true
	}
	for i, d := range ff.DecodeMany(t.Context(), paths, codec.Limits{}, &Buffers{}) {
		if d.PCM == nil { // it was alone in the last process
			d.PCM, d.Info, _ = ff.Decode(t.Context(), nil, paths[i], codec.Limits{})
		}
		f, err := os.Open(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		stat, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		got, ok, err := codec.Limits{}.Claim(f, stat.Size(), codec.Part{})
		if err != nil || len(d.PCM) == 0 || ok != claims[paths[i]] || ok && got != d.Info {
			t.Errorf("%s claims %+v, %v (%v); it gives %+v", filepath.Base(paths[i]), got, ok, err, d.Info)
		}
		ours, info, err := codec.Decode(nil, f, stat.Size())
		if errors.Is(err, codec.ErrForeign) {
			continue
		}
		if own++; err != nil || info != d.Info {
			t.Errorf("%s is %+v, %v; ffmpeg gives %+v", filepath.Base(paths[i]), info, err, d.Info)
		}
		for k := range min(len(ours), len(d.PCM)) {
			if math.Abs(float64(ours[k]-d.PCM[k])) > 1e-6 {
				t.Errorf("%s: sample %d is %g, ffmpeg's %g", filepath.Base(paths[i]), k, ours[k], d.PCM[k])
				break
			}
		}
	}
	if own != 17 {
		t.Errorf("%d files are decoded by package codec", own)
	}
}

// amrFiles are frames of every mode of speech, whose bits are arbitrary: there is no encoder in most builds of ffmpeg.
func amrFiles() map[string][]byte {
	random := rand.New(rand.NewPCG(9, 10))
	files := map[string][]byte{"w.amr": []byte("#!AMR\n"), "x.amr": []byte("#!AMR-WB\n")}
	for name, sizes := range map[string][]int{"w.amr": {13, 14, 16, 18, 20, 21, 27, 32}, "x.amr": {18, 24, 33, 37, 41, 47, 51, 59, 61}} {
		for i := range 100 {
			mode := i % len(sizes)
			files[name] = append(files[name], byte(mode<<3|4))
			for range sizes[mode] - 1 {
				files[name] = append(files[name], byte(random.Uint32()))
			}
		}
	}
	return files
}

package ffmpeg

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio/codec"
	"voxpack/internal/exectest"
)

const encodedDir = "../../testdata/audio"

func tool(t *testing.T) Tool {
	t.Helper()
	found, err := Find(t.Context())
	if errors.Is(err, ErrMissing) {
		t.Skip("ffmpeg is not installed: nothing to run")
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFindWithoutFfmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context()); !errors.Is(err, ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
}

func TestFindWantsAVersion(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), "#!/bin/sh\necho something else\n")
	if _, err := Find(t.Context()); err == nil || !strings.Contains(err.Error(), "is not a version of ffmpeg") {
		t.Errorf("got %v", err)
	}
}

// TestOpusIsNearWhatWasEncoded: 24 kbit/s keep the sound, and all of its length at 48 kHz.
func TestOpusIsNearWhatWasEncoded(t *testing.T) {
	ff := tool(t)
	if !strings.HasPrefix(ff.StageVersion(), "ffmpeg/1 ") || len(ff.Version) == 0 {
		t.Errorf("version %q", ff.StageVersion())
	}
	pcm, info, err := ff.Decode(t.Context(), nil, filepath.Join(encodedDir, "mono.opus"), codec.Limits{})
	if err != nil || info.Rate != 48000 || info.Channels != 1 || info.Format != "opus" || info.Samples != int64(len(pcm)) || len(pcm) < 19200 || len(pcm) > 19400+960 {
		t.Fatalf("%d samples, %+v, %v; want 0.4 s of 48 kHz", len(pcm), info, err)
	}
	wav, err := os.ReadFile(filepath.Join(encodedDir, "mono16.wav"))
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := codec.Limits{}.DecodeBytes(nil, wav)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := rms(pcm), rms(want); math.Abs(got-want) > 0.1*want {
		t.Errorf("loudness %g, want about %g", got, want)
	}
}

func rms(pcm []float32) float64 {
	var sum float64
	for _, v := range pcm {
		sum += float64(v) * float64(v)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

// TestWhatFfmpegDecodesIsWhatWeDecode: of integer samples nothing may be lost on the way through the pipe.
func TestWhatFfmpegDecodesIsWhatWeDecode(t *testing.T) {
	t.Parallel()
	ff := tool(t)
	for _, name := range []string{"mono16.wav", "stereo24.flac", "mono24.flac"} {
		path := filepath.Join(encodedDir, name)
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, wantInfo, err := codec.Limits{}.DecodeBytes(nil, file)
		if err != nil {
			t.Fatal(err)
		}
		wantInfo.Bits = 0
		dst := make([]float32, 5, 1<<16)
		got, info, err := ff.Decode(t.Context(), dst, path, codec.Limits{})
		if err != nil || info != wantInfo || !slices.Equal(got, want) || &got[0] != &dst[0] {
			t.Errorf("%s: %d samples, %+v, %v; want the %d that we read, %+v", name, len(got), info, err, len(want), wantInfo)
		}
	}
}

func TestBadFilesAreRejectedWithWhatFfmpegSays(t *testing.T) {
	t.Parallel()
	ff := tool(t)
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	opus, err := os.ReadFile(filepath.Join(encodedDir, "mono.opus"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := slices.Clone(opus)
	damaged[len(damaged)/2] ^= 0xff
	for _, c := range []struct {
		name string
		path string
		l    codec.Limits
		kind error
		want string
	}{
		{"no audio", write("text.opus", []byte(strings.Repeat("this is text ", 40))), codec.Limits{}, codec.ErrCorrupt, "text.opus"},
		{"damaged", write("damaged.opus", damaged), codec.Limits{}, codec.ErrCorrupt, ""},
		{"too long", filepath.Join(encodedDir, "mono.opus"), codec.Limits{MaxClip: 100 * time.Millisecond}, codec.ErrTooLong, "max_clip_minutes"},
		{"a playlist", write("list.m4a", []byte("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n"+filepath.Join(dir, "damaged.opus")+"\n#EXT-X-ENDLIST\n")), codec.Limits{}, codec.ErrCorrupt, "list.m4a"},
		{"a name like a protocol", write("-i http:x.opus", []byte("text")), codec.Limits{}, codec.ErrCorrupt, "-i http:x.opus"},
	} {
		got, info, err := ff.Decode(t.Context(), []float32{42}, c.path, c.l)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "0x") {
			t.Errorf("%s: %v, want %q of kind %q, without the folder", c.name, err, c.want, c.kind)
		}
		if len(got) != 1 || info != (codec.Info{}) {
			t.Errorf("%s: %d samples, %+v", c.name, len(got), info)
		}
	}
}

// TestWhatIsNotTheFilesFaultHasNoKind runs programs that end as ffmpeg does on a machine that has too little of something, or whom
// somebody ends. None of it may be taken for a damaged file; what the file brings about each time is.
func TestWhatIsNotTheFilesFaultHasNoKind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clip := filepath.Join(dir, "a.m4a")
	onFile := `case "$*" in *nullsrc*) exit 0;; esac; ` // and works without the file
	for _, c := range []struct {
		name, script string
		kind         error // nil: none
		want         string
	}{
		{"no memory for anything", "echo 'a.m4a: Cannot allocate memory' >&2; exit 1", nil, "Cannot allocate memory"},
		{"no memory for this file alone", onFile + "echo 'a.m4a: Cannot allocate memory' >&2; exit 1", codec.ErrCorrupt, "Cannot allocate memory"},
		{"no descriptor", "echo 'a.m4a: Too many open files' >&2; exit 1", nil, "Too many open files"},
		{"not allowed", onFile + "echo 'a.m4a: Permission denied' >&2; exit 1", nil, "Permission denied"},
		{"not there", onFile + "echo 'a.m4a: No such file or directory' >&2; exit 1", nil, "No such file"},
		{"killed in silence", "kill -KILL $$", nil, "signal: killed"},
		{"killed after a word", "echo 'a.m4a: invalid data' >&2; kill -KILL $$", nil, "signal: killed"},
		{"asked to stop", onFile + "exit 255", nil, "exit status 255"},
		{"crashes", "kill -SEGV $$", codec.ErrCorrupt, "segmentation fault"},
		{"gives up on this file and says nothing", onFile + "exit 1", codec.ErrCorrupt, "without giving a reason: convert the file"},
		{"gives up on any file and says nothing", "exit 1", nil, "without giving a reason"},
		{"says the same twice", "echo 'a.m4a: invalid data' >&2; exit 1", codec.ErrCorrupt, "invalid data"},
		{"says another thing the second time", "echo x >> runs; echo \"a.m4a: invalid data $(wc -l < runs)\" >&2; exit 1", nil, "in two different ways"},
		{"comes to its senses", "echo x >> runs2; if [ $(wc -l < runs2) = 1 ]; then echo 'a.m4a: invalid data' >&2; exit 1; fi; " +
			`printf '.snd\0\0\0\030\377\377\377\377\0\0\0\006\0\0\037\100\0\0\0\001\0\0\0\0'`, errNone, ""},
	} {
		path := filepath.Join(dir, "program")
		script := "#!/bin/sh\nPATH=/usr/bin:/bin; cd " + dir + "\n" + c.script + "\n"
		exectest.Write(t, path, script)
		pcm, _, err := Tool{Path: path}.Decode(t.Context(), nil, clip, codec.Limits{})
		if c.kind == errNone {
			if err != nil || len(pcm) != 1 {
				t.Errorf("%s: %d samples, %v", c.name, len(pcm), err)
			}
			continue
		}
		kind := errors.Is(err, codec.ErrCorrupt) || errors.Is(err, codec.ErrEmpty) || errors.Is(err, codec.ErrHeader) || errors.Is(err, codec.ErrTooLong)
		if err == nil || kind != (c.kind != nil) || c.kind != nil && !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q of kind %v", c.name, err, c.want, c.kind)
		}
	}
}

var errNone = errors.New("no error")

// TestASlowProgramIsEnded runs programs that are not ffmpeg. One that is not ended runs for hours, and the test with it.
func TestASlowProgramIsEnded(t *testing.T) {
	dir := t.TempDir()
	program := func(script string, limit time.Duration) Tool {
		path := filepath.Join(dir, "program")
		exectest.Write(t, path, "#!/bin/sh\n"+script+"\n")
		return Tool{Path: path, Timeout: limit}
	}
	if _, _, err := program("exec /bin/sleep 100000", 50*time.Millisecond).Decode(t.Context(), nil, "x", codec.Limits{}); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "not done after 50ms") {
		t.Errorf("a program that sleeps: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := program("exec /bin/sleep 100000", time.Hour).Decode(ctx, nil, "x", codec.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	// Samples without end: .snd, 24, no length, float32, 8000 Hz, 1 channel.
	header := `printf '.snd\0\0\0\030\377\377\377\377\0\0\0\006\0\0\037\100\0\0\0\001'; exec /bin/cat /dev/zero`
	if _, _, err := program(header, time.Hour).Decode(t.Context(), nil, "x", codec.Limits{MaxClip: time.Second}); !errors.Is(err, codec.ErrTooLong) {
		t.Errorf("samples without end: %v", err)
	}
}

// TestAChannelOfWhatFfmpegGives: a channel alone, or a rejection that is the file's own.
func TestAChannelOfWhatFfmpegGives(t *testing.T) {
	b := binary.BigEndian.AppendUint32([]byte(".snd\x00\x00\x00\x18\xff\xff\xff\xff\x00\x00\x00\x06\x00\x00\x1f\x40"), 2)
	for _, v := range []float32{0.5, -0.25, 0.75, 0.125} {
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(v))
	}
	for channel, want := range [][]float32{{0.125, 0.4375}, {0.5, 0.75}, {-0.25, 0.125}} {
		pcm, info, err := readAU(nil, bytes.NewReader(b), codec.Limits{Channel: channel}, nil)
		if err != nil || !slices.Equal(pcm, want) || info.Channels != 2 {
			t.Errorf("channel %d: %v, %+v, %v, want %v", channel, pcm, info, err, want)
		}
	}
	if _, _, err := readAU(nil, bytes.NewReader(b), codec.Limits{Channel: 3}, nil); !errors.Is(err, codec.ErrChannel) {
		t.Errorf("channel 3: %v, want ErrChannel", err)
	}
}

func FuzzReadAU(f *testing.F) {
	header := binary.BigEndian.AppendUint32([]byte(".snd\x00\x00\x00\x18\xff\xff\xff\xff\x00\x00\x00\x06\x00\x00\x1f\x40"), 2)
	f.Add(append(header, make([]byte, 16)...))
	f.Add(append(slices.Clone(header), 0x7f, 0xc0, 0, 0, 0, 0, 0, 0))
	l := codec.Limits{MaxClip: time.Second}
	f.Fuzz(func(t *testing.T, b []byte) {
		pcm, info, err := readAU(nil, bytes.NewReader(b), l, nil)
		if err != nil {
			return
		}
		if info.Samples != int64(len(pcm)) || info.Samples < 1 || info.Samples > l.Samples(info.Rate) {
			t.Fatalf("%+v, %d samples", info, len(pcm))
		}
		for _, v := range pcm {
			if !(v >= -1 && v < 1) {
				t.Fatal(v)
			}
		}
	})
}

// TestATerminalsInterruptIsNotForFfmpeg: Ctrl-C signals the whole group of the terminal, and a decode that it ended would look like
// a damaged file.
func TestATerminalsInterruptIsNotForFfmpeg(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc: nothing tells a process's group")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\nread pid name state parent group rest < /proc/$$/stat\necho $group $pid > " + dir + "/group\n"
	exectest.Write(t, filepath.Join(dir, "ffmpeg"), script)
	if _, _, err := (Tool{Path: filepath.Join(dir, "ffmpeg")}).Decode(t.Context(), nil, "any", codec.Limits{}); err == nil {
		t.Error("a program that says nothing decoded a clip")
	}
	b, err := os.ReadFile(filepath.Join(dir, "group"))
	if words := strings.Fields(string(b)); err != nil || len(words) != 2 || words[0] != words[1] {
		t.Errorf("group and process are %q (%v), want a group of its own", b, err)
	}
}

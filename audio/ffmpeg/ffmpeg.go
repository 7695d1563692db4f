package ffmpeg

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"voxpack/audio/codec"
)

// ErrMissing says that no ffmpeg is installed.
var ErrMissing = errors.New("ffmpeg is not installed")

// errEnded says that the pipe ended before a clip was there. Why, its end has to tell.
var errEnded = errors.New("it gave no samples")

// errSilent says that ffmpeg gave up and wrote no reason. With -xerror it does so on errors that it has no
// words for; one Speex file among 1,100 of other projects' tests is such a one.
var errSilent = errors.New("it failed without giving a reason: convert the file to WAV or FLAC, and listen to it")

// statusSignal is how ffmpeg ends when it caught a signal to stop.
const statusSignal = 255

// A Tool is an installed ffmpeg.
type Tool struct {
	Path    string
	Version string // as it names itself: "5.1.9-0+deb12u1"

	// Timeout ends a decode that takes longer; 0: two minutes. A clip takes a tenth of a second.
	Timeout time.Duration
}

const (
	defaultTimeout = 2 * time.Minute
	maxBlock       = 256 << 20 // bytes that ffmpeg may take in one piece; headers can ask for gigabytes
	maxMessage     = 2 << 10   // bytes kept of what it complains about
)

// demuxers are the formats that it may read: recordings in one file. Playlists, scripts and image
// sequences name other files.
const demuxers = "aac,ac3,aiff,amr,amrnb,amrwb,ape,asf,au,avi,caf,eac3,flac,gsm,loas,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,mpeg,mpegts,ogg,tak,tta,voc,w64,wav,wv,xwma"

// Find looks for ffmpeg in the folders of PATH and asks it for its version.
func Find(ctx context.Context) (Tool, error) {
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		return Tool{}, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "-nostdin", "-version").Output()
	if err != nil {
		return Tool{}, fmt.Errorf("%s -version: %w", path, err)
	}
	words := strings.Fields(string(out))
	if len(words) < 3 || words[0] != "ffmpeg" || words[1] != "version" {
		return Tool{}, fmt.Errorf("%s -version says %.60q, which is not a version of ffmpeg", path, out)
	}
	return Tool{Path: path, Version: words[2]}, nil
}

// StageVersion is what belongs into the key of an action that this tool decodes for: our way to call
// it, and its version.
func (t Tool) StageVersion() string { return "ffmpeg/1 " + t.Version }

// Decode decodes the first audio stream of a file as package codec does its own formats: mono float32
// in [-1, 1) at the file's rate, in the place of what dst holds. Every complaint of ffmpeg is an error
// of kind codec.ErrCorrupt, also where it would have gone on: a file that is damaged in its middle
// decodes to a shorter recording otherwise. An error of no kind of package codec says nothing about the
// file: ffmpeg could not be started, took too long, got no memory or was ended from outside.
//
// What ffmpeg says and how it ends does not tell one from the other for certain, so an error of the
// file is one that it gives twice.
func (t Tool) Decode(ctx context.Context, dst []float32, path string, l codec.Limits) ([]float32, codec.Info, error) {
	pcm, info, err := t.decode(ctx, dst, path, l)
	if !errors.Is(err, codec.ErrCorrupt) && !errors.Is(err, codec.ErrEmpty) {
		return pcm, info, err
	}
	pcm, info, again := t.decode(ctx, dst, path, l)
	if again == nil || !errors.Is(again, codec.ErrCorrupt) && !errors.Is(again, codec.ErrEmpty) {
		return pcm, info, again
	}
	if again.Error() != err.Error() {
		return dst, codec.Info{}, fmt.Errorf("ffmpeg failed in two different ways: %q, then %q", err, again)
	}
	if saidOf(err, ofFile) || (saidOf(err, ofLimits) || errors.Is(err, errSilent)) && t.starved(ctx) {
		return dst, codec.Info{}, errors.New(err.Error()) // of no kind
	}
	return dst, codec.Info{}, err
}

// ffmpeg has no codes for what the system refused, only the C library's words, in English since it gets
// no language from us: of the file, which this program has read, and of memory, threads and
// descriptors.
var (
	ofFile   = []string{"Permission denied", "Operation not permitted", "No such file or directory", "Stale file handle", "No space left on device"}
	ofLimits = []string{"Cannot allocate memory", "Resource temporarily unavailable", "Too many open files", "Too many open files in system"}
)

// saidOf reports whether a complaint ends in one of some words.
func saidOf(err error, words []string) bool {
	for complaint := range strings.SplitSeq(err.Error(), "; ") {
		for _, w := range words {
			if complaint == w || strings.HasSuffix(complaint, ": "+w) {
				return true
			}
		}
	}
	return false
}

// starved reports whether ffmpeg comes to nothing without the file too. That it got no memory for a
// file may be the file's fault: its header can ask for more than maxBlock, as those of 3 in 300 MP4
// files with three wrong bytes did. So it has to make a picture of 33 MiB, more than a clip takes.
func (t Tool) starved(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Path, "-nostdin", "-v", "error", "-threads", "1", "-f", "lavfi", "-i", "nullsrc=s=4800x4800", "-frames:v", "1", "-f", "null", "-")
	cmd.Env, cmd.SysProcAttr, cmd.WaitDelay = []string{}, apart(), time.Second
	return cmd.Run() != nil
}

func (t Tool) decode(ctx context.Context, dst []float32, path string, l codec.Limits) ([]float32, codec.Info, error) {
	timeout := t.timeout()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	input, full, err := inputOf(path)
	if err != nil {
		return dst, codec.Info{}, err
	}
	cmd := exec.CommandContext(ctx, t.Path, append(append(general(), input...), outputTo(0, 1)...)...)
	complaints := t.prepare(cmd)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return dst, codec.Info{}, fmt.Errorf("ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return dst, codec.Info{}, fmt.Errorf("ffmpeg: %w", err)
	}
	pcm, info, readErr := readAU(dst, stdout, l, nil)
	r := run{timeout: timeout, ended: ctx.Err(), readErr: readErr}
	if r.enough() {
		cancel() // it may have hours left to write
	}
	r.waitErr = cmd.Wait()
	r.state, r.said = cmd.ProcessState, complaints.say(full)
	if err := r.fault(); err != nil {
		return dst, codec.Info{}, err
	}
	info.Format = nameOf(full)
	return pcm, info, nil
}

func (t Tool) timeout() time.Duration { return cmp.Or(t.Timeout, defaultTimeout) }

// inputOf are the options of a file that is read, and its full path. A queue of 0 is no thread to read the
// file ahead, where a version of ffmpeg can do without: of 3.9 ms for a clip these threads took 1.4.
func inputOf(path string) (options []string, full string, err error) {
	full, err = filepath.Abs(path)
	return []string{"-threads", "1", "-thread_queue_size", "0", "-protocol_whitelist", "file", "-format_whitelist", demuxers, "-i", "file:" + full}, full, err
}

// prepare sets what a process has around it, and returns where its complaints will be.
func (t Tool) prepare(cmd *exec.Cmd) *head {
	complaints := &head{}
	cmd.Env = []string{}      // it reads presets and options from there
	cmd.SysProcAttr = apart() // the interrupt of a terminal is for us, who end it by ctx
	cmd.WaitDelay = time.Second
	cmd.Stderr = complaints
	return complaints
}

// A run is how one ffmpeg came to its end.
type run struct {
	timeout time.Duration
	ended   error // of the context when the samples had ended: the timeout, or the caller gave up
	readErr error // of the samples
	waitErr error
	state   *os.ProcessState
	said    string // its complaints in one line
}

// enough reports whether the samples told what is wrong, so that the rest of them is not waited for.
func (r *run) enough() bool { return r.readErr != nil && !errors.Is(r.readErr, errEnded) }

// fault is what was wrong, nil if nothing was. The order of the cases matters: what we did ourselves,
// or the system, comes before what the program says of the file.
func (r *run) fault() error {
	switch {
	case errors.Is(r.ended, context.DeadlineExceeded) && cpu(r.state) > r.timeout/2: // nothing kept it from the file
		return fmt.Errorf("ffmpeg: %w: it was still decoding after %v", codec.ErrCorrupt, r.timeout)
	case errors.Is(r.ended, context.DeadlineExceeded):
		return fmt.Errorf("ffmpeg was not done after %v: %w", r.timeout, r.ended)
	case r.ended != nil:
		return fmt.Errorf("ffmpeg: %w", r.ended)
	case errors.Is(r.readErr, codec.ErrTooLong) || errors.Is(r.readErr, codec.ErrHeader) || errors.Is(r.readErr, codec.ErrChannel):
		return r.readErr
	}
	if !r.enough() {
		if crash := crashed(r.state); crash != "" {
			return fmt.Errorf("ffmpeg: %w: it ends with %s", codec.ErrCorrupt, crash)
		}
		if signalled(r.state) { // somebody ended it, whatever it said before
			return fmt.Errorf("ffmpeg: %w", r.waitErr)
		}
	}
	switch {
	case r.said != "":
		return fmt.Errorf("ffmpeg: %w: %s", codec.ErrCorrupt, r.said)
	case r.waitErr == nil || r.enough():
		return r.readErr
	case r.state.Exited() && r.state.ExitCode() != statusSignal:
		return fmt.Errorf("ffmpeg: %w: %w (%w)", codec.ErrCorrupt, errSilent, r.waitErr)
	}
	return fmt.Errorf("ffmpeg: %w", r.waitErr)
}

func cpu(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// nameOf is the name of a file's format.
func nameOf(path string) string {
	const unknown = "ffmpeg"
	file, err := os.Open(path)
	if err != nil {
		return unknown
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return unknown
	}
	if f, ok, err := codec.FormatOf(file, stat.Size()); ok && err == nil {
		return f.Name
	}
	return unknown
}

// readAU reads Sun's audio format, whose header (six words, big-endian) is all that a pipe needs: no
// length has to be known. room is how many samples there may be besides, of all that share it; nil: any number.
func readAU(dst []float32, r io.Reader, l codec.Limits, room *atomic.Int64) ([]float32, codec.Info, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var words [24]byte
	if _, err := io.ReadFull(in, words[:]); err != nil {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: %w", codec.ErrCorrupt, errEnded)
	}
	word := func(i int) int64 { return int64(binary.BigEndian.Uint32(words[4*i:])) }
	rate, channels := word(4), word(5)
	if string(words[:4]) != ".snd" || word(1) < 24 || word(1) > 1<<20 || word(3) != 6 {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: it gave samples of another kind than it was told to", codec.ErrHeader)
	}
	if rate < codec.MinRate || rate > codec.MaxRate || channels < 1 || channels > codec.MaxChannels {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: %d channels at %d samples a second; 1 to %d channels at %d to %d are read",
			codec.ErrHeader, channels, rate, codec.MaxChannels, codec.MinRate, codec.MaxRate)
	}
	if l.Channel > int(channels) {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w", l.NoChannel("The", int(channels)))
	}
	if _, err := in.Discard(int(word(1)) - 24); err != nil {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: %w", codec.ErrCorrupt, errEnded)
	}
	pcm := dst[:0]
	frame := int(4 * channels)
	for {
		raw, err := in.Peek(frame)
		if err == io.EOF && len(raw) == 0 {
			break
		}
		if err != nil {
			return nil, codec.Info{}, fmt.Errorf("ffmpeg: samples from %d: %w: %w", len(pcm), errEnded, err)
		}
		raw, _ = in.Peek(in.Buffered() / frame * frame)
		n := len(raw) / frame
		if room != nil && room.Add(int64(-n)) < 0 {
			return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: with others", codec.ErrTooLong)
		}
		if err := l.Check("The", int64(len(pcm)+n), int(rate)); err != nil {
			return nil, codec.Info{}, err
		}
		for ; len(raw) > 0; raw = raw[frame:] {
			one := raw[:frame]
			if l.Channel > 0 {
				one = one[4*(l.Channel-1):][:4]
			}
			v, ok := mean(one)
			if !ok {
				return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: sample %d is not a number", codec.ErrCorrupt, len(pcm))
			}
			pcm = append(pcm, v)
		}
		in.Discard(n * frame)
	}
	if len(pcm) == 0 {
		return nil, codec.Info{}, fmt.Errorf("ffmpeg: %w: %w", codec.ErrEmpty, errEnded)
	}
	return pcm, codec.Info{Rate: int(rate), Channels: int(channels), Samples: int64(len(pcm))}, nil
}

// mean is the mean of one sample of all channels, within [-1, 1).
func mean(raw []byte) (float32, bool) {
	var sum float64
	for at := 0; at < len(raw); at += 4 {
		sum += float64(math.Float32frombits(binary.BigEndian.Uint32(raw[at:])))
	}
	v := float32(sum / float64(len(raw)/4))
	return max(-1, min(v, 1-0x1p-24)), v == v
}

// A head keeps the beginning of what is written to it.
type head struct{ b []byte }

// Write takes everything and never fails, so that nobody waits for the pipe.
func (h *head) Write(b []byte) (int, error) {
	h.b = append(h.b, b[:min(len(b), maxMessage-len(h.b))]...)
	return len(b), nil
}

// say gives the complaints in one line, the file by its name: where it lies says nothing about it.
func (h *head) say(path string) string {
	text := strings.ReplaceAll(string(bytes.ToValidUTF8(h.b, nil)), "file:"+path, filepath.Base(path))
	text = strings.ReplaceAll(text, path, filepath.Base(path))
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "[") { // "[mov,mp4,… @ 0x55d59ad2c8c0] ": an address of this run
			if _, rest, ok := strings.Cut(line, "] "); ok {
				line = rest
			}
		}
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[:min(len(lines), 3)], "; ")
}

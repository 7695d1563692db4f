package ffmpeg

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"

	"voxpack/audio/codec"
)

// MostAtOnce is how many files one process decodes. It takes 60 to 70 ms to load ffmpeg's libraries and 3 to
// decode 6.6 s of AAC: with 8, 16, 32 files a process a core did 91, 138, 174 clips/s, and 13 with one (ffmpeg
// 5.1, 32 clips of LJSpeech, processor time, a load of 1.5). ffmpeg alone takes 4.5, 3.8, 4.4 ms a clip with 32, 64,
// 128 of them, as it looks at all of its outputs for each packet; but a build with 64 took 224 MB, as all of their samples wait.
const MostAtOnce = 32

// MostSamples is what one process may give in all; more than that is decoded file by file. It is 128 MiB.
const MostSamples = 1 << 25

// A Decoded is a file that DecodeMany decoded.
type Decoded struct {
	PCM  []float32
	Info codec.Info
}

// DecodeMany decodes files as Decode does, to the same samples, several in one process. Of a file that is
// not decoded so there is no PCM: Decode tells why, or does it after all. A process that complains of one
// file, crashes or hangs is run again with each half of its files, so that one file costs the others
// nothing but time; one of two that is left over with it is not decoded here either. The samples lie in
// buffers of spare as long as there are some: a clip of fresh memory takes a fifth of what reading it takes.
func (t Tool) DecodeMany(ctx context.Context, paths []string, l codec.Limits, spare *Buffers) []Decoded {
	out := make([]Decoded, len(paths))
	t.decodeMany(ctx, out, paths, l, spare)
	return out
}

// Buffers are of no more use to whoever put them here.
type Buffers [][]float32

// take takes one out, nil where there is none.
func (b *Buffers) take() (buf []float32) {
	if n := len(*b); n > 0 {
		buf, *b = (*b)[n-1], (*b)[:n-1]
	}
	return buf
}

func (t Tool) decodeMany(ctx context.Context, out []Decoded, paths []string, l codec.Limits, spare *Buffers) {
	if len(paths) > MostAtOnce {
		t.decodeMany(ctx, out[:MostAtOnce], paths[:MostAtOnce], l, spare)
		t.decodeMany(ctx, out[MostAtOnce:], paths[MostAtOnce:], l, spare)
		return
	}
	if len(paths) < 2 || ctx.Err() != nil || t.decodeOnce(ctx, out, paths, l, spare) {
		return
	}
	clear(out)
	half := len(paths) / 2
	t.decodeMany(ctx, out[:half], paths[:half], l, spare)
	t.decodeMany(ctx, out[half:], paths[half:], l, spare)
}

// decodeOnce runs one process, which writes each file's samples to a pipe of its own. false: something was
// wrong with one of them, or it took more than a quarter of what a file may take by itself.
func (t Tool) decodeOnce(ctx context.Context, out []Decoded, paths []string, l codec.Limits, spare *Buffers) bool {
	ctx, cancel := context.WithTimeout(ctx, t.timeout()/4)
	defer cancel()
	var inputs, outputs []string
	readers, writers := make([]*os.File, len(paths)), make([]*os.File, len(paths))
	closeAll := func(files []*os.File) {
		for _, f := range files {
			if f != nil {
				f.Close()
			}
		}
	}
	defer func() { closeAll(readers); closeAll(writers) }()
	for i, path := range paths {
		input, _, err := inputOf(path)
		if err != nil {
			return false
		}
		if readers[i], writers[i], err = os.Pipe(); err != nil {
			return false
		}
		inputs = append(inputs, input...)
		outputs = append(outputs, outputTo(i, 3+i)...) // ExtraFiles begin at 3
	}
	cmd := exec.CommandContext(ctx, t.Path, append(append(general(), inputs...), outputs...)...)
	complaints := t.prepare(cmd)
	cmd.ExtraFiles = writers
	if err := cmd.Start(); err != nil {
		return false
	}
	closeAll(writers)
	clear(writers)
	var wg sync.WaitGroup
	good := make([]bool, len(paths))
	var room atomic.Int64
	room.Store(MostSamples)
	for i, r := range readers {
		buf := spare.take()
		wg.Go(func() {
			var err error
			if out[i].PCM, out[i].Info, err = readAU(buf, r, l, &room); err != nil {
				cancel() // the others are of no use without it
				return
			}
			out[i].Info.Format = nameOf(paths[i])
			good[i] = true
		})
	}
	wg.Wait()
	if cmd.Wait() != nil || len(complaints.b) > 0 || ctx.Err() != nil {
		return false
	}
	for _, ok := range good {
		if !ok {
			return false
		}
	}
	return true
}

// general are the options that come before all files.
func general() []string {
	return []string{"-nostdin", "-v", "error", "-xerror", "-max_alloc", strconv.Itoa(maxBlock), "-filter_threads", "1"}
}

// outputTo sends the first audio stream of an input to a descriptor.
func outputTo(input, descriptor int) []string {
	return []string{"-map", strconv.Itoa(input) + ":a:0", "-flags", "+bitexact", "-c:a", "pcm_f32be", "-f", "au", "pipe:" + strconv.Itoa(descriptor)}
}

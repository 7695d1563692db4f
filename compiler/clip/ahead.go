package clip

import (
	"context"
	"path"
	"strings"

	"voxpack/audio/codec"
	"voxpack/audio/ffmpeg"
)

// A process of ffmpeg takes ten times as long to start as to decode a clip, so several clips are decoded in
// one, ahead of their turn, where it is known which are next.

// AtOnce is how many clips are worth being decoded together. SamplesAtOnce is how many samples they should have,
// where that is known: a worker holds them until their turn, 16 MiB, which are 28 clips of LJSpeech.
const (
	AtOnce        = ffmpeg.MostAtOnce
	SamplesAtOnce = ffmpeg.MostSamples / 8
)

// mostAhead bounds the bytes of the files that one process decodes: 16 clips of a minute at 128 kbit/s.
const mostAhead = 16 << 20

// Later says that a clip waits to be decoded with others.
type Later struct{ Clip Clip }

// Error says why.
func (*Later) Error() string { return "to be decoded by ffmpeg, with other clips" }

// ahead is a clip that is decoded and not yet read.
type ahead struct {
	stamp Stamp // of the file, before it was decoded
	ffmpeg.Decoded
}

// foreign reports whether a whole file is one for ffmpeg, and there is one.
func (c *Reader) foreign(at Clip, format codec.Format, known bool) bool {
	if at.part() || at.member() || known && format.Version != "" || !known && sure[strings.ToLower(path.Ext(at.name))] != "" {
		return false
	}
	_, err := c.decoders.ffmpeg()
	return err == nil
}

// Ahead decodes those of some clips that only ffmpeg reads, in one process, and keeps them until they are
// read or Ahead is called again. What is wrong with a clip is found out when it is read. The samples of
// AtOnce clips are held, 128 MiB at most.
func (c *Reader) Ahead(ctx context.Context, clips []Clip) {
	defer c.Steps.Span(StepDecode)()
	for _, done := range c.ahead {
		c.spare = append(c.spare, done.PCM)
	}
	c.ahead = map[string]ahead{}
	tool, err := c.decoders.ffmpeg()
	if err != nil {
		return
	}
	var paths []string
	var size int64
	for _, at := range clips {
		f, err := openSame(at.file, at.stamp)
		if err != nil {
			continue
		}
		format, known, err := codec.FormatOf(f, f.want.Size)
		f.Close()
		if size += at.stamp.Size; err != nil || size > mostAhead || !c.foreign(at, format, known) {
			continue
		}
		c.ahead[at.file] = ahead{stamp: at.stamp}
		paths = append(paths, at.file)
	}
	for i, d := range tool.DecodeMany(ctx, paths, c.Limits, &c.spare) {
		if d.PCM == nil {
			delete(c.ahead, paths[i])
		} else {
			c.ahead[paths[i]] = ahead{c.ahead[paths[i]].stamp, d}
		}
	}
}

// HasAhead reports whether a clip is decoded.
func (c *Reader) HasAhead(at Clip) bool {
	done, ok := c.ahead[at.file]
	return ok && done.stamp == at.stamp
}

// takeAhead hands a decoded clip out.
func (c *Reader) takeAhead(at Clip) (ffmpeg.Decoded, bool) {
	if !c.HasAhead(at) {
		return ffmpeg.Decoded{}, false
	}
	done := c.ahead[at.file]
	delete(c.ahead, at.file)
	return done.Decoded, true
}

package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"voxpack/audio"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// clipReader is the audio stage: a file's bytes as the samples that features
// are made of. It owns its buffers: one goroutine, one reader.
type clipReader struct {
	cfg       *Config
	limits    audio.Limits
	decoders  *decoders
	file      []byte
	pcm       []float32
	atRate    []float32
	resample  map[int]*audio.Resampler // by the file's rate
	processor *audio.Processor         // nil: clips stay as they are
}

func newClipReader(cfg *Config, d *decoders) (*clipReader, error) {
	c := &clipReader{cfg: cfg, limits: audio.Limits{MaxClip: cfg.Length.MaxClip}, decoders: d, resample: map[int]*audio.Resampler{}}
	if !cfg.Process.On() {
		return c, nil
	}
	var err error
	c.processor, err = audio.NewProcessor(cfg.Process, cfg.SampleRate)
	return c, err
}

// read reads a clip that was looked at. The samples stay valid until the next
// call. errChanged: the file is another now.
func (c *clipReader) read(ctx context.Context, at clipAt) (samples []float32, info audio.Info, notes []store.Note, err error) {
	if at.part() {
		info, err = c.decodePart(at)
	} else if err = c.load(at); err == nil {
		return c.decoded(ctx, at)
	}
	return c.finish(info, nil, err)
}

// open opens the file that a clip is, or is a part of; a container's member is
// read whole, into the reader's buffer.
func (c *clipReader) open(at clipAt) (*openFile, error) {
	if !at.member() {
		return openSame(at.file, at.stamp)
	}
	err := c.load(at)
	return &openFile{in: bytes.NewReader(c.file), want: stamp{Size: int64(len(c.file))}}, err
}

// load reads the bytes of a clip that is no part of a file.
func (c *clipReader) load(at clipAt) (err error) {
	c.file, err = at.read(c.file)
	return err
}

// stored is the samples of the clip that was loaded as they lie in its bytes,
// where nothing has to be done to them.
func (c *clipReader) stored() (samples []byte, info audio.Info, ok bool) {
	if c.processor != nil {
		return nil, info, false
	}
	samples, info, ok = c.limits.Stored(c.file)
	return samples, info, ok && info.Rate == c.cfg.SampleRate
}

// decoded is the rest of read for the clip that was loaded.
func (c *clipReader) decoded(ctx context.Context, at clipAt) (samples []float32, info audio.Info, notes []store.Note, err error) {
	info, notes, err = c.decode(ctx, at)
	return c.finish(info, notes, err)
}

// finish does to the decoded samples what the config asks for.
func (c *clipReader) finish(info audio.Info, notes []store.Note, fault error) (samples []float32, _ audio.Info, _ []store.Note, err error) {
	if err = fault; err != nil {
		return nil, info, nil, err
	}
	notes = append(notes, clipNotes(info, c.cfg.SampleRate)...)
	if samples, err = c.resampled(info.Rate); err != nil || c.processor == nil {
		return samples, info, notes, err
	}
	samples, done, err := c.processor.Apply(samples)
	if err != nil {
		return nil, info, nil, &refusal{err}
	}
	return samples, info, append(notes, processNotes(done, c.cfg.Process)...), nil
}

// decode decodes the file that was read. What package audio does not know goes to
// ffmpeg, which reads the file by itself, so that it may have read another one.
func (c *clipReader) decode(ctx context.Context, at clipAt) (info audio.Info, notes []store.Note, err error) {
	if c.pcm, info, err = c.limits.DecodeBytes(c.pcm[:0], c.file); err == nil {
		return info, nil, nil
	}
	if !errors.Is(err, audio.ErrForeign) && (!errors.Is(err, audio.ErrNotWAV) || sure[strings.ToLower(path.Ext(at.name))] != "") {
		return info, nil, &refusal{strange(at.name, err)}
	}
	if at.member() {
		return info, nil, &refusal{fmt.Errorf("%w; inside a container it cannot be handed to ffmpeg: unpack it", strange(at.name, err))}
	}
	tool, missing := c.decoders.ffmpeg()
	if missing != nil {
		return info, nil, &refusal{err} // it says that ffmpeg is needed
	}
	c.pcm, info, err = tool.Decode(ctx, c.pcm[:0], at.file, c.limits)
	if ctx.Err() != nil {
		return info, nil, ctx.Err()
	}
	if err != nil {
		err = ofFfmpeg(err)
		if changed := at.unchanged(c.file); changed != nil {
			err = changed
		}
		return info, nil, err
	}
	same, err := openSame(at.file, at.stamp)
	if err != nil {
		return info, nil, err
	}
	same.Close()
	return info, []store.Note{{Stage: stageAudio, Kind: "decoded-by-ffmpeg", Detail: info.Format, Count: 1}}, nil
}

// decodePart decodes a part of a file. What only ffmpeg reads is refused: it
// would be decoded whole for every part.
func (c *clipReader) decodePart(at clipAt) (info audio.Info, err error) {
	f, err := c.open(at)
	if err != nil {
		return info, err
	}
	defer f.Close()
	c.pcm, info, err = c.limits.DecodePart(c.pcm[:0], f, f.want.Size, at.stretch())
	if errors.Is(err, audio.ErrForeign) {
		err = errors.New("a part of it is wanted, and ffmpeg would read it whole for each: convert it to WAV or FLAC")
	}
	if err != nil {
		err = strange(at.name, err)
	}
	return info, f.judge(err)
}

// ofFfmpeg tells an error of a file, which ffmpeg gave twice, from all that may end
// ffmpeg on another day: those are the machine's.
func ofFfmpeg(err error) error {
	for _, kind := range []error{audio.ErrCorrupt, audio.ErrHeader, audio.ErrEmpty, audio.ErrTooLong} {
		if errors.Is(err, kind) {
			return &refusal{err}
		}
	}
	if !errors.Is(err, context.DeadlineExceeded) && intake.IsMachine(err) {
		return intake.Machine(err) // it could not be started
	}
	return &intake.MachineError{Err: err, Cure: "build again when the machine has memory and time to spare; if it ends the same way, convert the file to WAV or FLAC, or take its row out of the metadata"}
}

// refusal is a fault of a clip's content, which is the same whenever it is read.
type refusal struct{ error }

func (r *refusal) Unwrap() error { return r.error }

func (c *clipReader) resampled(rate int) ([]float32, error) {
	if rate == c.cfg.SampleRate {
		return c.pcm, nil
	}
	r, err := c.resampler(rate)
	if err != nil {
		return nil, &refusal{err}
	}
	c.atRate = r.Resample(c.atRate[:0], c.pcm)
	return c.atRate, nil
}

// resampler is the resampler for a file's rate. Its tables take time to fill, so
// each is made once.
func (c *clipReader) resampler(rate int) (*audio.Resampler, error) {
	if r := c.resample[rate]; r != nil {
		return r, nil
	}
	r, err := audio.NewResampler(rate, c.cfg.SampleRate)
	if err == nil {
		c.resample[rate] = r
	}
	return r, err
}

// clipNotes says what decoding changes.
func clipNotes(info audio.Info, rate int) (notes []store.Note) {
	if info.Rate != rate {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: "resampled", Detail: fmt.Sprintf("%d Hz → %d Hz", info.Rate, rate), Count: 1})
	}
	if info.Trimmed > 0 {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: "encoder-padding-cut", Detail: info.Format, Count: 1})
	}
	if info.Channels > 1 {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: "channels-averaged", Detail: fmt.Sprintf("%d channels", info.Channels), Count: 1})
	}
	if info.Over > 0 {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: "over-full-scale", Detail: "floats beyond ±1, kept as they are",
			Count: uint32(min(info.Over, math.MaxUint32))})
	}
	if info.Open {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: "open-length", Detail: "the header leaves the length open; read to the end of the file", Count: 1})
	}
	return notes
}

// processNotes says what processing changed.
func processNotes(done audio.Processed, p audio.Process) (notes []store.Note) {
	add := func(kind, detail string) {
		notes = append(notes, store.Note{Stage: stageAudio, Kind: kind, Detail: detail, Count: 1})
	}
	if done.CutStart+done.CutEnd > 0 {
		add("silence-trimmed", fmt.Sprintf("%g dB below the loudest frame", p.TrimDB))
	}
	if done.GainDB != 0 {
		add("level-changed", "to the "+p.Normalize+" asked for")
	}
	if done.HeldBackDB > 0 {
		add("gain-held-back", "full scale would be passed")
	}
	return notes
}

package clip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"strings"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/ffmpeg"
	"voxpack/audio/resample"
	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/internal/perf"
	"voxpack/store"
)

// The steps of a Reader, as Steps names them.
const (
	StepRead     = "read"   // open, read the bytes, look at the header
	StepDecode   = "decode" // with the reading, where a part of a file is decoded
	StepResample = "resample"
	StepProcess  = "process"
)

// Config is what is asked of every clip.
type Config struct {
	Rate    int           // Hz, of the samples that features see
	Process audio.Process // at that rate
	Limits  codec.Limits
}

// Reader is the audio stage: a file's bytes as the samples that features
// are made of. It owns its buffers: one goroutine, one reader.
type Reader struct {
	Config
	Claims    bool           // Probe may take a compressed file at its word
	Guesses   bool           // and guess what a clip comes to that is processed, or whose samples may be no numbers
	Waits     bool           // Probe does not run ffmpeg, and says Later
	Owes      bool           // Read may give samples whose checksum is not made yet: see Owing
	Steps     *perf.Recorder // what a clip's steps take; nil: nobody asks
	decoders  *Decoders
	ahead     map[string]ahead // by file
	spare     ffmpeg.Buffers   // for Ahead
	sums      codec.Sums
	file      []byte // of the clip that was read last, if it was read whole
	buf       []byte // for hashing; made when it is first needed
	pcm       []float32
	atRate    []float32
	resample  map[int]*resample.Resampler // by the file's rate
	processor *audio.Processor            // nil: clips stay as they are
}

// NewReader makes a reader. Its decoders are shared by all readers of a build.
func NewReader(cfg Config, d *Decoders) (*Reader, error) {
	c := &Reader{Config: cfg, decoders: d, resample: map[int]*resample.Resampler{}}
	if !cfg.Process.On() {
		return c, nil
	}
	var err error
	c.processor, err = audio.NewProcessor(cfg.Process, cfg.Rate)
	return c, err
}

// Hash is the digest of a clip's bytes: of its file, or of the container's member.
func (c *Reader) Hash(at Clip) (store.Digest, error) {
	if c.buf == nil {
		c.buf = make([]byte, hashBuffer)
	}
	return at.Hash(c.buf)
}

// Sum is the digest of the clip that was read last, if it was read whole.
func (c *Reader) Sum() store.Digest { return store.Sum(c.file) }

// Probed is what Probe found out about a clip.
type Probed struct {
	Info    codec.Info
	Samples int64 // as features will see them
	Notes   []store.Note
	Whole   bool // all of the file was read for it
	Claimed bool // the file says so, and nobody has decoded it: what Read gives may be something else
	Guessed bool // Claimed of a clip of which also a sound file gives other samples and notes: fewer, if it is trimmed
}

// Probe finds out how many samples a clip has, as features will see it. Where the
// header tells that, or Claims allows to believe the file, the samples are not decoded.
func (c *Reader) Probe(ctx context.Context, at Clip) (Probed, error) {
	p, told, err := c.header(at)
	if err != nil || told {
		return p, err
	}
	var samples []float32
	p.Whole = true
	samples, p.Info, p.Notes, err = c.Read(ctx, at)
	p.Samples = int64(len(samples))
	return p, err
}

// header is what a file tells of itself without its samples; false: too little.
func (c *Reader) header(at Clip) (p Probed, told bool, err error) {
	defer c.Steps.Span(StepRead)()
	f, err := c.open(at)
	if err != nil {
		return p, false, err
	}
	defer f.Close()
	format, known, err := c.limitsOf(at).FormatOf(f, f.want.Size)
	if err != nil {
		return p, false, f.judge(err)
	}
	if err := misnamed(at.name, format, known); err != nil {
		return p, false, &Refusal{err}
	}
	foreign := c.foreign(at, format, known)
	if p, told, err = c.believe(f, at, format, known && (foreign || format.Version != "")); err == nil && !told {
		p, told, err = c.look(f, at, format, known, foreign)
	}
	if err != nil || !told {
		return p, false, err
	}
	p.Samples = p.Info.Samples
	if p.Info.Rate != c.Rate {
		if _, err := c.resampler(p.Info.Rate); err != nil {
			return p, false, &Refusal{err}
		}
		p.Samples = resample.Len(p.Samples, p.Info.Rate, c.Rate)
	}
	if foreign {
		p.Notes = byFFmpeg(p.Info)
	}
	p.Notes = append(p.Notes, decodeNotes(p.Info, c.Config)...)
	return p, true, nil
}

// believe takes a file at its word, or what it stores by its header. A clip that is to be processed comes to something
// else in any case.
func (c *Reader) believe(f *openFile, at Clip, format codec.Format, decodable bool) (p Probed, told bool, err error) {
	if !decodable || !c.Claims || !c.Guesses && (c.processor != nil || format.HeaderOnly()) {
		return p, false, nil
	}
	if format.HeaderOnly() {
		var sure bool
		if p.Info, sure, err = c.limitsOf(at).Header(f, f.want.Size, at.stretch()); err != nil {
			return p, false, f.judge(strange(at.name, err))
		}
		p.Guessed = !sure || c.processor != nil
		p.Claimed = p.Guessed
		return p, true, nil
	}
	if p.Info, told, err = c.limitsOf(at).Claim(f, f.want.Size, at.stretch()); err != nil {
		return p, false, f.judge(err)
	}
	p.Claimed, p.Guessed = told, told && c.processor != nil
	return p, told, nil
}

// look finds out what the header tells for sure.
func (c *Reader) look(f *openFile, at Clip, format codec.Format, known, foreign bool) (p Probed, told bool, err error) {
	switch {
	case c.Waits && foreign:
		return p, false, &Later{at}
	case c.processor != nil || known && !format.HeaderOnly() || !known && sure[strings.ToLower(path.Ext(at.name))] == "":
		return p, false, nil
	}
	p.Info, err = c.limitsOf(at).ProbePart(f, f.want.Size, at.stretch())
	if errors.Is(err, codec.ErrForeign) { // ffmpeg reads its samples
		return p, false, nil
	}
	if err != nil {
		return p, false, f.judge(strange(at.name, err))
	}
	return p, true, nil
}

// Read reads a clip that was looked at. The samples stay valid until the next
// call. ErrChanged: the file is another now.
func (c *Reader) Read(ctx context.Context, at Clip) (samples []float32, info codec.Info, notes []store.Note, err error) {
	if at.part() {
		info, err = c.decodePart(at)
	} else if err = c.load(at); err == nil {
		return c.decoded(ctx, at)
	}
	return c.finish(info, nil, err)
}

// Owing is how many clips that were read owe their checksum.
func (c *Reader) Owing() int { return c.sums.Len() }

// Wrong gives those of them that have another one, by number in the order in which they were read; then none owe any
// more.
func (c *Reader) Wrong() []int { return c.sums.Wrong() }

// limitsOf are the limits for a clip, which has no header only if its name says so.
func (c *Reader) limitsOf(at Clip) codec.Limits {
	l := c.Limits
	if !codec.RawName(at.name) {
		l.Raw = nil
	}
	return l
}

// load reads the bytes of a clip.
func (c *Reader) load(at Clip) (err error) {
	defer c.Steps.Span(StepRead)()
	c.file, err = at.read(c.file)
	return err
}

// open opens the file that a clip is, or is a part of; a container's member is
// read whole, into the reader's buffer.
func (c *Reader) open(at Clip) (*openFile, error) {
	if !at.member() {
		return openSame(at.file, at.stamp)
	}
	var err error
	c.file, err = at.read(c.file)
	return &openFile{in: bytes.NewReader(c.file), want: Stamp{Size: int64(len(c.file))}}, err
}

// ReadStored is read for a caller that can take a clip as it lies in its file, as
// little-endian int16: stored, where nothing has to be done to it, else samples.
func (c *Reader) ReadStored(ctx context.Context, at Clip) (stored []byte, samples []float32, info codec.Info, err error) {
	if at.part() || c.processor != nil {
		samples, info, _, err = c.Read(ctx, at)
		return nil, samples, info, err
	}
	if err = c.load(at); err != nil {
		return nil, nil, info, err
	}
	if stored, info, ok := c.limitsOf(at).Stored(c.file); ok && info.Rate == c.Rate {
		return stored, nil, info, nil
	}
	samples, info, _, err = c.decoded(ctx, at)
	return nil, samples, info, err
}

// decoded decodes the loaded clip, resamples it to c.Rate and processes it as the config asks.
func (c *Reader) decoded(ctx context.Context, at Clip) (samples []float32, info codec.Info, notes []store.Note, err error) {
	info, notes, err = c.decode(ctx, at)
	return c.finish(info, notes, err)
}

// finish resamples and processes the decoded samples. It takes the decoder's error, so that a caller
// can pass on its results in one call.
func (c *Reader) finish(info codec.Info, notes []store.Note, fault error) (samples []float32, _ codec.Info, _ []store.Note, err error) {
	if err = fault; err != nil {
		return nil, info, nil, err
	}
	notes = append(notes, decodeNotes(info, c.Config)...)
	if samples, err = c.resampled(info.Rate); err != nil || c.processor == nil {
		return samples, info, notes, err
	}
	ended := c.Steps.Span(StepProcess)
	samples, done, err := c.processor.Apply(samples)
	ended()
	if err != nil {
		return nil, info, nil, &Refusal{err}
	}
	return samples, info, append(notes, processNotes(done, c.Process)...), nil
}

// decode decodes the file that was read. What package codec does not know goes to
// ffmpeg, which reads the file by itself, so that it may have read another one.
func (c *Reader) decode(ctx context.Context, at Clip) (info codec.Info, notes []store.Note, err error) {
	defer c.Steps.Span(StepDecode)()
	c.decoders.decoded.Add(1)
	limits := c.limitsOf(at)
	if c.Owes {
		limits = limits.Owing(&c.sums)
	}
	if c.pcm, info, err = limits.DecodeBytes(c.pcm[:0], c.file); err == nil {
		return info, nil, nil
	}
	if !errors.Is(err, codec.ErrForeign) && (!errors.Is(err, codec.ErrNotWAV) || sure[strings.ToLower(path.Ext(at.name))] != "") {
		return info, nil, &Refusal{strange(at.name, err)}
	}
	if at.member() {
		return info, nil, &Refusal{fmt.Errorf("%w; inside a container it cannot be handed to ffmpeg: unpack it", strange(at.name, err))}
	}
	tool, missing := c.decoders.ffmpeg()
	if missing != nil {
		return info, nil, &Refusal{err} // it says that ffmpeg is needed
	}
	if done, ok := c.takeAhead(at); ok {
		c.spare = append(c.spare, c.pcm)
		c.pcm, info, err = done.PCM, done.Info, nil
	} else {
		c.pcm, info, err = tool.Decode(ctx, c.pcm[:0], at.file, c.Limits)
	}
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
	return info, byFFmpeg(info), nil
}

// byFFmpeg is the note of a clip that ffmpeg decodes.
func byFFmpeg(info codec.Info) []store.Note {
	return []store.Note{{Stage: action.NameAudio, Kind: kind.ByFFmpeg, Detail: info.Format, Count: 1}}
}

// decodePart decodes a part of a file. What only ffmpeg reads is refused: it
// would be decoded whole for every part.
func (c *Reader) decodePart(at Clip) (info codec.Info, err error) {
	defer c.Steps.Span(StepDecode)()
	c.decoders.decoded.Add(1)
	f, err := c.open(at)
	if err != nil {
		return info, err
	}
	defer f.Close()
	c.pcm, info, err = c.limitsOf(at).DecodePart(c.pcm[:0], f, f.want.Size, at.stretch())
	if errors.Is(err, codec.ErrForeign) {
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
	for _, kind := range []error{codec.ErrCorrupt, codec.ErrHeader, codec.ErrEmpty, codec.ErrTooLong, codec.ErrChannel} {
		if errors.Is(err, kind) {
			return &Refusal{err}
		}
	}
	if !errors.Is(err, context.DeadlineExceeded) && intake.IsMachine(err) {
		return intake.Machine(err) // it could not be started
	}
	return &intake.MachineError{Err: err, Cure: "build again when the machine has memory and time to spare; if it ends the same way, convert the file to WAV or FLAC, or take its row out of the metadata"}
}

// Refusal is a fault of a clip's content, which is the same whenever it is read.
type Refusal struct{ error }

// Unwrap is the fault.
func (r *Refusal) Unwrap() error { return r.error }

// resampled is the decoded samples at the configured rate. It works in a second
// buffer, since a resampler cannot write over what it still reads.
func (c *Reader) resampled(rate int) ([]float32, error) {
	if rate == c.Rate {
		return c.pcm, nil
	}
	defer c.Steps.Span(StepResample)()
	r, err := c.resampler(rate)
	if err != nil {
		return nil, &Refusal{err}
	}
	c.atRate = r.Resample(c.atRate[:0], c.pcm)
	return c.atRate, nil
}

// resampler is the resampler for a file's rate. Its tables take time to fill, so
// each is made once.
func (c *Reader) resampler(rate int) (*resample.Resampler, error) {
	if r := c.resample[rate]; r != nil {
		return r, nil
	}
	r, err := resample.New(rate, c.Rate)
	if err == nil {
		c.resample[rate] = r
	}
	return r, err
}

// decodeNotes says what decoding changes.
func decodeNotes(info codec.Info, c Config) (notes []store.Note) {
	if info.Rate != c.Rate {
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.Resampled, Detail: fmt.Sprintf("%d Hz → %d Hz", info.Rate, c.Rate), Count: 1})
	}
	if info.Trimmed > 0 {
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.PaddingCut, Detail: info.Format, Count: 1})
	}
	switch {
	case info.Channels > 1 && c.Limits.Channel > 0:
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.OneChannel, Detail: fmt.Sprintf("channel %d of %d", c.Limits.Channel, info.Channels), Count: 1})
	case info.Channels > 1:
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.Averaged, Detail: fmt.Sprintf("%d channels", info.Channels), Count: 1})
	}
	if info.Over > 0 {
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.OverFullScale, Detail: "floats beyond ±1, kept as they are",
			Count: uint32(min(info.Over, math.MaxUint32))})
	}
	if info.Open {
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: kind.OpenLength, Detail: "the header leaves the length open; read to the end of the file", Count: 1})
	}
	return notes
}

// processNotes says what processing changed.
func processNotes(done audio.Processed, p audio.Process) (notes []store.Note) {
	add := func(what, detail string) {
		notes = append(notes, store.Note{Stage: action.NameAudio, Kind: what, Detail: detail, Count: 1})
	}
	if done.CutStart+done.CutEnd > 0 {
		add(kind.SilenceTrimmed, fmt.Sprintf("%g dB below the loudest frame", p.TrimDB))
	}
	if done.GainDB != 0 {
		level, _, _ := strings.Cut(p.Normalize, "-")
		add(kind.LevelChanged, "to the "+level+" asked for")
	}
	if done.HeldBackDB > 0 {
		add(kind.GainHeldBack, "full scale would be passed")
	}
	if done.Clipped > 0 {
		add(kind.SamplesClipped, "full scale was passed")
		notes[len(notes)-1].Count = uint32(min(done.Clipped, math.MaxUint32))
	}
	return notes
}

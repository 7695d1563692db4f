package audio

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"voxpack/audio/codec"
	"voxpack/audio/detmath"
)

// ProcessVersion is the version of the processing below: which samples are cut, filters, gates, order
// of sums. The golden digests in testdata/golden/process hold it to its output.
const ProcessVersion = "process/1"

// What can be wrong with a clip that is to be processed, for errors.Is. The error's own text says it in full.
var (
	ErrSilent    = errors.New("clip is silent")
	ErrNotSample = errors.New("value that is not a sample")
)

const (
	// silentPeak is the lowest step of 24-bit PCM (-138 dBFS). A clip that nowhere reaches it holds
	// nothing that a gain could make audible, only a divisor near zero.
	silentPeak = 0x1p-23
	// fullScale is the greatest sample of 16-bit PCM, so that a gain up to it clips in no integer format.
	fullScale = 32767.0 / 32768
	// maxSample is beyond every scale in use (files of floats in integer units reach 2^31). Below it no
	// sum here overflows.
	maxSample = 0x1p64
)

// Process says what is done to a clip between decoding and features. The zero value does nothing. The
// order is fixed: trim, then normalise, then pre-emphasise. Trimming comes first because a level is
// wanted of what is kept, and its own threshold is relative to the clip, so that it does not need the
// gain. Pre-emphasis comes last because peak and loudness describe the clip as heard, which a filter
// made for the features would change.
type Process struct {
	TrimDB      float64 // silence is what is this many dB below the clip's loudest frame; 0: nothing is cut
	TrimMargin  float64 // seconds of silence kept at either end, rounded up to whole hops of 512 samples; default 0
	Normalize   string  // "", "peak", "loudness" or LoudnessClip
	PeakDB      float64 // dBFS that "peak" brings the greatest sample to; 0 means the default, -0.45 (0.9495 of full scale)
	LUFS        float64 // loudness that "loudness" brings the clip to, mono counted as one channel; 0 means the default, -23
	PreEmphasis float64 // a of y[n] = x[n] - a x[n-1], x[-1] = 0; 0: off
}

// LoudnessClip is "loudness" with the whole gain: what passes full scale then is cut to ±1, where else the
// gain is held back. It is what audiocraft does.
const LoudnessClip = "loudness-clip"

// loud reports whether p brings clips to a loudness.
func (p Process) loud() bool { return p.Normalize == "loudness" || p.Normalize == LoudnessClip }

// WithDefaults is p with every zero field that has a default replaced by it.
func (p Process) WithDefaults() Process {
	if p.PeakDB == 0 {
		p.PeakDB = -0.45
	}
	if p.LUFS == 0 {
		p.LUFS = -23
	}
	return p
}

// On reports whether p does anything.
func (p Process) On() bool { return p.TrimDB != 0 || p.Normalize != "" || p.PreEmphasis != 0 }

// Check returns everything that is wrong with p, in the order of its fields. Names in the messages are
// those of the config file. What depends on the sample rate is left to NewProcessor.
func (p Process) Check() []error {
	p = p.WithDefaults()
	var errs []error
	check := func(key string, value, low, high float64, unit string) {
		if !(value >= low && value <= high) {
			errs = append(errs, fmt.Errorf("%s %v is out of range %v..%v%s", key, value, low, high, unit))
		}
	}
	check("trim_db", p.TrimDB, 0, 120, " dB (0 as trim_silence: false)")
	check("trim_margin", p.TrimMargin, 0, 10, " s")
	if p.Normalize != "" && p.Normalize != "peak" && !p.loud() {
		errs = append(errs, fmt.Errorf("normalize_to %q is not known (normalize_audio); known: peak, loudness, loudness-clip", p.Normalize))
	}
	check("peak_db", p.PeakDB, -60, 0, " dBFS")
	// From -60 on, the gate at -70 LUFS is never above the relative one of a clip at its target.
	check("loudness_lufs", p.LUFS, -60, -5, " LUFS")
	check("pre_emphasis", p.PreEmphasis, 0, 1, "")
	return errs
}

// Canonical is what p means for a clip, for keys: equal for two values that do the same, "" for those
// that do nothing.
func (p Process) Canonical() string {
	p = p.WithDefaults()
	var b strings.Builder
	if p.TrimDB != 0 {
		fmt.Fprintf(&b, "trim_db=%v\ntrim_margin=%v\n", p.TrimDB, p.TrimMargin)
	}
	switch p.Normalize {
	case "":
	case "peak":
		fmt.Fprintf(&b, "normalize=peak\npeak_db=%v\n", p.PeakDB)
	case "loudness", LoudnessClip:
		fmt.Fprintf(&b, "normalize=%s\nloudness_lufs=%v\n", p.Normalize, p.LUFS)
	default:
		fmt.Fprintf(&b, "normalize=%q\n", p.Normalize)
	}
	if p.PreEmphasis != 0 {
		fmt.Fprintf(&b, "pre_emphasis=%v\n", p.PreEmphasis)
	}
	return b.String()
}

// Processed says what was done to a clip.
type Processed struct {
	CutStart, CutEnd int     // samples cut off
	GainDB           float64 // gain applied, 0 without normalisation
	Clipped          int     // samples cut to full scale
	HeldBackDB       float64 // by how much it is below what the target asked for, because a sample would have passed full scale
}

// A Processor processes clips of one rate, one after the other. It owns the memory that it needs for
// that, which grows with the longest clip, so that it serves one goroutine.
type Processor struct {
	process Process
	trim    trimmer
	meter   meter
	peak    float64 // what "peak" brings the greatest sample to
}

// NewProcessor makes the tables for clips of rate Hz. The error lists everything that is wrong with p
// and with p at that rate.
func NewProcessor(p Process, rate int) (*Processor, error) {
	errs := p.Check()
	if rate < codec.MinRate || rate > codec.MaxRate {
		errs = append(errs, fmt.Errorf("sample_rate %d is out of range %d..%d", rate, codec.MinRate, codec.MaxRate))
	} else if p.loud() && rate < minLoudnessRate {
		errs = append(errs, fmt.Errorf("normalize_to \"loudness\" needs a sample_rate of %d at least, not %d: its filter rises where such clips end",
			minLoudnessRate, rate))
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	p = p.WithDefaults()
	return &Processor{
		process: p,
		trim:    newTrimmer(p.TrimDB, p.TrimMargin, rate),
		meter:   newMeter(rate),
		peak:    decibels(p.PeakDB),
	}, nil
}

// Apply processes a clip in place; out is the part of pcm that is kept. After an error pcm is as it
// was. A clip that is silent everywhere is an ErrSilent where it is to be trimmed or normalised,
// because there is no level to go by.
//
// The guard of the gain looks at samples, not at the curve between them (the true peak of BS.1770,
// annex 2): a clip goes to a feature, not to a converter, and what must not happen is that a sample
// clips. Pre-emphasis comes after the guard and can pass full scale, by a factor of 1 + a where the
// clip alternates at full scale.
func (p *Processor) Apply(pcm []float32) (out []float32, done Processed, err error) {
	peak, err := peakOf(pcm)
	if err != nil {
		return nil, Processed{}, err
	}
	out = pcm
	if p.process.TrimDB != 0 {
		if peak < silentPeak {
			return nil, Processed{}, silent()
		}
		start, end := p.trim.bounds(pcm)
		done.CutStart, done.CutEnd = start, len(pcm)-end
		out = pcm[start:end]
		if peak, err = peakOf(out); err != nil { // a click may have been cut
			return nil, Processed{}, err
		}
	}
	if p.process.Normalize != "" {
		gain, heldBack, err := p.gain(out, peak)
		if err != nil {
			return nil, Processed{}, err
		}
		scale(out, gain)
		done.GainDB, done.HeldBackDB = inDecibels(gain), heldBack
		if p.process.Normalize == LoudnessClip {
			done.Clipped = cutToFullScale(out)
		}
	}
	if p.process.PreEmphasis != 0 {
		preEmphasise(out, p.process.PreEmphasis)
	}
	return out, done, nil
}

// gain is the factor that normalises pcm with its peak, and by how many dB full scale lowered it.
func (p *Processor) gain(pcm []float32, peak float64) (gain, heldBack float64, err error) {
	if peak < silentPeak {
		return 0, 0, silent()
	}
	wanted := p.peak / peak
	if p.process.loud() {
		if wanted, err = p.meter.gain(pcm, p.process.LUFS); err != nil {
			return 0, 0, err
		}
	}
	if most := fullScale / peak; wanted > most && p.process.Normalize != LoudnessClip {
		return most, inDecibels(wanted / most), nil
	}
	return wanted, 0, nil
}

func silent() error {
	return codec.Errorf(ErrSilent, "clip is silent: no sample reaches -138 dBFS, the lowest step of 24 bits")
}

// peakOf is the greatest magnitude in pcm. Magnitudes order as their bits do, and what is not a number
// comes out above all.
func peakOf(pcm []float32) (float64, error) {
	if len(pcm) == 0 {
		return 0, codec.Errorf(codec.ErrEmpty, "clip has no samples")
	}
	var top uint32
	for _, v := range pcm {
		top = max(top, math.Float32bits(v)&^(1<<31))
	}
	peak := math.Float32frombits(top)
	if !(peak <= maxSample) {
		return 0, codec.Errorf(ErrNotSample, "clip holds the value %v, which is not a sample", peak)
	}
	return float64(peak), nil
}

// scale multiplies pcm by gain, rounding once. A gain of fullScale / peak brings the peak to exactly
// fullScale, because the rounding error in float64 is far below half a step of float32.
func scale(pcm []float32, gain float64) {
	for i, v := range pcm {
		pcm[i] = float32(float64(v) * gain)
	}
}

// cutToFullScale brings what lies beyond ±1 there and returns how many samples that were.
func cutToFullScale(pcm []float32) (cut int) {
	for i, v := range pcm {
		if w := min(max(v, -1), 1); w != v {
			pcm[i] = w
			cut++
		}
	}
	return cut
}

// decibels is the amplitude ratio of db decibels, inDecibels its inverse.
func decibels(db float64) float64     { return detmath.Exp(float64(db * (math.Ln10 / 20))) }
func inDecibels(gain float64) float64 { return detmath.Log(gain) * (20 / math.Ln10) }

// preEmphasise replaces pcm by y[n] = x[n] - a x[n-1]. The sample before the first is 0, as in torch
// pipelines: librosa extrapolates it from the first two instead, which changes the first value only.
func preEmphasise(pcm []float32, a float64) {
	last := 0.0
	for i, v := range pcm {
		x := float64(v)
		pcm[i] = float32(x - float64(a*last))
		last = x
	}
}

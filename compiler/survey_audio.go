package compiler

import (
	"context"
	"errors"
	"fmt"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/kind"
	"voxpack/internal/number"
	"voxpack/store"
)

// audio finds out what the file holds. Its header is read only where no earlier build
// did that under the same key. A verdict against a recording counts only while the stat
// of files can be trusted: a build that distrusts them (--rehash) reads the file again.
func (s *surveyor) audio(ctx context.Context, it *candidate) error {
	if it.unhashed {
		return s.audioFirst(ctx, it)
	}
	if it.made.Audio.IsZero() {
		return nil
	}
	key, res, hit := s.recallAudio(it)
	if !hit || res.Refused != "" { // refusals have a key of their own: see Keyer.Refused
		res, hit = s.memo.Get(s.keys.Refused(key))
		hit = hit && s.stats.Trusts()
	}
	if !hit {
		if over, again := s.memo.Get(s.keys.Over(key, s.clips.Limits)); again {
			it.reached[action.Audio] = true
			return s.judge(it, codec.Errorf(codec.ErrTooLong, "%s", over.Refused))
		}
		var err error
		if res, _, err = s.probe(ctx, it); err != nil {
			s.tooLong(it, key, err)
			return s.judge(it, err)
		}
		key = s.keyOf(it, res)
		if !it.claimed {
			s.keep(key, res)
		}
	}
	it.ran[action.Audio] = !hit
	s.applyAudio(it, key, res)
	return nil
}

// recallAudio looks for what the file holds, first as one of one channel, if such a file has what the config asks for.
func (s *surveyor) recallAudio(it *candidate) (key store.Key, res action.Result, hit bool) {
	if s.cfg.Channel == 1 {
		one := action.Result{Numbers: [5]uint64{1: 1}}
		key = s.keyOf(it, one)
		if res, hit = s.recall(it, action.Audio, key); hit && res.Refused == "" && res.Numbers[1] == 1 {
			return key, res, true // what the mean of all channels gave
		}
	}
	key = s.keyOf(it, action.Result{})
	res, hit = s.recall(it, action.Audio, key)
	return key, res, hit
}

// keyOf is the key of a row's audio action, whose result tells the channels.
func (s *surveyor) keyOf(it *candidate, res action.Result) store.Key {
	it.made.Channels = uint32(res.Numbers[1])
	return s.keys.Audio(it.made, s.decoders.Version(it.path))
}

// keep remembers what the audio action found out, a refusal under its own key.
func (s *surveyor) keep(key store.Key, res action.Result) {
	if res.Refused != "" {
		key = s.keys.Refused(key)
		s.memo.Judged()
	}
	s.memo.Put(key, res)
}

// tooLong remembers that a clip is over the limit of length. The limit is part of the
// key: a higher one may admit the clip, and asks it anew.
func (s *surveyor) tooLong(it *candidate, key store.Key, err error) {
	if errors.Is(err, codec.ErrTooLong) {
		it.ran[action.Audio], it.reached[action.Audio] = true, true
		s.memo.Put(s.keys.Over(key, s.clips.Limits), action.Result{Refused: err.Error()})
	}
}

// audioFirst is audio for a row that is unhashed. Where the file tells the length, the
// row stays unhashed and is decoded once, for its mel. Where the samples had to be
// decoded to know the length, the reader has summed the file on the way; and a file that
// is refused is hashed, so that the refusal can be remembered under its digest.
func (s *surveyor) audioFirst(ctx context.Context, it *candidate) error {
	res, whole, fault := s.probe(ctx, it)
	it.unhashed = fault == nil && !whole && (res.Refused == "" || it.claimed)
	if fault != nil && !errors.Is(fault, codec.ErrTooLong) {
		return s.judge(it, fault)
	}
	it.ran[action.Audio] = true
	if it.unhashed {
		s.applyAudio(it, store.Key{}, res)
		return nil
	}
	var err error
	if whole {
		it.made.Audio = s.clips.Sum()
	} else if it.made.Audio, err = s.hash(it); err != nil {
		return s.judge(it, err)
	}
	s.stats.Note(it.path, it.stamp, s.since, it.made.Audio)
	key := s.keyOf(it, res)
	if fault != nil {
		s.tooLong(it, key, fault)
		return s.judge(it, fault)
	}
	s.keep(key, res)
	s.applyAudio(it, key, res)
	return nil
}

// probe is the audio action as far as a row's fate needs it: rate, channels, bits, and
// the number of samples in the file and after resampling and processing. whole: all of
// the file was read for it. Samples that had to be decoded are decoded again for the
// columns.
func (s *surveyor) probe(ctx context.Context, it *candidate) (res action.Result, whole bool, err error) {
	p, err := s.clips.Probe(ctx, clipOf(it.input, &it.fate))
	it.claimed, it.guessed = p.Claimed, p.Guessed
	if errors.Is(err, codec.ErrTooLong) {
		return action.Result{}, p.Whole, err // no fault of the file: the limit may be another tomorrow
	}
	if refused := (*clip.Refusal)(nil); errors.As(err, &refused) {
		return action.Result{Refused: refused.Error()}, p.Whole, nil
	}
	if err != nil {
		return action.Result{}, false, err
	}
	n := p.Info
	return action.Result{Notes: p.Notes, Numbers: [5]uint64{uint64(n.Rate), uint64(n.Channels), uint64(n.Bits), uint64(n.Samples), uint64(p.Samples)}}, p.Whole, nil
}

// applyAudio puts the result of the audio action into the row's record, and refuses a
// clip that the limits, the config or the mel do not take.
func (s *surveyor) applyAudio(it *candidate, key store.Key, res action.Result) {
	r := it.made
	it.reached[action.Audio] = true
	if !it.unhashed {
		s.setKeys(r, key)
	}
	if res.Refused != "" {
		it.problems = append(it.problems, problem{kind: kind.BadAudio, stage: action.NameAudio, action: key, reason: res.Refused, file: it.path})
		return
	}
	n := res.Numbers
	r.Rate, r.Channels, r.Bits, r.FileSamples, r.Samples = uint32(n[0]), uint32(n[1]), uint32(n[2]), n[3], n[4]
	r.Notes = append(r.Notes, res.Notes...)
	if why := s.cfg.hear(r, s.mel, it.path); why != nil {
		it.problems = append(it.problems, *why)
	}
	it.heard = uint8(len(r.Notes))
}

// hear counts the frames of a clip whose samples are known, and says why the limits, the config or the mel do not
// take it; nil: they do.
func (c *Config) hear(r *store.OriginRow, mel *audio.Mel, path string) *problem {
	no := func(why kind.Rejection, stage, reason string) *problem {
		return &problem{kind: why, stage: stage, reason: reason}
	}
	if err := c.clips().Limits.Check("audio", int64(r.FileSamples), int(r.Rate)); err != nil {
		return no(kind.TooLarge, action.NameAudio, fmt.Sprintf("%s: %v", path, err))
	}
	switch seconds, keep := float64(r.Samples)/float64(c.SampleRate), c.Length; {
	case seconds < keep.MinSeconds:
		return no(kind.Seconds, action.NameAudio, fmt.Sprintf("%.3f s, min_seconds is %g", seconds, keep.MinSeconds))
	case keep.MaxSeconds > 0 && seconds > keep.MaxSeconds:
		return no(kind.Seconds, action.NameAudio, fmt.Sprintf("%.3f s, max_seconds is %g", seconds, keep.MaxSeconds))
	}
	if least := mel.MinSamples(); r.Samples < uint64(least) {
		return no(kind.Seconds, action.NameMel, fmt.Sprintf("a clip of %s is shorter than the %d that the mel's padding needs", number.Count(r.Samples, "sample"), least))
	}
	frames, limit := mel.Frames(int64(r.Samples)), c.Shape.MaxMelFrames
	r.Frames = uint32(frames)
	var why *problem
	if frames > limit {
		why = c.overlong(r, action.NameMel, fmt.Sprintf("%d frames, max_mel_frames is %d", frames, limit), fmt.Sprintf("over max_mel_frames %d", limit))
	}
	// A clip whose frames fit can have samples after its last frame, which belong to no
	// frame; a column of samples cuts them.
	for at := range c.stages().Computed() {
		if at.Feature().Samples && r.Samples > uint64(limit*c.Mel.HopLength) {
			r.Notes = append(r.Notes, store.Note{Stage: at.Name(), Kind: kind.Truncated, Detail: fmt.Sprintf("over max_mel_frames %d", limit), Count: 1})
		}
	}
	return why
}

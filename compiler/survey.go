package compiler

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"voxpack/audio"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// item is a row on its way through the build.
type item struct {
	from     *corpusFolder
	row      *intake.Row // as the metadata has it
	place    uint64
	path     string // of the audio: the corpus's name, "/", and the path below the corpus
	stamp    stamp
	made     *store.OriginRow // what the survey made of it; nil before
	problems []problem
	notes    []store.Note // of the metadata; the stages' stand in made.Notes
	known    *known       // what the previous snapshot says; dropped after the survey
	same     int          // 1 + the previous leaf that has the very same row; 0: none has
	late     bool         // its digest and its keys are not known yet
	anew     bool         // this build read its file to name it
	ran      [stageCount]bool
	reached  [stageCount]bool
}

// problem is one reason to leave a row out.
type problem struct {
	stage  string
	action store.Key // zero: no action decided it
	reason string
	file   string // that the reason is about, "" for none; an action does not know it
}

// known is a row of the previous snapshot, kept or refused.
type known struct {
	row      *store.OriginRow
	leaf     int // -1: refused
	refusals []store.Refusal
}

// surveyor finds out everything about rows that is needed before they can be
// placed: each row's fate, keys, lengths and notes. One goroutine, one surveyor.
type surveyor struct {
	same  bool // the previous root was made by the same settings and versions
	first bool // there is no store: rows may be late
	namer
	text   *textnorm.Normalizer
	tokens *textnorm.Tokenizer
	mel    *audio.Mel
	buf    []byte // for hashing
	ids    []int32
	clips  *clipReader
}

// survey looks at one row. Only errors that must stop the build are returned.
func (s *surveyor) survey(ctx context.Context, it *item) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.checkSpeaker(it)
	digest, err := s.locate(it)
	if err != nil {
		return err
	}
	language := cmp.Or(it.row.Language, s.cfg.Language)
	if s.unchanged(it, language, digest) {
		it.made = it.known.row
		it.same = it.known.leaf + 1
		it.reached = [stageCount]bool{atAudio: true, atText: true, atTokens: true}
		it.known = nil
		return nil
	}
	it.made = newMade(it.row, language, digest, s.cfg.keyCount())
	if err := s.audio(ctx, it); err != nil {
		return err
	}
	s.normalize(it)
	if len(it.made.Spoken) > 0 {
		s.tokenize(it)
	}
	if it.late && len(it.problems) > 0 {
		digest, err := s.hash(it)
		if err == nil {
			s.name(it, digest)
		}
		if err = s.fate(it, err); err != nil {
			return err
		}
	}
	it.made.Notes = append(it.made.Notes, it.notes...)
	it.known = nil
	return nil
}

// newMade begins the record of a row that is not the previous snapshot's.
func newMade(r *intake.Row, language string, audio store.Digest, keys int) *store.OriginRow {
	m := &struct {
		store.OriginRow
		keys [atMel + 1]store.Key
	}{OriginRow: store.OriginRow{ID: r.ID, Text: r.Text, Given: r.Given, HasGiven: r.HasGiven, Speaker: r.Speaker, Language: language, Split: string(r.Split), Audio: audio}}
	m.From, m.Length = span(r)
	if m.Keys = m.keys[:]; keys > len(m.keys) {
		m.Keys = make([]store.Key, keys)
	}
	return &m.OriginRow
}

// unchanged reports whether nothing that any stage reads differs from what the
// previous snapshot's row was made from. Then the row is that row, and no key
// needs hashing to know it: on 13,100 rows that is a third of a build with
// nothing to do.
func (s *surveyor) unchanged(it *item, language string, audio store.Digest) bool {
	if !s.same || it.known == nil || it.known.leaf < 0 || len(it.problems) > 0 || len(it.notes) > 0 {
		return false
	}
	now, was := it.row, it.known.row
	if audio != was.Audio || now.Text != was.Text || now.Given != was.Given || now.HasGiven != was.HasGiven ||
		language != was.Language || now.Speaker != was.Speaker || string(now.Split) != was.Split {
		return false
	}
	if from, length := span(now); from != was.From || length != was.Length {
		return false
	}
	decoder := s.decoders.version(it.path)
	if (decoder != "" || it.anew) && s.keys.audio(was, decoder) != was.Keys[atAudio] {
		return false // another version of what decodes it, or another extension
	}
	if s.clips.limits.Check("audio", int64(was.FileSamples), int(was.Rate)) != nil {
		return false // the one bound that is no setting of the root
	}
	for _, n := range was.Notes {
		if n.Stage == stageMetadata && (n.Kind == "repeated-row" || n.Kind == noteDiffers) {
			return false
		}
	}
	return true
}

// span is the part of a file that a row is, in nanoseconds; zeros: the whole.
func span(r *intake.Row) (from, length uint64) {
	if r.Audio == nil {
		return 0, 0
	}
	return uint64(r.Audio.From), uint64(r.Audio.Length)
}

func (s *surveyor) checkSpeaker(it *item) {
	speaker := it.row.Speaker
	if s.cfg.Speakers == nil || speaker == "" || slices.Contains(s.cfg.Speakers, speaker) {
		return
	}
	it.refuse(stageMetadata, store.Key{}, fmt.Sprintf("speaker %q is not in the config's speakers list", speaker))
}

// locate finds a row's file and its digest, reading the file only when its stat
// is not enough. A zero digest means that the row is refused.
func (s *surveyor) locate(it *item) (digest store.Digest, err error) {
	path, now, differs, err := it.from.clip(it.row)
	if errors.Is(err, errChanged) {
		return store.Digest{}, err
	}
	at := clipAt{audio: it.row.Audio}
	if err == nil && now.Size > maxClipBytes && !at.part() && !at.member() {
		err = fmt.Errorf("%s has %d MiB; a clip may have %d", path, now.Size>>20, maxClipBytes>>20)
	}
	if err != nil {
		it.refuse(stageAudio, store.Key{}, err.Error())
		return store.Digest{}, nil
	}
	it.path, it.stamp = it.from.nameOf(it.row, path), now
	if differs != "" {
		it.notes = append(it.notes, store.Note{Stage: stageMetadata, Kind: noteDiffers, Detail: differs, Count: 1})
	}
	if it.late = s.first && !at.part() && !at.member(); it.late {
		return store.Digest{}, nil
	}
	digest, it.anew, err = s.stats.digest(it.path, it.stamp, func() (store.Digest, error) { return s.hash(it) })
	return digest, s.fate(it, err)
}

func (s *surveyor) hash(it *item) (store.Digest, error) {
	return it.clip().hash(s.buf)
}

// maxClipBytes bounds what a worker may have to hold of one clip: 128 MiB are 50
// minutes of 16-bit mono at 22,050 Hz, a hundred times what a sample can use.
const maxClipBytes = 128 << 20

// fate refuses a row whose file cannot be read; a file that is being written
// stops this attempt of the build instead, as an interrupt does.
func (s *surveyor) fate(it *item, err error) error {
	if err == nil || errors.Is(err, errChanged) || errors.Is(err, context.Canceled) {
		return err
	}
	it.refuse(stageAudio, store.Key{}, fmt.Sprintf("%s: %v", it.path, err))
	if it.made != nil {
		it.made.Audio = store.Digest{}
	}
	return nil
}

// audio finds out what the file holds, reading its header only when no earlier
// build did.
func (s *surveyor) audio(ctx context.Context, it *item) error {
	if it.late {
		return s.audioFirst(ctx, it)
	}
	if it.made.Audio.IsZero() {
		return nil
	}
	key := s.keys.audio(it.made, s.decoders.version(it.path))
	res, hit := s.recall(it, atAudio, key)
	if !hit {
		if over, again := s.memo.get(s.keys.over(key, s.clips.limits)); again {
			it.reached[atAudio] = true
			return s.fate(it, errors.New(over.Refused))
		}
		var err error
		if res, _, err = s.probe(ctx, it); err != nil {
			s.tooLong(it, key, err)
			return s.fate(it, err)
		}
		s.memo.put(key, res)
	}
	it.ran[atAudio] = !hit
	s.applyAudio(it, key, res)
	return nil
}

// tooLong remembers that a clip is over the limit of length, under this limit.
func (s *surveyor) tooLong(it *item, key store.Key, err error) {
	if errors.Is(err, audio.ErrTooLong) {
		it.ran[atAudio], it.reached[atAudio] = true, true
		s.memo.put(s.keys.over(key, s.clips.limits), result{Refused: err.Error()})
	}
}

// audioFirst is audio for a row that is late.
func (s *surveyor) audioFirst(ctx context.Context, it *item) error {
	res, whole, fault := s.probe(ctx, it)
	it.late = fault == nil && !whole && res.Refused == ""
	if fault != nil && !errors.Is(fault, audio.ErrTooLong) {
		return s.fate(it, fault)
	}
	it.ran[atAudio] = true
	if it.late {
		s.applyAudio(it, store.Key{}, res)
		return nil
	}
	var err error
	if whole {
		it.made.Audio = store.Sum(s.clips.file)
	} else if it.made.Audio, err = s.hash(it); err != nil {
		return s.fate(it, err)
	}
	s.stats.note(it.path, it.stamp, s.since, it.made.Audio)
	key := s.keys.audio(it.made, s.decoders.version(it.path))
	if fault != nil {
		s.tooLong(it, key, fault)
		return s.fate(it, fault)
	}
	s.memo.put(key, res)
	s.applyAudio(it, key, res)
	return nil
}

// probe is the audio action as far as a row's fate needs it: what the file
// holds. The samples themselves are decoded where they are wanted.
// Where the header tells that, the samples are not read; whole: they were.
func (s *surveyor) probe(ctx context.Context, it *item) (res result, whole bool, err error) {
	info, samples, notes, err := s.header(it)
	if whole = err == nil && samples < 0; whole {
		var clip []float32
		clip, info, notes, err = s.clips.read(ctx, it.clip())
		samples = int64(len(clip))
	}
	if errors.Is(err, audio.ErrTooLong) {
		return result{}, whole, err // no fault of the file: the limit may be another tomorrow
	}
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		return result{Refused: refused.Error()}, whole, nil
	}
	if err != nil {
		return result{}, false, err
	}
	return result{Notes: notes, Numbers: [5]uint64{uint64(info.Rate), uint64(info.Channels), uint64(info.Bits), uint64(info.Samples), uint64(samples)}}, whole, nil
}

// header is what a file's header tells of it, if it tells everything; else
// samples is -1.
func (s *surveyor) header(it *item) (info audio.Info, samples int64, notes []store.Note, err error) {
	at := it.clip()
	f, size, err := s.open(at)
	if err != nil {
		return info, 0, nil, err
	}
	defer f.Close()
	format, known, err := audio.FormatOf(f, size)
	if err != nil {
		return info, 0, nil, plain(err)
	}
	if err := misnamed(it.path, format, known); err != nil {
		return info, 0, nil, &refusal{err}
	}
	if known && !format.HeaderOnly || !known && sure[strings.ToLower(path.Ext(it.path))] == "" || s.cfg.Process.On() {
		return info, -1, nil, nil
	}
	if at.part() {
		info, err = s.clips.limits.ProbePart(f, size, at.stretch())
	} else {
		info, err = s.clips.limits.Probe(f, size)
	}
	if err != nil {
		return info, 0, nil, &refusal{strange(it.path, err)}
	}
	samples = info.Samples
	if info.Rate != s.cfg.SampleRate {
		if _, err := s.clips.resampler(info.Rate); err != nil {
			return info, 0, nil, &refusal{err}
		}
		samples = audio.ResampledLen(samples, info.Rate, s.cfg.SampleRate)
	}
	return info, samples, clipNotes(info, s.cfg.SampleRate), nil
}

// open opens a clip's file for reading; a container's member is read whole.
func (s *surveyor) open(at clipAt) (f io.ReadSeekCloser, size int64, err error) {
	if !at.member() {
		f, err := openSame(at.file, at.stamp)
		return f, at.stamp.Size, err
	}
	if s.clips.file, err = at.read(s.clips.file); err != nil {
		return nil, 0, err
	}
	return struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(s.clips.file), io.NopCloser(nil)}, int64(len(s.clips.file)), nil
}

func (s *surveyor) applyAudio(it *item, key store.Key, res result) {
	r := it.made
	it.reached[atAudio] = true
	if !it.late {
		s.setKeys(r, key)
	}
	if res.Refused != "" {
		it.problems = append(it.problems, problem{stageAudio, key, res.Refused, it.path})
		return
	}
	n := res.Numbers
	r.Rate, r.Channels, r.Bits, r.FileSamples, r.Samples = uint32(n[0]), uint32(n[1]), uint32(n[2]), n[3], n[4]
	r.Notes = append(r.Notes, res.Notes...)
	if err := s.clips.limits.Check("audio", int64(r.FileSamples), int(r.Rate)); err != nil {
		it.refuse(stageAudio, store.Key{}, fmt.Sprintf("%s: %v", it.path, err))
		return
	}
	if s.outside(it) {
		return
	}
	if least := s.mel.MinSamples(); r.Samples < uint64(least) {
		it.refuse(stageMel, store.Key{}, fmt.Sprintf("a clip of %d samples is shorter than the %d that the mel's padding needs", r.Samples, least))
		return
	}
	frames := s.mel.Frames(int64(r.Samples))
	r.Frames = uint32(frames)
	if frames > s.cfg.Shape.MaxMelFrames {
		s.overlong(it, stageMel, "frames", frames, "max_mel_frames", s.cfg.Shape.MaxMelFrames)
	}
	// Behind the last frame that fits there can be samples of no frame.
	for at := atMel + 1; at < len(stages); at++ {
		if s.cfg.uses(at) && feature(at).Samples && r.Samples > uint64(s.cfg.Shape.MaxMelFrames*s.cfg.Mel.HopLength) {
			r.Notes = append(r.Notes, store.Note{Stage: stages[at].Name, Kind: "truncated",
				Detail: fmt.Sprintf("over max_mel_frames %d", s.cfg.Shape.MaxMelFrames), Count: 1})
		}
	}
}

// outside refuses a clip that is shorter or longer than the config keeps.
func (s *surveyor) outside(it *item) bool {
	seconds, keep := float64(it.made.Samples)/float64(s.cfg.SampleRate), s.cfg.Length
	switch {
	case seconds < keep.MinSeconds:
		it.refuse(stageAudio, store.Key{}, fmt.Sprintf("%.3f s, min_seconds is %g", seconds, keep.MinSeconds))
	case keep.MaxSeconds > 0 && seconds > keep.MaxSeconds:
		it.refuse(stageAudio, store.Key{}, fmt.Sprintf("%.3f s, max_seconds is %g", seconds, keep.MaxSeconds))
	default:
		return false
	}
	return true
}

func (s *surveyor) normalize(it *item) {
	r := it.made
	if r.HasGiven && r.Given == "" && r.Text != "" {
		r.Notes = append(r.Notes, store.Note{Stage: stageMetadata, Kind: "empty-column", Detail: "no normalised text; the raw text is read", Count: 1})
	}
	text := source(r)
	if strings.TrimSpace(text) == "" {
		it.refuse(stageText, store.Key{}, "the text is empty")
		return
	}
	key := s.keys.textOf(r.Language, text)
	res, hit := s.recall(it, atText, key)
	if !hit {
		var notes []textnorm.Note
		res.Spoken, notes = s.text.Normalize(text, r.Language)
		res.Notes = sumNotes(stageText, notes)
		s.memo.put(key, res)
	}
	it.ran[atText], it.reached[atText] = !hit, true
	r.Keys[atText] = key
	r.Notes = append(r.Notes, res.Notes...)
	if res.Spoken == "" {
		it.refuse(stageText, key, "nothing of the text can be spoken")
		return
	}
	r.Spoken = res.Spoken
	if r.Spoken == text {
		r.Spoken = text // one string in memory instead of two
	}
}

func (s *surveyor) tokenize(it *item) {
	r := it.made
	key := s.keys.tokensOf(r.Spoken)
	res, hit := s.recall(it, atTokens, key)
	if !hit {
		var notes []textnorm.Note
		var err error
		s.ids, notes, err = s.tokens.Encode(s.ids[:0], r.Spoken)
		res.Numbers[0] = uint64(len(s.ids))
		res.Notes = sumNotes(stageTokens, notes)
		if err != nil {
			res.Refused = err.Error()
		}
		s.memo.put(key, res)
	}
	it.ran[atTokens], it.reached[atTokens] = !hit, true
	r.Keys[atTokens] = key
	r.Notes = append(r.Notes, res.Notes...)
	if res.Refused != "" {
		it.refuse(stageTokens, key, res.Refused)
		return
	}
	r.Tokens = uint32(res.Numbers[0])
	if n := int(r.Tokens); n > s.cfg.Shape.MaxTextLength {
		s.overlong(it, stageTokens, "tokens", n, "max_text_length", s.cfg.Shape.MaxTextLength)
	}
}

// overlong applies the policy to a row that exceeds a shape.
func (s *surveyor) overlong(it *item, stage, unit string, have int, key string, limit int) {
	if s.cfg.Shape.Overlong == OverlongTruncate {
		it.made.Notes = append(it.made.Notes, store.Note{Stage: stage, Kind: "truncated", Detail: fmt.Sprintf("over %s %d", key, limit), Count: 1})
		return
	}
	it.refuse(stage, store.Key{}, fmt.Sprintf("%d %s, %s is %d", have, unit, key, limit))
}

// recall looks for a result in the previous snapshot's row of the same id, then
// in the memo.
func (s *surveyor) recall(it *item, at int, key store.Key) (result, bool) {
	if k := it.known; k != nil && at < len(k.row.Keys) && k.row.Keys[at] == key {
		return k.result(at, key), true
	}
	return s.memo.get(key)
}

func (k *known) result(at int, key store.Key) result {
	var res result
	for _, f := range k.refusals {
		if f.Action == key {
			res.Refused = f.Reason
		}
	}
	r := k.row
	switch at {
	case atAudio:
		res.Numbers = [5]uint64{uint64(r.Rate), uint64(r.Channels), uint64(r.Bits), r.FileSamples, r.Samples}
	case atText:
		res.Spoken = r.Spoken
	case atTokens:
		res.Numbers[0] = uint64(r.Tokens)
	}
	for _, n := range r.Notes {
		if n.Stage == stages[at].Name && n.Kind != "truncated" {
			res.Notes = append(res.Notes, n)
		}
	}
	return res
}

func (it *item) refuse(stage string, action store.Key, reason string) {
	it.problems = append(it.problems, problem{stage: stage, action: action, reason: reason})
}

// sumNotes counts a stage's notes by kind and detail, in the order in which
// they first occur.
func sumNotes(stage string, notes []textnorm.Note) []store.Note {
	var out []store.Note
next:
	for _, n := range notes {
		for i := range out {
			if out[i].Kind == n.Kind && out[i].Detail == n.Detail {
				out[i].Count++
				continue next
			}
		}
		out = append(out, store.Note{Stage: stage, Kind: n.Kind, Detail: n.Detail, Count: 1})
	}
	return out
}

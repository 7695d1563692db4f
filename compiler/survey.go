package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/internal/perf"
	"voxpack/store"
	"voxpack/textnorm"
)

// surveyor finds out everything about a row that is needed before the row can be
// placed: its fate, keys, lengths and notes. No mel is computed here: a header says how
// long a clip is, and the memo has the results of texts. Each goroutine has a surveyor
// of its own, because the reader of clips and ids are scratch memory.
type surveyor struct {
	sameConfig bool // the previous root was made by the same settings and versions
	firstBuild bool // there is no store: rows may be unhashed
	namer
	filter *rowFilter
	text   *frontend.FrontEnd
	mel    *audio.Mel
	ids    []int32
	found  []ownFound // of the row that is looked at
	shared sharedRemains
	aside  putter
	clips  *clip.Reader
	steps  *perf.Recorder // nil: nobody asks
}

// candidate is a row that is surveyed, with its fate as far as it is known.
type candidate struct {
	*input
	fate
	notes     []store.Note // on its metadata and its file; those of stages stand in made.Notes
	hashedNow bool         // its file was read for its digest
}

// survey looks at one row. Only errors that must stop the build are returned.
func (s *surveyor) survey(ctx context.Context, in *input) (*fate, error) {
	it := candidate{input: in, notes: in.notes()}
	err := s.examine(ctx, &it)
	if err == nil && it.claimed && (!it.kept() || s.mayFall(&it)) {
		return s.proven(ctx, in) // a row is left out for what its file holds
	}
	fate := it.fate // without the rest
	return &fate, err
}

// mayFall reports whether a clip that is to be trimmed may become too short, by half of its length. It is decoded twice
// then; if the work found it out, all clips of its leaf would be.
func (s *surveyor) mayFall(it *candidate) bool {
	if !it.guessed || s.cfg.Process.TrimDB == 0 {
		return false
	}
	half := *it.made
	half.Samples, half.Notes = half.Samples/2, nil
	return s.cfg.hear(&half, s.mel, it.path) != nil || s.cfg.offPace(&half) != ""
}

// examine takes the steps of the survey in the order of their cost: what the metadata
// tells, then what a stat tells, then what has to be read. A row that is refused goes
// on through the other steps, so that all that is wrong with it comes out at once; of a row
// that a filter leaves out nothing more is looked at.
func (s *surveyor) examine(ctx context.Context, it *candidate) error {
	language, told := s.language(it)
	if reason := s.filter.leavesOut(it.row, language); reason != "" {
		it.made = s.newMade(it.row, language, told, store.Digest{})
		it.refuse(kind.Filtered, action.NameFilter, reason)
		return nil
	}
	// A list of speakers fixes their numbers for a model: none is added without a word.
	if name := it.row.Speaker; s.filter.speakers != nil && name != "" && !s.filter.speakers[name] {
		it.refuse(kind.UnknownSpeaker, action.NameMetadata, fmt.Sprintf("speaker %q is not in the config's speakers list", name))
	}
	digest, err := s.locate(it)
	if err != nil {
		return err
	}
	if err := s.findOwn(it); err != nil {
		return err
	}
	if s.unchanged(it, language, told, digest) {
		it.takeWhole(it.known.leaf, s.shared.of(it.known.row))
		return nil
	}
	it.made = s.newMade(it.row, language, told, digest)
	if err := s.audio(ctx, it); err != nil {
		return err
	}
	if reason := s.cfg.offPace(it.made); reason != "" {
		it.refuse(kind.Pace, action.NameFilter, reason)
	}
	s.normalize(it)
	if len(it.made.Spoken) > 0 {
		s.tokenize(it)
	}
	if err := s.own(it); err != nil {
		return err
	}
	if it.unhashed && len(it.problems) > 0 && !it.claimed {
		digest, err := s.hash(it)
		if err == nil {
			s.name(&it.fate, digest)
			s.remember(&it.fate)
			it.unhashed = false
		}
		if err = s.judge(it, err); err != nil {
			return err
		}
	}
	it.made.Notes = append(it.made.Notes, it.notes...)
	return nil
}

// language is the code of a row, and whether its text told it. What the metadata says
// of the row comes first, then what the config says of its speaker, then what it says of
// all rows. The language of a text that the previous snapshot has is taken from there,
// since detecting it costs more than comparing the text.
func (s *surveyor) language(it *candidate) (code string, told bool) {
	defer s.steps.Span(action.NameText)()
	code = cmp.Or(it.row.Language, s.cfg.SpeakerLanguages[it.row.Speaker], s.cfg.Language)
	if it.row.Language != "" || code != frontend.LanguageAuto {
		return code, false
	}
	now := it.row
	if k := it.known; s.sameConfig && k != nil && k.row.Told && k.row.Text == now.Text && k.row.Given == now.Given && k.row.HasGiven == now.HasGiven {
		return k.row.Language, true
	}
	return s.text.Language(action.SourceOf(now.Text, now.Given, now.HasGiven), code), true
}

// newMade begins the record of a row that is not the previous snapshot's. Record and
// keys are one allocation, because a corpus may have a million rows.
func (s *surveyor) newMade(r *intake.Row, language string, told bool, audio store.Digest) *store.OriginRow {
	m := &struct {
		store.OriginRow
		keys [action.Mel + 1]store.Key
	}{OriginRow: store.OriginRow{ID: r.ID, Text: r.Text, Given: r.Given, HasGiven: r.HasGiven, Speaker: r.Speaker, Language: language, Told: told, Split: string(r.Split), Audio: audio}}
	m.From, m.Length = span(r)
	keys := s.cfg.stages().Width()
	if m.Keys = m.keys[:]; keys > len(m.keys) {
		m.Keys = make([]store.Key, keys)
	}
	return &m.OriginRow
}

// unchanged reports whether every input of every stage is what the previous snapshot's
// row was made from. Then the row is that row, and no key has to be hashed to know it:
// on 13,100 rows that saves a third of a build with nothing to do. A row with notes on
// its metadata is never taken over, because they may be gone or others now.
func (s *surveyor) unchanged(it *candidate, language string, told bool, audio store.Digest) bool {
	if !s.sameConfig || it.known == nil || it.known.leaf < 0 || len(it.problems) > 0 || len(it.notes) > 0 {
		return false
	}
	now, was := it.row, it.known.row
	if audio != was.Audio || now.Text != was.Text || now.Given != was.Given || now.HasGiven != was.HasGiven ||
		language != was.Language || told != was.Told || now.Speaker != was.Speaker || string(now.Split) != was.Split {
		return false
	}
	if from, length := span(now); from != was.From || length != was.Length {
		return false
	}
	if !s.sameOwn(it) {
		return false
	}
	decoder := s.decoders.Version(it.path)
	if (decoder != "" || it.hashedNow) && s.keys.Audio(was, decoder) != was.Keys[action.Audio] {
		return false // another version of what decodes it, or another extension
	}
	if s.clips.Limits.Check("audio", int64(was.FileSamples), int(was.Rate)) != nil {
		return false // the one bound that is no setting of the root
	}
	for _, n := range was.Notes {
		if n.Stage == action.NameMetadata && (n.Kind == kind.RepeatedRow || n.Kind == kind.NameDiffers) {
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

// locate finds a row's file and its digest, reading the file only when its stat
// is not enough. A zero digest means that the row is refused.
func (s *surveyor) locate(it *candidate) (digest store.Digest, err error) {
	defer s.steps.Span(clip.StepRead)()
	path, now, differs, err := it.from.Find(it.row)
	if errors.Is(err, clip.ErrChanged) {
		return store.Digest{}, err
	}
	why := kind.NoAudio
	whole := !it.row.Audio.Part() && (it.row.Audio == nil || it.row.Audio.Member == 0)
	if err == nil && now.Size > maxClipBytes && whole {
		why, err = kind.TooLarge, fmt.Errorf("%s has %d MiB; a clip may have %d", path, now.Size>>20, maxClipBytes>>20)
	}
	if intake.IsMachine(err) {
		return store.Digest{}, it.stopped(err)
	}
	if err != nil {
		it.refuse(why, action.NameAudio, err.Error())
		return store.Digest{}, nil
	}
	it.path, it.stamp = it.from.NameOf(it.row, path), now
	if differs != "" {
		it.notes = append(it.notes, store.Note{Stage: action.NameMetadata, Kind: kind.NameDiffers, Detail: differs, Count: 1})
	}
	// A first build has nothing to look a digest up in, and reads the file once more for
	// the mel anyway: the digest is made then.
	if it.unhashed = s.firstBuild && whole; it.unhashed {
		return store.Digest{}, nil
	}
	digest, it.hashedNow, err = s.stats.Digest(it.path, it.stamp, func() (store.Digest, error) { return s.hash(it) })
	return digest, s.judge(it, err)
}

// hash reads a row's file for its digest; of a part of a file that is all of it.
func (s *surveyor) hash(it *candidate) (store.Digest, error) {
	return s.clips.Hash(clipOf(it.input, &it.fate))
}

// maxClipBytes bounds what a worker may have to hold of one clip: 128 MiB are 50
// minutes of 16-bit mono at 22,050 Hz, a hundred times what a sample can use.
const maxClipBytes = 128 << 20

// judge refuses a row whose file cannot be used. Three errors end this attempt of the
// build instead, because they say nothing about the recording: the file is being
// written, the build was interrupted, the machine cannot read the file.
func (s *surveyor) judge(it *candidate, err error) error {
	if later := (*clip.Later)(nil); err == nil || errors.As(err, &later) || errors.Is(err, clip.ErrChanged) || errors.Is(err, context.Canceled) {
		return err
	}
	if intake.IsMachine(err) {
		return it.stopped(fmt.Errorf("%s: %w", it.path, err))
	}
	why := kind.BadAudio
	if errors.Is(err, codec.ErrTooLong) {
		why = kind.TooLarge
	}
	it.refuse(why, action.NameAudio, fmt.Sprintf("%s: %v", it.path, err))
	if it.made != nil {
		it.made.Audio = store.Digest{}
	}
	return nil
}

// normalize is the text stage: the text of a row, or what the memo has of it.
func (s *surveyor) normalize(it *candidate) {
	defer s.steps.Span(action.NameText)()
	r := it.made
	if r.HasGiven && r.Given == "" && r.Text != "" {
		r.Notes = append(r.Notes, store.Note{Stage: action.NameMetadata, Kind: kind.EmptyColumn, Detail: "no normalised text; the raw text is read", Count: 1})
	}
	text := action.Source(r)
	if strings.TrimSpace(text) == "" {
		it.refuse(kind.NoText, action.NameText, "the text is empty")
		return
	}
	// The key is of the text with the lexicon's words in it: an edit of the lexicon runs
	// the stage for the rows that have the word, and for no others.
	text, notes := s.text.Replace(text, r.Language)
	r.Notes = append(r.Notes, sumNotes(action.NameLexicon, notes)...)
	key := s.keys.Text(r.Language, text)
	res := s.result(it, action.Text, key, func() (res action.Result, notes []textnorm.Note) {
		res.Spoken, notes = s.text.Normalize(text, r.Language)
		return res, notes
	})
	if res.Spoken == "" {
		it.problems = append(it.problems, problem{kind: kind.NoText, stage: action.NameText, action: key, reason: "nothing of the text can be spoken"})
		return
	}
	r.Spoken = res.Spoken
	if r.Spoken == text {
		r.Spoken = text // one string in memory instead of two
	}
}

// tokenize is the tokens stage as far as a row's fate needs it, which is the number of
// tokens. The ids themselves are made again for the block, from the same spoken text:
// to keep them until then would take up to 800 bytes a row.
func (s *surveyor) tokenize(it *candidate) {
	defer s.steps.Span(action.NameTokens)()
	r := it.made
	text, bare := s.text.Dress(r.Spoken, r.Language)
	if bare != nil {
		it.refuse(kind.NoTokens, action.NameTokens, bare.Error())
		return
	}
	key := s.keys.Tokens(text)
	res := s.result(it, action.Tokens, key, func() (res action.Result, notes []textnorm.Note) {
		var err error
		s.ids, notes, err = s.text.Tokenize(s.ids[:0], text)
		if res.Numbers[0] = uint64(len(s.ids)); err != nil {
			res.Refused = err.Error()
		}
		return res, notes
	})
	if res.Refused != "" {
		it.problems = append(it.problems, problem{kind: kind.NoTokens, stage: action.NameTokens, action: key, reason: res.Refused})
		return
	}
	r.Tokens = uint32(res.Numbers[0])
	if n, limit := int(r.Tokens), s.cfg.Shape.MaxTextLength; n > limit {
		it.tooLong(s.cfg, action.NameTokens, fmt.Sprintf("%d tokens, max_text_length is %d", n, limit), fmt.Sprintf("over max_text_length %d", limit))
	}
}

// overlong refuses a row that exceeds a shape, or notes that it will be cut. Whether a
// refusal of this kind stops the build is decided when all rows are surveyed, so that
// the message can list them all.
func (c *Config) overlong(r *store.OriginRow, stage, reason, cut string) *problem {
	if c.Shape.Overlong == OverlongTruncate {
		r.Notes = append(r.Notes, store.Note{Stage: stage, Kind: kind.Truncated, Detail: cut, Count: 1})
		return nil
	}
	return &problem{kind: kind.Overlong, stage: stage, reason: reason}
}

// tooLong is overlong for a row that is surveyed.
func (it *candidate) tooLong(c *Config, stage, reason, cut string) {
	if why := c.overlong(it.made, stage, reason, cut); why != nil {
		it.problems = append(it.problems, *why)
	}
}

// result is what a stage of text makes of a row, remembered or run now, and puts its key
// and its notes into the row's record.
func (s *surveyor) result(it *candidate, at action.Stage, key store.Key, run func() (action.Result, []textnorm.Note)) action.Result {
	res, hit := s.recall(it, at, key)
	if !hit {
		var notes []textnorm.Note
		res, notes = run()
		res.Notes = sumNotes(at.Name(), notes)
		s.memo.Put(key, res)
	}
	it.ran[at], it.reached[at] = !hit, true
	it.made.Keys[at] = key
	it.made.Notes = append(it.made.Notes, res.Notes...)
	return res
}

// recall looks for a result in the previous snapshot's row of the same id, which is in
// memory already, then in the memo, which may have to ask the cache.
func (s *surveyor) recall(it *candidate, at action.Stage, key store.Key) (action.Result, bool) {
	if k := it.known; k != nil && int(at) < len(k.row.Keys) && k.row.Keys[at] == key {
		return k.result(at, key), true
	}
	return s.memo.Get(key)
}

// result puts a result together as the memo has it, out of a row of the previous
// snapshot. What the shape did to the row is no part of the stage's result.
func (k *known) result(at action.Stage, key store.Key) action.Result {
	var res action.Result
	for _, f := range k.refusals {
		if f.Action == key {
			res.Refused = f.Reason
		}
	}
	r := k.row
	switch at {
	case action.Audio:
		res.Numbers = [5]uint64{uint64(r.Rate), uint64(r.Channels), uint64(r.Bits), r.FileSamples, r.Samples}
	case action.Text:
		res.Spoken = r.Spoken
	case action.Tokens:
		res.Numbers[0] = uint64(r.Tokens)
	}
	for _, n := range r.Notes {
		if n.Stage == at.Name() && n.Kind != kind.Truncated {
			res.Notes = append(res.Notes, n)
		}
	}
	return res
}

// refuse leaves the row out for a reason that no action has found.
func (it *candidate) refuse(why kind.Rejection, stage, reason string) {
	it.problems = append(it.problems, problem{kind: why, stage: stage, reason: reason})
}

// sumNotes counts a stage's notes by kind and detail, in the order of their first
// occurrence. Their places in the text are left out, so that equal ones become one.
func sumNotes(stage string, notes []textnorm.Note) []store.Note {
	if len(notes) == 0 {
		return nil
	}
	var out []store.Note
	at := map[[2]string]int{} // in out: a long text can have a note for each of its characters
	for _, n := range notes {
		i, seen := at[[2]string{n.Kind, n.Detail}]
		if seen {
			out[i].Count++
			continue
		}
		at[[2]string{n.Kind, n.Detail}] = len(out)
		out = append(out, store.Note{Stage: stage, Kind: n.Kind, Detail: n.Detail, Count: 1})
	}
	return out
}

package compiler

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"voxpack/audio"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/frontend"
	"voxpack/internal/espeak"
	"voxpack/store"
)

// tools find out what is not known of rows, and remember it. All goroutines share
// them.
type tools struct {
	cfg      *Config   // of this attempt alone: speak puts a function into it
	since    time.Time // before any source was opened
	stats    *clip.StatTable
	memo     *action.Memo
	decoders *clip.Decoders
	espeak   espeak.Tool // where phonemes are wanted
	phonemes phonemes
	text     *frontend.FrontEnd // from the survey on
	claims   bool               // the survey may take files at their word, since the work decodes them
}

// newTools are the tools of one attempt of a build, before the store is open. since is from
// before any source was opened: what is changed later is told apart by it.
func newTools(cfg *Config, since time.Time, espeak espeak.Tool) tools {
	return tools{cfg: cfg, since: since, decoders: clip.NewDecoders(), espeak: espeak}
}

// remember begins with what a cache holds, which may be nil.
func (t *tools) remember(cache *store.Cache, dry, rehash bool, now func() time.Time) {
	t.memo, t.stats = action.NewMemo(cache, dry), clip.NewStatTable(cache, rehash, now)
}

// survey finds out the fate of all rows. prev is the snapshot that they were
// joined with; first: there is no store in which a key could be looked up.
func (t *tools) survey(ctx context.Context, o *Options, items []item, prev *previous, first bool) error {
	defer o.Spans.Span("survey rows")()
	surveyors, filter := make([]*surveyor, o.Workers), newRowFilter(t.cfg)
	same := prev.sameOrder(t.cfg)
	if err := t.readTexts(); err != nil {
		return err
	}
	var done atomic.Int64
	for w := range surveyors {
		s, err := t.newSurveyor(filter)
		if err != nil {
			return err
		}
		s.sameConfig, s.firstBuild = same, first
		surveyors[w] = s
	}
	return parallel(ctx, o.Workers, len(items), func(w, i int) error {
		it := &items[i]
		var err error
		it.fate, err = surveyors[w].survey(ctx, &it.input)
		it.known = nil // a snapshot's rows are half a kilobyte each; from here on only the fate counts
		if n := done.Add(1); n%64 == 0 || n == int64(len(items)) {
			o.Progress(Progress{"reading", int(n), len(items)})
		}
		return cmp.Or(err, t.fault())
	})
}

// fault is what kept an outside program from its work.
func (t *tools) fault() error { return cmp.Or(t.phonemes.fault(), t.decoders.Fault()) }

// readTexts makes what reads texts, once speak has had its say.
func (t *tools) readTexts() (err error) {
	if t.text, err = frontend.New(t.cfg.Config); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return nil
}

// newSurveyor is the surveyor of one goroutine.
func (t *tools) newSurveyor(filter *rowFilter) (*surveyor, error) {
	s := &surveyor{namer: t.newNamer(), text: t.text, filter: filter}
	var err error
	if s.clips, err = clip.NewReader(t.cfg.clips(), t.decoders); err == nil {
		s.clips.Claims = t.claims
		s.mel, err = audio.NewMel(t.cfg.Mel)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return s, nil
}

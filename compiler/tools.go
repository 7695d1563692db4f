package compiler

import (
	"cmp"
	"context"
	"errors"
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
	programs programs           // of computed columns
	text     *frontend.FrontEnd // from the survey on
	aside    *aside             // nil: records of rows stay in memory
	claims   bool               // the survey may take files at their word, since the work decodes them
}

// newTools are the tools of one attempt of a build, before the store is open. since is from
// before any source was opened: what is changed later is told apart by it.
func newTools(cfg *Config, since time.Time, espeak espeak.Tool) tools {
	decoders := clip.NewDecoders()
	decoders.Raw = cfg.Raw
	return tools{cfg: cfg, since: since, decoders: decoders, espeak: espeak}
}

// remember begins with what a cache holds, which may be nil.
func (t *tools) remember(cache *store.Cache, dry, rehash bool, now func() time.Time) {
	t.memo, t.stats = action.NewMemo(cache, dry), clip.NewStatTable(cache, rehash, now)
}

// survey finds out the fate of all rows. prev is the snapshot that they were
// joined with; first: there is no store in which a key could be looked up.
// Of leaves that were taken over only the rows are looked at that were rejected.
func (t *tools) survey(ctx context.Context, o *Options, items []item, prev *previous, taken []bool, first bool) error {
	defer o.Spans.Span("survey rows")()
	same := prev.sameOrder(t.cfg)
	if err := t.readTexts(); err != nil {
		return err
	}
	begin := func(part stretch) error { return prev.tell(items, part) }
	return t.eachRow(ctx, o, "reading", prev.stretches(items, taken), begin, first, func(s *surveyor, i int) (err error) {
		it := &items[i]
		s.sameConfig = same
		it.fate, err = s.survey(ctx, &it.input)
		if later := (*clip.Later)(nil); errors.As(err, &later) {
			return err
		}
		if it.known = nil; err == nil {
			s.aside.put(it)
		}
		return err
	})
}

// eachRow hands the rows of all stretches to the surveyors of all workers.
func (t *tools) eachRow(ctx context.Context, o *Options, phase string, list []stretch, begin func(stretch) error, first bool,
	do func(s *surveyor, i int) error) (err error) {
	n := 0
	for _, part := range list {
		n += part.to - part.from
	}
	surveyors, filter := make([]*surveyor, o.Workers), newRowFilter(t.cfg)
	for w := range surveyors {
		if surveyors[w], err = t.newSurveyor(filter); err != nil {
			return err
		}
		surveyors[w].firstBuild = first
	}
	var done atomic.Int64
	one := func(s *surveyor, i int) error {
		err := do(s, i)
		if later := (*clip.Later)(nil); errors.As(err, &later) {
			return err
		}
		if at := done.Add(1); at%64 == 0 || at == int64(n) {
			o.Progress(Progress{phase, int(at), n})
		}
		return cmp.Or(err, t.fault())
	}
	var late lateRows
	err = parallel(ctx, o.Workers, len(list), func(w, at int) error {
		surveyors[w].clips.Waits = true
		err := begin(list[at])
		for i := list[at].from; i < list[at].to && err == nil; i++ {
			if err = ctx.Err(); err == nil {
				err = late.hold(i, one(surveyors[w], i))
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	runs := late.runs()
	err = parallel(ctx, o.Workers, len(runs), func(w, r int) error {
		s := surveyors[w]
		s.clips.Waits = false
		s.clips.Ahead(ctx, runs[r].clips)
		for _, i := range runs[r].rows {
			if err := cmp.Or(ctx.Err(), one(s, i)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, s := range surveyors {
		s.aside.flush()
	}
	return err
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
	s := &surveyor{namer: t.newNamer(), text: t.text, filter: filter, aside: putter{aside: t.aside}}
	var err error
	if s.clips, err = clip.NewReader(t.cfg.clips(), t.decoders); err == nil {
		// A value of the user's own may have to fit the frames, or be made of what the survey knows.
		s.clips.Claims, s.clips.Guesses = t.claims, len(t.cfg.Columns) == 0
		s.mel, err = audio.NewMel(t.cfg.Mel)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return s, nil
}

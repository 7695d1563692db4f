package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"voxpack/compiler/clip"
	"voxpack/compiler/kind"
	"voxpack/internal/espeak"
	"voxpack/internal/number"
	"voxpack/store"
)

// The errors that callers tell apart, beside intake.ErrNoMetadata. ErrConfig
// stops before any work; ErrOverlong is the policy overlong: error.
var (
	ErrConfig   = errors.New("configuration")
	ErrOverlong = errors.New("overlong rows")
	ErrSpeakers = errors.New("speaker numbers would change")
)

// StoreName is the folder of a dataset's own store.
const StoreName = ".voxpack"

// MainRef is the ref that builds move.
const MainRef = "heads/main"

// build is one run over a dataset. Its parts know of each other only here.
type build struct {
	Options
	metadata // what the sources say
	base     // what is there already
	tools    // what finds out the rest
	output   // what is written
	layout   *layout
	rejected []store.Rejection // of the metadata and of the survey, in file order
	surveyed bool              // the survey has begun
	warnings []string
}

// base is the store as a build finds it.
type base struct {
	st       *store.Store // nil: no store yet
	head     store.Digest // what main named; zero: nothing, or it is damaged
	prev     *previous    // nil: no snapshot yet
	cache    *store.Cache
	sums     *leafSums
	packs    []string // that were open when the build began
	distrust bool     // damage was met: what the packs hold is read before it counts
}

// output is what a build writes.
type output struct {
	lock   *store.Lock // until the writer takes it over
	writer *store.Writer
	counts workCounts
	proved bool // the work is done again, for rows that did not hold what their files claimed
	saved  bool // the cache is written
}

// Build brings the store up to date with the sources and reports what it took.
// A row that cannot be compiled never stops it; what does is a configuration or
// an environment in which no row could be right, before any work. Finished
// shards survive a cancelled context and a crash. With ErrLoss comes the report
// of what would have been.
func Build(ctx context.Context, o Options) (*Report, error) {
	o, tool, err := o.ready(ctx)
	if err != nil {
		return nil, err
	}
	started := o.Now()
	const attempts = 3
	for attempt := 1; ; attempt++ {
		b := &build{Options: o, base: base{distrust: o.Rehash}}
		b.tools = newTools(&b.Config, started, tool)
		report, err := b.run(ctx)
		if ctx.Err() != nil || errors.Is(err, ErrLoss) {
			b.keepSurvey(ctx.Err() != nil)
		}
		if closed := b.close(); err == nil && closed != nil {
			return nil, closed
		}
		if !errors.Is(err, clip.ErrChanged) {
			return report, err
		}
		if attempt == attempts {
			return nil, fmt.Errorf("the dataset is being written to while it is read, %d times now; build again when it rests: %w", attempts, err)
		}
		// What was finished is in the store and will be found by its traces.
	}
}

// ready fills the defaults and says everything that is wrong with the configuration. It
// looks for the program that makes phonemes, where the config wants them, and puts its
// version where roots and keys find it.
func (o Options) ready(ctx context.Context) (_ Options, tool espeak.Tool, err error) {
	o = o.withDefaults()
	if errs := o.Config.check(); len(errs) > 0 {
		return o, tool, fmt.Errorf("%w: %w", ErrConfig, errors.Join(errs...))
	}
	if tool, err = o.Config.FindEspeak(ctx); err != nil {
		return o, tool, fmt.Errorf("%w: tokenizer: %w", ErrConfig, err)
	}
	if err = o.Config.sumPrograms(o.Dataset); err != nil {
		err = fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return o, tool, err
}

// More workers than cores would gain nothing: they compute.
func (o Options) withDefaults() Options {
	o.Config = o.Config.withDefaults()
	if o.Workers <= 0 || o.Workers > runtime.NumCPU() {
		o.Workers = runtime.NumCPU()
	}
	o.Store = cmp.Or(o.Store, filepath.Join(o.Dataset, StoreName))
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	return o
}

// warn says what is probably not meant, though a build of it is possible.
func (b *build) warn() {
	switch {
	case b.MinKept > 0, b.Part != nil: // then an empty dataset is an error, or another part has its rows
	case len(b.items)+len(b.refused) == 0:
		b.warnings = append(b.warnings, "the metadata has no row, so this dataset is empty")
	case len(b.layout.rows) == 0:
		b.warnings = append(b.warnings, "no row was kept, so this dataset is empty; the rejections say why (is the audio where it should be?)"+b.elsewhere())
	}
	if b.Config.Speakers != nil && !b.has.speaker {
		b.warnings = append(b.warnings, "speakers is set, but the metadata has no speaker column; samples get no speaker")
	}
	if b.Part == nil { // who is not in a part may be in another
		b.warnings = append(b.warnings, b.Config.Filter.unmet(b.items, b.refused)...)
	}
	if hint := b.linksOut(); hint != "" {
		b.warnings = append(b.warnings, hint)
	}
}

// run reads as the flow chart of doc.go.
func (b *build) run(ctx context.Context) (*Report, error) {
	var err error
	if b.corpora, err = b.openCorpora(); err != nil {
		return nil, err
	}
	err = together(func() error { return b.read(ctx, &b.Options) }, func() error { return b.openStore(ctx) }, b.listAudio)
	if err != nil {
		return nil, err
	}
	if b.Found != nil {
		b.Found(len(b.items))
	}
	b.warnings = append(b.metadata.warnings, b.warnings...)
	b.openColumns(&b.tools)
	b.speak(ctx)
	b.surveyed, b.claims = true, !b.DryRun
	if b.st == nil && !b.DryRun {
		b.aside = newAside()
	}
	if err := b.surveyAll(ctx); err != nil {
		return nil, err
	}
	said := len(b.warnings)
	for {
		b.warnings = b.warnings[:said]
		loss, err := b.plan(ctx)
		if err != nil {
			return nil, err
		}
		doubted := func(it *item) bool { return it.unproven }
		switch {
		case loss != nil: // whoever is asked hears of all rows that would go
			doubted = func(it *item) bool { return it.claimed }
		case !b.DryRun:
			if err := b.work(ctx); err != nil {
				return nil, err
			}
		}
		again, err := b.prove(ctx, doubted)
		switch {
		case err != nil:
			return nil, err
		case again:
		case b.DryRun || loss != nil:
			return b.dryReport(ctx, loss)
		default:
			return b.publish(ctx)
		}
	}
}

// plan lays the kept rows out and finds the leaves that differ. A loss is a reason to
// stop.
func (b *build) plan(ctx context.Context) (loss *Loss, err error) {
	if b.rejected, err = b.rejections(ctx, b.Config.stages()); err != nil {
		return nil, err
	}
	b.layout = layOut(&b.Config, b.items, b.has, b.Part)
	if err := b.stop(); err != nil {
		return nil, err
	}
	loss, err = b.loss()
	if err := cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	b.warn()
	return loss, b.compare(ctx)
}

// close gives back whatever is open; blocks that were put are sealed, not lost.
// Only the writer's error counts: the others were open for reading.
func (b *build) close() error {
	var err error
	if b.writer != nil {
		err = b.writer.Close()
	}
	b.tools.close()
	b.closeColumns()
	b.lock.Release()
	b.cache.Close()
	if b.st != nil {
		b.st.Close()
	}
	return err
}

// openStore opens what is there for reading. A store that a killed build left
// unfinished work in is opened for writing first, to take that work over.
func (b *build) openStore(ctx context.Context) error {
	defer b.Spans.Span("open store")()
	var err error
	if !b.DryRun {
		b.lock, err = store.TakeLock(b.Store)
	}
	if err == nil {
		b.st, err = store.Open(b.Store)
	}
	if errors.Is(err, store.ErrNoStore) {
		b.remember(nil, b.DryRun, b.Rehash, b.Now)
		b.sums = sumsOf(&b.Options, &b.tools, nil)
		return nil
	}
	if err != nil {
		return err
	}
	if store.HasLeftovers(b.Store) && !b.DryRun {
		if err := b.openWriter(false); err != nil {
			return err
		}
		if _, _, err := b.writer.Adopt(ctx); err != nil {
			return err
		}
	}
	b.openCache()
	b.remember(b.cache, b.DryRun, b.Rehash, b.Now)
	b.sums, b.packs = sumsOf(&b.Options, &b.tools, b.cache), b.st.PackIDs()
	return b.openPrevious(ctx)
}

// openCache opens the cache for reading, and mends it first where that is needed.
// Whatever is wrong with it, the build goes on: without it everything is a miss.
func (b *build) openCache() {
	var err error
	if b.cache, err = store.OpenCacheReadOnly(b.Store); err != nil && !b.DryRun {
		b.cache, err = store.MendCache(b.Store)
	}
	if note := b.cache.Note(); note != "" {
		b.warnings = append(b.warnings, note)
	}
	if err != nil {
		b.warnings = append(b.warnings, fmt.Sprintf("going on without the cache (%v); this build hashes and reads more than it must", err))
	}
}

// openPrevious reads the snapshot that main names. One that is damaged is left
// aside: the sources say more than it can.
func (b *build) openPrevious(ctx context.Context) error {
	digest, err := b.st.Ref(MainRef)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		b.prev, err = openPrevious(ctx, b.st, digest, b.Config.stages())
	}
	b.head = digest
	return b.tolerate(err)
}

// tolerate gives up the previous snapshot when it is damaged.
func (b *build) tolerate(err error) error {
	if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) {
		b.warnings = append(b.warnings, fmt.Sprintf("the previous snapshot cannot be read (%v); compiling from the sources, run voxpack verify --full to see the damage", err))
		b.prev, b.distrust = nil, true
		return nil
	}
	return err
}

// surveyAll finds out the fate of all rows. Where the previous snapshot turns out to be
// damaged half way, all rows forget it: half a snapshot would make some rows look new and
// others removed.
func (b *build) surveyAll(ctx context.Context) error {
	end := b.Spans.Span("join previous")
	if b.prev != nil {
		if err := b.prev.join(ctx, b.items); err != nil {
			return err
		}
	}
	end()
	o := b.Options
	if b.prev != nil && !b.distrust {
		rows, err := b.sums.takeOver(ctx, &o, b.items, b.prev)
		if err != nil {
			return err
		}
		o.Progress = func(p Progress) { b.Progress(Progress{p.Phase, p.Done + rows, p.Total + rows}) }
	}
	err := b.survey(ctx, &o, b.items, b.prev, b.sums.taken, b.st == nil)
	lost := (*lostOrigin)(nil)
	if !errors.As(err, &lost) || b.tolerate(lost.err) != nil {
		return err
	}
	for i := range b.items {
		it := &b.items[i]
		it.known, it.keptBefore, it.file, it.fate = nil, false, 0, unsurveyed
	}
	b.sums.taken = nil
	return b.survey(ctx, &b.Options, b.items, nil, nil, false)
}

// stop refuses what the order says must not be built, before any work.
func (b *build) stop() error {
	if b.Config.Shape.Overlong == OverlongError {
		var lines strings.Builder
		over := 0
		for _, r := range b.rejected {
			it := findItem(b.items, r.ID)
			if it == nil || it.row.Pos.Line != r.Line || !slices.ContainsFunc(it.problems, func(p problem) bool { return p.kind == kind.Overlong }) {
				continue
			}
			over++
			fmt.Fprintf(&lines, "\n%s:%d: %s: %s", r.File, r.Line, r.ID, r.Reason)
		}
		if over > 0 {
			return fmt.Errorf("%w: overlong is error, and the shape is exceeded by %s:%s", ErrOverlong, number.Count(over, "row"), &lines)
		}
	}
	return b.guardSpeakers()
}

// compare finds the leaves that differ, without a byte of any block. Each task is one
// goroutine's, so nothing is locked.
func (b *build) compare(ctx context.Context) error {
	defer b.Spans.Span("compare")()
	if b.st == nil && !b.proved && !b.DryRun { // a first build, with nothing to compare to
		for i := range b.layout.tasks {
			b.layout.tasks[i].dirty = true
		}
		return nil
	}
	b.layout.sameTables = b.layout.hasTablesOf(&b.Config, b.prev)
	keyers := make([]*leafKeyer, b.Workers)
	for w := range keyers {
		keyers[w] = b.Config.newKeyer()
	}
	return parallel(ctx, b.Workers, len(b.layout.tasks), func(w, i int) error {
		if err := b.aside.recall(b.layout.rowsOf(&b.layout.tasks[i])); err != nil {
			return err
		}
		return b.layout.compare(&b.Config, b.prev, &b.layout.tasks[i], keyers[w], b.distrust)
	})
}

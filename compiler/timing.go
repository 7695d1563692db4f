package compiler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"time"

	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/internal/perf"
	"voxpack/store"
)

// Sampling bounds what TimeRows runs.
type Sampling struct {
	Rows    int           // at most
	Time    time.Duration // no row begins after it
	Seed    uint64        // of the draw
	Scratch string        // folder for a store of the caller's to remove
}

// Timing is what the steps of a first build take of a sample of rows, on one core.
type Timing struct {
	Total   int // rows that the metadata has
	Rows    []RowTime
	Put     time.Duration // of a row's blocks into a store; 0: too few rows to tell
	Refused []RejectedRow // rows of the sample that a build would reject; they are not timed
}

// RowTime is the time of one row.
type RowTime struct {
	ID      string
	Kind    string                   // extension of its audio: "wav"
	Seconds float64                  // of sound, as features see it
	Steps   map[string]time.Duration // of the quickest run of each
	Cold    time.Duration            // the step read of the first run, which may have to wait for a disk
}

// StepWrite is the step after the stages: the sum of each sample. Digests and the
// put into a store are for a whole shard, and so apart: Timing.Put.
const StepWrite = "write"

// runsOfRow is how often a row runs. The quickest run of each step counts, since
// what interrupts a process only adds to a time; on a busy machine of 2 cores one
// run of 32 clips varied by 160 %, the quickest of three by 35 %. Of reading the
// first run counts: the second one finds the file in memory.
const runsOfRow = 5

// TimeSteps lists the steps of a row in their order: text, sound, the features of
// the configuration, then the write.
func (c *Config) TimeSteps() []string {
	list := []string{action.NameText, action.NameTokens, clip.StepRead, clip.StepDecode, clip.StepResample, clip.StepProcess}
	for at := range c.stages().Computed() {
		list = append(list, at.Name())
	}
	for _, own := range c.Columns {
		list = append(list, own.Name)
	}
	return append(list, StepWrite)
}

// TimeRows runs the steps of a first build over rows drawn by a seed, one after the
// other, and leaves the dataset's own store alone. What ends it before its time
// comes with what was timed until then.
func TimeRows(ctx context.Context, o Options, s Sampling) (*Timing, error) {
	o, tool, err := o.ready(ctx)
	if err != nil {
		return nil, err
	}
	t := &rowTimer{order: &o, tools: newTools(&o.Config, o.Now(), tool)}
	defer func() { t.tools.close() }()
	if t.corpora, err = o.openCorpora(); err != nil {
		return nil, err
	}
	if err := t.read(ctx, &o); err != nil {
		return nil, err
	}
	out := &Timing{Total: len(t.items) + len(t.refused)}
	if err := t.prepare(ctx, s.Scratch); err != nil {
		return out, err
	}
	err = t.timeAll(ctx, t.draw(s), s, out)
	if closed := t.writer.Close(); err == nil {
		err = closed
	}
	return out, err
}

// rowTimer runs one row after the other, with what a build has one of for each worker.
type rowTimer struct {
	order *Options
	metadata
	tools
	surveyor *surveyor
	filler   *filler
	columns  store.Schema
	blocks   [][]byte // of each column, for the rows of a shard
	pending  int      // rows that are in them
	writer   *store.Writer
	until    time.Time // no run begins after it
	warm     bool      // something was put
	putting  time.Duration
	puts     int // in that time
}

// prepare makes the engines. Nothing is remembered, so that everything runs.
func (t *rowTimer) prepare(ctx context.Context, scratch string) (err error) {
	t.remember(nil, true, true, t.order.Now)
	t.claims = true
	t.openColumns(&t.tools)
	t.speak(ctx)
	if err := t.readTexts(); err != nil {
		return err
	}
	if t.surveyor, err = t.newSurveyor(newRowFilter(t.cfg)); err != nil {
		return err
	}
	t.surveyor.firstBuild = true
	names := t.newNamer()
	t.filler = &filler{cfg: t.cfg, namer: &names, decoders: t.decoders, text: t.text, programs: t.programs}
	if err := t.filler.prepare(); err != nil {
		return err
	}
	t.columns = t.cfg.schema(t.has).Blocks()
	for _, column := range t.columns {
		t.blocks = append(t.blocks, make([]byte, t.cfg.PerShard*column.SampleBytes()))
	}
	t.writer, err = store.OpenWriter(scratch, store.WriterOptions{Small: true})
	return err
}

// draw is a sample of the items, in a drawn order: the first of them stand for all
// wherever time runs out.
func (t *rowTimer) draw(s Sampling) []*item {
	order := rand.New(rand.NewPCG(s.Seed, 0x74696d65)).Perm(len(t.items))
	order = order[:min(len(order), s.Rows)]
	var list []*item
	for _, i := range order {
		list = append(list, &t.items[i])
	}
	return list
}

// timeAll times rows until there are no more or the time is over. The first row
// runs once more before: tables and pages are new then.
func (t *rowTimer) timeAll(ctx context.Context, rows []*item, s Sampling, out *Timing) error {
	if len(rows) > 0 {
		if _, err := t.run(ctx, rows[0]); err != nil {
			return err
		}
	}
	t.until = t.order.Now().Add(s.Time)
	for i, it := range rows {
		if i > 0 && t.order.Now().After(t.until) {
			break
		}
		steps, cold, err := t.quickest(ctx, it)
		if err != nil {
			return err
		}
		if it.kept() {
			kind := strings.ToLower(strings.TrimPrefix(path.Ext(it.path), "."))
			out.Rows = append(out.Rows, RowTime{it.made.ID, kind, float64(it.made.Samples) / float64(t.cfg.SampleRate), steps, cold})
		} else {
			r := it.rejection(t.cfg.stages())
			out.Refused = append(out.Refused, RejectedRowOf(&r))
		}
		passed := s.Time - t.until.Sub(t.order.Now())
		whole := float64(i+1) * s.Time.Seconds() / max(passed.Seconds(), 1e-9) // rows until the time is over
		t.order.Progress(Progress{"timing", i + 1, max(i+1, int(min(whole, float64(len(rows)))))})
	}
	if t.puts > 0 {
		out.Put = t.putting / time.Duration(t.puts*t.cfg.PerShard)
	}
	return nil
}

// quickest runs a row a few times.
func (t *rowTimer) quickest(ctx context.Context, it *item) (best map[string]time.Duration, cold time.Duration, err error) {
	for n := range runsOfRow {
		if n > 0 && t.order.Now().After(t.until) {
			break
		}
		steps, err := t.run(ctx, it)
		if err != nil || !it.kept() {
			return nil, 0, err
		}
		if best == nil {
			best, cold = steps, steps[clip.StepRead]
		}
		for name, took := range steps {
			best[name] = min(best[name], took)
		}
	}
	return best, cold, nil
}

// run takes a row the whole way.
func (t *rowTimer) run(ctx context.Context, it *item) (map[string]time.Duration, error) {
	rec := perf.NewRecorder(t.order.Now)
	t.surveyor.steps, t.surveyor.clips.Steps = rec, rec
	t.filler.steps, t.filler.clips.Steps = rec, rec
	var err error
	it.work, t.filler.clip = work{}, nil
	if it.fate, err = t.surveyor.survey(ctx, &it.input); err != nil || !it.kept() {
		return nil, err
	}
	for c, column := range t.columns {
		size := column.SampleBytes()
		sample := t.blocks[c][t.pending*size : (t.pending+1)*size]
		_, err := t.filler.fill(ctx, sample, column, it)
		if errors.Is(err, errUnproven) {
			it.fate, err = t.surveyor.proven(ctx, &it.input)
			return nil, err
		}
		if err != nil {
			return nil, err
		}
		ended := rec.Span(StepWrite)
		store.Checksum(sample)
		ended()
	}
	steps := map[string]time.Duration{}
	for _, span := range rec.Spans() {
		steps[span.Name] += span.End - span.Start
	}
	return steps, t.put()
}

// put writes the blocks when a shard's rows are in them. The first put is not
// counted: it makes the files.
func (t *rowTimer) put() error {
	if t.pending++; t.pending < t.cfg.PerShard {
		return nil
	}
	t.pending = 0
	begun := t.order.Now()
	var entries []store.Entry
	for _, block := range t.blocks {
		entries = append(entries, store.Entry{Kind: store.KindBlock, Name: store.Sum(block), Value: block})
	}
	if err := t.writer.Put(entries); err != nil {
		return fmt.Errorf("time the write: %w", err)
	}
	if t.warm {
		t.putting += t.order.Now().Sub(begun)
		t.puts++
	}
	t.warm = true
	return nil
}

package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"voxpack/audio"
	"voxpack/audio/resample"
	"voxpack/compiler/action"
	"voxpack/compiler/column"
	"voxpack/compiler/column/worker"
	"voxpack/compiler/intake"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Columns that programs of the user compute. A value is asked for in the work, where the samples are, for all
// rows of a leaf at once. A row that gets none is unproven: its leaf is not written, and when all leaves are worked, such
// rows are surveyed again, left out, and the others laid out again, maybe in other leaves: so what was computed is kept until then.

// programs are the pools of a build's computed columns. The zero one has none.
type programs struct {
	list []*program // by column; nil: not computed
}

// program is a computed column in a build, or one that is made of sound.
type program struct {
	pool *worker.Pool // nil: of sound

	mu      sync.Mutex
	refused map[string]refusedValue // rows by id, of this build
	long    map[string]int32        // the steps of rows, by id, that are over the column's max
	kept    map[store.Key]keptValue // of this build
	room    int                     // bytes that may still be kept
}

// keptValue is a sample, and the steps of its value.
type keptValue struct {
	sample []byte
	steps  int
}

// refusedValue is why a row has no value.
type refusedValue struct {
	bad     *column.Bad
	lasting bool
}

// keptBytes bounds the samples of a column that are kept. What is over it is computed again.
const keptBytes = 64 << 20

// sumPrograms reads the files that programs depend on, which lie in a folder.
func (c *Config) sumPrograms(dir string) error {
	var errs []error
	c.Columns = slices.Clone(c.Columns)
	for i, own := range c.Columns {
		if own.Run == nil {
			continue
		}
		run := *own.Run
		run.Dir = cmp.Or(run.Dir, dir)
		summed, err := run.Sum()
		if err != nil {
			errs = append(errs, &column.PartError{Column: own.Name, Part: "files", What: err.Error()})
		}
		c.Columns[i].Run = summed
	}
	return errors.Join(errs...)
}

// isComputed reports whether a program fills a column.
func (c *Config) isComputed(name string) bool {
	return slices.ContainsFunc(c.Columns, func(own column.Config) bool { return own.Run != nil && own.Name == name })
}

// openPrograms makes the pools, whose first row starts a program. They work until ctx ends.
func (t *tools) openPrograms(ctx context.Context) {
	for _, own := range t.cfg.Columns {
		var p *program
		if late(&own) {
			p = &program{refused: map[string]refusedValue{}, long: map[string]int32{}, kept: map[store.Key]keptValue{}, room: keptBytes}
		}
		if own.Run != nil {
			p.pool = worker.NewPool(ctx, own.Worker(t.cfg.limits(), t.cfg.Shape.Overlong == OverlongTruncate))
		}
		t.programs.list = append(t.programs.list, p)
	}
}

func (p programs) close() {
	for _, one := range p.list {
		if one != nil && one.pool != nil {
			one.pool.Close()
		}
	}
}

// toldDigest names what a program is told of a row, and so the value that it gives.
func toldDigest(run *column.Run, r *store.OriginRow) store.Digest {
	var recipe store.Recipe
	b := recipe.Start("told", "1")
	if run.Rate > 0 {
		b = b.Name("samples", r.Keys[action.Audio])
	}
	if run.Text {
		b = b.Text("text", r.Spoken)
	}
	if run.Tokens {
		b = b.Name("tokens", r.Keys[action.Tokens])
	}
	return store.Digest(b.Key())
}

// computedBefore refuses a row that has no value, or one with too many steps, as far as that is known.
func (s *surveyor) computedBefore(it *candidate, i int, key store.Key) {
	p, name := s.programs.list[i], s.cfg.Columns[i].Name
	it.fate.own.numbers[i] = unknownSteps
	p.mu.Lock()
	now, refused := p.refused[it.row.ID]
	steps, long := p.long[it.row.ID]
	p.mu.Unlock()
	if refused {
		why := problem{kind: now.bad.Kind, stage: name, reason: now.bad.Error()}
		if now.lasting && !it.unhashed {
			why.action = key
		}
		it.problems = append(it.problems, why)
		return
	}
	if long {
		s.ownSteps(it, i, steps, "")
		return
	}
	if it.unhashed {
		return // nobody has asked before
	}
	switch res, ok := s.memo.Get(key); {
	case ok && res.Refused != "":
		it.problems = append(it.problems, problem{kind: kind.Of(res.Spoken), stage: name, action: key, reason: res.Refused})
	case ok:
		s.ownSteps(it, i, int32(uint32(res.Numbers[0])), "")
	}
}

// unknownSteps stands for those of a value that was not computed yet.
const unknownSteps = -1

// settleSteps takes the steps of a row's value, which are remembered for later surveys. It is false where
// they are too many, of which the survey did not know: the row is left to a second one, which refuses or cuts it.
func (f *filler) settleSteps(it *item, i, steps int) bool {
	c := &f.cfg.Columns[i]
	was := &it.own.numbers[i]
	if c.Length != column.Own || *was >= 0 && min(int(*was), c.Steps) == min(steps, c.Steps) {
		return true
	}
	*was = int32(steps)
	if f.pending == nil { // nothing is built
		return true
	}
	f.namer.memo.Put(it.made.Keys[action.End()+action.Stage(i)], action.Result{Numbers: [5]uint64{uint64(steps)}})
	if steps <= c.Steps {
		return true
	}
	f.namer.memo.Judged()
	p := f.programs.list[i]
	p.mu.Lock()
	defer p.mu.Unlock()
	p.long[it.row.ID] = int32(steps)
	it.unproven = true
	return false
}

// unsettled reports whether the steps of a row's value in a column are not known, so that the column's block alone is not all
// that the leaf needs.
func (w *shardWorker) unsettled(of store.Column, rows []*item) bool {
	if w.fill == nil { // an estimate
		return false
	}
	at, _ := w.fill.cfg.stages().Filling(of.Name)
	if !at.IsOwn() {
		return false
	}
	i := at - action.End()
	if c := w.fill.cfg.Columns[i]; c.Run == nil || c.Length != column.Own {
		return false
	}
	return slices.ContainsFunc(rows, func(it *item) bool { return it.own != nil && it.own.numbers[i] == unknownSteps })
}

// stepsOf takes the steps of a value, where nobody knows them any more, from the leaf of the previous root in which it stands.
// It is false where it may have been cut there, or is too long now.
func (f *filler) stepsOf(shard *store.Shard, row int, old store.Column, it *item, i int) bool {
	c, number := &f.cfg.Columns[i], &it.own.numbers[i]
	if *number != unknownSteps || c.Length != column.Own {
		return true
	}
	at := f.prev.Root.Schema.Inline().Index(c.LengthName())
	if at < 0 || int(shard.Scalars[at][row]) >= min(old.Shape[0], c.Steps+1) {
		return false
	}
	*number = shard.Scalars[at][row]
	return true
}

// pending is the rows of a leaf that programs have.
type pending struct {
	all sync.WaitGroup

	mu   sync.Mutex
	list []*request
	err  error
}

// request is a row that a program has, and what came of it.
type request struct {
	it     *item
	column int
	dst    []byte
	to     store.Column
	steps  int // of the value
	bad    *column.Bad
	lasts  bool
}

// wait waits until no program has a row, whose memory is the caller's again then.
func (p *pending) wait() {
	if p != nil {
		p.all.Wait()
	}
}

// fillComputed has a row's value computed, or takes what this build has computed before. Where rows are
// pending it does not wait.
func (f *filler) fillComputed(ctx context.Context, dst []byte, to store.Column, it *item, i int) (ran bool, err error) {
	p, run := f.programs.list[i], f.cfg.Columns[i].Run
	if run.Rate > 0 { // reading them names a row, on which the key depends
		if err := f.samples(ctx, it); err != nil {
			return false, fmt.Errorf("%s: %s: %w", it.row.Pos, it.made.ID, err)
		}
	}
	p.mu.Lock()
	kept, ok := p.kept[it.made.Keys[action.End()+action.Stage(i)]]
	p.mu.Unlock()
	if ok && len(kept.sample) == len(dst) {
		copy(dst, kept.sample)
		f.settleSteps(it, i, kept.steps) // the survey knows of what was kept
		return true, nil
	}
	row, err := f.told(it, run, p.pool)
	if err != nil {
		return false, err
	}
	wait := f.pending
	if wait == nil {
		wait = &pending{}
	}
	r := &request{it: it, column: i, dst: dst, to: to}
	wait.all.Add(1)
	err = p.pool.Submit(row, func(res worker.Result) {
		defer wait.all.Done()
		err := f.cfg.put(r, res)
		wait.mu.Lock()
		defer wait.mu.Unlock()
		if wait.list = append(wait.list, r); wait.err == nil {
			wait.err = err
		}
	})
	if err != nil {
		wait.all.Done()
		return false, intake.Machine(err)
	}
	if f.pending != nil {
		return true, nil
	}
	wait.wait()
	if r.bad != nil {
		return true, fmt.Errorf("%s: it gave no value: %w", to.Name, r.bad)
	}
	if wait.err == nil {
		f.settleSteps(it, i, r.steps)
	}
	return true, wait.err
}

// put writes what a program gave into its sample, or notes why there is none. An error says nothing of the row.
func (c *Config) put(r *request, res worker.Result) error {
	own := c.Columns[r.column]
	var refusal *worker.Refusal
	if errors.As(res.Err, &refusal) {
		r.bad, r.lasts = column.BadOf(refusal), refusal.Cause.Lasting()
		return nil
	}
	if res.Err != nil {
		return intake.Machine(res.Err)
	}
	value, steps, err := own.Computed(res.Array, int(r.it.made.Tokens), int(r.it.made.Frames))
	if err == nil {
		r.steps = steps
		err = own.Put(r.dst, r.to, value)
	}
	if errors.As(err, &r.bad) {
		r.lasts = true
		return nil
	}
	return err
}

// finishComputed waits for the programs, marks the rows that have no value, and keeps the values of the others.
func (f *filler) finishComputed() (err error) {
	w := f.pending
	w.wait()
	list := w.list
	if w.list, w.err, err = nil, nil, w.err; err != nil {
		return err
	}
	for _, r := range list {
		if r.bad != nil {
			f.refuseComputed(r)
			err = errUnproven
			continue
		}
		f.programs.list[r.column].keep(r.it.made.Keys[action.End()+action.Stage(r.column)], keptValue{r.dst, r.steps})
		if !f.settleSteps(r.it, r.column, r.steps) {
			err = errUnproven
		}
	}
	return err
}

// refuseComputed leaves a row to a second survey, which is told why. What the same program will say
// again is remembered for later builds.
func (f *filler) refuseComputed(r *request) {
	p, key := f.programs.list[r.column], r.it.made.Keys[action.End()+action.Stage(r.column)]
	r.it.unproven = true
	p.mu.Lock()
	p.refused[r.it.row.ID] = refusedValue{r.bad, r.lasts}
	p.mu.Unlock()
	if r.lasts {
		f.namer.memo.Put(key, action.Result{Spoken: string(r.bad.Kind), Refused: r.bad.Error()})
		f.namer.memo.Judged()
	}
}

func (p *program) keep(key store.Key, v keptValue) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, has := p.kept[key]; !has && len(v.sample) <= p.room {
		p.kept[key] = keptValue{slices.Clone(v.sample), v.steps}
		p.room -= len(v.sample)
	}
}

// told is what a program is told of a row, whose samples have been read.
func (f *filler) told(it *item, run *column.Run, pool *worker.Pool) (*worker.Row, error) {
	row := &worker.Row{ID: it.made.ID}
	if run.Text {
		row.Text = it.made.Spoken
	}
	if run.Tokens {
		text, err := f.text.Dress(it.made.Spoken, it.made.Language)
		if err == nil {
			row.Tokens, _, err = f.text.Tokenize(nil, text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: tokens: %w", it.row.Pos, it.made.ID, err)
		}
	}
	if run.Rate == 0 {
		return row, nil
	}
	form, err := f.form(run.Rate)
	if err != nil {
		return nil, err
	}
	n := resample.Len(int64(f.length()), f.cfg.SampleRate, run.Rate)
	if n > math.MaxInt32/4 {
		return nil, fmt.Errorf("%d samples at %d Hz", n, run.Rate)
	}
	if err := pool.Samples(row, int(n)); err != nil {
		return nil, intake.Machine(err)
	}
	f.samplesAt(row.PCM, form)
	return row, nil
}

// form resamples the clip to a rate; nil: it has that rate.
func (f *filler) form(rate int) (*resample.Resampler, error) {
	if r := f.forms[rate]; r != nil || rate == f.cfg.SampleRate {
		return r, nil
	}
	r, err := resample.New(f.cfg.SampleRate, rate)
	if err != nil {
		return nil, err
	}
	if f.forms == nil {
		f.forms = map[int]*resample.Resampler{}
	}
	f.forms[rate] = r
	return r, nil
}

// samplesAt writes the clip's samples as float32, as they are or resampled.
func (f *filler) samplesAt(buf []byte, form *resample.Resampler) {
	dst, direct := audio.Float32View(buf)
	if !direct {
		dst = make([]float32, len(buf)/4)
	}
	switch {
	case form == nil && f.stored != nil:
		audio.Int16(dst, f.stored)
	case form == nil:
		copy(dst, f.pcm)
	case f.stored != nil:
		f.wide = slices.Grow(f.wide[:0], len(f.stored)/2)[:len(f.stored)/2]
		audio.Int16(f.wide, f.stored)
		form.Resample(dst[:0], f.wide)
	default:
		form.Resample(dst[:0], f.pcm)
	}
	if !direct {
		audio.PutFloat32(buf, dst)
	}
}

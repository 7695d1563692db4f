package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// A Result is what became of a row. Err is nil, a *Refusal, a *Fault, or that of the context.
type Result struct {
	Array Array
	Err   error
}

// job is a row with who waits for it.
type job struct {
	row  *Row
	done func(Result)
}

// A Pool keeps workers of one column. It is safe for concurrent use.
type Pool struct {
	c     Config
	done  <-chan struct{} // closed at the end of all its work
	cause func() error    // of that end; nil before
	end   context.CancelCauseFunc
	begin func()       // starts a hand
	onEnd func(func()) // has something done at that end

	queue chan job       // closed by Close
	hands sync.WaitGroup // goroutines with a worker each
	idle  chan struct{}  // one for each hand that waits for rows; a row that is queued takes one, else a hand begins

	mu    sync.Mutex
	mem   *memory  // of samples; nil until it is asked for
	hired int      // hands
	fatal []string // ids of rows that each ended two workers, since the last answer
	calls Counts
}

// Counts is what a pool did.
type Counts struct {
	Rows    int // answered
	Batches int // calls of workers
	Starts  int // of processes
}

// NewPool makes a pool without workers: the first row starts one. It works until ctx ends or Close.
func NewPool(ctx context.Context, c Config) *Pool {
	c = c.withDefaults()
	p := &Pool{c: c, queue: make(chan job, c.Batch), idle: make(chan struct{}, c.Workers)}
	ctx, p.end = context.WithCancelCause(ctx)
	p.done, p.cause = ctx.Done(), func() error { return context.Cause(ctx) }
	p.onEnd = func(f func()) { context.AfterFunc(ctx, f) }
	p.begin = func() { p.hands.Go(func() { p.serve(ctx) }) }
	return p
}

// Samples gives a row memory for n samples, which is the pool's again when Submit was called. It waits while other rows
// hold all that there is.
func (p *Pool) Samples(row *Row, n int) error {
	m := p.memory()
	var ok bool
	if row.held, ok = m.take(4 * n); !ok {
		return p.cause()
	}
	if row.shared = 4*n <= row.held.size; row.shared {
		row.PCM = m.bytes[row.held.at:][:4*n]
	} else {
		row.PCM = make([]byte, 4*n)
	}
	return nil
}

func (p *Pool) memory() *memory {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mem == nil {
		p.mem = newMemory((p.c.Workers + 1) * batchBytes)
		p.onEnd(p.mem.stop)
	}
	return p.mem
}

// release takes back what Samples gave.
func (p *Pool) release(row *Row) {
	if row.held.size > 0 {
		p.mem.give(row.held)
		row.PCM, row.held = nil, part{}
	}
}

// finish hands a row back with what became of it.
func (p *Pool) finish(j job, res Result) {
	p.release(j.row)
	j.done(res)
}

// Submit queues a row, whose memory is the pool's until done is called, once, from another goroutine. It waits while
// a batch of rows is queued. After an error done is never called.
func (p *Pool) Submit(row *Row, done func(Result)) error {
	p.hire()
	select {
	case p.queue <- job{row, done}:
		return nil
	case <-p.done:
		p.release(row)
		return p.cause()
	}
}

// hire starts a hand where none is free for a row, and more are allowed.
func (p *Pool) hire() {
	select {
	case <-p.idle:
		return
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hired < p.c.Workers {
		p.hired++
		p.begin()
	}
}

// Close waits for the rows that were submitted, and ends the workers. Nobody may submit any more.
func (p *Pool) Close() {
	close(p.queue)
	p.hands.Wait()
	p.end(nil)
	if p.mem != nil {
		p.mem.close()
	}
}

// Ahead is how many rows the workers can have at once.
func (p *Pool) Ahead() int { return p.c.Workers * p.c.Batch }

// Fault is why the pool works no more; nil where it does.
func (p *Pool) Fault() error {
	var f *Fault
	if errors.As(p.cause(), &f) {
		return f
	}
	return nil
}

// Counts is what was done so far.
func (p *Pool) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}

// serve takes rows from the queue, as many as wait there, and has its worker compute them. The thread that
// starts a worker is kept until the worker has ended: see apart.
func (p *Pool) serve(ctx context.Context) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h := &hand{pool: p}
	defer h.quit()
	for {
		first, ok := h.next()
		if !ok {
			return
		}
		batch, bytes := append(h.batch[:0], first), len(first.row.PCM)
	more:
		for len(batch) < p.c.Batch && bytes < batchBytes {
			select {
			case j, ok := <-p.queue:
				if !ok {
					break more
				}
				batch, bytes = append(batch, j), bytes+len(j.row.PCM)
			default:
				break more
			}
		}
		h.work(ctx, batch)
		clear(batch)
		h.batch = batch
	}
}

// hand is a goroutine with a worker.
type hand struct {
	pool  *Pool
	proc  *process // nil: none runs
	batch []job
}

// next waits for a row. A hand that waits says so.
func (h *hand) next() (job, bool) {
	p := h.pool
	select {
	case j, ok := <-p.queue:
		return j, ok
	default:
	}
	select {
	case p.idle <- struct{}{}:
	default:
	}
	j, ok := <-p.queue
	return j, ok
}

func (h *hand) quit() {
	if h.proc != nil {
		h.proc.quit()
	}
}

// work has rows computed: together, and those that a worker's end left without an answer one by one.
func (h *hand) work(ctx context.Context, jobs []job) {
	left, _ := h.try(ctx, jobs)
	for _, j := range left {
		h.alone(ctx, j)
	}
}

// alone has a row computed that may have ended a worker. What ends two by itself is refused.
func (h *hand) alone(ctx context.Context, j job) {
	var last *end
	for range 2 {
		left, e := h.try(ctx, []job{j})
		if len(left) == 0 {
			return
		}
		if last = e; e.machine {
			h.pool.end(&Fault{h.pool.c.Column, fmt.Sprintf("over row %s its program %s", j.row.ID, e.reason), e.said})
			h.pool.finish(j, Result{Err: h.pool.cause()})
			return
		}
	}
	h.pool.lost(j.row.ID, last)
	h.pool.finish(j, Result{Err: &Refusal{Cause: last.cause, Reason: "over this row alone the program " + last.reason + ", twice", Said: last.said}})
}

// try has rows computed by one worker, and returns those without an answer, and why.
// When the pool has come to its end all of them get that for an answer.
func (h *hand) try(ctx context.Context, jobs []job) (left []job, e *end) {
	p := h.pool
	if err := h.ready(ctx); err != nil {
		p.end(err) // the first one counts
		for _, j := range jobs {
			p.finish(j, Result{Err: p.cause()})
		}
		return nil, nil
	}
	rows := make([]*Row, len(jobs))
	for i, j := range jobs {
		rows[i] = j.row
	}
	answers, e := h.proc.ask(ctx, rows)
	if e != nil {
		h.proc = nil
	}
	p.count(answers)
	for i, j := range jobs {
		switch {
		case answers[i] != nil:
			p.finish(j, answers[i].result(&p.c))
		case p.cause() != nil:
			p.finish(j, Result{Err: p.cause()})
		default:
			left = append(left, j)
		}
	}
	return left, e
}

// ready starts a worker where none runs.
func (h *hand) ready(ctx context.Context) (err error) {
	if err = h.pool.cause(); err != nil || h.proc != nil {
		return err
	}
	h.pool.started()
	var m *seen
	if h.pool.c.Rate > 0 {
		m = h.pool.memory().seen
	}
	h.proc, err = start(ctx, &h.pool.c, m)
	return err
}

// result is the answer to a row, checked.
func (a *answer) result(c *Config) Result {
	if a.failed {
		return Result{Err: &Refusal{Cause: Failed, Reason: a.text}}
	}
	if r := a.check(c); r != nil {
		return Result{Err: r}
	}
	return Result{Array: a.array}
}

// lost notes a row that ended two workers. Many in turn say that no row is to blame.
func (p *Pool) lost(id string, e *end) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fatal = append(p.fatal, id); len(p.fatal) == killedInTurn {
		p.end(&Fault{p.c.Column, fmt.Sprintf("over each of %s its program %s, and answered nothing between", strings.Join(p.fatal, ", "), e.reason), e.said})
	}
}

// count notes a call of a worker.
func (p *Pool) count(answers []*answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls.Batches++
	for _, a := range answers {
		if a != nil {
			p.calls.Rows++
			p.fatal = p.fatal[:0]
		}
	}
}

func (p *Pool) started() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls.Starts++
}

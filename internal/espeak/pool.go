package espeak

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrText says that nothing could be had for one text, while others may be well.
var ErrText = errors.New("no phonemes")

const (
	defaultLimit = 10 * time.Second // for one line, which takes a millisecond
	mostIdle     = 32               // workers that wait; each takes 2 MB that are its own
)

// A Pool keeps workers, of each voice at most as many as are asked at once. It
// is safe for concurrent use.
type Pool struct {
	tool  Tool
	limit time.Duration

	mu     sync.Mutex
	idle   []*worker // the one that was used last at the end
	closed bool
}

// NewPool makes a pool without workers. limit is the time for one line; 0: 10 seconds.
func NewPool(t Tool, limit time.Duration) *Pool {
	if limit == 0 {
		limit = defaultLimit
	}
	return &Pool{tool: t, limit: limit}
}

// Say is the phonemes of a clause in a language, in IPA with stress and length,
// words apart by one space. What it takes for another language's word is read
// by that voice, and not marked.
//
// An error of kind ErrText says that this text or language has none: two workers
// ended or hung over it, or there is no voice. Any other says that espeak-ng
// cannot be run, or is that of ctx.
func (p *Pool) Say(ctx context.Context, clause, language string) (string, error) {
	voice, err := p.tool.Voice(language)
	if err != nil {
		return "", err
	}
	var said []string
	for line := range lines(clause) {
		part, err := p.sayLine(ctx, line, voice)
		if err != nil {
			return "", err
		}
		said = append(said, part)
	}
	return tidy(said), nil
}

// sayLine asks a second worker where the first one failed: that may have been killed.
func (p *Pool) sayLine(ctx context.Context, line, voice string) (string, error) {
	var said string
	for attempt := 1; ; attempt++ {
		w, err := p.take(ctx, voice)
		if err != nil {
			return "", fmt.Errorf("espeak-ng -v %s: %w", voice, err)
		}
		if said, err = w.ask(ctx, line, p.limit); err == nil {
			p.put(w)
			return said, nil
		}
		w.end()
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if attempt == 2 {
			return "", fmt.Errorf("%w: espeak-ng over %.60q: %w, twice", ErrText, line, err)
		}
	}
}

// take is a worker of a voice that nobody else has.
func (p *Pool) take(ctx context.Context, voice string) (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errors.New("the pool is closed")
	}
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.voice == voice {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.mu.Unlock()
			return w, nil
		}
	}
	p.mu.Unlock()
	return p.tool.start(ctx, voice, p.limit)
}

// put gives a worker back. The one that waited longest goes where too many do.
func (p *Pool) put(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		w.end()
		return
	}
	if p.idle = append(p.idle, w); len(p.idle) > mostIdle {
		p.idle[0].end()
		p.idle = slices.Delete(p.idle, 0, 1)
	}
}

// Close ends all workers; one that is asked just now ends with its answer. A nil
// pool has none.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, w := range p.idle {
		w.end()
	}
	p.idle = nil
}

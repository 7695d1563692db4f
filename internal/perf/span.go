package perf

import (
	"sync"
	"time"
)

// Span is a named stretch of time, measured from the recorder's start.
type Span struct {
	Name       string
	Start, End time.Duration
}

// Recorder collects spans. It is safe for concurrent use; nil records nothing.
type Recorder struct {
	now   func() time.Time
	begin time.Time

	mu    sync.Mutex
	spans []Span
}

// NewRecorder starts a recorder on a clock.
func NewRecorder(now func() time.Time) *Recorder {
	return &Recorder{now: now, begin: now()}
}

// Span begins a span and returns the function that ends it:
//
//	defer rec.Span("survey")()
func (r *Recorder) Span(name string) func() {
	if r == nil {
		return func() {}
	}
	start := r.now().Sub(r.begin)
	return func() {
		end := r.now().Sub(r.begin)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.spans = append(r.spans, Span{name, start, end})
	}
}

// Spans lists the finished spans in the order in which they ended.
func (r *Recorder) Spans() []Span {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Span(nil), r.spans...)
}

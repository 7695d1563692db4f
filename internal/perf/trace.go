package perf

import (
	"slices"
	"sync"
	"time"
)

// DefaultEvents is how many events a Track keeps unless told otherwise. An
// event takes 40 bytes, so a track takes 2.6 MB, of which the system gives
// memory only as it fills.
const DefaultEvents = 1 << 16

// Trace is a timeline that Perfetto and chrome://tracing show: a row for each
// track, grouped by process. All times are since one start, which the caller
// keeps. It is safe for concurrent use; nil records nothing.
type Trace struct {
	keep int // events of a track

	mu     sync.Mutex
	names  []names
	tracks []*Track
	notes  map[string]string
}

// EventName stands for the name of an event and of its arguments; Trace.Name
// makes it. The zero EventName is called "event" and has no arguments.
type EventName uint16

// names is what an EventName stands for; arguments without a name are left out.
type names struct {
	event string
	args  [2]string
}

// NewTrace starts a timeline whose tracks keep that many events each, 0 for
// DefaultEvents.
func NewTrace(events int) *Trace {
	if events <= 0 {
		events = DefaultEvents
	}
	return &Trace{keep: events, names: []names{{event: "event"}}, notes: map[string]string{}}
}

// Name makes the name of an event, with the names of up to two arguments
// ("batch", "bytes"). The same names give the same EventName. There is room for
// 65,536 names, since they are constants of the program; past that the answer
// is "event".
func (t *Trace) Name(event string, args ...string) EventName {
	if t == nil {
		return 0
	}
	n := names{event: event}
	copy(n.args[:], args)
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.names, n); i >= 0 {
		return EventName(i)
	}
	if len(t.names) > int(^EventName(0)) {
		return 0
	}
	t.names = append(t.names, n)
	return EventName(len(t.names) - 1)
}

// Note keeps a fact about the run with the timeline, such as the version.
func (t *Trace) Note(key, value string) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes[key] = value
}

// NewTrack adds a row: a thread of a process, in the picture a device or a part
// of the program and a stage of it. Rows appear in the order in which they are
// made. All its memory is taken here.
func (t *Trace) NewTrack(process, thread string) *Track {
	if t == nil {
		return nil
	}
	track := &Track{process: process, thread: thread, ring: make([]event, t.keep)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tracks = append(t.tracks, track)
	return track
}

// Track is one row of a Trace. It is meant for one goroutine; the lock, held
// alone, costs little and lets WriteTo run at any time, also when that
// goroutine hangs in a driver, which is when a timeline is wanted most. Once
// its ring is full the oldest events are overwritten; nil records nothing.
type Track struct {
	process, thread string

	mu    sync.Mutex
	ring  []event
	count uint64 // events ever recorded
}

// phase is the kind of an event by the letter of the format.
type phase byte

const (
	complete phase = 'X'
	instant  phase = 'i'
	counter  phase = 'C'
)

// event is one of a ring.
type event struct {
	start, length time.Duration
	args          [2]int64
	name          EventName
	phase         phase
}

// Complete records what took from start on so long. It allocates nothing and
// takes 16 ns (BenchmarkComplete on a VM with 2 cores of an AMD EPYC, Go 1.26).
//
// On one row events may follow or contain each other; those that overlap in
// part, as copies on two engines do, are written to further rows of that name.
func (t *Track) Complete(name EventName, start, length time.Duration, first, second int64) {
	t.record(event{clamp(start), clamp(length), [2]int64{first, second}, name, complete})
}

// Instant records that something happened.
func (t *Track) Instant(name EventName, at time.Duration, first, second int64) {
	t.record(event{clamp(at), 0, [2]int64{first, second}, name, instant})
}

// Counter records that from now on figures have these values. The arguments of
// the name are the names of the figures, stacked in one picture; a name without
// any shows the first value. Counters of one name are one picture per process,
// whatever the track.
func (t *Track) Counter(name EventName, at time.Duration, first, second int64) {
	t.record(event{clamp(at), 0, [2]int64{first, second}, name, counter})
}

func (t *Track) record(e event) {
	if t == nil {
		return
	}
	t.mu.Lock()
	t.ring[t.count%uint64(len(t.ring))] = e
	t.count++
	t.mu.Unlock()
}

// events copies what is kept, oldest first, and counts what is not.
func (t *Track) events() (kept []event, lost uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	size := uint64(len(t.ring))
	if t.count <= size {
		return slices.Clone(t.ring[:t.count]), 0
	}
	oldest := t.count % size
	return slices.Concat(t.ring[oldest:], t.ring[:oldest]), t.count - size
}

// clamp makes a time one that the format has: not before the start, and such
// that the sum of two fits 63 bits (126 years).
func clamp(d time.Duration) time.Duration { return min(max(d, 0), 4e18) }

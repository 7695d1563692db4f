package perf

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Keys of "otherData" in a written trace: how many events the rings had no room
// for, in all and by track, and how many were left out because more than 64
// others overlapped them.
const (
	lostKey        = "lost_events"
	overlappingKey = "overlapping_events"
)

// WriteTo writes the timeline in the trace-event format (the JSON object form).
// The tracks may go on meanwhile; each is held up while its ring is copied,
// which is 2.6 MB at DefaultEvents.
func (t *Trace) WriteTo(w io.Writer) (int64, error) {
	if t == nil {
		return 0, nil
	}
	t.mu.Lock()
	tracks, notes := slices.Clone(t.tracks), maps.Clone(t.notes)
	t.mu.Unlock()

	sink := &counted{w: w}
	out := &traceWriter{w: bufio.NewWriter(sink)}
	out.text(`{"displayTimeUnit":"ms","traceEvents":[`)
	var lost, overlapping uint64
	processes := map[string]int{}
	for i, track := range tracks {
		pid, known := processes[track.process]
		if !known {
			pid = len(processes) + 1
			processes[track.process] = pid
			out.metadata("process_name", pid, 0, "name", track.process)
			out.metadata("process_sort_index", pid, 0, "sort_index", pid)
		}
		events, gone := track.events()
		if gone > 0 {
			notes[lostKey+" "+track.process+"/"+track.thread] = strconv.FormatUint(gone, 10)
		}
		out.names = t.table() // after the events, so that it knows all their names
		lanes, noRoom := spread(events)
		for j, lane := range lanes {
			out.lane(track, pid, i*maxLanes+j+1, j, lane)
		}
		lost += gone
		overlapping += noRoom
	}
	notes[lostKey] = strconv.FormatUint(lost, 10)
	if overlapping > 0 {
		notes[overlappingKey] = strconv.FormatUint(overlapping, 10)
	}
	out.text("\n]," + `"otherData":`)
	out.value(notes)
	out.text("}\n")
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return sink.n, fmt.Errorf("write trace: %w", out.err)
	}
	return sink.n, nil
}

// table is all names so far. Entries are only ever added, so it may be read
// without the lock.
func (t *Trace) table() []names {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.names
}

// counted counts what reached the writer.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// traceWriter writes the pieces of a trace and keeps the first error.
type traceWriter struct {
	w     *bufio.Writer
	names []names
	begun bool // an event was written
	buf   []byte
	err   error
}

// lane writes one row: what it is called, where it stands, its events. The
// rows of a track after the first carry a number.
func (o *traceWriter) lane(t *Track, pid, tid, number int, events []event) {
	name := t.thread
	if number > 0 {
		name += " (" + strconv.Itoa(number+1) + ")"
	}
	o.metadata("thread_name", pid, tid, "name", name)
	o.metadata("thread_sort_index", pid, tid, "sort_index", tid)
	for _, e := range events {
		o.event(pid, tid, e)
	}
}

// metadata writes an event that names or orders a process or a thread.
func (o *traceWriter) metadata(what string, pid, tid int, key string, value any) {
	o.next()
	o.text(fmt.Sprintf(`{"name":%q,"ph":"M","pid":%d,"tid":%d,"args":{%q:`, what, pid, tid, key))
	o.value(value)
	o.text("}}")
}

// event writes an event of a ring.
func (o *traceWriter) event(pid, tid int, e event) {
	n := o.names[0]
	if int(e.name) < len(o.names) { // else it is of another Trace
		n = o.names[e.name]
	}
	o.next()
	o.text(`{"name":`)
	o.value(n.event)
	b := append(o.buf[:0], `,"ph":"`...)
	b = append(b, byte(e.phase))
	b = append(b, `","pid":`...)
	b = strconv.AppendInt(b, int64(pid), 10)
	b = append(b, `,"tid":`...)
	b = strconv.AppendInt(b, int64(tid), 10)
	b = append(b, `,"ts":`...)
	b = appendMicroseconds(b, e.start)
	switch e.phase {
	case complete:
		b = append(b, `,"dur":`...)
		b = appendMicroseconds(b, e.length)
	case instant:
		b = append(b, `,"s":"t"`...) // a mark on its thread's row only
	case counter:
		if n.args == [2]string{} {
			n.args[0] = "value" // a counter without a figure is none
		}
	}
	o.bytes(b)
	o.args(n, e)
	o.text("}")
}

// args writes the arguments that have a name.
func (o *traceWriter) args(n names, e event) {
	sep := `,"args":{`
	for i, key := range n.args {
		if key == "" || i == 1 && key == n.args[0] {
			continue
		}
		o.text(sep)
		o.value(key)
		o.bytes(strconv.AppendInt(append(o.buf[:0], ':'), e.args[i], 10))
		sep = ","
	}
	if sep == "," {
		o.text("}")
	}
}

// next begins an event on a line of its own.
func (o *traceWriter) next() {
	if o.begun {
		o.text(",")
	}
	o.begun = true
	o.text("\n")
}

// value writes a string, a number or a table as JSON.
func (o *traceWriter) value(v any) {
	b, err := json.Marshal(v)
	if err != nil && o.err == nil {
		o.err = err
	}
	o.bytes(b)
}

func (o *traceWriter) text(s string) { o.bytes(append(o.buf[:0], s...)) }

func (o *traceWriter) bytes(b []byte) {
	o.buf = b
	if o.err == nil {
		_, o.err = o.w.Write(b)
	}
}

// appendMicroseconds writes a time in the unit of the format, to the nanosecond.
func appendMicroseconds(b []byte, d time.Duration) []byte {
	b = strconv.AppendInt(b, int64(d/time.Microsecond), 10)
	ns := int64(d % time.Microsecond)
	return append(b, '.', byte('0'+ns/100), byte('0'+ns/10%10), byte('0'+ns%10))
}

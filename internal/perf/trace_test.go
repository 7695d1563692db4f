package perf

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// written is what a trace writes.
func written(t *testing.T, trace *Trace) string {
	t.Helper()
	var b bytes.Buffer
	n, err := trace.WriteTo(&b)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("WriteTo() = %d, %v, want %d and no error", n, err, b.Len())
	}
	return b.String()
}

// small is a timeline of two devices with every kind of event.
func small() *Trace {
	trace := NewTrace(0)
	trace.Note("version", "1.2.3")
	fill := trace.Name("fill", "batch", "bytes")
	late := trace.Name("late")
	depth := trace.Name("ring", "ready")
	feed := trace.NewTrack("host", "fill 0")
	link := trace.NewTrack("GPU 0", "copy")
	feed.Complete(fill, 1500*time.Nanosecond, 3*time.Millisecond, 7, 8<<20)
	feed.Counter(depth, 4*time.Millisecond, 2, 99)
	feed.Instant(late, 5*time.Millisecond, 0, 0)
	link.Complete(trace.Name("copy", "batch"), 10*time.Millisecond, 0, 7, 99)
	return trace
}

// smallTrace is what small writes.
const smallTrace = `{"displayTimeUnit":"ms","traceEvents":[
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"host"}},
{"name":"process_sort_index","ph":"M","pid":1,"tid":0,"args":{"sort_index":1}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"fill 0"}},
{"name":"thread_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":1}},
{"name":"fill","ph":"X","pid":1,"tid":1,"ts":1.500,"dur":3000.000,"args":{"batch":7,"bytes":8388608}},
{"name":"ring","ph":"C","pid":1,"tid":1,"ts":4000.000,"args":{"ready":2}},
{"name":"late","ph":"i","pid":1,"tid":1,"ts":5000.000,"s":"t"},
{"name":"process_name","ph":"M","pid":2,"tid":0,"args":{"name":"GPU 0"}},
{"name":"process_sort_index","ph":"M","pid":2,"tid":0,"args":{"sort_index":2}},
{"name":"thread_name","ph":"M","pid":2,"tid":65,"args":{"name":"copy"}},
{"name":"thread_sort_index","ph":"M","pid":2,"tid":65,"args":{"sort_index":65}},
{"name":"copy","ph":"X","pid":2,"tid":65,"ts":10000.000,"dur":0.000,"args":{"batch":7}}
],"otherData":{"lost_events":"0","version":"1.2.3"}}
`

func TestTraceWritesTheFormat(t *testing.T) {
	if got := written(t, small()); got != smallTrace {
		t.Errorf("WriteTo wrote\n%s\nwant\n%s", got, smallTrace)
	}
}

// row is what a test reads of an event, in nanoseconds.
type row struct {
	pid, tid   int
	ph         string
	start, end int64
	batch      int64
}

// parse reads a trace with nothing of the package.
func parse(t *testing.T, trace string) (rows []row, other map[string]string) {
	t.Helper()
	var file struct {
		TraceEvents []struct {
			PH       string
			PID, TID int
			TS, Dur  json.Number
			Args     map[string]json.RawMessage
		}
		OtherData map[string]string
	}
	if err := json.Unmarshal([]byte(trace), &file); err != nil {
		t.Fatalf("%v in %s", err, trace)
	}
	ns := func(us json.Number) int64 {
		n, _ := strconv.ParseInt(strings.Replace(us.String(), ".", "", 1), 10, 64)
		return n
	}
	for _, e := range file.TraceEvents {
		if e.PH == "M" {
			continue
		}
		batch, _ := strconv.ParseInt(string(e.Args["batch"]), 10, 64)
		rows = append(rows, row{e.PID, e.TID, e.PH, ns(e.TS), ns(e.TS) + ns(e.Dur), batch})
	}
	return rows, file.OtherData
}

// TestWhatTraceWritesIsValid is the property of the type, with events as no
// sane caller records them: overlapping, before the start, out of order, longer
// than a life, with names that need escapes.
func TestWhatTraceWritesIsValid(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 300 {
		keep := 1 + r.IntN(60)
		trace := NewTrace(keep)
		trace.Note(string(rune(r.IntN(300))), "\x00\xff")
		names := []EventName{0, trace.Name("fill", "batch", "batch"), trace.Name("a\"\n\xff", "batch", "<b>"), trace.Name("", "batch"), 999}
		scale := []int64{5, 1000, math.MaxInt64}[r.IntN(3)]
		next, expect, lost := int64(0), map[int64]bool{}, 0
		for range r.IntN(4) {
			track := trace.NewTrack([]string{"host", "GPU \"0\"", ""}[r.IntN(3)], "row")
			n := r.IntN(2 * keep)
			for i := range n {
				next++
				name, at, length := names[r.IntN(len(names))], time.Duration(r.Int64N(scale)-scale/20), time.Duration(r.Int64N(scale))
				switch r.IntN(5) {
				case 0:
					track.Instant(name, at, next, 1)
				case 1:
					track.Counter(name, at, next, 1)
				default:
					track.Complete(name, at, length, next, 1)
				}
				if i < n-keep {
					lost++
				} else if name != 0 && name != 999 {
					expect[next] = true
				}
			}
		}
		out := written(t, trace)
		if err := validate(strings.NewReader(out)); err != nil {
			t.Fatalf("Validate: %v in\n%s", err, out)
		}
		rows, other := parse(t, out)
		for _, e := range rows {
			delete(expect, e.batch)
		}
		if len(expect) > 0 || other[lostKey] != strconv.Itoa(lost) {
			t.Fatalf("events %v are missing, %s lost, want none and %d in\n%s", expect, other[lostKey], lost, out)
		}
		separate(t, rows)
	}
}

// separate compares all complete events of a row pair by pair.
func separate(t *testing.T, rows []row) {
	t.Helper()
	for i, a := range rows {
		for _, b := range rows[:i] {
			if a.ph != "X" || b.ph != "X" || a.pid != b.pid || a.tid != b.tid {
				continue
			}
			apart := a.end <= b.start || b.end <= a.start
			inside := a.start >= b.start && a.end <= b.end || b.start >= a.start && b.end <= a.end
			if !apart && !inside {
				t.Fatalf("%+v and %+v overlap on a row", a, b)
			}
		}
	}
}

func TestOverlappingEventsGetRowsOfTheirOwn(t *testing.T) {
	trace := NewTrace(0)
	name := trace.Name("copy", "batch")
	track := trace.NewTrack("GPU 0", "copy")
	track.Complete(name, 0, 10, 1, 0)
	track.Complete(name, 5, 10, 2, 0)  // begins in the first, ends after it
	track.Complete(name, 2, 3, 3, 0)   // inside the first
	track.Complete(name, 10, 10, 4, 0) // right after the first
	track.Complete(name, 30, 5, 5, 0)
	track.Complete(name, 30, 9, 6, 0) // around the one before, from the same start
	rows, _ := parse(t, written(t, trace))
	got := map[int64]int{}
	for _, e := range rows {
		got[e.batch] = e.tid
	}
	want := map[int64]int{1: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1}
	if !maps.Equal(got, want) {
		t.Errorf("batch -> row: %v, want %v", got, want)
	}
	if out := written(t, trace); !strings.Contains(out, `"name":"copy (2)"`) {
		t.Errorf("no row is called copy (2) in\n%s", out)
	}
}

func TestEventsThatAllOverlapAreLeftOutAndCounted(t *testing.T) {
	trace := NewTrace(0)
	track := trace.NewTrack("GPU 0", "copy")
	for i := range time.Duration(maxLanes + 5) {
		track.Complete(0, i, 1000, 0, 0)
	}
	out := written(t, trace)
	rows, other := parse(t, out)
	if len(rows) != maxLanes || other[overlappingKey] != "5" || other[lostKey] != "0" {
		t.Errorf("%d events, %v, want %d and 5 left out", len(rows), other, maxLanes)
	}
	if err := validate(strings.NewReader(out)); err != nil {
		t.Error(err)
	}
}

func TestTheOldestEventsGoFirstAndAreCounted(t *testing.T) {
	trace := NewTrace(3)
	name := trace.Name("fill", "batch")
	track := trace.NewTrack("host", "fill")
	for i := range int64(5) {
		track.Complete(name, time.Duration(i)*time.Second, time.Millisecond, i, 0)
	}
	rows, other := parse(t, written(t, trace))
	if len(rows) != 3 || rows[0].batch != 2 || rows[2].batch != 4 {
		t.Errorf("kept %+v, want batches 2 to 4", rows)
	}
	if other["lost_events"] != "2" || other["lost_events host/fill"] != "2" {
		t.Errorf("otherData = %v, want 2 lost", other)
	}
}

// TestEventsOfOneMomentKeepTheirOrder: of two values of a counter the later
// one holds, also where the ring has begun anew in between.
func TestEventsOfOneMomentKeepTheirOrder(t *testing.T) {
	trace := NewTrace(100)
	name := trace.Name("ring", "batch")
	track := trace.NewTrack("host", "ring")
	for i := range int64(150) {
		track.Counter(name, time.Duration(i*7%3), i, 0)
	}
	rows, _ := parse(t, written(t, trace))
	for i, e := range rows[1:] {
		if before := rows[i]; before.start > e.start || before.start == e.start && before.batch > e.batch {
			t.Fatalf("value %d at %d ns is written before value %d at %d ns", before.batch, before.start, e.batch, e.start)
		}
	}
}

func TestTheSameNameIsOneEntry(t *testing.T) {
	trace := NewTrace(0)
	a, b, c := trace.Name("fill", "batch"), trace.Name("fill", "batch"), trace.Name("fill")
	if a != b || a == c || a == 0 {
		t.Errorf("Name() = %d, %d, %d, want the first two equal and the third another", a, b, c)
	}
}

func TestATraceMayBeWrittenWhileTracksGoOn(t *testing.T) {
	trace := NewTrace(100)
	var wg sync.WaitGroup
	for range 3 {
		track := trace.NewTrack("host", "fill")
		wg.Go(func() {
			for i := range time.Duration(2000) {
				track.Complete(trace.Name("fill", strconv.Itoa(int(i%7))), i, 1, int64(i), 0)
			}
		})
	}
	for range 20 {
		if err := validate(strings.NewReader(written(t, trace))); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
}

func TestANilTraceRecordsNothing(t *testing.T) {
	var trace *Trace
	trace.Note("version", "1")
	track := trace.NewTrack("host", "fill")
	track.Complete(trace.Name("fill"), 1, 2, 3, 4)
	track.Instant(0, 1, 2, 3)
	track.Counter(0, 1, 2, 3)
	if n, err := trace.WriteTo(io.Discard); n != 0 || err != nil || track != nil {
		t.Errorf("WriteTo() = %d, %v, track %v, want nothing", n, err, track)
	}
}

// fullDisk takes some bytes and then fails.
type fullDisk struct{ room int }

var errFull = errors.New("no space left")

func (d *fullDisk) Write(b []byte) (int, error) {
	n := min(d.room, len(b))
	d.room -= n
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func TestAFullDiskIsAnErrorWhereverItFills(t *testing.T) {
	trace := small()
	track := trace.NewTrack("host", "fill 1")
	for range 200 {
		track.Instant(0, 0, 0, 0)
	}
	size := len(written(t, trace))
	for room := 0; room <= size; room += 97 {
		n, err := trace.WriteTo(&fullDisk{room})
		if !errors.Is(err, errFull) || n != int64(room) {
			t.Errorf("WriteTo with room for %d of %d = %d, %v", room, size, n, err)
		}
	}
}

func TestTracingAllocatesNothing(t *testing.T) {
	trace := NewTrace(100)
	name := trace.Name("fill", "batch", "bytes")
	track := trace.NewTrack("host", "fill")
	got := testing.AllocsPerRun(1000, func() {
		track.Complete(name, 1, 2, 3, 4)
		track.Instant(name, 1, 2, 3)
		track.Counter(name, 1, 2, 3)
	})
	if got != 0 {
		t.Errorf("three events allocate %v times, want 0", got)
	}
}

func BenchmarkComplete(b *testing.B) {
	trace := NewTrace(0)
	name := trace.Name("fill", "batch", "bytes")
	track := trace.NewTrack("host", "fill")
	at := time.Duration(0)
	for b.Loop() {
		track.Complete(name, at, 1000, int64(at), 8<<20)
		at += 1000
	}
}

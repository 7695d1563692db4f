package serve

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// put stores a word of a step log, by docs/protocol.md alone.
func put(mem []byte, at int, value uint64) {
	(*atomic.Uint64)(unsafe.Pointer(&mem[at])).Store(value)
}

// note writes take n as a consumer does.
func note(mem []byte, n, loop, asked, waited, got uint64) {
	at := int(binary.LittleEndian.Uint32(mem[16:])) + int(n%10000)*int(binary.LittleEndian.Uint32(mem[20:]))
	put(mem, at, 0)
	put(mem, at+8, loop)
	put(mem, at+16, asked)
	put(mem, at+24, waited)
	put(mem, at+32, got)
	put(mem, at, n+1)
	put(mem, 64, n+1)
}

// mark writes mark n as a consumer does.
func mark(mem []byte, n, taken, begin, end uint64) {
	at := int(binary.LittleEndian.Uint32(mem[24:])) + int(n%10000)*int(binary.LittleEndian.Uint32(mem[28:]))
	put(mem, at, 0)
	put(mem, at+8, taken)
	put(mem, at+16, begin)
	put(mem, at+24, end)
	put(mem, at, n+1)
	put(mem, 72, n+1)
}

func makeLog(t testing.TB) *stepLog {
	t.Helper()
	l, err := newStepLog()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	return l
}

// TestStepLogKeepsTheLast: as many entries as docs/protocol.md says, of which any
// number of the last can be had.
func TestStepLogKeepsTheLast(t *testing.T) {
	l := makeLog(t)
	const n = 10_000 + 7
	for i := range uint64(n) {
		note(l.mem, i, 3, 100*i, 5, 100*i+50)
		mark(l.mem, i, i+1, 100*i+60, 100*i+90)
	}
	all := l.read(StepsKept, math.MaxUint64)
	if len(all.Takes) != 10_000 || len(all.Marks) != 10_000 || all.Taken != n || all.Marked != n || all.Ahead {
		t.Fatalf("%d takes of %d, %d marks of %d, ahead %v", len(all.Takes), all.Taken, len(all.Marks), all.Marked, all.Ahead)
	}
	if first, last := all.Takes[0], all.Takes[9999]; first != (Take{7, 3, 700, 5, 750}) || last != (Take{10_006, 3, 1_000_600, 5, 1_000_650}) {
		t.Errorf("takes go from %+v to %+v", first, last)
	}
	if first := all.Marks[0]; first != (Mark{7, 8, 760, 790}) {
		t.Errorf("marks begin with %+v", first)
	}
	if few := l.read(3, math.MaxUint64); len(few.Takes) != 3 || few.Takes[0].Number != n-3 || len(few.Marks) != 3 {
		t.Errorf("the last 3: %+v", few)
	}
	if none := l.read(0, math.MaxUint64); len(none.Takes) != 0 || none.Taken != n {
		t.Errorf("the last 0: %+v", none)
	}
	put(l.mem, 80, 1)
	if !l.read(0, 0).Ahead {
		t.Error("that threads take batches ahead is not seen")
	}
}

// TestWhatCannotBeIsLeftOut: an entry that is written, one of another number, and
// times that no clock gives.
func TestWhatCannotBeIsLeftOut(t *testing.T) {
	const now = 1000
	for _, c := range []struct {
		name  string
		write func(mem []byte)
	}{
		{"counted and never written", func(mem []byte) { put(mem, 64, 1); put(mem, 72, 1) }},
		{"had before it was asked for", func(mem []byte) { note(mem, 0, 1, 10, 0, 9) }},
		{"waited for longer than it took", func(mem []byte) { note(mem, 0, 1, 10, 6, 15) }},
		{"had in the future", func(mem []byte) { note(mem, 0, 1, 10, 0, now+1) }},
		{"a mark that ended before it began", func(mem []byte) { mark(mem, 0, 1, 10, 9) }},
		{"a mark of the future", func(mem []byte) { mark(mem, 0, 1, now+1, 0) }},
		{"a mark that ends in the future", func(mem []byte) { mark(mem, 0, 1, 10, now+1) }},
		{"numbers without end", func(mem []byte) { put(mem, 64, math.MaxUint64); put(mem, 72, math.MaxUint64) }},
	} {
		l := makeLog(t)
		c.write(l.mem)
		if s := l.read(StepsKept, now); len(s.Takes)+len(s.Marks) > 0 {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// TestNoTornEntry: a reader beside the writer gets whole entries only. Every word
// of take n is n, or what follows from it.
func TestNoTornEntry(t *testing.T) {
	l := makeLog(t)
	end, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for n := uint64(0); ; n++ {
			select {
			case <-end:
				return
			default:
				note(l.mem, n, n, n, 0, n)
				mark(l.mem, n, n, n, n)
			}
		}
	}()
	until(t, "entries are written over", func() bool { return l.read(0, 0).Taken > StepsKept })
	for i := range 400 { // of the last few, the writer overwrites none so soon; of all, it overwrites some
		s := l.read([]int{50, StepsKept}[i%2], math.MaxUint64)
		for _, e := range s.Takes {
			if e != (Take{e.Number, e.Number, e.Number, 0, e.Number}) {
				t.Fatalf("torn: %+v", e)
			}
		}
		for _, e := range s.Marks {
			if e != (Mark{e.Number, e.Number, e.Number, e.Number}) {
				t.Fatalf("torn: %+v", e)
			}
		}
	}
	close(end)
	<-over
}

// FuzzStepLog: whatever a consumer writes, reading ends, and the parts of a step
// are no more than the step.
func FuzzStepLog(f *testing.F) {
	join := func(list ...uint64) (b []byte) {
		for _, w := range list {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return b
	}
	f.Add(join(0, 1, 10, 2, 20, 1, 2, 30, 4, 50, 2, 3, 70), join(0, 1, 21, 29, 1, 2, 51), false)
	f.Add(join(5, math.MaxUint64, 0, 0, math.MaxUint64), join(math.MaxUint64, 0, 0, math.MaxUint64), true)
	f.Fuzz(func(t *testing.T, takes, marks []byte, ahead bool) {
		mem := make(words, logBytes)
		copy(mem[logTakes:logMarks], takes)
		copy(mem[logMarks:], marks)
		put(mem, 64, uint64(len(takes)/8))
		put(mem, 72, uint64(len(marks)/8))
		if ahead {
			put(mem, 80, 1)
		}
		l := &stepLog{mem: mem}
		for _, s := range l.read(StepsKept, math.MaxInt64).Steps().List {
			if s.Took < 0 || s.Load < 0 || s.Copy < 0 || s.Train < 0 || s.Train+max(s.Load, s.Copy) > s.Took {
				t.Fatalf("%+v", s)
			}
		}
	})
}

// TestNoStepLog: a session without one has no steps.
func TestNoStepLog(t *testing.T) {
	var l *stepLog
	if s := l.read(10, uint64(time.Now().UnixNano())); s.Takes == nil || len(s.Takes) > 0 || l.bytes() != 0 {
		t.Errorf("%+v", s)
	}
	l.close()
}

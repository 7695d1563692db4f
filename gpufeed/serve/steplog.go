package serve

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"
)

// StepsKept is how many batches, and how many marks, a step log keeps.
const StepsKept = 10_000

// The words of a step log, by their offsets; docs/protocol.md says what they mean.
const (
	logMagic   = "VXSTEPS1"
	logVersion = 1

	logAtVersion = 8  // u32
	logAtKept    = 12 // u32: entries of each kind
	logAtTakes   = 16 // u32: offset of the first take
	logAtTake    = 20 // u32: bytes from one take to the next
	logAtMarks   = 24 // u32: offset of the first mark
	logAtMark    = 28 // u32: bytes from one mark to the next

	logTaken  = 64 // u64: the consumer's, as all that follows: takes so far
	logMarked = 72 // u64: marks so far
	logAhead  = 80 // u32: 1 where threads take batches before the loop asks for them

	takeNumber = 0  // u64: number + 1; 0 while the entry is written
	takeLoop   = 8  // u64
	takeAsked  = 16 // u64: ns, as all times here
	takeWaited = 24 // u64
	takeGot    = 32 // u64
	takeBytes  = 40

	markNumber = 0  // u64: number + 1; 0 while the entry is written
	markTaken  = 8  // u64
	markBegin  = 16 // u64
	markEnd    = 24 // u64: 0 while it lasts
	markBytes  = 32

	logTakes = 128
	logMarks = logTakes + StepsKept*takeBytes
	logBytes = (logMarks + StepsKept*markBytes + 4095) / 4096 * 4096
)

// Take is a batch that a loop got. Times are nanoseconds of CLOCK_MONOTONIC.
type Take struct {
	Number uint64 `json:"number"` // of the batches that loops got, from 0
	Loop   uint64 `json:"loop"`   // changes where another loop began: the time between two loops is no step
	Asked  uint64 `json:"asked"`  // when the loop wanted it
	Waited uint64 `json:"waited"` // how long from then on the ring was empty
	Got    uint64 `json:"got"`    // when the loop had it: copied, and as its framework wants it
}

// Mark is a step that the trainer marked.
type Mark struct {
	Number uint64 `json:"number"` // of the marks, from 0
	Taken  uint64 `json:"taken"`  // batches that loops had got when it began
	Begin  uint64 `json:"begin"`
	End    uint64 `json:"end"` // 0: it lasts
}

// StepLog is what a session's consumer noted of its last steps, in their order.
type StepLog struct {
	Taken  uint64 `json:"taken"`  // so far: of them at most StepsKept are kept
	Marked uint64 `json:"marked"` // so far
	Ahead  bool   `json:"ahead"`  // threads take batches before the loop asks for them, as tf.data does
	Takes  []Take `json:"takes"`
	Marks  []Mark `json:"marks"`
}

// stepLog is the memory that a consumer notes its steps in. The consumer alone
// writes there, after the feeder has made it.
type stepLog struct {
	file int
	mem  words
}

func newStepLog() (*stepLog, error) {
	file, mem, err := sharedFile("voxpack-steps", logBytes)
	if err != nil {
		return nil, fmt.Errorf("shared memory of a step log: %w", err)
	}
	copy(mem, logMagic)
	for at, v := range map[int]int{
		logAtVersion: logVersion, logAtKept: StepsKept,
		logAtTakes: logTakes, logAtTake: takeBytes, logAtMarks: logMarks, logAtMark: markBytes,
	} {
		binary.LittleEndian.PutUint32(mem[at:], uint32(v))
	}
	return &stepLog{file, mem}, nil
}

// read copies the last steps, at most so many. An entry that is written meanwhile,
// or that says what cannot be, is left out.
func (l *stepLog) read(last int, now uint64) StepLog {
	s := StepLog{Takes: []Take{}, Marks: []Mark{}}
	if l == nil {
		return s
	}
	last = min(last, StepsKept)
	s.Ahead = l.mem.word(logAhead).Load() != 0
	s.Taken, s.Marked = l.mem.long(logTaken).Load(), l.mem.long(logMarked).Load()
	for number := range numbersBefore(s.Taken, last) {
		if t, whole := l.take(number); whole && t.Asked <= t.Got && t.Got <= now && t.Waited <= t.Got-t.Asked {
			s.Takes = append(s.Takes, t)
		}
	}
	for number := range numbersBefore(s.Marked, last) {
		if m, whole := l.mark(number); whole && m.Begin <= now && (m.End == 0 || m.Begin <= m.End && m.End <= now) {
			s.Marks = append(s.Marks, m)
		}
	}
	return s
}

// numbersBefore goes through the last numbers below n.
func numbersBefore(n uint64, last int) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i := n - min(n, uint64(last)); i != n; i++ {
			if !yield(i) {
				return
			}
		}
	}
}

// take is an entry; whole is false where it is another one's by now.
func (l *stepLog) take(number uint64) (t Take, whole bool) {
	at := logTakes + int(number%StepsKept)*takeBytes
	seq := l.mem.long(at + takeNumber)
	if seq.Load() != number+1 {
		return t, false
	}
	t = Take{
		Number: number, Loop: l.mem.long(at + takeLoop).Load(), Asked: l.mem.long(at + takeAsked).Load(),
		Waited: l.mem.long(at + takeWaited).Load(), Got: l.mem.long(at + takeGot).Load(),
	}
	return t, seq.Load() == number+1
}

// mark is an entry; whole is false where it is another one's by now.
func (l *stepLog) mark(number uint64) (m Mark, whole bool) {
	at := logMarks + int(number%StepsKept)*markBytes
	seq := l.mem.long(at + markNumber)
	if seq.Load() != number+1 {
		return m, false
	}
	m = Mark{Number: number, Taken: l.mem.long(at + markTaken).Load(), Begin: l.mem.long(at + markBegin).Load(), End: l.mem.long(at + markEnd).Load()}
	return m, seq.Load() == number+1
}

// bytes is the size of the file, 0 where there is none.
func (l *stepLog) bytes() int {
	if l == nil {
		return 0
	}
	return len(l.mem)
}

// close unmaps the log; a consumer keeps its own mapping.
func (l *stepLog) close() {
	if l == nil {
		return
	}
	_ = unix.Munmap(l.mem)
	_ = unix.Close(l.file)
}

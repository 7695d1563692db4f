package serve

import (
	"encoding/binary"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// The words of a ring, by their offsets; docs/protocol.md says what they mean.
// Each stands in a line of 64 bytes that one side alone writes.
const (
	ringMagic   = "VXPRING1"
	ringVersion = 2

	atVersion = 8  // u32
	atSlots   = 12 // u32
	atRecords = 16 // u32: offset of the first record
	atStride  = 20 // u32: from one record to the next
	atSamples = 24 // u32: row numbers of a record
	atRoom    = 28 // u32: bytes of a record's cursor at most

	atReady     = 64  // u32, futex: counts what a consumer may wait for
	atState     = 68  // u32
	atPublished = 72  // u64: batches so far
	atWake      = 80  // u32: the bell from which on the consumer wakes the feeder
	atBell      = 128 // u32, futex: the consumer's: how many batches it has given back
	atQueue     = 256 // u32 each: the slot of batch n stands at n modulo the slots

	inSeq      = 0   // u64
	inEpoch    = 8   // u64
	inBucket   = 16  // u32
	inLost     = 20  // u32
	inRows     = 24  // u32
	inCursor   = 28  // u32: bytes
	inTaken    = 64  // u64: the consumer's: number + 1 of the batch that it has taken
	inReturned = 72  // u64: the consumer's: number + 1 of the batch that it has given back
	inData     = 128 // row numbers, u32 each, then the cursor's JSON at a multiple of 8
)

// The states of a ring.
const (
	running = 0
	ended   = 1 // nothing follows the published batches
	failed  = 2 // an error does, which the socket tells
)

// ring is the shared memory of a session besides the arena.
type ring struct {
	file    int
	mem     words
	slots   int
	samples int
	records int
	stride  int
	room    int
}

// newRing makes the words for a number of slots; room is that of a cursor.
func newRing(slots, samples, room int) (*ring, error) {
	r := &ring{slots: slots, samples: samples, room: room}
	r.records = up(atQueue+4*slots, 64)
	r.stride = up(r.cursorAt()+room, 64)
	file, mem, err := sharedFile("voxpack-words", up(r.records+slots*r.stride, 4096))
	if err != nil {
		return nil, fmt.Errorf("shared memory of a ring: %w", err)
	}
	r.file, r.mem = file, mem
	copy(mem, ringMagic)
	for at, v := range map[int]int{atVersion: ringVersion, atSlots: slots, atRecords: r.records, atStride: r.stride, atSamples: samples, atRoom: room} {
		binary.LittleEndian.PutUint32(mem[at:], uint32(v))
	}
	return r, nil
}

// up is n rounded up to a multiple of to, a power of two.
func up(n, to int) int { return (n + to - 1) &^ (to - 1) }

// cursorAt is where in a record the cursor stands.
func (r *ring) cursorAt() int { return up(inData+4*r.samples, 8) }

// record is where a slot's record begins.
func (r *ring) record(slot int) int { return r.records + slot*r.stride }

// entry is what a record says of a batch.
type entry struct {
	seq, epoch   uint64
	bucket, lost int
	rows         []uint32
	cursor       []byte
}

// publish hands the slot of a batch to the consumer.
func (r *ring) publish(slot int, e entry) error {
	if len(e.cursor) > r.room {
		return fmt.Errorf("the position after batch %d takes %d bytes, the ring has %d for it", e.seq, len(e.cursor), r.room)
	}
	at := r.record(slot)
	b := r.mem[at : at+r.stride]
	binary.LittleEndian.PutUint64(b[inSeq:], e.seq)
	binary.LittleEndian.PutUint64(b[inEpoch:], e.epoch)
	binary.LittleEndian.PutUint32(b[inBucket:], uint32(e.bucket))
	binary.LittleEndian.PutUint32(b[inLost:], uint32(e.lost))
	binary.LittleEndian.PutUint32(b[inRows:], uint32(len(e.rows)))
	binary.LittleEndian.PutUint32(b[inCursor:], uint32(len(e.cursor)))
	for i, row := range e.rows {
		binary.LittleEndian.PutUint32(b[inData+4*i:], row)
	}
	copy(b[r.cursorAt():], e.cursor)
	binary.LittleEndian.PutUint32(r.mem[atQueue+4*int(e.seq%uint64(r.slots)):], uint32(slot))
	r.mem.long(atPublished).Store(e.seq + 1) // an atomic store: what stands above is seen by who sees it
	r.wake()
	return nil
}

// wake wakes a consumer that waits.
func (r *ring) wake() {
	r.mem.word(atReady).Add(1)
	futexWake(r.mem.word(atReady))
}

// finish says that nothing follows, or an error.
func (r *ring) finish(state uint32) {
	r.mem.word(atState).Store(state)
	r.wake()
}

// returned reports whether the consumer has given a batch back.
func (r *ring) returned(slot int, seq uint64) bool {
	return r.mem.long(r.record(slot)+inReturned).Load() == seq+1
}

// counts are the batches so far that were published and taken, and how many of
// those the consumer still has, as far as its words can be true. before is taken as it
// was at the last call, below which it does not fall.
func (r *ring) counts(before uint64) (published, taken uint64, held int) {
	taken = before
	for slot := range r.slots {
		at := r.record(slot)
		one, back := r.mem.long(at+inTaken).Load(), r.mem.long(at+inReturned).Load()
		// Read after it: the word of a batch that came meanwhile stands where that of an
		// earlier one stood.
		if published = r.mem.long(atPublished).Load(); one > published {
			continue
		}
		taken = max(taken, one)
		if one > back {
			held++
		}
	}
	return published, taken, min(held, int(min(taken, uint64(r.slots))))
}

// await waits until the consumer has rung since it had rung so often, at most
// for so long.
func (r *ring) await(rung uint32, limit time.Duration) { futexWait(r.mem.word(atBell), rung, limit) }

// leave ends a wait for the bell, when nobody rings any more.
func (r *ring) leave() {
	r.mem.word(atBell).Add(1)
	futexWake(r.mem.word(atBell))
}

// wakeAt says from which bell on the consumer is to wake the feeder.
func (r *ring) wakeAt(bell uint32) { r.mem.word(atWake).Store(bell) }

// rung is how the bell stands.
func (r *ring) rung() uint32 { return r.mem.word(atBell).Load() }

// close unmaps the words; a consumer keeps its own mapping.
func (r *ring) close() {
	if r == nil || r.mem == nil {
		return
	}
	_ = unix.Munmap(r.mem)
	_ = unix.Close(r.file) // memory: there is nothing that could not be written
	r.mem, r.file = nil, -1
}

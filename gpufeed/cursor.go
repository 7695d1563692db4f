package gpufeed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"

	"voxpack/store"
)

// ErrCursor says that a cursor cannot be read or does not fit what it is to
// resume.
var ErrCursor = errors.New("cursor does not fit")

// cursorFormat is the version of a cursor's JSON and of the order that its
// keys are of.
const cursorFormat = 1

// Cursor is a position in an epoch: everything up to and including each
// bucket's last delivery was delivered. It names no batch size and no world:
// it may be resumed with others. It stands for ids, not for row numbers, so
// that it may be resumed on a later root too.
type Cursor struct {
	Format    int       `json:"format"`
	Root      string    `json:"root"` // digest of the root that it was taken on, in hex
	Seed      uint64    `json:"seed"`
	Epoch     uint64    `json:"epoch"`
	Shuffle   Shuffle   `json:"shuffle"`
	Tail      Tail      `json:"tail"`
	Selection Selection `json:"selection"`
	Samples   uint64    `json:"samples"` // delivered in the epoch, rows that a tail repeats apart
	Buckets   []Mark    `json:"buckets"`
}

// Mark is how far one bucket has come.
type Mark struct {
	Frames int   `json:"frames"`         // of the bucket's shape
	Last   *Last `json:"last,omitempty"` // nil: nothing was delivered
}

// Last is the last delivery of a bucket.
type Last struct {
	Key  Key    `json:"key"`
	ID   string `json:"id"`
	Copy uint16 `json:"copy,omitempty"` // of a row that comes several times
}

// Key is a key of an order. In JSON it is 16 hex digits, since many readers of
// JSON hold no integer of 64 bits.
type Key uint64

// MarshalText writes 16 hex digits.
func (k Key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(k)), nil }

// UnmarshalText reads 16 hex digits.
func (k *Key) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 16, 64)
	if err != nil || len(b) != 16 {
		return fmt.Errorf("key %q: want 16 hex digits", b)
	}
	*k = Key(n)
	return nil
}

// ParseCursor reads the JSON of a cursor. What is no cursor, or of a format
// that is not known: ErrCursor.
func ParseCursor(b []byte) (Cursor, error) {
	var c Cursor
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Cursor{}, fmt.Errorf("%w: byte %d: %w", ErrCursor, d.InputOffset(), err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Cursor{}, fmt.Errorf("%w: byte %d: something follows it", ErrCursor, d.InputOffset())
	}
	if c.Format != cursorFormat {
		return Cursor{}, fmt.Errorf("%w: format %d, this version reads %d", ErrCursor, c.Format, cursorFormat)
	}
	return c, nil
}

// Cursor is the position behind the batches that Next has returned. It reads
// one shard record for each bucket.
func (b *Batches) Cursor() (Cursor, error) {
	o := b.order
	c := Cursor{
		Format: cursorFormat, Root: o.set.data.Snapshot.Root.String(), Seed: o.seed, Epoch: o.epoch,
		Shuffle: o.shuffle, Tail: b.plan.Tail, Selection: o.set.Selection, Samples: b.count,
	}
	for i, bucket := range o.set.buckets {
		mark := Mark{Frames: bucket.frames}
		if last := b.at[i] - 1; last >= 0 {
			id, err := o.set.ID(o.buckets[i].rows[last])
			if err != nil {
				return Cursor{}, err
			}
			mark.Last = &Last{Key: Key(o.keyAt(i, last)), ID: id, Copy: o.buckets[i].copy(last)}
		}
		c.Buckets = append(c.Buckets, mark)
	}
	return c, nil
}

// Resume goes on behind a cursor. On the root of the cursor what follows is
// what was left; on another, every row that was not delivered and whose bucket
// did not change comes exactly once. Rows that the other root has in places
// already passed wait for the next epoch: see Passed. A cursor of another seed,
// epoch, order, tail, selection or set of shapes: ErrCursor, with every difference.
func (o *Order) Resume(p Plan, c Cursor) (*Batches, error) {
	b, err := o.Batches(p)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(o.differences(b.plan, c)...); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	for i, mark := range c.Buckets {
		if b.at[i], err = o.find(i, mark.Last); err != nil {
			return nil, err
		}
	}
	b.count = c.Samples
	if c.Root == o.set.data.Snapshot.Root.String() && uint64(b.Passed()) != c.Samples {
		return nil, fmt.Errorf("%w: %d samples were delivered, its keys stand behind %d", ErrCursor, c.Samples, b.Passed())
	}
	return b, nil
}

// Passed is the number of deliveries of this root up to the position. After a
// Resume on another root it differs from Samples by the rows that came or went
// before the position.
func (b *Batches) Passed() int {
	n := 0
	for _, at := range b.at {
		n += at
	}
	return n
}

// differences lists what of a cursor is not as in this order.
func (o *Order) differences(p Plan, c Cursor) (errs []error) {
	differ := func(what string, have, want any) {
		if have != want {
			errs = append(errs, fmt.Errorf("its %s is %v, here it is %v", what, have, want))
		}
	}
	differ("seed", c.Seed, o.seed)
	differ("epoch", c.Epoch, o.epoch)
	differ("shuffle", c.Shuffle, o.shuffle)
	differ("tail", c.Tail, p.Tail)
	differ("selection", text(c.Selection.normal()), text(o.set.Selection))
	differ("number of buckets", len(c.Buckets), len(o.set.buckets))
	if len(c.Buckets) != len(o.set.buckets) {
		return errs
	}
	for i, mark := range c.Buckets {
		if i < len(c.Buckets)-1 { // the last is the full shape, which another max_mel_frames moves
			differ(fmt.Sprintf("bucket %d", i), mark.Frames, o.set.buckets[i].frames)
		}
		if l := mark.Last; l != nil {
			differ("key of "+strconv.Quote(l.ID), l.Key, Key(o.key(store.Place(l.ID), l.Copy)))
		}
	}
	return errs
}

// text is a selection in JSON, in which equal ones are equal.
func text(s Selection) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error() // a weight that is no number, which check refuses
	}
	return string(b)
}

// find is the first delivery of a bucket that comes after last.
func (o *Order) find(bucket int, last *Last) (int, error) {
	if last == nil {
		return 0, nil
	}
	q := o.buckets[bucket]
	i := sort.Search(len(q.rows), func(i int) bool { return o.keyAt(bucket, i) >= uint64(last.Key) })
	for ; i < len(q.rows) && o.keyAt(bucket, i) == uint64(last.Key); i++ {
		id, err := o.set.ID(q.rows[i]) // equal keys: the copies of a row, hardly ever two rows
		if err != nil {
			return 0, err
		}
		if after(o.set.places[q.rows[i]], id, q.copy(i), *last) {
			break
		}
	}
	return i, nil
}

// after orders deliveries of one key by (place, id, copy).
func after(place uint64, id string, copy uint16, last Last) bool {
	if id != last.ID {
		return store.Less(store.Place(last.ID), last.ID, place, id)
	}
	return copy > last.Copy
}

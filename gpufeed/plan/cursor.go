package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
// that it may be resumed on a later root too. Deliveries that do not follow the
// rule of the first sentence, since an edit has moved their rows to another
// bucket, are listed. Those of a row that was new in a place already passed wait
// for the next epoch: they count as had.
type Cursor struct {
	Format    int       `json:"format"`
	Root      string    `json:"root"`     // digest of the root that it was taken on, in hex
	Snapshot  string    `json:"snapshot"` // and of the snapshot
	Seed      uint64    `json:"seed"`
	Epoch     uint64    `json:"epoch"`
	Shuffle   Shuffle   `json:"shuffle"`
	Tail      Tail      `json:"tail"`
	Selection Selection `json:"selection"`
	Samples   uint64    `json:"samples"` // delivered in the epoch, rows that a tail repeats apart
	Buckets   []Mark    `json:"buckets"`
	Owed      []Turn    `json:"owed,omitempty"`  // not delivered, though the bucket's last one comes after them
	Seen      []Turn    `json:"seen,omitempty"`  // had, though they come after it or are not in the root now
	Drift     int64     `json:"drift,omitempty"` // Samples, less the deliveries of the root up to here
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

// before orders deliveries by (key, place, id, copy).
func (l Last) before(other Last) bool {
	if l.Key != other.Key {
		return l.Key < other.Key
	}
	if l.ID != other.ID {
		return store.Less(store.Place(l.ID), l.ID, store.Place(other.ID), other.ID)
	}
	return l.Copy < other.Copy
}

// Turn is one delivery of a row in an epoch.
type Turn struct {
	ID   string `json:"id"`
	Copy uint16 `json:"copy,omitempty"` // of a row that comes several times
}

// Key is a key of an order. In JSON it is 16 hex digits, since many readers of
// JSON hold no integer of 64 bits.
type Key uint64

// MarshalText writes 16 hex digits.
func (k Key) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(k)), nil }

// String is as in JSON.
func (k Key) String() string { return fmt.Sprintf("%016x", uint64(k)) }

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

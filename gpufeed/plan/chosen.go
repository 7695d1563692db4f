package plan

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"voxpack/store"
)

// Chosen is a list of rows that somebody chose one by one. A cursor has it
// without the list, which may be long: two lists of the same ids have the same
// digest, on any root.
type Chosen struct {
	Rows   int    `json:"rows"`
	Digest string `json:"digest"` // BLAKE3-256 of the ids in the order of the trie, each after its length as a u32

	bits []byte // a bit for each row of one root, the first one the lowest of the first byte; nil: in a cursor
}

// Choose takes a bit for each row of the dataset; the caller gives the list up.
// One that does not fit the dataset: ErrConfig. It reads every shard record.
func Choose(d *store.Dataset, list []byte) (*Chosen, error) {
	rows := d.Root.Rows
	if len(list) != (rows+7)/8 || rows%8 > 0 && list[len(list)-1]>>(rows%8) != 0 {
		return nil, configError{fmt.Errorf("a choice of rows in %d bytes: the dataset has %d rows, which take %d, and no bit after the last row", len(list), rows, (rows+7)/8)}
	}
	c := &Chosen{bits: list}
	for _, b := range list {
		c.Rows += bits.OnesCount8(b)
	}
	h, length := store.NewHasher(), make([]byte, 4)
	err := each(d, func(row uint32, id string) {
		if c.has(row) {
			binary.LittleEndian.PutUint32(length, uint32(len(id)))
			_, _ = h.Write(length)
			_, _ = h.Write([]byte(id))
		}
	})
	if err != nil {
		return nil, err
	}
	c.Digest = h.Digest().String()
	return c, nil
}

// has reports whether a row is among them; without a list all are.
func (c *Chosen) has(row uint32) bool {
	return c == nil || c.bits[row/8]&(1<<(row%8)) != 0
}

// told is what a cursor says of it.
func (c *Chosen) told() *Chosen {
	if c == nil {
		return nil
	}
	return &Chosen{Rows: c.Rows, Digest: c.Digest}
}

// same reports whether two are of the same ids.
func (c *Chosen) same(other *Chosen) bool {
	if c == nil || other == nil {
		return c == other
	}
	return c.Rows == other.Rows && c.Digest == other.Digest
}

// String is for messages.
func (c *Chosen) String() string {
	if c == nil {
		return "all rows"
	}
	return fmt.Sprintf("%d chosen rows (%.12s)", c.Rows, c.Digest)
}

// chosenIn is the set's choice as rows of another root that has the same ids.
func (s *Set) chosenIn(d *store.Dataset) (*Chosen, error) {
	mine := s.Selection.Chosen
	if mine == nil {
		return nil, nil
	}
	ids, list := make(map[string]bool, mine.Rows), make([]byte, (d.Root.Rows+7)/8)
	err := each(s.data, func(row uint32, id string) {
		if mine.has(row) {
			ids[id] = true
		}
	})
	if err != nil {
		return nil, err
	}
	err = each(d, func(row uint32, id string) {
		if ids[id] {
			list[row/8] |= 1 << (row % 8)
		}
	})
	if err != nil {
		return nil, err
	}
	return Choose(d, list)
}

// each calls visit for every row, in their order.
func each(d *store.Dataset, visit func(row uint32, id string)) error {
	row := uint32(0)
	return store.Shielded(func() error {
		return d.IDs(func(_ store.At, id string) bool {
			visit(row, id)
			row++
			return true
		})
	})
}

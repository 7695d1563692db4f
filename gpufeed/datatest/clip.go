package datatest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"voxpack/store"
)

// Clip is a row of which a test decides every byte. A sample's bytes follow
// from its id; a clip's may change while the id stays, as an edit does it.
type Clip struct {
	ID      string
	Content uint64           // what the bytes of its blocks are drawn from
	Scalars map[string]int32 // by inline column
}

// SomeClips makes n rows with ids of many lengths, lengths from 0 to the full
// shape and some values in each further inline column, so that filters find
// some and leave some.
func SomeClips(r *rand.Rand, n int, schema store.Schema) []Clip {
	list := make([]Clip, n)
	for i := range list {
		list[i] = Clip{ID: fmt.Sprintf("%s-%d", strings.Repeat("é", i%5), i), Content: r.Uint64(), Scalars: map[string]int32{}}
		for _, c := range schema.Inline() {
			list[i].Scalars[c.Name] = int32(r.IntN(4)) - 1
		}
		for _, c := range schema {
			switch c.Name {
			case "tokens":
				list[i].Scalars["text_len"] = int32(r.IntN(c.Shape[0] + 1))
			case "mel":
				list[i].Scalars["mel_len"] = int32(r.IntN(c.Shape[0] + 1))
			}
		}
	}
	return list
}

// Bytes is what the clip has in a block column: other bytes in each, zeros
// after its length.
func (c Clip) Bytes(column store.Column) []byte {
	b := make([]byte, column.SampleBytes())
	real := len(b)
	switch column.Name {
	case "tokens":
		real = int(c.Scalars["text_len"]) * column.RowBytes()
	case "mel":
		real = int(c.Scalars["mel_len"]) * column.RowBytes()
	}
	r := rand.New(rand.NewPCG(c.Content, store.Checksum([]byte(column.Name))))
	for i := range real {
		b[i] = byte(r.Uint32() >> 7)
	}
	return b
}

// Name is the clip's id.
func (c Clip) Name() string { return c.ID }

// Scalar is what the clip has in an inline column.
func (c Clip) Scalar(column string) int32 { return c.Scalars[column] }

// Spoils: no column of a clip is.
func (c Clip) Spoils(string) bool { return false }

// Clips builds datasets and opens them. They are in one pack, of which the ref
// names the last: sealing one for each would take most of a test's time.
func (l Lab) Clips(k int, schema store.Schema, sets ...[]Clip) []*store.Dataset {
	l.T.Helper()
	var snapshots []store.Digest
	l.write(func(w *store.Writer) error {
		for _, set := range sets {
			snapshot, err := put(w, store.Root{Schema: schema, PerShard: k}, set)
			if err != nil {
				return err
			}
			snapshots = append(snapshots, snapshot)
		}
		return w.Commit(context.Background(), "tags/set0", snapshots[len(snapshots)-1])
	})
	last := l.Open(1)[0]
	var list []*store.Dataset
	for _, snapshot := range snapshots {
		d, err := last.Store.DatasetOf(snapshot)
		if err != nil {
			l.T.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

package feedrun

import (
	"cmp"
	"slices"

	"voxpack/gpufeed"
	"voxpack/store"
)

// digests hashes what an epoch delivers: the samples in their order, each as
// tokens, mel, text_len, mel_len, then what further columns the schema has, in
// the shape that they come in (with buckets a mel is as long as its bucket).
// Rows of padding are left out.
type digests struct {
	hash  *store.Hasher
	first uint64 // epoch
	done  []string
	order [][]int // by layout: its fields as they are hashed
	known []*gpufeed.Layout
}

// firstColumns come before all others, whatever the schema's order.
var firstColumns = []string{"tokens", "mel", "text_len", "mel_len"}

func newDigests(first uint64) *digests { return &digests{hash: store.NewHasher(), first: first} }

// add takes the first rows samples of a slot. Epochs come in their order.
func (d *digests) add(epoch uint64, l *gpufeed.Layout, rows int, slot []byte) {
	d.until(epoch)
	fields := d.fields(l)
	for i := range rows {
		for _, f := range fields {
			field := &l.Fields[f]
			from := field.Offset + i*field.Size
			d.hash.Write(slot[from : from+field.Size])
		}
	}
}

// until ends the epochs before the given one. One that delivered nothing has
// the digest of nothing.
func (d *digests) until(epoch uint64) {
	for d.first+uint64(len(d.done)) < epoch {
		d.done = append(d.done, d.hash.Digest().String())
		d.hash.Reset()
	}
}

// list is the digests of so many epochs from the first on; that of the last may
// be of a part.
func (d *digests) list(epochs int) []string {
	if d == nil {
		return []string{}
	}
	d.until(d.first + uint64(epochs))
	return d.done[:epochs:epochs]
}

// fields is the order of a layout's fields, remembered: a feed has one layout
// for each bucket.
func (d *digests) fields(l *gpufeed.Layout) []int {
	if i := slices.Index(d.known, l); i >= 0 {
		return d.order[i]
	}
	rank := func(field int) int {
		at := slices.Index(firstColumns, l.Fields[field].Column.Name)
		return cmp.Or(at+1, len(firstColumns)+1) // after them where it is none of them
	}
	order := make([]int, len(l.Fields))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	d.known, d.order = append(d.known, l), append(d.order, order)
	return order
}

package gpufeed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// Checks says when a sample's checksums are compared.
type Checks string

// The checks.
const (
	ChecksFirst  Checks = "first"  // the first time that this reader gives the sample out
	ChecksAlways Checks = "always" // every time
	ChecksOff    Checks = "off"    // never: lengths are still checked
)

// Reader gathers samples from the mapped packs straight into a slot: one copy.
// It is safe for concurrent use while the store is open. Shard records and
// blocks are looked up when a row of theirs is first wanted, and remembered:
// for LJSpeech (K = 16, 11 rows in a shard, two blocks and two lengths) 26 B a
// row, 24 B more for each sample that is not stored beside its neighbours, and 16 B more until all samples of the shard are checked.
type Reader struct {
	// Mender makes anew what is corrupt; nil: nobody does. It is set before the first Fill.
	Mender *Mender

	set     *plan.Set
	checks  Checks
	blocks  store.Schema
	leaves  []atomic.Pointer[leaf]
	checked []atomic.Uint32 // a bit for each row: its checksums were right
}

// leaf is what is remembered of a shard; lists of columns lie one after the
// other, which takes half the memory of a list of lists.
type leaf struct {
	rows    int
	blocks  []store.Samples // mapped, one for each block column
	scalars []int32         // rows values for each inline column
	sums    []uint64        // rows checksums for each block column; nil: not needed any more
}

// NewReader reads the rows of a set's dataset, and references among those of
// the set. It touches nothing yet.
func NewReader(set *plan.Set, checks Checks) (*Reader, error) {
	if checks != ChecksFirst && checks != ChecksAlways && checks != ChecksOff {
		return nil, fmt.Errorf("checksums %q: want first, always or off", checks)
	}
	r := &Reader{set: set, checks: checks, blocks: set.Dataset().Root.Schema.Blocks()}
	r.leaves = make([]atomic.Pointer[leaf], len(set.Dataset().Shards))
	if checks == ChecksFirst {
		r.checked = make([]atomic.Uint32, (set.Len()+31)/32)
	}
	return r, nil
}

// Delivery is what a slot is to hold.
type Delivery struct {
	Seed, Epoch uint64   // of the order that the rows come from
	Rows        []uint32 // row numbers, at most Layout.Samples
	Skip        []bool   // by position in Rows: leave these as they are; nil: none
}

// Fill writes the samples of the rows into a slot of the layout, in their
// order, and zeros after them where there are fewer rows than the layout has
// samples. The slot has at least Layout.Bytes bytes. Bytes that do not match
// their checksum, or cannot be read: ErrCorrupt; the slot then holds nothing of use.
// Once the shards are known it allocates nothing.
func (r *Reader) Fill(l *Layout, d Delivery, slot []byte) error {
	err := r.fill(l, d, slot)
	for leaf := -1; err != nil; err = r.fill(l, d, slot) {
		if leaf, err = r.mend(err, leaf); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) fill(l *Layout, d Delivery, slot []byte) (err error) {
	if len(d.Rows) > l.Samples || len(slot) < l.Bytes {
		return fmt.Errorf("%d rows into a slot of %d bytes: the layout has %d samples in %d bytes", len(d.Rows), len(slot), l.Samples, l.Bytes)
	}
	if l.Form.Reference && !r.set.HasReferences() {
		return errors.New("a layout with references: the set has none, see Set.WithReferences")
	}
	var row, hand uint32 // the row that is delivered, and the one that is read for it
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = r.corrupt(hand, "", store.FaultOf(p))
		}
		if err != nil {
			blame(err, row)
		}
	}()
	var i int
	for i, row = range d.Rows {
		if d.Skip != nil && d.Skip[i] {
			continue
		}
		hand = row
		if err := r.sample(l, d, i, slot); err != nil {
			return err
		}
		if !l.Form.Reference {
			continue
		}
		hand = r.set.Reference(d.Seed, d.Epoch, row)
		if err := r.reference(l, hand, i, slot); err != nil {
			return err
		}
	}
	for i := range l.Fields {
		f := &l.Fields[i]
		clear(slot[f.Offset+len(d.Rows)*f.Size : f.Offset+l.Samples*f.Size])
	}
	return nil
}

// sample writes the i-th row of a delivery into a slot, apart from its reference.
func (r *Reader) sample(l *Layout, d Delivery, i int, slot []byte) error {
	row := d.Rows[i]
	shard, at, err := r.sound(row)
	if err != nil {
		return err
	}
	var crop plan.Span
	if l.Form.Segment > 0 {
		crop = r.set.Crop(d.Seed, d.Epoch, row, shard.scalar(l.length, at), l.Form.Segment)
	}
	for n := range l.Fields {
		f := &l.Fields[n]
		switch f.holds {
		case holdsValue:
			shard.put(l, f, at, 0, f.at(slot, i))
		case holdsCrop:
			shard.put(l, f, at, crop.Start, f.at(slot, i))
		case holdsCropLength:
			putInt(f.at(slot, i), crop.Length)
		case holdsCropStart:
			putInt(f.at(slot, i), crop.Start)
		case holdsSamples:
			shard.put(l, f, at, crop.Start*l.hop, f.at(slot, i))
		case holdsPiece:
			from := crop.Start * l.hop * f.step
			f.piece.Put(f.at(slot, i), f.Column.DType, f.norm, shard.blocks[f.index].Row(at)[from:from+l.Form.Segment*l.hop*f.step])
		case holdsPrior:
			f.prior.Put(f.at(slot, i), f.Column.Shape[1], shard.scalar(f.index, at), shard.scalar(l.length, at), crop.Start)
		case holdsSamplesLength:
			putInt(f.at(slot, i), min(max(0, shard.scalar(f.index, at)-crop.Start*l.hop), l.Form.Segment*l.hop))
		}
	}
	return nil
}

// reference writes a row as the reference of the i-th one of a slot.
func (r *Reader) reference(l *Layout, row uint32, i int, slot []byte) error {
	shard, at, err := r.sound(row)
	if err != nil {
		return err
	}
	for n := range l.Fields {
		f := &l.Fields[n]
		switch f.holds {
		case holdsReference:
			shard.put(l, f, at, 0, f.at(slot, i))
		case holdsReferenceLength:
			putInt(f.at(slot, i), min(shard.scalar(l.length, at), l.Form.Frames))
		}
	}
	return nil
}

// sound is where a row's values are, with their checksums compared if they are
// due.
func (r *Reader) sound(row uint32) (*leaf, int, error) {
	at := r.set.At(row)
	shard, err := r.leaf(at.Leaf, row)
	if err == nil {
		err = r.check(shard, at, row)
	}
	return shard, at.Row, err
}

// put writes a row's value of a field's column, from a step of its first axis
// on. Padding is never normalised.
func (s *leaf) put(l *Layout, f *Field, row, step int, dst []byte) {
	if f.stored == 0 {
		putInt(dst, s.scalar(f.index, row))
		return
	}
	src := s.blocks[f.index].Row(row)[step*f.step:][:f.Size]
	if f.norm != nil {
		used := f.step * min(max(0, s.scalar(l.length, row)-step), f.Size/f.step)
		f.norm.Put(dst, src[:used])
		dst, src = dst[used:], src[used:]
	}
	stream(dst, src)
}

// stretches are the bytes of all blocks, each in as long pieces as they lie in.
func (s *leaf) stretches() (list [][]byte) {
	for c := range s.blocks {
		list = s.blocks[c].Stretches(list)
	}
	return list
}

func (s *leaf) scalar(column, row int) int { return int(s.scalars[column*s.rows+row]) }

func putInt(dst []byte, v int) { binary.LittleEndian.PutUint32(dst, uint32(v)) }

// check compares the checksums of a row's whole values when they are due. That
// of a value brings it into the cache, where the copy finds it.
func (r *Reader) check(shard *leaf, at store.At, row uint32) error {
	// The bit is read after the leaf: a leaf without sums has all bits set.
	if r.checks == ChecksOff || r.checks == ChecksFirst && r.isChecked(row) {
		return nil
	}
	for c := range shard.blocks {
		if store.Checksum(shard.blocks[c].Row(at.Row)) != shard.sums[c*shard.rows+at.Row] {
			return r.corrupt(row, r.blocks[c].Name, fmt.Errorf("its bytes do not match their checksum: %w", store.ErrDamaged))
		}
	}
	if r.checks == ChecksFirst {
		r.checked[row/32].Or(1 << (row % 32))
		r.forgetSums(shard, at.Leaf)
	}
	return nil
}

func (r *Reader) isChecked(row uint32) bool { return r.checked[row/32].Load()&(1<<(row%32)) != 0 }

// forgetSums drops the checksums of a shard whose samples have all been checked.
func (r *Reader) forgetSums(shard *leaf, index int) {
	from, to := r.set.OfLeaf(index)
	for row := from; row < to; row++ {
		if !r.isChecked(row) {
			return
		}
	}
	// Unless it was mended meanwhile.
	r.leaves[index].CompareAndSwap(shard, &leaf{rows: shard.rows, blocks: shard.blocks, scalars: shard.scalars})
}

// leaf is a shard, resolved at its first row. Two fillers may resolve it at the
// same time; the first one's is kept.
func (r *Reader) leaf(index int, row uint32) (*leaf, error) {
	if l := r.leaves[index].Load(); l != nil {
		return l, nil
	}
	record, err := r.set.Dataset().Shard(index)
	if err != nil {
		return nil, r.corrupt(row, "", err)
	}
	blocks := make([]store.Samples, 0, len(record.Blocks))
	for c, block := range record.Blocks {
		b, err := r.set.Dataset().Store.Samples(block.Digest, record.Len(), r.blocks[c].SampleBytes())
		if err != nil {
			return nil, r.corrupt(row, r.blocks[c].Name, err)
		}
		blocks = append(blocks, b)
	}
	l := r.newLeaf(record, blocks)
	if !r.leaves[index].CompareAndSwap(nil, l) {
		return r.leaves[index].Load(), nil
	}
	return l, nil
}

// newLeaf is what is remembered of a shard with these blocks.
func (r *Reader) newLeaf(record *store.Shard, blocks []store.Samples) *leaf {
	l := &leaf{rows: record.Len(), scalars: slices.Concat(record.Scalars...), blocks: blocks}
	if r.checks == ChecksOff {
		return l
	}
	l.sums = make([]uint64, 0, len(record.Blocks)*l.rows)
	for _, block := range record.Blocks {
		l.sums = append(l.sums, block.Sums...)
	}
	return l
}

// corrupt makes the error of a row whose bytes are damaged or lost. What else
// went wrong, such as too many open files, says nothing about the sample.
func (r *Reader) corrupt(row uint32, column string, err error) error {
	id, _ := r.set.ID(row) // the record may be damaged too
	if !plan.IsLost(err) {
		return fmt.Errorf("row %d %s: %w", row, id, err)
	}
	return &plan.CorruptError{Row: row, For: row, ID: id, Column: column, Err: err}
}

// blame says which row of a delivery a corrupt one spoils.
func blame(err error, row uint32) {
	var corrupt *plan.CorruptError
	if errors.As(err, &corrupt) {
		corrupt.For = row
	}
}

package gpufeed

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

func withReferences(t testing.TB, set *plan.Set) *plan.Set {
	t.Helper()
	with, err := set.WithReferences()
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// TestACorruptReferenceIsFound, with its own row and id and the row that it is
// for, at its first read as such, and not again once it was sound.
func TestACorruptReferenceIsFound(t *testing.T) {
	samples := datatest.Samples(30)
	samples[12].Spoilt = "mel"
	set := withReferences(t, choose(t, datatest.Dataset(t, samples), plan.Selection{}))
	bad := uint32(math.MaxUint32)
	for row := range uint32(30) {
		if id, _ := set.ID(row); id == samples[12].ID {
			bad = row
		}
	}
	l := formed(t, datatest.Schema, 2, Form{Reference: true})
	slot := make([]byte, l.Bytes)
	met := 0
	for epoch := range uint64(40) {
		for _, checks := range []Checks{ChecksFirst, ChecksOff} {
			r := reader(t, set, checks)
			for row := range uint32(30) {
				if row == bad {
					continue
				}
				err := r.Fill(l, Delivery{Seed: 1, Epoch: epoch, Rows: []uint32{row}}, slot)
				var corrupt *plan.CorruptError
				switch is := set.Reference(1, epoch, row) == bad && checks == ChecksFirst; {
				case is && (!errors.As(err, &corrupt) || corrupt.Row != bad || corrupt.For != row || corrupt.ID != samples[12].ID || corrupt.Column != "mel"):
					t.Fatalf("row %d with reference %d: error = %#v, want it to name %s, for row %d", row, bad, err, samples[12].ID, row)
				case is:
					met++
				case err != nil:
					t.Fatalf("row %d: %v", row, err)
				}
			}
		}
	}
	if met < 20 {
		t.Errorf("the corrupt row was a reference %d times, want about 40", met)
	}
}

// TestAReferenceIsNotCheckedTwice: as a row of its own or for another, its bit
// is the same.
func TestAReferenceIsNotCheckedTwice(t *testing.T) {
	set := withReferences(t, choose(t, datatest.Dataset(t, datatest.Samples(30)), plan.Selection{}))
	l := formed(t, datatest.Schema, 1, Form{Reference: true})
	r, slot := reader(t, set, ChecksFirst), make([]byte, l.Bytes)
	if err := r.Fill(l, Delivery{Seed: 1, Rows: []uint32{5}}, slot); err != nil {
		t.Fatal(err)
	}
	for row := range uint32(30) {
		if want := row == 5 || row == set.Reference(1, 0, 5); r.isChecked(row) != want {
			t.Errorf("row %d: checked = %v, want %v", row, !want, want)
		}
	}
}

// TestAPackCutShortUnderReferencesIsAnError names the row in hand.
func TestAPackCutShortUnderReferencesIsAnError(t *testing.T) {
	l := datatest.NewLab(t)
	l.Write(16, datatest.WideSchema, datatest.Samples(40))
	set := choose(t, l.Open(1)[0], plan.Selection{})
	with := withReferences(t, set)
	shape := formed(t, datatest.WideSchema, 1, Form{Reference: true})
	r, slot := reader(t, with, ChecksOff), make([]byte, shape.Bytes)
	if err := r.Fill(shape, Delivery{Rows: []uint32{9}}, slot); err != nil {
		t.Fatal(err)
	}
	// The shard of row 9 is made to be sound, so that the fault is the reference's.
	epoch := uint64(0)
	for set.At(with.Reference(0, epoch, 9)).Leaf == set.At(9).Leaf {
		epoch++
	}
	if err := r.Fill(shape, Delivery{Epoch: epoch, Rows: []uint32{9}}, slot); err != nil {
		t.Fatal(err)
	}
	own := r.leaves[set.At(9).Leaf].Load()
	for i := range own.blocks {
		own.blocks[i] = store.WholeSamples(bytes.Join(own.blocks[i].Stretches(nil), nil), r.blocks[i].SampleBytes())
	}
	l.Truncate("*")
	err := r.Fill(shape, Delivery{Epoch: epoch, Rows: []uint32{9}}, slot)
	var corrupt *plan.CorruptError
	if !errors.As(err, &corrupt) || corrupt.Row != with.Reference(0, epoch, 9) || corrupt.For != 9 {
		t.Errorf("Fill = %#v, want ErrCorrupt of row %d, for row 9", err, with.Reference(0, epoch, 9))
	}
	if _, err := set.WithReferences(); err != nil {
		t.Errorf("WithReferences reads records of a dataset without speakers: %v", err)
	}
}

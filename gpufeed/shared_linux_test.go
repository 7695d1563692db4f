package gpufeed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"

	"golang.org/x/sys/unix"
)

// TestSharedMemory: what another mapping of the file shows of a batch's slot is
// the batch, and the file keeps its size whatever is tried.
func TestSharedMemory(t *testing.T) {
	set := choose(t, datatest.Dataset(t, datatest.Samples(40)), plan.Selection{})
	f, err := Open(t.Context(), set, Config{Plan: plan.Options{Batch: 4, Epochs: 1}, Depth: 2, FixedDepth: true, Shared: true})
	if err != nil {
		t.Fatal(err)
	}
	m, ok := f.Memory()
	if !ok || m.Slots != 3 || m.Bytes != m.Slots*m.Slot {
		t.Fatalf("Memory = %+v, %v, want 3 slots and their bytes", m, ok)
	}
	other, err := unix.Mmap(m.File, 0, m.Bytes, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(other)
	batches := 0
	for {
		b, err := f.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		at := b.Slot() * m.Slot
		if !bytes.Equal(other[at:at+b.Layout.Bytes], b.Host[:b.Layout.Bytes]) {
			t.Errorf("batch %d: the other mapping of slot %d has other bytes", b.Seq, b.Slot())
		}
		batches++
		b.Release()
	}
	if want := set.EpochBatches(plan.Options{Batch: 4}, 0); batches != want || want != 10 {
		t.Errorf("%d batches came, EpochBatches = %d, want 10", batches, want)
	}
	for _, size := range []int{m.Bytes / 2, 2 * m.Bytes} {
		if err := unix.Ftruncate(m.File, int64(size)); err == nil {
			t.Errorf("the file took another size, %d", size)
		}
	}
	if _, err := unix.FcntlInt(uintptr(m.File), unix.F_ADD_SEALS, unix.F_SEAL_WRITE); err == nil {
		t.Error("the file took a further seal")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestTouchingEndsWithWhoAsked: memory that nobody waits for any more is not
// taken from the machine.
func TestTouchingEndsWithWhoAsked(t *testing.T) {
	a, err := newArena(2, touchStep, true)
	if err != nil {
		t.Fatal(err)
	}
	defer a.close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.touch(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("touch = %v, want %v", err, context.Canceled)
	}
	var s unix.Stat_t
	if err := unix.Fstat(a.file, &s); err != nil || s.Blocks != 0 {
		t.Errorf("%d blocks were taken, %v", s.Blocks, err)
	}
}

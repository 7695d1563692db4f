package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/compiler"
	"voxpack/gpufeed"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// insideDataset names the dataset to a test that is a process of its own.
const insideDataset = "VOXPACK_FAULT_DATASET"

// openInside opens a feed as a Go program does, over the driver that the loader
// finds.
func openInside(t *testing.T, c gpufeed.Config) *gpufeed.Feed {
	t.Helper()
	if fakecuda.Child() == "" {
		t.Skip("a trial of TestFaults")
	}
	s, err := store.Open(filepath.Join(os.Getenv(insideDataset), compiler.StoreName))
	do(t, err)
	t.Cleanup(func() { s.Close() })
	d, err := s.Dataset("main")
	do(t, err)
	set, err := plan.Select(d, plan.Selection{})
	do(t, err)
	c.Driver, _, err = gpufeed.OpenDriver("cuda")
	do(t, err)
	c.Plan.Batch = 2
	f, err := gpufeed.Open(t.Context(), set, c)
	do(t, err)
	return f
}

// shortly is a timeout that a test waits for. What is in order has to come within
// it, on a busy machine too.
const shortly = 5 * time.Second

// TestFeedWhoseCopyHangs: the error comes behind all that was delivered, again
// and again, and Close says what stays. One slot on each GPU lets the copies of
// the two hops alternate.
func TestFeedWhoseCopyHangs(t *testing.T) {
	f := openInside(t, gpufeed.Config{DataGPU: 0, ModelGPU: 1, DeviceDepth: 1, Cache: gpufeed.CacheOff, CopyTimeout: shortly})
	var err error
	for err == nil {
		var b gpufeed.Batch
		b, err = f.Next(t.Context())
		b.Release()
	}
	if _, again := f.Next(t.Context()); again != err {
		t.Errorf("asked again it says %v", again)
	}
	wantHung(t, f, err)
}

// TestFeedWhoseCopyBackHangs: neither does a copy back to the host wait for ever.
func TestFeedWhoseCopyBackHangs(t *testing.T) {
	f := openInside(t, gpufeed.Config{ModelGPU: 1, Mode: gpufeed.Direct, DeviceDepth: 1, CopyTimeout: shortly})
	fetcher, err := f.NewFetcher()
	do(t, err)
	for err == nil {
		var b gpufeed.Batch
		if b, err = f.Next(t.Context()); err == nil {
			_, err = fetcher.Bytes(b)
			b.Release()
		}
	}
	do(t, fetcher.Close())
	wantHung(t, f, err)
}

// wantHung: a feed ended with a copy that did not, and Close leaves
// what it may not touch.
func wantHung(t *testing.T, f *gpufeed.Feed, err error) {
	t.Helper()
	if !errors.Is(err, gpufeed.ErrCopyTimeout) {
		t.Errorf("it ended with %v, want %v", err, gpufeed.ErrCopyTimeout)
	}
	if err := f.Close(); !errors.Is(err, gpufeed.ErrCopyTimeout) || !strings.Contains(err.Error(), "until the process ends") {
		t.Errorf("Close = %v, want what stays taken", err)
	}
	if said := "it was queued over " + shortly.String() + " ago"; !strings.Contains(err.Error(), said) {
		t.Errorf("it says %v, want %q: the timeout that was set", err, said)
	}
	os.Stderr.WriteString(err.Error() + "\n")
}

// TestFeedWhoseTrainerKeepsAll: it is told where the batches are, and can go on.
func TestFeedWhoseTrainerKeepsAll(t *testing.T) {
	f := openInside(t, gpufeed.Config{DataGPU: 0, ModelGPU: 1, WaitTimeout: shortly})
	var held []gpufeed.Batch
	var err error
	for err == nil {
		var b gpufeed.Batch
		if b, err = f.Next(t.Context()); err == nil {
			held = append(held, b)
		}
	}
	if !errors.Is(err, gpufeed.ErrWaitTimeout) || len(held) != 3 || !strings.Contains(err.Error(), "3 TRAINING, the consumer holds 3, release batches") {
		t.Errorf("with %d batches: %v, want %v with 3 and what to do", len(held), err, gpufeed.ErrWaitTimeout)
	}
	os.Stderr.WriteString(err.Error() + "\n")
	for i, b := range held {
		b.Release()
		next, err := f.Next(t.Context())
		if err != nil || next.Seq != uint64(3+i) {
			t.Errorf("behind a release: batch %d, %v, want batch %d", next.Seq, err, 3+i)
		}
		held[i] = next
	}
	for _, b := range held {
		b.Release()
	}
	do(t, f.Close())
}

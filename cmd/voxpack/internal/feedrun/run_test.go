package feedrun

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/pflag"

	"voxpack/compiler"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/corpustest"
	"voxpack/store"
)

// fed is a bundled corpus, built and opened.
func fed(t *testing.T, name string) *store.Dataset {
	t.Helper()
	dir := corpustest.Copy(t, name)
	if _, err := compiler.Build(t.Context(), compiler.Options{Dataset: dir, Now: time.Now}); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(filepath.Join(dir, compiler.StoreName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d, err := s.Dataset("main")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// optionsOf are the options of a command line.
func optionsOf(t *testing.T, args ...string) *Options {
	t.Helper()
	var o Options
	f := pflag.NewFlagSet("feed", pflag.ContinueOnError)
	o.AddFlags(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	o.Given = f.Changed
	if err := o.Check(nil); err != nil {
		t.Fatal(err)
	}
	return &o
}

// runOf is an opened run that says nothing.
func runOf(t *testing.T, d *store.Dataset, args ...string) *run {
	t.Helper()
	r := &run{stdout: io.Discard, options: optionsOf(t, append([]string{"-q", "--record", "none"}, args...)...), started: time.Now(), said: said{out: io.Discard, quiet: true}}
	if err := r.open(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	return r
}

// naiveDigests reads every delivered value through the store and hashes them at
// the end of each epoch in one piece.
func naiveDigests(t *testing.T, set *plan.Set, c gpufeed.Config) []string {
	t.Helper()
	d := set.Dataset()
	var list []string
	for epoch := range c.Plan.Epochs {
		order, err := set.Order(plan.Global, c.Plan.Seed, uint64(epoch))
		if err != nil {
			t.Fatal(err)
		}
		batches, err := order.Batches(c.Plan)
		if err != nil {
			t.Fatal(err)
		}
		var all []byte
		rows := make([]uint32, c.Plan.Share())
		for {
			share, ok := batches.Next(rows)
			if !ok {
				break
			}
			for _, row := range share.Rows {
				all = append(all, naiveSample(t, d, set.At(row), set.Buckets()[share.Bucket])...)
			}
		}
		list = append(list, store.Sum(all).String())
	}
	return list
}

// naiveSample is a row as the design says: tokens, mel, text_len, mel_len, then
// the rest of the schema.
func naiveSample(t *testing.T, d *store.Dataset, at store.At, frames int) []byte {
	t.Helper()
	columns := []string{"tokens", "mel", "text_len", "mel_len"}
	for _, c := range d.Root.Schema {
		if !slices.Contains(columns, c.Name) {
			columns = append(columns, c.Name)
		}
	}
	var all []byte
	for _, name := range columns {
		c := d.Root.Schema[d.Root.Schema.Index(name)]
		if c.Inline() {
			v, err := d.Scalar(at, name)
			if err != nil {
				t.Fatal(err)
			}
			all = binary.LittleEndian.AppendUint32(all, uint32(v))
			continue
		}
		v, err := d.Value(at, name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "mel" {
			v = v[:frames*c.RowBytes()]
		}
		all = append(all, v...)
	}
	return all
}

func TestDigestsAreThoseOfANaiveReader(t *testing.T) {
	d := fed(t, "fa")
	for _, args := range [][]string{
		{"--batch-size", "4", "--epochs", "3"},
		{"--batch-size", "4", "--epochs", "2", "--tail", "pad", "--seed", "9"},
		{"--batch-size", "4", "--tail", "wrap", "--world", "2", "--rank", "1"},
		{"--batch-size", "3", "--buckets", "160,200", "--tail", "pad", "--epochs", "2"},
		{"--batch-size", "2", "--speaker", "sara", "--weight", "speaker:sara=1.5", "--epochs", "3"},
		{"--batch-size", "2", "--device", "sim", "--epochs", "3"},
	} {
		r := runOf(t, d, append(args, "--digest")...)
		failed := r.deliver(t.Context())
		f := newReport(r)
		f.end(r, failed, false)
		if err := r.close(); failed != nil || err != nil {
			t.Fatalf("%v: %v, %v", args, failed, err)
		}
		if want := naiveDigests(t, r.set, r.config); !slices.Equal(f.Digests, want) {
			t.Errorf("feed %v: digests %v, want %v", args, f.Digests, want)
		}
	}
}

// TestAnEpochOfNothingHasTheDigestOfNothing: weights below 1 leave epochs empty.
func TestAnEpochOfNothingHasTheDigestOfNothing(t *testing.T) {
	d := newDigests(3)
	l := &gpufeed.Layout{Fields: []gpufeed.Field{{Column: store.Column{Name: "tokens"}, Offset: 256, Size: 2}}, Samples: 2}
	slot := make([]byte, 512)
	copy(slot[256:], "abcd")
	d.add(4, l, 1, slot)
	got, want := d.list(3), []string{store.Sum(nil).String(), store.Sum([]byte("ab")).String(), store.Sum(nil).String()}
	if !slices.Equal(got, want) {
		t.Errorf("list(3) = %v, want %v", got, want)
	}
	if got := (*digests)(nil).list(2); got == nil || len(got) != 0 {
		t.Errorf("without --digest: %v, want an empty list", got)
	}
}

// TestStepsOfASimulatedTrainerInVirtualTime: without jitter no variation, with
// it that of an even draw, which is jitter/√3.
func TestStepsOfASimulatedTrainerInVirtualTime(t *testing.T) {
	d := fed(t, "en")
	for _, tt := range []struct {
		name        string
		args        []string
		least, most float64 // variation in percent
		warns       bool
	}{
		{"equal steps", []string{"--step-ms", "50"}, 0, 0.001, false},
		{"20 % are below the limit", []string{"--step-ms", "50", "--jitter", "20%"}, 10.5, 12.5, false},
		{"90 % are above", []string{"--step-ms", "50", "--jitter", "90"}, 48, 56, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := runOf(t, d, append(tt.args, "--batch-size", "2", "--steps", "500", "--seed", "1")...)
				failed := r.deliver(context.Background())
				f := newReport(r)
				f.end(r, failed, false)
				if err := r.close(); failed != nil || err != nil {
					t.Fatal(failed, err)
				}
				if v := f.Step.Variation; v < tt.least || v > tt.most {
					t.Errorf("variation = %v %%, want %v to %v", v, tt.least, tt.most)
				}
				if f.Step.Mean < 49 || f.Step.Mean > 51 {
					t.Errorf("mean step = %v ms, want 50", f.Step.Mean)
				}
				if warned := len(f.Warnings) > 0; warned != tt.warns {
					t.Errorf("warnings = %q, want one: %v", f.Warnings, tt.warns)
				}
			})
		})
	}
}

// TestARunOfNoTimeIsReported: a clock may stand still over a short run, and JSON
// has no infinity.
func TestARunOfNoTimeIsReported(t *testing.T) {
	d := fed(t, "en")
	synctest.Test(t, func(t *testing.T) {
		r := runOf(t, d, "--batch-size", "2", "--steps", "1")
		failed := r.deliver(context.Background())
		f := newReport(r)
		f.end(r, failed, false)
		if err := r.close(); failed != nil || err != nil {
			t.Fatal(failed, err)
		}
		if f.Seconds != 0 || f.Samples != 2 {
			t.Fatalf("%d samples in %v s, want 2 in 0", f.Samples, f.Seconds)
		}
		if _, err := json.Marshal(f); err != nil {
			t.Error(err)
		}
	})
}

// TestAShortRunCopiesForAShortTime: what a run compares itself with costs a tenth
// of it, and no more than copyTime.
func TestAShortRunCopiesForAShortTime(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{0: 0, 20 * time.Millisecond: 2 * time.Millisecond, time.Hour: copyTime} {
		if got := copyLimit(took); got != want {
			t.Errorf("a run of %v copies for %v, want %v", took, got, want)
		}
	}
}

// TestAnInterruptEndsAStep: nobody waits for the rest of a step of an hour.
func TestAnInterruptEndsAStep(t *testing.T) {
	d := fed(t, "en")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		at := filepath.Join(t.TempDir(), "at.json")
		r := runOf(t, d, "--batch-size", "2", "--epochs", "0", "--step-ms", "3600000", "--save-cursor", at)
		go func() { time.Sleep(90 * time.Minute); cancel() }()
		begin := time.Now()
		failed := r.deliver(ctx)
		if took := time.Since(begin); failed == nil || took != 90*time.Minute {
			t.Fatalf("deliver ended after %v with %v, want 1h30m0s and an error", took, failed)
		}
		var out bytes.Buffer
		r.stdout = &out
		err := r.finish(ctx, failed)
		if endOf(err) != wasInterrupted || err.Error() != "interrupted; the position is in "+at {
			t.Errorf("finish = %v (%s), want where the position is, and the interrupt", err, endOf(err))
		}
		if want := "fed       4 samples in 2 batches, 1 epoch, 90 min 0 s, interrupted\n"; !strings.HasPrefix(out.String(), want) {
			t.Errorf("report = %q, want %q first", out.String(), want)
		}
		c, err := ReadCursor(at)
		if err != nil || c.Samples != 4 {
			t.Errorf("saved position %+v, %v, want behind 4 samples", c, err)
		}
	})
}

// TestPositionsAreSavedOnTheWay: a crash of a long run costs seconds.
func TestPositionsAreSavedOnTheWay(t *testing.T) {
	d := fed(t, "en")
	synctest.Test(t, func(t *testing.T) {
		at := filepath.Join(t.TempDir(), "at.json")
		r := runOf(t, d, "--batch-size", "1", "--epochs", "0", "--step-ms", "1000", "--save-cursor", at)
		ctx, cancel := context.WithTimeout(context.Background(), 8500*time.Millisecond)
		defer cancel()
		failed := r.deliver(ctx)
		if err := r.saver.end(); err != nil || failed == nil {
			t.Fatal(failed, err)
		}
		r.saver = nil
		c, err := ReadCursor(at)
		if err != nil || c.Samples != 5 {
			t.Errorf("position after 5 s of 8.5: %+v, %v, want behind 5 samples", c, err)
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
	})
}

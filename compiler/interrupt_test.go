package compiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"voxpack/compiler/action"
	"voxpack/store"
)

// pressed is a context that ends when it is asked for the nth time, and counts how often
// it is asked after that.
type pressed struct {
	context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	n     int // of 1 the next question ends it
	after int
}

func (p *pressed) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.n--; {
	case p.n == 0:
		p.cancel()
	case p.n < 0:
		p.after++
	}
	return p.Context.Err()
}

// TestAnInterruptEndsABuildWhereverItIs: between any two questions for an interrupt lies
// bounded work (pollRows rows, a page of rejections, a run of the cache), so a build
// that asks a few times after the interrupt does no more than a few times that work.
func TestAnInterruptEndsABuildWhereverItIs(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 40)
	for i := range 5000 { // that are rejected: more than one look at each loop
		c.rows = append(c.rows, line{id: fmt.Sprintf("gone-%04d", i), text: "some text", given: "some text"})
	}
	c.write(t)
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 2}
	t.Run("a first build", func(t *testing.T) { interruptEverywhere(t, o, true) })
	mustBuild(t, o)
	c.rows[7].text, c.rows[7].given = "another text", "another text"
	c.write(t)
	t.Run("a build over a store", func(t *testing.T) { interruptEverywhere(t, o, false) })
}

func interruptEverywhere(t *testing.T, o Options, fresh bool) {
	const most = 12
	ended := 0
	for n := 1; ; n += 1 + n/3 {
		if fresh {
			o.Store = filepath.Join(fastTemp(t), "store")
		}
		under, cancel := context.WithCancel(t.Context())
		ctx := &pressed{Context: under, cancel: cancel, n: n}
		_, err := Build(ctx, o)
		cancel()
		if ctx.n > 0 {
			break // it asked less often
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted at question %d: %v", n, err)
		}
		if ctx.after > most {
			t.Errorf("interrupted at question %d, the build asked %d times more, want %d at most", n, ctx.after, most)
		}
		ended++
	}
	if ended < 5 {
		t.Errorf("the build asks %d times at the most", ended)
	}
	t.Logf("interrupted at %d places", ended)
}

// TestAnInterruptedBuildWritesABoundedCache: 300,000 results and the stats of as many
// files are in memory when the interrupt comes.
func TestAnInterruptedBuildWritesABoundedCache(t *testing.T) {
	t.Parallel()
	value := make([]byte, 100)
	for _, c := range []struct {
		name string
		most int
		ctx  func() context.Context
		want func(puts, bytes int) bool
	}{
		{"an interrupt before", interruptedBytes, t.Context, func(puts, bytes int) bool { return bytes > interruptedBytes-1000 && bytes <= interruptedBytes }},
		{"none", noBound, t.Context, func(puts, bytes int) bool { return bytes == 300_000*108 }},
		{"an interrupt while it is written", noBound, func() context.Context {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			return ctx
		}, func(puts, bytes int) bool { return puts == 1 && bytes <= recordRun+200 }},
	} {
		puts, bytes := 0, 0
		putRuns(c.ctx(), c.most, func(put func(key, value []byte) error) error {
			for i := range 300_000 {
				if err := put(fmt.Appendf(nil, "%08d", i), value); err != nil {
					return err
				}
			}
			return nil
		}, func(pairs ...store.Pair) error {
			puts++
			for _, p := range pairs {
				bytes += len(p.Key) + len(p.Value)
			}
			return nil
		})
		if !c.want(puts, bytes) {
			t.Errorf("%s: %d bytes in %d runs", c.name, bytes, puts)
		}
	}
}

// TestWhatAnInterruptedSurveyFoundOutIsKept, as far as it is bounded.
func TestWhatAnInterruptedSurveyFoundOutIsKept(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 8)
	ctx, cancel := context.WithCancel(t.Context())
	o := Options{Dataset: c.dir, Config: smallConfig(), Progress: func(p Progress) {
		if p.Phase == "reading" && p.Done == p.Total {
			cancel()
		}
	}}
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	o.Progress = nil
	if r := mustBuild(t, o); r.Stages[action.NameText].Run != 0 || r.Rows.Kept != 8 {
		t.Errorf("the text stage ran %d times, want what the interrupted build knew; %+v", r.Stages[action.NameText].Run, r.Rows)
	}
	if _, err := os.Stat(filepath.Join(c.dir, StoreName, "cache")); err != nil {
		t.Error(err)
	}
}

package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// watch connects a watcher until the test ends.
func watch(t *testing.T, address string) *Watcher {
	t.Helper()
	w, err := Watch(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func look(t *testing.T, w *Watcher, steps int) *Look {
	t.Helper()
	l, err := w.Look(t.Context(), steps)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestWatching: two sessions, one of which notes its steps. What a watcher sees is
// what the consumers did.
func TestWatching(t *testing.T) {
	s := serving(t, dataset(t, 40), nil)
	w := watch(t, s.Address())
	if l := look(t, w, 10); len(l.Sessions) != 0 || l.PID != os.Getpid() || l.Version != "test" || l.Dataset.Rows != 40 || l.Now == 0 || l.Cores == 0 {
		t.Fatalf("without a consumer: %+v", l)
	}
	x := connect(t, s, map[string]any{"steps": true, "rank": 1, "world": 2, "ahead": 3, "seed": 9})
	y := connect(t, s, map[string]any{"epochs": 1})
	if x.log == nil || y.log != nil {
		t.Fatalf("step logs: %v, %v; want one for who asked", x.log != nil, y.log != nil)
	}
	if string(x.log[:8]) != "VXSTEPS1" {
		t.Fatalf("the step log begins with %q", x.log[:8])
	}
	var had []taken
	for n := range uint64(3) {
		b, err := x.next()
		if err != nil {
			t.Fatal(err)
		}
		had = append(had, b)
		now := monotonic()
		note(x.log, n, 1, now-30, 10, now-5)
		mark(x.log, n, n+1, now-4, now-1)
	}
	x.giveBack(had[0])
	for _, err := y.next(); err == nil; _, err = y.next() { // it keeps them all, and hears of no end
		break
	}
	var l *Look
	until(t, "all that is prepared is ready", func() bool {
		l = look(t, w, 10)
		return len(l.Sessions) == 2 && l.Sessions[0].Published == 5 && l.Sessions[0].Preparing == 0
	})
	a, b := l.Sessions[0], l.Sessions[1]
	if a.ID != 1 || b.ID != 2 || a.PID != os.Getpid() || a.Rank != 1 || a.World != 2 || a.Batch != 4 || a.Samples != 2 || a.Transport != "host" || a.GPU != nil {
		t.Errorf("who it is: %+v", a.Session)
	}
	if a.State != "running" || a.Taken != 3 || a.Returned != 1 || a.Held != 2 || a.Slots != 4 || a.Ready != 2 {
		t.Errorf("its batches: %+v", a.Session)
	}
	if want := (Setup{Rows: 40, Split: "all", Seed: 9, Shuffle: "global", Tail: "drop", Buckets: 1, Checks: "first", Depth: 3, BatchBytes: a.Setup.BatchBytes}); a.Setup != want || want.BatchBytes == 0 {
		t.Errorf("set up as %+v, want %+v", a.Setup, want)
	}
	if len(a.Stages) != 2 || a.Stages[0].Name != "fill" || a.Stages[0].Work.Count < 5 || len(a.Late) != 1 || len(a.Fillers) == 0 || a.Fillers[0].Batches == 0 && a.Stages[0].Work.Count == 0 {
		t.Errorf("stages %+v, late %v, fillers %+v", a.Stages, a.Late, a.Fillers)
	}
	if steps := a.Log.Steps().Summary(); !a.HasSteps || len(a.Log.Takes) != 3 || len(a.Log.Marks) != 3 || steps.Period.Count != 2 || !steps.Marked {
		t.Errorf("its steps: %+v, %+v", a.Log, steps)
	}
	if b.HasSteps || len(b.Log.Takes) != 0 || b.Taken != 1 || b.Setup.Epochs != 1 {
		t.Errorf("the other one: %+v, %+v", b.Session, b.Log)
	}
	if l.Memory == 0 {
		t.Errorf("memory %d of %d", l.Memory, l.Most)
	}
	x.close()
	until(t, "a session that ended is not shown", func() bool { return len(look(t, w, 10).Sessions) == 1 })
}

// TestLooksAddUp: a watcher that looks now and then has what one has that looks once,
// also where much came in between, or a mark has ended.
func TestLooksAddUp(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	x := connect(t, s, map[string]any{"steps": true})
	often := watch(t, s.Address())
	now, n := monotonic()-1e9, uint64(0)
	for _, came := range []uint64{0, 3, 0, 1, 500, 64, 63, 65, 9000, 2000, 1} {
		if n > 0 {
			mark(x.log, n-1, n, now+100*n, now+100*n+50) // the last one has ended
		}
		for range came {
			note(x.log, n, 1, now+100*n, 5, now+100*n+50)
			mark(x.log, n, n+1, now+100*(n+1), 0)
			n++
		}
		for _, most := range []int{0, 10, 1000, StepsKept} {
			got, want := look(t, often, most).Sessions[0].Log, look(t, watch(t, s.Address()), most).Sessions[0].Log
			if !slices.Equal(got.Takes, want.Takes) || !slices.Equal(got.Marks, want.Marks) || got.Taken != want.Taken || got.Marked != want.Marked {
				t.Fatalf("after %d steps, the last %d: %d takes and %d marks of %d, want %d and %d of %d", n, most,
					len(got.Takes), len(got.Marks), got.Taken, len(want.Takes), len(want.Marks), want.Taken)
			}
		}
	}
}

// TestAWatcherFromNow: it has what came since its first look, and few steps before.
func TestAWatcherFromNow(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	x := connect(t, s, map[string]any{"steps": true})
	w := watch(t, s.Address())
	w.FromNow = true
	at, n := monotonic()-1e9, uint64(0)
	for i, came := range []uint64{1000, 0, 3, 64, 65, 2000, StepsKept - 2132 - fewSteps, 5} {
		for range came {
			note(x.log, n, 1, at+100*n, 5, at+100*n+50)
			mark(x.log, n, n+1, at+100*(n+1), 0)
			n++
		}
		got, want := look(t, w, StepsKept).Sessions[0].Log, look(t, watch(t, s.Address()), StepsKept).Sessions[0].Log
		have := int(min(n-1000+fewSteps, StepsKept))
		if !slices.Equal(got.Takes, want.Takes[len(want.Takes)-have:]) || !slices.Equal(got.Marks, want.Marks[len(want.Marks)-have:]) || got.Taken != n {
			t.Errorf("look %d, after %d steps: %d takes and %d marks of %d, want %d", i, n, len(got.Takes), len(got.Marks), got.Taken, have)
		}
	}
}

// TestQuestionsOfSteps: refusals are of the question, and the connection goes on.
func TestQuestionsOfSteps(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	connect(t, s, map[string]any{})
	w := watch(t, s.Address())
	for question, want := range map[string]string{
		`{"type":"steps","session":2,"last":5}`:     "no session 2",
		`{"type":"steps","session":1,"last":10001}`: "last 10001: want 0 to 10000",
		`{"type":"steps","session":-1}`:             "session -1: want 0",
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(question), &m); err != nil {
			t.Fatal(err)
		}
		var r refused
		if err := w.ask(t.Context(), m, "steps", new(StepsOf)); !errors.As(err, &r) || r.Of != "steps" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %v, want a refusal with %q", question, err, want)
		}
	}
	if l := look(t, w, 5); len(l.Sessions) != 1 {
		t.Errorf("after refusals: %+v", l)
	}
}

// TestNoMemoryForAStepLog: a training does not depend on one.
func TestNoMemoryForAStepLog(t *testing.T) {
	s := serving(t, dataset(t, 20), func(o *Options) { o.MaxMemory = 300_000 })
	x := connect(t, s, map[string]any{"steps": true, "ahead": 1})
	if x.log != nil {
		t.Error("a step log of more than all memory")
	}
	if _, err := x.next(); err != nil {
		t.Error(err)
	}
	if l := look(t, watch(t, s.Address()), 5); l.Sessions[0].HasSteps || l.Memory == 0 || l.Most != 300_000 {
		t.Errorf("%+v", l)
	}
}

// TestAFeederDoesNotLingerForWatchers: it ends when the last consumer has gone, and
// the watcher is told so.
func TestAFeederDoesNotLingerForWatchers(t *testing.T) {
	s, err := Listen(Options{Dataset: dataset(t, 20), Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Socket: filepath.Join(t.TempDir(), "s"), Linger: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	x := make(chan *client, 1)
	go func() { done <- s.Serve(t.Context()) }()
	x <- connect(t, s, map[string]any{})
	w := watch(t, s.Address())
	look(t, w, 5)
	(<-x).close()
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if _, err := w.Look(t.Context(), 5); !errors.Is(err, ErrGone) {
		t.Errorf("Look = %v, want %v", err, ErrGone)
	}
	if _, err := Watch(t.Context(), s.Address()); !errors.Is(err, ErrNoFeeder) {
		t.Errorf("Watch = %v, want %v", err, ErrNoFeeder)
	}
}

// TestAWatcherThatStartsIsAConsumer: then the feeder stays for it.
func TestAWatcherThatStartsIsAConsumer(t *testing.T) {
	s := serving(t, dataset(t, 20), nil)
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := x.say(map[string]any{"type": "sessions"}); err != nil {
			t.Fatal(err)
		}
		if _, err := x.hear(new(struct{})); err != nil {
			t.Fatal(err)
		}
		if n := s.Sessions(); n != 0 {
			t.Errorf("%d consumers, want none beside a watcher", n)
		}
	}
	if err := x.start(map[string]any{}); err != nil {
		t.Fatal(err)
	}
	if n := s.Sessions(); n != 1 {
		t.Errorf("%d consumers, want 1", n)
	}
	x.close()
	until(t, "nobody is there", func() bool { return s.Sessions() == 0 })
}

// feederOf answers the first connection: a welcome, and then each message with one
// of these, until there is none.
func feederOf(t *testing.T, answers ...any) (address string) {
	t.Helper()
	return speaker(t, append([]any{Welcome{Type: "welcome", Protocol: Protocol, Version: "0.1"}}, answers...)...)
}

// speaker answers each message of the first connection with one of these.
func speaker(t *testing.T, answers ...any) (address string) {
	t.Helper()
	address = filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		for _, a := range answers {
			var r Request
			if read(c, mostBytes, nil, &r) != nil {
				return
			}
			b, err := encode(a)
			if err != nil {
				return
			}
			_, _ = c.Write(b)
		}
	}()
	return address
}

// TestOtherFeeders: an old one is answered with a sentence, and whatever a feeder
// says is no crash.
func TestOtherFeeders(t *testing.T) {
	session := Sessions{Type: "sessions", Sessions: []Session{{ID: 1, HasSteps: true}}}
	for _, c := range []struct {
		name    string
		answers []any
		want    error
		words   string
	}{
		{"an old one", []any{Failure{"error", "request", `no request is called "sessions"`}}, ErrOldFeeder, "voxpack 0.1"},
		{"one that ends", nil, ErrGone, "ended"},
		{"one that fails", []any{Failure{"error", "other", "the disk is gone"}}, nil, "the disk is gone"},
		{"another answer", []any{IDs{Type: "ids"}}, nil, `answers "sessions" with "ids"`},
		{"no object", []any{[]int{1}}, nil, "feeder: "},
		{"one that ends between two questions", []any{session}, ErrGone, "ended"},
	} {
		w := watch(t, feederOf(t, c.answers...))
		_, err := w.Look(t.Context(), 5)
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %v with %q", c.name, err, c.want, c.words)
		}
	}
	older := speaker(t, Failure{"error", "protocol", "hello of protocol 3: this feeder, voxpack 0.1, speaks 2"})
	if _, err := Watch(t.Context(), older); !errors.Is(err, ErrOldFeeder) || !strings.Contains(err.Error(), "voxpack 0.1, speaks 2") {
		t.Errorf("Watch of one that speaks another protocol = %v, want %v", err, ErrOldFeeder)
	}
	if _, err := Watch(t.Context(), older+"x"); !errors.Is(err, ErrNoFeeder) {
		t.Errorf("Watch = %v, want %v", err, ErrNoFeeder)
	}
	w := watch(t, feederOf(t, session, Refusal{Failure{"error", "request", "session 1 has just ended"}, "steps"}))
	if l, err := w.Look(t.Context(), 5); err != nil || len(l.Sessions) != 0 {
		t.Errorf("a session that ended between two questions: %+v, %v", l, err)
	}
}

// TestALookEndsWithItsContext, also while a feeder says nothing.
func TestALookEndsWithItsContext(t *testing.T) {
	address := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", address)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		cancel()
		<-t.Context().Done()
	}()
	if _, err := Watch(ctx, address); !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v, want %v", err, context.Canceled)
	}
}

// TestLooksBesideSessionsThatComeAndGo: nobody reads what is freed, and batches
// are those that they would be. It is for the race detector.
func TestLooksBesideSessionsThatComeAndGo(t *testing.T) {
	s := serving(t, dataset(t, 40), nil)
	over := make(chan struct{})
	var watchers sync.WaitGroup
	for range 3 {
		w := watch(t, s.Address())
		watchers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
				}
				if _, err := w.Look(context.Background(), 100); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	var rows [][]uint32
	for i := range 20 {
		x := connect(t, s, map[string]any{"steps": true, "epochs": 1})
		var mine []uint32
		for n := uint64(0); ; n++ {
			b, err := x.next()
			if err != nil {
				break
			}
			mine = append(mine, b.rows...)
			note(x.log, n, 1, n, 0, n)
			x.giveBack(b)
		}
		rows = append(rows, mine)
		x.close()
		if len(mine) != 40 || !slices.Equal(rows[0], mine) {
			t.Fatalf("session %d got %v, the first one %v", i, mine, rows[0])
		}
	}
	close(over)
	watchers.Wait()
}

// BenchmarkLook is what a look at one session costs both sides together, by the
// steps that it asks for.
func BenchmarkLook(b *testing.B) {
	for _, steps := range []int{100, StepsKept} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			l, err := Listen(Options{Dataset: dataset(b, 20), Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Socket: filepath.Join(b.TempDir(), "s")})
			if err != nil {
				b.Fatal(err)
			}
			ctx, cancel := context.WithCancel(b.Context())
			done := make(chan error, 1)
			go func() { done <- l.Serve(ctx) }()
			defer func() { cancel(); <-done }()
			x, err := dial(l.Address())
			if err != nil {
				b.Fatal(err)
			}
			defer x.close()
			if err := x.start(map[string]any{"steps": true}); err != nil {
				b.Fatal(err)
			}
			for n := range uint64(StepsKept) {
				note(x.log, n, 1, 1e9+100*n, 5, 1e9+100*n+50)
				mark(x.log, n, n, 1e9+100*n+60, 1e9+100*n+90)
			}
			w, err := Watch(ctx, l.Address())
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			for b.Loop() {
				if l, err := w.Look(ctx, steps); err != nil || len(l.Sessions[0].Log.Takes) != steps {
					b.Fatal(err)
				}
			}
		})
	}
}

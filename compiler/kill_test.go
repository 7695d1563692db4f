package compiler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// buildChild is this binary again, as a process that builds and can be killed.
func buildChild(o Options) *exec.Cmd {
	return childOf(childOrder{Dataset: o.Dataset, Corpora: o.Corpora, Store: o.Store, Config: o.Config, Part: o.Part, Workers: o.Workers, RenumberSpeakers: o.RenumberSpeakers})
}

// joinChild is the same for a join of parts.
func joinChild(o Options, from []string) *exec.Cmd {
	return childOf(childOrder{Store: o.Store, Join: from})
}

func childOf(c childOrder) *exec.Cmd {
	order, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestBuildChild$")
	cmd.Env = append(os.Environ(), "VOXPACK_BUILD_CHILD="+string(order))
	return cmd
}

// childOrder is the part of Options that can be told to another process.
type childOrder struct {
	Dataset, Store   string
	Corpora          []intake.Corpus
	Config           Config
	Part             *plan.Part
	Join             []string // parts, in place of a build
	Workers          int
	RenumberSpeakers bool
}

// run does it and gives the root.
func (c childOrder) run() (string, error) {
	ctx := context.Background()
	if c.Join != nil {
		r, err := Join(ctx, JoinOptions{Parts: c.Join, Store: c.Store, Now: time.Now})
		if err != nil {
			return "", err
		}
		return r.Dataset, nil
	}
	build := Build
	if c.Part != nil {
		build = BuildPart
	}
	r, err := build(ctx, Options{Dataset: c.Dataset, Corpora: c.Corpora, Store: c.Store, Config: c.Config, Part: c.Part, Workers: c.Workers, RenumberSpeakers: c.RenumberSpeakers})
	if err != nil {
		return "", err
	}
	return r.Dataset, nil
}

// TestBuildChild is not a test: it is the process of buildChild.
func TestBuildChild(t *testing.T) {
	text := os.Getenv("VOXPACK_BUILD_CHILD")
	if text == "" {
		t.Skip("runs as a child of other tests only")
	}
	var c childOrder
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	fmt.Println("begin")
	root, err := c.run()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("root", root)
}

// TestKilledAtAnyMoment kills real builds at 50 moments spread over the whole of
// one, each followed by a build: its root is always that of an undisturbed one,
// and the store is whole.
func TestKilledAtAnyMoment(t *testing.T) {
	dir, rounds := realClips(t), 50
	if testing.Short() {
		rounds = 5
	}
	config := Config{PerShard: 2} // many leaves: most of a build then lies between two of them
	want := mustBuild(t, Options{Dataset: dir, Store: filepath.Join(fastTemp(t), "whole"), Config: config}).Dataset
	r := rand.New(rand.NewPCG(50, 1))
	cmd := startBuilding(t, Options{Dataset: dir, Store: filepath.Join(fastTemp(t), "timed"), Config: config})
	began := time.Now()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("child: %v", err)
	}
	whole := time.Since(began)
	killed, adopted := 0, 0
	for round := range rounds {
		o := Options{Dataset: dir, Store: filepath.Join(fastTemp(t), "store"), Config: config}
		cmd := startBuilding(t, o)
		began, ended := time.Now(), make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case <-ended: // the machine is faster now: later moments lie within what a build takes now
			whole = time.Since(began)
		case <-time.After(time.Duration(r.Float64() * float64(whole))):
			cmd.Process.Kill()
			if <-ended != nil {
				killed++
			}
		}
		if store.HasLeftovers(o.Store) {
			adopted++
		}
		after := mustBuild(t, o)
		if after.Dataset != want {
			t.Errorf("round %d: root %.12s, want %.12s", round, after.Dataset, want)
		}
		if round%10 == 0 {
			verifyAll(t, o.Store)
		}
		os.RemoveAll(o.Store)
	}
	t.Logf("%d of %d builds were killed before their end, %d while they wrote a pack", killed, rounds, adopted)
	if killed < rounds/3 {
		t.Errorf("only %d of %d children were killed before they ended", killed, rounds)
	}
}

// startBuilding starts a child and returns when its build begins.
func startBuilding(t testing.TB, o Options) *exec.Cmd {
	t.Helper()
	return begin(t, buildChild(o))
}

// begin starts a child and returns when its work begins.
func begin(t testing.TB, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err == nil {
		_, err = out.Read(make([]byte, 6)) // "begin"
	}
	if err != nil {
		t.Fatalf("child: %v", err)
	}
	return cmd
}

func verifyAll(t testing.TB, dir string) {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if _, err := Verify(t.Context(), st, "main", true, func(f Finding) { t.Errorf("verify: %v", f) }); err != nil {
		t.Error(err)
	}
}

// TestCancelledBuildKeepsFinishedWork: what a build finished before Ctrl-C is
// found by the next, which computes only the rest.
func TestCancelledBuildKeepsFinishedWork(t *testing.T) {
	t.Parallel()
	c := smallCorpus(t, 60)
	o := Options{Dataset: c.dir, Config: smallConfig(), Workers: 1}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(p Progress) {
		if p.Phase == "computing" && p.Done > p.Total/2 {
			cancel()
		}
	}
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v, want context.Canceled", err)
	}
	o.Progress = nil
	r := mustBuild(t, o)
	if run := r.Stages["mel"].Run; run == 0 || run > 32 {
		t.Errorf("the build after the cancelled one ran %d mels of 60; more than half were done", run)
	}
}

package compiler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"voxpack/compiler/action"
	"voxpack/store"
)

// sequence is one random history of a dataset, built after each edit.
type sequence struct {
	*corpus
	t     testing.TB
	r     *rand.Rand
	seed  uint64
	cfg   Config
	store string
	model *model
	root  string // of the last build
	steps []string
	next  int
	exact int // steps whose work was forecast to the number
}

func (s *sequence) fail(format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("VOXPACK_SEED=%d replays this: step %d: %s\nsteps: %s", s.seed, len(s.steps), fmt.Sprintf(format, args...), strings.Join(s.steps, ", "))
}

// TestPropertyEditsEndInTheRootOfACleanBuild is laws 1 and 2 over random
// histories; VOXPACK_SEED=n replays the one with that seed.
func TestPropertyEditsEndInTheRootOfACleanBuild(t *testing.T) {
	t.Parallel()
	if seed, err := strconv.ParseUint(os.Getenv("VOXPACK_SEED"), 10, 64); err == nil {
		runSequence(t, seed, fastTemp(t))
		return
	}
	n := 20
	if testing.Short() {
		n = 3
	}
	sequences(t, n)
}

// TestSoakProperty runs VOXPACK_SOAK sequences.
func TestSoakProperty(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("VOXPACK_SOAK"))
	if err != nil {
		t.Skip("VOXPACK_SOAK is not set; it is the number of random sequences to run")
	}
	sequences(t, n)
}

func sequences(t *testing.T, n int) {
	base := fastTemp(t)
	var steps, exact atomic.Int64
	for _, worker := range []uint64{0, 1} {
		t.Run(fmt.Sprint("worker ", worker), func(t *testing.T) {
			t.Parallel()
			for seed := worker; seed < uint64(n); seed += 2 {
				dir := filepath.Join(base, fmt.Sprint(seed))
				s := runSequence(t, seed, dir)
				steps.Add(int64(len(s.steps)))
				exact.Add(int64(s.exact))
				os.RemoveAll(dir)
			}
		})
	}
	t.Cleanup(func() {
		t.Logf("%d sequences, %d builds, the work of %d forecast to the number", n, steps.Load(), exact.Load())
		if !t.Failed() && exact.Load()*10 < steps.Load()*8 {
			t.Errorf("only %d of %d builds were forecast exactly, want 80 %%", exact.Load(), steps.Load())
		}
	})
}

// runSequence makes 60 rows and edits them 20 to 30 times. Every fourth history
// is also interrupted, by its context or by SIGKILL.
func runSequence(t testing.TB, seed uint64, dir string) *sequence {
	r := rand.New(rand.NewPCG(seed, 4))
	s := &sequence{corpus: newCorpus(filepath.Join(dir, "data"), pick(r, 2, 3, 5, 5)), t: t, r: r, seed: seed, cfg: smallConfig(),
		store: filepath.Join(dir, "store"), model: newModel()}
	s.insert(60)
	s.step("first build")
	for range 20 + r.IntN(11) {
		e := edits[r.IntN(len(edits))]
		e.do(s)
		name := e.name
		if r.IntN(5) == 0 {
			more := edits[r.IntN(len(edits))]
			more.do(s)
			name += " and " + more.name
		}
		if seed%4 == 3 && r.IntN(6) == 0 {
			name += s.interrupt()
		}
		s.step(name)
	}
	s.verify()
	return s
}

// step builds the sources and holds the report against the model and the root
// against a clean build's.
func (s *sequence) step(name string) {
	s.t.Helper()
	s.steps = append(s.steps, name)
	s.corpus.write(s.t)
	f := s.model.build(s.corpus, s.cfg)
	o := s.options()
	if f.moved {
		before := listing(s.t, s.store)
		if _, err := Build(context.Background(), o); !errors.Is(err, ErrSpeakers) {
			s.fail("error = %v, want ErrSpeakers: a speaker's number changes", err)
		}
		if after := listing(s.t, s.store); len(after) != len(before) {
			s.fail("a refused build left %d files of %d", len(after), len(before))
		}
		o.RenumberSpeakers = true
	}
	if s.seed%3 == 0 {
		s.rehearse(o, f)
	}
	r, err := Build(context.Background(), o)
	if err != nil {
		s.fail("build: %v", err)
	}
	s.compare(r, f)
	s.model.done(f, !r.UpToDate)
	if r.RootChanged != (r.Dataset != s.root) {
		s.fail("RootChanged = %v, the root was %.8s and is %.8s", r.RootChanged, s.root, r.Dataset)
	}
	s.root = r.Dataset
	s.clean(r)
}

// rehearse holds what --dry-run says to the same forecast, and to writing nothing.
func (s *sequence) rehearse(o Options, f *forecast) {
	s.t.Helper()
	o.DryRun = true
	r, err := Build(context.Background(), o)
	if err != nil {
		s.fail("dry run: %v", err)
	}
	for stage := range action.End() {
		if got := r.Stages[stage.Name()].Run; !f.run[stage].has(got) {
			s.fail("a dry run says that %s would run for %d rows, want %v", stage.Name(), got, f.run[stage])
		}
	}
	if r.Rows.Kept != f.kept || r.Rows.Rejected != f.rejected || !r.DryRun || r.Dataset != "" {
		s.fail("a dry run says %+v, want %d kept and %d rejected", r.Rows, f.kept, f.rejected)
	}
}

func (s *sequence) options() Options {
	o := Options{Dataset: s.dir, Store: s.store, Config: s.cfg, Workers: 1 + s.r.IntN(2)}
	if s.seed%2 == 1 {
		o.Now = later // stamps are trusted at once, and leaves taken over
	}
	return o
}

// clean builds the same sources into a new store.
func (s *sequence) clean(r *Report) {
	s.t.Helper()
	fresh := filepath.Join(filepath.Dir(s.store), "clean")
	defer os.RemoveAll(fresh)
	c, err := Build(context.Background(), Options{Dataset: s.dir, Store: fresh, Config: s.cfg})
	if err != nil {
		s.fail("clean build: %v", err)
	}
	if c.Dataset != r.Dataset {
		s.fail("root %.16s, a clean build's is %.16s", r.Dataset, c.Dataset)
	}
	if c.Rows != r.Rows || fmt.Sprint(c.Rejections) != fmt.Sprint(r.Rejections) || fmt.Sprint(c.Notes) != fmt.Sprint(r.Notes) {
		s.fail("rows, rejections or notes differ from a clean build's:\n%+v %v %v\n%+v %v %v", r.Rows, r.Rejections, r.Notes, c.Rows, c.Rejections, c.Notes)
	}
}

// compare holds a report against the forecast.
func (s *sequence) compare(r *Report, f *forecast) {
	s.t.Helper()
	if r.Rows.Kept != f.kept || r.Rows.Rejected != f.rejected {
		s.fail("%d kept, %d rejected, want %d, %d: %v", r.Rows.Kept, r.Rows.Rejected, f.kept, f.rejected, r.Rejections)
	}
	exact := f.blocks.lo == f.blocks.hi && f.shards.lo == f.shards.hi
	for stage := range action.End() {
		got, want := r.Stages[stage.Name()], f.run[stage]
		if !want.has(got.Run) || got.Run+got.Hit != f.reached[stage] {
			s.fail("%s ran for %d rows and hit for %d, want %v run of %d", stage.Name(), got.Run, got.Hit, want, f.reached[stage])
		}
		exact = exact && want.lo == want.hi
	}
	if !f.blocks.has(r.Blocks.Written) || r.Blocks.Written+r.Blocks.Reused != 2*f.leaves {
		s.fail("blocks = %+v, want %v written of %d", r.Blocks, f.blocks, 2*f.leaves)
	}
	if !f.shards.has(r.Shards.Written) || r.Shards.Total != f.leaves {
		s.fail("shards = %+v, want %v written of %d", r.Shards, f.shards, f.leaves)
	}
	if r.UpToDate && (r.BytesWritten != 0 || r.RootChanged) {
		s.fail("up to date, and %d bytes were written; root changed: %v", r.BytesWritten, r.RootChanged)
	}
	if exact {
		s.exact++
	}
}

// interrupt begins a build that does not end, and says how. What it may have
// kept is uncertain from then on.
func (s *sequence) interrupt() string {
	s.corpus.write(s.t)
	f := s.model.build(s.corpus, s.cfg)
	o := s.options()
	o.RenumberSpeakers = true
	how := s.cancelled
	name := ", cancelled"
	if s.r.IntN(2) == 0 {
		how, name = s.killed, ", killed"
	}
	if how(o) {
		s.model.done(f, true)
		s.root = s.head()
		name += " too late"
	}
	s.model.remember(f, false)
	return name
}

// head is the root that main names.
func (s *sequence) head() string {
	st, err := store.Open(s.store)
	if err != nil {
		s.fail("open: %v", err)
	}
	defer st.Close()
	d, err := st.Dataset("main")
	if err != nil {
		s.fail("main: %v", err)
	}
	return d.Snapshot.Root.String()
}

// cancelled cancels a build at one of its progress calls, and reports whether it
// ended none the less.
func (s *sequence) cancelled(o Options) bool {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var calls atomic.Int64
	at := int64(1 + s.r.IntN(12))
	o.Progress = func(Progress) {
		if calls.Add(1) == at {
			cancel()
		}
	}
	_, err := Build(ctx, o)
	if err != nil && !errors.Is(err, context.Canceled) {
		s.fail("cancelled build: %v", err)
	}
	return err == nil
}

// killed kills a child that builds, and reports whether it had moved the ref.
func (s *sequence) killed(o Options) bool {
	before := s.head()
	cmd := startBuilding(s.t, o)
	time.Sleep(time.Duration(s.r.IntN(25_000)) * time.Microsecond)
	cmd.Process.Kill()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		s.fail("child: %v", err)
	}
	doubt(s.model.memo)
	return s.head() != before
}

// verify reads every byte of the store at the end of a history.
func (s *sequence) verify() {
	s.t.Helper()
	st, err := store.Open(s.store)
	if err != nil {
		s.fail("open: %v", err)
	}
	defer st.Close()
	counts, err := Verify(context.Background(), st, "main", true, func(f Finding) { s.fail("verify: %v", f) })
	if err != nil || counts.Rows == 0 {
		s.fail("verify: %+v, %v", counts, err)
	}
}

package compiler

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/compiler/clip"
	"voxpack/compiler/plan"
	"voxpack/store"
)

// motley is a corpus with all that parts have to agree on: speakers, languages, notes, rejections of every
// step, lines that are no rows, rows that stand twice and rows that differ under one id.
func motley(t testing.TB, rows int) *corpus {
	t.Helper()
	c := newCorpus(filepath.Join(fastTemp(t), "data"), 5)
	for i := range rows {
		l := line{id: fmt.Sprintf("row-%04d", i), text: fmt.Sprint("this is row ", i), speaker: fmt.Sprint("s", i%3), language: "en"}
		l.given = l.text
		frames := 600 + i*37%1500
		switch {
		case i%17 == 3:
			l.given += " with ☃ and ♞" // two notes
		case i%19 == 4:
			frames = 5000 // overlong
		case i%23 == 5:
			l.language = "no such language"
		case i%29 == 6:
			l.text, l.given = " ", " "
		}
		c.rows = append(c.rows, l)
		if i%31 == 7 {
			c.rows = append(c.rows, l) // stands twice
		}
		if i%37 == 8 {
			other := l
			other.given += " or not"
			c.rows = append(c.rows, other)
		}
		if i%41 != 9 { // else it has no audio
			c.wavs[l.id] = noiseWAV(uint64(i%200), 8000, frames)
		}
	}
	c.write(t)
	return c
}

// parts builds n parts of a plan and gives their stores, in a random order.
func parts(t testing.TB, o Options, n int, r *rand.Rand) []string {
	t.Helper()
	p, err := NewPlan(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(fastTemp(t), "plan.json") // through its file, as parts on other machines get it
	if err := p.Write(file); err != nil {
		t.Fatal(err)
	}
	if p, err = plan.Read(file); err != nil {
		t.Fatal(err)
	}
	stores := make([]string, n)
	for i := range stores {
		stores[i] = filepath.Join(filepath.Dir(file), fmt.Sprint("part", i))
		o := o
		o.Store, o.Part, o.Workers = stores[i], &plan.Part{Plan: p, Index: i, Of: n}, 1+r.IntN(2)
		for range 1 + r.IntN(2) { // a retry changes nothing
			if _, err := BuildPart(context.Background(), o); err != nil {
				t.Fatalf("part %d of %d: %v", i, n, err)
			}
		}
	}
	r.Shuffle(n, func(i, j int) { stores[i], stores[j] = stores[j], stores[i] })
	return stores
}

// joinAll joins parts into a store; built counts how often a build had to help.
func joinAll(t testing.TB, o Options, from []string) *JoinReport {
	t.Helper()
	r, err := Join(context.Background(), JoinOptions{Parts: from, Store: o.Store, Tool: "test", Now: time.Now,
		Build: func(ctx context.Context, why string) (*Report, error) { return Build(ctx, o) }})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content is what a snapshot says of a dataset.
func content(t testing.TB, dir, snapshot string) store.Digest {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	digest, err := store.ParseDigest(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := st.ReadSnapshot(digest)
	if err != nil {
		t.Fatal(err)
	}
	return snap.Content()
}

// wantJoined holds a join against the build of one machine: the same root, rejections and notes, a store
// that is sound, and nothing left to do or to hash.
func wantJoined(t *testing.T, o Options, one *Report, oneStore string, r *JoinReport) {
	t.Helper()
	if r.Dataset != one.Dataset || r.Rows != one.Rows || r.Shards != one.Shards.Total {
		t.Errorf("the join has root %.8s, %+v and %d shards; one build %.8s, %+v and %d", r.Dataset, r.Rows, r.Shards, one.Dataset, one.Rows, one.Shards.Total)
	}
	if content(t, o.Store, r.Snapshot) != content(t, oneStore, one.Snapshot) {
		t.Error("the snapshots differ: rejections, notes or origins")
	}
	st, err := store.Open(o.Store)
	if err != nil {
		t.Fatal(err)
	}
	err = st.Verify(context.Background(), true, func(d store.Damage) { t.Errorf("verify --full finds %v", d) })
	if st.Close(); err != nil {
		t.Error(err)
	}
	if got, want := unhashed(t, o, o.Store), unhashed(t, o, oneStore); got != want {
		t.Errorf("the cache does not know %d recordings, that of one build %d: those of lines that are no rows", got, want)
	}
	again := mustBuild(t, o)
	wantNothingRun(t, "the build after the join", again)
	if !again.UpToDate || again.BytesWritten != 0 {
		t.Errorf("the build after the join is up to date: %v, and wrote %d bytes", again.UpToDate, again.BytesWritten)
	}
}

// unhashed counts the recordings of which the cache of a store does not know the digest.
func unhashed(t *testing.T, o Options, dir string) (n int) {
	t.Helper()
	cache, err := store.OpenCacheReadOnly(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer cache.Close()
	stats := clip.NewStatTable(cache, false, time.Now)
	for _, c := range o.folders() {
		files, _ := filepath.Glob(filepath.Join(c.Dir, "wavs", "*.wav"))
		if len(files) == 0 {
			t.Errorf("no recordings in %s", c.Dir)
		}
		for _, f := range files {
			_, stamp := statOf(t, c.Dir, strings.TrimSuffix(filepath.Base(f), ".wav"))
			_, anew, err := stats.Digest(path.Join(c.Name, "wavs", filepath.Base(f)), stamp, func() (d store.Digest, err error) { return d, nil })
			if err != nil {
				t.Error(err)
			}
			if anew {
				n++
			}
		}
	}
	return n
}

// TestPartsJoinIntoTheRootOfOneBuild is law 1 over machines.
func TestPartsJoinIntoTheRootOfOneBuild(t *testing.T) {
	t.Parallel()
	c := motley(t, 700)
	makeOld(t, c.dir)
	o := Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(fastTemp(t), "one")}
	one := mustBuild(t, o)
	if one.Rows.Rejected < 50 || one.Rows.Noted < 20 || one.Rows.Kept < 500 {
		t.Fatalf("the corpus is not motley: %+v", one.Rows)
	}
	r := rand.New(rand.NewPCG(1, 22))
	for _, n := range []int{1, 2, 3, 7, 64} {
		joined := o
		joined.Store = filepath.Join(fastTemp(t), "joined")
		report := joinAll(t, joined, parts(t, o, n, r))
		if report.Built != "" {
			t.Errorf("%d parts: a build had to help: %s", n, report.Built)
		}
		wantJoined(t, joined, one, o.Store, report)
	}
}

// TestPartsThatArePagesOfNoSingleBuild: with so few rows that prefixes are not split, and with a speaker
// of whom nothing is kept, a build lays out what the parts have made, and runs nothing.
func TestPartsThatArePagesOfNoSingleBuild(t *testing.T) {
	t.Parallel()
	few := motley(t, 9)
	silent := motley(t, 300)
	for i := range silent.rows {
		if silent.rows[i].speaker == "s1" {
			delete(silent.wavs, silent.rows[i].id)
		}
	}
	silent.write(t)
	gone := motley(t, 300) // nearly all of the rows are rejected
	for i := range gone.rows[20:] {
		delete(gone.wavs, gone.rows[20+i].id)
	}
	gone.write(t)
	for name, tt := range map[string]struct {
		c     *corpus
		built bool
	}{"9 rows": {few, false}, "a speaker without a row": {silent, true}, "most rows rejected": {gone, true}} {
		makeOld(t, tt.c.dir)
		o := Options{Dataset: tt.c.dir, Config: smallConfig(), Store: filepath.Join(fastTemp(t), "one")}
		one := mustBuild(t, o)
		joined := o
		joined.Store = filepath.Join(fastTemp(t), "joined")
		report := joinAll(t, joined, parts(t, o, 5, rand.New(rand.NewPCG(2, 22))))
		if (report.Built != "") != tt.built {
			t.Errorf("%s: why a build had to help: %q", name, report.Built)
		}
		wantJoined(t, joined, one, o.Store, report)
	}
}

// TestJoiningAgain: what is there already is not linked again; into a store with another dataset a build
// brings the new one, with the old one as its parent.
func TestJoiningAgain(t *testing.T) {
	t.Parallel()
	c := motley(t, 300)
	r := rand.New(rand.NewPCG(3, 22))
	o := Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(fastTemp(t), "joined")}
	from := parts(t, o, 3, r)
	first := joinAll(t, o, from)
	again := joinAll(t, o, from)
	if again.Packs != 0 || !again.UpToDate || again.Snapshot != first.Snapshot || again.Built != "" {
		t.Errorf("joining again: %+v, want nothing to do", again)
	}
	c.rows[0].given += " edited"
	c.write(t)
	edited := joinAll(t, o, parts(t, o, 3, r))
	clean := o
	clean.Store = filepath.Join(fastTemp(t), "clean")
	if want := mustBuild(t, clean); edited.Dataset != want.Dataset || edited.Built == "" {
		t.Errorf("after an edit root %.8s, built %q; want %.8s by a build", edited.Dataset, edited.Built, want.Dataset)
	}
}

// TestPartsThatDoNotFit: every one is named, and nothing is made.
func TestPartsThatDoNotFit(t *testing.T) {
	t.Parallel()
	c, d := motley(t, 60), motley(t, 80)
	r := rand.New(rand.NewPCG(4, 22))
	o := Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(fastTemp(t), "joined")}
	from := parts(t, o, 3, r)
	other := o
	other.Dataset = d.dir
	foreign := parts(t, other, 3, r)
	unfinished := filepath.Join(fastTemp(t), "none")
	for name, tt := range map[string]struct {
		from []string
		want []string
	}{
		"missing":      {from[:1], []string{"2 parts are not there", "/3"}},
		"twice":        {append([]string{from[0]}, from...), []string{"are both part"}},
		"another plan": {append([]string{foreign[0]}, from...), []string{"of another plan"}},
		"unfinished":   {append([]string{unfinished}, from...), []string{unfinished + " holds no finished part"}},
		"none":         {nil, []string{"no part"}},
	} {
		_, err := Join(context.Background(), JoinOptions{Parts: tt.from, Store: o.Store, Now: time.Now})
		if !errors.Is(err, plan.ErrPlan) {
			t.Errorf("%s: error %v, want one of the plan", name, err)
			continue
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
		if _, err := os.Stat(o.Store); err == nil {
			t.Errorf("%s: a store was made", name)
		}
	}
}

// TestAPartOfAnotherPlanIsNotBuilt: neither with another config nor with other metadata.
func TestAPartOfAnotherPlanIsNotBuilt(t *testing.T) {
	t.Parallel()
	c := motley(t, 60)
	o := Options{Dataset: c.dir, Config: smallConfig(), Store: filepath.Join(fastTemp(t), "part")}
	p, err := NewPlan(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	o.Part = &plan.Part{Plan: p, Of: 2}
	refused := func(what, want string) {
		t.Helper()
		if _, err := BuildPart(context.Background(), o); !errors.Is(err, plan.ErrPlan) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", what, err, want)
		}
	}
	o.Config.Shape.MaxMelFrames++
	refused("another config", "config")
	o.Config.Shape.MaxMelFrames--
	c.rows[7].text += "!"
	c.write(t)
	refused("an edited row", "metadata")
}

package compiler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
)

// severalCorpora are three: one with speakers, languages, notes, rejections and duplicates, one whose
// rows have sides by a pair of files, with clips named as those of the first, and one that is edited later.
func severalCorpora(t testing.TB) (Options, *corpus) {
	t.Helper()
	all, sides := motley(t, 260), motley(t, 140)
	lines := strings.SplitAfter(string(sides.written["metadata.csv"]), "\n")
	for name, list := range map[string][]string{"train.csv": lines[:100], "val.csv": lines[100:]} {
		writeFile(t, filepath.Join(sides.dir, name), []byte(strings.Join(list, "")))
	}
	if err := os.Remove(filepath.Join(sides.dir, "metadata.csv")); err != nil {
		t.Fatal(err)
	}
	plain := newCorpus(filepath.Join(fastTemp(t), "data"), 3)
	for i := range 40 {
		id := fmt.Sprintf("row-%04d", i)
		plain.rows = append(plain.rows, line{id: id, text: fmt.Sprint("plain ", i), given: fmt.Sprint("plain ", i)})
		plain.wavs[id] = noiseWAV(uint64(5000+i), 8000, 700+10*i)
	}
	plain.write(t)
	for _, dir := range []string{all.dir, sides.dir, plain.dir} {
		makeOld(t, dir)
	}
	return Options{Config: smallConfig(), Corpora: []intake.Corpus{
		{Name: "all", Dir: all.dir},
		{Name: "sides", Dir: sides.dir, Train: filepath.Join(sides.dir, "train.csv"), Eval: filepath.Join(sides.dir, "val.csv")},
		{Name: "plain", Dir: plain.dir, Speaker: "nobody", Language: "en"},
	}}, plain
}

// killedBefore starts a child again and again, kills it at random moments until one was hit, and says how often it was.
// takes is how long a child ran that ended before its kill.
func killedBefore(t *testing.T, r *rand.Rand, takes *time.Duration, child func() *exec.Cmd) (killed int) {
	t.Helper()
	for range 3 {
		cmd := begin(t, child())
		began, ended := time.Now(), make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				t.Fatalf("a child that nobody killed: %v", err)
			}
			*takes = time.Since(began)
		case <-time.After(time.Duration(r.Float64() * float64(*takes))):
			cmd.Process.Kill()
			if <-ended != nil {
				return 1
			}
		}
	}
	return 0
}

// TestKilledPartsAndJoins is law 1 over machines that fail: every part and every join of three corpora is killed by
// SIGKILL at a random moment and then made again, once more after it has ended, and on a store that holds the last version.
func TestKilledPartsAndJoins(t *testing.T) {
	t.Parallel()
	o, plain := severalCorpora(t)
	counts := []int{1, 2, 3, 7, 64}
	if testing.Short() {
		counts = []int{3}
	}
	o.Store = filepath.Join(fastTemp(t), "one")
	one := mustBuild(t, o)
	if one.Rows.Rejected < 30 || one.Rows.Noted < 15 || one.Rows.Kept < 300 {
		t.Fatalf("the corpora are not motley: %+v", one.Rows)
	}
	r := rand.New(rand.NewPCG(5, 22))
	part, join, killedParts, killedJoins := 300*time.Millisecond, 100*time.Millisecond, 0, 0
	for _, n := range counts {
		p, err := NewPlan(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		from := make([]string, n)
		for i := range from {
			from[i] = filepath.Join(fastTemp(t), "part")
		}
		for _, i := range r.Perm(n) {
			o := o
			o.Store, o.Part, o.Workers = from[i], &plan.Part{Plan: p, Index: i, Of: n}, 1+r.IntN(2)
			if n < 10 || i%8 == 0 { // of 64 parts most have a few rows, and a process each takes long
				killedParts += killedBefore(t, r, &part, func() *exec.Cmd { return buildChild(o) })
			}
			if _, err := BuildPart(context.Background(), o); err != nil {
				t.Fatalf("part %d of %d: %v", i, n, err)
			}
		}
		joined := o
		joined.Store = filepath.Join(fastTemp(t), "joined")
		killedJoins += killedBefore(t, r, &join, func() *exec.Cmd { return joinChild(joined, from) })
		report := joinAll(t, joined, from)
		if report.Built != "" {
			t.Errorf("%d parts: a build had to help: %s", n, report.Built)
		}
		wantJoined(t, joined, one, o.Store, report)
		if again := joinAll(t, joined, from); again.Packs != 0 || !again.UpToDate {
			t.Errorf("%d parts joined again: %+v, want nothing to do", n, again)
		}
		plain.rows[n%40].given += " edited"
		plain.write(t)
		edited := mustBuild(t, joined)
		if run := edited.Stages["text"].Run; edited.Stages["mel"].Run != 0 || run != 1 {
			t.Errorf("an edit after the join runs %v", edited.Stages)
		}
		one = mustBuild(t, o)
		if edited.Dataset != one.Dataset {
			t.Errorf("after an edit the root is %.8s, want %.8s", edited.Dataset, one.Dataset)
		}
	}
	t.Logf("%d parts and %d of %d joins were killed before their end", killedParts, killedJoins, len(counts))
	if killedParts < len(counts) || killedJoins == 0 && !testing.Short() {
		t.Errorf("too few were killed: %d parts, %d joins", killedParts, killedJoins)
	}
}

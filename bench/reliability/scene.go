package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// lab holds what all trials share.
type lab struct {
	program string
	dir     string
	desks   int
	until   time.Time  // no trial begins later; zero: without end
	rand    *rand.Rand // of the goroutine that plans trials
	scenes  []*scene

	mu    sync.Mutex
	table *table
	log   io.Writer
}

// scene is a store and a command over it.
type scene struct {
	name    string
	store   string   // its template, "" for none
	from    string   // what a copy reads
	dataset string   // what a build reads
	command []string // of the program; STORE, FROM and DATASET are replaced
	again   bool     // the command is run once more, without a fault, and has then done its work
	damaged bool     // the template is
	misses  int      // rows that the command leaves out, whose mels the next build has to compute
	joins   []string // the command builds a part: the others, to be joined with it
	before  string   // the root in the template, "" for none
	after   string   // the root that the command makes
	built   string   // the root that the next build makes
	digest  string   // of a feed of it
	done    string   // of a gc: what is left when it has done its work
	kills   int      // share of all kills
	each    bool     // it is killed at every call that writes
	faults  int      // share of all faults
	takes   time.Duration
	calls   map[string]int // system calls: how often the busiest thread makes them
}

// corpus is a folder of ten short clips, with a few rows a shard; small is one of three
// clips of 90 ms.
const (
	corpus        = "testdata/corpus/en"
	small         = "testdata/corpus/formats/ljspeech"
	smallSettings = "data:\n  n_mels: 8\n  max_mel_frames: 24\n  max_text_length: 100\n  rows_per_shard: 2\n"
)

// place is a folder of the lab.
func (l *lab) place(name string) string { return filepath.Join(l.dir, name) }

// datasets makes them: "dataset" and the same with an edit, with rows that are rejected,
// and "versions", which is edited on and on.
func (l *lab) datasets(rows int) error {
	for _, name := range []string{"dataset", "edited", "versions", "many", "more", "wide", "voices"} {
		if err := os.CopyFS(l.place(name), os.DirFS(corpus)); err != nil {
			return err
		}
		if err := appendTo(filepath.Join(l.place(name), "voxpack.yaml"), "\ndata:\n  rows_per_shard: 2\n"); err != nil {
			return err
		}
	}
	if err := os.CopyFS(l.place("small"), os.DirFS(small)); err != nil {
		return err
	}
	// Rows without a clip are rejected, and their texts go to the cache: 14,000
	// are more than its first table of keys once held when it was read.
	return errors.Join(appendTo(filepath.Join(l.place("small"), "voxpack.yaml"), smallSettings), addSpeakers(l.place("voices")), edit(l.place("edited"), 1), widen(l.place("wide")), addRows(l.place("many"), 14_000), addRows(l.place("more"), rows))
}

func (l *lab) prepare(ctx context.Context, rows int) error {
	if err := l.datasets(rows); err != nil {
		return err
	}
	time.Sleep(2500 * time.Millisecond) // time stamps are trusted when they are old enough
	base, edited, versions, store, packs := l.place("dataset"), l.place("edited"), l.place("versions"), l.place("store"), l.place("packs")
	first, err := l.build(ctx, base, store)
	if err != nil {
		return err
	}
	last := ""
	for n := range 17 { // the eighteenth build merges
		if err := edit(versions, n+2); err != nil {
			return err
		}
		if last, err = l.build(ctx, versions, packs); err != nil {
			return err
		}
	}
	spoilt := l.place("spoilt")
	if err := exec.Command("cp", "-a", packs, spoilt).Run(); err != nil {
		return err
	}
	if err := l.spoil(spoilt); err != nil {
		return err
	}
	robbed := l.place("robbed") // of its recordings
	if err := os.CopyFS(robbed, os.DirFS(versions)); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(robbed, "wavs")); err != nil {
		return err
	}
	voices := l.place("voices-store")
	if _, err := l.build(ctx, l.place("voices"), voices); err != nil {
		return err
	}
	parts, err := l.parts(ctx, l.place("wide"), 3)
	if err != nil {
		return err
	}
	build := []string{"build", "DATASET", "-o", "STORE", "-q"}
	join := append(append([]string{"join"}, parts...), "--dataset", "DATASET", "-o", "STORE", "-q")
	l.scenes = []*scene{
		{name: "first build", dataset: base, command: build, kills: 20, faults: 20},
		{name: "edit", store: store, before: first, dataset: edited, command: build, kills: 25, faults: 20},
		{name: "cache of 14,000 rows", store: store, before: first, dataset: l.place("many"), command: build, kills: 25, faults: 20},
		{name: "build and merge", store: packs, before: last, dataset: edited, command: build, kills: 26, faults: 20},
		{name: fmt.Sprintf("cache of %d rows", rows), store: store, before: first, dataset: l.place("more"), command: build, kills: 4},
		{name: "gc --apply", store: packs, before: last, dataset: versions, command: []string{"gc", "STORE", "--apply"}, again: true, kills: 30, faults: 25},
		{name: "repair", store: spoilt, damaged: true, before: last, dataset: versions, command: []string{"repair", "STORE", "--dataset", "DATASET", "-q"}, again: true, kills: 30, faults: 25},
		{name: "copy", store: store, before: first, from: packs, dataset: versions, command: []string{"copy", "FROM", "STORE", "-q"}, again: true, kills: 30, faults: 25},
		{name: "copy --row-filter", from: voices, dataset: l.place("voices"), command: []string{"copy", "FROM", "STORE", "--row-filter", "speaker:sara", "-q"}, again: true, misses: 5, kills: 15, faults: 15},
		{name: "repair --drop", store: spoilt, damaged: true, before: last, dataset: versions, command: []string{"repair", "STORE", "--dataset", robbed, "--drop", "-q"}, again: true, misses: 1, kills: 15, faults: 15},
		{name: "part", dataset: l.place("wide"), command: []string{"build", "DATASET", "--plan", l.place("plan.json"), "--part", "1/3", "-o", "STORE", "-q"}, again: true, joins: []string{parts[0], parts[2]}, kills: 25, faults: 15},
		{name: "join", dataset: l.place("wide"), command: join, again: true, kills: 25, faults: 15},
		{name: "join after a version", store: store, before: first, dataset: l.place("wide"), command: join, again: true, kills: 20, faults: 15},
		{name: "verify --full", store: store, before: first, dataset: base, command: []string{"verify", "STORE", "--full"}, faults: 10},
		{name: "feed", store: store, before: first, dataset: base, command: []string{"feed", "STORE", "--batch-size", "4", "-q", "--record", "none"}, faults: 10},
	}
	every, err := l.smallScenes(ctx)
	if err != nil {
		return err
	}
	l.scenes = append(l.scenes, every...)
	if rows == 0 {
		l.scenes = slices.DeleteFunc(l.scenes, func(s *scene) bool { return s.name == "cache of 0 rows" })
	}
	trials := []func(context.Context, *desk) error{}
	for _, s := range l.scenes {
		trials = append(trials, func(ctx context.Context, d *desk) error {
			if err := d.measure(ctx, s); err != nil {
				return fmt.Errorf("scene %s: %w", s.name, err)
			}
			return nil
		})
	}
	return l.each(ctx, unranked(trials))
}

// spoil flips a bit of the largest file of a store's oldest pack.
func (l *lab) spoil(store string) error {
	logs, err := filepath.Glob(filepath.Join(store, "packs", "*", "*.vlog"))
	if err != nil || len(logs) == 0 {
		return fmt.Errorf("no logs in %s: %w", store, err)
	}
	b, err := os.ReadFile(logs[0])
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(logs[0], b, 0o666)
}

// edit changes the text of the first row, to a version of its own; -1 changes it back.
func edit(dir string, version int) error {
	path := filepath.Join(dir, "metadata.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte(" And then"))
	if version >= 0 {
		line = fmt.Appendf(bytes.Clone(line), " And then %s.", strings.Repeat("indeed ", version))
	}
	return os.WriteFile(path, append(append(bytes.Clone(line), '\n'), rest...), 0o666)
}

func addRows(dir string, n int) error {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "none-%06d|Sentence number %d has no clip.|Sentence number %d has no clip.\n", i, i, i)
	}
	return appendTo(filepath.Join(dir, "metadata.csv"), b.String())
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// addSpeakers names a speaker of each row, in turn.
func addSpeakers(dir string) error {
	path := filepath.Join(dir, "metadata.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var lines []byte
	for line := range bytes.Lines(b) {
		speaker := "sara"
		if bytes.Count(lines, []byte("\n"))%2 == 1 {
			speaker = "omid"
		}
		lines = fmt.Appendf(lines, "%s|%s|en\n", bytes.TrimSpace(line), speaker)
	}
	return os.WriteFile(path, lines, 0o666)
}

// build builds without a fault and returns the root.
func (l *lab) build(ctx context.Context, dataset, store string, flags ...string) (string, error) {
	r, err := l.work(ctx, dataset, store, flags...)
	return r.Dataset, err
}

// built is what a build says of itself.
type built struct {
	Dataset string                    `json:"dataset"`
	Stages  map[string]map[string]int `json:"stages"`
	Wrote   int64                     `json:"bytes_written"`
}

// work builds without a fault.
func (l *lab) work(ctx context.Context, dataset, store string, flags ...string) (r built, err error) {
	out, err := l.json(ctx, append([]string{"build", dataset, "-o", store, "-q"}, flags...)...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

// root is what the ref of a store names.
func (l *lab) root(ctx context.Context, store string) (string, error) {
	r, err := l.report(ctx, "show", store)
	return r.Dataset, err
}

// feed is the digest of what an epoch delivers.
func (l *lab) feed(ctx context.Context, store string) (string, error) {
	r, err := l.report(ctx, "feed", store, "--digest", "-q", "--record", "none", "--batch-size", "4", "--tail", "pad")
	return strings.Join(r.EpochDigests, " "), err
}

// verify reads every byte of a store; what it finds is the error.
func (l *lab) verify(ctx context.Context, store string) error {
	out, err := exec.CommandContext(ctx, l.program, "verify", store, "--full").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// report is what is read of the JSON of show, feed and gc.
type report struct {
	Dataset      string          `json:"dataset"`
	EpochDigests []string        `json:"epoch_digests"`
	Live         int64           `json:"live"`
	Dead         int64           `json:"dead"`
	Kept         json.RawMessage `json:"kept"`
}

func (l *lab) report(ctx context.Context, args ...string) (r report, err error) {
	out, err := l.json(ctx, args...)
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, err
}

func (l *lab) json(ctx context.Context, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, l.program, append(args, "--json")...).Output()
	return out, saidBy(err)
}

// saidBy adds to the error of a process what it said.
func saidBy(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	return err
}

// arguments is the scene's command over a store.
func (l *lab) arguments(s *scene, store string) []string {
	args := []string{l.program}
	for _, a := range s.command {
		args = append(args, strings.NewReplacer("STORE", store, "FROM", s.from, "DATASET", s.dataset).Replace(a))
	}
	return args
}

// measure runs a scene without a fault: its root, its time, its system calls, and what
// the next build makes.
func (d *desk) measure(ctx context.Context, s *scene) error {
	store, err := d.copyOf(s.store, "trial")
	if err != nil {
		return err
	}
	args := d.arguments(s, store)
	began := time.Now()
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	s.takes = time.Since(began)
	if s.after, err = d.root(ctx, store); err != nil {
		return err
	}
	if s.done, err = d.settled(ctx, s, store); err != nil {
		return err
	}
	if store, err = d.whole(ctx, s, store); err != nil {
		return err
	}
	if s.built, err = d.build(ctx, s.dataset, store); err != nil {
		return err
	}
	if s.digest, err = d.feed(ctx, store); err != nil {
		return err
	}
	if _, err = d.copyOf(s.store, "trial"); err != nil {
		return err
	}
	s.calls, err = d.countCalls(ctx, args)
	return err
}

// settled is what a gc leaves, as far as two of them have to agree.
func (l *lab) settled(ctx context.Context, s *scene, store string) (string, error) {
	if s.command[0] != "gc" {
		return "", nil
	}
	r, err := l.report(ctx, "gc", store)
	if err == nil && r.Dead > r.Live/20 {
		err = fmt.Errorf("%d bytes are dead beside %d", r.Dead, r.Live)
	}
	return fmt.Sprintf("%d %s", r.Live, r.Kept), err
}

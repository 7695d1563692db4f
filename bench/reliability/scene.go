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
	"strings"
	"time"
)

// lab holds what all trials share.
type lab struct {
	program string
	dir     string
	rand    *rand.Rand
	log     io.Writer
	scenes  []*scene
	digest  string // what a feed of the base store delivers
}

// scene is a store and a command over it.
type scene struct {
	name    string
	store   string   // its template, "" for none
	dataset string   // what a build reads
	command []string // of the program; STORE and DATASET are replaced
	before  string   // the root in the template, "" for none
	after   string   // the root that the command makes
	kills   int      // share of all kills, in percent
	faults  int      // share of all faults
	takes   time.Duration
	calls   map[string]int // system calls: how often the busiest thread makes them
}

// corpus is a folder of ten short clips, with a few rows a shard.
const corpus = "testdata/corpus/en"

func (l *lab) prepare(ctx context.Context, rows int) error {
	base, edited := filepath.Join(l.dir, "dataset"), filepath.Join(l.dir, "edited")
	many, more := filepath.Join(l.dir, "many"), filepath.Join(l.dir, "more")
	for _, dir := range []string{base, edited, many, more} {
		if err := os.CopyFS(dir, os.DirFS(corpus)); err != nil {
			return err
		}
		f, err := os.OpenFile(filepath.Join(dir, "voxpack.yaml"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return err
		}
		_, err = f.WriteString("\ndata:\n  rows_per_shard: 2\n")
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	// Rows without a clip are rejected, and their texts go to the cache: 14,000
	// are more than its first table of keys once held when it was read.
	if err := errors.Join(edit(edited, 1), addRows(many, 14_000), addRows(more, rows)); err != nil {
		return err
	}
	time.Sleep(2500 * time.Millisecond) // time stamps are trusted when they are old enough
	store := filepath.Join(l.dir, "store")
	first, err := l.build(ctx, base, store)
	if err != nil {
		return err
	}
	if l.digest, err = l.feed(ctx, store); err != nil {
		return err
	}
	packs, root := filepath.Join(l.dir, "packs"), ""
	for n := range 17 { // the eighteenth build merges
		if err := edit(base, n+2); err != nil {
			return err
		}
		if root, err = l.build(ctx, base, packs); err != nil {
			return err
		}
	}
	if err := edit(base, -1); err != nil {
		return err
	}
	build := []string{"build", "DATASET", "-o", "STORE", "-q"}
	l.scenes = []*scene{
		{name: "first build", dataset: base, command: build, kills: 20, faults: 20},
		{name: "edit", store: store, before: first, dataset: edited, command: build, kills: 25, faults: 20},
		{name: "cache of 14,000 rows", store: store, before: first, dataset: many, command: build, kills: 25, faults: 20},
		{name: "build and merge", store: packs, before: root, dataset: edited, command: build, kills: 26, faults: 20},
		{name: fmt.Sprintf("cache of %d rows", rows), store: store, before: first, dataset: more, command: build, kills: 4},
		{name: "verify --full", store: store, before: first, dataset: base, command: []string{"verify", "STORE", "--full"}, faults: 10},
		{name: "feed", store: store, before: first, dataset: base, command: []string{"feed", "STORE", "--batch-size", "4", "-q", "--record", "none"}, faults: 10},
	}
	for _, s := range l.scenes {
		if err := l.measure(ctx, s); err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
	}
	return nil
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
	f, err := os.OpenFile(filepath.Join(dir, "metadata.csv"), os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "none-%06d|Sentence number %d has no clip.|Sentence number %d has no clip.\n", i, i, i)
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}

// build builds without a fault and returns the root.
func (l *lab) build(ctx context.Context, dataset, store string, flags ...string) (string, error) {
	r, err := l.report(ctx, append([]string{"build", dataset, "-o", store, "-q"}, flags...)...)
	return r.Dataset, err
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

// report is what is read of the JSON of any command.
type report struct {
	Dataset      string   `json:"dataset"`
	EpochDigests []string `json:"epoch_digests"`
}

func (l *lab) report(ctx context.Context, args ...string) (r report, err error) {
	out, err := exec.CommandContext(ctx, l.program, append(args, "--json")...).Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	return r, saidBy(err)
}

// saidBy adds to the error of a process what it said.
func saidBy(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
	}
	return err
}

// copyOf copies the template of a scene to a place of a trial; holes stay holes.
func (l *lab) copyOf(template string) (string, error) {
	place := filepath.Join(l.dir, "trial")
	if err := os.RemoveAll(place); err != nil || template == "" {
		return place, err
	}
	return place, exec.Command("cp", "-a", "--sparse=always", template, place).Run()
}

// command is the scene's command over a store.
func (l *lab) arguments(s *scene, store string) []string {
	args := []string{l.program}
	for _, a := range s.command {
		args = append(args, strings.NewReplacer("STORE", store, "DATASET", s.dataset).Replace(a))
	}
	return args
}

// measure runs a scene without a fault: its root, its time, its system calls.
func (l *lab) measure(ctx context.Context, s *scene) error {
	store, err := l.copyOf(s.store)
	if err != nil {
		return err
	}
	args := l.arguments(s, store)
	began := time.Now()
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	s.takes = time.Since(began)
	if s.after, err = l.root(ctx, store); err != nil {
		return err
	}
	if _, err = l.copyOf(s.store); err != nil { // to the same place
		return err
	}
	s.calls, err = l.countCalls(ctx, args)
	return err
}

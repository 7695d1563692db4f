package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// largeRows are enough for a value log of 100 MB; at a time so many of its bytes are
// damaged, where a feed tells by the row what it refuses.
const (
	largeRows = 400
	together  = 100
)

// largeTrials plans flips of random bytes of a large store. Each is looked for by itself,
// in this process: what a pack's seal says of a damaged file is read without its database.
// A feed then meets many of them at once, and one repair all of them.
func (l *lab) largeTrials(o options) []func(context.Context, *desk) error {
	if o.flips == 0 {
		return nil
	}
	var flips []place
	for range o.flips {
		flips = append(flips, place{when: l.rand.IntN(1 << 62)})
	}
	return []func(context.Context, *desk) error{func(ctx context.Context, d *desk) error { return d.large(ctx, flips) }}
}

// big is the large store, and what a feed of it delivers.
type big struct {
	dir, data, root string
	rows            map[uint32][32]byte
	log             *os.File // of its only pack
	size            int64
}

func (d *desk) large(ctx context.Context, flips []place) error {
	b := &big{dir: d.place("large-store"), data: d.place("large")}
	if err := largeDataset(b.data); err != nil {
		return err
	}
	var err error
	if b.root, err = d.build(ctx, b.data, b.dir); err != nil {
		return err
	}
	if b.rows, err = rows(ctx, b.dir); err != nil {
		return err
	}
	logs, err := filepath.Glob(filepath.Join(b.dir, "packs", "*", "*.vlog"))
	if err != nil || len(logs) != 1 {
		return fmt.Errorf("%d logs, want one: %w", len(logs), err)
	}
	if b.log, err = os.OpenFile(logs[0], os.O_RDWR, 0); err != nil {
		return err
	}
	defer b.log.Close()
	info, err := b.log.Stat()
	if err != nil {
		return err
	}
	b.size = info.Size()
	for i, p := range flips {
		if d.over() {
			flips = flips[:i]
			break
		}
		if err := d.found(ctx, b, p); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(flips, together) {
		if err := d.fed(ctx, b, some); err != nil {
			return err
		}
	}
	if len(flips) == 0 {
		return nil
	}
	return d.repaired(ctx, b, flips)
}

// flip flips a bit at each place, or flips it back.
func (b *big) flip(places ...place) error {
	for _, p := range places {
		if err := flipIn(b.log, int64(p.when/8)%b.size, p.when%8); err != nil {
			return err
		}
	}
	return nil
}

// found looks for one flipped bit.
func (d *desk) found(ctx context.Context, b *big, p place) error {
	r := result{scene: "random bytes of a large store", what: "a flipped bit in a pack", inject: fmt.Sprint(p.when), reads: true, code: 1}
	if err := b.flip(p); err != nil {
		return err
	}
	n, err := findings(ctx, b.dir)
	if err == nil && n == 0 {
		r.code, r.lost = 0, "verify --full finds nothing"
	}
	d.note(r)
	return errors.Join(err, b.flip(p))
}

// fed feeds the store with some flipped bits: each row comes as it was, or not at all.
func (d *desk) fed(ctx context.Context, b *big, some []place) error {
	r := result{scene: "random bytes of a large store", what: fmt.Sprintf("a feed over %d flipped bits", together), inject: fmt.Sprint(some[0].when), reads: true}
	if err := b.flip(some...); err != nil {
		return err
	}
	got, err := rows(ctx, b.dir)
	if err != nil {
		r.code, r.said = 1, err.Error()
	}
	for row, sum := range got {
		if sum != b.rows[row] {
			r.lost = fmt.Sprintf("row %d has other bytes", row)
		}
	}
	d.note(r)
	return b.flip(some...)
}

// repaired repairs the store with all bits flipped.
func (d *desk) repaired(ctx context.Context, b *big, flips []place) error {
	if err := b.flip(flips...); err != nil {
		return err
	}
	r := result{scene: "random bytes of a large store", what: fmt.Sprintf("repair of %d flipped bits", len(flips)), reads: true}
	out, err := exec.CommandContext(ctx, d.program, "repair", b.dir, "--dataset", b.data, "-q").CombinedOutput()
	if r.code, r.said = codeOf(err), string(out); err != nil {
		r.stuck = "repair: " + string(out)
	}
	got, err := rows(ctx, b.dir)
	if err == nil {
		err = d.verify(ctx, b.dir)
	}
	if root, _ := d.root(ctx, b.dir); err != nil || root != b.root || !maps.Equal(got, b.rows) {
		r.lost = fmt.Sprintf("repair makes %s of %d rows, want %s of %d: %v", root, len(got), b.root, len(b.rows), err)
	}
	d.note(r)
	return ctx.Err()
}

// findings counts what a full look at a store finds.
func findings(ctx context.Context, dir string) (n int, err error) {
	s, err := store.Open(dir)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	err = s.Verify(ctx, true, func(store.Damage) { n++ })
	return n, err
}

// largeDataset makes one whose rows share ten clips.
func largeDataset(dir string) error {
	if err := os.CopyFS(dir, os.DirFS(corpus)); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(dir, "metadata.csv"))
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	var rows strings.Builder
	for n := range largeRows {
		id, rest, _ := strings.Cut(lines[n%len(lines)], "|")
		name := fmt.Sprintf("%s-%03d", id, n)
		if err := os.Link(filepath.Join(dir, "wavs", id+".wav"), filepath.Join(dir, "wavs", name+".wav")); err != nil {
			return err
		}
		fmt.Fprintf(&rows, "%s|%s\n", name, rest)
	}
	return os.WriteFile(filepath.Join(dir, "metadata.csv"), []byte(rows.String()), 0o666)
}

// rows are the digests of the rows that a feed delivers, by number. It leaves out what is
// corrupt; what cannot be fed at all is an error.
func rows(ctx context.Context, dir string) (sums map[uint32][32]byte, err error) {
	s, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	data, err := s.Dataset("main")
	if err != nil {
		return nil, err
	}
	set, err := plan.Select(data, plan.Selection{})
	if err != nil {
		return nil, err
	}
	f, err := gpufeed.Open(ctx, set, gpufeed.Config{Plan: plan.Options{Batch: 1, Shuffle: plan.None, Epochs: 1}, SkipCorrupt: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sums = map[uint32][32]byte{}
	for {
		b, err := f.Next(ctx)
		if errors.Is(err, io.EOF) {
			return sums, nil
		}
		if err != nil {
			return sums, err
		}
		sums[b.Rows[0]] = sha256.Sum256(b.Host)
		b.Release()
	}
}

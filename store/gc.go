package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// deadLeft: of what is needed, 1/50 may lie dead beside it. GC promises 1/20 on disk.
const deadLeft = 50

// GCReport says what GC found and did, or without apply would do.
type GCReport struct {
	Packs  []GCPack `json:"packs"`  // as they were, in the order of search
	Live   int64    `json:"live"`   // bytes of values that something needs
	Dead   int64    `json:"dead"`   // bytes of values that nothing needs
	Before int64    `json:"before"` // bytes of all packs on disk
	After  int64    `json:"after"`  // an estimate without apply
	Open   []int    `json:"open"`   // processes that have packs open, as far as they can be told
}

// GCPack is a pack and what becomes of it.
type GCPack struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"` // on disk
	Live  int64  `json:"live"`  // bytes of values that something needs
	Dead  int64  `json:"dead"`  // bytes of values that nothing needs
	Fate  string `json:"fate"`  // see below
}

// What becomes of a pack.
const (
	FateKept    = "kept"    // too little of it is dead
	FateCopied  = "copied"  // what is needed moves into a new pack
	FateRemoved = "removed" // nothing of it is needed, or it is in a newer pack
	FateOpen    = "open"    // somebody has it open, so that it stays
	FateDamaged = "damaged" // it cannot be read and stays
)

// GC brings a store near to the size of what is needed, as live tells (see Merge): it copies
// that out of packs where much else lies, merges small packs, and removes what it copied.
// Packs that a build, a feeder or a reader has open stay as they are. Without apply it only
// reports. Where it cannot tell what is needed, as a ref is damaged, it does nothing and
// returns that error. Another merge at work: ErrBusy.
func GC(ctx context.Context, dir string, o WriterOptions, live func(*Store) (map[[33]byte]struct{}, error), apply bool) (GCReport, error) {
	o = o.withDefaults()
	g := &collection{most: o.MaxPack, report: GCReport{Packs: []GCPack{}, Open: []int{}}}
	lock, err := lockMerges(dir)
	if err != nil {
		return g.report, fmt.Errorf("gc: %w", err)
	}
	defer unlock(lock)
	if live != nil {
		if !apply {
			live = g.foresee(live)
		} else if err := g.gather(ctx, dir, o, live); err != nil {
			return g.report, fmt.Errorf("gc: %w", err)
		}
	}
	for {
		done := MergeReport{}
		m := &merge{dir: dir, o: o, report: &done, damaged: map[*pack]bool{}, gc: g, dry: !apply}
		err := m.run(ctx, live)
		g.told = true
		if apply {
			err = errors.Join(err, g.weigh(dir))
		}
		if err != nil {
			return g.report, fmt.Errorf("gc: %w", err)
		}
		if idle := done.Dropped == 0 && done.Merged < 2; !apply || done.Removed == 0 || idle {
			return g.report, nil
		}
	}
}

// collection is one call of GC.
type collection struct {
	most   int64    // WriterOptions.MaxPack
	report GCReport // Packs, Live, Dead and Before of the first round
	told   bool     // that round is over
	before int64    // bytes on disk before blocks were gathered; 0: none were
	adds   int64    // bytes of values that a gathering would write
}

// liveness tells what must stay: see Merge.
type liveness = func(*Store) (map[[33]byte]struct{}, error)

// gather stores loose blocks whole. What is reported as before is from before that.
func (g *collection) gather(ctx context.Context, dir string, o WriterOptions, live liveness) error {
	if err := g.weigh(dir); err != nil {
		return err
	}
	g.before = g.report.After
	return gatherLoose(ctx, dir, o, live)
}

// foresee is live as it would be after a gathering.
func (g *collection) foresee(live liveness) liveness {
	return func(s *Store) (needed map[[33]byte]struct{}, err error) {
		if needed, err = live(s); err == nil {
			g.adds, err = s.asGathered(needed)
		}
		return needed, err
	}
}

// choose picks the packs to copy: those with the largest dead parts until little is dead,
// and with them, or with each other, the small ones. Of these a round takes as many as
// make one pack.
func (g *collection) choose(m *merge, p *plan, active []*smallOne) {
	p.drop = p.live != nil
	if !p.drop {
		return
	}
	var live, dead int64
	alone := map[*smallOne]bool{}
	for _, c := range active {
		live, dead = live+c.live, dead+c.dead
		alone[c] = c.pack.alone()
	}
	live += g.adds
	order := slices.Clone(active)
	slices.SortStableFunc(order, func(a, b *smallOne) int { return cmp.Compare(b.deadPart(), a.deadPart()) })
	left := dead
	var small []*smallOne
	for _, c := range order {
		switch {
		case !alone[c]:
		case c.dead > 0 && left > live/deadLeft:
			p.inputs, left = append(p.inputs, c), left-c.dead
		case c.bytes < min(m.o.SmallPack, g.most/2): // two of them make one pack
			small = append(small, c)
		}
	}
	some := slices.DeleteFunc(slices.Clone(p.inputs), func(c *smallOne) bool { return c.live == 0 })
	if len(some)+len(small) > 1 { // one by itself would only be copied
		p.inputs = append(p.inputs, small...)
	}
	if !g.told {
		g.tell(m, p, live, dead, alone)
	}
	var sum int64
	for i, c := range p.inputs {
		if sum += c.live; i > 0 && sum > g.most {
			p.inputs = p.inputs[:i]
			break
		}
	}
}

// weigh finds what the packs take on disk now.
func (g *collection) weigh(dir string) error {
	ids, err := packIDs(dir)
	g.report.After = 0
	for _, id := range ids {
		if n, err := sizeOnDisk(packPath(dir, id)); err == nil { // else a merge removed it since
			g.report.After += n
		}
	}
	return err
}

// deadPart is the part of a pack's values that nothing needs.
func (c *smallOne) deadPart() float64 { return float64(c.dead) / float64(max(1, c.live+c.dead)) }

// tell fills the report.
func (g *collection) tell(m *merge, p *plan, live, dead int64, alone map[*smallOne]bool) {
	r := &g.report
	r.Packs, r.Live, r.Dead = []GCPack{}, live, dead
	of := map[*pack]GCPack{}
	var open []string
	for c, is := range alone {
		of[c.pack] = GCPack{Bytes: c.bytes, Live: c.live, Dead: c.dead, Fate: FateKept}
		if !is {
			of[c.pack] = GCPack{Bytes: c.bytes, Live: c.live, Dead: c.dead, Fate: FateOpen}
			open = append(open, c.pack.dir)
		}
	}
	for _, c := range p.remove {
		of[c.pack] = GCPack{Bytes: c.bytes, Fate: FateRemoved}
		if !c.pack.alone() {
			of[c.pack] = GCPack{Bytes: c.bytes, Fate: FateOpen}
			open = append(open, c.pack.dir)
		}
	}
	r.Open = append(r.Open, holders(open...)...)
	for _, c := range p.inputs {
		fate := FateCopied
		if c.live == 0 {
			fate = FateRemoved
		}
		of[c.pack] = GCPack{Bytes: c.bytes, Live: c.live, Dead: c.dead, Fate: fate}
	}
	packs, _ := m.store.hands()
	r.Before, r.After = 0, g.adds
	for _, pk := range packs {
		one, is := of[pk]
		if !is {
			one.Fate = FateDamaged
			one.Bytes, _ = sizeOnDisk(pk.dir)
		}
		one.ID = pk.id
		r.Packs = append(r.Packs, one)
		r.Before += one.Bytes
		switch one.Fate {
		case FateCopied:
			r.After += int64(float64(one.Bytes) * float64(one.Live) / float64(max(1, one.Live+one.Dead)))
		case FateKept, FateOpen, FateDamaged:
			r.After += one.Bytes
		}
	}
	if g.before > 0 {
		r.Before = g.before
	}
}

// alone reports whether nobody else has a pack open. Only a merge removes packs, and its
// lock is the caller's: that this pack is unlocked for a moment harms nothing.
func (p *pack) alone() bool {
	alone := flock(p.folder, unix.LOCK_EX|unix.LOCK_NB) == nil
	return flock(p.folder, unix.LOCK_SH|unix.LOCK_NB) == nil && alone
}

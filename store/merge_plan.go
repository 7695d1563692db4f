package store

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// smallOne is a pack that a merge may rewrite: a small one, one of a tier that has too many, or for GC any.
type smallOne struct {
	pack     *pack
	bytes    int64    // on disk
	tier     int      // 0: small
	live     int64    // bytes of values that something needs
	dead     int64    // bytes of values that nothing needs
	replaces []string // packs whose entries it has taken over
	retired  bool     // a merge has taken its entries over; somebody had it open then
}

// plan is what a merge will do.
type plan struct {
	live    map[[33]byte]struct{} // nil: everything is needed
	damaged map[*pack]bool        // packs that cannot be read: they stay as they are and count for nothing
	drop    bool                  // leave out what is dead
	inputs  []*smallOne           // copied into one pack
	remove  []*smallOne           // then removed, where nobody has them open: the inputs and the retired
}

// packDamage is the damage of a pack that a merge met: it goes on without it.
type packDamage struct {
	pack *pack
	err  error
}

func (d *packDamage) Error() string { return d.err.Error() }
func (d *packDamage) Unwrap() error { return d.err }

// damageOf makes a packDamage of an error that is one.
func damageOf(p *pack, err error) error {
	if errors.Is(err, ErrDamaged) {
		return &packDamage{p, err}
	}
	return err
}

// sizeUp finds the small packs and those of tiers that have too many, without the largest pack of the store: that is
// the base, and rewriting it is what merges must never do. With every, it finds all packs. Damaged
// packs are left out, and what they say they replace is not replaced.
func sizeUp(s *Store, o WriterOptions, damaged map[*pack]bool, every bool) ([]*smallOne, error) {
	packs, _ := s.hands()
	retired := map[string]bool{}
	var all []*smallOne
	for _, p := range packs {
		if damaged[p] {
			continue
		}
		seal, err := readSeal(p.dir)
		if err != nil {
			continue // damaged, or gone: Verify tells
		}
		bytes, err := sizeOnDisk(p.dir)
		if err != nil {
			return nil, err
		}
		for _, id := range seal.replaces {
			retired[id] = true
		}
		all = append(all, &smallOne{pack: p, bytes: bytes, tier: tierOf(bytes, o), replaces: seal.replaces})
	}
	var small []*smallOne
	// The extra element, which no pack is as small as, gives MaxFunc a result when there are no packs.
	base := slices.MaxFunc(append(all, &smallOne{bytes: -1}), func(a, b *smallOne) int { return cmp.Compare(a.bytes, b.bytes) })
	// A replaced pack is only waiting for its readers to close it, and another merge would not bring it down.
	tiers := map[int]int{}
	for _, c := range all {
		if c.retired = retired[c.pack.id]; !c.retired && c != base {
			tiers[c.tier]++
		}
	}
	for _, c := range all {
		if every || c.retired || c != base && (c.tier == 0 || tiers[c.tier] > o.MaxTier) {
			small = append(small, c)
		}
	}
	return small, nil
}

// tierOf is the tier of a pack, 0 for a small one.
func tierOf(bytes int64, o WriterOptions) (tier int) {
	for limit := o.SmallPack; bytes >= limit; limit *= 4 {
		tier++
	}
	return tier
}

// dueForMerge reports whether there are too many small packs, or a tier has too many.
func dueForMerge(small []*smallOne, o WriterOptions) bool {
	n := 0
	for _, c := range small {
		if c.retired {
			continue
		}
		if n++; c.tier > 0 || n > o.MaxSmall {
			return true
		}
	}
	return false
}

// makePlan decides what to copy and what to remove. A packDamage is of a pack
// that has to join the damaged ones first.
func (m *merge) makePlan(live map[[33]byte]struct{}) (*plan, error) {
	s, damaged := m.store, m.damaged
	small, err := sizeUp(s, m.o, damaged, m.gc != nil)
	if err != nil {
		return nil, err
	}
	p := &plan{live: live, damaged: damaged}
	if err := p.weigh(s, small, m.o); err != nil {
		return nil, err
	}
	var active []*smallOne
	for _, c := range small {
		if !c.retired {
			active = append(active, c)
			continue
		}
		missed, err := p.missed(s, c, small)
		if err != nil {
			return nil, err
		}
		if missed { // left out and needed again, or damaged where it was copied to
			p.inputs = append(p.inputs, c)
		} else {
			p.remove = append(p.remove, c)
		}
	}
	if m.gc != nil {
		m.gc.choose(m, p, active)
	} else {
		p.choose(active, m.o)
	}
	p.remove = append(p.remove, p.inputs...)
	return p, nil
}

// weigh finds how much is dead, and whether it is enough to be dropped: more than a tenth of what is needed
// plus o.DeadSlack (docs/design/0001). Only small packs count as dead, since only they are rewritten.
// Traces count for nothing: they go with their blocks. Every pack is opened, also where nothing has to be
// weighed, so that damage shows before anything is copied.
func (p *plan) weigh(s *Store, small []*smallOne, o WriterOptions) error {
	of := map[*pack]*smallOne{}
	for _, c := range small {
		of[c.pack] = c
	}
	var live, dead int64
	packs, _ := s.hands()
	for _, pk := range packs {
		if p.damaged[pk] {
			continue
		}
		eng, err := pk.engine()
		if err != nil {
			return damageOf(pk, err)
		}
		c := of[pk]
		if p.live == nil || c != nil && c.retired {
			continue
		}
		err = eng.scan(nil, false, func(key, _ []byte, size int64) error {
			switch {
			case p.needs(key):
				live += size
				if c != nil {
					c.live += size
				}
			case c != nil && Kind(key[0]) != KindTrace:
				c.dead += size
				dead += size
			}
			return nil
		})
		if err != nil {
			return damageOf(pk, fmt.Errorf("pack %s: %w", pk.id, err))
		}
	}
	p.drop = dead > live/10+o.DeadSlack
	return nil
}

// needs reports whether an entry must stay whatever the space.
func (p *plan) needs(key []byte) bool {
	if p.live == nil || foreign(key) {
		return true
	}
	_, ok := p.live[[33]byte(key)]
	return ok
}

// missed reports whether a retired pack holds something needed that is not, or
// not whole, in a pack that stays. Readers may have held it for weeks, so the
// values are looked at: a small pack's worth of hashing.
func (p *plan) missed(s *Store, c *smallOne, small []*smallOne) (bool, error) {
	gone := map[*pack]bool{}
	for _, other := range small {
		gone[other.pack] = other.retired
	}
	packs, _ := s.hands()
	eng, err := c.pack.engine()
	if err != nil {
		return false, damageOf(c.pack, err)
	}
	missed := false
	err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
		if missed || Kind(key[0]) == KindTrace || !p.needs(key) {
			return nil
		}
		missed = !slices.ContainsFunc(packs, func(pk *pack) bool { return !gone[pk] && !p.damaged[pk] && pk.sound(key) })
		return nil
	})
	return missed, damageOf(c.pack, err)
}

// choose picks the packs to copy: all of a tier that has too many, and small ones. While there are too many it takes the
// smallest: at least as many as bring the number to half of the limit, and then
// each next one that is no larger than all taken before it together. So an
// entry is copied a logarithmic number of times. When the dead are dropped,
// packs with an eighth of dead bytes or more are copied too: a copy of less would write more than seven
// bytes for each one that it frees.
func (p *plan) choose(active []*smallOne, o WriterOptions) {
	active = slices.Clone(active)
	active = slices.DeleteFunc(active, func(c *smallOne) bool {
		if c.tier > 0 {
			p.inputs = append(p.inputs, c)
		}
		return c.tier > 0
	})
	slices.SortStableFunc(active, func(a, b *smallOne) int { return cmp.Compare(a.bytes, b.bytes) })
	taken, sum := 0, int64(0)
	if len(active) > o.MaxSmall {
		least := len(active) - o.MaxSmall/2
		for taken < len(active) && (taken < least || active[taken].bytes <= sum) {
			sum += active[taken].bytes
			taken++
		}
	}
	for i, c := range active {
		if i < taken || p.drop && c.dead*8 >= c.bytes {
			p.inputs = append(p.inputs, c)
		}
	}
}

// complete reports whether all that a pack holds is in packs that stay, traces
// perhaps excepted.
func (p *plan) complete(c *smallOne) bool {
	return p.live == nil || !p.drop && slices.Contains(p.inputs, c)
}

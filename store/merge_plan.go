package store

import (
	"cmp"
	"fmt"
	"slices"
)

// smallOne is a small pack as a merge sees it.
type smallOne struct {
	pack    *pack
	bytes   int64 // on disk
	dead    int64 // bytes of values that nothing needs
	retired bool  // a merge has taken its entries over; somebody had it open then
}

// plan is what a merge will do.
type plan struct {
	live   map[[33]byte]struct{} // nil: everything is needed
	drop   bool                  // leave out what is dead
	inputs []*smallOne           // copied into one pack
	remove []*smallOne           // then removed, where nobody has them open: the inputs and the retired
}

// sizeUp finds the small packs, without the largest pack of the store: that is
// the base, and rewriting it is what merges must never do.
func sizeUp(s *Store, o WriterOptions) ([]*smallOne, error) {
	packs, _ := s.hands()
	retired := map[string]bool{}
	var all []*smallOne
	for _, p := range packs {
		bytes, err := sizeOnDisk(p.dir)
		if err != nil {
			return nil, err
		}
		// Without a readable SEAL a pack is damaged, which is for Verify to tell.
		if seal, err := readSeal(p.dir); err == nil {
			for _, id := range seal.replaces {
				retired[id] = true
			}
		}
		all = append(all, &smallOne{pack: p, bytes: bytes})
	}
	var small []*smallOne
	base := slices.MaxFunc(append(all, &smallOne{bytes: -1}), func(a, b *smallOne) int { return cmp.Compare(a.bytes, b.bytes) })
	for _, c := range all {
		c.retired = retired[c.pack.id]
		if c.retired || c != base && c.bytes < o.SmallPack {
			small = append(small, c)
		}
	}
	return small, nil
}

// dueForMerge counts the packs that a merge would have to bring down.
func dueForMerge(small []*smallOne) int {
	n := 0
	for _, c := range small {
		if !c.retired {
			n++
		}
	}
	return n
}

// makePlan decides what to copy and what to remove.
func makePlan(s *Store, o WriterOptions, live map[[33]byte]struct{}) (*plan, error) {
	small, err := sizeUp(s, o)
	if err != nil {
		return nil, err
	}
	p := &plan{live: live}
	if err := p.weigh(s, small, o); err != nil {
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
		if missed { // came to be needed again after a merge had left it out
			p.inputs = append(p.inputs, c)
		} else {
			p.remove = append(p.remove, c)
		}
	}
	p.choose(active, o)
	p.remove = append(p.remove, p.inputs...)
	return p, nil
}

// weigh finds how much is dead, and whether it is enough to be dropped.
func (p *plan) weigh(s *Store, small []*smallOne, o WriterOptions) error {
	if p.live == nil {
		return nil
	}
	of := map[*pack]*smallOne{}
	for _, c := range small {
		of[c.pack] = c
	}
	var live, dead int64
	packs, _ := s.hands()
	for _, pk := range packs {
		eng, err := pk.engine()
		if err != nil {
			return err
		}
		c := of[pk]
		if c != nil && c.retired {
			continue
		}
		err = eng.scan(nil, false, func(key, _ []byte, size int64) error {
			switch {
			case p.needs(key):
				live += size
			case c != nil && Kind(key[0]) != KindTrace:
				c.dead += size
				dead += size
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("pack %s: %w", pk.id, err)
		}
	}
	p.drop = dead > live/10+o.DeadSlack
	return nil
}

// needs reports whether an entry must stay whatever the space.
func (p *plan) needs(key []byte) bool {
	if p.live == nil {
		return true
	}
	_, ok := p.live[[33]byte(key)]
	return ok
}

// missed reports whether a retired pack holds something needed that is in no
// pack that stays.
func (p *plan) missed(s *Store, c *smallOne, small []*smallOne) (bool, error) {
	gone := map[*pack]bool{}
	for _, other := range small {
		gone[other.pack] = other.retired
	}
	packs, _ := s.hands()
	eng, err := c.pack.engine()
	if err != nil {
		return false, err
	}
	missed := false
	err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
		if missed || Kind(key[0]) == KindTrace || p.live != nil && !p.needs(key) {
			return nil
		}
		missed = !slices.ContainsFunc(packs, func(pk *pack) bool { return !gone[pk] && pk.has(key) })
		return nil
	})
	return missed, err
}

// choose picks the packs to copy. While there are too many it takes the
// smallest: at least as many as bring the number to half of the limit, and then
// each next one that is no larger than all taken before it together. So an
// entry is copied a logarithmic number of times. When the dead are dropped,
// packs with an eighth of dead bytes or more are copied too.
func (p *plan) choose(active []*smallOne, o WriterOptions) {
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

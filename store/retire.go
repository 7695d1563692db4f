package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// RetireReport says what became of damaged packs.
type RetireReport struct {
	Removed []string `json:"removed"` // ids of packs
	Left    []string `json:"left"`    // not needed either, but somebody has them open
	Copied  int      `json:"copied"`  // sound entries that only they had
	Kept    []string `json:"kept"`    // ids of packs that have, or had, what a ref needs
	Why     string   `json:"why"`     // they are kept; "" where none is
}

// Retire removes the packs that are damaged, once nothing needs them: what is sound in
// them and needed it copies into a new pack first. Where a ref needs what only a damaged
// pack had, all damaged packs stay: a part of it may still be read back by other means.
// It reads every byte of the store and keeps builds and merges out meanwhile (ErrBusy).
func Retire(ctx context.Context, dir string, o WriterOptions) (r RetireReport, err error) {
	r = RetireReport{Removed: []string{}, Left: []string{}, Kept: []string{}}
	builds, err := TakeLock(dir)
	if err != nil {
		return r, err
	}
	defer builds.Release()
	merges, err := lockMerges(dir)
	if err != nil {
		return r, err
	}
	defer unlock(merges)
	s, err := Open(dir)
	if err != nil {
		return r, err
	}
	defer s.Close()
	s.fix()
	sound, damaged, err := s.partition(ctx)
	if err != nil || len(damaged) == 0 {
		return r, err
	}
	defer func() { // also those that order leaves out
		for _, p := range damaged {
			err = errors.Join(err, p.close())
		}
	}()
	if r.Copied, err = s.rescue(ctx, sound, damaged, o.withDefaults()); errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound) {
		for _, p := range damaged {
			r.Kept = append(r.Kept, p.id)
		}
		r.Why = err.Error()
		return r, nil
	}
	if err != nil {
		return r, err
	}
	return r, r.remove(dir, damaged)
}

// partition reads all packs and tells the sound from the damaged ones.
func (s *Store) partition(ctx context.Context) (sound, damaged []*pack, err error) {
	packs, _ := s.hands()
	for _, p := range packs {
		bad := false
		if err := p.verify(ctx, true, func(Damage) { bad = true }); err != nil {
			return nil, nil, fmt.Errorf("verify pack %s: %w", p.id, err)
		}
		if bad {
			damaged = append(damaged, p)
		} else {
			sound = append(sound, p)
		}
	}
	return sound, damaged, nil
}

// rescue copies what the refs need and no sound pack has into a new pack. What cannot be
// read back, or is not there: ErrDamaged or ErrNotFound, and nothing is written.
func (s *Store) rescue(ctx context.Context, sound, damaged []*pack, o WriterOptions) (copied int, err error) {
	s.order(sound, damaged)
	refs, must, err := s.reachRefs()
	if err != nil {
		return 0, err
	}
	live := maps.Clone(must)
	if err := s.reachParents(refs, live); err != nil {
		return 0, err
	}
	d, err := newDraft(packsDir(s.dir), mergePrefix, o, false)
	if err != nil {
		return 0, err
	}
	gather, passed, err := s.stranded(sound, damaged, must)
	for key := range live {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			break
		}
		if passed[key] || holder(sound, key[:]) != nil {
			continue
		}
		value := soundValue(damaged, key[:])
		if gather[key] {
			if value, err = s.gather(Digest(key[1:]), true); err != nil {
				err = fmt.Errorf("a ref needs %s, which lies in a damaged block: %w", keyText(key[:]), err)
				break
			}
		}
		if _, must := must[key]; value == nil && must && !s.inExtents(key) {
			err = fmt.Errorf("a ref needs %s, which no pack holds whole: %w", keyText(key[:]), ErrNotFound)
		} else if value != nil { // else it is of a parent, which is history, or stored as extents
			err = d.putPairs([]pair{{key[:], value}})
			copied++
		}
	}
	if err == nil {
		var more int
		more, err = d.copyForeign(damaged)
		copied += more
	}
	if err != nil || copied == 0 {
		return 0, errors.Join(err, d.discard())
	}
	if _, err = d.seal(packsDir(s.dir), nil); err != nil {
		return 0, err
	}
	return copied, unlock(d.folder)
}

// stranded are the blocks of refs that are stored as extents of a block of which no pack has sound bytes. passed has what
// only they need: their lists, and the blocks that these name.
func (s *Store) stranded(sound, damaged []*pack, must map[[33]byte]struct{}) (blocks, passed map[[33]byte]bool, err error) {
	blocks, passed = map[[33]byte]bool{}, map[[33]byte]bool{}
	lost := func(e Extent) bool {
		key := entryKey(KindBlock, e.Block)
		return holder(sound, key[:]) == nil && soundValue(damaged, key[:]) == nil
	}
	for key := range must {
		if Kind(key[0]) != KindExtents {
			continue
		}
		list := s.Extents(Digest(key[1:]))
		if !slices.ContainsFunc(list, lost) {
			continue
		}
		blocks[entryKey(KindBlock, Digest(key[1:]))], passed[key] = true, true
		for _, e := range list {
			passed[entryKey(KindBlock, e.Block)] = lost(e)
		}
	}
	for key := range must {
		if Kind(key[0]) != KindShard || len(passed) == 0 {
			continue
		}
		record, err := s.Get(KindShard, Digest(key[1:]))
		if err != nil {
			return nil, nil, err
		}
		for _, block := range namedBlocks(record) {
			delete(passed, entryKey(KindBlock, block))
		}
	}
	return blocks, passed, nil
}

// inExtents reports whether a key is that of a block of which there is a list of extents.
func (s *Store) inExtents(key [33]byte) bool {
	return Kind(key[0]) == KindBlock && s.Extents(Digest(key[1:])) != nil
}

// order lets the store be read from sound packs first, and then from those of the damaged
// ones that can be opened.
func (s *Store) order(sound, damaged []*pack) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packs = slices.Concat(sound, slices.DeleteFunc(slices.Clone(damaged), func(p *pack) bool {
		_, err := p.engine()
		return err != nil
	}))
}

// copyForeign copies entries of kinds that a later version has written, as they are:
// nobody here knows who needs them.
func (d *draft) copyForeign(packs []*pack) (copied int, err error) {
	for _, p := range packs {
		eng, opened := p.engine()
		if opened != nil {
			continue
		}
		err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
			if !foreign(key) {
				return nil
			}
			value, err := eng.value(key, false)
			if err == nil {
				copied++
				err = d.putPairs([]pair{{slices.Clone(key), value}})
			}
			return err
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			return copied, err
		}
	}
	return copied, nil
}

// soundValue is an entry's value as its name promises, nil where no pack has it so.
func soundValue(packs []*pack, key []byte) []byte {
	for _, p := range packs {
		if eng, err := p.engine(); err == nil {
			if v, err := eng.value(key, false); err == nil && genuine(key, v) {
				return v
			}
		}
	}
	return nil
}

// remove takes packs away that nothing needs. One that a reader has open stays.
func (r *RetireReport) remove(dir string, packs []*pack) error {
	for _, p := range packs {
		if flock(p.folder, unix.LOCK_EX|unix.LOCK_NB) != nil {
			r.Left = append(r.Left, p.id)
			continue
		}
		if err := p.takeAway(WriterOptions{}); err != nil {
			return err
		}
		r.Removed = append(r.Removed, p.id)
	}
	return atomicfile.SyncFolder(packsDir(dir))
}

package store

import (
	"slices"

	"golang.org/x/sys/unix"
)

// NeedsMerge reports whether there are too many small packs or too many in a tier, or something of an
// earlier merge to clear away: what it left when it was killed, or packs that it
// has replaced and that nobody has open any more. While there are few packs it
// reads their SEALs and nothing else.
func NeedsMerge(dir string) bool {
	left, _ := leftovers(dir, mergePrefix, gonePrefix)
	return len(left) > 0 || tooMany(dir, WriterOptions{}) || released(dir)
}

// tooMany reports whether there are more than o.MaxSmall small packs that can be merged, or a tier has more than o.MaxTier. SEALs are counted
// first; only if they are too many is every database opened, to leave out the damaged ones, which a merge
// passes over and which would make it due for ever.
func tooMany(dir string, o WriterOptions) bool {
	o = o.withDefaults()
	if ids, err := packIDs(dir); err != nil || len(ids) <= min(o.MaxSmall, o.MaxTier) {
		return false
	}
	s, err := Open(dir)
	if err != nil {
		return false
	}
	defer s.Close()
	due := func(damaged map[*pack]bool) bool {
		small, err := sizeUp(s, o, damaged, false)
		return err == nil && dueForMerge(small, o)
	}
	if !due(nil) {
		return false
	}
	damaged := map[*pack]bool{}
	packs, _ := s.hands()
	for _, p := range packs {
		if _, err := p.engine(); err != nil {
			damaged[p] = true
		}
	}
	return due(damaged)
}

// released reports whether a pack that a merge has replaced can be removed. Two
// packs that can both be read are part of that: otherwise the merge leaves them,
// and would be asked for again after every build.
func released(dir string) bool {
	ids, err := packIDs(dir)
	if err != nil {
		return false
	}
	for _, id := range ids {
		seal, err := readSeal(packPath(dir, id))
		if err != nil {
			continue
		}
		for _, old := range seal.replaces {
			if slices.Contains(ids, old) && readable(dir, old, unix.LOCK_EX) && readable(dir, id, unix.LOCK_SH) {
				return true
			}
		}
	}
	return false
}

// readable reports whether a pack can be locked and its database opened.
func readable(dir, id string, how int) bool {
	folder, err := lockFolder(packPath(dir, id), how)
	if err != nil {
		return false
	}
	p := &pack{id: id, dir: packPath(dir, id), folder: folder}
	_, err = p.engine()
	return p.close() == nil && err == nil
}

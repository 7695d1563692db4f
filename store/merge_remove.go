package store

import (
	"errors"
	"maps"
	"os"
	"path/filepath"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// clearAway removes what a killed merge left. All entries of an unfinished copy are still in the packs that
// it was made from, and a pack that was being removed had been copied before. The caller holds the merges'
// lock, so nobody is at work on either.
func clearAway(dir string) error {
	left, err := leftovers(dir, mergePrefix, gonePrefix)
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(packPath(dir, name)))
	}
	return err
}

// remove takes away the packs that the plan has done with. Locking one
// exclusively tells that no build and no reader has it open. From then on
// nobody can come to need an entry that was dropped from it, except through a
// ref that moved between the plan and the lock: then the pack stays, and the
// next merge looks again.
func (m *merge) remove() error {
	for _, c := range m.plan.remove {
		if flock(c.pack.folder, unix.LOCK_EX|unix.LOCK_NB) != nil {
			m.report.Left++
			continue
		}
		if !m.plan.complete(c) && m.refsMoved() {
			m.report.Left++
			if err := c.pack.close(); err != nil { // readers are waiting for the lock
				return err
			}
			continue
		}
		if err := c.pack.takeAway(m.o); err != nil {
			return err
		}
		m.report.Removed++
		m.o.step("merge remove")
	}
	return atomicfile.SyncFolder(packsDir(m.dir))
}

// takeAway removes a pack that is locked exclusively. The rename takes it out of the listing at once; a kill
// before the removal leaves its folder for clearAway.
func (p *pack) takeAway(o WriterOptions) error {
	gone := filepath.Join(filepath.Dir(p.dir), gonePrefix+p.id)
	if err := os.Rename(p.dir, gone); err != nil {
		return err
	}
	o.step("merge rename")
	return errors.Join(p.close(), os.RemoveAll(gone))
}

// refsMoved reports whether some ref may name something else than when the
// merge asked what is needed.
func (m *merge) refsMoved() bool {
	refs, err := readRefs(m.dir)
	return err != nil || !maps.Equal(refs, m.refs)
}

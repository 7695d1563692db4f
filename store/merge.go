package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// MergeReport says what a merge did.
type MergeReport struct {
	Merged       int   // packs copied into the new one
	Removed      int   // packs removed
	Left         int   // packs that could not be removed yet: somebody has them open
	Entries      int   // in the new pack
	Bytes        int64 // of their keys and values
	Dropped      int   // entries that nothing needs
	DroppedBytes int64
}

// NeedsMerge reports whether there are too many small packs, or something of a
// killed merge to clear away. It opens no pack.
func NeedsMerge(dir string) bool {
	for _, prefix := range []string{mergePrefix, gonePrefix} {
		if left, err := leftovers(dir, prefix); err == nil && len(left) > 0 {
			return true
		}
	}
	return tooMany(dir, WriterOptions{})
}

func tooMany(dir string, o WriterOptions) bool {
	o = o.withDefaults()
	if ids, err := packIDs(dir); err != nil || len(ids) <= o.MaxSmall {
		return false
	}
	s, err := Open(dir)
	if err != nil {
		return false
	}
	defer s.Close()
	small, err := sizeUp(s, o)
	return err == nil && dueForMerge(small) > o.MaxSmall
}

// Merge copies small packs into one, when there are too many, and removes those
// that nobody has open; the largest pack is never touched. It has a lock of its
// own (another merge: ErrBusy) and runs beside a build and readers, none of
// which waits for it.
//
// live tells what must stay, such as (*Store).Live; nil keeps everything. The
// rest, history that no ref needs, stays as well until it outweighs
// WriterOptions.DeadSlack. A trace stays as long as the block that it leads to.
func Merge(ctx context.Context, dir string, o WriterOptions, live func(*Store) (map[[33]byte]struct{}, error)) (MergeReport, error) {
	var r MergeReport
	lock, err := lockFolder(packsDir(dir), unix.LOCK_EX)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return r, fmt.Errorf("another merge is at work in %s: %w", dir, ErrBusy)
	}
	if err != nil {
		return r, fmt.Errorf("merge: %w", placeError(dir, err))
	}
	defer lock.Close()
	if err := clearAway(dir); err != nil {
		return r, fmt.Errorf("merge: %w", err)
	}
	m := &merge{dir: dir, o: o.withDefaults(), report: &r}
	if err := m.run(ctx, live); err != nil {
		return r, fmt.Errorf("merge: %w", err)
	}
	return r, nil
}

// clearAway removes what a killed merge left. Unfinished copies are copies, and
// what was on its way out had been taken over.
func clearAway(dir string) error {
	for _, prefix := range []string{mergePrefix, gonePrefix} {
		left, err := leftovers(dir, prefix)
		if err != nil {
			return err
		}
		for _, path := range left {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
	}
	return nil
}

type merge struct {
	dir    string
	o      WriterOptions
	report *MergeReport
	store  *Store
	plan   *plan
	refs   map[string]Digest // as they were before live was asked
}

func (m *merge) run(ctx context.Context, live func(*Store) (map[[33]byte]struct{}, error)) (err error) {
	if m.refs, err = readRefs(m.dir); err != nil {
		return err
	}
	if m.store, err = Open(m.dir); err != nil {
		return err
	}
	defer m.store.Close()
	var needed map[[33]byte]struct{}
	if live != nil {
		if needed, err = live(m.store); err != nil {
			return err
		}
	}
	// What comes from here on is new, none of our business.
	m.store.fixed = true
	if m.plan, err = makePlan(m.store, m.o, needed); err != nil {
		return err
	}
	if len(m.plan.inputs) > 0 {
		if err := m.copy(ctx); err != nil {
			return err
		}
	}
	return m.remove()
}

// copy writes the inputs, newest first, into one new pack.
func (m *merge) copy(ctx context.Context) error {
	var total int64
	for _, c := range m.plan.inputs {
		total += c.bytes
	}
	d, err := newDraft(packsDir(m.dir), mergePrefix, m.o, total < m.o.SmallPack)
	if err != nil {
		return err
	}
	m.o.step("merge open")
	var ids []string
	for _, c := range m.plan.inputs {
		if err = m.copyPack(ctx, d, c); err != nil {
			break
		}
		ids = append(ids, c.pack.id)
		m.report.Merged++
	}
	if err != nil || d.entries == 0 {
		return errors.Join(err, d.discard())
	}
	m.o.step("merge put")
	m.report.Entries, m.report.Bytes = d.entries, d.bytes
	if _, err = d.seal(packsDir(m.dir), ids); err != nil {
		return err
	}
	return d.folder.Close()
}

// mergeBatch is how many bytes of mapped values go into one write.
const mergeBatch = 8 << 20

func (m *merge) copyPack(ctx context.Context, d *draft, c *smallOne) error {
	eng, err := c.pack.engine()
	if err != nil {
		return err
	}
	var batch []pair
	var size int64
	flush := func() error {
		err := d.putPairs(batch)
		batch, size = batch[:0], 0
		return errors.Join(err, ctx.Err())
	}
	err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
		value, err := eng.value(key, true)
		if err != nil || !genuine(key, value) {
			return fmt.Errorf("pack %s: %s: the value does not fit its name; see voxpack verify --full: %w", c.pack.id, keyText(key), ErrDamaged)
		}
		if !m.stays(key, value) {
			m.report.Dropped++
			m.report.DroppedBytes += int64(len(value))
			return nil
		}
		batch = append(batch, pair{append([]byte(nil), key...), value})
		if size += int64(len(value)); size < mergeBatch {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// stays reports whether an entry of an input is copied.
func (m *merge) stays(key, value []byte) bool {
	if !m.plan.drop || m.plan.needs(key) {
		return true
	}
	if Kind(key[0]) != KindTrace {
		return false
	}
	block := entryKey(KindBlock, [32]byte{})
	if copy(block[1:], value[:max(0, len(value)-trailerLen)]) < 32 {
		return false
	}
	if m.plan.needs(block[:]) {
		return true
	}
	return m.elsewhere(block[:])
}

// elsewhere reports whether an entry is in a pack that the merge leaves alone.
func (m *merge) elsewhere(key []byte) bool {
	touched := map[*pack]bool{}
	for _, c := range m.plan.remove {
		touched[c.pack] = true
	}
	packs, _ := m.store.hands()
	for _, p := range packs {
		if !touched[p] && p.has(key) {
			return true
		}
	}
	return false
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
		refs, err := readRefs(m.dir)
		if err != nil {
			return err
		}
		complete := !m.plan.drop && !c.retired // every entry of it was copied
		if !complete && !maps.Equal(refs, m.refs) {
			m.report.Left++
			if err := c.pack.close(); err != nil { // readers are waiting for the lock
				return err
			}
			continue
		}
		gone := filepath.Join(packsDir(m.dir), gonePrefix+c.pack.id)
		if err := os.Rename(c.pack.dir, gone); err != nil {
			return err
		}
		m.o.step("merge rename")
		err = errors.Join(c.pack.close(), os.RemoveAll(gone))
		if err != nil {
			return err
		}
		m.report.Removed++
		m.o.step("merge remove")
	}
	return syncFolder(packsDir(m.dir))
}

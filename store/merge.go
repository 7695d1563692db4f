package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// MergeReport says what a merge did.
type MergeReport struct {
	Merged       int   // packs copied into the new one
	Removed      int   // packs removed
	Left         int   // packs that could not be removed yet: somebody has them open
	Damaged      int   // packs left as they are because they cannot be read
	Entries      int   // in the new pack
	Bytes        int64 // of their keys and values
	Dropped      int   // entries that nothing needs
	DroppedBytes int64
	// KeptAll: damage in a ref, or in what one needs, hid what may be dropped.
	KeptAll bool
}

// Merge copies small packs into one, when there are too many, and removes those
// that nobody has open; the largest pack is never touched. It has a lock of its
// own (another merge: ErrBusy) and runs beside a build and readers, none of
// which waits for it.
//
// Damage does not end it: a damaged pack it leaves as it is and merges the
// others; where a ref, or what one needs, cannot be read, it drops nothing. The
// error then tells of the damage, in one line, and all the rest is done.
//
// live tells what must stay, such as (*Store).Live; nil keeps everything. The rest, history that no ref
// needs, stays until it weighs more than a tenth of what is needed and WriterOptions.DeadSlack together.
// A trace stays as long as the block that it leads to.
func Merge(ctx context.Context, dir string, o WriterOptions, live func(*Store) (map[[33]byte]struct{}, error)) (MergeReport, error) {
	var r MergeReport
	lock, err := lockMerges(dir)
	if err != nil {
		return r, fmt.Errorf("merge: %w", err)
	}
	defer unlock(lock)
	m := &merge{dir: dir, o: o.withDefaults(), report: &r, damaged: map[*pack]bool{}}
	if err := m.run(ctx, live); err != nil {
		return r, fmt.Errorf("merge: %w", err)
	}
	return r, nil
}

// lockMerges keeps other merges out: ErrBusy.
func lockMerges(dir string) (*os.File, error) {
	lock, err := lockFolder(packsDir(dir), unix.LOCK_EX)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, fmt.Errorf("another merge, gc or repair is at work in %s: %w", dir, ErrBusy)
	}
	if err != nil {
		return nil, placeError(dir, err)
	}
	return lock, nil
}

// merge is one call of Merge, or a round of GC.
type merge struct {
	dir    string
	o      WriterOptions
	report *MergeReport
	store  *Store
	plan   *plan
	gc     *collection       // nil: a merge of small packs
	dry    bool              // nothing is written or removed
	refs   map[string]Digest // as they were before live was asked

	damaged map[*pack]bool // found so far
	first   error          // of a damaged pack
	unknown error          // why nothing may be dropped
}

func (m *merge) run(ctx context.Context, live func(*Store) (map[[33]byte]struct{}, error)) (err error) {
	if m.store, err = Open(m.dir); err != nil {
		return err
	}
	defer m.store.Close()
	if !m.dry {
		if err := clearAway(m.dir); err != nil {
			return err
		}
	}
	if m.gc == nil && !m.mayDrop() {
		live = nil
	}
	needed, err := m.needed(live)
	if err != nil {
		return err
	}
	// Packs that builds add from here on are not part of this merge: its plan, its copy and its removal see
	// the same ones.
	m.store.fix()
	// Each round but the last adds a pack to the damaged ones, so there are at most as many as packs.
	for {
		err = m.attempt(ctx, needed)
		var found *packDamage
		if !errors.As(err, &found) || m.damaged[found.pack] {
			break
		}
		m.damaged[found.pack] = true
		if m.first == nil {
			m.first = found
		}
	}
	if err == nil && !m.dry {
		err = m.remove()
	}
	if err == nil {
		err = m.damage()
	}
	return err
}

// mayDrop reports whether a merge may come to leave something out. While the small packs together weigh no more than the dead
// may, it copies all of them, and need not know what is needed, which takes reading every record of the store.
func (m *merge) mayDrop() bool {
	small, err := sizeUp(m.store, m.o, m.damaged, false)
	sum := int64(0)
	for _, c := range small {
		if c.retired {
			return true // what it holds and nothing needs was dropped, and is to stay so
		}
		sum += c.bytes
	}
	return err != nil || sum > m.o.DeadSlack
}

// damage is the error of a merge that has done all it could: it tells of the first damaged pack, of their
// number, and of why nothing could be dropped.
func (m *merge) damage() error {
	stay := "a damaged pack stays as it is"
	if n := len(m.damaged); n > 1 {
		stay = fmt.Sprintf("%d damaged packs stay as they are", n)
	}
	switch {
	case m.first != nil && m.unknown != nil:
		return fmt.Errorf("%s and nothing was dropped: %w; %w", stay, m.first, m.unknown)
	case m.first != nil:
		return fmt.Errorf("%s: %w", stay, m.first)
	case m.unknown != nil:
		return fmt.Errorf("nothing was dropped: %w", m.unknown)
	}
	return nil
}

// needed is what must stay, nil for everything: also when damage hides it.
func (m *merge) needed(live func(*Store) (map[[33]byte]struct{}, error)) (needed map[[33]byte]struct{}, err error) {
	if live == nil {
		return nil, nil
	}
	if m.refs, err = readRefs(m.dir); err == nil {
		needed, err = live(m.store)
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotFound) {
		m.unknown = err
		return nil, nil
	}
	return needed, err
}

// attempt plans and copies. A packDamage asks for another attempt without the pack.
func (m *merge) attempt(ctx context.Context, needed map[[33]byte]struct{}) (err error) {
	*m.report = MergeReport{Damaged: len(m.damaged), KeptAll: m.unknown != nil}
	m.plan, err = m.makePlan(needed)
	if err != nil || len(m.plan.inputs) == 0 || m.dry {
		return err
	}
	return m.copy(ctx)
}

// copy writes the inputs, in the order of the plan, into one new pack. Of a key that several inputs have
// the first copy stays. After an error the new pack is discarded: all of it is still in the inputs.
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
	for _, c := range m.plan.inputs {
		if err = m.copyPack(ctx, d, c); err != nil {
			break
		}
		m.report.Merged++
	}
	if err != nil || d.entries == 0 {
		return errors.Join(err, d.discard())
	}
	m.o.step("merge put")
	m.report.Entries, m.report.Bytes = d.entries, d.bytes
	if _, err = d.seal(packsDir(m.dir), m.replaced()); err != nil {
		return err
	}
	return unlock(d.folder)
}

// replaced lists the packs that the new one stands for: its inputs, and what
// they stand for themselves as long as it is there.
func (m *merge) replaced() []string {
	there := map[string]bool{}
	packs, _ := m.store.hands()
	for _, p := range packs {
		there[p.id] = true
	}
	var ids []string
	for _, c := range m.plan.inputs {
		for _, id := range append([]string{c.pack.id}, c.replaces...) {
			if there[id] {
				ids = append(ids, id)
				there[id] = false // once
			}
		}
	}
	return ids
}

// mergeBatch is how many bytes of mapped values go into one write.
const mergeBatch = 8 << 20

// copyPack copies what stays of one input. Every value is held against its name first, so that a merge
// never gives damage a new checksum; the first damaged value makes the whole pack a damaged one. ctx is
// looked at after each batch.
func (m *merge) copyPack(ctx context.Context, d *draft, c *smallOne) error {
	eng, err := c.pack.engine()
	if err != nil {
		return damageOf(c.pack, err)
	}
	packs, _ := m.store.hands()
	newer := packs[:slices.Index(packs, c.pack)]
	var batch []pair
	var size int64
	var room batchRoom
	flush := func() error {
		err := d.putPairs(batch)
		batch, size = batch[:0], 0
		room.clear()
		return errors.Join(err, ctx.Err())
	}
	err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
		value, err := eng.value(key, true)
		if err == nil {
			value = room.keep(value)
		}
		if err != nil || !genuine(key, value) {
			return &packDamage{c.pack, fmt.Errorf("pack %s: %s: the value does not fit its name: %w", c.pack.id, keyText(key), ErrDamaged)}
		}
		if m.covers(key, value, newer) {
			room.drop(value)
			return nil
		}
		if !m.stays(key, value) {
			room.drop(value)
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
		return damageOf(c.pack, err)
	}
	return flush()
}

// covers reports whether the copy of a value, in the newest pack of all, would cover what is read now: a newer trace, or
// another list of extents, whose blocks are the ones that stay.
func (m *merge) covers(key, value []byte, newer []*pack) bool {
	switch {
	case foreign(key):
		return false
	case Kind(key[0]) == KindTrace:
		return slices.ContainsFunc(newer, func(p *pack) bool { return p.sound(key) })
	}
	return Kind(key[0]) == KindExtents && !slices.Equal(decodeExtents(value), m.store.Extents(Digest(key[1:])))
}

// stays reports whether an entry of an input is copied. A trace names work and nothing needs it itself: it
// stays if the block whose digest its value begins with stays, here or in a pack that the merge leaves
// alone. A value too short for a digest is dropped.
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
	extents := block
	extents[0] = byte(KindExtents)
	return m.elsewhere(block[:]) || m.elsewhere(extents[:])
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

package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// discardName is Badger's file of garbage statistics: 1 MiB, mostly a hole, of
// use only to a database that is still written.
const discardName = "DISCARD"

// draft is a pack being written: packs/.tmp-… or .merge-…, its folder locked
// (exclusively) so that nobody takes it for the leftovers of a killed build.
type draft struct {
	dir     string
	folder  *os.File
	eng     *engine
	entries int   // distinct keys
	bytes   int64 // of their keys and values
	failed  bool  // Badger refused a write: what is on disk is uncertain
	large   bool  // a new pack with the settings of a whole build
	flusher *flusher
	o       WriterOptions
}

// newDraft makes an empty pack.
func newDraft(packs, prefix string, o WriterOptions, small bool) (*draft, error) {
	if err := checkSpace(packs, 0, o.Reserve); err != nil {
		return nil, err
	}
	dir := filepath.Join(packs, prefix+randomHex(8))
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	settings := largePack
	if small {
		settings = smallPack
	}
	d, err := openDraft(dir, settings, o)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	d.large = !small
	return d, nil
}

// openDraft locks the folder and opens the database in it for writing. The lock
// of another process: EWOULDBLOCK.
func openDraft(dir string, settings profile, o WriterOptions) (*draft, error) {
	folder, eng, err := ownEngine(dir, settings)
	if err != nil {
		return nil, err
	}
	return &draft{dir: dir, folder: folder, eng: eng, o: o}, nil
}

// ownEngine locks a folder for its only writer and opens the database in it.
func ownEngine(dir string, p profile) (*os.File, *engine, error) {
	folder, err := lockFolder(dir, unix.LOCK_EX)
	if err != nil {
		return nil, nil, err
	}
	eng, err := openEngine(dir, p, true)
	if err != nil {
		return nil, nil, errors.Join(err, unlock(folder))
	}
	return folder, eng, nil
}

// leave closes the draft and leaves it to the next build.
func (d *draft) leave() error {
	return errors.Join(d.eng.close(packPatience), unlock(d.folder))
}

// put stores entries in their order and passes over those whose keys the draft has. An empty value is
// refused, since Badger gives a damaged value back as an empty one (docs/design/0004).
func (d *draft) put(entries []Entry) error {
	pairs := make([]pair, 0, len(entries))
	for _, e := range entries {
		key := entryKey(e.Kind, e.Name)
		switch {
		case len(e.Value) == 0:
			return fmt.Errorf("%s: an empty value cannot be stored", keyText(key[:]))
		case int64(len(e.Value)) > d.o.LargestValue:
			advice := ""
			if e.Kind == KindBlock {
				advice = "; fewer rows per shard or shorter columns make it smaller"
			}
			return fmt.Errorf("%s: the value has %d bytes, a pack holds values of at most %d%s", keyText(key[:]), len(e.Value), d.o.LargestValue, advice)
		}
		value := e.Value
		if summed(e.Kind) {
			value = addTrailer(value)
		}
		pairs = append(pairs, pair{key[:], value})
	}
	return d.putPairs(pairs)
}

// putPairs is put for keys and values as they lie in a pack. Only new keys count towards the space that is
// asked for and towards the number of entries, which finish compares with what it reads back.
func (d *draft) putPairs(pairs []pair) error {
	fresh := make([]pair, 0, len(pairs))
	var need int64
	for _, p := range pairs {
		if !d.eng.has(p.key) {
			fresh = append(fresh, p)
			need += int64(len(p.key) + len(p.value))
		}
	}
	if err := checkSpace(d.dir, need, d.o.Reserve); err != nil {
		return d.orGone(err)
	}
	stored, err := d.eng.put(fresh, false)
	if err != nil {
		d.failed = true
		return fmt.Errorf("write to pack: %w", d.orGone(err))
	}
	d.entries += stored
	d.bytes += need
	// docs/design/0001, "Beside the writer": only a pack that grows large has its values sent to the disk
	// while it is written; a small one is sealed before that would pay.
	if d.flusher == nil && d.large && d.bytes >= flushFrom {
		d.flusher = startFlusher(d.dir)
	}
	if d.flusher != nil {
		d.flusher.wrote(d.lastLogged(fresh))
	}
	return nil
}

// lastLogged is the last value that lies in a value log, as it is mapped there, and
// nil where none does. Its address is good until the database is closed, its bytes are not.
func (d *draft) lastLogged(pairs []pair) []byte {
	for _, p := range slices.Backward(pairs) {
		if len(p.value) > mappedAbove {
			value, _ := d.eng.value(p.key, true)
			return value
		}
	}
	return nil
}

// orGone says that the draft's folder is gone, where that is why a file is missing.
func (d *draft) orGone(err error) error {
	if gone := d.eng.inPlace(); gone != nil && errors.Is(err, fs.ErrNotExist) {
		return gone
	}
	return err
}

// seal closes the draft, checks it, writes SEAL and renames the folder to the
// pack's final name, which it returns. The folder stays locked (shared) until
// the caller closes it: as long as no ref needs the pack, a merge drops what is
// in it as soon as nobody holds it. After an error the folder is closed and the
// draft is left for the next build to adopt.
//
// The order of the steps is what a kill relies on: every file is on the disk before SEAL names it, SEAL is
// there before the pack has its name, and packs/ is synced before a ref may move. So a kill leaves either a
// folder with the prefix of drafts or a whole pack.
func (d *draft) seal(packs string, replaces []string) (id string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("seal pack: %w", errors.Join(d.orGone(err), unlock(d.folder)))
		}
	}()
	d.flusher.close()
	if err := d.finish(); err != nil {
		return "", err
	}
	if err := writeSeal(d.dir, d.entries, replaces, d.flusher.finish()); err != nil {
		return "", err
	}
	d.o.step("seal")
	// A reader may lock the pack as soon as it has its name; from here on we are one too.
	if err := flock(d.folder, unix.LOCK_SH|unix.LOCK_NB); err != nil {
		return "", err
	}
	ids, err := packIDs(filepath.Dir(packs))
	if err != nil {
		return "", err
	}
	id = newPackID(ids, time.Now())
	if err := os.Rename(d.dir, filepath.Join(packs, id)); err != nil {
		return "", err
	}
	d.o.step("rename")
	return id, atomicfile.SyncFolder(packs)
}

// finish closes the database and reads back, from the files, that every key is there. Values are not read
// again: their bytes are summed for SEAL.
func (d *draft) finish() error {
	if d.failed {
		return errors.Join(errors.New("an earlier write failed"), d.eng.close(packPatience))
	}
	if err := d.eng.sync(); err != nil {
		return errors.Join(err, d.eng.close(packPatience))
	}
	d.o.step("sync")
	if err := d.eng.close(packPatience); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(d.dir, discardName)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	d.o.step("close")
	eng, err := openEngine(d.dir, smallPack, false)
	if err != nil {
		return err
	}
	found := 0
	err = eng.scan(nil, false, func(_, _ []byte, _ int64) error { found++; return nil })
	eng.release()
	if err != nil {
		return err
	}
	if found != d.entries {
		return fmt.Errorf("%s holds %d entries, %d were written: %w", d.dir, found, d.entries, ErrDamaged)
	}
	return nil
}

// discard ends the draft and removes it.
func (d *draft) discard() error {
	d.flusher.close()
	err := d.eng.close(packPatience)
	return errors.Join(err, os.RemoveAll(d.dir), unlock(d.folder))
}

// newPackID is unique and comes after all others, which are given with the last one first:
// nanoseconds since 1970 in 16 hex digits, or one more than in the last name where the clock
// has gone back, and 4 random bytes. What was written last has to be found first.
func newPackID(others []string, now time.Time) string {
	at := uint64(max(0, now.UnixNano()))
	for _, id := range others {
		if last, err := strconv.ParseUint(id[:min(16, len(id))], 16, 64); err == nil && last < math.MaxUint64 {
			at = max(at, last+1)
		}
	}
	return fmt.Sprintf("%016x-%s", at, randomHex(4))
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails, as documented
	return fmt.Sprintf("%x", b)
}

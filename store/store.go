package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Store reads all packs of a store. It writes nothing, not even a time stamp,
// and may stand beside builds and merges for as long as it likes: what it has
// open stays. It is safe for concurrent use.
type Store struct {
	dir   string
	fixed bool   // the writer's: nobody adds a pack behind its back
	of    *Store // the store whose sealed packs this one shows; nil: it has its own

	mu     sync.RWMutex
	packs  []*pack  // in the order of search, see hold
	own    *engine  // the pack that our writer is writing
	hidden []string // packs that it has sealed and that are not all that it writes
	listed time.Time
	stamp  time.Time // mtime of packs/ when it was listed
	closed bool
}

// Open opens the store in dir for reading. No store: ErrNoStore; one of a newer
// layout: ErrNewer.
func Open(dir string) (*Store, error) {
	if err := checkFormat(dir); err != nil {
		return nil, err
	}
	s := &Store{dir: dir}
	if err := s.list(); err != nil {
		return nil, errors.Join(fmt.Errorf("store %s: %w", dir, err), s.Close())
	}
	return s, nil
}

// Close gives all packs back; bytes from View are dead after it. It may be
// called more than once.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Badger syncs each folder twice even where nothing was written; side by
	// side the packs wait for the disk once.
	errs := make([]error, len(s.packs))
	var wg sync.WaitGroup
	for i, p := range s.packs {
		wg.Go(func() { errs[i] = p.close() })
	}
	wg.Wait()
	s.packs, s.own, s.closed = nil, nil, true
	return errors.Join(errs...)
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

func packsDir(dir string) string { return filepath.Join(dir, packsName) }

func packPath(dir, id string) string { return filepath.Join(packsDir(dir), id) }

// packIDs lists the sealed packs, newest first.
func packIDs(dir string) ([]string, error) {
	return folders(dir, func(name string) bool { return name[0] != '.' })
}

// folders lists the folders in packs/ whose names are wanted, the last name first.
func folders(dir string, want func(name string) bool) (names []string, err error) {
	list, err := os.ReadDir(packsDir(dir))
	for _, e := range slices.Backward(list) {
		if e.IsDir() && want(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// list locks the packs that are there and not held yet. When one goes between
// listing and locking, a merge has put its entries into another: list again.
func (s *Store) list() error {
	const tries = 200
	for try := range tries {
		// The time stamp is read before the listing, so that a pack that comes between the two is found later.
		info, err := os.Stat(packsDir(s.dir))
		if err != nil {
			return err
		}
		s.listed, s.stamp = time.Now(), info.ModTime()
		ids, err := packIDs(s.dir)
		if err != nil {
			return err
		}
		err = s.hold(ids)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK): // being removed: gone in a moment
			time.Sleep(time.Duration(min(try, 5)) * time.Millisecond)
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return fmt.Errorf("packs come and go; %d listings did not find them at rest: %w", tries, ErrBusy)
}

// hold locks the packs that are not held yet and puts all into the order of search.
func (s *Store) hold(ids []string) error {
	held := map[string]bool{}
	for _, p := range s.packs {
		held[p.id] = true
	}
	for _, id := range ids {
		if held[id] {
			continue
		}
		p, err := openPack(packsDir(s.dir), id)
		if err != nil {
			return err
		}
		s.packs = append(s.packs, p)
	}
	// Packs are searched newest first, and last those that a merge has replaced: they are there because
	// somebody has them open, and hold nothing that is not elsewhere but history.
	retired := map[string]int{}
	for _, p := range s.packs {
		for _, id := range p.replaces {
			retired[id] = 1
		}
	}
	slices.SortFunc(s.packs, func(a, b *pack) int {
		return cmp.Or(cmp.Compare(retired[a.id], retired[b.id]), strings.Compare(b.id, a.id))
	})
	return nil
}

// refresh lists again when packs may have come since the last listing, and
// reports whether some did. A folder's time stamp is trusted only when it was
// two seconds old at the listing: file systems keep time in steps.
func (s *Store) refresh() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fixed || s.closed {
		return false
	}
	info, err := os.Stat(packsDir(s.dir))
	if err != nil || info.ModTime().Equal(s.stamp) && s.listed.Sub(s.stamp) > 2*time.Second {
		return false
	}
	before := len(s.packs)
	return s.list() == nil && len(s.packs) > before
}

// hands returns the packs to search and the writer's open pack.
func (s *Store) hands() ([]*pack, *engine) {
	if s.of != nil {
		packs, _ := s.of.hands()
		hidden := s.of.hiding()
		return slices.DeleteFunc(packs, func(p *pack) bool { return slices.Contains(hidden, p.id) }), nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	// The list is replaced or appended to under the lock; a copy of 17 pointers is cheap.
	return slices.Clone(s.packs), s.own
}

// hide keeps a pack from the view without what our writer writes; nil: no pack any more.
func (s *Store) hide(id *string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == nil {
		s.hidden = nil
		return
	}
	s.hidden = append(s.hidden, *id)
}

func (s *Store) hiding() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.hidden
}

// Packs describes the sealed packs, in the order in which they are searched:
// newest first, those that a merge has replaced last. A pack without a readable
// SEAL counts no entries; Verify says what is wrong with it.
func (s *Store) Packs() []PackInfo {
	packs, _ := s.hands()
	infos := make([]PackInfo, 0, len(packs))
	for _, p := range packs {
		info := PackInfo{ID: p.id}
		info.Bytes, _ = sizeOnDisk(p.dir)
		if seal, err := readSeal(p.dir); err == nil {
			info.Entries = seal.entries
		}
		infos = append(infos, info)
	}
	return infos
}

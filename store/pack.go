package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Kind says what an entry of a pack is. The letters are part of the format.
type Kind byte

// The kinds of entry. All but KindTrace and KindExtents are named by the digest of their value;
// a trace is named by the key of an action, and its value begins with the
// digest of the block that the action made; a list of extents is named by the digest of its block.
const (
	KindBlock    Kind = 'b'
	KindShard    Kind = 's'
	KindOrigin   Kind = 'o'
	KindPage     Kind = 'p'
	KindRoot     Kind = 'r'
	KindSnapshot Kind = 'n'
	KindList     Kind = 'l'
	KindText     Kind = 'x' // text that a root's settings name by its digest
	KindTrace    Kind = 't'
	KindExtents  Kind = 'e' // where the bytes of a block lie that is not stored whole
)

// Entry is one thing to store.
type Entry struct {
	Kind  Kind
	Name  [32]byte // Sum(Value); of a trace the action's Key, of extents the block's digest
	Value []byte   // never empty
}

// PackInfo describes one sealed pack.
type PackInfo struct {
	ID      string
	Bytes   int64 // on disk
	Entries int
}

// entryKey is the key of an entry in Badger: the kind and the name.
func entryKey(k Kind, name [32]byte) (key [33]byte) {
	key[0] = byte(k)
	copy(key[1:], name[:])
	return key
}

// keyText shows a key to a person.
func keyText(key []byte) string {
	if len(key) != 33 {
		return fmt.Sprintf("%q", key)
	}
	return fmt.Sprintf("%c:%x", key[0], key[1:])
}

// foreign reports whether a key is of no kind that this version knows. A later one may have written it, so
// it is no damage, and a merge, which cannot know what needs it, keeps it.
func foreign(key []byte) bool { return len(key) != 33 || strings.IndexByte("bsoprnlxte", key[0]) < 0 }

// genuine reports whether a value is the one that its key promises.
func genuine(key, value []byte) bool {
	switch {
	case len(value) == 0:
		return false
	case foreign(key):
		return true
	case summed(Kind(key[0])):
		_, ok := checkTrailer(value)
		return ok
	}
	return Sum(value) == Digest(key[1:])
}

// intact is genuine for a value that may be mapped: what cannot be read is not.
func intact(key, value []byte) (is bool) {
	err := Shielded(func() error {
		is = genuine(key, value)
		return nil
	})
	return is && err == nil
}

// summed reports whether values of a kind end with a sum of their own, since their name is not their digest.
func summed(k Kind) bool { return k == KindTrace || k == KindExtents }

// pack is one sealed pack that a reader holds: its folder locked (shared) from
// the start, its database opened at the first read. An open costs 0.4 ms warm
// and three descriptors, and a store may have seventeen packs.
type pack struct {
	id     string
	dir    string
	folder *os.File // carries the lock

	replaces []string // packs whose entries it took over, as far as its SEAL can be read

	mu     sync.Mutex
	eng    *engine
	err    error // why the database cannot be opened
	closed bool

	readExtents sync.Once
	gathered    map[Digest][]Extent
}

// openPack locks a pack: fs.ErrNotExist when it is gone, EWOULDBLOCK while a
// merge is removing it.
func openPack(packs, id string) (*pack, error) {
	dir := filepath.Join(packs, id)
	folder, err := lockFolder(dir, unix.LOCK_SH)
	if errors.Is(err, fs.ErrPermission) {
		return nil, keptFrom(dir, err)
	}
	if err != nil {
		return nil, err
	}
	p := &pack{id: id, dir: dir, folder: folder}
	seal, err := readSeal(dir)
	if err == nil {
		p.replaces = seal.replaces
		err = seal.readable(dir)
	}
	// Of damage the first reader tells. What another user keeps to itself looks
	// as if it were not there, and a build would compute it again.
	if errors.Is(err, fs.ErrPermission) {
		unlock(folder)
		return nil, keptFrom(dir, err)
	}
	return p, nil
}

// readable reports the first file that this user may not read. It asks access(2) and opens nothing: a pack
// is opened at its first read only.
func (s *seal) readable(dir string) error {
	for _, f := range s.files {
		path := filepath.Join(dir, f.name)
		if err := unix.Access(path, unix.R_OK); err == unix.EACCES {
			return &fs.PathError{Op: "read", Path: path, Err: err}
		}
	}
	return nil
}

// keptFrom says what to do about a folder of another user's that cannot be read.
func keptFrom(dir string, err error) error {
	return fmt.Errorf("%w%s; its owner can share it with: chmod -R g+rX %s", err, owner(dir), pasted(filepath.Dir(filepath.Dir(dir))))
}

// engine opens the database at the first call. Damage is remembered; want of
// descriptors or memory is tried again at the next call.
func (p *pack) engine() (*engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, fmt.Errorf("pack %s: read after Close", p.id)
	}
	if p.eng != nil || p.err != nil {
		return p.eng, p.err
	}
	eng, err := p.start()
	var errno syscall.Errno
	switch {
	case err == nil:
		p.eng = eng
	case errors.As(err, &errno) && errno != unix.ENOENT:
		return nil, fmt.Errorf("pack %s: %w", p.id, err)
	case errors.Is(err, ErrDamaged):
		p.err = fmt.Errorf("pack %s: %w", p.id, err)
	default:
		p.err = fmt.Errorf("pack %s: %w: %w", p.id, err, ErrDamaged)
	}
	return p.eng, p.err
}

// start opens the database when its two lists, which are a few bytes, are as
// they were sealed. With a damaged MANIFEST Badger deletes the files that it no
// longer finds in it, in a read-only database too (seen with v4.9.6).
func (p *pack) start() (*engine, error) {
	seal, err := readSeal(p.dir)
	if err != nil {
		return nil, err
	}
	for _, f := range seal.files {
		if f.name != "MANIFEST" && f.name != "KEYREGISTRY" {
			continue
		}
		problem, err := f.check(p.dir, true)
		if err != nil {
			return nil, err
		}
		if problem != "" {
			return nil, fmt.Errorf("%s %s", f.name, problem)
		}
	}
	return openEngine(p.dir, smallPack, false)
}

// value reads one value as engine.value does, and adds the pack and the key to an error; ErrNotFound stays
// bare, since the next pack is asked then.
func (p *pack) value(key []byte, mapped bool) ([]byte, error) {
	eng, err := p.engine()
	if err != nil {
		return nil, err
	}
	v, err := eng.value(key, mapped)
	if err != nil && !errors.Is(err, ErrNotFound) {
		err = fmt.Errorf("pack %s: %s: %w", p.id, keyText(key), err)
	}
	return v, err
}

// has reports whether a pack has an entry. A pack that cannot be opened has none, so that a build computes
// the entry again instead of failing.
func (p *pack) has(key []byte) bool {
	eng, err := p.engine()
	return err == nil && eng.has(key)
}

// sound reports whether a pack has an entry with the value that its key promises.
func (p *pack) sound(key []byte) bool {
	v, err := p.value(key, true)
	return err == nil && intact(key, v)
}

// close ends the database and gives the lock back.
func (p *pack) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	p.closed = true
	if p.eng != nil {
		p.eng.release()
	}
	return unlock(p.folder)
}

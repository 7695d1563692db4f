package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Cache is the builder's own memory: results that are cheap to lose. Whatever
// is wrong with it, it is deleted and made anew, and a value that does not fit
// its checksum is a miss. Methods of a nil *Cache miss and do nothing. It is
// safe for concurrent use.
type Cache struct {
	dir    string
	folder *os.File // carries the writer's lock; nil when read-only
	note   string

	mu  sync.RWMutex // held for reading by all but Close
	eng *engine
}

// Pair is a key and a value of the cache.
type Pair struct{ Key, Value []byte }

const (
	// cacheFloor: below this size a cache is never rewritten.
	cacheFloor = 32 << 20
	// cacheSizeKey holds what the entries weighed when the cache was last
	// weighed, so that it is weighed again only when it has doubled.
	cacheSizeKey = "\x00weight"
	// cachePatience is how long closing may take; the cache is not worth more.
	cachePatience = 30 * time.Second
)

// OpenCacheReadOnly opens the cache of the store in dir without writing
// anything. No cache: nil, which misses. One that cannot be used as it is, since
// a killed build left it open or since it is damaged: nil, and why.
func OpenCacheReadOnly(dir string) (*Cache, error) {
	path := filepath.Join(dir, cacheName)
	_, err := os.Stat(filepath.Join(path, "MANIFEST"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	// Badger would read such a table again, refuse its end, and before that delete
	// what MANIFEST does not name, from a read-only database too.
	list, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	for _, e := range list {
		if filepath.Ext(e.Name()) == ".mem" {
			return nil, fmt.Errorf("a build was killed while it wrote %s", filepath.Join(path, e.Name()))
		}
	}
	eng, err := openEngine(path, cacheTree, false)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	return &Cache{dir: path, eng: eng}, nil
}

// MendCache makes of a cache that OpenCacheReadOnly refused one that it takes,
// and opens it so; the caller holds the store's lock. What a killed build left
// in it is kept. One that cannot be mended is replaced by an empty one, and then
// Note says so.
func MendCache(dir string) (*Cache, error) {
	w, err := OpenCache(dir)
	if err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	c, err := OpenCacheReadOnly(dir)
	if c != nil {
		c.note = w.note
	}
	return c, err
}

// OpenCache opens the cache for writing; the caller holds the store's lock. What
// stands in the way, a damaged cache or something that is none, is replaced by an
// empty one, of which Note tells. An error, when even that fails, is a reason to
// go on without a cache and no other.
func OpenCache(dir string) (*Cache, error) {
	path := filepath.Join(dir, cacheName)
	c, err := usableCache(path)
	if err == nil {
		return c, nil
	}
	if !itsOwnFault(err) {
		return nil, fmt.Errorf("cache: %w", placeError(dir, err))
	}
	c, fresh := renewCache(path)
	if fresh != nil {
		return nil, fmt.Errorf("cache: %w", placeError(dir, errors.Join(err, fresh)))
	}
	c.note = fmt.Sprintf("the cache could not be read and was replaced by an empty one (%v)", err)
	return c, nil
}

// itsOwnFault reports whether an empty cache would fare better: not where the
// machine is short of something, or somebody else is at the cache.
func itsOwnFault(err error) bool {
	var errno syscall.Errno
	return !errors.As(err, &errno) || !slices.Contains([]syscall.Errno{
		unix.ENOSPC, unix.EDQUOT, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EROFS, unix.EWOULDBLOCK}, errno)
}

// usableCache opens the cache that is there, or makes one, and brings it down to
// its size.
func usableCache(path string) (*Cache, error) {
	if err := makeFolder(path); err != nil {
		return nil, err
	}
	// A killed rewrite leaves its copy.
	if err := os.RemoveAll(path + ".tmp"); err != nil {
		return nil, err
	}
	c, err := openCacheAt(path)
	if err != nil {
		return nil, err
	}
	if err := c.slim(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func openCacheAt(path string) (*Cache, error) {
	// What is repaired is written through a mapping.
	if err := checkSpace(path, 0, reserve); err != nil {
		return nil, err
	}
	folder, eng, err := ownEngine(path, cacheTree)
	if err != nil {
		return nil, err
	}
	return &Cache{dir: path, folder: folder, eng: eng}, nil
}

// renewCache puts an empty cache in the place of whatever is there. The folder
// itself may stay when it cannot go, as one that is mounted there.
func renewCache(path string) (*Cache, error) {
	removed := os.RemoveAll(path)
	if err := makeFolder(path); err != nil {
		return nil, errors.Join(removed, err)
	}
	return openCacheAt(path)
}

// Note is what the user should hear about the cache, or "".
func (c *Cache) Note() string {
	if c == nil {
		return ""
	}
	return c.note
}

// Get returns a copy of the value of a key.
func (c *Cache) Get(key []byte) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.eng == nil {
		return nil, false
	}
	v, err := c.eng.value(key, false)
	if err != nil {
		return nil, false
	}
	return checkTrailer(v)
}

// Put stores pairs; a key that is there gets the new value. On a full disk it
// stores nothing and says so.
func (c *Cache) Put(list ...Pair) error {
	if c == nil || len(list) == 0 {
		return nil
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.eng == nil || c.folder == nil {
		return errors.New("cache: write to a cache that is closed or was opened read-only")
	}
	pairs := make([]pair, len(list))
	var need int64
	for i, p := range list {
		pairs[i] = pair{p.Key, addTrailer(p.Value)}
		need += int64(len(p.Key) + len(p.Value) + trailerLen)
	}
	if err := checkSpace(c.dir, need, reserve); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if _, err := c.eng.put(pairs, true); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// Scan calls fn for each key with the prefix, in order, with bytes that are
// valid during the call. Damaged values are passed over.
func (c *Cache) Scan(prefix []byte, fn func(key, value []byte)) {
	if c == nil {
		return
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.eng == nil {
		return
	}
	// A damaged block ends the scan early: what is not seen is a miss.
	_ = c.eng.scan(prefix, true, func(key, value []byte, _ int64) error {
		if v, ok := checkTrailer(value); ok && string(key) != cacheSizeKey {
			fn(key, v)
		}
		return nil
	})
}

// Close writes everything out. It may be called more than once.
func (c *Cache) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.eng == nil {
		return nil
	}
	eng := c.eng
	c.eng = nil
	if c.folder == nil {
		eng.release()
		return nil
	}
	return errors.Join(eng.close(cachePatience), unlock(c.folder))
}

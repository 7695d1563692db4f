package compiler

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"voxpack/store"
)

// stamp is what the file system says of a file without opening it.
type stamp struct {
	Size         int64
	Mtime, Ctime int64 // ns
	Inode        uint64
}

// fingerprint is a file's digest with the stamp it had when it was hashed.
type fingerprint struct {
	stamp
	Seen   int64 // ns, clock before the file was opened for hashing
	Digest store.Digest
}

// trusted reports whether a file with the stamp still has the digest. A file
// changed within the clock's grain of the hashing could change again without
// another stamp (git calls this racy), so it is hashed again.
func (f *fingerprint) trusted(now stamp) bool {
	return f.stamp == now && f.settled()
}

// settled reports whether the stamp was old enough when the file was hashed.
// The grain is that of kernel time stamps (one tick, at most 10 ms), or 2 s on
// file systems that keep whole seconds.
func (f *fingerprint) settled() bool {
	const tick, coarse = 20 * time.Millisecond, 2 * time.Second
	grain := tick
	if f.Mtime%int64(time.Second) == 0 {
		grain = coarse
	}
	return max(f.Mtime, f.Ctime)+int64(grain) < f.Seen
}

// statTable remembers fingerprints by path, in chunks by the place of the path,
// so that one edit rewrites one short chunk. It is safe for concurrent use.
type statTable struct {
	cache  *store.Cache
	now    func() time.Time
	trust  bool // false: --rehash
	chunks [statChunks]statChunk
}

// statChunks: one chunk holds 51 of 13,100 files (5 kB), 4,000 of a million.
const statChunks = 256

// statChunk is the files of one chunk: what the table says, read at the first
// question and never written after, and what this build found out beside it.
type statChunk struct {
	once sync.Once
	old  []statEntry // sorted by name

	mu      sync.Mutex
	hashed  map[string]fingerprint
	moved   bool // a file is new or its stat differs from the table's
	renewed bool // a stamp that was too fresh can be trusted now
}

type statEntry struct {
	name string
	fingerprint
	used atomic.Bool // a row of this build has the file
}

func newStatTable(cache *store.Cache, rehash bool, now func() time.Time) *statTable {
	return &statTable{cache: cache, now: now, trust: !rehash}
}

// digest is the digest of a file of the dataset, read only if it must be.
// hash is called to read the file.
func (t *statTable) digest(rel string, now stamp, hash func() (store.Digest, error)) (store.Digest, bool, error) {
	chunk := t.chunk(rel)
	old := chunk.find(rel)
	if old != nil {
		if !old.used.Load() {
			old.used.Store(true)
		}
		if t.trust && old.trusted(now) {
			return old.Digest, false, nil
		}
	}
	f := fingerprint{stamp: now, Seen: t.now().UnixNano()}
	var err error
	if f.Digest, err = hash(); err != nil {
		return store.Digest{}, true, err
	}
	chunk.mu.Lock()
	defer chunk.mu.Unlock()
	chunk.moved = chunk.moved || old == nil || old.stamp != now || old.Digest != f.Digest
	chunk.renewed = true
	if chunk.hashed == nil {
		chunk.hashed = map[string]fingerprint{}
	}
	chunk.hashed[rel] = f
	return f.Digest, true, nil
}

// needsWrite reports whether a file's stat changed, which alone is a reason to
// open the cache for writing; a stamp that was merely too fresh waits.
func (t *statTable) needsWrite() bool {
	for i := range t.chunks {
		if t.chunks[i].moved {
			return true
		}
	}
	return false
}

// save puts the changed chunks, without the files that are gone.
func (t *statTable) save(put func(key, value []byte) error) error {
	for i := range t.chunks {
		c := &t.chunks[i]
		if !c.moved && !c.renewed && !c.hasUnused() {
			continue
		}
		if err := put(statKey(i), c.encode()); err != nil {
			return err
		}
	}
	return nil
}

// hasUnused reports whether the table has files that no row has any more.
func (c *statChunk) hasUnused() bool {
	for i := range c.old {
		if !c.old[i].used.Load() {
			return true
		}
	}
	return false
}

func (t *statTable) chunk(rel string) *statChunk {
	i := int(store.Place(rel) >> 56)
	c := &t.chunks[i]
	c.once.Do(func() {
		value, _ := t.cache.Get(statKey(i))
		c.old = decodeChunk(value)
	})
	return c
}

func (c *statChunk) find(rel string) *statEntry {
	i := sort.Search(len(c.old), func(i int) bool { return c.old[i].name >= rel })
	if i < len(c.old) && c.old[i].name == rel {
		return &c.old[i]
	}
	return nil
}

func statKey(i int) []byte { return []byte{'S', '1', byte(i)} }

const fingerprintBytes = 8*5 + 32

// encode is the chunk as it is now: what this build hashed, and of the table
// what rows still have.
func (c *statChunk) encode() []byte {
	now := make(map[string]fingerprint, len(c.old)+len(c.hashed))
	for i := range c.old {
		if e := &c.old[i]; e.used.Load() {
			now[e.name] = e.fingerprint
		}
	}
	maps.Copy(now, c.hashed)
	var b []byte
	for _, n := range slices.Sorted(maps.Keys(now)) {
		f := now[n]
		b = binary.LittleEndian.AppendUint32(b, uint32(len(n)))
		b = append(b, n...)
		for _, v := range []uint64{uint64(f.Size), uint64(f.Mtime), uint64(f.Ctime), f.Inode, uint64(f.Seen)} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		b = append(b, f.Digest[:]...)
	}
	return b
}

// decodeChunk reads what it can, which ends where names are out of order: a
// damaged table only costs hashing.
func decodeChunk(b []byte) []statEntry {
	files := make([]statEntry, 0, len(b)/(4+fingerprintBytes))
	text := string(b) // names share its memory
	for at := 0; len(b)-at >= 4; {
		n := int(binary.LittleEndian.Uint32(b[at:]))
		from := at + 4
		if n < 0 || len(b)-from-fingerprintBytes < n {
			break
		}
		name, fields := text[from:from+n], b[from+n:]
		if len(files) > 0 && name <= files[len(files)-1].name {
			break
		}
		u := func(i int) uint64 { return binary.LittleEndian.Uint64(fields[8*i:]) }
		files = append(files, statEntry{name: name, fingerprint: fingerprint{
			stamp: stamp{int64(u(0)), int64(u(1)), int64(u(2)), u(3)}, Seen: int64(u(4)), Digest: store.Digest(fields[40:fingerprintBytes])}})
		at = from + n + fingerprintBytes
	}
	return files
}

// readWhole reads a file into buf, growing it where it must, and checks that
// the file is the one that was looked at.
func readWhole(path string, want stamp, buf []byte) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return buf[:0], errChanged // it was there when it was looked at
	}
	if err != nil {
		return buf[:0], plain(err)
	}
	defer f.Close()
	size := want.Size
	if int64(cap(buf)) < size+1 {
		buf = make([]byte, size+size/4+1)
	}
	buf = buf[:size+1]
	n := 0
	for n < len(buf) {
		m, err := f.Read(buf[n:])
		n += m
		if err != nil {
			if err != io.EOF {
				return buf[:0], plain(err)
			}
			break
		}
	}
	var after syscall.Stat_t
	if err := uninterrupted(func() error { return syscall.Fstat(int(f.Fd()), &after) }); err != nil {
		return buf[:0], err
	}
	if int64(n) != size || newStamp(&after) != want {
		return buf[:0], errChanged
	}
	return buf[:n], nil
}

// errChanged means that a source was written to while the build read it.
var errChanged = errors.New("the file changed while it was read")

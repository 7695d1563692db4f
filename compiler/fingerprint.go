package compiler

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
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
	cache *store.Cache
	now   func() time.Time
	trust bool // false: --rehash

	mu     sync.Mutex
	chunks [statChunks]*statChunk
}

// statChunks: one chunk holds 51 of 13,100 files (5 kB), 4,000 of a million.
const statChunks = 256

// statChunk is the files of one chunk: those of the table, brought up to date
// row by row.
type statChunk struct {
	files   map[string]*statEntry
	moved   bool // a file is new or its stat differs from the table's
	renewed bool // a stamp that was too fresh can be trusted now
}

type statEntry struct {
	fingerprint
	used bool // a row of this build has the file
}

func newStatTable(cache *store.Cache, rehash bool, now func() time.Time) *statTable {
	return &statTable{cache: cache, now: now, trust: !rehash}
}

// digest is the digest of a file of the dataset, read only if it must be.
// hash is called to read the file.
func (t *statTable) digest(rel string, now stamp, hash func() (store.Digest, error)) (store.Digest, bool, error) {
	chunk := t.chunk(rel)
	t.mu.Lock()
	old := chunk.files[rel]
	if old != nil {
		old.used = true
	}
	t.mu.Unlock()
	if old != nil && t.trust && old.trusted(now) {
		return old.Digest, false, nil
	}
	f := fingerprint{stamp: now, Seen: t.now().UnixNano()}
	var err error
	if f.Digest, err = hash(); err != nil {
		return store.Digest{}, true, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	chunk.moved = chunk.moved || old == nil || old.stamp != now || old.Digest != f.Digest
	chunk.renewed = true
	chunk.files[rel] = &statEntry{f, true}
	return f.Digest, true, nil
}

// needsWrite reports whether a file's stat changed, which alone is a reason to
// open the cache for writing; a stamp that was merely too fresh waits.
func (t *statTable) needsWrite() bool {
	for _, c := range t.chunks {
		if c != nil && c.moved {
			return true
		}
	}
	return false
}

// save puts the changed chunks, without the files that are gone.
func (t *statTable) save(put func(key, value []byte) error) error {
	for i, c := range t.chunks {
		if c == nil || !c.drop() && !c.moved && !c.renewed {
			continue
		}
		if err := put(statKey(i), encodeChunk(c.files)); err != nil {
			return err
		}
	}
	return nil
}

// drop forgets files that no row has any more, and reports whether there were any.
func (c *statChunk) drop() bool {
	before := len(c.files)
	maps.DeleteFunc(c.files, func(_ string, e *statEntry) bool { return !e.used })
	return len(c.files) < before
}

func (t *statTable) chunk(rel string) *statChunk {
	i := int(store.Place(rel) >> 56)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.chunks[i] == nil {
		value, _ := t.cache.Get(statKey(i))
		t.chunks[i] = &statChunk{files: decodeChunk(value)}
	}
	return t.chunks[i]
}

func statKey(i int) []byte { return []byte{'S', '1', byte(i)} }

const fingerprintBytes = 8*5 + 32

func encodeChunk(files map[string]*statEntry) []byte {
	names := make([]string, 0, len(files))
	for n := range files {
		names = append(names, n)
	}
	slices.Sort(names)
	var b []byte
	for _, n := range names {
		f := files[n]
		b = binary.LittleEndian.AppendUint32(b, uint32(len(n)))
		b = append(b, n...)
		for _, v := range []uint64{uint64(f.Size), uint64(f.Mtime), uint64(f.Ctime), f.Inode, uint64(f.Seen)} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		b = append(b, f.Digest[:]...)
	}
	return b
}

// decodeChunk reads what it can: a damaged table only costs hashing.
func decodeChunk(b []byte) map[string]*statEntry {
	files := make(map[string]*statEntry, len(b)/100)
	for len(b) >= 4 {
		n := int(binary.LittleEndian.Uint32(b))
		if n < 0 || len(b)-4-fingerprintBytes < n {
			break
		}
		name := string(b[4 : 4+n])
		b = b[4+n:]
		u := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
		f := fingerprint{stamp: stamp{int64(u(0)), int64(u(1)), int64(u(2)), u(3)}, Seen: int64(u(4))}
		copy(f.Digest[:], b[40:72])
		files[name] = &statEntry{fingerprint: f}
		b = b[fingerprintBytes:]
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
	after, err := f.Stat()
	if err != nil {
		return buf[:0], plain(err)
	}
	if int64(n) != size || stampOf(after) != want {
		return buf[:0], errChanged
	}
	return buf[:n], nil
}

// errChanged means that a source was written to while the build read it.
var errChanged = errors.New("the file changed while it was read")

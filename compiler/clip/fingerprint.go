package clip

import (
	"encoding/binary"
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"voxpack/store"
)

// Stamp is what the file system says of a file without opening it.
type Stamp struct {
	Size         int64
	Mtime, Ctime int64 // ns
	Inode        uint64
}

// fingerprint is a file's digest with the stamp it had when it was hashed.
type fingerprint struct {
	Stamp
	Seen   int64 // ns, clock before the file was opened for hashing
	Digest store.Digest
}

// trusted reports whether a file with the stamp still has the digest. A file
// changed within the clock's grain of the hashing could change again without
// another stamp (git calls this racy), so it is hashed again.
// The grain is that of kernel time stamps (one tick, at most 10 ms), or 2 s on
// file systems that keep whole seconds.
func (f *fingerprint) trusted(now Stamp) bool {
	const tick, coarse = 20 * time.Millisecond, 2 * time.Second
	grain := tick
	if f.Mtime%int64(time.Second) == 0 {
		grain = coarse
	}
	return f.Stamp == now && max(f.Mtime, f.Ctime)+int64(grain) < f.Seen
}

// StatTable remembers fingerprints by path, in chunks by the place of the path,
// so that one edit rewrites one short chunk. It is safe for concurrent use.
type StatTable struct {
	cache   *store.Cache
	now     func() time.Time
	trust   bool // false: --rehash
	partial bool // not every row was looked at, so no file is known to be gone
	kept    bool // see Keep
	chunks  [statChunks]statChunk
}

// statChunks: one chunk holds 51 of 13,100 files (5 kB), 4,000 of a million.
const statChunks = 256

// statChunk is the files of one chunk: what the table says, read at the first
// question and never written after, and what this build found out beside it.
type statChunk struct {
	once sync.Once
	old  statList
	used []atomic.Uint32 // a bit for each file: a row of this build has it

	mu      sync.Mutex
	hashed  map[string]fingerprint
	moved   bool // a file is new or its stat differs from the table's
	renewed bool // a stamp that was too fresh can be trusted now
}

// NewStatTable is the table that a cache holds, which may be nil. rehash: it trusts
// nothing that stands there. now is the clock before a file is opened.
func NewStatTable(cache *store.Cache, rehash bool, now func() time.Time) *StatTable {
	return &StatTable{cache: cache, now: now, trust: !rehash}
}

// Digest is the digest of a file of the dataset, read only if it must be.
// hash is called to read the file.
func (t *StatTable) Digest(rel string, now Stamp, hash func() (store.Digest, error)) (store.Digest, bool, error) {
	place := store.Place(rel)
	chunk := t.chunk(place)
	old, known := chunk.find(rel, place)
	if known && t.trust && old.trusted(now) {
		return old.Digest, false, nil
	}
	if f, again := chunk.lately(rel, now); again {
		return f.Digest, true, nil
	}
	seen := t.now()
	digest, err := hash()
	if err != nil {
		return store.Digest{}, true, err
	}
	t.Note(rel, now, seen, digest)
	return digest, true, nil
}

// lately is what this build found out about a file: the parts of a recording are
// a thousand rows, and it is hashed for the first of them.
func (c *statChunk) lately(rel string, now Stamp) (fingerprint, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f, ok := c.hashed[rel]
	return f, ok && f.Stamp == now
}

// Note keeps what a file's bytes were that were read after seen.
func (t *StatTable) Note(rel string, now Stamp, seen time.Time, digest store.Digest) {
	f := fingerprint{Stamp: now, Seen: seen.UnixNano(), Digest: digest}
	place := store.Place(rel)
	chunk := t.chunk(place)
	old, known := chunk.find(rel, place)
	chunk.mu.Lock()
	defer chunk.mu.Unlock()
	chunk.moved = chunk.moved || !known || old.Stamp != now || old.Digest != f.Digest
	chunk.renewed = true
	if chunk.hashed == nil {
		chunk.hashed = map[string]fingerprint{}
	}
	chunk.hashed[rel] = f
}

// Trusts reports whether what the table says of a file counts.
func (t *StatTable) Trusts() bool { return t.trust }

// KeepUnused makes save keep the files that no row asked for: not every row was
// looked at, so none of them is known to be gone.
func (t *StatTable) KeepUnused() { t.partial = true }

// Keep makes Save keep files, by the places of their names, of rows that did not ask for them, since nothing of theirs
// has changed; nil: all rows asked.
// A file that is gone stays in the table then until its chunk is written for another reason.
func (t *StatTable) Keep(files iter.Seq[uint64]) {
	if t.kept = files != nil; !t.kept {
		return
	}
	for place := range files {
		if c := &t.chunks[place>>56]; c.moved || c.renewed {
			c.keep(place)
		}
	}
}

// Settled reports whether a file's digest may be taken from the table as long as its stamp is this one.
func (t *StatTable) Settled(rel string, now Stamp) bool {
	place := store.Place(rel)
	c := t.chunk(place)
	f, ok := c.lately(rel, now)
	if !ok {
		f, ok = c.find(rel, place)
	}
	return ok && f.trusted(now)
}

// NeedsWrite reports whether a file's stat changed, which alone is a reason to
// open the cache for writing; a stamp that was merely too fresh waits.
func (t *StatTable) NeedsWrite() bool {
	for i := range t.chunks {
		if t.chunks[i].moved {
			return true
		}
	}
	return false
}

// Save puts the changed chunks, without the files that are gone.
func (t *StatTable) Save(put func(key, value []byte) error) error {
	for i := range t.chunks {
		c := &t.chunks[i]
		if !c.moved && !c.renewed && (t.partial || t.kept || !c.hasUnused()) {
			continue
		}
		if err := put(statKey(i), c.encode(t.partial)); err != nil {
			return err
		}
	}
	return nil
}

// hasUnused reports whether the table has files that no row has any more.
func (c *statChunk) hasUnused() bool {
	for i := range c.old.at {
		if !c.isUsed(i) {
			return true
		}
	}
	return false
}

func (c *statChunk) isUsed(i int) bool { return c.used[i/32].Load()&(1<<(i%32)) != 0 }

func (t *StatTable) chunk(place uint64) *statChunk {
	i := int(place >> 56)
	c := &t.chunks[i]
	c.once.Do(func() {
		value, _ := t.cache.Get(statKey(i))
		c.load(value)
	})
	return c
}

// load takes in what the table has.
func (c *statChunk) load(value []byte) {
	c.old = listChunk(value)
	c.used = make([]atomic.Uint32, (len(c.old.at)+31)/32)
}

// find looks a file up in the table and marks it as one that a row has.
func (c *statChunk) find(rel string, place uint64) (fingerprint, bool) {
	i := c.old.find(rel, place)
	if i < 0 {
		return fingerprint{}, false
	}
	if bit := uint32(1) << (i % 32); c.used[i/32].Load()&bit == 0 {
		c.used[i/32].Or(bit)
	}
	return c.old.fingerprint(i), true
}

// keep marks the files of a place as ones that rows have.
func (c *statChunk) keep(place uint64) {
	l := &c.old
	mask := len(l.slots) - 1
	for slot := int(place) & mask; l.slots[slot] != 0; slot = (slot + 1) & mask {
		if i := int(l.slots[slot]) - 1; store.Place(string(l.name(i))) == place {
			c.used[i/32].Or(1 << (i % 32))
		}
	}
}

// statKey is a chunk's key in the cache. S1 is the form of entries: a change of it
// needs another number, and old chunks are then not found and hashed again.
func statKey(i int) []byte { return []byte{'S', '1', byte(i)} }

// fingerprintBytes: size, mtime, ctime, inode and seen of 8 bytes each, and the digest.
const fingerprintBytes = 8*5 + 32

// encode is the chunk as it is now: what this build hashed, and of the table
// what rows still have; all of it when not every row was looked at.
func (c *statChunk) encode(partial bool) []byte {
	now := make(map[string]fingerprint, len(c.old.at)+len(c.hashed))
	for i := range c.old.at {
		if partial || c.isUsed(i) {
			now[string(c.old.name(i))] = c.old.fingerprint(i)
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

// statList is an encoded chunk and where its entries begin. A build looks at
// each of them once, so they are read where they lie: 13,100 entries decoded
// would be 2 MB more.
type statList struct {
	b     []byte
	at    []uint32
	slots []uint32 // 1 + an entry, by the place of its name; 0: none
}

// listChunk finds the entries of an encoded chunk. It ends where a name is cut
// short or out of order: a damaged table only costs hashing.
func listChunk(b []byte) statList {
	l := statList{b: b, at: make([]uint32, 0, len(b)/(4+fingerprintBytes))}
	for at := 0; len(b)-at >= 4; {
		n := int(binary.LittleEndian.Uint32(b[at:]))
		if len(b)-at-4-fingerprintBytes < n {
			break
		}
		l.at = append(l.at, uint32(at))
		if last := len(l.at) - 1; last > 0 && string(l.name(last)) <= string(l.name(last-1)) {
			l.at = l.at[:last]
			break
		}
		at += 4 + n + fingerprintBytes
	}
	l.index()
	return l
}

// index makes the table that finds a name at the first or second look: a search by halves
// met a cache line that is not there at each of its 12 looks, 2 of 11 s over a million rows.
func (l *statList) index() {
	n := 4
	for n < len(l.at)*3/2 {
		n *= 2
	}
	l.slots = make([]uint32, n)
	for i := range l.at {
		slot := int(store.Place(string(l.name(i)))) & (n - 1)
		for l.slots[slot] != 0 {
			slot = (slot + 1) & (n - 1)
		}
		l.slots[slot] = uint32(i) + 1
	}
}

// find is the entry of a name, -1 where there is none.
func (l *statList) find(name string, place uint64) int {
	mask := len(l.slots) - 1
	for slot := int(place) & mask; l.slots[slot] != 0; slot = (slot + 1) & mask {
		if i := int(l.slots[slot]) - 1; string(l.name(i)) == name {
			return i
		}
	}
	return -1
}

func (l statList) name(i int) []byte {
	b := l.b[l.at[i]:]
	return b[4 : 4+binary.LittleEndian.Uint32(b)]
}

func (l statList) fingerprint(i int) fingerprint {
	b := l.b[int(l.at[i])+4+len(l.name(i)):]
	u := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	return fingerprint{Stamp: Stamp{int64(u(0)), int64(u(1)), int64(u(2)), u(3)}, Seen: int64(u(4)), Digest: store.Digest(b[40:fingerprintBytes])}
}

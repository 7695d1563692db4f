package action

import (
	"encoding/binary"
	"os"
	"slices"
	"sync"

	"voxpack/store"
)

// Result is what an action of the audio, text or tokens stage found out about
// a row: small enough to be remembered whole. Notes and a refusal are part of
// it, so that a hit says again what the run said.
type Result struct {
	Spoken  string    // text
	Numbers [5]uint64 // audio: rate, channels, bits, file samples, samples; tokens: count
	Refused string
	Notes   []store.Note
}

// Memo is the results of actions by key: those of earlier builds in the cache
// database, and the new ones of this build, which are written at its end. It is safe
// for concurrent use. What it reads it does not hold: a build asks for a key once, or
// twice where it is one of phonemes, and the database answers within microseconds.
type Memo struct {
	cache *store.Cache

	mu       sync.Mutex
	fresh    [][]byte // blocks of entries: length and bytes of a whole key of the cache, length and bytes of its value
	aside    *os.File // blocks that were put aside, one after the other; nil: none
	lengths  []int    // of those
	stays    bool     // no block can be put aside
	verdicts bool     // recordings were refused anew, which the next build should know
	dry      bool     // nothing will be written: new results need not be kept
}

// memoBlock is how many bytes of new results lie together. Three entries of their own for each row are most of what a
// first build of a million rows would hold, 400 bytes a row: of more than memoBlocks blocks full ones go to a file
// that has no name and ends with the process.
const memoBlock, memoBlocks = 256 << 10, 64

// NewMemo is the memo over a cache, which may be nil. dry: the build writes nothing.
func NewMemo(cache *store.Cache, dry bool) *Memo {
	return &Memo{cache: cache, dry: dry}
}

// Get is the result of an action that an earlier build kept. What this build puts is
// not among them, see Put.
func (m *Memo) Get(key store.Key) (Result, bool) {
	value, ok := m.cache.Get(memoKey(key))
	if !ok {
		return Result{}, false
	}
	return decodeResult(value)
}

// Put keeps a new result for the end of the build. It does not serve get: what
// a build counts as run must not depend on which of two equal rows came first.
func (m *Memo) Put(key store.Key, r Result) {
	if m.dry {
		return
	}
	m.put(memoKey(key), encodeResult(r))
}

func (m *Memo) put(key, value []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last := len(m.fresh) - 1
	if need := 2*binary.MaxVarintLen32 + len(key) + len(value); last < 0 || cap(m.fresh[last])-len(m.fresh[last]) < need {
		m.putAside()
		m.fresh = append(m.fresh, make([]byte, 0, max(memoBlock, need)))
		last = len(m.fresh) - 1
	}
	b := append(binary.AppendUvarint(m.fresh[last], uint64(len(key))), key...)
	m.fresh[last] = append(binary.AppendUvarint(b, uint64(len(value))), value...)
}

// putAside makes room for a block, if there are many. Without a folder for temporary files, or room in it, all stay.
func (m *Memo) putAside() {
	if len(m.fresh) < memoBlocks || m.stays {
		return
	}
	var err error
	if m.aside == nil {
		if m.aside, err = os.CreateTemp("", "voxpack-memo-"); err == nil {
			err = os.Remove(m.aside.Name())
		}
	}
	last := len(m.fresh) - 1
	if err == nil {
		_, err = m.aside.WriteAt(m.fresh[last], m.sizeAside())
	}
	if m.stays = err != nil; m.stays {
		return // of a block that was written in part nobody reads
	}
	m.lengths = append(m.lengths, len(m.fresh[last]))
	m.fresh = m.fresh[:last]
}

func (m *Memo) sizeAside() (size int64) {
	for _, n := range m.lengths {
		size += int64(n)
	}
	return size
}

// Blob is what an earlier build kept by PutBlob.
func (m *Memo) Blob(key store.Key) ([]byte, bool) {
	var all []byte
	for i := byte(0); ; i++ {
		part, ok := m.cache.Get(blobKey(key, i))
		if !ok || len(part) == 0 {
			return nil, false
		}
		if all = append(all, part[1:]...); part[0] == 0 {
			return all, true
		}
	}
}

// PutBlob keeps bytes that are no result of a row, such as which values a file has. What
// is longer than the cache takes is not kept.
func (m *Memo) PutBlob(key store.Key, value []byte) {
	const part = 1 << 20 // of a value in the cache: a transaction takes some 10 MB
	if m.dry || len(value) > 250*part {
		return
	}
	for i := byte(0); ; i++ {
		n := min(len(value), part)
		more := byte(0)
		if n < len(value) {
			more = 1
		}
		m.put(blobKey(key, i), append([]byte{more}, value[:n]...))
		if value = value[n:]; more == 0 {
			return
		}
	}
}

// blobKey is the key of a part of a blob. B1 is the form; each part begins with 1 where
// another one follows.
func blobKey(k store.Key, part byte) []byte { return append(append([]byte("B1"), k[:]...), part) }

// Judged notes that a recording was looked at and refused.
func (m *Memo) Judged() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.verdicts = true
}

// NeedsWrite reports whether new results alone are a reason to write the cache.
func (m *Memo) NeedsWrite() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.verdicts && !m.dry
}

// Empty reports whether there is nothing to save.
func (m *Memo) Empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.fresh) == 0
}

// Save puts the new results, once, and forgets them on the way.
func (m *Memo) Save(put func(key, value []byte) error) error {
	at := int64(0)
	for _, n := range m.lengths {
		b := make([]byte, n) // not used again: what put gets it may keep for a while
		if _, err := m.aside.ReadAt(b, at); err != nil {
			return err
		}
		if err := putBlock(b, put); err != nil {
			return err
		}
		at += int64(n)
	}
	for i, b := range m.fresh {
		m.fresh[i] = nil
		if err := putBlock(b, put); err != nil {
			return err
		}
	}
	return nil
}

// putBlock puts the entries of a block.
func putBlock(b []byte, put func(key, value []byte) error) error {
	next := func() (field []byte) {
		n, size := binary.Uvarint(b)
		field, b = b[size:size+int(n)], b[size+int(n):]
		return field
	}
	for len(b) > 0 {
		key := next()
		if err := put(key, next()); err != nil {
			return err
		}
	}
	return nil
}

// Close gives the file back that results were put aside in.
func (m *Memo) Close() {
	if m != nil && m.aside != nil {
		m.aside.Close() // read already, or of no use
	}
}

// CopyMemo gives all that a memo keeps to put.
func CopyMemo(from *store.Cache, put func(key, value []byte) error) (err error) {
	for _, form := range []string{"M1", "B1"} {
		from.Scan([]byte(form), func(key, value []byte) {
			if err == nil {
				err = put(slices.Clone(key), slices.Clone(value))
			}
		})
	}
	return err
}

func memoKey(k store.Key) []byte { return append([]byte("M1"), k[:]...) }

func encodeResult(r Result) []byte {
	str := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	b := str(make([]byte, 0, 24+len(r.Spoken)+len(r.Refused)), r.Spoken)
	for _, n := range r.Numbers {
		b = binary.AppendUvarint(b, n)
	}
	b = str(b, r.Refused)
	for _, n := range r.Notes {
		b = binary.AppendUvarint(str(str(str(b, n.Stage), n.Kind), n.Detail), uint64(n.Count))
	}
	return b
}

// decodeResult reads a result; a damaged one is a miss.
func decodeResult(b []byte) (r Result, ok bool) {
	number := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b, n, ok = nil, 0, false
		}
		b = b[n:]
		return v
	}
	str := func() string {
		n := number()
		if n > uint64(len(b)) {
			ok = false
			return ""
		}
		s := string(b[:n])
		b = b[n:]
		return s
	}
	ok = true
	r.Spoken = str()
	for i := range r.Numbers {
		r.Numbers[i] = number()
	}
	r.Refused = str()
	for ok && len(b) > 0 {
		r.Notes = append(r.Notes, store.Note{Stage: str(), Kind: str(), Detail: str(), Count: uint32(number())})
	}
	return r, ok
}

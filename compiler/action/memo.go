package action

import (
	"encoding/binary"
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
	fresh    []memoEntry
	verdicts bool // recordings were refused anew, which the next build should know
	dry      bool // nothing will be written: new results need not be kept
}

type memoEntry struct {
	key   store.Key
	value []byte
}

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
	value := encodeResult(r)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fresh = append(m.fresh, memoEntry{key, value})
}

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

// Save puts the new results.
func (m *Memo) Save(put func(key, value []byte) error) error {
	for _, e := range m.fresh {
		if err := put(memoKey(e.key), e.value); err != nil {
			return err
		}
	}
	return nil
}

func memoKey(k store.Key) []byte { return append([]byte("M1"), k[:]...) }

func encodeResult(r Result) []byte {
	str := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	b := str(nil, r.Spoken)
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

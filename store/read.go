package store

import (
	"errors"
	"fmt"
)

// Get returns a copy of an entry's value. What is named by its digest is
// checked against it: ErrDamaged names the pack and the key. No such entry:
// ErrNotFound.
func (s *Store) Get(k Kind, name [32]byte) ([]byte, error) {
	return s.find(k, name, false, true, anyForm)
}

// View returns an entry's bytes where they lie in the mapped pack, without a
// copy and without hashing them; they are valid until Close and must not be
// written. Values up to 1 KiB, those of the pack being written and blocks that are stored
// as extents come as copies (Samples has those where they lie). A value that cannot be read back is ErrDamaged.
func (s *Store) View(k Kind, name [32]byte) ([]byte, error) {
	return s.find(k, name, true, false, anyForm)
}

// Trace returns what an action of this key made, when that is known. A damaged
// value is as good as none.
func (s *Store) Trace(key Key) ([]byte, bool) {
	v, err := s.find(KindTrace, key, false, true, anyForm)
	if err != nil {
		return nil, false
	}
	return checkTrailer(v)
}

// Has reports whether an entry is there, of a block in any form; it does not read the value.
func (s *Store) Has(k Kind, name [32]byte) bool {
	return s.hasNow(k, name) || s.refresh() && s.hasNow(k, name)
}

func (s *Store) hasNow(k Kind, name [32]byte) bool {
	key := entryKey(k, name)
	return s.hasKey(key[:]) || k == KindBlock && s.hasAll(s.Extents(name))
}

// Check reports whether an entry is there and View returns the bytes that its
// name promises; it reads and hashes them. Where a damaged copy covers a sound
// one in an older pack it says no: a copy put now covers both.
func (s *Store) Check(k Kind, name [32]byte) bool {
	v, err := s.find(k, name, true, false, anyForm)
	key := entryKey(k, name)
	return err == nil && intact(key[:], v)
}

// PackOf names the sealed pack that an entry is read from; of a block that is stored as
// extents, the one that has their list.
func (s *Store) PackOf(k Kind, name [32]byte) (id string, ok bool) {
	if !s.Has(k, name) { // which also finds packs that came later
		return "", false
	}
	packs, _ := s.hands()
	key := entryKey(k, name)
	if p := holder(packs, key[:]); p != nil {
		return p.id, true
	}
	key = entryKey(KindExtents, name)
	if p := holder(packs, key[:]); p != nil && k == KindBlock {
		return p.id, true
	}
	return "", false
}

func (s *Store) hasKey(key []byte) bool {
	packs, own := s.hands()
	return own != nil && own.has(key) || holder(packs, key) != nil
}

// holder is the first of the packs that has a key, nil where none has it.
func holder(packs []*pack, key []byte) *pack {
	for _, p := range packs {
		if p.has(key) {
			return p
		}
	}
	return nil
}

// forms says in which form a block is looked for.
type forms bool

const (
	anyForm   forms = true
	wholeOnly forms = false
)

// find searches, and once more when packs have turned up since they were listed.
func (s *Store) find(k Kind, name [32]byte, mapped, check bool, in forms) ([]byte, error) {
	key := entryKey(k, name)
	look := func() ([]byte, error) {
		v, err := s.search(key[:], mapped, check)
		if err != nil && k == KindBlock && in == anyForm {
			if gathered, missed := s.gather(name, check); missed == nil || errors.Is(err, ErrNotFound) {
				v, err = gathered, missed
			}
		}
		return v, err
	}
	v, err := look()
	if err != nil && s.refresh() {
		v, err = look()
	}
	if err == ErrNotFound {
		return nil, fmt.Errorf("%s: %w", keyText(key[:]), err)
	}
	return v, err
}

// search asks the pack being written, then the others in their order. A damaged
// value is passed over when a sound one lies in another pack.
func (s *Store) search(key []byte, mapped, check bool) ([]byte, error) {
	packs, own := s.hands()
	if own != nil {
		if v, err := own.value(key, false); err == nil && (!check || genuine(key, v)) {
			return v, nil
		}
	}
	result := ErrNotFound
	for _, p := range packs {
		v, err := p.value(key, mapped)
		if err == nil && check && !intact(key, v) {
			err = fmt.Errorf("pack %s: %s: the value is not the one that was stored; see voxpack verify --full: %w", p.id, keyText(key), ErrDamaged)
		}
		if err == nil {
			return v, nil
		}
		if !errors.Is(err, ErrNotFound) && result == ErrNotFound {
			result = err
		}
	}
	return nil, result
}

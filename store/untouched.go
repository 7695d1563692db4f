package store

import (
	"os"
	"path/filepath"
)

// PackIDs names the packs that are open, in the order of search.
func (s *Store) PackIDs() (ids []string) {
	packs, _ := s.hands()
	for _, p := range packs {
		ids = append(ids, p.id)
	}
	return ids
}

// Untouched reports whether the store has the named packs still, or packs that took them
// over, and nobody has written to a file of any pack since it was sealed. So a record of
// theirs can be left unread: as with a source, a time stamp is believed. It costs one stat
// for each file of a pack.
func (s *Store) Untouched(ids []string) bool {
	packs, _ := s.hands()
	there := map[string]bool{}
	for _, p := range packs {
		there[p.id] = true
		for _, id := range p.replaces {
			there[id] = true
		}
		if !p.untouched() {
			return false
		}
	}
	for _, id := range ids {
		if !there[id] {
			return false
		}
	}
	return true
}

// untouched reports whether all files are as long and as old as they were when SEAL was written after them.
func (p *pack) untouched() bool {
	seal, err := readSeal(p.dir)
	if err != nil {
		return false
	}
	sealed, err := os.Stat(filepath.Join(p.dir, sealName))
	if err != nil {
		return false
	}
	for _, f := range seal.files {
		info, err := os.Stat(filepath.Join(p.dir, f.name))
		if err != nil || info.Size() != f.size || info.ModTime().After(sealed.ModTime()) {
			return false
		}
	}
	return true
}

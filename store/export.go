package store

// Entries calls yield for every entry of the sealed packs, each key once (from
// the first pack in the order of search that has it), until yield returns
// false. Values are as they lie in the pack: that of a trace ends with its
// checksum. They are mapped, must not be written and may not be used after
// Close; they are not checked against their names, so that a second reader may
// find out for itself. A value that cannot be read back: ErrDamaged.
func (s *Store) Entries(yield func(Entry) bool) error {
	packs, _ := s.hands()
	for i, p := range packs {
		more, err := p.entries(packs[:i], yield)
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// entries yields what the packs before it in the search do not have, and
// reports whether more is wanted.
func (p *pack) entries(before []*pack, yield func(Entry) bool) (more bool, err error) {
	eng, err := p.engine()
	if err != nil {
		return false, err
	}
	more = true
	err = eng.scan(nil, false, func(key, _ []byte, _ int64) error {
		if !more || len(key) != 33 || holder(before, key) != nil {
			return nil
		}
		value, err := p.value(key, true)
		if err != nil {
			return err
		}
		more = yield(Entry{Kind: Kind(key[0]), Name: [32]byte(key[1:]), Value: value})
		return nil
	})
	return more, err
}

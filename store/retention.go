package store

import (
	"maps"
	"slices"
	"time"
)

// Retention says which snapshots stay besides those of refs and the one before each.
type Retention struct {
	Last  int // the newest so many
	Daily int // the newest of each day (UTC) that has one, of so many days
}

// KeptSnapshot is a snapshot that stays, and why.
type KeptSnapshot struct {
	NamedSnapshot
	Why string // a ref, such as "heads/main"; "before heads/main", "last" or "daily"
}

// Kept lists the snapshots that refs and a retention keep, the newest first, each with the
// first reason. The error is of packs that cannot be read; the list is of the others, and
// nil where a ref is damaged.
func (s *Store) Kept(r Retention) ([]KeptSnapshot, error) {
	refs, err := readRefs(s.dir)
	if err != nil {
		return nil, err
	}
	all, err := s.Snapshots()
	why := map[Digest]string{}
	say := func(d Digest, reason string) {
		if _, said := why[d]; !said {
			why[d] = reason
		}
	}
	names := slices.Sorted(maps.Keys(refs))
	for _, name := range names {
		say(refs[name], name)
	}
	for _, name := range names {
		if i := slices.IndexFunc(all, func(n NamedSnapshot) bool { return n.Digest == refs[name] }); i >= 0 {
			say(all[i].Parent, "before "+name)
		}
	}
	days := map[string]bool{}
	kept := []KeptSnapshot{}
	for i, n := range all {
		if i < r.Last {
			say(n.Digest, "last")
		}
		if day := n.Made().Format(time.DateOnly); !days[day] && len(days) < r.Daily {
			days[day] = true
			say(n.Digest, "daily")
		}
		if reason, is := why[n.Digest]; is {
			kept = append(kept, KeptSnapshot{n, reason})
		}
	}
	return kept, err
}

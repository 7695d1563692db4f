package clip

import (
	"slices"
	"strings"

	"voxpack/store"
)

// listing is the audio files of one folder by their stems, the names without the extension.
// A folder can have a million: a map of strings takes 100 bytes for each, this 28.
type listing struct {
	names string              // of all files, each ended by a slash, which no name has
	slots []uint32            // 1 + where a name begins in names, by the hash of its stem; 0: none
	more  map[string][]string // names whose stem another one has already
}

// newListing makes a listing of names, each of which ends with a slash.
func newListing(names string) *listing {
	l := &listing{names: names}
	n := 4
	for n < strings.Count(names, "/")*3/2 {
		n *= 2
	}
	l.slots = make([]uint32, n)
	for at := 0; at < len(names); {
		name := l.name(at)
		stem := stemOf(name)
		if slot := l.slot(stem); l.slots[slot] == 0 {
			l.slots[slot] = uint32(at) + 1
		} else {
			if l.more == nil {
				l.more = map[string][]string{}
			}
			l.more[stem] = append(l.more[stem], name)
		}
		at += len(name) + 1
	}
	return l
}

// stemOf is a name without its extension.
func stemOf(name string) string {
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		return name[:dot]
	}
	return name
}

// name is the name that begins at a place.
func (l *listing) name(at int) string {
	rest := l.names[at:]
	return rest[:strings.IndexByte(rest, '/')]
}

// slot is where a stem stands, or would.
func (l *listing) slot(stem string) int {
	mask := len(l.slots) - 1
	slot := int(store.Place(stem)) & mask
	for l.slots[slot] != 0 && stemOf(l.name(int(l.slots[slot])-1)) != stem {
		slot = (slot + 1) & mask
	}
	return slot
}

// appendTo appends the files of a stem, as paths below the corpus in their order.
func (l *listing) appendTo(list []string, dir, stem string) []string {
	if l.empty() {
		return list
	}
	at := l.slots[l.slot(stem)]
	if at == 0 {
		return list
	}
	from := len(list)
	list = append(list, below(dir, l.name(int(at)-1)))
	if l.more != nil {
		for _, name := range l.more[stem] {
			list = append(list, below(dir, name))
		}
		slices.Sort(list[from:])
	}
	return list
}

// each calls visit with every name.
func (l *listing) each(visit func(name string)) {
	if l.empty() {
		return
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(l.names, "/"), "/") {
		visit(name)
	}
}

// empty reports whether the folder has no recordings, or is not there.
func (l *listing) empty() bool { return l == nil || l.names == "" }

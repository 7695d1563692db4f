package compiler

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/compiler/action"
	"voxpack/store"
)

// remains is what is asked of each row at the end of a build. A record is half a kilobyte,
// and rows share what remains of them where it is equal.
type remains struct {
	language string
	told     bool
	notes    []store.Note
}

// end is what is asked of a row at the end of a build.
func (f *fate) end() remains {
	if f.made != nil {
		return remains{f.made.Language, f.made.Told, f.made.Notes}
	}
	return *f.remains
}

// sharedRemains are those that one goroutine made.
type sharedRemains struct {
	all  map[string]*remains // by what they say
	last *remains            // most rows say the same as the one before
	key  []byte              // scratch
}

// of is what is kept of a row.
func (h *sharedRemains) of(r *store.OriginRow) *remains {
	if l := h.last; l != nil && l.language == r.Language && l.told == r.Told && slices.Equal(l.notes, r.Notes) {
		return l
	}
	h.key = fmt.Appendf(h.key[:0], "%s %t", r.Language, r.Told)
	for _, n := range r.Notes {
		h.key = fmt.Appendf(h.key, "%q %q %q %d", n.Stage, n.Kind, n.Detail, n.Count)
	}
	if have := h.all[string(h.key)]; have != nil {
		h.last = have
		return have
	}
	h.last = &remains{strings.Clone(r.Language), r.Told, slices.Clone(r.Notes)}
	for i, n := range h.last.notes { // the record's memory goes
		h.last.notes[i] = store.Note{Stage: strings.Clone(n.Stage), Kind: strings.Clone(n.Kind), Detail: strings.Clone(n.Detail), Count: n.Count}
	}
	if h.all == nil {
		h.all = map[string]*remains{}
	}
	h.all[string(h.key)] = h.last
	return h.last
}

// sharedFates are those that one goroutine made.
type sharedFates struct {
	sharedRemains
	fates map[fateName]*fate
}

// fateName is what two rows have in common of which nothing else is asked any more.
type fateName struct {
	remains      *remains
	ran, reached [action.Mel]bool
}

// fateOf is what is kept of the fate of a row whose leaf is done.
func (h *sharedFates) fateOf(f *fate) *fate {
	name := fateName{h.of(f.made), f.ran, f.reached}
	have := h.fates[name]
	if have == nil {
		if h.fates == nil {
			h.fates = map[fateName]*fate{}
		}
		have = &fate{remains: name.remains, ran: f.ran, reached: f.reached}
		h.fates[name] = have
	}
	return have
}

package locate

import (
	"errors"
	"slices"
	"strings"
	"time"

	"voxpack/store"
)

// Kinds of what Complete offers for an argument, besides folders.
type Offer int

// The kinds.
const (
	Places Offer = 1 << iota // STORE@REF
	IDs                      // kept rows, of the store that the first argument names
	Tags
	Columns
	RowFilters // what copy --row-filter takes, of what the root says
)

// mostOffered bounds what is offered: nobody reads more.
const mostOffered = 200

// Complete is what a shell may put for word, behind the arguments args: a line each, with a
// tab before what it is. Whatever goes wrong, nothing is offered.
func Complete(args []string, word string, offer Offer) []string {
	place, behind := "", 0
	switch at := strings.LastIndexByte(word, '@'); {
	case offer&Places != 0 && len(args) > 0 && args[len(args)-1] == "@": // bash makes three words of DIR@REF
		place, behind = strings.Join(args[max(0, len(args)-2):len(args)-1], ""), 0
	case offer&Places != 0 && at == 0 && len(args) > 0 && IsFolder(args[len(args)-1]):
		place, behind = args[len(args)-1], 1
	case offer&Places != 0 && at >= 0:
		place, behind = word[:at], at+1
	default:
		where, _ := SplitArgs(args, -1)
		return rowsOf(where, word, offer)
	}
	p, err := Find(place)
	if err != nil {
		return nil
	}
	return with(p, func(st *store.Store) []string { return refsOf(st, word[:behind], word[behind:]) })
}

func with(p Place, list func(st *store.Store) []string) []string {
	st, err := p.Open()
	if err != nil {
		return nil
	}
	defer st.Close()
	return list(st)
}

// refsOf are the names of snapshots: heads, tags, and the beginnings of digests.
func refsOf(st *store.Store, before, word string) (list []string) {
	named := map[store.Digest]bool{}
	add := func(name string, d store.Digest) {
		snap, err := st.ReadSnapshot(d)
		if err != nil || !strings.HasPrefix(name, word) {
			return
		}
		list = append(list, before+name+"\t"+snap.Made().Format(time.DateTime))
	}
	refs, _ := st.Refs()
	for _, ref := range refs {
		if d, err := st.Ref(ref); err == nil {
			_, name, _ := strings.Cut(ref, "/")
			named[d] = true
			add(name, d)
		}
	}
	all, _ := st.Snapshots()
	for _, s := range all {
		if !named[s.Digest] && len(list) < mostOffered {
			add(s.Digest.Short(), s.Digest)
		}
	}
	return list
}

// rowsOf are ids, tags and columns of the dataset at a place.
func rowsOf(where, word string, offer Offer) (list []string) {
	p, err := Find(where)
	if err != nil {
		return nil
	}
	return with(p, func(st *store.Store) []string {
		if offer&Tags != 0 {
			refs, _ := st.Refs()
			for _, ref := range refs {
				if name, is := strings.CutPrefix(ref, "tags/"); is {
					list = append(list, name)
				}
			}
		}
		d, err := st.Dataset(p.Ref)
		if err == nil && offer&Columns != 0 {
			for _, c := range d.Root.Schema.Blocks() {
				list = append(list, c.Name)
			}
		}
		if err == nil && offer&RowFilters != 0 {
			list = append(list, "language:", "corpus:", "split:train", "split:val", "split:test")
			for _, name := range d.Root.Speakers {
				if len(list) < mostOffered && !strings.ContainsFunc(name, unprintable) {
					list = append(list, "speaker:"+name)
				}
			}
		}
		list = slices.DeleteFunc(list, func(s string) bool { return !strings.HasPrefix(s, word) })
		if err == nil && offer&IDs != 0 {
			err = d.IDs(func(_ store.At, id string) bool {
				if strings.HasPrefix(id, word) && !strings.ContainsFunc(id, unprintable) {
					list = append(list, id)
				}
				return len(list) < mostOffered
			})
		}
		if errors.Is(err, store.ErrDamaged) {
			return nil
		}
		slices.Sort(list)
		return list
	})
}

// unprintable are runes that a shell's line cannot hold.
func unprintable(r rune) bool { return r < ' ' || r == 0x7f }

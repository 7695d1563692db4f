package compiler

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"voxpack/store"
)

// guardSpeakers refuses to give a known name another number.
func (b *build) guardSpeakers() error {
	if b.RenumberSpeakers || !b.has.speaker || b.Part != nil { // the plan numbers those of a part
		return nil
	}
	old, readable := b.lastSpeakers()
	if !readable && b.Config.Speakers == nil {
		return fmt.Errorf("%w: the numbers of the last build cannot be read, since its snapshot is damaged.\nTo keep them, list the names in their old order under data: in the config; the names now are\n  speakers: [%s]\nTo number anew, pass --renumber-speakers",
			ErrSpeakers, quoteAll(b.layout.speakers))
	}
	return checkSpeakers(old, b.layout.speakers)
}

// lastSpeakers is the table that a trained model may know: that of the last
// snapshot that had speakers at all, since a disk that was not mounted leaves
// one without. It is not readable when a snapshot on the way is damaged.
func (b *build) lastSpeakers() (names []string, readable bool) {
	if b.prev != nil && len(b.prev.Root.Speakers) > 0 {
		return b.prev.Root.Speakers, true
	}
	for digest := b.head; !digest.IsZero(); { // ends: a snapshot is named by its content, so none is its own ancestor
		snap, err := b.st.ReadSnapshot(digest)
		if errors.Is(err, store.ErrNotFound) && digest != b.head {
			return nil, true // history that a merge has dropped
		}
		if err != nil {
			return nil, false
		}
		root, err := b.st.ReadRoot(snap.Root)
		if err != nil {
			return nil, false
		}
		if len(root.Speakers) > 0 {
			return root.Speakers, true
		}
		digest = snap.Parent
	}
	return nil, !b.distrust
}

// checkSpeakers refuses to give a name of the previous snapshot another number:
// a trained embedding would then belong to somebody else.
func checkSpeakers(old, now []string) error {
	number := map[string]int{}
	for i, name := range now {
		number[name] = i
	}
	var moved []string
	for i, name := range old {
		if at, there := number[name]; there && at != i {
			moved = append(moved, fmt.Sprintf("%s %d → %d", name, i, at))
		}
	}
	if len(moved) == 0 {
		return nil
	}
	list := slices.Clone(old) // names that are gone keep their numbers, or those after them would move
	known := setOf(old)
	for _, name := range now {
		if !known[name] {
			list = append(list, name)
		}
	}
	return fmt.Errorf("%w: %s; a model trained before would speak with other voices.\nTo keep every number, put this under data: in the config:\n  speakers: [%s]\nTo number anew, pass --renumber-speakers", ErrSpeakers,
		strings.Join(moved, ", "), quoteAll(list))
}

// quoteAll writes names as a list of YAML takes them, so that an advice can be pasted.
func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(quoted, ", ")
}

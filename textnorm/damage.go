package textnorm

import (
	"slices"

	"voxpack/textnorm/mojibake"
)

// repairRounds bounds how often a text is swept and looked at again: what is swept
// out may have stood within a damaged run, or between a letter and its mark.
const repairRounds = 8

// mend notes what of a text was decoded wrongly once, and puts right what is sure
// where the config says so.
func (n *Normalizer) mend(text string, book *notebook) string {
	var found []mojibake.Found
	switch n.config.Mojibake {
	case MojibakeReport:
		found = mojibake.Find(text)
	case MojibakeRepair:
		text, found = mojibake.Repair(text)
	}
	for _, f := range found {
		kind := NoteMojibake
		if f.Sure && n.config.Mojibake == MojibakeRepair {
			kind = NoteRepaired
		}
		if book.fresh(mark{kind + f.As, 0}) {
			book.notes = append(book.notes, Note{kind, f.Start, f.As})
		}
	}
	return text
}

// damaged reports whether a text has a run that was surely decoded wrongly once and
// stays as it is. To read it aloud would make words of its pieces.
func (n *Normalizer) damaged(text string) bool {
	return n.config.Mojibake == MojibakeReport && slices.ContainsFunc(mojibake.Find(text), func(f mojibake.Found) bool { return f.Sure })
}

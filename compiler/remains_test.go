package compiler

import (
	"slices"
	"testing"

	"voxpack/store"
)

// TestWhatRemainsOutlivesTheRecord: rows that say the same share it, and none shares what another says.
func TestWhatRemainsOutlivesTheRecord(t *testing.T) {
	s := &sharedRemains{}
	row := func(language, detail string, count uint32) *store.OriginRow {
		r := &store.OriginRow{Language: language, Told: language == "fa"}
		if count > 0 {
			r.Notes = []store.Note{{Stage: "text", Kind: "k", Detail: detail, Count: count}}
		}
		return r
	}
	rows := []*store.OriginRow{row("en", "", 0), row("en", "a", 1), row("en", "a", 2), row("fa", "a", 1), row("en", `a" "b`, 1)}
	seen := map[*remains]int{}
	for range 2 {
		for i, r := range rows {
			got := s.of(r)
			if was, again := seen[got]; again && was != i {
				t.Errorf("row %d shares what row %d says", i, was)
			}
			seen[got] = i
			if got.language != r.Language || got.told != r.Told || !slices.Equal(got.notes, r.Notes) {
				t.Errorf("row %d: %+v remains of %+v", i, got, r)
			}
		}
	}
	if len(seen) != len(rows) {
		t.Errorf("%d remains of %d rows that differ", len(seen), len(rows))
	}
	shared := s.of(rows[1])
	rows[1].Notes[0].Detail = "changed" // the record's memory is another's now
	if shared.notes[0].Detail != "a" {
		t.Errorf("a note is %q now, was \"a\"", shared.notes[0].Detail)
	}
}

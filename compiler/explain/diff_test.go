package explain

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"voxpack/store"
)

// edited is a world after some edits, with the texts that it should say have changed.
func edited(r *rand.Rand, was *world) *world {
	now := was.clone()
	for i, id := range slices.Sorted(func(yield func(string) bool) {
		for id := range was.rows {
			if !yield(id) {
				return
			}
		}
	}) {
		switch r.IntN(6) {
		case 0:
			delete(now.rows, id)
		case 1:
			now.rows[id].Text += " edited"
		case 2:
			now.rename(id, "new"+id)
		case 3:
			now.refused[id] = "mel"
		case 4:
			now.add("add"+string(rune('a'+i)), "none like it "+id)
		}
	}
	return now
}

// TestADifferenceIsThatOfTheRows: what diff says of ids and texts is what a comparison of
// the two lists of rows says, and backwards it says the opposite.
func TestADifferenceIsThatOfTheRows(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		was := newWorld(8)
		for id, row := range was.rows {
			row.Samples = 1000 + uint64(len(id))*seed
		}
		now := edited(r, was)
		st := explained(t, was, now, func() []store.StageCount { return nil })
		head, err := st.Resolve("main")
		if err != nil {
			t.Fatal(err)
		}
		before, err := st.Resolve("main~1")
		if err != nil {
			t.Fatal(err)
		}
		d, err := Diff(st, before, st, head)
		if err != nil {
			t.Fatal(err)
		}
		kept := func(w *world, id string) bool { return w.rows[id] != nil && w.refused[id] == "" }
		said := map[string]RowChange{}
		moved := map[string]bool{}
		for _, c := range d.Changed {
			said[c.ID] = c
			if c.Was != "" {
				moved[c.Was] = true
			}
		}
		for id := range was.rows {
			gone := now.rows[id] == nil
			if c := said[id]; gone && !moved[id] != slices.Contains(c.What, Removed) {
				t.Errorf("seed %d: %s is gone, and renamed: %v; said %v", seed, id, moved[id], c)
			}
			if c := said[id]; !gone && (was.rows[id].Text != now.rows[id].Text) != slices.Contains(c.What, "text edited") {
				t.Errorf("seed %d: text of %s; said %v", seed, id, c)
			}
			if c := said[id]; !gone && (kept(was, id) && !kept(now, id)) != slices.Contains(c.What, "now rejected") {
				t.Errorf("seed %d: %s is rejected; said %v", seed, id, c)
			}
		}
		for id := range now.rows {
			if c := said[id]; was.rows[id] == nil && (c.Was == "") != slices.Contains(c.What, Added) || c.Was != "" && c.Was != strings.TrimPrefix(id, "new") {
				t.Errorf("seed %d: %s is new; said %v", seed, id, c)
			}
		}
		back, err := Diff(st, head, st, before)
		if err != nil || back.Rows[Added] != d.Rows[Removed] || back.Rows["renamed"] != d.Rows["renamed"] || back.Rows["text edited"] != d.Rows["text edited"] || back.Rows["no longer rejected"] != d.Rows["now rejected"] {
			t.Errorf("seed %d: there %v, back %v, %v", seed, d.Rows, back.Rows, err)
		}
		same, err := Diff(st, head, st, head)
		if err != nil || !same.Same || len(same.Changed)+len(same.Stages)+len(same.Config)+len(same.Rows) > 0 {
			t.Errorf("seed %d: beside itself %+v, %v", seed, same, err)
		}
		checkLog(t, st, head, was, now, d)
	}
}

// checkLog: the hours of each version are those of its kept rows, though only those of the
// last are added up, and the rows are those of the difference.
func checkLog(t *testing.T, st *store.Store, head store.Digest, was, now *world, d *Difference) {
	t.Helper()
	h, err := Log(st, head, 0, "")
	if err != nil || len(h.Snapshots) != 2 || h.Dropped != "" {
		t.Fatalf("log: %+v, %v", h, err)
	}
	for i, w := range []*world{now, was} {
		samples := uint64(0)
		for id, r := range w.rows {
			if w.refused[id] == "" {
				samples += r.Samples
			}
		}
		if got, want := h.Snapshots[i].Seconds, float64(samples)/22050; got != want || !h.Snapshots[i].Whole {
			t.Errorf("version %d is of %v s, want %v, whole: %v", i, got, want, h.Snapshots[i].Whole)
		}
	}
	for kind, n := range d.Rows {
		if h.Snapshots[0].Rows[kind] != n {
			t.Errorf("log says %v, diff %v", h.Snapshots[0].Rows, d.Rows)
		}
	}
	for id := range was.rows {
		one, err := Log(st, head, 0, id)
		changed := slices.ContainsFunc(d.Changed, func(c RowChange) bool { return c.ID == id || c.Was == id })
		if err != nil || (len(one.Snapshots) == 2) != changed {
			t.Errorf("log of %s: %d versions, want 1, or 2 where it changed (%v), %v", id, len(one.Snapshots), changed, err)
		}
	}
	if _, err := DiffRow(st, head, st, head, "nobody"); err == nil {
		t.Error("a row that nobody has")
	}
}

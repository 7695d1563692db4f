package explain

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"voxpack/compiler/action"
	"voxpack/store"
)

// rowSaid is what Row says of a row after an edit: stage, result, why.
func rowSaid(t *testing.T, id string, edit func(was, now *world)) (*RowExplanation, map[string]StageFact) {
	t.Helper()
	was := newWorld(5)
	for _, r := range was.rows {
		r.Rate, r.Channels, r.Bits, r.FileSamples, r.Samples = 16000, 2, 24, 4000, 5513
	}
	now := was.clone()
	edit(was, now)
	st := explained(t, was, now, func() []store.StageCount { return due(was, now, nil) })
	e, err := Row(st, "main", id)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := Facts(st, "main", id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range bare.Stages {
		if why := bare.Stages[i].Why; why != "" {
			t.Errorf("Facts compared: %q", why)
		}
		bare.Stages[i].Why = e.Stages[i].Why
	}
	if !reflect.DeepEqual(bare, e) {
		t.Errorf("Facts of %s are %+v, Row says %+v", id, bare, e)
	}
	facts := map[string]StageFact{}
	for _, f := range e.Stages {
		facts[f.Stage] = f
	}
	return e, facts
}

// TestARowSaysWhatEachStageMadeOfIt: all stages of the root in its order, each with
// its result and the key that it has in the snapshot.
func TestARowSaysWhatEachStageMadeOfIt(t *testing.T) {
	e, facts := rowSaid(t, "b", func(_, w *world) {
		w.rows["b"].Notes = []store.Note{{Stage: "audio", Kind: "resampled", Detail: "16000 Hz → 22050 Hz", Count: 1}}
	})
	for stage, want := range map[string]string{
		"audio":  "5,513 samples (file: 16000 Hz, 24 bit, 2 channels)",
		"text":   `"spoken b"`,
		"tokens": "10 tokens",
		"mel":    "20 frames",
	} {
		if got := facts[stage]; got.Result != want {
			t.Errorf("%s made %q, want %q", stage, got.Result, want)
		}
	}
	var order []string
	for i, f := range e.Stages {
		order = append(order, f.Stage)
		if f.Key != e.Row.Keys[i].String() {
			t.Errorf("%s has the key %s, the row %v", f.Stage, f.Key, e.Row.Keys[i])
		}
	}
	if want := []string{"audio", "text", "tokens", "mel"}; !slices.Equal(order, want) || e.ID != "b" || e.Rejected != "" {
		t.Errorf("row %q (%q) with stages %q, want %q", e.ID, e.Rejected, order, want)
	}
	if len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "16000 Hz → 22050 Hz") {
		t.Errorf("notes %q", e.Notes)
	}
}

// TestARowIsToldItsCauseInWords: with the value before and the value now where the
// cause has them.
func TestARowIsToldItsCauseInWords(t *testing.T) {
	const same = "same key as in the snapshot before; taken over"
	for _, c := range []struct {
		name string
		edit func(was, now *world)
		want [4]string // audio, text, tokens, mel
	}{
		{"nothing", func(_, _ *world) {}, [4]string{same, same, same, same}},
		{"its text", func(_, w *world) { w.rows["b"].Text, w.rows["b"].Spoken = "new", "new" },
			[4]string{same, "text edited", "spoken text changed", same}},
		{"its language", func(_, w *world) { w.rows["b"].Language = "fa" }, [4]string{same, "language en → fa", same, same}},
		{"its sound", func(_, w *world) { w.rows["b"].Audio = store.Digest{9} },
			[4]string{"audio file changed", same, same, "audio file changed"}},
		{"its part of the file", func(_, w *world) { w.rows["b"].From = 1e9 },
			[4]string{"another part of the audio file", same, same, "another part of the audio file"}},
		{"the text of another row", func(_, w *world) { w.rows["c"].Text = "new" }, [4]string{same, same, same, same}},
		{"a setting", func(_, w *world) { w.settings["sample_rate"] = "24000" },
			[4]string{"sample_rate 22050 → 24000", same, same, "sample_rate 22050 → 24000"}},
		{"two settings", func(_, w *world) { w.settings["n_mels"], w.settings["fmax"] = "100", "11025" },
			[4]string{same, same, same, "fmax (default) → 11025, n_mels 80 → 100"}},
		{"a setting that no stage reads", func(_, w *world) { w.settings["rows_per_shard"] = "8" }, [4]string{same, same, same, same}},
		{"a version", func(_, w *world) { w.versions["tokens"] = "k2" }, [4]string{same, same, "version of tokens k1 → k2", same}},
		{"a decoder", func(_, w *world) { w.program = "ffmpeg 7" },
			[4]string{"decoded by another program or version", same, same, "the decoded audio is made anew"}},
		{"a row that was not there", func(was, _ *world) { delete(was.rows, "b") }, [4]string{"new row", "new row", "new row", "new row"}},
		{"its name", func(was, _ *world) { was.rename("b", "old") }, [4]string{
			"same key as of old in the snapshot before; taken over", "same key as of old in the snapshot before; taken over",
			"same key as of old in the snapshot before; taken over", "same key as of old in the snapshot before; taken over"}},
	} {
		_, facts := rowSaid(t, "b", c.edit)
		for i, stage := range []string{"audio", "text", "tokens", "mel"} {
			if got := facts[stage].Why; got != c.want[i] {
				t.Errorf("%s: %s because %q, want %q", c.name, stage, got, c.want[i])
			}
		}
	}
}

// TestARejectedRowHasTheResultsOfBefore: those of the stages that it came through, its
// place and the reason, and nothing of the stages that it did not reach.
func TestARejectedRowHasTheResultsOfBefore(t *testing.T) {
	e, facts := rowSaid(t, "b", func(_, w *world) { w.refused["b"] = "audio" })
	if !strings.Contains(e.Rejected, "m.csv:1") || !strings.Contains(e.Rejected, "refused by audio") {
		t.Errorf("rejected: %q, want its place and reason", e.Rejected)
	}
	if len(facts) != 2 || facts["text"].Result != `"spoken b"` || facts["tokens"].Result != "10 tokens" {
		t.Errorf("stages %+v, want text and tokens alone", facts)
	}
}

// alone is a store with one snapshot of three rows, all of which ran, that names a parent.
func alone(t *testing.T, parent store.Digest) (*store.Store, store.Digest) {
	t.Helper()
	first := newWorld(3)
	empty := &world{settings: first.settings, versions: first.versions}
	dir := t.TempDir()
	w, err := store.OpenWriter(dir, store.WriterOptions{Small: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, r := range first.rows {
		first.wire(r)
	}
	list, snapshot := first.entries(t, parent, due(empty, first, nil))
	if err := errors.Join(w.Put(list), w.Commit(t.Context(), "heads/main", snapshot), w.Close()); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st, snapshot
}

// TestAParentThatIsGoneIsSaid: a merge may have dropped it, which is no error. What ran
// is told, and that there is nothing to compare with.
func TestAParentThatIsGoneIsSaid(t *testing.T) {
	gone := store.Sum([]byte("a snapshot that a merge has dropped"))
	st, _ := alone(t, gone)
	e, err := Snapshot(st, "main")
	if err != nil {
		t.Fatal(err)
	}
	if !e.First || e.Parent != gone.String() || len(e.Config) != 0 || e.Rows["added"] != 3 {
		t.Errorf("explained: %+v", e)
	}
	for _, s := range e.Stages {
		if s.Reason != "the snapshot before is gone" || s.Rows != 3 || s.Ran != 3 {
			t.Errorf("%s: %+v", s.Stage, s)
		}
	}
}

// TestAFirstBuildHasOneCause, for each stage and for each row.
func TestAFirstBuildHasOneCause(t *testing.T) {
	st, snapshot := alone(t, store.Digest{})
	e, err := Snapshot(st, "main")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"3 added", "audio 3/3: first build ()", "text 3/3: first build ()", "tokens 3/3: first build ()", "mel 3/3: first build ()"}
	if got := said(e); !e.First || e.Parent != "" || !slices.Equal(got, want) {
		t.Errorf("first: %v after %q:\n%s\nwant\n%s", e.First, e.Parent, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if e.Snapshot != snapshot.String() || e.Tool != "test" || e.Ran["mel"] != (action.Count{Run: 3}) {
		t.Errorf("explained: %+v", e)
	}
	row, err := Row(st, "main", "b")
	if err != nil || len(row.Stages) != 4 {
		t.Fatalf("%+v, %v", row, err)
	}
	for _, f := range row.Stages {
		if f.Why != "there is no snapshot before to compare with" {
			t.Errorf("%s because %q", f.Stage, f.Why)
		}
	}
	for _, id := range []string{"", "B", "bb", "../b"} {
		if _, err := Row(st, "main", id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("row %q: %v, want ErrNotFound", id, err)
		}
	}
	if _, err := Snapshot(st, "tags/none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a ref that is not there: %v, want ErrNotFound", err)
	}
}

// TestAnOutcomeSaysWhatBecameOfTheRows: nothing more where all of them ran.
func TestAnOutcomeSaysWhatBecameOfTheRows(t *testing.T) {
	seen := map[string]bool{}
	for _, ran := range []int{3, 0, -1, 1} {
		got := StageReason{Rows: 3, Ran: ran, Reason: "text edited"}.Outcome()
		if !strings.HasPrefix(got, "text edited") || (got == "text edited") != (ran == 3) || seen[got] {
			t.Errorf("%d of 3 ran: %q", ran, got)
		}
		if ran == 1 && !strings.Contains(got, "1") {
			t.Errorf("1 of 3 ran: %q does not say how many", got)
		}
		seen[got] = true
	}
}

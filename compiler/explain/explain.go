package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/internal/number"
	"voxpack/store"
)

// Explanation says what made stages run in the build that made a snapshot: the
// difference between it and its parent.
// It is the JSON of voxpack explain --json; its names are a contract.
type Explanation struct {
	Store    string                  `json:"store"`
	Snapshot string                  `json:"snapshot"`
	Parent   string                  `json:"parent"` // "" for a first build
	First    bool                    `json:"first"`  // no parent to compare with, or it is gone
	Time     time.Time               `json:"time"`
	Tool     string                  `json:"tool"`
	Config   []action.Change         `json:"config"`
	Rows     map[string]int          `json:"rows"`   // added, removed, renamed, text edited, …: rows of each; a row may count in several
	Ran      map[string]action.Count `json:"ran"`    // by stage, as the build counted them
	Stages   []StageReason           `json:"stages"` // in the order of the stages
}

// StageReason is one cause for which a stage owed rows a result that the
// snapshot before did not have for them.
type StageReason struct {
	Stage string `json:"stage"`
	Rows  int    `json:"rows"`
	// Ran is how many of them the stage computed; the others were taken over
	// from the memo. -1: some, and what the build counted does not tell how many.
	Ran      int      `json:"ran"`
	Reason   string   `json:"reason"`
	Examples []string `json:"examples"` // ids, at most three
}

// Outcome is the reason with what became of the rows.
func (s StageReason) Outcome() string {
	switch {
	case s.Ran == s.Rows:
		return s.Reason
	case s.Ran == 0:
		return s.Reason + "; new key, taken over from the memo"
	case s.Ran < 0:
		return s.Reason + "; of the rows with a new key some ran, the others were taken over from the memo"
	}
	return fmt.Sprintf("%s; %d of %d rows ran, the others were taken over from the memo", s.Reason, s.Ran, s.Rows)
}

// RowExplanation is what each stage did to one row.
type RowExplanation struct {
	ID       string      `json:"id"`
	Rejected string      `json:"rejected,omitempty"` // file:line, stage, reason
	Stages   []StageFact `json:"stages"`
	Notes    []string    `json:"notes"`
	// Row is the row as the build saw it.
	Row store.OriginRow `json:"-"`
}

// StageFact is one stage's result for a row, and why it was made.
type StageFact struct {
	Stage  string `json:"stage"`
	Key    string `json:"key"`
	Result string `json:"result"`
	Why    string `json:"why"`
}

// Snapshot compares the snapshot of a ref with its parent.
// It reads origin records and lists of rejections, no blocks, and of leaves that
// both snapshots share nothing. The store stays the caller's.
func Snapshot(st *store.Store, ref string) (*Explanation, error) {
	x, err := explain(st, ref)
	if err != nil {
		return nil, err
	}
	s := x.now.Snapshot
	e := &Explanation{Store: st.Dir(), Snapshot: x.now.Digest.String(), First: x.was == nil, Time: s.Made(),
		Tool: s.Tool, Config: x.config, Rows: x.counts(), Ran: map[string]action.Count{}, Stages: []StageReason{}}
	if !s.Parent.IsZero() {
		e.Parent = s.Parent.String()
	}
	for _, c := range s.Ran {
		e.Ran[c.Stage] = action.Count{Run: int(c.Run), Hit: int(c.Hit)}
	}
	for at := range x.now.stages.End() {
		for _, c := range x.causes[at] {
			e.Stages = append(e.Stages, c.StageReason)
		}
	}
	return e, nil
}

// Row says what each stage did to one row of a ref's snapshot, or why
// the row was rejected. The id may be written as metadata may write it, with
// wavs/ and extension. One that is in neither: ErrNotFound.
func Row(st *store.Store, ref, id string) (*RowExplanation, error) {
	x, err := explain(st, ref)
	if err != nil {
		return nil, err
	}
	return x.row(id, true)
}

// Facts is Row without a Why: nothing is compared, so that it costs the same in a dataset of any size.
func Facts(st *store.Store, ref, id string) (*RowExplanation, error) {
	digest, err := st.Resolve(ref)
	if err != nil {
		return nil, err
	}
	now, err := openVersion(st, digest)
	if err != nil {
		return nil, err
	}
	return (&explainer{now: now}).row(id, false)
}

// row finds a row and says what the stages made of it; why only if the snapshot was compared.
func (x *explainer) row(id string, compared bool) (*RowExplanation, error) {
	now, err := x.find(id)
	if other, bad := intake.ID(strings.Replace(id, "/wavs/", "/", 1)); errors.Is(err, store.ErrNotFound) && bad == nil && other != id {
		id = other
		now, err = x.find(id)
	}
	if err != nil {
		return nil, err
	}
	out := &RowExplanation{ID: id, Stages: []StageFact{}, Notes: []string{}, Row: *now.row}
	if r := now.rejection; r != nil {
		out.Rejected = r.String()
	}
	for at := range x.now.stages.End() {
		if int(at) < len(now.row.Keys) && !now.row.Keys[at].IsZero() {
			fact := factOf(at, now)
			if said := x.now.phonemes(id); at == action.Tokens && now.rejection == nil && said != "" {
				fact += fmt.Sprintf(": %s", said)
			}
			why := ""
			if compared {
				why = x.fate(at, id, now)
			}
			out.Stages = append(out.Stages, StageFact{x.now.stages.Name(at), now.row.Keys[at].String(), fact, why})
		}
	}
	for _, n := range now.row.Notes {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: %s %s (%d)", n.Stage, n.Kind, n.Detail, n.Count))
	}
	return out, nil
}

// find looks a row up among the kept and the rejected, which are read now unless the snapshot was compared.
// Keys are given in the order of all stages, whatever stages the build ran.
func (x *explainer) find(id string) (side, error) {
	kept, err := findIn(x.now, x.rejects, id)
	if !errors.Is(err, store.ErrNotFound) || x.rejects != nil {
		return kept, err
	}
	if x.rejects, err = x.now.st.ReadRejections(x.now.Snapshot); err != nil {
		return side{}, err
	}
	x.now.renumberAll(x.rejects)
	return findIn(x.now, x.rejects, id)
}

func findIn(v *version, rejects []store.Rejection, id string) (side, error) {
	kept, err := v.find(id)
	if errors.Is(err, store.ErrNotFound) {
		if i := slices.IndexFunc(rejects, func(r store.Rejection) bool { return r.ID == id }); i >= 0 {
			return side{&rejects[i].Row, &rejects[i]}, nil
		}
	}
	return kept, err
}

// find is a kept row.
func (v *version) find(id string) (side, error) {
	d, err := v.st.DatasetAt(v.Digest, id)
	if err != nil {
		return side{}, err
	}
	at, err := d.Find(id)
	if err != nil {
		return side{}, err
	}
	o, err := d.Origin(at.Leaf)
	if err != nil {
		return side{}, err
	}
	action.NewKeyOrder(v.Root, v.stages).Renumber(&o.Rows[at.Row])
	return side{row: &o.Rows[at.Row]}, nil
}

// fate is why a stage's result of a row is what it is.
// With a parent, a row without a cause owed nothing: its result is the parent's.
func (x *explainer) fate(at action.Stage, id string, now side) string {
	if now.rejection != nil && at >= action.Mel {
		return "did not run: the row is rejected"
	}
	if c := x.due[id][at]; c != nil {
		if c.vague {
			return c.Outcome() + ": " + x.before[id].rejection.Reason
		}
		return c.Outcome()
	}
	if old, ok := x.renamed[id]; ok {
		return fmt.Sprintf("same key as of %s in the snapshot before; taken over", old)
	}
	if x.was == nil && x.ran(at) > 0 {
		return "there is no snapshot before to compare with"
	}
	if x.was == nil {
		return "taken over from the memo; there is no snapshot before to compare with"
	}
	return "same key as in the snapshot before; taken over"
}

// factOf is a stage's result as the origin record has it: no block is read. A stage that
// refused the row has made none, nor have the features of a clip without samples.
func factOf(at action.Stage, of side) string {
	r := of.row
	if of.rejection != nil {
		for _, refused := range of.rejection.Refusals {
			if refused.Action == r.Keys[at] {
				return "refused: " + refused.Reason
			}
		}
		if at >= action.Mel && r.Frames == 0 {
			return "nothing"
		}
	}
	switch {
	case at.IsOwn():
		return "a value" // its shape is the column's
	case at == action.Audio:
		return fmt.Sprintf("%s (file: %d Hz, %d bit, %s)", number.Count(r.Samples, "sample"), r.Rate, r.Bits, number.Count(int(r.Channels), "channel"))
	case at == action.Text:
		return fmt.Sprintf("%q", r.Spoken)
	case at == action.Tokens:
		return number.Count(r.Tokens, "token")
	case at.Feature().Samples:
		return number.Count(r.Samples, "sample")
	}
	return number.Count(r.Frames, "frame")
}

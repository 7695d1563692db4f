package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"voxpack/store"
)

// Explanation says what made stages run in the build that made a snapshot: the
// difference between it and its parent.
type Explanation struct {
	Store    string         `json:"store"`
	Snapshot string         `json:"snapshot"`
	Parent   string         `json:"parent"` // "" for a first build, or when the parent is gone
	First    bool           `json:"first"`  // no parent to compare with
	Time     time.Time      `json:"time"`
	Tool     string         `json:"tool"`
	Config   []Change       `json:"config"`
	Rows     map[string]int `json:"rows"` // added, removed, edited text, …: rows of each
	Stages   []StageReason  `json:"stages"`
}

// Change is a setting with its value before and now.
type Change struct {
	Key string `json:"key"`
	Was string `json:"was"`
	Now string `json:"now"`
}

// String is "fmax 8000 → 11025".
func (c Change) String() string { return fmt.Sprintf("%s %s → %s", c.Key, c.Was, c.Now) }

// StageReason is one cause for which rows got a new key in a stage.
type StageReason struct {
	Stage    string   `json:"stage"`
	Rows     int      `json:"rows"`
	Reason   string   `json:"reason"`
	Examples []string `json:"examples"`
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

// explainer compares a snapshot with its parent.
type explainer struct {
	now, was *store.Dataset // was: nil for a first build
	config   []Change
}

// Explain compares the snapshot of a ref with its parent.
func Explain(st *store.Store, ref string) (*Explanation, error) {
	x, err := newExplainer(st, ref)
	if err != nil {
		return nil, err
	}
	s := x.now.Snapshot
	e := &Explanation{Store: st.Dir(), Snapshot: x.now.Digest.String(), Parent: parentOf(s), First: x.was == nil,
		Time: time.Unix(0, s.Time).UTC(), Tool: s.Tool, Config: x.config, Rows: map[string]int{}, Stages: []StageReason{}}
	if x.was == nil {
		e.Rows["added"] = s.Kept
		for _, ran := range s.Ran {
			e.Stages = append(e.Stages, StageReason{Stage: ran.Stage, Rows: int(ran.Run + ran.Hit), Reason: "first build"})
		}
		return e, nil
	}
	return e, x.rows(e)
}

func newExplainer(st *store.Store, ref string) (*explainer, error) {
	x := &explainer{config: []Change{}}
	var err error
	if x.now, err = st.Dataset(ref); err != nil {
		return nil, err
	}
	if x.now.Snapshot.Parent.IsZero() {
		return x, nil
	}
	x.was, err = st.DatasetOf(x.now.Snapshot.Parent)
	if errors.Is(err, store.ErrNotFound) {
		return x, nil // history that a merge has dropped
	}
	if err != nil {
		return nil, err
	}
	x.config = changes(x.was.Root, x.now.Root)
	return x, nil
}

// changes lists settings, stage versions and tables that differ.
func changes(was, now *store.Root) []Change {
	out := []Change{}
	for _, n := range now.Config {
		if old := was.Setting(n.Name); old != n.Value {
			out = append(out, Change{n.Name, old, n.Value})
		}
	}
	for _, n := range now.Stages {
		if old := was.Stage(n.Name); old != n.Value {
			out = append(out, Change{"version of " + n.Name, old, n.Value})
		}
	}
	if !slices.Equal(was.Speakers, now.Speakers) {
		out = append(out, Change{"speakers", strings.Join(was.Speakers, ","), strings.Join(now.Speakers, ",")})
	}
	return out
}

// rows compares the rows of all leaves that differ and sums up the reasons.
func (x *explainer) rows(e *Explanation) error {
	was, err := x.differing(x.was, x.now)
	if err != nil {
		return err
	}
	now, err := x.differing(x.now, x.was)
	if err != nil {
		return err
	}
	type cause struct {
		at     int
		reason string
	}
	sums := map[cause]*StageReason{}
	for id := range was {
		if now[id] == nil {
			e.Rows["removed"]++
		}
	}
	for _, id := range sortedIDs(now) {
		old := was[id]
		if old == nil {
			e.Rows["added"]++
		} else if what := edited(old, now[id]); what != "" {
			e.Rows[what]++
		}
		for at := range stages {
			reason := x.why(at, old, now[id])
			if reason == "" {
				continue
			}
			c := cause{at, reason}
			if sums[c] == nil {
				sums[c] = &StageReason{Stage: stages[at].Name, Reason: reason}
			}
			sums[c].Rows++
			const examples = 3
			if s := sums[c]; len(s.Examples) < examples {
				s.Examples = append(s.Examples, id)
			}
		}
	}
	for _, s := range sums {
		e.Stages = append(e.Stages, *s)
	}
	slices.SortFunc(e.Stages, func(a, b StageReason) int {
		return cmp.Or(cmp.Compare(stageAt(a.Stage), stageAt(b.Stage)), cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Reason, b.Reason))
	})
	return nil
}

// differing reads the rows of a dataset's leaves that the other has not.
func (x *explainer) differing(d, other *store.Dataset) (map[string]*store.OriginRow, error) {
	have := map[store.Digest]bool{}
	for _, l := range other.Origins {
		have[l.Digest] = true
	}
	rows := map[string]*store.OriginRow{}
	for i, l := range d.Origins {
		if have[l.Digest] {
			continue
		}
		o, err := d.Origin(i)
		if err != nil {
			return nil, err
		}
		for r := range o.Rows {
			rows[o.Rows[r].ID] = &o.Rows[r]
		}
	}
	return rows, nil
}

func sortedIDs(rows map[string]*store.OriginRow) []string {
	ids := make([]string, 0, len(rows))
	for id := range rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func edited(was, now *store.OriginRow) string {
	switch {
	case was.Text != now.Text || was.Given != now.Given || was.HasGiven != now.HasGiven:
		return "text edited"
	case was.Audio != now.Audio:
		return "audio changed"
	case was.Speaker != now.Speaker || was.Language != now.Language:
		return "speaker or language changed"
	}
	return ""
}

// why is the reason for which a stage's key of a row is new, "" if it is not.
func (x *explainer) why(at int, was, now *store.OriginRow) string {
	switch {
	case at >= len(now.Keys) || now.Keys[at].IsZero():
		return ""
	case was == nil:
		return "new row"
	case at < len(was.Keys) && was.Keys[at] == now.Keys[at]:
		return ""
	}
	var reasons []string
	for _, c := range x.config {
		if slices.Contains(stages[at].Reads, c.Key) || c.Key == "version of "+stages[at].Name {
			reasons = append(reasons, c.String())
		}
	}
	switch {
	case (at == atAudio || at == atMel) && was.Audio != now.Audio:
		reasons = append(reasons, "audio file changed")
	case at == atText && source(was) != source(now):
		reasons = append(reasons, "text edited")
	case at == atText && was.Language != now.Language:
		reasons = append(reasons, fmt.Sprintf("language %s → %s", was.Language, now.Language))
	case at == atTokens && was.Spoken != now.Spoken:
		reasons = append(reasons, "spoken text changed")
	case len(reasons) == 0 && at == atMel:
		reasons = append(reasons, "the decoded audio is made anew")
	}
	if len(reasons) == 0 {
		return "changed input"
	}
	return strings.Join(reasons, ", ")
}

func stageAt(name string) int {
	return slices.IndexFunc(stages[:], func(s stage) bool { return s.Name == name })
}

// ExplainRow says what each stage did to one row of a ref's snapshot, or why
// the row was rejected. An id that is in neither: ErrNotFound.
func ExplainRow(st *store.Store, ref, id string) (*RowExplanation, error) {
	x, err := newExplainer(st, ref)
	if err != nil {
		return nil, err
	}
	rejects, err := st.ReadRejections(x.now.Snapshot)
	if err != nil {
		return nil, err
	}
	out := &RowExplanation{ID: id, Stages: []StageFact{}, Notes: []string{}}
	now, err := findRow(x.now, id)
	if errors.Is(err, store.ErrNotFound) {
		for i := range rejects {
			if rejects[i].ID == id {
				r := &rejects[i]
				out.Rejected = RejectedRow{r.File, r.Line, r.ID, r.Stage, r.Reason}.String()
				now, err = &r.Row, nil
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	out.Row = *now
	var was *store.OriginRow
	if x.was != nil {
		if was, err = findRow(x.was, id); err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
	}
	for at, s := range stages {
		if at >= len(now.Keys) || now.Keys[at].IsZero() {
			continue
		}
		why := x.why(at, was, now)
		if why == "" {
			why = "same key as in the snapshot before; taken over"
		}
		out.Stages = append(out.Stages, StageFact{s.Name, now.Keys[at].String(), factOf(at, now), why})
	}
	for _, n := range now.Notes {
		out.Notes = append(out.Notes, fmt.Sprintf("%s: %s %s (%d)", n.Stage, n.Kind, n.Detail, n.Count))
	}
	return out, nil
}

func findRow(d *store.Dataset, id string) (*store.OriginRow, error) {
	at, err := d.Find(id)
	if err != nil {
		return nil, err
	}
	o, err := d.Origin(at.Leaf)
	if err != nil {
		return nil, err
	}
	return &o.Rows[at.Row], nil
}

func factOf(at int, r *store.OriginRow) string {
	switch at {
	case atAudio:
		return fmt.Sprintf("%d samples (file: %d Hz, %d bit, %d channel(s))", r.Samples, r.Rate, r.Bits, r.Channels)
	case atText:
		return fmt.Sprintf("%q", r.Spoken)
	case atTokens:
		return fmt.Sprintf("%d tokens", r.Tokens)
	}
	return fmt.Sprintf("%d frames", r.Frames)
}

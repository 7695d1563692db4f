package explain

import (
	"errors"
	"maps"
	"slices"

	"voxpack/compiler/action"
	"voxpack/store"
)

// explainer compares a snapshot with its parent, row by row. Keys say which
// rows needed a result that the parent did not have for them, and why; what ran
// says the build's own count in the snapshot, since a result may as well come
// from a trace, the cache or another row.
// It holds what differs and no more: memory goes by the change, except for the
// rejections, of which all are read.
type explainer struct {
	now, was *store.Dataset // was: nil for a first build
	config   []action.Change
	rejects  []store.Rejection // of now

	after, before map[string]side   // rows that differ, and all that are rejected, by id
	renamed       map[string]string // id now → id before
	counts        map[string]int
	causes        [action.Most][]*cause
	due           map[string][action.Most]*cause
}

// side is a row in one of the two snapshots.
type side struct {
	row       *store.OriginRow // nil: not there
	rejection *store.Rejection // nil: kept
}

func (s side) kept() bool { return s.row != nil && s.rejection == nil }

// key is the key of a stage, zero where the stage was not reached. The features
// of a rejected row have keys, and nobody computes them.
func (s side) key(at action.Stage) store.Key {
	if s.row == nil || int(at) >= len(s.row.Keys) || at >= action.Mel && s.rejection != nil {
		return store.Key{}
	}
	return s.row.Keys[at]
}

// A parent that a merge has dropped is no error: there is nothing to compare with,
// as for a first build. Any other error of reading it is.
func newExplainer(st *store.Store, ref string) (*explainer, error) {
	x := &explainer{config: []action.Change{}, counts: map[string]int{}, renamed: map[string]string{}, due: map[string][action.Most]*cause{},
		after: map[string]side{}, before: map[string]side{}}
	var err error
	if x.now, err = st.Dataset(ref); err != nil {
		return nil, err
	}
	if x.rejects, err = st.ReadRejections(x.now.Snapshot); err != nil {
		return nil, err
	}
	renumberAll(x.now.Root, x.rejects)
	if !x.now.Snapshot.Parent.IsZero() {
		x.was, err = st.DatasetOf(x.now.Snapshot.Parent)
		if errors.Is(err, store.ErrNotFound) {
			x.was, err = nil, nil // history that a merge has dropped
		}
		if err != nil {
			return nil, err
		}
	}
	if x.was == nil {
		x.first()
		return x, nil
	}
	x.config = action.Changes(x.was.Root, x.now.Root)
	return x, x.compare()
}

// first counts a snapshot that has nothing to be compared with.
func (x *explainer) first() {
	x.counts["added"] = x.now.Snapshot.Kept
	reason := "first build"
	if !x.now.Snapshot.Parent.IsZero() {
		reason = "the snapshot before is gone"
	}
	for at := range action.End() {
		if ran := x.ran(at); ran > 0 {
			x.causes[at] = []*cause{{StageReason: StageReason{Stage: at.Name(), Rows: ran, Ran: ran, Reason: reason, Examples: []string{}}}}
		}
	}
}

// ran is the number of rows that the build counted as computed in a stage.
func (x *explainer) ran(at action.Stage) int {
	for _, c := range x.now.Snapshot.Ran {
		if c.Stage == at.Name() {
			return int(c.Run)
		}
	}
	return 0
}

// compare reads the rows of all leaves that differ and both lists of
// rejections, and finds a cause for every result that was due.
// Ids are gone through in order, so that examples and pairs of renamed rows are the
// same each time.
func (x *explainer) compare() error {
	rejects, err := x.was.Store.ReadRejections(x.was.Snapshot)
	if err != nil {
		return err
	}
	renumberAll(x.was.Root, rejects)
	collect(x.before, rejects)
	collect(x.after, x.rejects)
	if err := differing(x.before, x.was, x.now); err != nil {
		return err
	}
	if err := differing(x.after, x.now, x.was); err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(x.after))
	x.findRenamed(ids)
	known := x.knownKeys()
	for _, id := range ids {
		now, was := x.after[id], x.before[id]
		x.count(id, was, now)
		if old, ok := x.renamed[id]; ok {
			was = x.before[old]
		}
		for at := range action.End() {
			if c := x.why(at, was, now); c != nil {
				_, c.shared = known[now.key(at)]
				x.add(at, id, c)
			}
		}
	}
	for id, was := range x.before {
		if was.kept() && x.after[id].row == nil {
			x.counts["removed"]++
		}
	}
	x.counts["removed"] -= len(x.renamed)
	x.settle()
	return nil
}

// renumberAll brings the keys of rejected rows into the order of all stages.
// Each snapshot keeps keys in the order of the stages that it ran (action.KeyOrder).
func renumberAll(root *store.Root, rejects []store.Rejection) {
	order := action.NewKeyOrder(root, int(action.End()))
	for i := range rejects {
		order.Renumber(&rejects[i].Row)
	}
}

// collect takes in rejected rows; of an id that was rejected several times the
// first.
// Rows without an id are left out: they are lines that the metadata refused.
func collect(rows map[string]side, rejects []store.Rejection) {
	for i := range rejects {
		r := &rejects[i]
		if _, twice := rows[r.ID]; !twice && r.ID != "" {
			rows[r.ID] = side{&r.Row, r}
		}
	}
}

// differing takes in the rows of a dataset's leaves that the other has not.
// Leaves are compared by the digests of their origin records, since equal ones hold
// equal rows.
func differing(rows map[string]side, d, other *store.Dataset) error {
	order, have := action.NewKeyOrder(d.Root, int(action.End())), map[store.Digest]bool{}
	for _, l := range other.Origins {
		have[l.Digest] = true
	}
	for i, l := range d.Origins {
		if have[l.Digest] {
			continue
		}
		o, err := d.Origin(i)
		if err != nil {
			return err
		}
		for r := range o.Rows {
			order.Renumber(&o.Rows[r])
			rows[o.Rows[r].ID] = side{row: &o.Rows[r]}
		}
	}
	return nil
}

// findRenamed pairs rows that are new with rows that are gone and have the very
// same keys.
// Keys do not hold the id, so a row that only changed its name has the same ones.
// Where several are alike, they are paired in the order of ids.
func (x *explainer) findRenamed(ids []string) {
	keys := func(s side) (k [action.Most]store.Key) {
		for at := range k {
			k[at] = s.key(action.Stage(at))
		}
		return k
	}
	gone := map[[action.Most]store.Key][]string{}
	for _, id := range slices.Sorted(maps.Keys(x.before)) {
		if was := x.before[id]; was.kept() && x.after[id].row == nil {
			gone[keys(was)] = append(gone[keys(was)], id)
		}
	}
	for _, id := range ids {
		now := x.after[id]
		if same := gone[keys(now)]; now.kept() && x.before[id].row == nil && len(same) > 0 {
			x.renamed[id] = same[0]
			gone[keys(now)] = same[1:]
		}
	}
}

// knownKeys are the keys of the rows that differ, as the parent had them: a row
// with one of them takes the result over, whatever its id.
func (x *explainer) knownKeys() map[store.Key]struct{} {
	known := map[store.Key]struct{}{}
	for _, was := range x.before {
		for at := range action.End() {
			if k := was.key(at); was.kept() && !k.IsZero() {
				known[k] = struct{}{}
			}
		}
	}
	return known
}

// count says what became of a row since the parent; it may be several things.
func (x *explainer) count(id string, was, now side) {
	switch {
	case x.renamed[id] != "":
		x.counts["renamed"]++
		return
	case now.rejection != nil && was.kept():
		x.counts["now rejected"]++
	case now.kept() && was.rejection != nil:
		x.counts["no longer rejected"]++
	case was.row == nil && now.kept():
		x.counts["added"]++
	case was.row == nil:
		x.counts["added and rejected"]++
	}
	if was.row == nil || len(was.row.Keys) == 0 || len(now.row.Keys) == 0 {
		return // of what the metadata refused, only the id is known
	}
	// Read or not: of two texts only one goes to the text stage (action.Source).
	if was.row.Text != now.row.Text || was.row.Given != now.row.Given || was.row.HasGiven != now.row.HasGiven {
		x.counts["text edited"]++
	}
	if (was.row.Audio != now.row.Audio || was.row.From != now.row.From || was.row.Length != now.row.Length) && !was.row.Audio.IsZero() && !now.row.Audio.IsZero() {
		x.counts["audio changed"]++
	}
	if was.row.Speaker != now.row.Speaker || was.row.Language != now.row.Language {
		x.counts["speaker or language changed"]++
	}
	if was.row.Split != now.row.Split {
		x.counts["split changed"]++
	}
}

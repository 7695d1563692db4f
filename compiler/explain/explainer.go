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
	now, was *version // was: nil for a first build
	config   []action.Change
	rejects  []store.Rejection // of now

	after, before map[string]side     // rows that differ, and all that are rejected, by id
	renamed       map[string]string   // id now → id before
	what          map[string][]string // what became of a row, by id; of one that is gone, by its id before
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

// version is a snapshot opened as far as a comparison reads it: without its leaves.
type version struct {
	st *store.Store
	store.NamedSnapshot
	Root   *store.Root
	stages action.Set // in whose order rows have their keys: of all versions that are compared
}

func openVersion(st *store.Store, digest store.Digest) (*version, error) {
	snap, err := st.ReadSnapshot(digest)
	if err != nil {
		return nil, err
	}
	root, err := st.ReadRoot(snap.Root)
	if err != nil {
		return nil, err
	}
	return &version{st, store.NamedSnapshot{Digest: digest, Snapshot: snap}, root, action.SetOf(root)}, nil
}

// explain compares what a name stands for with its parent.
// A parent that a merge has dropped is no error: there is nothing to compare with,
// as for a first build. Any other error of reading it is.
func explain(st *store.Store, name string) (*explainer, error) {
	digest, err := st.Resolve(name)
	if err != nil {
		return nil, err
	}
	now, err := openVersion(st, digest)
	if err != nil {
		return nil, err
	}
	return sinceParent(now)
}

func sinceParent(now *version) (*explainer, error) {
	var was *version
	if !now.Parent.IsZero() {
		var err error
		if was, err = openVersion(now.st, now.Parent); errors.Is(err, store.ErrNotFound) {
			was = nil // history that a merge has dropped
		} else if err != nil {
			return nil, err
		}
	}
	return newExplainer(was, now)
}

// newExplainer compares two versions; was: nil for a first build.
func newExplainer(was, now *version) (x *explainer, err error) {
	x = &explainer{now: now, was: was, config: []action.Change{}, renamed: map[string]string{}, due: map[string][action.Most]*cause{},
		what: map[string][]string{}, after: map[string]side{}, before: map[string]side{}}
	if x.rejects, err = now.st.ReadRejections(now.Snapshot); err != nil {
		return nil, err
	}
	if was != nil {
		now.stages = action.SetOf(now.Root, was.Root)
		was.stages = now.stages
	}
	now.renumberAll(x.rejects)
	if was == nil {
		x.first()
		return x, nil
	}
	x.config = action.Changes(was.Root, now.Root)
	return x, x.compare()
}

// counts are the rows of each kind of change; a row may count in several.
func (x *explainer) counts() map[string]int {
	counts := map[string]int{}
	if x.was == nil {
		counts[Added] = x.now.Kept
	}
	for _, kinds := range x.what {
		for _, kind := range kinds {
			counts[kind]++
		}
	}
	return counts
}

// first counts a snapshot that has nothing to be compared with.
func (x *explainer) first() {
	reason := "first build"
	if !x.now.Parent.IsZero() {
		reason = "the snapshot before is gone"
	}
	for at := range x.now.stages.End() {
		if ran := x.ran(at); ran > 0 {
			x.causes[at] = []*cause{{StageReason: StageReason{Stage: x.now.stages.Name(at), Rows: ran, Ran: ran, Reason: reason, Examples: []string{}}}}
		}
	}
}

// ran is the number of rows that the build counted as computed in a stage.
func (x *explainer) ran(at action.Stage) int {
	for _, c := range x.now.Snapshot.Ran {
		if c.Stage == x.now.stages.Name(at) {
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
	rejects, err := x.was.st.ReadRejections(x.was.Snapshot)
	if err != nil {
		return err
	}
	x.was.renumberAll(rejects)
	collect(x.before, rejects)
	collect(x.after, x.rejects)
	gone, come, err := x.was.st.Differing(x.was.Origins, x.now.st, x.now.Origins)
	if err == nil {
		err = errors.Join(x.was.read(gone, x.before), x.now.read(come, x.after))
	}
	if err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(x.after))
	x.findRenamed(ids)
	known := x.knownKeys()
	for _, id := range ids {
		now, was := x.after[id], x.before[id]
		if kinds := x.became(id, was, now); len(kinds) > 0 {
			x.what[id] = kinds
		}
		if old, ok := x.renamed[id]; ok {
			was = x.before[old]
		}
		for at := range x.now.stages.End() {
			if c := x.why(at, was, now); c != nil {
				_, c.shared = known[now.key(at)]
				x.add(at, id, c)
			}
		}
	}
	elsewhere := map[string]bool{}
	for _, old := range x.renamed {
		elsewhere[old] = true
	}
	for id, was := range x.before {
		if was.kept() && x.after[id].row == nil && !elsewhere[id] {
			x.what[id] = []string{Removed}
		}
	}
	x.settle()
	return nil
}

// renumberAll brings the keys of rejected rows into the order of all stages.
// Each snapshot keeps keys in the order of the stages that it ran (action.KeyOrder).
func (v *version) renumberAll(rejects []store.Rejection) {
	order := action.NewKeyOrder(v.Root, v.stages)
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

// read takes in the rows of leaves.
func (v *version) read(leaves []store.Leaf, rows map[string]side) error {
	order := action.NewKeyOrder(v.Root, v.stages)
	for _, l := range leaves {
		o, err := v.st.ReadOrigin(l.Digest)
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
		for at := range x.now.stages.End() {
			if k := was.key(at); was.kept() && !k.IsZero() {
				known[k] = struct{}{}
			}
		}
	}
	return known
}

// Added and Removed are kinds of change of a row that is in one version only.
const (
	Added   = "added"
	Removed = "removed"
)

// became is what became of a row since the version before; it may be several things.
func (x *explainer) became(id string, was, now side) (kinds []string) {
	switch {
	case x.renamed[id] != "":
		return []string{"renamed"}
	case now.rejection != nil && was.kept():
		kinds = append(kinds, "now rejected")
	case now.kept() && was.rejection != nil:
		kinds = append(kinds, "no longer rejected")
	case was.row == nil && now.kept():
		kinds = append(kinds, Added)
	case was.row == nil:
		kinds = append(kinds, "added and rejected")
	}
	if was.row == nil || len(was.row.Keys) == 0 || len(now.row.Keys) == 0 {
		return kinds // of what the metadata refused, only the id is known
	}
	// Read or not: of two texts only one goes to the text stage (action.Source).
	if was.row.Text != now.row.Text || was.row.Given != now.row.Given || was.row.HasGiven != now.row.HasGiven {
		kinds = append(kinds, "text edited")
	}
	if (was.row.Audio != now.row.Audio || was.row.From != now.row.From || was.row.Length != now.row.Length) && !was.row.Audio.IsZero() && !now.row.Audio.IsZero() {
		kinds = append(kinds, "audio changed")
	}
	if was.row.Speaker != now.row.Speaker || was.row.Language != now.row.Language {
		kinds = append(kinds, "speaker or language changed")
	}
	if was.row.Split != now.row.Split {
		kinds = append(kinds, "split changed")
	}
	return kinds
}

package explain

import (
	"errors"
	"slices"
	"strconv"

	"voxpack/compiler/action"
	"voxpack/store"
)

// History is a line of snapshots, the newest first.
// It is the JSON of voxpack log --json; its names are a contract.
type History struct {
	Store     string    `json:"store"`
	Snapshots []Edition `json:"snapshots"`
	// Dropped is the snapshot before the last one, where a merge has dropped it; "" else.
	Dropped string `json:"dropped"`
}

// Edition is a snapshot of a history, with what it changed of the one before.
type Edition struct {
	Version
	Refs    []string        `json:"refs"` // heads/…, tags/…
	Tool    string          `json:"tool"`
	Seconds float64         `json:"seconds"` // of speech, of the rows kept
	First   bool            `json:"first"`   // nothing before it to compare with
	Whole   bool            `json:"whole"`   // all of it is there: it can be fed, and gone back to
	Config  []action.Change `json:"config"`
	Rows    map[string]int  `json:"rows"`          // as in Explanation
	Row     []string        `json:"row,omitempty"` // of the one row asked for: what became of it
}

// Log goes back from a snapshot, through at most limit ones (0: all). With an id the
// snapshots are those that changed this row. Of each it reads what it changed, and the
// rows of the first one whole, for their hours.
func Log(st *store.Store, from store.Digest, limit int, id string) (*History, error) {
	h := &History{Store: st.Dir(), Snapshots: []Edition{}}
	refs, err := refsOf(st)
	if err != nil {
		return nil, err
	}
	v, err := openVersion(st, from)
	if err != nil {
		return nil, err
	}
	samples, err := v.samples()
	if err != nil {
		return nil, err
	}
	for v != nil && (limit == 0 || len(h.Snapshots) < limit) {
		x, err := sinceParent(v)
		if errors.Is(err, store.ErrNotFound) { // of the parent some parts are there
			x, err = newExplainer(nil, v)
		}
		if err != nil {
			return nil, err
		}
		e := Edition{Version: v.header(), Refs: append([]string{}, refs[v.Digest]...), Tool: v.Tool, First: x.was == nil, Whole: v.Digest == from || st.Whole(v.Digest) == nil, Config: x.config, Rows: x.counts()}
		if rate, err := strconv.ParseFloat(v.Root.Setting("sample_rate"), 64); err == nil && rate > 0 {
			e.Seconds = float64(samples) / rate
		}
		if id != "" {
			e.Row = x.of(id)
		}
		if id == "" || len(e.Row) > 0 {
			h.Snapshots = append(h.Snapshots, e)
		}
		if x.was == nil && !v.Parent.IsZero() {
			h.Dropped = v.Parent.String()
		}
		samples += kept(x.before) - kept(x.after)
		v = x.was
	}
	return h, nil
}

// kept is the sum of the samples of kept rows, modulo 2^64, as differences of it need.
func kept(rows map[string]side) (n uint64) {
	for _, r := range rows {
		if r.kept() {
			n += r.row.Samples
		}
	}
	return n
}

// samples are those of all rows of a version.
func (v *version) samples() (n uint64, err error) {
	rows := map[string]side{}
	leaves, _, err := v.st.Differing(v.Origins, v.st, store.Digest{})
	for i := 0; i < len(leaves) && err == nil; i++ {
		err = v.read(leaves[i:i+1], rows)
		n += kept(rows)
		clear(rows)
	}
	return n, err
}

// of says what became of a row.
func (x *explainer) of(id string) (list []string) {
	list = slices.Clone(x.what[id])
	for at, c := range x.due[id] {
		if c != nil && len(x.what[id]) == 0 { // else that is why
			list = append(list, action.Stage(at).Name()+": "+c.Reason)
		}
	}
	for now, old := range x.renamed {
		if old == id {
			list = append(list, "renamed to "+now)
		}
	}
	if x.was == nil && len(list) == 0 {
		if _, err := findIn(x.now, x.rejects, id); err == nil {
			list = append(list, "there, and nothing before to compare with")
		}
	}
	return list
}

// refsOf are the names of each snapshot that has some.
func refsOf(st *store.Store) (map[store.Digest][]string, error) {
	names, err := st.Refs()
	if err != nil {
		return nil, err
	}
	refs := map[store.Digest][]string{}
	for _, name := range names {
		if d, err := st.Ref(name); err == nil {
			refs[d] = append(refs[d], name)
		}
	}
	return refs, nil
}

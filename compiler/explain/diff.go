package explain

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"voxpack/compiler/action"
	"voxpack/internal/number"
	"voxpack/store"
)

// Difference is what two versions of a dataset do not have in common.
// It is the JSON of voxpack diff --json; its names are a contract.
type Difference struct {
	From   Version         `json:"from"`
	To     Version         `json:"to"`
	Same   bool            `json:"same"` // a trainer gets the same bytes of both
	Config []action.Change `json:"config"`
	Rows   map[string]int  `json:"rows"` // as in Explanation
	Stages []StageChange   `json:"stages"`
	// Changed are the rows that differ in more than settings, in the order of ids.
	Changed []RowChange `json:"changed"`
}

// Version says which version of a dataset is meant.
type Version struct {
	Store    string    `json:"store"`
	Snapshot string    `json:"snapshot"`
	Dataset  string    `json:"dataset"` // digest of the root
	Time     time.Time `json:"time"`
	Kept     int       `json:"kept"`
	Rejected int       `json:"rejected"`
}

// StageChange is a reason for which rows have another result of a stage.
type StageChange struct {
	Stage    string   `json:"stage"`
	Rows     int      `json:"rows"`
	Reason   string   `json:"reason"`
	Examples []string `json:"examples"` // ids, at most three
}

// RowChange is a row that is there once only, or not as it was.
type RowChange struct {
	ID   string   `json:"id"`
	Was  string   `json:"was"` // its id before; "" where that is the same
	What []string `json:"what"`
}

func (v *version) header() Version {
	return Version{v.st.Dir(), v.Digest.String(), v.Snapshot.Root.String(), v.Made(), v.Kept, v.Rejected}
}

// Diff compares two versions, which may be of two stores. It reads what differs, and both
// lists of rejections.
func Diff(from *store.Store, fromDigest store.Digest, to *store.Store, toDigest store.Digest) (*Difference, error) {
	was, err := openVersion(from, fromDigest)
	if err != nil {
		return nil, err
	}
	now, err := openVersion(to, toDigest)
	if err != nil {
		return nil, err
	}
	x, err := newExplainer(was, now)
	if err != nil {
		return nil, err
	}
	d := &Difference{From: was.header(), To: now.header(), Same: was.Snapshot.Root == now.Snapshot.Root, Config: x.config, Rows: x.counts(), Stages: x.changes(), Changed: []RowChange{}}
	for _, id := range slices.Sorted(maps.Keys(x.what)) {
		d.Changed = append(d.Changed, RowChange{id, x.renamed[id], x.what[id]})
	}
	return d, nil
}

// changes are the causes without what the builds between ran.
func (x *explainer) changes() []StageChange {
	list := []StageChange{}
	for at := range x.now.stages.End() {
		for _, c := range x.causes[at] {
			same := slices.IndexFunc(list, func(have StageChange) bool { return have.Stage == c.Stage && have.Reason == c.Reason })
			switch {
			case c.again:
			case same < 0:
				list = append(list, StageChange{c.Stage, c.Rows, c.Reason, c.Examples})
			default: // some of them were taken over from other rows
				list[same].Rows += c.Rows
			}
		}
	}
	return list
}

// RowVersions is a row as two versions have it.
type RowVersions struct {
	ID     string        `json:"id"`
	Fields []FieldChange `json:"fields"`
}

// FieldChange is one thing of a row, as people are told it; "" where the version does not
// have it.
type FieldChange struct {
	Name string `json:"name"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// DiffRow puts a row of two versions side by side. In neither: ErrNotFound.
func DiffRow(from *store.Store, fromDigest store.Digest, to *store.Store, toDigest store.Digest, id string) (*RowVersions, error) {
	var fields [2][]field
	missing := 0
	for i, v := range []struct {
		st     *store.Store
		digest store.Digest
	}{{from, fromDigest}, {to, toDigest}} {
		one, err := openVersion(v.st, v.digest)
		if err != nil {
			return nil, err
		}
		rejects, err := v.st.ReadRejections(one.Snapshot)
		if err != nil {
			return nil, err
		}
		found, err := findIn(one, rejects, id)
		if errors.Is(err, store.ErrNotFound) {
			missing++
			fields[i] = []field{{"row", "not there"}}
			continue
		}
		if err != nil {
			return nil, err
		}
		fields[i] = one.fields(found)
	}
	if missing == 2 {
		return nil, fmt.Errorf("id %q: %w", id, store.ErrNotFound)
	}
	out := &RowVersions{ID: id, Fields: []FieldChange{}}
	at := func(name string) int {
		i := slices.IndexFunc(out.Fields, func(f FieldChange) bool { return f.Name == name })
		if i < 0 {
			i = len(out.Fields)
			out.Fields = append(out.Fields, FieldChange{Name: name})
		}
		return i
	}
	for _, f := range fields[0] {
		out.Fields[at(f.name)].Was = f.value
	}
	for _, f := range fields[1] {
		out.Fields[at(f.name)].Now = f.value
	}
	return out, nil
}

type field struct{ name, value string }

// fields are what a version says of a row, in the order of a reader's interest.
func (v *version) fields(s side) []field {
	r := s.row
	list := []field{{"row", "kept"}, {"text", r.Text}, {"normalized", r.Given}, {"language", r.Language}, {"speaker", r.Speaker}, {"split", r.Split}}
	if s.rejection != nil {
		list[0].value = "rejected: " + s.rejection.Reason
	}
	add := func(name string, there bool, value string) {
		if there {
			list = append(list, field{name, value})
		}
	}
	add("audio", !r.Audio.IsZero(), r.Audio.Short())
	add("file", r.Rate > 0, fmt.Sprintf("%d Hz, %d bit, %s", r.Rate, r.Bits, number.Count(r.Channels, "channel")))
	add("part", r.From > 0 || r.Length > 0, fmt.Sprintf("from %s, %s long", time.Duration(r.From), time.Duration(r.Length)))
	add("samples", r.Samples > 0, number.Commas(r.Samples))
	add("frames", r.Frames > 0, number.Commas(r.Frames))
	add("spoken", r.Spoken != "", r.Spoken)
	add("tokens", r.Tokens > 0, number.Commas(r.Tokens))
	var notes []string
	for _, n := range r.Notes {
		notes = append(notes, strings.TrimSpace(n.Kind+" "+n.Detail))
	}
	add("notes", len(notes) > 0, strings.Join(notes, "; "))
	return slices.DeleteFunc(list, func(f field) bool { return f.value == "" })
}

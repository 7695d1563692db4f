package show

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
	"voxpack/textnorm"
)

// Set is all that show has to say of a dataset; its fields are the JSON.
type Set struct {
	Dataset         string                 `json:"dataset"` // root digest
	Snapshot        string                 `json:"snapshot"`
	Parent          string                 `json:"parent"`
	Ref             string                 `json:"ref"`
	Store           string                 `json:"store"`
	Time            time.Time              `json:"time"`
	Tool            string                 `json:"tool"`
	Read            []compiler.ReadCorpus  `json:"read"` // empty: of a version that did not keep it
	Rows            compiler.RowCounts     `json:"rows"`
	Seconds         float64                `json:"seconds"` // of speech
	Shards          int                    `json:"shards"`
	RowsPerShard    int                    `json:"rows_per_shard"`
	Schema          []columnPage           `json:"schema"`
	Stages          []namedPage            `json:"stages"`
	Config          []namedPage            `json:"config"`
	Symbols         int                    `json:"symbols"`
	Speakers        []groupPage            `json:"speakers"`
	Languages       []groupPage            `json:"languages"`
	SampleBytes     int64                  `json:"sample_bytes"` // of all samples, padding included
	Packs           []packPage             `json:"packs"`
	Refs            map[string]string      `json:"refs"`
	Notes           []compiler.NoteCount   `json:"notes"`
	Rejections      []compiler.RejectedRow `json:"rejections"` // the first 1,000
	RejectionsTotal int                    `json:"rejections_total"`
}

type columnPage struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

type namedPage struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// groupPage is a speaker or a language with its number and rows.
type groupPage struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Rows   int    `json:"rows"`
}

// packPage is a pack file of the store. Packs are shared by all datasets of a
// store, so their sizes do not add up to that of this dataset.
type packPage struct {
	ID      string `json:"id"`
	Bytes   int64  `json:"bytes"` // on disk
	Entries int    `json:"entries"`
}

// showSet prints the page of the dataset, as text or as JSON.
func showSet(d *store.Dataset, p locate.Place, o Options) error {
	page, err := NewSet(d, p)
	if err != nil {
		return err
	}
	return o.print(page, func(w *bufio.Writer) { page.print(w) })
}

// NewSet reads the page of a dataset.
func NewSet(d *store.Dataset, p locate.Place) (*Set, error) {
	s, root := d.Snapshot, d.Root
	page := &Set{
		Dataset: s.Root.String(), Snapshot: d.Digest.String(), Ref: p.Ref, Store: p.Store, Time: s.Made(), Tool: s.Tool, Read: append([]compiler.ReadCorpus{}, s.Read...),
		Rows:   compiler.RowCounts{Total: s.Kept + s.Rejected, Kept: s.Kept, Rejected: s.Rejected, Noted: s.Noted},
		Shards: root.Shards, RowsPerShard: root.PerShard, Symbols: len(root.Symbols), Refs: map[string]string{}, Schema: []columnPage{},
		Stages: []namedPage{}, Config: []namedPage{}, Packs: []packPage{}, Notes: []compiler.NoteCount{}, Rejections: []compiler.RejectedRow{},
	}
	if !s.Parent.IsZero() {
		page.Parent = s.Parent.String()
	}
	// A stored scalar or block always has its full fixed shape, so the size needs
	// no look at the samples.
	for _, c := range root.Schema {
		page.Schema = append(page.Schema, columnPage{c.Name, c.DType.String(), append([]int{}, c.Shape...)})
		page.SampleBytes += int64(c.SampleBytes()) * int64(root.Rows)
	}
	for _, n := range root.Stages {
		page.Stages = append(page.Stages, namedPage(n))
	}
	for _, n := range root.Config {
		page.Config = append(page.Config, namedPage(n))
	}
	page.Notes = append(page.Notes, s.Notes...)
	for _, k := range d.Store.Packs() {
		page.Packs = append(page.Packs, packPage{k.ID, k.Bytes, k.Entries})
	}
	// The three read different objects of the store, so each is tried and all
	// errors are told.
	return page, errors.Join(page.addRows(d), page.addRejections(d), page.addRefs(d.Store))
}

// addRows sums up what the origin records say of the rows.
func (p *Set) addRows(d *store.Dataset) error {
	speakers, languages := map[string]int{}, map[string]int{}
	// The root has no totals by speaker or language, so every origin record is
	// read once.
	var samples uint64
	for leaf := range d.Origins {
		o, err := d.Origin(leaf)
		if err != nil {
			return err
		}
		for i := range o.Rows {
			r := &o.Rows[i]
			// At the configured rate, after resampling: durations of files with
			// different rates add up.
			samples += r.Samples
			speakers[r.Speaker]++
			languages[r.Language]++
		}
	}
	var rate float64
	if _, err := fmt.Sscan(d.Root.Setting("sample_rate"), &rate); err == nil && rate > 0 {
		p.Seconds = float64(samples) / rate
	}
	p.Speakers, p.Languages = []groupPage{}, []groupPage{}
	// Speakers come in the order of their numbers, those without rows too.
	for i, name := range d.Root.Speakers {
		p.Speakers = append(p.Speakers, groupPage{i, name, speakers[name]})
	}
	// Languages have fixed numbers in textnorm's table. Only those that rows have
	// are shown.
	for code, rows := range languages {
		number, _ := textnorm.LanguageIndex(code)
		p.Languages = append(p.Languages, groupPage{int(number), code, rows})
	}
	slices.SortFunc(p.Languages, func(a, b groupPage) int { return a.Number - b.Number })
	return nil
}

// addRejections takes the first 1,000: the page of a dataset stays small however
// many rows were left out, and show --rejected prints all of them.
func (p *Set) addRejections(d *store.Dataset) error {
	list, err := d.Store.ReadRejections(d.Snapshot)
	const most = 1000
	p.RejectionsTotal = len(list)
	for i := range list[:min(len(list), most)] {
		p.Rejections = append(p.Rejections, compiler.RejectedRowOf(&list[i]))
	}
	return err
}

// addRefs lists every ref of the store, not only those of this dataset: they are
// the other names that the user may give to show.
func (p *Set) addRefs(st *store.Store) error {
	names, err := st.Refs()
	for _, name := range names {
		d, refErr := st.Ref(name)
		if refErr != nil {
			return refErr
		}
		p.Refs[name] = d.String()
	}
	return err
}

// print writes the page for people. Long lists end after 20 lines and say which
// command or flag prints the rest.
func (p *Set) print(w io.Writer) {
	field := term.Fields(w, 10)
	field("dataset", "%s", p.Dataset)
	field("snapshot", "%s", p.Snapshot)
	field("built", "%s by %s", p.Time.Format(time.DateTime+" UTC"), p.Tool)
	for i, r := range p.Read {
		field(term.First(i, "read"), "%v", r)
	}
	field("rows", "%s kept (%s with notes), %s rejected", term.Commas(p.Rows.Kept), term.Commas(p.Rows.Noted), term.Commas(p.Rows.Rejected))
	field("speech", "%s", term.Clock(p.Seconds))
	field("shards", "%s of up to %s", term.Commas(p.Shards), term.Count(p.RowsPerShard, "row"))
	field("samples", "%s in fixed shape", term.Size(p.SampleBytes))
	for i, c := range p.Schema {
		field(term.First(i, "schema"), "%-9s %-4s %s", c.Name, c.DType, shapeText(c.Shape))
	}
	printGroups(field, "speakers", p.Speakers)
	printGroups(field, "languages", p.Languages)
	for i, c := range p.Config {
		field(term.First(i, "config"), "%-15s %s", c.Name, strings.ReplaceAll(strings.TrimSpace(c.Value), "\n", ", "))
	}
	for i, s := range p.Stages {
		field(term.First(i, "stages"), "%-7s %s", s.Name, s.Value)
	}
	field("symbols", "%s", term.Commas(p.Symbols))
	var bytes int64
	for _, k := range p.Packs {
		bytes += k.Bytes
	}
	field("store", "%s: %s, %s on disk", p.Store, term.Count(len(p.Packs), "pack"), term.Size(bytes))
	printRefs(field, p.Refs)
	for i, n := range term.NotesByRows(p.Notes) {
		field(term.First(i, "notes"), "%s", term.NoteText(n))
	}
	const most = 20
	for i, r := range p.Rejections[:min(len(p.Rejections), most)] {
		field(term.First(i, "rejected"), "%v", r)
	}
	if more := p.RejectionsTotal - most; more > 0 {
		field("", "… and %s more: voxpack show %s --rejected", term.Commas(more), term.Quoted(p.Store))
	}
}

// printGroups prints speakers or languages with their numbers, which are the
// values of the column of that name.
func printGroups(field func(string, string, ...any), name string, groups []groupPage) {
	const most = 20
	for i, g := range groups[:min(len(groups), most)] {
		field(term.First(i, name), "%3d %s, %s", g.Number, g.Name, term.Count(g.Rows, "row"))
	}
	if more := len(groups) - most; more > 0 {
		field("", "    … and %s more: --json", term.Commas(more))
	}
}

// printRefs sorts by name, since the order of a map changes from run to run.
func printRefs(field func(string, string, ...any), refs map[string]string) {
	names := make([]string, 0, len(refs))
	for name := range refs {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		field(term.First(i, "refs"), "%s → %s", name, term.Short(refs[name]))
	}
}

// shapeText is "[800, 80]", or nothing for a scalar.
func shapeText(shape []int) string {
	if len(shape) == 0 {
		return ""
	}
	return strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
}

package compiler

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"voxpack/compiler/action"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// metadata is what the folders of an order say: rows, and lines that are none.
type metadata struct {
	corpora  []*corpusFolder
	has      columns
	lines    int                // that are not empty
	items    []item             // by (place, id), at most one an id
	refused  []*intake.RowError // lines that gave no row
	warnings []string
}

// listAudio lists the folders where most audio stands, which the survey would
// otherwise wait for.
func (m *metadata) listAudio() error {
	for _, c := range m.corpora {
		c.List()
	}
	return nil
}

// read reads the metadata and makes items of its rows. The tables give up their rows and
// errors then: a million rows would be held twice. A shape that no pack takes is refused
// here, since the columns decide about it too.
func (m *metadata) read(ctx context.Context, o *Options) error {
	defer o.Spans.Span("read metadata")()
	var err error
	if m.has, m.lines, err = readCorpora(m.corpora); err != nil {
		return err
	}
	if err := checkBlockSize(o.Config.schema(m.has), o.Config.PerShard); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := o.fits(m); err != nil {
		return err
	}
	rows, repeated, refused := onePerID(m.corpora, o.Part)
	for _, c := range m.corpora {
		if o.Part.First() {
			m.refused = append(m.refused, c.table.Errors...)
		}
		if len(m.corpora) > 1 && len(c.table.Rows)+len(c.table.Errors) == 0 {
			m.warnings = append(m.warnings, fmt.Sprintf("the metadata of corpus %s has no row", c.Name))
		}
		c.table.Rows, c.table.Errors = nil, nil
	}
	m.refused = append(m.refused, refused...)
	m.items = make([]item, len(rows))
	for i, r := range rows {
		it := &m.items[i]
		it.from, it.row, it.place, it.fate = r.from, r.row, r.place, unsurveyed
		it.repeated = repeated[r.row.ID]
	}
	return nil
}

// linksOut says what lets refused links be followed, "" where none were refused. The
// reasons of the rows cannot: they are stored, and no path of a machine stands there.
func (m *metadata) linksOut() string {
	var folders []string
	for _, c := range m.corpora {
		if at := c.Links.Astray(); at != "" && !slices.Contains(folders, at) {
			folders = append(folders, at)
		}
	}
	if len(folders) == 0 {
		return ""
	}
	return fmt.Sprintf("links lead out of the dataset; to read what they lead to, put this under data: in the config, or pass --follow-links to follow any link\n  audio_roots: [%s]", quoteAll(folders))
}

// elsewhere says where audio is, if there is some and no row has found its own.
func (m *metadata) elsewhere() string {
	if hint := m.linksOut(); hint != "" {
		return "; " + hint
	}
	if slices.ContainsFunc(m.items, func(it item) bool { return it.path != "" }) {
		return ""
	}
	var folders []string
	for _, c := range m.corpora {
		folders = append(folders, c.OtherClips()...)
	}
	if len(folders) == 0 {
		return ""
	}
	return fmt.Sprintf("; there is audio in %s; rows look in the folder that the metadata names, else in wavs/ and beside the metadata", strings.Join(folders, ", "))
}

// sources says of each corpus what it was read as. A file outside of the corpus is named
// by the last part of its path: a snapshot holds no path of the machine that made it.
func (m *metadata) sources() (list []store.Source) {
	const most = 3 // a corpus of books has thousands
	for _, c := range m.corpora {
		s := store.Source{Corpus: c.Name, Format: c.table.Format, All: uint64(len(c.table.Files)), Rows: uint64(c.table.Lines),
			Files: []string{}, Columns: []store.SourceColumn{}}
		for _, file := range c.table.Files[:min(len(c.table.Files), most)] {
			if path.IsAbs(file) {
				file = path.Base(file)
			}
			s.Files = append(s.Files, file)
		}
		slices.Sort(s.Files)
		for _, t := range c.table.Columns {
			s.Columns = append(s.Columns, store.SourceColumn(t))
		}
		list = append(list, s)
	}
	return list
}

// rejections lists every row that was left out, in file order. What is sorted is small:
// a million rejections take half a gigabyte, and 0.2 s so instead of 3.
func (m *metadata) rejections(ctx context.Context, stages action.Set) ([]store.Rejection, error) {
	type place struct {
		file, line int32
		i          int32 // in m.items; under 0 in m.refused, counted from its end
	}
	number := map[string]int32{} // of files, in their order: comparing numbers is what makes it fast
	for i := range m.items {
		if it := &m.items[i]; !it.kept() {
			number[it.row.Pos.File] = 0
		}
	}
	for _, e := range m.refused {
		number[e.Pos.File] = 0
	}
	for i, file := range slices.Sorted(maps.Keys(number)) {
		number[file] = int32(i)
	}
	var order []place
	for i, e := range m.refused {
		order = append(order, place{number[e.Pos.File], int32(e.Pos.Line), int32(i - len(m.refused))})
	}
	for i := range m.items {
		if it := &m.items[i]; !it.kept() {
			order = append(order, place{number[it.row.Pos.File], int32(it.row.Pos.Line), int32(i)})
		}
	}
	slices.SortFunc(order, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.i, b.i))
	})
	list := make([]store.Rejection, 0, len(order))
	for i, p := range order {
		if i%pollRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p.i >= 0 {
			list = append(list, m.items[p.i].rejection(stages))
			continue
		}
		e := m.refused[int(p.i)+len(m.refused)]
		list = append(list, store.Rejection{File: e.Pos.File, Line: e.Pos.Line, ID: e.ID, Kind: string(e.Kind), Stage: e.Stage, Reason: e.Err.Error(), Row: store.OriginRow{ID: e.ID}})
	}
	return list, nil
}

package compiler

import (
	"path"
	"slices"

	"voxpack/store"
)

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

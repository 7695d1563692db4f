package compiler

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"voxpack/store"
)

// ReadCorpus says what the metadata of a corpus was read as. Formats are told by what is
// there, so that a person has to be able to see which one was, and from what each column
// was taken.
type ReadCorpus struct {
	Corpus     string       `json:"corpus"` // its name in the dataset, "" for the only one
	Format     string       `json:"format"`
	Files      []string     `json:"files"` // the first few
	FilesTotal int          `json:"files_total"`
	Columns    []ReadColumn `json:"columns"`
	Rows       int          `json:"rows"` // lines that are not empty
}

// ReadColumn is a column of rows with what it was taken from: a header, a key of
// JSON, or the number of a column from 1.
type ReadColumn struct {
	Column string `json:"column"`
	From   string `json:"from"`
}

// String is "csv metadata.csv: audio=file text=transcript, 12 rows".
func (r ReadCorpus) String() string {
	s := r.Format + " " + strings.Join(r.Files, " ")
	if r.Corpus != "" {
		s = r.Corpus + ": " + s
	}
	if more := r.FilesTotal - len(r.Files); more > 0 {
		s += fmt.Sprintf(" and %d more files", more)
	}
	for i, c := range r.Columns {
		if i == 0 {
			s += ":"
		}
		s += " " + c.Column + "=" + c.From
	}
	return s + ", " + counted(r.Rows, "row", "rows")
}

// ReadAs is what a snapshot says of the metadata, nil for one of a version that
// did not keep it.
func ReadAs(s *store.Snapshot) []ReadCorpus {
	list := make([]ReadCorpus, 0, len(s.Read))
	for _, r := range s.Read {
		c := ReadCorpus{Corpus: r.Corpus, Format: r.Format, Files: append([]string{}, r.Files...), FilesTotal: int(r.All), Columns: []ReadColumn{}, Rows: int(r.Rows)}
		for _, n := range r.Columns {
			c.Columns = append(c.Columns, ReadColumn{n.Name, n.Value})
		}
		list = append(list, c)
	}
	return list
}

// sources says of each corpus what it was read as. A file outside of the corpus is named
// by the last part of its path: a snapshot holds no path of the machine that made it.
func (m *metadata) sources() (list []store.Source) {
	const most = 3 // a corpus of books has thousands
	for _, c := range m.corpora {
		s := store.Source{Corpus: c.Name, Format: c.table.Format, All: uint64(len(c.table.Files)), Rows: uint64(c.table.Lines)}
		for _, file := range c.table.Files[:min(len(c.table.Files), most)] {
			if path.IsAbs(file) {
				file = path.Base(file)
			}
			s.Files = append(s.Files, file)
		}
		slices.Sort(s.Files)
		for _, t := range c.table.Columns {
			s.Columns = append(s.Columns, store.Named{Name: t.Column, Value: t.From})
		}
		list = append(list, s)
	}
	return list
}

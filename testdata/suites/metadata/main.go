// Metadata reads what stands on its standard input, a line each, the way that a build does, and writes a line of JSON for each: the
// columns of a Parquet file, or the rows of a folder's metadata. A line of input is JSON too, as of question below.
package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"

	"voxpack/compiler/intake"
	"voxpack/compiler/intake/parquet"
)

// A question names one file or one folder.
type question struct {
	Parquet string            // file
	Folder  string            // or folder of a corpus
	Format  string            // of the corpus
	Columns map[string]string // of the corpus
}

// An answer says what is there, or why it cannot be read.
type answer struct {
	Error   string    `json:"error"`
	Rows    int64     `json:"rows"`
	Columns []*column `json:"columns"` // of a Parquet file
	Read    []row     `json:"read"`    // of a folder
	Refused []row     `json:"refused"`
}

type column struct {
	Path    []string  `json:"path"`
	Kind    string    `json:"kind"`
	Listed  bool      `json:"listed"`
	Foreign string    `json:"foreign"`
	Error   string    `json:"error"`
	Number  string    `json:"number"` // its type, of numbers
	Values  []*string `json:"values"` // texts, as hexadecimal bytes; null
	Arrays  []*list   `json:"arrays"` // of numbers
}

// A list is a row's numbers: their bytes as hexadecimal, and the shape; null where there is no value.
type list struct {
	Shape  []int  `json:"shape"`
	Bytes  string `json:"bytes"`
	Hole   bool   `json:"hole"`
	Ragged bool   `json:"ragged"`
}

type row struct {
	Line int    `json:"line"`
	ID   string `json:"id"`
	Text string `json:"text"` // of one that was refused: why
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "metadata:", err)
		os.Exit(1)
	}
}

func run() error {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		var a answer
		var err error
		if q.Parquet != "" {
			err = a.parquet(q.Parquet)
		} else {
			err = a.folder(q)
		}
		if err != nil {
			a = answer{Error: err.Error()}
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (a *answer) parquet(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	f, err := parquet.Open(file, info.Size())
	if err != nil {
		return err
	}
	a.Rows = f.Rows
	for _, c := range f.Columns {
		said := &column{Path: c.Path, Kind: c.Kind.String(), Listed: c.Listed, Foreign: c.Foreign, Number: c.Number()}
		a.Columns = append(a.Columns, said)
		if said.Number != "" {
			if said.Arrays, err = arrays(f, c); err != nil {
				said.Error, said.Arrays = err.Error(), nil
				continue
			}
		}
		if c.Listed || c.Foreign != "" {
			continue
		}
		if said.Values, err = values(f, c); err != nil {
			said.Error, said.Values = err.Error(), nil
		}
	}
	return nil
}

// arrays are the rows of a column of numbers or of lists of them.
func arrays(f *parquet.File, c *parquet.Column) (rows []*list, err error) {
	values, err := f.Arrays(c, 1<<24)
	if err != nil {
		return nil, err
	}
	defer values.Close()
	for range f.Rows {
		row, err := values.Next(nil)
		if err != nil {
			return nil, err
		}
		if row.Null {
			rows = append(rows, nil)
			continue
		}
		rows = append(rows, &list{row.Shape, hex.EncodeToString(row.Values), row.Hole, row.Ragged})
	}
	return rows, nil
}

// values are a column's texts from end to end; each is compared with what the
// other ways to a row say.
func values(f *parquet.File, c *parquet.Column) (list []*string, err error) {
	cursor, err := f.Read(c)
	if err != nil {
		return nil, err
	}
	defer cursor.Close()
	nulls, err := f.Read(c)
	if err != nil {
		return nil, err
	}
	defer nulls.Close()
	for n := range f.Rows {
		v, err := cursor.Next()
		if err != nil {
			return nil, err
		}
		if null, err := nulls.Null(); err != nil || null != (v == nil) {
			return nil, fmt.Errorf("row %d: null is %v, %w, and the value %q", n+1, null, err, v)
		}
		if n%97 == 0 {
			if alone, ok, err := f.Value(c, n, nil); err != nil || ok != (v != nil) || string(alone) != string(v) {
				return nil, fmt.Errorf("row %d: alone it is %q, %w, among others %q", n+1, alone, err, v)
			}
		}
		if v == nil {
			list = append(list, nil)
			continue
		}
		text, err := c.Text(v)
		if err != nil {
			return nil, err
		}
		text = hex.EncodeToString([]byte(text))
		list = append(list, &text)
	}
	return list, nil
}

func (a *answer) folder(q question) error {
	table, err := intake.Read(intake.Corpus{Dir: q.Folder, Format: q.Format, Columns: q.Columns})
	if err != nil {
		return err
	}
	for _, r := range table.Rows {
		a.Read = append(a.Read, row{r.Pos.Line, r.ID, r.Text})
	}
	for _, e := range table.Errors {
		a.Refused = append(a.Refused, row{e.Pos.Line, e.ID, e.Err.Error()})
	}
	return nil
}

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// Corpus is one folder of metadata and audio, and what is said of it.
type Corpus struct {
	Name     string            // stands with "/" in front of ids and positions; "" for the only corpus of a dataset
	Dir      string            // folder
	Metadata string            // file; "" finds it
	Train    string            // files of a pair in place of Metadata; either may be ""
	Eval     string            //
	Format   string            // of the table; "" or "auto": told by what is there
	Language string            // code of rows that name none; "": the dataset's
	Speaker  string            // of rows that name none
	Columns  map[string]string // our columns → the header's name, or a number from 1
	Links    *Links            // where links may lead; nil: to what lies in Dir
	Only     string            // an id without the corpus's name: lines that do not mention it may be left out; "": none is
}

// Table is what a corpus's metadata holds.
type Table struct {
	Format  string
	Files   []string // that were read, below the corpus, "/"-separated; one outside it is absolute
	Folders []string // that were listed
	Rows    []Row    // in the order of the files
	Errors  []*RowError
	Lines   int // that are not empty: rows and errors

	HasSpeaker, HasLanguage, HasSplit bool // columns that rows have
	Columns                           []Took

	strings rowStrings
	fault   error            // of the machine, the first that was met
	parts   map[string][]int // rows that are parts of a file and have no id but its name, by that
}

// Took says what of the metadata became a column of rows: a header, a key, or a
// number from 1.
type Took struct{ Column, From string }

// took notes where a column comes from.
func (t *Table) took(col, from string) {
	if c := (Took{col, from}); !slices.Contains(t.Columns, c) {
		c.From = strings.Clone(from) // without the text that it stands in
		t.Columns = append(t.Columns, c)
	}
}

func columnNumber(name string) int {
	for col := range columnWords {
		if columnWords[col].name == name {
			return col
		}
	}
	return int(columnCount)
}

// ErrNoMetadata means that a folder holds no metadata that can be read.
var ErrNoMetadata = errors.New("no dataset here")

// Read finds and reads the metadata of a corpus. Every line ends as a row or as
// an error with its place; the error return is for a corpus that cannot be read
// at all.
func Read(c Corpus) (*Table, error) {
	f, parts, err := find(c)
	if err != nil {
		return nil, c.lookNear(err)
	}
	return read(c, f, parts)
}

// Found reports whether Read would find metadata: nil, or why not.
func Found(c Corpus) error {
	_, _, err := find(c)
	return c.lookNear(err)
}

// Files are listed once each, sorted; columns in our order.
func read(c Corpus, f *Format, parts []Part) (*Table, error) {
	t := &Table{Format: f.Name}
	in := Input{Corpus: c, table: t}
	for _, p := range parts {
		in.Part = p
		if err := cmp.Or(f.Read(&in), t.fault); err != nil {
			return nil, unreadable(p.File, err)
		}
	}
	slices.Sort(t.Files)
	t.Files = slices.Compact(t.Files)
	slices.SortStableFunc(t.Columns, func(a, b Took) int { return columnNumber(a.Column) - columnNumber(b.Column) })
	c.fill(t)
	t.strings, t.parts = rowStrings{}, nil
	return t, nil
}

// parse is Read of a single file whose text is at hand. It looks for no other file,
// so that a test needs no folder.
func parse(name, src, format string) (*Table, error) {
	c := Corpus{Format: format}
	f, err := c.named()
	if err != nil {
		return nil, err
	}
	if f == nil {
		if f, err = told(name, usableLines(strings.TrimPrefix(src, "\xef\xbb\xbf"), headLines)); err != nil {
			return nil, err
		}
	}
	t := &Table{Format: f.Name}
	err = f.Read(&Input{Part: Part{File: name}, Corpus: c, table: t, texts: map[string]string{name: src}})
	return t, err
}

// unreadable says why a file of metadata cannot be read, in the words of its name.
func unreadable(file string, err error) error {
	var pe *fs.PathError
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s: no such file", ErrNoMetadata, file)
	}
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if IsMachine(err) {
		return fmt.Errorf("%s: %w", file, Machine(err))
	}
	return fmt.Errorf("%w: %s: %w", ErrNoMetadata, file, err)
}

// fill gives the corpus's speaker and language to rows that have none. A
// language for all is a column only where another row has one; otherwise it is
// the same as the dataset's setting.
// Rows that name their own keep it.
func (c Corpus) fill(t *Table) {
	t.HasSpeaker = t.HasSpeaker || c.Speaker != "" && len(t.Rows) > 0
	t.HasLanguage = t.HasLanguage || c.Language != "" && len(t.Rows) > 0
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Speaker == "" {
			r.Speaker = c.Speaker
		}
		if r.Language == "" {
			r.Language = c.Language
		}
	}
}

// IDOf is the row id of a clip's name in the corpus.
func (c Corpus) IDOf(clip string) string {
	if c.Name == "" {
		return clip
	}
	return c.Name + "/" + clip
}

// Local is a row's id without the corpus's name.
func (c Corpus) Local(id string) string {
	if c.Name == "" {
		return id
	}
	return strings.TrimPrefix(id, c.Name+"/")
}

// usable leaves out lines that no format should judge by. It lists nothing: a text may have millions.
func usable(src string) iter.Seq[string] {
	return func(yield func(string) bool) {
		more := true
		eachLine(src, func(_ int, l string) {
			if more && strings.TrimSpace(l) != "" && utf8.ValidString(l) {
				more = yield(l)
			}
		})
	}
}

// usableLines are at most `most` of them, all for -1.
func usableLines(src string, most int) (out []string) {
	for l := range usable(src) {
		if most >= 0 && len(out) >= most {
			break
		}
		out = append(out, l)
	}
	return out
}

// readText reads a file into one string without a second copy.
// A file that grew since its size was asked is read whole all the same; the size
// is a hint, of at most 1 GiB.
func readText(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(info.Size(), 1<<30)))
	}
	_, err = io.Copy(&b, f)
	return b.String(), err
}

package intake

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// find tells a corpus's format and lists its parts. What the user names goes
// first; then metadata.csv; then folders laid out as a format says; then the
// only file, or the only set of files by splits, that looks like metadata.
// Where several fit alike it is an error that names them, never a guess: a wrong
// format reads the wrong column as text and builds without an error.
func find(c Corpus) (*Format, []Part, error) {
	only, err := c.named()
	if err != nil {
		return nil, nil, err
	}
	if parts := c.given(); len(parts) > 0 {
		f, err := c.formatOf(only, parts)
		return f, parts, err
	}
	if only != nil && only.Find != nil {
		if parts := only.Find(c.Dir); len(parts) > 0 {
			return only, parts, nil
		}
		if only.Look == nil {
			return nil, nil, fmt.Errorf("%w: %s is not laid out as %s: %s", ErrNoMetadata, c.Dir, only.Name, only.Shape)
		}
	}
	if _, err := os.Stat(c.path("metadata.csv")); IsMachine(err) {
		return nil, nil, unreadable("metadata.csv", err) // it may be there: another file must not take its place
	}
	if c.isFile("metadata.csv") {
		parts := []Part{{File: "metadata.csv"}}
		f, err := c.formatOf(only, parts)
		return f, parts, err
	}
	if only == nil {
		if f, parts, err := c.layout(); f != nil || err != nil {
			return f, parts, err
		}
	}
	return c.search(only)
}

// named is the format that the config names, nil for none.
func (c Corpus) named() (*Format, error) {
	if c.Format == "" || c.Format == "auto" {
		return nil, nil
	}
	if f := formatNamed(c.Format); f != nil {
		return f, nil
	}
	return nil, fmt.Errorf("format %q is not known; this version reads %s", c.Format, strings.Join(FormatNames(), ", "))
}

// given lists the parts that the user names.
func (c Corpus) given() (parts []Part) {
	for _, p := range []Part{{c.Metadata, Unsplit}, {c.Train, Train}, {c.Eval, Val}} {
		if p.File != "" {
			parts = append(parts, Part{c.below(p.File), p.Split})
		}
	}
	return parts
}

// below is a file's path below the corpus, where it stands there however the
// two were given, else its absolute path.
// Positions stand in snapshots, which should be the same wherever the corpus is.
func (c Corpus) below(file string) string {
	full, err := filepath.Abs(file)
	at, err2 := filepath.Abs(c.Dir)
	if err != nil || err2 != nil {
		return filepath.ToSlash(file)
	}
	rel, err := filepath.Rel(at, full)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(full)
	}
	return filepath.ToSlash(rel)
}

// layout asks the formats that are whole folders.
// Two that fit are an error, which says how the config decides it.
func (c Corpus) layout() (*Format, []Part, error) {
	var fits []*Format
	var parts []Part
	for i := range formats {
		if formats[i].Find == nil {
			continue
		}
		if found := formats[i].Find(c.Dir); len(found) > 0 {
			fits, parts = append(fits, &formats[i]), found
		}
	}
	switch len(fits) {
	case 0:
		return nil, nil, nil
	case 1:
		return fits[0], parts, nil
	}
	return nil, nil, fmt.Errorf("%w: %s can be read as %s: say which in the config, as in format: %s", ErrNoMetadata, c.Dir, namesOf(fits), fits[0].Name)
}

// formatOf tells the format of files by their first lines.
// All parts are told together, so that a pair of files has one format.
func (c Corpus) formatOf(only *Format, parts []Part) (*Format, error) {
	for _, p := range parts {
		info, err := os.Stat(c.path(p.File))
		if err == nil && !info.Mode().IsRegular() {
			return nil, unreadable(p.File, errNoFile)
		}
		if err != nil {
			err = unreadable(p.File, err)
			if inside := path.Base(p.File); path.IsAbs(p.File) && c.isFile(inside) {
				err = fmt.Errorf("%w; did you mean %s?", err, c.path(inside))
			}
			return nil, err
		}
	}
	if only != nil {
		return only, nil
	}
	if path.Ext(parts[0].File) == parquetExt {
		return &shards, nil // it has no lines to tell it by
	}
	var lines []string
	for _, p := range parts {
		head, err := c.head(p.File)
		if err != nil {
			return nil, unreadable(p.File, err)
		}
		lines = append(lines, head...)
	}
	if f := c.tabular(lines); f != nil {
		return f, nil
	}
	return told(parts[0].File, lines)
}

// told is the format of a file by its first lines. No line is refused here: a format
// that most lines fit is the format, and the others are refused by its reader.
func told(name string, lines []string) (*Format, error) {
	fits := bestOf(lines)
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(lines) == 0:
		return &ljspeech, nil // an empty file is no rows in any format
	case len(fits) == 0:
		return nil, unknown(name, lines)
	}
	return nil, fmt.Errorf("%w: %s can be read as %s; its first lines are%s\nsay which in the config, as in format: %s", ErrNoMetadata, name, namesOf(fits), first(lines), fits[0].Name)
}

// errNoFile is for what only a read would tell: a pipe waits for a writer that may
// never come, and what it gives is gone for the second look.
var errNoFile = errors.New("it is not a file")

func (c Corpus) isFile(file string) bool { return regular(c.path(file)) }

// path is where a part stands.
func (c Corpus) path(file string) string {
	if path.IsAbs(file) {
		return filepath.FromSlash(file)
	}
	return filepath.Join(c.Dir, filepath.FromSlash(file))
}

// bestOf are the formats that most of the lines fit; ljspeech wins its ties.
// Otherwise a plain corpus of id|text would ask, since other forms with bars fit it too.
func bestOf(lines []string) []*Format {
	var fits []*Format
	most := 0
	for i := range formats {
		f := &formats[i]
		if f.Look == nil {
			continue
		}
		n := f.Look(lines)
		if n > most {
			most, fits = n, nil
		}
		if n == most && n > 0 {
			fits = append(fits, f)
		}
	}
	if lj := slices.IndexFunc(fits, func(f *Format) bool { return f.Name == ljspeech.Name }); lj >= 0 {
		return fits[lj : lj+1]
	}
	return fits
}

// headBytes of a file tell its format; LJSpeech's 13,100 lines take 2.5 MB.
const (
	headBytes = 256 << 10
	headLines = 1000
)

// head is the first lines of a file, whole ones.
func (c Corpus) head(file string) ([]string, error) {
	f, err := os.Open(c.path(file))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, headBytes)
	n := 0
	for n < len(b) {
		more, err := f.Read(b[n:])
		n += more
		if err != nil {
			break // what was read tells; the whole is read later and its error reported
		}
	}
	s := strings.TrimPrefix(string(b[:n]), "\xef\xbb\xbf")
	if err := foreign(s); err != nil {
		return nil, err
	}
	if n == len(b) { // the last line may be cut
		if end := strings.LastIndexByte(s, '\n'); end > 0 {
			s = s[:end]
		}
	}
	return usableLines(s, headLines), nil
}

// metadataExtensions are those of files that are looked into.
var metadataExtensions = []string{".csv", ".txt", ".tsv", ".jsonl", ".json", ".list", ".parquet"}

// search looks for the only file, or the only set of files by splits, most of
// whose lines fit a format. Where the config names the format, a single other file
// of a known ending is taken as well, but no .txt: a README is not a corpus.
func (c Corpus) search(only *Format) (*Format, []Part, error) {
	var found, others []string
	for _, dir := range []string{".", "filelists"} {
		entries, err := os.ReadDir(c.path(dir))
		if err != nil && dir == "." {
			return nil, nil, fmt.Errorf("%w: %w", ErrNoMetadata, err)
		}
		for _, e := range entries {
			file := path.Join(dir, e.Name())
			switch ext := filepath.Ext(file); {
			case !slices.Contains(metadataExtensions, ext):
			case c.looksLikeMetadata(file, only):
				found = append(found, file)
			case ext != ".txt" && c.isFile(file):
				others = append(others, file)
			}
		}
	}
	if only != nil && len(found) == 0 && len(others) == 1 {
		found = others // its reader says what is wrong with it
	}
	parts := []Part{{}}
	switch set := bySplits(found); {
	case len(found) == 0:
		return nil, nil, &nothingFound{dir: c.Dir}
	case len(found) == 1:
		parts[0].File = found[0]
	case set != nil:
		parts = set
	default:
		list := strings.Join(found, ", ")
		if c.Name != "" {
			return nil, nil, fmt.Errorf("%w: %s has no metadata.csv but %s: say which in its item of datasets, as in metadata: %s", ErrNoMetadata, c.Dir, list, found[0])
		}
		return nil, nil, fmt.Errorf("%w: %s has no metadata.csv but %s: say which with --metadata FILE, as in --metadata %s", ErrNoMetadata, c.Dir, list, c.path(found[0]))
	}
	f, err := c.formatOf(only, parts)
	return f, parts, err
}

// looksLikeMetadata reports whether most of a file's first lines fit a format.
func (c Corpus) looksLikeMetadata(file string, only *Format) bool {
	if !c.isFile(file) {
		return false
	}
	lines, err := c.head(file)
	if err != nil {
		return false
	}
	if f := c.tabular(lines); f != nil && (only == nil || f == only) {
		return true
	}
	for i := range formats {
		f := &formats[i]
		if f.Look == nil || only != nil && f != only {
			continue
		}
		if fit := f.Look(lines); fit > 0 && 2*fit >= len(lines) {
			return true
		}
	}
	return false
}

// bySplits takes files whose names differ only in the word for a split, as in
// metadata_train.csv and metadata_eval.csv, nil where they are not such a set.
// Two files for one split are no set: which of them counts, only the user knows.
func bySplits(files []string) []Part {
	var parts []Part
	rest := ""
	for _, f := range files {
		at, word := splitWord(f)
		if at < 0 {
			return nil
		}
		split, _ := ParseSplit(word)
		without := f[:at] + f[at+len(word):]
		if len(parts) > 0 && without != rest || slices.ContainsFunc(parts, func(p Part) bool { return p.Split == split }) {
			return nil
		}
		rest = without
		parts = append(parts, Part{File: f, Split: split})
	}
	return parts
}

// splitWord finds the last word of a file's name that is one for a split.
func splitWord(name string) (at int, word string) {
	at, end := -1, 0
	for end < len(name) {
		start := end
		for end < len(name) && !strings.ContainsRune("_-. ", rune(name[end])) {
			end++
		}
		if s, err := ParseSplit(name[start:end]); err == nil && s != Unsplit {
			at, word = start, name[start:end]
		}
		end++
	}
	return at, word
}

// unknown is the error of lines that no format knows, with what was looked for.
func unknown(name string, lines []string) error {
	return fmt.Errorf("%w: %s: the format cannot be told; its first lines are%s\ntried:%s", ErrNoMetadata, name, first(lines), tried())
}

// first is the first lines of a file for a message.
func first(lines []string) string {
	var b strings.Builder
	for _, l := range lines[:min(3, len(lines))] {
		fmt.Fprintf(&b, "\n    %s", clip(l, 120))
	}
	return b.String()
}

// namesOf lists formats for a message.
func namesOf(list []*Format) string {
	var names []string
	for _, f := range list {
		names = append(names, f.Name)
	}
	return strings.Join(names, " and as ")
}

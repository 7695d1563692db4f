package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"voxpack/textnorm"
)

// Format is one way to write metadata. A new one is a file with its functions
// and a line in the table below.
type Format struct {
	Name string
	// Columns says what a line of the format may hold, for messages.
	Columns string
	// Look judges the lines of a file (empty lines and lines of invalid UTF-8
	// left out).
	Look func(lines []string) Look
}

// Look is what a format makes of a file.
type Look struct {
	Fits                    int // lines that look like the format; the first format of the table wins a tie
	Parse                   func(line string) (Row, error)
	HasSpeaker, HasLanguage bool // columns that the rows have
}

// formats is the table of metadata formats.
var formats = []Format{ljspeech}

// Metadata is a parsed metadata file.
type Metadata struct {
	File        string // relative to the dataset
	Format      string
	Rows        []Row // in file order
	Errors      []*RowError
	Lines       int // that are not empty
	HasSpeaker  bool
	HasLanguage bool
}

// ErrNoMetadata means that a folder holds no metadata file that can be read.
var ErrNoMetadata = errors.New("no dataset here")

// FindMetadata is the metadata file of a dataset folder: metadata.csv, else the
// only *.csv, *.txt or *.tsv beside which nothing else could be meant.
func FindMetadata(dir string) (string, error) {
	first := filepath.Join(dir, "metadata.csv")
	if st, err := os.Stat(first); err == nil && st.Mode().IsRegular() {
		return first, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoMetadata, err)
	}
	var found []string
	for _, e := range entries {
		if slices.Contains([]string{".csv", ".txt", ".tsv"}, filepath.Ext(e.Name())) && looksLikeMetadata(filepath.Join(dir, e.Name())) {
			found = append(found, e.Name())
		}
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("%w: %s has no metadata.csv and no other file of lines like id|text; name one with --metadata FILE", ErrNoMetadata, dir)
	case 1:
		return filepath.Join(dir, found[0]), nil
	}
	return "", fmt.Errorf("%w: %s has no metadata.csv but %s: say which with --metadata FILE", ErrNoMetadata, dir, strings.Join(found, ", "))
}

// looksLikeMetadata reports whether most of a file's first lines fit a format.
func looksLikeMetadata(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := f.Read(head)
	lines := usableLines(splitLines(string(head[:n])))
	for i := range formats {
		if fit := formats[i].Look(lines).Fits; fit > 0 && 2*fit >= len(lines) {
			return true
		}
	}
	return false
}

// ParseMetadata reads the bytes of a metadata file. name stands in positions.
// formatName chooses a format of the table, "" or "auto" lets the lines decide.
// Every line ends as a row or as an error with its place; the error return is
// for a file that no format can read.
func ParseMetadata(name, src, formatName string) (*Metadata, error) {
	lines := splitLines(src)
	usable := usableLines(lines)
	f, look, err := chooseFormat(name, usable, formatName)
	if err != nil {
		return nil, err
	}
	m := &Metadata{File: name, Format: f.Name, HasSpeaker: look.HasSpeaker, HasLanguage: look.HasLanguage}
	m.Rows = make([]Row, 0, len(usable))
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		m.Lines++
		row, err := parseLine(look.Parse, line)
		row.Pos = Position{File: name, Line: i + 1}
		if err != nil {
			m.Errors = append(m.Errors, &RowError{Pos: row.Pos, ID: row.ID, Stage: stageMetadata, Err: err})
			continue
		}
		m.Rows = append(m.Rows, row)
	}
	return m, nil
}

// maxLine bounds a line of metadata: the longest text of a public corpus is
// below 2 kB, and a file without line ends would be one row of gigabytes.
const maxLine = 1 << 20

func parseLine(parse func(string) (Row, error), line string) (Row, error) {
	if len(line) > maxLine {
		id, _, _ := strings.Cut(line[:maxID+1], "|")
		return Row{ID: strings.TrimSpace(clip(strings.ToValidUTF8(id, ""), shownID))}, fmt.Errorf("the line has %d bytes; %d are the most", len(line), maxLine)
	}
	if !utf8.ValidString(line) {
		at := textnorm.CheckUTF8([]byte(line))
		id, _, _ := strings.Cut(line, "|")
		if !utf8.ValidString(id) {
			id = ""
		}
		return Row{ID: strings.TrimSpace(id)}, fmt.Errorf("invalid UTF-8 at byte %d of the line (0x%02X); save the file as UTF-8", at, line[at])
	}
	return parse(line)
}

func chooseFormat(name string, lines []string, formatName string) (*Format, Look, error) {
	if formatName != "" && formatName != "auto" {
		for i := range formats {
			if formats[i].Name == formatName {
				return &formats[i], formats[i].Look(lines), nil
			}
		}
		return nil, Look{}, fmt.Errorf("format %q is not known; this version reads %s", formatName, formatNames())
	}
	var best Look
	var format *Format
	for i := range formats {
		if look := formats[i].Look(lines); format == nil || look.Fits > best.Fits {
			format, best = &formats[i], look
		}
	}
	if best.Fits == 0 && len(lines) > 0 {
		return nil, Look{}, unknownFormat(name, lines)
	}
	return format, best, nil
}

func unknownFormat(name string, lines []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: the format cannot be told; its first lines are\n", name)
	for _, l := range lines[:min(3, len(lines))] {
		fmt.Fprintf(&b, "    %.120s\n", l)
	}
	b.WriteString("tried:")
	for _, f := range formats {
		fmt.Fprintf(&b, " %s (%s)", f.Name, f.Columns)
	}
	return fmt.Errorf("%w: %s", ErrNoMetadata, b.String())
}

func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// splitLines cuts at LF and drops one CR before it and a byte order mark. All
// lines share the memory of one string.
func splitLines(s string) []string {
	s = strings.TrimPrefix(s, "\xef\xbb\xbf")
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for len(s) > 0 {
		line, rest, _ := strings.Cut(s, "\n")
		lines = append(lines, strings.TrimSuffix(line, "\r"))
		s = rest
	}
	return lines
}

// usableLines leaves out what no format should judge by.
func usableLines(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		if strings.TrimSpace(l) != "" && utf8.ValidString(l) {
			out = append(out, l)
		}
	}
	return out
}

// ReadMetadata reads and parses a metadata file of a dataset.
func ReadMetadata(dir, path, formatName string) (*Metadata, error) {
	src, err := readText(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s: no such file", ErrNoMetadata, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoMetadata, err)
	}
	return ParseMetadata(nameInDataset(dir, path), src, formatName)
}

// nameInDataset is how positions name a metadata file: by its path below the
// dataset, however the two were given, else by its last part.
func nameInDataset(dir, path string) string {
	full, err := filepath.Abs(path)
	at, err2 := filepath.Abs(dir)
	if err := cmp.Or(err, err2); err != nil {
		return filepath.Base(path)
	}
	name, err := filepath.Rel(at, full)
	if err != nil || name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator)) {
		name = filepath.Base(path)
	}
	return filepath.ToSlash(name)
}

// readText reads a file into one string without a second copy.
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

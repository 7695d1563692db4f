package intake

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"voxpack/compiler/kind"
	"voxpack/textnorm"
)

// Input is one part on its way into rows: what a format's Read gets.
type Input struct {
	Part
	Corpus
	table   *Table
	texts   map[string]string // of a test, in place of files
	folders map[string]bool   // by name: whether the corpus has them
}

// Text is the whole of a file of UTF-8 text below the corpus, without a byte
// order mark; the file counts as read. Invalid bytes are left in: they are a
// matter of their line.
func (in *Input) Text(file string) (string, error) {
	in.table.Files = append(in.table.Files, file)
	s, err := in.text(file)
	return s, cmp.Or(err, foreign(s))
}

// text is Text that counts nothing, for several goroutines at once.
func (in *Input) text(file string) (string, error) {
	s, ok := in.texts[file]
	if !ok {
		var err error
		if s, err = readText(in.path(file)); err != nil {
			return "", err
		}
	}
	return strings.TrimPrefix(s, "\xef\xbb\xbf"), nil
}

// Lines gives the lines of a text one by one, with their number from 1. Empty
// lines are counted and not given; a line that is too long or no UTF-8 is
// refused here.
func (in *Input) Lines(src string, each func(n int, line string)) {
	if in.table.Rows == nil {
		in.table.Rows = make([]Row, 0, strings.Count(src, "\n")+1)
	}
	eachLine(src, func(n int, line string) { in.usable(n, line, each) })
}

// usable gives a line on, unless it is empty or refused here.
func (in *Input) usable(n int, line string, each func(n int, line string)) {
	if strings.TrimSpace(line) == "" {
		return
	}
	if id, err := badLine(line); err != nil {
		in.Refuse(n, id, err)
		return
	}
	each(n, line)
}

// rows makes a row of each line, or refuses it with what parse says is wrong. The
// row that comes with an error has no more than its id.
func (in *Input) rows(src string, parse func(line string) (Row, error)) {
	in.Lines(src, in.row(parse))
}

// row is what rows does with a line.
func (in *Input) row(parse func(line string) (Row, error)) func(n int, line string) {
	return func(n int, line string) {
		r, err := parse(line)
		if err != nil {
			in.refuse(n, r.ID, err)
			return
		}
		in.Row(n, r)
	}
}

// refuse is Refuse by a clip's name as the metadata writes it.
func (in *Input) refuse(line int, name string, err error) {
	id, _ := ID(name)
	in.Refuse(line, id, err)
}

// refuseFile is refuse for a file that holds one utterance, or should.
func (in *Input) refuseFile(file, name string, err error) {
	in.File = file
	in.refuse(1, name, err)
}

// eachLine cuts at LF and drops one CR before it. All lines share the memory of
// one string. No other character ends a line, as U+2028 does for some: texts hold it.
func eachLine(s string, each func(n int, line string)) {
	for n := 1; len(s) > 0; n++ {
		line, rest, _ := strings.Cut(s, "\n")
		each(n, strings.TrimSuffix(line, "\r"))
		s = rest
	}
}

// maxLine bounds a line of metadata: the longest text of a public corpus is
// below 2 kB, and a file without line ends would be one row of gigabytes.
const maxLine = 1 << 20

// badLine is what is wrong with the bytes of a line, with as much of its id as
// can be told.
func badLine(line string) (id string, err error) {
	if len(line) > maxLine {
		id, _, _ := strings.Cut(line[:maxID+1], "|")
		return strings.TrimSpace(clip(strings.ToValidUTF8(id, ""), shownID)), fmt.Errorf("the line has %d bytes; %d are the most", len(line), maxLine)
	}
	if !utf8.ValidString(line) {
		at := textnorm.CheckUTF8([]byte(line))
		id, _, _ := strings.Cut(line, "|")
		if !utf8.ValidString(id) {
			id = ""
		}
		return strings.TrimSpace(id), fmt.Errorf("invalid UTF-8 at byte %d of the line (0x%02X); save the file as UTF-8", at, line[at])
	}
	return "", nil
}

// Row takes the row of a line. Its ID is the clip's name as the metadata writes
// it, a path with or without "wavs/" and extension; Language is as written too.
// What cannot be an id or a language refuses the row.
func (in *Input) Row(line int, r Row) {
	id, err := ID(r.ID)
	if err == nil && r.Audio != nil && r.Audio.Path != "" {
		r.Audio.Path = strings.TrimPrefix(path.Clean(r.Audio.Path), "./")
		_, err = ID(r.Audio.Path)
	}
	if r.Language != "" && err == nil {
		if code, ok := textnorm.ParseLanguage(r.Language); ok {
			r.Language = code
		} else {
			err = fmt.Errorf("language %q is not a known code (en, fa, de, …; und where nothing fits)", r.Language)
		}
	}
	if err != nil {
		in.Refuse(line, id, err)
		return
	}
	t := in.table
	r.ID = in.IDOf(id)
	r.Pos = in.at(line)
	if r.Split == Unsplit {
		r.Split = in.Split
	}
	t.strings.own(&r)
	t.Lines++
	t.HasSpeaker = t.HasSpeaker || r.Speaker != ""
	t.HasLanguage = t.HasLanguage || r.Language != ""
	t.HasSplit = t.HasSplit || r.Split != Unsplit
	t.Rows = append(t.Rows, r)
}

// Refuse leaves a line out and says why. id is as much of it as can be told. A fault
// of the machine leaves nothing out: it ends the read.
func (in *Input) Refuse(line int, id string, err error) {
	if IsMachine(err) && in.table.fault == nil {
		in.table.fault = fmt.Errorf("%s: %w", in.at(line), Machine(err))
	}
	in.table.Lines++
	if id != "" {
		id = in.IDOf(strings.Clone(id)) // without the text that it stands in
	}
	in.table.Errors = append(in.table.Errors, &RowError{Pos: in.at(line), ID: id, Kind: kind.BadRow, Stage: StageMetadata, Err: err})
}

// at is a line's place; a file outside the corpus goes by its last part, so
// that no path of a machine stands in a snapshot.
func (in *Input) at(line int) Position {
	file := in.File
	if path.IsAbs(file) {
		file = path.Base(file)
	}
	return Position{File: in.IDOf(file), Line: line}
}

// ParseSplit is the side that a split column names.
func ParseSplit(s string) (Split, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "":
		return Unsplit, nil
	case "train", "training", "tr":
		return Train, nil
	case "val", "valid", "validation", "dev", "eval", "evaluation":
		return Val, nil
	case "test", "testing":
		return Test, nil
	}
	return Unsplit, fmt.Errorf("split %q is not train, val or test", clip(s, shownID))
}

package intake

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"voxpack/internal/number"
)

// record is what a line of a table says, by our columns.
type record struct {
	value [columnCount]string
	has   [columnCount]bool   // the line has the column, empty or not
	key   [columnCount]string // of JSON: where it stands there
}

// sheet collects the rows of a table until all are known: whether a clip's part
// needs its times in the id, and whether speakers are named, the other lines tell.
type sheet struct {
	in         *Input
	folder     string // where the clips' paths begin, below the corpus
	folderInID bool
	hint       string // after the error of a line with too many columns
	rows       []sheetRow
	speaker    bool // some line names one
}

type sheetRow struct {
	line int
	row  Row
	part bool // without an id of its own, and with an offset
	err  error
}

// take makes a row of a record.
func (s *sheet) take(line int, rec *record) {
	r, part, err := s.row(rec)
	s.speaker = s.speaker || r.Speaker != ""
	s.rows = append(s.rows, sheetRow{line: line, row: r, part: part, err: err})
}

// columns takes a line of as many columns as the header has.
// A line of another width is refused with as much of its id as can be told: which
// column is missing, no line says.
func (s *sheet) columns(line int, cols, header []string, at *columnsAt, named bool) {
	for i := range cols {
		cols[i] = strings.TrimSpace(cols[i])
	}
	id := ""
	for _, col := range []column{colID, colAudio} {
		if i := at[col]; id == "" && i >= 0 && i < len(cols) {
			id = s.in.inside(cols[i])
		}
	}
	if len(cols) != len(header) {
		err := widthError(len(cols), header)
		if !named {
			err = fmt.Errorf("%s, the first line has %d", number.Count(len(cols), "column"), len(header))
		}
		if len(cols) > len(header) && s.hint != "" {
			err = fmt.Errorf("%w; %s", err, s.hint)
		}
		s.refuse(line, id, err)
		return
	}
	var rec record
	for col, i := range at {
		if i >= 0 {
			rec.value[col], rec.has[col] = cols[i], true
		}
	}
	s.take(line, &rec)
}

// refuse notes a line of which no record can be made.
func (s *sheet) refuse(line int, id string, err error) {
	s.rows = append(s.rows, sheetRow{line: line, row: Row{ID: id}, err: err})
}

// part reports a clip that is cut out of its file and has no id of its own. An id
// that the table has wins over the file's name.
func (s *sheet) row(rec *record) (r Row, part bool, err error) {
	v := &rec.value
	r.ID = v[colID]
	switch name := v[colAudio]; {
	case name != "":
		if name, err = s.within(s.in.inside(name)); err != nil {
			r.ID = cmp.Or(r.ID, v[colAudio])
			break
		}
		r.Audio = &Audio{Path: name}
		if !s.folderInID {
			name = strings.TrimPrefix(name, s.folder+"/")
		}
		r.ID = cmp.Or(r.ID, name)
	case rec.has[colAudio]:
		err = fmt.Errorf("the column of the clip's path is empty")
	}
	r.Text = v[colText]
	r.Given, r.HasGiven = v[colNormalised], rec.has[colNormalised]
	r.Speaker, r.Language = v[colSpeaker], v[colLanguage]
	if err == nil && rec.has[colSpeaker] && r.Speaker == "" {
		err = errNoSpeaker
	}
	if err == nil {
		r.Split, err = ParseSplit(v[colSplit])
	}
	if err == nil && v[colOffset] != "" {
		part = !rec.has[colID]
		err = r.cut(v[colOffset], v[colDuration])
	}
	return r, part, err
}

// within is a path below the sheet's folder, as one below the corpus. Metadata
// may name the folder too.
func (s *sheet) within(name string) (string, error) {
	if _, err := ID(name); err != nil {
		return name, err
	}
	name = strings.TrimPrefix(name, "./")
	if s.folder == "" || s.folder == "." || strings.HasPrefix(name, s.folder+"/") {
		return name, nil
	}
	return s.folder + "/" + name, nil
}

// cut makes the row's clip a part of its file. A duration alone does not: it is
// what somebody measured of the file.
// A length of 0 in a row means to the end of the file, so a duration of 0 is an error.
func (r *Row) cut(offset, duration string) error {
	if r.Audio == nil {
		r.Audio = &Audio{}
	}
	var err error
	if r.Audio.From, err = decimalSeconds(offset); err != nil {
		return fmt.Errorf("the offset: %w", err)
	}
	if duration == "" {
		return nil
	}
	if r.Audio.Length, err = decimalSeconds(duration); err != nil {
		return fmt.Errorf("the duration: %w", err)
	}
	if r.Audio.Length == 0 {
		return fmt.Errorf("the duration is 0")
	}
	return nil
}

// finish hands the rows over in their order.
// A clip that is alone in its file keeps the file's name as its id, so that a
// table with and without offsets of 0 gives the same ids. The price is that the id of
// a part depends on its neighbours: a second part of the file, in whatever manifest,
// gives the first one another id, and with it another place, side of the split and
// key. Columns of ids have no such price. It stays so because ids are in roots.
func (s *sheet) finish() {
	t := s.in.table
	shared := map[string]bool{} // once each: a recording may have a hundred thousand parts
	for _, p := range s.rows {
		if p.err == nil && s.speaker && p.row.Speaker == "" && s.in.Speaker == "" {
			p.err = fmt.Errorf("it names no speaker, other lines do")
		}
		if p.err != nil {
			s.in.refuse(p.line, p.row.ID, p.err)
			continue
		}
		at := len(t.Rows)
		s.in.Row(p.line, p.row)
		if !p.part || len(t.Rows) == at {
			continue
		}
		if t.parts == nil {
			t.parts = map[string][]int{}
		}
		id := t.Rows[at].ID
		t.parts[id] = append(t.parts[id], at)
		shared[id] = true
	}
	for id := range shared {
		if rows := t.parts[id]; len(rows) > 1 {
			for _, i := range rows {
				t.Rows[i].ID = partID(id, t.Rows[i].Audio)
			}
		}
	}
}

// partID is the id of a clip that shares its file with others: begin and end in
// milliseconds of eight digits after the file's name, in the manner of Kaldi's
// segments.
// Times are rounded to the nearest millisecond, in the id only.
func partID(name string, a *Audio) string {
	ms := func(d time.Duration) time.Duration { return (d + time.Millisecond/2) / time.Millisecond }
	id := fmt.Sprintf("%s-%08d", name, ms(a.From))
	if a.Length == 0 {
		return id
	}
	return fmt.Sprintf("%s-%08d", id, ms(a.From+a.Length))
}

// decimalSeconds is parseSeconds for numbers that may have an exponent, as
// programs write small ones.
// The point is moved in the text, since a float would be another sample (see
// parseSeconds). Exponents of more than two digits are refused.
func decimalSeconds(s string) (time.Duration, error) {
	number, exponent, has := strings.Cut(strings.ToLower(s), "e")
	if !has {
		return parseSeconds(s)
	}
	digits := strings.TrimLeft(strings.TrimLeft(exponent, "+-"), "0")
	if strings.Trim(number, ".") == "" || strings.Trim(exponent, "+-") == "" || len(exponent)-len(strings.TrimLeft(exponent, "+-")) > 1 || strings.Trim(digits, "0123456789") != "" || len(digits) > 2 {
		return 0, noSeconds(s)
	}
	by := 0
	for _, c := range []byte(digits) {
		by = 10*by + int(c-'0')
	}
	whole, fraction, _ := strings.Cut(number, ".")
	if strings.HasPrefix(exponent, "-") {
		whole = strings.Repeat("0", by) + whole
		at := len(whole) - by
		return parseSeconds(whole[:at] + "." + whole[at:] + fraction)
	}
	fraction += strings.Repeat("0", by)
	return parseSeconds(whole + fraction[:by] + "." + fraction[by:])
}

package intake

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"voxpack/internal/number"
)

// csv is a table with a header, as RFC 4180 has it, with commas or semicolons, which
// spreadsheets write where the comma stands in numbers. Other than the RFC has it,
// spaces round a column do not count (rule 4), a quote inside a column without quotes
// is an ordinary character (rule 5), and lines end with LF as well (rule 1).
var csv = Format{
	Name:  "csv",
	Shape: "a header such as path,text,speaker (or ;) and lines of that; columns: in the config names others",
	Look:  func(lines []string) int { return tableLook(lines, ",;", false) },
	Read: func(in *Input) error {
		return (&sheet{in: in}).readTable(in.File, ",;")
	},
}

// tableLook counts the lines below a usual header that have its columns, and it.
// A header with file_name is that of an AudioFolder, audioFolder asks for those.
// Lines with quotes count whatever their columns: what stands in quotes may hold
// separators and line ends, which one line does not tell.
func tableLook(lines []string, separators string, audioFolder bool) int {
	if len(lines) == 0 {
		return 0
	}
	for i := range len(separators) {
		sep := separators[i]
		header := headerColumns(lines[0], sep)
		if at := usual(header); !at.enough() || isAudioFolder(header) != audioFolder || isCommonVoice(header) {
			continue
		}
		count := 0
		for _, l := range lines {
			if strings.Count(l, string(sep))+1 == len(header) || sep != '\t' && strings.Contains(l, `"`) {
				count++
			}
		}
		return count
	}
	return 0
}

// headerColumns cuts a first line; its names may stand in quotes.
func headerColumns(line string, sep byte) []string {
	if sep != '\t' {
		if cols, _, err := cutRecord(line, sep, nil); err == nil {
			return cols
		}
	}
	return strings.Split(line, string(sep))
}

// readTable makes rows of a table with a header; separators are those that its
// format may have.
// Rows of the sheet are handed over at the end: see sheet.
func (s *sheet) readTable(file, separators string) error {
	src, err := s.in.Text(file)
	if err != nil {
		return err
	}
	first, n, src, err := s.in.firstLine(src)
	if err != nil || src == "" {
		return err
	}
	t, err := tableOf(first, separators, s.in.Columns)
	if err != nil {
		return err
	}
	for col, i := range t.at {
		switch {
		case i < 0:
		case t.named:
			s.in.table.took(columnWords[col].name, strings.TrimSpace(t.header[i]))
		default:
			s.in.table.took(columnWords[col].name, strconv.Itoa(i+1))
		}
	}
	if t.named {
		_, src, _ = strings.Cut(src, "\n")
		n++
	}
	if t.sep != '\t' {
		s.hint = fmt.Sprintf("a text with %q in it stands in quotes", t.sep)
	}
	s.rows = make([]sheetRow, 0, strings.Count(src, "\n")+1)
	t.records(src, n, func(n int, cols []string, err error) {
		if err != nil {
			s.refuse(n, "", err)
			return
		}
		s.columns(n, cols, t.header, &t.at, t.named)
	})
	s.finish()
	return nil
}

// firstLine is the first line that is not empty, with its number and the text
// from there on. Lines in front of it that are no UTF-8 are refused.
func (in *Input) firstLine(src string) (line string, n int, from string, err error) {
	for n = 1; src != ""; n++ {
		line, rest, _ := strings.Cut(src, "\n")
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) != "" {
			id, bad := badLine(line)
			if bad == nil {
				return line, n, src, nil
			}
			if len(line) > maxLine {
				return "", n, "", fmt.Errorf("line %d: %w", n, bad)
			}
			in.Refuse(n, id, bad)
		}
		src = rest
	}
	return "", n, "", nil
}

// table is what the first line tells.
type table struct {
	sep    byte
	header []string
	at     columnsAt
	named  bool // the first line is a header and no row
}

// tableOf tells separator and columns from the first line: of the separators one
// that gives columns, else the one there is most of, whose error is the likelier
// to name what is wrong.
func tableOf(first, separators string, named map[string]string) (t table, err error) {
	order := []byte(separators)
	slices.SortStableFunc(order, func(a, b byte) int {
		return cmp.Compare(strings.Count(first, string(b)), strings.Count(first, string(a)))
	})
	for i, sep := range order {
		header := headerColumns(first, sep)
		at, is, bad := columnsOf(header, named)
		if i == 0 || bad == nil {
			t, err = table{sep, header, at, is}, bad
		}
		if bad == nil {
			break
		}
	}
	return t, err
}

// records cuts a text into records and gives each with the number of its first
// line. A record that cannot be is an error of its first line, and reading goes on
// at the next one: an odd quote costs its line and no other.
func (t *table) records(src string, n int, each func(n int, cols []string, err error)) {
	for src != "" {
		line, rest, _ := strings.Cut(src, "\n")
		line = strings.TrimSuffix(line, "\r")
		lines := 1
		if strings.TrimSpace(line) != "" {
			var cols []string
			_, err := badLine(line)
			switch {
			case err != nil:
			case t.sep == '\t' || !strings.Contains(line, `"`):
				cols = strings.Split(line, string(t.sep))
			default:
				var used int
				if cols, used, err = t.record(src); err == nil && used > 0 {
					lines = strings.Count(strings.TrimSuffix(src[:used], "\n"), "\n") + 1
					rest = src[used:]
				}
			}
			each(n, cols, err)
		}
		n += lines
		src = rest
	}
}

// record cuts the record at the begin of a text, and says how many bytes it
// takes; 0 for no more than the line.
// A record of several lines has to have the header's columns exactly: else a
// stray quote would swallow the rows after it.
func (t *table) record(src string) (cols []string, used int, err error) {
	most := src[:min(len(src), maxLine+len("\r\n"))]
	cols, used, err = cutRecord(most, t.sep, t.isRow)
	if err != nil {
		return nil, 0, err
	}
	whole := strings.TrimRight(src[:used], "\r\n")
	if !strings.Contains(whole, "\n") {
		return cols, 0, nil
	}
	if used == len(most) && used < len(src) && src[used-1] != '\n' || len(whole) > maxLine {
		return nil, 0, fmt.Errorf("a quote of the line closes %d bytes later; %d are the most", len(whole), maxLine)
	}
	if len(cols) != len(t.header) {
		return nil, 0, fmt.Errorf("the line opens a quote that closes %s later, and between are %s for %d of the header; a quote in a text that stands in quotes is written twice",
			number.Count(strings.Count(whole, "\n"), "line"), number.Count(len(cols), "column"), len(t.header))
	}
	if _, err := badLine(whole); err != nil {
		return nil, 0, err
	}
	return cols, used, nil
}

// cutRecord cuts the record at the begin of s, and says how many bytes it and
// its line end take. A quoted column may hold line ends, unless a line in it is
// like a row: then the quote was none, and the reader that goes on to the next
// one joins rows. So a text whose own lines look like rows cannot stand in quotes: it
// is refused with its place, where other readers would trust the quote.
func cutRecord(s string, sep byte, like func(line string) bool) (cols []string, used int, err error) {
	for at := 0; ; at++ {
		var col string
		if at < len(s) && s[at] == '"' {
			n := 0
			if col, n, err = cutQuoted(s[at:], sep, len(cols)+1, like); err != nil {
				return nil, 0, err
			}
			at += n
		} else {
			n := strings.IndexAny(s[at:], string(sep)+"\n")
			if n < 0 {
				n = len(s) - at
			}
			col = s[at : at+n]
			at += n
		}
		if at >= len(s) || s[at] == '\n' {
			return append(cols, strings.TrimSuffix(col, "\r")), min(at+1, len(s)), nil
		}
		if s[at] == '\r' {
			return append(cols, col), min(at+2, len(s)), nil
		}
		cols = append(cols, col)
	}
}

// cutQuoted takes a column in quotes off the front of s, up to where the column
// ends.
// A quote inside is written twice (RFC 4180, section 2). like is asked of each
// line that the column would hold, nil for none.
func cutQuoted(s string, sep byte, number int, like func(line string) bool) (col string, n int, err error) {
	var b strings.Builder
	for at := 1; ; {
		end := strings.IndexByte(s[at:], '"')
		part := s[at:]
		if end >= 0 {
			part = s[at : at+end]
		}
		for i := range len(part) {
			if part[i] != '\n' || like == nil {
				continue
			}
			line, _, _ := strings.Cut(s[at+i+1:], "\n")
			if like(strings.TrimSuffix(line, "\r")) {
				return "", 0, fmt.Errorf("column %d opens a quote that does not close before the next row; a quote in a text that stands in quotes is written twice", number)
			}
		}
		if end < 0 {
			return "", 0, fmt.Errorf("column %d opens a quote that never closes; a quote in a text that stands in quotes is written twice", number)
		}
		b.WriteString(part)
		at += end + 1
		switch {
		case at == len(s) || s[at] == sep || s[at] == '\n' || s[at] == '\r' && (at+1 == len(s) || s[at+1] == '\n'):
			return b.String(), at, nil
		case s[at] != '"':
			return "", 0, fmt.Errorf("column %d goes on after its closing quote; a quote in a text that stands in quotes is written twice", number)
		}
		b.WriteByte('"')
		at++
	}
}

// isRow reports whether a line is like a row by itself: it has the columns, and
// a clip where the clip stands.
// A line with a text that happens to have the columns is no row unless its clip's
// column has an audio file's extension or is one word.
func (t *table) isRow(line string) bool {
	cols := strings.Split(line, string(t.sep))
	key := t.at[colAudio]
	if key < 0 {
		key = t.at[colID]
	}
	if len(cols) < len(t.header) || key >= len(cols) {
		return false
	}
	name := strings.Trim(strings.TrimSpace(cols[key]), `"`)
	return KnownAudio(path.Ext(name)) || len(cols) == len(t.header) && name != "" && !strings.ContainsAny(name, " \t")
}

package intake

import (
	"fmt"
	"slices"
	"strings"
)

// coqui is the form that Coqui's tools write: a header, then columns between
// bars, a file for training and one for evaluation. Its writer quotes as in CSV
// and its reader takes the quotes off again, so a column that is quoted from end
// to end is; any other quote is an ordinary character.
var coqui = Format{
	Name:  "coqui",
	Shape: "a header of audio_file|text|speaker_name, also with emotion_name and language, and lines of that",
	Look:  coquiLook,
	Read:  readCoqui,
}

// coquiHeader reports whether the first of the lines is the form's header.
func coquiHeader(lines []string) bool {
	if len(lines) == 0 {
		return false
	}
	cols := bars(lines[0])
	return slices.Contains(cols, "audio_file") && slices.Contains(cols, "text")
}

func coquiLook(lines []string) int {
	if !coquiHeader(lines) {
		return 0
	}
	width, count := len(bars(lines[0])), 0
	for _, l := range lines {
		if len(coquiColumns(l)) == width {
			count++
		}
	}
	return count
}

// coquiColumns cuts a line at its bars, those inside a quoted column left out.
func coquiColumns(line string) []string {
	var cols []string
	for rest, more := line, true; more; {
		var col string
		if quoted, after, ok := quotedColumn(rest, '|'); ok {
			col, rest, more = quoted, strings.TrimPrefix(after, "|"), after != ""
		} else {
			col, rest, more = strings.Cut(rest, "|")
		}
		cols = append(cols, strings.TrimSpace(col))
	}
	return cols
}

// quotedColumn takes a column in quotes off the front of a line, and reports
// whether there is one that ends where a column ends.
func quotedColumn(s string, sep byte) (column, after string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] != '"':
			b.WriteByte(s[i])
		case i+1 == len(s) || s[i+1] == sep:
			return b.String(), s[i+1:], true
		case s[i+1] != '"':
			return "", s, false
		default:
			b.WriteByte('"')
			i++
		}
	}
	return "", s, false
}

func readCoqui(in *Input) error {
	src, err := in.Text(in.File)
	if err != nil {
		return err
	}
	var header []string
	var at [4]int
	in.Lines(src, func(n int, line string) {
		if header == nil {
			header = bars(line)
			for i, name := range []string{"audio_file", "text", "speaker_name", "language"} {
				if at[i] = slices.Index(header, name); at[i] >= 0 {
					in.table.took(columnWords[[]column{colAudio, colText, colSpeaker, colLanguage}[i]].name, name)
				}
			}
			return
		}
		if at[0] < 0 || at[1] < 0 {
			return
		}
		r, err := in.parseCoqui(coquiColumns(line), header, at)
		if err != nil {
			id, _ := utteranceID(r.ID)
			in.Refuse(n, id, err)
			return
		}
		in.Row(n, r)
	})
	if header != nil && (at[0] < 0 || at[1] < 0) {
		return fmt.Errorf("the header is %q; it needs the columns audio_file and text", clip(strings.Join(header, "|"), 120))
	}
	return nil
}

func (in *Input) parseCoqui(cols, header []string, at [4]int) (r Row, err error) {
	if at[0] < len(cols) {
		in.clipAt(&r, cols[at[0]])
	}
	if len(cols) != len(header) {
		return r, widthError(len(cols), header)
	}
	r.Text = cols[at[1]]
	if at[2] >= 0 {
		if r.Speaker = cols[at[2]]; r.Speaker == "" {
			return r, errNoSpeaker
		}
	}
	if at[3] >= 0 {
		r.Language = cols[at[3]]
	}
	return r, nil
}

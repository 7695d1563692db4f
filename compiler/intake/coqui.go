package intake

import (
	"fmt"
	"slices"
	"strings"
)

// coqui is the form that Coqui's tools write: a header, then columns between
// bars, a file for training and one for evaluation. Its writer quotes as in CSV
// and its reader takes the quotes off again, so a column that is quoted from end
// to end is; any other quote is an ordinary character. The writer is pandas' to_csv
// with sep="|" in TTS/demos/xtts_ft_demo/utils/formatter.py, whose columns are
// audio_file, text and speaker_name; older formatters add emotion_name and language.
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

// coquiLook counts the lines below the header that have its columns, and it.
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
		col, after, found := strings.Cut(rest, "|")
		if strings.HasPrefix(rest, `"`) {
			if quoted, n, err := cutQuoted(rest, '|', 0, nil); err == nil && (n == len(rest) || rest[n] == '|') {
				col, after, found = quoted, strings.TrimPrefix(rest[n:], "|"), n < len(rest)
			}
		}
		cols, rest, more = append(cols, strings.TrimSpace(col)), after, found
	}
	return cols
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
			in.refuse(n, r.ID, err)
			return
		}
		in.Row(n, r)
	})
	if header != nil && (at[0] < 0 || at[1] < 0) {
		return fmt.Errorf("the header is %q; it needs the columns audio_file and text", clip(strings.Join(header, "|"), 120))
	}
	return nil
}

// parseCoqui makes a row of a line; at says where the four columns stand, -1 for one
// that the header lacks.
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

package intake

import (
	"fmt"
	"strings"
)

// ljspeech is LJSpeech's own form and its two relatives. A quote is an ordinary
// character: a csv reader joins 189 of LJSpeech's 13,100 rows at odd quotes.
var ljspeech = Format{
	Name:  "ljspeech",
	Shape: "lines of id|text, id|text|normalised or id|text|normalised|speaker|language",
	Look:  ljspeechLook,
	Read:  readLJSpeech,
}

// ljspeechLook leaves out the lines that say themselves to be of another form
// with bars: file|speaker|text, path.wav|text of a list, or JSON with bars in its text.
func ljspeechLook(lines []string) int {
	width, count := ljspeechWidth(lines)
	if coquiHeader(lines) {
		return 0
	}
	for _, l := range lines {
		if cols := bars(l); len(cols) == width && (namesSpeaker(cols) || listsFolder(cols) || strings.HasPrefix(cols[0], "{")) {
			count--
		}
	}
	return count
}

func readLJSpeech(in *Input) error {
	src, err := in.Text(in.File)
	if err != nil {
		return err
	}
	width, _ := ljspeechWidth(usableLines(src, -1))
	in.table.tookBars(ljspeechColumns[width])
	in.rows(src, func(line string) (Row, error) { return parseLJSpeech(line, width) })
	return nil
}

// ljspeechWidth is the number of columns that most lines have, and how many
// have it. A tie goes to the LJSpeech form of three, then to the narrower.
func ljspeechWidth(lines []string) (width, count int) {
	var have [6]int
	for _, l := range lines {
		if n := strings.Count(l, "|") + 1; n < len(have) {
			have[n]++
		}
	}
	width = 3
	for _, w := range []int{2, 5} {
		if have[w] > have[width] {
			width = w
		}
	}
	return width, have[width]
}

func parseLJSpeech(line string, width int) (Row, error) {
	var cols [6]string // the last takes whatever is too much
	n := 0
	for rest, more := line, true; more; n++ {
		var col string
		col, rest, more = strings.Cut(rest, "|")
		cols[min(n, len(cols)-1)] = strings.TrimSpace(col)
	}
	r := Row{ID: cols[0]}
	if _, err := utteranceID(r.ID); err != nil {
		return r, err
	}
	if n != width {
		return r, fmt.Errorf("%s, the other lines have %d (%s)", columns(n), width, ljspeechColumns[width])
	}
	r.Text = cols[1]
	if width >= 3 {
		r.Given, r.HasGiven = cols[2], true
	}
	if width == 5 {
		r.Speaker, r.Language = cols[3], cols[4]
		if r.Speaker == "" {
			return r, errNoSpeaker
		}
		if r.Language == "" {
			return r, fmt.Errorf("the language column is empty")
		}
	}
	return r, nil
}

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

var ljspeechColumns = map[int]string{2: "id|text", 3: "id|text|normalised", 5: "id|text|normalised|speaker|language"}

package compiler

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"voxpack/textnorm"
)

// ljspeech is LJSpeech's own form and its two relatives. A quote is an ordinary
// character: a csv reader joins 189 of LJSpeech's 13,100 rows at odd quotes.
var ljspeech = Format{
	Name:    "ljspeech",
	Columns: "id|text, id|text|normalised or id|text|normalised|speaker|language",
	Look: func(lines []string) Look {
		width, fits := ljspeechWidth(lines)
		parse := func(line string) (Row, error) { return parseLJSpeech(line, width) }
		return Look{Fits: fits, Parse: parse, HasSpeaker: width == 5, HasLanguage: width == 5}
	},
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
	r := Row{File: cols[0]}
	var err error
	if r.ID, err = utteranceID(cols[0]); err != nil {
		return Row{ID: r.ID}, err
	}
	if n != width {
		return Row{ID: r.ID}, fmt.Errorf("%s, the other lines have %d (%s)", columns(n), width, ljspeechColumns[width])
	}
	r.Text = cols[1]
	if width >= 3 {
		r.Given, r.HasGiven = cols[2], true
	}
	if width < 5 {
		return r, nil
	}
	r.Speaker = cols[3]
	if r.Speaker == "" {
		return Row{ID: r.ID}, fmt.Errorf("the speaker column is empty")
	}
	code, ok := textnorm.ParseLanguage(cols[4])
	if !ok {
		return Row{ID: r.ID}, fmt.Errorf("language %q is not a known code (en, fa, de, …; und where nothing fits)", cols[4])
	}
	r.Language = code
	return r, nil
}

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

var ljspeechColumns = map[int]string{2: "id|text", 3: "id|text|normalised", 5: "id|text|normalised|speaker|language"}

// utteranceID is the first column without "wavs/" and a known extension. It
// stays inside the dataset's folder by construction of what is refused here.
func utteranceID(column string) (string, error) {
	id := strings.TrimPrefix(strings.TrimPrefix(column, "./"), "wavs/")
	if ext := path.Ext(id); knownAudio(ext) {
		id = strings.TrimSuffix(id, ext)
	}
	switch {
	case id == "":
		return "", fmt.Errorf("the id is empty")
	case strings.HasPrefix(column, "/") || strings.Contains(column, `\`) || onDrive(column):
		return id, fmt.Errorf("%q is not a path below the dataset; write it relative, with /", column)
	case strings.ContainsRune(id, 0):
		return "", fmt.Errorf("the id holds a NUL character")
	case len(id) > maxID:
		return clip(id, shownID), fmt.Errorf("the id has %d bytes; %d are the most", len(id), maxID)
	}
	for _, part := range strings.Split(id, "/") {
		if part == ".." || part == "." || part == "" {
			return id, fmt.Errorf("%q leaves the dataset's folder or names no file", column)
		}
	}
	return id, nil
}

// onDrive reports whether a path begins like C:/ of Windows. "3:4" is an id.
func onDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && path[2] == '/' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z')
}

// clip shortens s to at most n bytes and a sign of it, between two characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// shownID is how much of an id that is too long stands in a rejection.
const shownID = 64

// maxID bounds an id to what a file name may have on common file systems, with
// room for some folders.
const maxID = 1024

package spoken

import (
	"io/fs"
	"path"
	"strings"
)

// Table is the file and line of the row of a language's tables that says a form: one of its
// signs stands in the form, and what the row says of it in the words. The longest sign counts;
// "" where there is none. It looks through all tables, for a person who asks where a word is from.
func Table(code, form, words string) (place string) {
	files, err := fs.ReadDir(tables, "lang/"+code)
	if err != nil {
		return ""
	}
	longest := 0
	for _, f := range files {
		file := path.Join("lang", code, f.Name())
		text, err := fs.ReadFile(tables, file)
		if err != nil || f.Name() == "cues.tsv" {
			continue
		}
		line := 0
		for row := range strings.Lines(string(text)) {
			line++
			cells := strings.Split(strings.TrimRight(row, "\r\n"), "\t")
			if row[0] == '#' || len(cells) < 2 {
				continue
			}
			signs, said := cells[0], cells[1:]
			if f.Name() == "words.tsv" {
				signs, said = cells[1], cells[len(cells)-1:]
			}
			if n := saysIt(signs, said, form, words); n > longest {
				longest, place = n, file+":"+itoa(line)
			}
		}
	}
	return place
}

// saysIt is the length of the longest of the signs that stands in a form by itself, 0 where
// none does or the words have nothing of what is said.
func saysIt(signs string, said []string, form, words string) (longest int) {
	heard := false
	for _, cell := range said {
		for one := range strings.SplitSeq(cell, "|") {
			heard = heard || len(one) > 1 && hasAlone(words, one)
		}
	}
	if !heard {
		return 0
	}
	for sign := range strings.SplitSeq(signs, ",") {
		if sign != "" && len(sign) > longest && hasAlone(form, sign) {
			longest = len(sign)
		}
	}
	return longest
}

// hasAlone reports whether a text has a part with no letter of the same word beside it.
func hasAlone(text, part string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], part)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(part)
		if (at == 0 || !isLetter(text[at-1]) || !isLetter(part[0])) && (end == len(text) || !isLetter(text[end]) || !isLetter(part[len(part)-1])) {
			return true
		}
		from = at + 1
	}
}

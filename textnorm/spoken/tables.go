package spoken

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// The words of a language stand in tables below lang, which people edit who know the
// language and no Go; lang/README.md tells what each file and column means. A table
// is read when its language is first made.

//go:embed lang/*/*.tsv
var tables embed.FS

// eachRow calls do with the line, the header and the cells of each row of a table: tabs part
// cells, those left out at the end are empty, and # begins a comment. The header has
// the columns; a column that is called forms may have any name. do must not keep cells.
// An error tells file and line.
func eachRow(file, text, columns string, do func(line int, head, cells []string) error) error {
	want := strings.Fields(columns)
	var head, cells []string
	number := 0
	fault := func(err error) error { return fmt.Errorf("%s:%d: %w", file, number, err) }
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		if !utf8.ValidString(line) {
			return fault(errors.New("not UTF-8"))
		}
		cells = slices.AppendSeq(cells[:0], strings.SplitSeq(line, "\t"))
		if head == nil {
			head = slices.Clone(cells)
			if !slices.EqualFunc(head, want, func(is, name string) bool { return is == name || name == "forms" }) {
				return fault(fmt.Errorf("columns %q, want %q", head, want))
			}
			continue
		}
		if len(cells) > len(head) {
			return fault(fmt.Errorf("%d cells, want at most %d", len(cells), len(head)))
		}
		for _, cell := range cells {
			if strings.Trim(cell, " ") != cell {
				return fault(fmt.Errorf("a space at an end of %q", cell))
			}
		}
		for len(cells) < len(head) {
			cells = append(cells, "")
		}
		if err := do(number, head, cells); err != nil {
			return fault(err)
		}
	}
	if head == nil {
		return fault(errors.New("no header"))
	}
	return nil
}

// sheet is a file of a language and what takes its rows.
type sheet struct {
	file, columns string
	row           func(head, cells []string) error
}

// readTables reads tables of a folder, which need not have all of them.
func readTables(files fs.FS, dir string, all ...sheet) error {
	for _, t := range all {
		file := path.Join(dir, t.file)
		text, err := fs.ReadFile(files, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = eachRow(file, string(text), t.columns, func(_ int, head, cells []string) error { return t.row(head, cells) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mustRead reads the tables that the program has inside it. A test finds what is wrong
// with them before anybody else does.
func mustRead(code string, all ...sheet) {
	if err := readTables(tables, "lang/"+code, all...); err != nil {
		panic(err)
	}
}

// signSheet is a file of signs and what is said for them.
func signSheet(file string, do func(sign, said string) error) sheet {
	return sheet{file, "signs said", func(_, cells []string) error {
		if len(cells[1]) == 0 {
			return errors.New("want what is said")
		}
		return items(cells[0], func(sign string) error { return do(sign, cells[1]) })
	}}
}

// shortSheet is a file of abbreviations without cases, each kind in a table of its own.
func shortSheet(kinds map[string]map[string]string) sheet {
	return sheet{"short.tsv", "written said kind", func(_, cells []string) error {
		kind, ok := kinds[cells[2]]
		if cells[0] == "" || !ok {
			return fmt.Errorf("want an abbreviation of a kind, one of %q", slices.Sorted(maps.Keys(kinds)))
		}
		return put(kind, cells[0], cells[1])
	}}
}

// wordSheet is a words.tsv, whose nouns have as many forms as names.
func wordSheet(places map[string]any, names *string) sheet {
	return sheet{"words.tsv", "name beside form said", func(_, cells []string) error {
		if err := fill(places[cells[0]], *names, cells); err != nil {
			return fmt.Errorf("%s: %w", cells[0], err)
		}
		return nil
	}}
}

// items calls do with each part of a cell between commas.
func items(cell string, do func(item string) error) error {
	for item := range strings.SplitSeq(cell, ",") {
		if item == "" {
			return fmt.Errorf("nothing between two commas of %q", cell)
		}
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// put adds to a map what is not in it yet.
func put[V any](m map[string]V, key string, value V) error {
	if _, ok := m[key]; ok {
		return fmt.Errorf("%q stands here twice", key)
	}
	m[key] = value
	return nil
}

// Kinds of places of words.tsv beside a string and a noun.
type (
	parts struct { // a string of n parts with | between them
		to *string
		n  int
	}
	around struct { // what is said before and after the * that stands for a number
		to *[2]string
	}
	listOf struct { // a list with | between its items, n of them or any number
		to *[]string
		n  int
	}
	namesOf map[string]bool   // names, which may have spaces
	formsOf map[string]string // the form that goes with a word
	casesOf map[string]cased  // form and word that go with a word; "": with all others
	saidOf  map[string]string // what is said for a sign
	nounsOf map[string]noun   // the noun that a sign stands for
	taker   func(beside, form, said string) error
)

// cased is a word and the form of the number before it.
type cased struct{ form, said string }

// fill puts a row of words.tsv into its place.
func fill(place any, names string, cells []string) error {
	beside, form, said := cells[1], cells[2], cells[3]
	switch p := place.(type) {
	case parts:
		if strings.Count(said, "|")+1 != p.n {
			return fmt.Errorf("want %d parts with | between them", p.n)
		}
		return fill(p.to, names, cells)
	case *string:
		if *p != "" || beside != "" || (form == "") == (said == "") {
			return errors.New("want one row with a form or with what is said")
		}
		*p = cmp.Or(said, form)
		return nil
	case around, *wordList, **hanWords, listOf:
		if beside+form != "" || said == "" {
			return errors.New("want a row of what is said or looked for")
		}
		return fillList(place, said)
	case namesOf:
		if form+said != "" {
			return errors.New("want names with commas between them")
		}
		return items(beside, func(name string) error { return put(p, name, true) })
	case *cased:
		if *p != (cased{}) || beside != "" || said == "" {
			return errors.New("want one row with what is said")
		}
		*p = cased{form, said}
		return nil
	case *noun:
		if p.forms != nil || beside != "" {
			return errors.New("want one row with a gender and the forms of a noun")
		}
		n, err := nounFrom(form, said, names)
		*p = n
		return err
	case nounsOf:
		n, err := nounFrom(form, said, names)
		if err != nil {
			return err
		}
		return items(beside, func(sign string) error { return put(p, sign, n) })
	case formsOf:
		if said != "" {
			return errors.New("want words and their form, and nothing said")
		}
		return items(beside, func(word string) error { return put(p, word, form) })
	case casesOf:
		if said == "" {
			return errors.New("want a form and what is said")
		}
		if beside == "" {
			return put(p, "", cased{form, said})
		}
		return items(beside, func(word string) error { return put(p, word, cased{form, said}) })
	case saidOf:
		if form != "" || said == "" {
			return errors.New("want signs and what is said for them")
		}
		return items(beside, func(sign string) error { return put(p, sign, said) })
	case taker:
		return p(beside, form, said)
	}
	return errors.New("no such name")
}

// fillList puts what is said into a place that one row fills.
func fillList(place any, said string) error {
	twice := false
	switch p := place.(type) {
	case around:
		twice = *p.to != [2]string{}
		*p.to = aroundOf(said)
	case *wordList:
		twice = p.list != ""
		p.list = said
	case **hanWords:
		twice = *p != nil
		*p = wordsOf(said)
	case listOf:
		twice = *p.to != nil
		if *p.to = strings.Split(said, "|"); p.n > 0 && len(*p.to) != p.n {
			return fmt.Errorf("%d items, want %d with | between them", len(*p.to), p.n)
		}
	}
	if twice {
		return errors.New("stands here twice")
	}
	return nil
}

// aroundOf is what is said before and after the number that * stands for, after it
// where there is no *.
func aroundOf(said string) [2]string {
	before, after, both := strings.Cut(said, "*")
	if !both {
		return [2]string{"", said}
	}
	return [2]string{before, after}
}

// nounFrom makes a noun of its gender and of its forms, as many as names has, or
// one that stands for all.
func nounFrom(gender, forms, names string) (noun, error) {
	if len(gender) != 1 || strings.IndexByte("mfnhs", gender[0]) < 0 {
		return noun{}, fmt.Errorf("gender %q, want m, f or n", gender)
	}
	n, want := noun{gender[0], strings.Split(forms, "|")}, strings.Count(names, "|")+1
	if slices.Contains(n.forms, "") || len(n.forms) > 1 && len(n.forms) != want {
		return noun{}, fmt.Errorf("forms %q, want %q", forms, names)
	}
	if len(n.forms) == 1 && want > 2 { // the rules take the third and the fourth by number
		n.forms = slices.Repeat(n.forms, want)
	}
	return n, nil
}

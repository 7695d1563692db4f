package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fix is one change of a trainer's config.
type Fix struct {
	Path   string // of the setting that is changed; "": Name is added, to the section of data where there is one
	Name   string // the new name with Rename, the key that is added without Path
	Value  string // the new value; "" with Rename
	Rename bool
}

// Changed is one line of a file before and after its fixes.
type Changed struct {
	Line     int // from 1, in the old file
	Old, New string
	Added    bool // there was no such line
}

// ErrUnfixed is the error about a file whose text does not stand where the parser
// says, so that nothing can be changed safely.
var ErrUnfixed = errors.New("cannot be fixed by a program")

// edit replaces n characters of a line. From the back, so that places stay right.
type edit struct {
	line, col, n int
	text         string
	after        bool // text is a line of its own that follows
}

// Fixed makes the changes in the text itself, so that all else of it (comments, order,
// spaces, quotes) stays. It reads the result again and compares all settings.
func (t *Trainer) Fixed(fixes []Fix) ([]byte, []Changed, error) {
	lines := strings.SplitAfter(t.src, "\n")
	var edits []edit
	for _, f := range fixes {
		e, err := t.edit(f, lines)
		if err != nil {
			return nil, nil, err
		}
		edits = append(edits, e)
	}
	slices.SortStableFunc(edits, func(a, b edit) int {
		if a.line != b.line {
			return b.line - a.line
		}
		return b.col - a.col
	})
	added := map[int][]string{}
	fixed := slices.Clone(lines)
	for _, e := range edits {
		if e.after {
			added[e.line] = append([]string{e.text}, added[e.line]...)
			continue
		}
		r := []rune(fixed[e.line-1])
		fixed[e.line-1] = string(r[:e.col-1]) + e.text + string(r[e.col-1+e.n:])
	}
	var out strings.Builder
	var changed []Changed
	for i, line := range fixed {
		if line != lines[i] {
			changed = append(changed, Changed{Line: i + 1, Old: ending(lines[i]), New: ending(line)})
		}
		out.WriteString(line)
		slices.Reverse(added[i+1])
		for _, more := range added[i+1] {
			if !strings.HasSuffix(out.String(), "\n") {
				out.WriteString("\n")
			}
			out.WriteString(more + lineEnd(lines))
			changed = append(changed, Changed{Line: i + 1, New: more, Added: true})
		}
	}
	return []byte(out.String()), changed, t.holds(out.String(), fixes)
}

// raw is a single value as the file has it, before names are resolved.
func (s Setting) raw() string {
	if s.value.kind == plainNode || s.value.kind == quotedNode {
		return s.value.text
	}
	return ""
}

func ending(line string) string { return strings.TrimRight(line, "\r\n") }

// lineEnd is that of the file.
func lineEnd(lines []string) string {
	if strings.HasSuffix(lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// edit finds the text that a fix changes.
func (t *Trainer) edit(f Fix, lines []string) (edit, error) {
	if f.Path == "" {
		return t.insert(f, lines)
	}
	i := slices.IndexFunc(t.all, func(s Setting) bool { return s.Path == f.Path })
	if i < 0 {
		return edit{}, fmt.Errorf("%s: %w: there is no such key", f.Path, ErrUnfixed)
	}
	s := t.all[i]
	line, col, old, text := s.Line, s.Col, s.Key, f.Name
	if !f.Rename {
		line, col, old, text = s.value.line, s.value.col, s.value.text, f.Value
		// The value of an alias stands with its anchor, and changing it there would
		// change all that name it.
		if line != s.Line || col <= s.Col {
			return edit{}, fmt.Errorf("%s: %w: its value does not stand beside it", f.Path, ErrUnfixed)
		}
	}
	if line < 1 || line > len(lines) {
		return edit{}, fmt.Errorf("%s: %w", f.Path, ErrUnfixed)
	}
	r := []rune(lines[line-1])
	for _, quote := range []string{"", `"`, "'"} {
		have := []rune(quote + old + quote)
		if end := col - 1 + len(have); end <= len(r) && string(r[col-1:end]) == string(have) {
			if f.Rename {
				text = quote + text + quote
			}
			return edit{line: line, col: col, n: len(have), text: text}, nil
		}
	}
	return edit{}, fmt.Errorf("%s: %w", f.Path, ErrUnfixed)
}

// insert adds a key to the section of data, or to the top where there is none: in
// braces at their beginning, else after the last number or word of the section.
func (t *Trainer) insert(f Fix, lines []string) (edit, error) {
	section := t.root
	for _, e := range t.root.entries {
		if e.key == "data" && e.value.kind == mapNode {
			section = e.value
		}
	}
	if len(section.entries) == 0 {
		return edit{}, fmt.Errorf("%s: %w: the section has no keys", f.Name, ErrUnfixed)
	}
	first := section.entries[0]
	if first.line < 1 || first.line > len(lines) { // a CR alone ends a line for the parser
		return edit{}, fmt.Errorf("%s: %w", f.Name, ErrUnfixed)
	}
	r := []rune(lines[first.line-1])
	before, rest := string(r[:min(first.col-1, len(r))]), string(r[min(first.col-1, len(r)):])
	quote := ""
	if strings.HasPrefix(rest, `"`) {
		quote = `"`
	}
	if !strings.HasPrefix(strings.TrimLeft(rest, `"'`), first.key) || !section.flow && strings.TrimSpace(before) != "" {
		return edit{}, fmt.Errorf("%s: %w: the section begins within a line", f.Name, ErrUnfixed)
	}
	text := quote + f.Name + quote + ": " + f.Value
	if section.flow {
		return edit{line: first.line, col: first.col, text: text + ", "}, nil
	}
	for _, e := range slices.Backward(section.entries) {
		_, notNumber := strconv.ParseFloat(e.value.text, 64)
		word := slices.Contains([]string{"true", "false"}, e.value.text)
		if e.value.kind == plainNode && (notNumber == nil || word) && e.value.line == e.line && e.col == first.col {
			return edit{line: e.line, text: strings.Repeat(" ", first.col-1) + text, after: true}, nil
		}
	}
	return edit{line: first.line, col: first.col, text: text + lineEnd(lines) + strings.Repeat(" ", first.col-1)}, nil
}

// holds compares a fixed file with what was to be changed.
func (t *Trainer) holds(src string, fixes []Fix) error {
	fresh, problems := ReadTrainer(t.file, []byte(src))
	if len(problems) > 0 {
		return fmt.Errorf("%w: %v", ErrUnfixed, problems[0])
	}
	for _, f := range fixes {
		is := func(s Setting) bool { return s.Key == f.Name && s.Text == f.Value }
		if f.Path == "" && !slices.ContainsFunc(fresh.all, is) {
			return fmt.Errorf("%s: %w", f.Name, ErrUnfixed)
		}
	}
	want := map[string]string{}
	for _, s := range t.all {
		want[s.Path] = s.raw()
	}
	for _, f := range fixes {
		value := f.Value
		if f.Rename {
			value = want[f.Path]
			delete(want, f.Path)
			want[f.Path[:strings.LastIndexByte(f.Path, '.')+1]+f.Name] = value
			continue
		}
		if f.Path != "" {
			want[f.Path] = value
		}
	}
	for _, s := range fresh.all {
		if old, had := want[s.Path]; had && old != s.raw() {
			return fmt.Errorf("%s: %w: it would be %q", s.Path, ErrUnfixed, s.Text)
		}
		delete(want, s.Path)
	}
	if len(want) > 0 {
		return fmt.Errorf("%w: keys would be lost", ErrUnfixed)
	}
	return nil
}

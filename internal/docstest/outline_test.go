package docstest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// outline is what a page must share with its twin.
type outline struct {
	levels   []int   // 1 for #, 2 for ##, ... in order
	commands []block // in order
	others   int     // fenced blocks of other languages
}

// block is one fenced block of commands.
type block struct {
	line int // of its opening fence
	text string
}

// commandLanguages are the info strings of command blocks. A block without one
// counts as commands: leaving the mark out must not escape the comparison.
var commandLanguages = []string{"", "sh", "bash", "shell", "console"}

// outlineOf reads a page of Markdown: ATX headings, and blocks fenced by three
// or more backticks or tildes. It errs where a fence is never closed: the rest
// of the page would silently count as commands.
func outlineOf(page string) (outline, error) {
	var o outline
	var open *block
	var fence string
	command := false
	for i, line := range strings.Split(strings.ReplaceAll(page, "\r\n", "\n"), "\n") {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case open != nil && closes(trimmed, fence):
			if command {
				o.commands = append(o.commands, *open)
			} else {
				o.others++
			}
			open = nil
		case open != nil:
			open.text += line + "\n"
		case fenceOf(trimmed) != "":
			fence = fenceOf(trimmed)
			language, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(trimmed, fence[:1])), " ")
			command = slices.Contains(commandLanguages, strings.ToLower(language))
			open = &block{line: i + 1}
		default:
			if level := levelOf(line); level > 0 {
				o.levels = append(o.levels, level)
			}
		}
	}
	if open != nil {
		return o, fmt.Errorf("line %d: fence never closed", open.line)
	}
	return o, nil
}

// fenceOf gives the run of backticks or tildes that opens a block, or "".
func fenceOf(line string) string {
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// closes: a run of the same mark, at least as long, and nothing else.
func closes(line, fence string) bool {
	line = strings.TrimRight(line, " \t")
	return len(line) >= len(fence) && strings.Trim(line, fence[:1]) == ""
}

// levelOf gives the level of an ATX heading, 0 for any other line.
func levelOf(line string) int {
	line = strings.TrimRight(line, " \t")
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	if level > 6 || (rest != "" && rest[0] != ' ') {
		return 0
	}
	return level
}

// differences says where two twins part; a and b are their names.
func differences(a, b string, x, y outline) []string {
	var out []string
	if len(x.levels) != len(y.levels) {
		out = append(out, fmt.Sprintf("%s has %d headings, %s %d", a, len(x.levels), b, len(y.levels)))
	} else if !slices.Equal(x.levels, y.levels) {
		out = append(out, fmt.Sprintf("%s has headings of the levels %v, %s %v", a, x.levels, b, y.levels))
	}
	if len(x.commands) != len(y.commands) {
		out = append(out, fmt.Sprintf("%s has %d command blocks, %s %d", a, len(x.commands), b, len(y.commands)))
	}
	for i := range min(len(x.commands), len(y.commands)) {
		p, q := x.commands[i], y.commands[i]
		if p.text != q.text {
			out = append(out, fmt.Sprintf("%s:%d and %s:%d: the commands differ:\n%s---\n%s", a, p.line, b, q.line, p.text, q.text))
		}
	}
	if x.others != y.others {
		out = append(out, fmt.Sprintf("%s has %d other blocks, %s %d", a, x.others, b, y.others))
	}
	return out
}

func TestOutline(t *testing.T) {
	tests := []struct {
		name     string
		page     string
		levels   []int
		commands []string
		others   int
	}{
		{"headings by level", "# A\n\ntext\n\n## B ##\n###\n", []int{1, 2, 3}, nil, 0},
		{"a hash without a space is no heading", "#tag\n#!/bin/sh\n####### seven\n", nil, nil, 0},
		{"a comment in a block is no heading", "```sh\n# build\nmake\n```\n", nil, []string{"# build\nmake\n"}, 0},
		{"a block without a mark is commands", "```\nmake\n```\n", nil, []string{"make\n"}, 0},
		{"a block of another language is counted", "```yaml\nk: v\n```\n~~~json\n{}\n~~~\n", nil, nil, 2},
		{"a longer fence holds a shorter one", "````console\n```\n````\n", nil, []string{"```\n"}, 0},
		{"a fence may stand in a list", "1. do\n   ```sh\n   make\n   ```\n", nil, []string{"   make\n"}, 0},
		{"code in a line is no fence", "```a``` b\n# H\n", []int{1}, nil, 0},
		{"line ends of other systems", "# A\r\n```sh\r\nmake\r\n```\r\n", []int{1}, []string{"make\n"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, err := outlineOf(tt.page)
			if err != nil {
				t.Fatal(err)
			}
			var commands []string
			for _, c := range o.commands {
				commands = append(commands, c.text)
			}
			if !slices.Equal(o.levels, tt.levels) || !slices.Equal(commands, tt.commands) || o.others != tt.others {
				t.Errorf("outlineOf(%q) = %v %q %d, want %v %q %d", tt.page, o.levels, commands, o.others, tt.levels, tt.commands, tt.others)
			}
		})
	}
	if _, err := outlineOf("text\n```sh\nmake\n"); err == nil || !strings.HasPrefix(err.Error(), "line 2:") {
		t.Errorf("an open fence: error %v, want one at line 2", err)
	}
}

func FuzzOutline(f *testing.F) {
	for _, seed := range []string{"# A\n```sh\nmake\n```\n", "~~~~\n~~~\n~~~~", "######\n```", "``` a ` b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		o, err := outlineOf(page)
		if err != nil {
			return
		}
		if d := differences("a", "b", o, o); d != nil {
			t.Errorf("a page differs from itself: %q", d)
		}
		for _, level := range o.levels {
			if level < 1 || level > 6 {
				t.Errorf("heading of level %d", level)
			}
		}
	})
}

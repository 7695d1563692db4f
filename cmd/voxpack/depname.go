package main

import (
	"os"
	"path/filepath"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
)

// depName is a file's name as a depfile says it. GNU make and ninja read the
// same lines by different rules, and neither can be told every name; what is
// written here was found by running both (depfile_test.go runs them again).
type depName string

// inputName is the depName of an input. A folder ends in "/.": several last
// letters mean something else to make in front of the colon or the line's end.
func inputName(path string) (depName, error) {
	if strings.HasPrefix(path, "~") {
		abs, err := filepath.Abs(path) // make looks for a user's home, in front of "./" too
		if err != nil {
			return "", err
		}
		path = abs
	}
	if strings.ContainsAny(path[len(path)-1:], ` \)&:`) {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path += "/."
		}
	}
	n := depName(path)
	return n, n.check()
}

// targetName is the depName of the stamp.
func targetName(path string) (depName, error) {
	n := depName(path)
	if i := strings.IndexAny(path, "=%"); i >= 0 {
		return n, n.refused(path[i])
	}
	return n, n.check()
}

// check returns an error for a name that no depfile can carry: make knows no
// escape for it, and nearly always ninja does not either.
func (n depName) check() error {
	if i := strings.IndexAny(string(n), "\n\r\t;|"); i >= 0 {
		return n.refused(n[i])
	}
	last := n[len(n)-1]
	if strings.IndexByte(` \&`, last) >= 0 || last == ')' && strings.Contains(string(n), "(") {
		return term.Usagef("%q cannot be written in a depfile: it ends in %q; give the file another name", string(n), last)
	}
	return nil
}

func (n depName) refused(b byte) error {
	return term.Usagef("%q cannot be written in a depfile: it has %q in it; give the file another name", string(n), b)
}

// escaped is the name among prerequisites, or as a target without "=" and "%".
// Backslashes are letters to make except in front of what they escape, where
// each counts double.
func (n depName) escaped() string {
	special := " #:"
	if n.globs() {
		special += "*?["
	}
	var b strings.Builder
	slashes := 0
	for i := range len(n) { // bytes: a name need not be UTF-8
		switch c := n[i]; {
		case strings.IndexByte(special, c) >= 0:
			b.WriteString(strings.Repeat(`\`, slashes+1))
		case c == '$':
			b.WriteByte('$')
		}
		b.WriteByte(n[i])
		slashes++
		if n[i] != '\\' {
			slashes = 0
		}
	}
	return b.String()
}

// globs reports whether make would take the name for a pattern of others. A "["
// is one only where it finds a file, and ninja reads it only without a backslash.
func (n depName) globs() bool {
	if strings.ContainsAny(string(n), "*?") {
		return true
	}
	if !strings.Contains(string(n), "[") {
		return false
	}
	found, err := filepath.Glob(string(n))
	return err == nil && len(found) > 0
}

// emptyRule lets make go on when the file is gone. A "%" makes a pattern of the
// target, which matches its own name too and needs a recipe, an empty one. No
// target can hold a "=", so there the pattern stands for all between the first
// and the last; to ninja that is another name, of which only deps = gcc makes
// nothing.
func (n depName) emptyRule() string {
	first, last := strings.IndexAny(string(n), "=%"), strings.LastIndexAny(string(n), "=%")
	switch {
	case first < 0:
		return n.escaped() + ":"
	case strings.Contains(string(n), "="):
		return n[:first].escaped() + "%" + n[last+1:].escaped() + ":;"
	}
	return n.escaped() + ":;"
}

// foreign reports whether ninja reads another name than this, and so runs the
// build each time. Ninja 1.13 knows four letters more than 1.11: ' " ? and &.
func (n depName) foreign() bool {
	slash := false
	for i := range len(n) {
		c := n[i]
		if c < ' ' || c == 0x7f || strings.IndexByte("'\"?&*<>^`", c) >= 0 || slash && strings.IndexByte("#:$%", c) >= 0 {
			return true
		}
		slash = c == '\\'
	}
	return n[len(n)-1] == ':' || n.globs()
}

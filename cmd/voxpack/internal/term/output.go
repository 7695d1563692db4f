package term

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Buffered gives a command a buffered stdout and reports what could not be written.
func Buffered(w io.Writer, print func(w *bufio.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	err := print(b)
	if flushed := b.Flush(); err == nil && flushed != nil {
		err = fmt.Errorf("write the result: %w", flushed)
	}
	return err
}

// PrintJSON writes one object, without escaping what HTML would need.
func PrintJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Fields prints a page of fields, one a line: a name or a value of more lines
// must not look like another field.
func Fields(w io.Writer, width int) func(name, format string, args ...any) {
	return func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-*s %s\n", width, name, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
	}
}

// First is the name of a list in front of its first line only.
func First(i int, name string) string {
	if i > 0 {
		return ""
	}
	return name
}

// Short is the first 12 characters of a digest or a commit, enough to tell two apart.
func Short(digest string) string { return digest[:min(len(digest), 12)] }

// Quoted is a path as one can paste it into a shell.
func Quoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@+,%~", r) || r > 0x7f
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// SymbolText writes symbols apart from each other, with what cannot be seen
// spelled out.
func SymbolText(symbols []string) string {
	var b strings.Builder
	for i, s := range symbols {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch q := strconv.Quote(s); {
		case s == " ":
			b.WriteString("␣")
		case q != `"`+s+`"` && s != `"` && s != `\`:
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}

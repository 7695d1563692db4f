package config

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// The prose of the reference pages, which anybody can edit: the pages without the
// facts that the table of keys holds, and the words for these.
var (
	//go:embed keys.en.md
	englishPage string
	//go:embed keys.fa.md
	persianPage string
	//go:embed words.tsv
	factWords string
)

// Reference is the reference page of keys in Markdown, in the language "en" or
// "fa"; any other gives the English one.
func Reference(language string, keys []Key) string {
	page, words := prose(language)
	var b strings.Builder
	for i, part := range strings.Split(page, keyHeading) {
		if i == 0 {
			b.WriteString(part)
			continue
		}
		name, text, after := cutKey(part)
		b.WriteString(keyHeading + name + "`\n\n" + text)
		if k, ok := findKey(keys, name); ok {
			b.WriteString("\n\n" + words.facts(k))
		}
		b.WriteString(after)
	}
	return b.String()
}

const keyHeading = "\n### `"

// cutKey cuts what stands after keyHeading into the key's name, its paragraph and
// the rest, which begins with the end of a line.
func cutKey(part string) (name, text, after string) {
	name, part, _ = strings.Cut(part, "`\n\n")
	if text, after, found := strings.Cut(part, "\n\n"); found {
		return name, text, "\n\n" + after
	}
	return name, strings.TrimSuffix(part, "\n"), "\n"
}

// words are those of the facts of a key, by their names in words.tsv.
type words map[string]string

func prose(language string) (page string, w words) {
	page, w = englishPage, words{}
	if language == "fa" {
		page = persianPage
	}
	for line := range strings.Lines(factWords) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		w[cells[0]] = cells[1]
		if language == "fa" {
			w[cells[0]] = cells[2]
		}
	}
	return page, w
}

// facts is the list under a key: type, default, range, other names, readers.
func (w words) facts(k Key) string {
	def := w["no default"]
	if k.Default != nil && k.Default != "" {
		def = "`" + literal(k.Default) + "`"
	}
	lines := []string{w["kind "+string(k.Kind)], w["default"] + " " + def}
	switch {
	case len(k.Enum) > 0 && k.Kind != Corpora:
		lines = append(lines, w["allowed"]+" "+w.code(k.Enum))
	case k.Kind == Int || k.Kind == Float:
		lines = append(lines, fmt.Sprintf("%s `%s` … `%s`", w["allowed"], number(k.Min), number(k.Max)))
	}
	if len(k.Aliases) > 0 {
		lines = append(lines, w["also"]+" "+w.code(k.Aliases))
	}
	if k.Shared {
		lines = append(lines, w["model"])
	}
	var readers []string
	for _, r := range k.Reads {
		if r == "feed" && len(k.Reads) > 1 {
			r = "feed too"
		}
		readers = append(readers, w["reader "+r])
	}
	lines = append(lines, w["read by"]+" "+strings.Join(readers, w["and"]))
	return "- " + strings.Join(lines, "\n- ")
}

func (w words) code(names []string) string {
	return "`" + strings.Join(names, "`"+w["and"]+"`") + "`"
}

// literal is a default as it is written in YAML.
func literal(v any) string {
	switch v := v.(type) {
	case float64:
		return number(v)
	case bool:
		return strconv.FormatBool(v)
	case string:
		return v
	}
	return fmt.Sprint(v)
}

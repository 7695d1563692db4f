package config

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"voxpack/compiler/intake"
)

// The table as a build has it.
var (
	formats = intake.FormatNames()
	keys    = Keys(formats...)
)

var update = flag.Bool("update", false, "write docs/en/config.md and docs/fa/config.md")

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

// reference is the reference page of keys in Markdown, in the language "en" or
// "fa"; any other gives the English one.
func reference(language string, keys []Key) string {
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

func TestReferencePagesAreMadeFromTheTable(t *testing.T) {
	for _, language := range []string{"en", "fa"} {
		path := filepath.Join("..", "..", "docs", language, "config.md")
		want := reference(language, keys)
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what the table of keys gives: run go test ./internal/config -update", path)
		}
		for _, k := range Keys() {
			if !strings.Contains(want, "\n### `"+k.Name+"`\n") {
				t.Errorf("%s: no heading for %s", path, k.Name)
			}
		}
	}
}

// documentation is what a page says of each key, and the keys in its order.
func documentation(language string) (text map[string]string, order []string) {
	page, _ := prose(language)
	text = map[string]string{}
	for _, part := range strings.Split(page, keyHeading)[1:] {
		name, paragraph, _ := cutKey(part)
		text[name] = paragraph
		order = append(order, name)
	}
	return text, order
}

func TestEachKeyIsDocumentedInBothLanguages(t *testing.T) {
	var names []string
	for _, k := range Keys() {
		names = append(names, k.Name)
	}
	for _, language := range []string{"en", "fa"} {
		text, order := documentation(language)
		if !slices.Equal(order, names) {
			t.Errorf("keys.%s.md has the keys %q, the table %q", language, order, names)
		}
		for name, s := range text {
			if !strings.HasSuffix(s, ".") || strings.Contains(s, "\n") {
				t.Errorf("keys.%s.md: %s: %q is not a paragraph on one line that ends with a full stop", language, name, s)
			}
			persian := strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Arabic, r) })
			if language == "fa" && !persian || strings.ContainsAny(s, "يك") {
				t.Errorf("keys.%s.md: %s: %q is not Persian, or has an Arabic yeh or kaf", language, name, s)
			}
		}
	}
}

func TestEachFactHasWordsInBothLanguages(t *testing.T) {
	for _, language := range []string{"en", "fa"} {
		_, words := prose(language)
		want := []string{"default", "no default", "allowed", "also", "model", "read by", "and", "reader feed too"}
		for _, k := range Keys() {
			want = append(want, "kind "+string(k.Kind))
			for _, r := range k.Reads {
				want = append(want, "reader "+r)
			}
		}
		for _, name := range want {
			if words[name] == "" {
				t.Errorf("words.tsv: no %s words for %q", language, name)
			}
		}
	}
}

func TestReferencePagesAreTwins(t *testing.T) {
	outline := func(page string) (headings, code int) {
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "#") {
				headings++
			}
			if strings.HasPrefix(line, "```") {
				code++
			}
		}
		return headings, code
	}
	en, enCode := outline(reference("en", keys))
	fa, faCode := outline(reference("fa", keys))
	if fa != en || faCode != enCode || en < len(Keys()) {
		t.Errorf("fa has %d headings and %d fences, en %d and %d", fa, faCode, en, enCode)
	}
}

package config

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
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

func TestReferencePagesAreMadeFromTheTable(t *testing.T) {
	for _, language := range []string{"en", "fa"} {
		path := filepath.Join("..", "..", "docs", language, "config.md")
		want := Reference(language, keys)
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
	en, enCode := outline(Reference("en", keys))
	fa, faCode := outline(Reference("fa", keys))
	if fa != en || faCode != enCode || en < len(Keys()) {
		t.Errorf("fa has %d headings and %d fences, en %d and %d", fa, faCode, en, enCode)
	}
}

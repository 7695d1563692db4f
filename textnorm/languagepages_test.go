package textnorm

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fewestExamples is what a page of a language must show.
const fewestExamples = 15

// example is a row of a page's tables: what is written, and what is said.
type example struct {
	line            int
	written, spoken string
}

var (
	exampleRow = regexp.MustCompile("^\\| `([^`]+)` \\| `([^`]+)` \\|$")
	settingRow = regexp.MustCompile("^\\| `(\\w+): (\\w+)` \\| `(\\w+)` \\| `([^`]+)` \\| `([^`]+)` \\|$")
)

// examplesOf gives the rows of a page that hold two code spans and no more. A
// row of code spans in another shape is an error: it would never be run.
func examplesOf(page string) ([]example, error) {
	var examples []example
	for i, line := range strings.Split(page, "\n") {
		m := exampleRow.FindStringSubmatch(line)
		switch {
		case m != nil:
			examples = append(examples, example{i + 1, m[1], m[2]})
		case strings.HasPrefix(line, "|") && strings.Contains(line, "`"):
			return nil, fmt.Errorf("line %d: no row of what is written and what is spoken: %s", i+1, line)
		}
	}
	return examples, nil
}

// TestLanguagePages runs the examples of every page in docs/*/languages: what the
// documentation says is read so is read so, and each language has a page, whose
// twin shows the same.
func TestLanguagePages(t *testing.T) {
	n, err := NewNormalizer(Config{Verbalise: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range VerbalisedLanguages() {
		t.Run(lang, func(t *testing.T) {
			var pages [2][]example
			for i, folder := range []string{"en", "fa"} {
				path := filepath.Join("..", "docs", folder, "languages", lang+".md")
				page, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if pages[i], err = examplesOf(string(page)); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if len(pages[i]) < fewestExamples {
					t.Errorf("%s has %d examples, want %d at least", path, len(pages[i]), fewestExamples)
				}
				for _, e := range pages[i] {
					if got, _ := n.Normalize(e.written, lang); got != e.spoken {
						t.Errorf("%s:%d: %q is read\n\t%q, the page says\n\t%q", path, e.line, e.written, got, e.spoken)
					}
				}
			}
			same := func(a, b example) bool { return a.written == b.written && a.spoken == b.spoken }
			if !slices.EqualFunc(pages[0], pages[1], same) {
				t.Errorf("docs/en and docs/fa show different examples of %s", lang)
			}
		})
	}
}

// TestLanguagePagesOfNone: a page of a language that is not read would never be run.
func TestLanguagePagesOfNone(t *testing.T) {
	for _, folder := range []string{"en", "fa"} {
		pages, err := filepath.Glob(filepath.Join("..", "docs", folder, "languages", "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range pages {
			lang := strings.TrimSuffix(filepath.Base(page), ".md")
			if lang != "README" && !slices.Contains(VerbalisedLanguages(), lang) {
				t.Errorf("%s: there are no rules for %s", page, lang)
			}
		}
	}
}

// TestTextPage runs the examples of docs/*/text.md, each under the one setting
// that it names.
func TestTextPage(t *testing.T) {
	set := map[string]func(c *Config, value string){
		"mojibake":       func(c *Config, value string) { c.Mojibake = value },
		"verbalise":      func(c *Config, value string) { c.Verbalise = value == "true" },
		"code_switching": func(c *Config, value string) { c.CodeSwitching = value == "true" },
		"case":           func(c *Config, value string) { c.Case = value },
		"punctuation":    func(c *Config, value string) { c.Punctuation = value },
		"latin":          func(c *Config, value string) { c.Latin = value },
		"vowel_marks":    func(c *Config, value string) { c.VowelMarks = value },
	}
	var pages [2][]string
	for i, folder := range []string{"en", "fa"} {
		path := filepath.Join("..", "docs", folder, "text.md")
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]bool{}
		for at, line := range strings.Split(string(page), "\n") {
			m := settingRow.FindStringSubmatch(line)
			if m == nil {
				if strings.HasPrefix(line, "| `") {
					t.Errorf("%s:%d: no row of a setting and what it does: %s", path, at+1, line)
				}
				continue
			}
			pages[i] = append(pages[i], line)
			key, value, language, written, spoken := m[1], m[2], m[3], m[4], m[5]
			if set[key] == nil {
				t.Errorf("%s:%d: %s is no setting of text", path, at+1, key)
				continue
			}
			shown[key] = true
			c := Config{Mojibake: MojibakeReport, Verbalise: true}
			set[key](&c, value)
			n, err := NewNormalizer(c)
			if err != nil {
				t.Errorf("%s:%d: %v", path, at+1, err)
				continue
			}
			if got, _ := n.Normalize(written, language); got != spoken {
				t.Errorf("%s:%d: with %s: %s, %q is read\n\t%q, the page says\n\t%q", path, at+1, key, value, written, got, spoken)
			}
		}
		if len(shown) != len(set) {
			t.Errorf("%s shows %d settings, want all %d", path, len(shown), len(set))
		}
	}
	if !slices.Equal(pages[0], pages[1]) {
		t.Error("docs/en/text.md and docs/fa/text.md show different examples")
	}
}

func TestExamplesOf(t *testing.T) {
	tests := []struct {
		name, page string
		want       int
		wrong      bool
	}{
		{"rows of two code spans", "| written | spoken |\n|---|---|\n| `1` | `one` |\n| `2` | `two` |\n", 2, false},
		{"code in the text is no example", "Say `1`.\n\n- `2` is two\n", 0, false},
		{"a row without the second code span", "| `1` | one |\n", 0, true},
		{"a row with a word around the code", "| `1` | `one` or so |\n", 0, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := examplesOf(tt.page)
			if len(got) != tt.want || (err != nil) != tt.wrong {
				t.Errorf("examplesOf(%q) = %d examples, error %v; want %d, error %v", tt.page, len(got), err, tt.want, tt.wrong)
			}
		})
	}
}

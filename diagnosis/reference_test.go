package diagnosis

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "write docs/en/rules.md and docs/fa/rules.md")

// The prose of the reference, which anybody can edit, and the Persian sentences:
// a line for each English one of the tables.
var (
	//go:embed reference.en.md
	englishReference string
	//go:embed reference.fa.md
	persianReference string
	//go:embed reference.fa.tsv
	persianSentences string
)

// labels are the words before a rule's sentences, and the head of the targets.
var labels = []string{"Looks at:", "Limit:", "To change:", "Gain:", "target", "default", "meaning", "source"}

// translator gives a page's sentence for one of the tables.
type translator func(string) string

func english(text string) string { return text }

// persian looks sentences up; what is code alone stays.
func persian(t *testing.T) translator {
	table := map[string]string{}
	for line := range strings.Lines(persianSentences) {
		en, fa, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if table[en] != "" {
			t.Errorf("reference.fa.tsv: %q comes twice", en)
		}
		table[en] = fa
	}
	return func(text string) string {
		if fa, known := table[text]; known {
			return fa
		}
		if isCode(text) {
			return strings.ReplaceAll(text, ", ", "، ")
		}
		return text
	}
}

var quoted = regexp.MustCompile("`[^`]*`")

// isCode: there is nothing to translate in a list of flags.
func isCode(text string) bool { return strings.Trim(quoted.ReplaceAllString(text, ""), ", ") == "" }

// quantity is a number with its unit in a page's language.
func quantity(tr translator, v float64, unit string) string {
	text := strings.TrimSpace(fmt.Sprintf("%g %s", v, tr(unit)))
	if tr(unit) == unit {
		return text
	}
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r - '0' + '۰'
		}
		return r
	}, text), " ٪", "٪")
}

// reference is the page of a language.
func reference(page string, tr translator) string {
	var trainings, configs, list strings.Builder
	for _, r := range Rules() {
		to := &trainings
		if r.audit != nil {
			to = &configs
		}
		limit := tr(r.Limit)
		for _, t := range targets {
			limit = strings.ReplaceAll(limit, "`"+t.Name+"`", fmt.Sprintf("`%s` (%s)", t.Name, quantity(tr, t.Default, t.Unit)))
		}
		fmt.Fprintf(to, "### `%s`\n\n%s.\n\n", r.ID, capital(tr(r.Meaning)))
		for i, text := range []string{tr(r.Looks), limit, tr(r.Setting), tr(r.Gain)} {
			fmt.Fprintf(to, "- %s %s\n", tr(labels[i]), text)
		}
		to.WriteString("\n")
	}
	fmt.Fprintf(&list, "| %s | %s | %s | %s |\n|---|---|---|---|\n", tr(labels[4]), tr(labels[5]), tr(labels[6]), tr(labels[7]))
	for _, t := range targets {
		fmt.Fprintf(&list, "| `%s` | %s | %s | %s |\n", t.Name, quantity(tr, t.Default, t.Unit), tr(t.Meaning), tr(t.Source))
	}
	return strings.NewReplacer("<!-- trainings -->\n\n", trainings.String(), "<!-- configs -->\n\n", configs.String(), "<!-- targets -->\n", list.String()).Replace(page)
}

// capital begins a sentence.
func capital(text string) string {
	r := []rune(text)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

func TestTheReferenceIsMadeFromTheTable(t *testing.T) {
	for language, page := range map[string]string{"en": reference(englishReference, english), "fa": reference(persianReference, persian(t))} {
		path := filepath.Join("..", "docs", language, "rules.md")
		if *update {
			if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != page {
			t.Errorf("%s is not what the table of rules gives (%v): run go test ./diagnosis -run Reference -update", path, err)
		}
	}
}

// TestEachSentenceHasAPersianOne, in Persian letters, with the same flags and keys;
// and no line of the table is left from a sentence that is no more.
func TestEachSentenceHasAPersianOne(t *testing.T) {
	tr := persian(t)
	wanted := map[string]bool{"%": true, "GB/s": true, "MB": true, "MB/s": true}
	need := func(whose string, sentences ...string) {
		for _, en := range sentences {
			wanted[en] = true
			if isCode(en) {
				continue
			}
			fa := tr(en)
			if !strings.ContainsFunc(fa, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) || strings.ContainsAny(fa, "يك") {
				t.Errorf("%s: reference.fa.tsv has no Persian sentence for %q, or one with an Arabic yeh or kaf: %q", whose, en, fa)
			}
			a, b := quoted.FindAllString(en, -1), quoted.FindAllString(fa, -1)
			slices.Sort(a)
			slices.Sort(b)
			if !slices.Equal(a, b) {
				t.Errorf("%s: %q has %q, its Persian sentence %q", whose, en, a, b)
			}
		}
	}
	need("the page", labels...)
	for _, r := range Rules() {
		need(r.ID, r.Looks, r.Limit, r.Meaning, r.Setting, r.Gain)
	}
	for _, target := range targets {
		need(target.Name, target.Meaning, target.Source)
	}
	for line := range strings.Lines(persianSentences) {
		if en, _, _ := strings.Cut(line, "\t"); !wanted[en] {
			t.Errorf("reference.fa.tsv: no rule says %q any more", en)
		}
	}
}

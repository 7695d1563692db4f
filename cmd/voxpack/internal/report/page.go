package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
)

//go:embed page
var files embed.FS

// page is what the template is made of.
type page struct {
	*Figures
	Language, Direction string
	Policy              string // Content-Security-Policy
	Style               template.CSS
	Script              template.JS
	Charts              []chart
	Rare                []Character
	Media               []medium
	Samples             bool // the sounds are stored samples
	Browser             browser
}

// writePage writes the page of figures.
func writePage(w io.Writer, f *Figures, s *set, t tongue, media []medium, where map[int]int) error {
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return err
	}
	script, err := files.ReadFile("page/script.js")
	if err != nil {
		return err
	}
	p := page{Figures: f, Language: t.code, Direction: t.direction, Style: template.CSS(style), Script: template.JS(script), Policy: policy(style, script),
		Media: media, Samples: s.data.Root.Schema.Index("pcm") >= 0, Browser: s.browse(f, t, where)}
	for _, d := range f.Distributions {
		p.Charts = append(p.Charts, chartOf(d, t))
	}
	for _, c := range f.Alphabet.Characters {
		if c.Rare {
			p.Rare = append(p.Rare, c)
		}
	}
	parsed, err := template.New("page.html").Funcs(helpers(t)).ParseFS(files, "page/page.html")
	if err != nil {
		return err
	}
	return parsed.Execute(w, &p)
}

// policy lets the browser load nothing: no style and no script but ours, known by
// their digests, and pictures and sound that stand in the page.
func policy(style, script []byte) string {
	hash := func(b []byte) string {
		sum := sha256.Sum256(b)
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; media-src data:; style-src " + hash(style) + "; script-src " + hash(script)
}

// helpers are what the template calls. Each text of the dataset goes through plain.
func helpers(t tongue) template.FuncMap {
	said := func(name string, values ...any) (string, error) {
		w, err := t.word(name)
		return fmt.Sprintf(w, values...), err
	}
	return template.FuncMap{
		"w":       t.word,
		"say":     said,
		"known":   t.known,
		"n":       t.number,
		"part":    t.part,
		"plain":   plain,
		"short":   short,
		"clock":   func(seconds float64) string { return t.localise(term.Clock(seconds)) },
		"lasted":  func(seconds float64) string { return t.localise(term.Milliseconds(1000 * seconds)) },
		"size":    func(bytes int64) string { return t.localise(term.Size(bytes)) },
		"time":    func(v time.Time) string { return t.localise(v.UTC().Format("2006/01/02 15:04")) + " UTC" },
		"code":    func(s string) string { return term.Short(s) },
		"label":   t.label,
		"minus":   func(a, b int) int { return a - b },
		"percent": func() string { return t.percent },
		"nav":     func() []string { return sections },
		"columns": func() []column { return columns },
		"groups":  func(name string, list []Group, empty string) groupTable { return groupTable{name, list, empty} },
		"equal":   func(c Check) bool { return c.Unit == "rows" },
		"missing": t.missing,
		"axis":    t.axis,
		"letter":  letter,
		"point":   func(s string) string { return fmt.Sprintf("%U", []rune(s)[0]) },
	}
}

// sections are those of the page, by the names that lead to them.
var sections = []string{"dataset", "charts", "outliers", "alphabet", "rejections", "padding", "history", "media", "browser"}

// column is a column of the table of rows; At is its place among the cells of a row.
type column struct {
	Word   string
	At     int
	Number bool
}

var columns = []column{{"id", 0, false}, {"speaker", 1, false}, {"language", 2, false}, {"split", 3, false}, {"duration", 4, true}, {"frames", 5, true},
	{"pace", 6, true}, {"text", 7, false}, {"remarks", 9, false}}

// groupTable is a table of groups; Empty is the word for a group without a name.
type groupTable struct {
	Name   string
	Groups []Group
	Empty  string
}

// missing says what the report left out, and why.
func (t tongue) missing(m Missing) string {
	what := t.known("distribution-", m.What)
	if w, ok := t.words["check-"+m.What]; ok {
		what = w
	}
	if m.Needs == "rows" {
		return what + ": " + t.words["few"]
	}
	return what + ": " + fmt.Sprintf(t.words["needs"], m.Needs)
}

// label is the shapes of a choice.
func (t tongue) label(c PadChoice) string {
	var list []string
	for _, n := range c.Shapes {
		list = append(list, t.number(n))
	}
	return strings.Join(list, t.list)
}

// axis says what a maximum costs now.
func (t tongue) axis(a PadAxis) string {
	return fmt.Sprintf(t.words["axis-said"], a.Axis, t.number(a.Maximum), t.part(a.Waste))
}

// letter is a character as one can see it. A mark that stands on the letter before
// it gets a circle to stand on.
func letter(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	switch {
	case r == ' ':
		return "␣"
	case unicode.Is(unicode.M, r):
		return "◌" + s
	case !unicode.IsGraphic(r) || unicode.Is(unicode.Z, r):
		return fmt.Sprintf("⟨%U⟩", r)
	}
	return plain(s)
}

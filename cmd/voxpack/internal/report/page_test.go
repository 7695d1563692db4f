package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// hostile is what could leave its place on a page: by tags, quotes, templates, or
// by characters that turn or end text.
var hostile = []string{
	`</script><script>pwned=1</script>`, `<!--<script>`, `]]>`, `"><img src=x onerror=pwned=1>`, `' onfocus=pwned=1 autofocus '`, `javascript:pwned=1`,
	"\u202edesrever\u2066 \u2028\u2029 \u200f", "\x00\x1b[2J\x7f\u009b", "\xff\xfe<b>\xc0", "{{.Figures}}", "</style><svg onload=pwned=1>", "`${pwned=1}`", `\u003c/script\u003e`,
	"https://example.org/x.png", "%s%d%!", "\ufeff", strings.Repeat("<", 2000), "",
}

// pageOf is the page of a dataset in whose every text s stands.
func pageOf(t testing.TB, s, lang string) string {
	t.Helper()
	rows := []row{{id: s, text: s, spoken: s + s, language: s, speaker: s, split: s, seconds: 1, frames: 5, letters: 3}, {id: "b" + s, text: s, spoken: s, seconds: 2, frames: 9, letters: 9}}
	set := &set{data: &store.Dataset{Root: &store.Root{}}, rows: rows, rate: 22050}
	f := &Figures{Dataset: "0123456789ab", Snapshot: "0123456789ab", Built: time.Unix(0, 0), Tool: s, Rows: compiler.RowCounts{Kept: 2, Rejected: 1},
		Outliers:   []Check{{"equal-text", "rows", 1, 2, 1, []Outlier{{s, 2, s, 1}}}},
		Notes:      []store.NoteCount{{Stage: s, Kind: s, Detail: s, Count: 1, Rows: 1, Examples: []string{s}}},
		Rejections: []RejectionGroup{{s, "overlong", 1, []compiler.RejectedRow{{File: s, Line: 1, ID: s, Stage: s, Kind: s, Reason: s}}}},
		Missing:    []Missing{{"f0", "f0"}, {"clipping", "pcm"}, {"pace", "rows"}}, Stages: []StageReuse{{s, 1, 2}},
		Build: &Build{Version: s, Spans: []Span{{s, 0, 1}}}, Feed: &Feed{Version: s}, Read: []compiler.ReadCorpus{{Corpus: s, Format: s, Files: []string{s}}},
		Padding: Padding{Axes: []PadAxis{axisOf("max_mel_frames", 10, []int{5, 9})}},
	}
	f.addGroups(rows)
	f.Alphabet = alphabetOf(rows)
	f.addDistributions(set)
	var b bytes.Buffer
	media := []medium{{ID: plain(s), Text: short(s), Spoken: short(s), Picture: dataURL("image/png", nil), Sound: dataURL("audio/wav", nil)}}
	if err := writePage(&b, f, set, mustTongue(t, lang), media, map[int]int{0: 0}); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return b.String()
}

func mustTongue(t testing.TB, code string) tongue {
	t.Helper()
	tongue, err := tongueOf(code)
	if err != nil {
		t.Fatal(err)
	}
	return tongue
}

var (
	element = regexp.MustCompile(`<[a-zA-Z/!][a-zA-Z0-9]*`)
	tags    = regexp.MustCompile(`<[a-zA-Z][^<>]*>`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
	letters = regexp.MustCompile(`(?s)<ul class="letters">.*?</section>`)
)

// skeleton is the elements of a page in their order, but for the alphabet, which has
// one for each character.
func skeleton(page string) string {
	return strings.Join(element.FindAllString(letters.ReplaceAllString(page, ""), -1), " ")
}

// wantHeld checks that a text stays where it belongs.
func wantHeld(t testing.TB, s, lang string) {
	t.Helper()
	page := pageOf(t, s, lang)
	if !utf8.ValidString(page) {
		t.Errorf("%q: the page is no UTF-8", s)
	}
	if at := strings.IndexFunc(page, term.Obeyed); at >= 0 {
		t.Errorf("%q: a control character stands on the page: %q", s, page[at:min(at+20, len(page))])
	}
	if got, want := skeleton(page), skeleton(pageOf(t, "a", lang)); got != want && s != "" {
		t.Errorf("%q makes elements:\n%s\nwant\n%s", s, got, want)
	}
	_, data, _ := strings.Cut(page, `id="data">`)
	data, _, _ = strings.Cut(data, "</script>")
	for _, tag := range tags.FindAllString(strings.Replace(page, data, "", 1), -1) {
		if bare := quoted.ReplaceAllString(tag, ""); strings.Contains(bare, " on") || strings.ContainsAny(bare, `'"`) {
			t.Errorf("%q makes an attribute: %s", s, tag)
		}
	}
	var b struct{ Rows [][]any }
	if err := json.Unmarshal([]byte(data), &b); err != nil || len(b.Rows) != 2 || b.Rows[0][7] != short(s) {
		t.Errorf("%q: the rows are %v, %v", s, b.Rows, err)
	}
}

func TestNoTextLeavesItsPlace(t *testing.T) {
	for _, s := range hostile {
		wantHeld(t, s, "en")
		wantHeld(t, s, "fa")
	}
}

func FuzzPage(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { wantHeld(t, s, "en") })
}

func TestThePageAsksForNothing(t *testing.T) {
	page := pageOf(t, "a", "en")
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "data:") {
			t.Errorf("the page loads %s", m[1])
		}
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;;`) {
		t.Error("no policy forbids loading")
	}
	if strings.Contains(page, " style=") {
		t.Error("an attribute style, which the policy forbids")
	}
}

func TestEveryWordIsInEveryLanguage(t *testing.T) {
	en, fa := mustTongue(t, "en"), mustTongue(t, "fa")
	if len(en.words) != len(fa.words) || len(en.words) < 100 {
		t.Errorf("%d English words, %d Persian ones", len(en.words), len(fa.words))
	}
	for name, w := range en.words {
		for _, v := range []string{w, fa.words[name]} {
			if strings.TrimSpace(v) == "" || strings.Count(v, "%s") != strings.Count(w, "%s") {
				t.Errorf("%s: %q, %q", name, w, v)
			}
		}
	}
	var names []string
	for _, d := range distributions {
		names = append(names, "distribution-"+d.name, "unit-"+d.unit)
	}
	for _, c := range checks {
		names = append(names, "check-"+c.name, "unit-"+c.unit)
	}
	for _, k := range kind.Rejections() {
		names = append(names, "rejection-"+string(k))
	}
	for _, c := range columns {
		names = append(names, c.Word)
	}
	for _, name := range append(names, sections...) {
		if _, ok := en.words[name]; !ok {
			t.Errorf("no word %q", name)
		}
	}
}

func TestNumbersOfALanguage(t *testing.T) {
	en, fa := mustTongue(t, "en"), mustTongue(t, "fa")
	for _, c := range []struct{ got, want string }{
		{fa.number(13100), "۱۳٬۱۰۰"}, {fa.number(-2.5), "\u200e−۲٫۵۰"}, {fa.part(0.302), "۳۰٫۲\u00a0٪"}, {en.number(0.00012), "0.00012"}, {en.number(1234.6), "1,235"},
		{en.number(12.34), "12.3"}, {en.number(7.0), "7"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	if _, err := tongueOf("xx"); err == nil {
		t.Error("a language that the page cannot be in is no error")
	}
}

// A dataset whose texts are too much for a page: outliers stay, the rest is thinned out evenly.
func TestTheTableIsBounded(t *testing.T) {
	s := &set{data: &store.Dataset{Root: &store.Root{}}}
	text := strings.Repeat("کتاب ", 400)
	for range 30_000 {
		s.rows = append(s.rows, row{id: "x", text: text, spoken: text + "."})
	}
	f := &Figures{Outliers: []Check{{Check: "pace", First: []Outlier{{ID: "x", row: 17}}}}}
	b := s.browse(f, mustTongue(t, "en"), map[int]int{19: 0})
	raw, err := json.Marshal(b)
	if err != nil || len(raw) > 2*browserBytes || len(b.Rows) < 1000 {
		t.Errorf("%d bytes, %d rows, %v", len(raw), len(b.Rows), err)
	}
	found, shown := 0, 0
	for _, r := range b.Rows {
		found += len(r[9].([]int))
		if r[10] == 0 {
			shown++
		}
	}
	if found != 1 || shown != 1 {
		t.Errorf("%d outliers and %d with media are in the table, want 1 and 1", found, shown)
	}
}

// A page says by which rules a text was read, and claims none where the stored text
// is another.
func TestRulesOfATextAreThoseOfItsBuild(t *testing.T) {
	dir := t.TempDir()
	clip, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "corpus", "en", "wavs", "en-0001.wav"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"metadata.csv": "a|It is 5 km to Rome.\nb|It is far.\n", "wavs/a.wav": string(clip), "wavs/b.wav": string(clip) + "\x00\x00"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	opts := compiler.Options{Dataset: dir, Now: time.Now}
	opts.Config.Text.Verbalise, opts.Config.Language = true, "en"
	_, s := gathered(t, opts)
	for i := range s.rows {
		r := &s.rows[i]
		if got := len(s.reader.rules(r)); got > 0 != (r.id == "a") {
			t.Errorf("%s, %q → %q: %d rules", r.id, r.text, r.spoken, got)
		}
		if r.spoken += " or so"; len(s.reader.rules(r)) != 0 {
			t.Errorf("%s: rules are claimed of a text that they do not make", r.id)
		}
	}
}

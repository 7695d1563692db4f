package report

import "unicode/utf8"

// browser is what the table of rows is made of. Its JSON is read by script.js.
type browser struct {
	Words  map[string]string `json:"words"`
	Checks []string          `json:"checks"`
	Rules  []string          `json:"rules"`
	Digits string            `json:"digits"`
	Comma  string            `json:"comma"`
	Point  string            `json:"point"`
	Rows   [][]any           `json:"rows"` // as cells makes them
}

// The bounds of the table: 13,100 rows of LJSpeech have 3 MB.
const (
	browserBytes = 7 << 20
	mostLetters  = 600 // of a text
)

// browse takes the rows that the page holds: all, or where they are too many those
// that were found, and evenly spaced ones.
func (s *set) browse(f *Figures, t tongue, media map[int]int) browser {
	b := browser{Words: map[string]string{}, Checks: []string{}, Rules: []string{}, Digits: string(t.digits), Comma: t.comma, Point: t.point, Rows: [][]any{}}
	for _, name := range []string{"page", "play", "rules", "arrow"} {
		b.Words[name] = t.words[name]
	}
	found := map[int][]int{}
	for i, c := range f.Outliers {
		b.Checks = append(b.Checks, t.words["check-"+c.Check])
		for _, o := range c.First {
			found[o.row] = append(found[o.row], i)
		}
	}
	for i, column := range s.read {
		if column != "" {
			found[i] = append(found[i], len(b.Checks))
		}
	}
	b.Checks = append(b.Checks, t.words["check-damage"])
	size := 0
	for i := range s.rows {
		size += s.rows[i].size()
	}
	stride := 1 + size/browserBytes
	for i := range s.rows {
		_, shown := media[i]
		if i%stride == 0 || found[i] != nil || shown {
			b.Rows = append(b.Rows, append(s.rows[i].cells(found[i], media, i), s.reader.rules(&s.rows[i])))
		}
	}
	if s.reader != nil {
		b.Rules = append(b.Rules, s.reader.names...)
	}
	return b
}

// size is about how much a row takes on the page.
func (r *row) size() int {
	const figures = 60
	n := figures + len(r.id) + min(len(r.text), 2*mostLetters) + len(r.speaker)
	if r.spoken != r.text {
		n += min(len(r.spoken), 2*mostLetters)
	}
	return n
}

// cells are id, speaker, language, split, seconds, frames, pace, text, spoken (null
// where it is the text), the checks that found the row, and its number among those
// with media, -1 where it has none. The rules that its text was read by follow them.
func (r *row) cells(checks []int, media map[int]int, i int) []any {
	var spoken any
	if r.spoken != r.text {
		spoken = short(r.spoken)
	}
	number, ok := media[i]
	if !ok {
		number = -1
	}
	if checks == nil {
		checks = []int{}
	}
	return []any{short(r.id), short(r.speaker), plain(r.language), short(r.split), digits(r.seconds), r.frames, digits(r.pace()), short(r.text), spoken, checks, number}
}

// digits keeps two digits after the point.
func digits(v float64) float64 { return float64(int64(v*100+0.5)) / 100 }

// short is a text of the page: without what would turn it, and cut where it is long.
func short(s string) string {
	if len(s) > mostLetters && utf8.RuneCountInString(s) > mostLetters {
		s = string([]rune(s)[:mostLetters]) + "…"
	}
	return plain(s)
}

package main

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// clauses writes one clause of a made-up language, of the kind that a throw from
// 0 to 1 chooses.
type clauses func(rng *rand.Rand, throw float64) string

// madeUp are the languages whose lines are made.
var madeUp = map[string]struct {
	clause clauses
	joints []string
	ends   []string
}{
	"en": {englishClause, []string{", ", "; ", ", and ", " and ", ": "}, []string{".", ".", ".", ",", ";", "?", "!"}},
	"fa": {persianClause, []string{"، ", "؛ ", " و ", "، و ", "، اما "}, []string{".", ".", ".", "،", "؟", "!"}},
}

// Lengths as those of LJSpeech: 1.11 to 10.10 s, most often 8.5, and 15.2
// characters a second.
const (
	shortest     = 1.11
	longest      = 10.10
	usual        = 8.5
	charsASecond = 15.2
)

// slower are languages whose characters say more than a letter does: syllables or
// words.
var slower = map[string]float64{"zh": 5, "ja": 7, "ko": 7}

// linesOf is n lines of a language; dir has the sets.
func linesOf(lang, dir string, n int) ([]string, error) {
	if m, ok := madeUp[lang]; ok {
		lines := make([]string, n)
		for i := range lines {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			lines[i] = madeLine(rng, m.clause, m.joints, m.ends)
		}
		return lines, nil
	}
	rows, err := readSet(filepath.Join(dir, lang+".tsv"))
	if err != nil {
		return nil, err
	}
	lines := make([]string, n)
	for i := range lines {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		lines[i] = joined(rng, rows, cmp.Or(slower[lang], charsASecond))
	}
	return lines, nil
}

// characters draws the length of a line that is spoken at a rate.
func characters(rng *rand.Rand, aSecond float64) int {
	const knee = (usual - shortest) / (longest - shortest) // of the triangular distribution
	u := rng.Float64()
	seconds := shortest + math.Sqrt(u*(longest-shortest)*(usual-shortest))
	if u > knee {
		seconds = longest - math.Sqrt((1-u)*(longest-shortest)*(longest-usual))
	}
	return int(seconds * aSecond)
}

// joined puts rows of a set together until a line is long enough. Half of them are
// as they are spoken, as half of the made-up clauses have nothing to read.
func joined(rng *rand.Rand, rows [][2]string, aSecond float64) string {
	line, want := rows[rng.IntN(len(rows))][rng.IntN(2)], characters(rng, aSecond)
	for {
		next := rows[rng.IntN(len(rows))][rng.IntN(2)]
		if utf8.RuneCountInString(line)+utf8.RuneCountInString(next) >= want {
			return line
		}
		line += " " + next
	}
}

// madeLine joins clauses until a line is as long as its time.
func madeLine(rng *rand.Rand, clause clauses, joints, ends []string) string {
	const aClause = 42 // characters that the last one may be short of
	want := characters(rng, charsASecond) - aClause
	line := clause(rng, rng.Float64())
	for utf8.RuneCountInString(line) < want {
		line += pick(rng, joints) + clause(rng, rng.Float64())
	}
	if c := line[0]; c >= 'a' && c <= 'z' {
		line = string(c-'a'+'A') + line[1:]
	}
	return line + pick(rng, ends)
}

func pick(rng *rand.Rand, words []string) string { return words[rng.IntN(len(words))] }

var escape = regexp.MustCompile(`\\u[0-9A-F]{4}`)

// readSet reads what is written and spoken in a set: class, written and spoken form.
func readSet(path string) ([][2]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows [][2]string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		columns := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(lines.Text(), "#") || len(columns) != 3 {
			continue
		}
		spoken, _, _ := strings.Cut(columns[2], " ^ ")
		rows = append(rows, [2]string{unescape(columns[1]), unescape(spoken)})
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s has no rows", path)
	}
	return rows, nil
}

func unescape(text string) string {
	return escape.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[2:], 16, 16) // four digits, as the pattern says
		return string(rune(n))
	})
}

package spoken

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainForms brings forms with digits that no rule of a language looks for to such as its
// rules read: 10⁸ to a power in words, $2.5B to all its digits, 1:50,000 to one number after
// the colon. They are forms of all languages, and the words for them stand in forms.tsv.
type plainForms struct {
	power, minus  string   // of an exponent
	lap           string   // minutes and seconds of a watch
	verse, verses string   // chapter and verse, and the first and last verse
	books, models []string // names before a chapter and before the number of a model
}

// plainFormsOf reads the forms.tsv of a language.
func plainFormsOf(code string) *plainForms {
	f := new(plainForms)
	var books, models string
	places := map[string]*string{"power": &f.power, "minus": &f.minus, "lap": &f.lap, "verse": &f.verse, "verses": &f.verses, "books": &books, "models": &models}
	mustRead(code, sheet{"forms.tsv", "name said", func(_, cells []string) error {
		place, ok := places[cells[0]]
		if !ok || *place != "" || cells[1] == "" {
			return errors.New("want power, minus, lap, verse, verses, books or models, each once, and what is said")
		}
		*place = strings.ReplaceAll(cells[1], "_", "\x00")
		return nil
	}})
	for _, place := range places {
		if place != &books && place != &models {
			*place = strings.ReplaceAll(*place, "\x00", " ")
		}
	}
	f.books, f.models = namesIn(books), namesIn(models)
	return f
}

// with is the letters of a language after which its forms are looked for.
func (f *plainForms) with(letters func(string) string) func(string) string {
	return func(text string) string { return f.letters(letters(text)) }
}

// letters rewrites the forms of a text. It asks at the first digit of each number.
func (f *plainForms) letters(text string) string {
	if strings.Contains(text, "000") && strings.Contains(text, " 000") {
		text = enGroups(text)
	}
	var out []byte
	done := 0
	for at := 0; at < len(text); at++ {
		if !isDigit(text[at]) {
			continue
		}
		end := digitsEnd(text, at)
		if at > 0 && (text[at-1] == '.' || text[at-1] == ',' || text[at-1] == ':' || isLetter(text[at-1])) || end == len(text) {
			at = end - 1
			continue
		}
		said, last := "", 0
		switch c := text[end]; {
		case c == ':':
			said, last = f.colon(text, at, end)
		case c == '-':
			said, last = f.model(text, at, end)
		case c >= utf8.RuneSelf:
			said, last = f.exponent(text, at, end)
		case c == '.' || isLetter(c):
			said, last = inDigits(text, at, end)
		}
		if last == 0 {
			at = end - 1
			continue
		}
		out = append(append(out, text[done:at]...), said...)
		at, done = last-1, last
	}
	if out == nil {
		return text
	}
	return string(append(out, text[done:]...))
}

// colon rewrites 1:50,000, the 1:23.45 of a watch, and a verse after the name of its book.
func (f *plainForms) colon(text string, at, colon int) (said string, last int) {
	end := digitsEnd(text, colon+1)
	first, second := text[at:colon], text[colon+1:end]
	if second == "" || len(first) > 3 {
		return "", 0
	}
	if f.verse != "" && behindName(text[:at], f.books) && len(second) < 4 {
		if mark := dashAt(text, end); mark > 0 && digitsEnd(text, mark) > mark {
			last = digitsEnd(text, mark)
			return strings.NewReplacer("A", first, "B", second, "C", text[mark:last]).Replace(f.verses), last
		}
		return strings.NewReplacer("A", first, "B", second).Replace(f.verse), end
	}
	groups := second
	for last = end; last < len(text) && text[last] == ',' && digitsEnd(text, last+1) == last+4; last += 4 {
		groups += text[last+1 : last+4]
	}
	if last > end && len(second) < 4 && second[0] != '0' {
		return first + ":" + groups, last
	}
	if f.lap != "" && len(second) == 2 && second < "60" && len(first) < 3 && end < len(text) && text[end] == '.' {
		if last = digitsEnd(text, end+1); last > end+1 && last < end+5 && (last == len(text) || text[last] != ':' && text[last] != '.' || last+1 == len(text) || !isDigit(text[last+1])) {
			return strings.NewReplacer("A", first, "B", itoa(atoi(second))+text[end:last]).Replace(f.lap), last
		}
	}
	return "", 0
}

// model parts the two numbers of 737-800 after the name of who makes it.
func (f *plainForms) model(text string, at, hyphen int) (said string, last int) {
	end := digitsEnd(text, hyphen+1)
	if hyphen-at != 3 || end == hyphen+1 || end > hyphen+4 || !behindName(text[:at], f.models) {
		return "", 0
	}
	return text[at:hyphen] + " " + text[hyphen+1:end], end
}

// exponent writes 10⁸ in words.
func (f *plainForms) exponent(text string, at, mark int) (said string, last int) {
	if f.power == "" || text[mark] != 0xC2 && text[mark] != 0xE2 {
		return "", 0
	}
	s := scan{text: text}
	negative, digits, end := s.exponentAt(mark)
	if digits == "" || text[at:mark] != "10" && !negative && len(digits) < 2 {
		return "", 0
	}
	if r, _ := utf8.DecodeRuneInString(text[end:]); unicode.IsLetter(r) && r < utf8.RuneSelf {
		return "", 0
	}
	if negative {
		digits = f.minus + digits
	}
	return text[at:mark] + strings.Replace(f.power, "A", digits, 1), end
}

// namesIn are the names of a list, of which some have a space inside.
func namesIn(list string) []string {
	names := strings.Fields(list)
	for i := range names {
		names[i] = strings.ReplaceAll(names[i], "\x00", " ")
	}
	return names
}

// behindName reports whether one of the names stands right before.
func behindName(before string, names []string) bool {
	before = strings.TrimSuffix(before, " ")
	for _, name := range names {
		if strings.HasSuffix(before, name) {
			return true
		}
	}
	return false
}

// digitsEnd and digitsStart are where the digits end that begin at a place, and where those begin
// that end there.
func digitsEnd(text string, at int) int {
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

func digitsStart(text string, at int) int {
	for at > 0 && isDigit(text[at-1]) {
		at--
	}
	return at
}

// westernZeros are those of the letters of English for large numbers.
var westernZeros = map[string]int{"K": 3, "k": 3, "M": 6, "m": 6, "B": 9, "bn": 9, "b": 9, "T": 12}

// inDigits writes the amount of $2.5B with all its digits; the letter is one of English.
func inDigits(text string, at, end int) (said string, last int) {
	before := strings.TrimSuffix(text[:at], " ")
	if r, _ := utf8.DecodeLastRuneInString(before); !unicode.Is(unicode.Sc, r) {
		return "", 0
	}
	whole, fraction := text[at:end], ""
	if text[end] == '.' {
		next := digitsEnd(text, end+1)
		fraction, end = text[end+1:next], next
	}
	letters := end
	for letters < len(text) && isLetter(text[letters]) {
		letters++
	}
	zeros, ok := westernZeros[text[end:letters]]
	if !ok || len(fraction) > zeros || letters < len(text) && isDigit(text[letters]) || len(whole) > 4 {
		return "", 0
	}
	return strings.TrimLeft(whole+fraction, "0") + strings.Repeat("0", zeros-len(fraction)), letters
}

// modelBehind reports whether a capital, a hyphen and the digits that end at a place are the
// name of a model, so that a letter after them is no measure.
func (s *scan) modelBehind(at int) bool {
	at = digitsStart(s.text, at)
	return at > 1 && s.text[at-1] == '-' && isUpper(s.text[at-2])
}

// strokeDay reports whether two numbers with a stroke are a month and a day: no part of a
// whole, or of one that nobody parts so.
func (s *scan) strokeDay(month, day, whole string, end int) bool {
	a, b := atoi(month), atoi(day)
	if whole != "" || len(month) > 2 || len(day) > 2 || len(month)+len(day) < 2 || a < 1 || a > 12 || b < 1 || b > 31 || s.peekAt(end) == '/' || s.peekAt(end) == '%' {
		return false
	}
	rest := strings.TrimPrefix(s.text[end:], " ")
	if strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "의") || strings.HasPrefix(rest, "的") || strings.HasPrefix(rest, "の") {
		return false
	}
	for _, feast := range []string{"节", "節", "절"} {
		if near := rest[:min(len(rest), 3*len(feast))]; strings.Contains(near, feast) && len(near) > len(feast) { // 3/8妇女节
			return true
		}
	}
	return a > b && b > 0 && a > 1 || b > 12 && !enDivisors.has(day)
}

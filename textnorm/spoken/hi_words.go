package spoken

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// hiTable are the words of Hindi, from the tables of its folder.
type hiTable struct {
	units, symbols, parts map[string]string
	money                 map[string][]string // one of it, several, one hundredth, several
	short                 map[string][]pair   // abbreviations by their heads, the longest first
	unitNames, moneyNames arNames             // in the order in which they are looked for

	months, kings       []string // as they are said; ordinals of kings and popes, up to ten
	monthOf             wordList // names of months as they are written
	yearWords, yearEnds wordList // before a year and after one
	and                 wordList // between two years
	posts               wordList // postpositions, before which a noun is in the oblique
	days                wordList // parts of the day
	masculine, feminine wordList // nouns whose ending does not show their gender
	magnitudes          wordList // large numbers after a number
	letterNames         wordList // of Latin letters, of which acronyms are made
	phoneWords          wordList // before numbers that are said digit by digit
}

// hiTables reads them when they are first asked for.
var hiTables = sync.OnceValue(func() *hiTable {
	t := new(hiTable)
	mustRead("hi", t.sheets()...)
	t.unitNames.sort()
	t.moneyNames.sort()
	for _, list := range t.short {
		slices.SortStableFunc(list, func(a, b pair) int { return len(b.short) - len(a.short) })
	}
	return t
})

// sheets are the files of Hindi and what takes their rows.
func (t *hiTable) sheets() []sheet {
	t.units, t.symbols, t.parts, t.money = map[string]string{}, map[string]string{}, map[string]string{}, map[string][]string{}
	t.short, t.unitNames, t.moneyNames = map[string][]pair{}, arNames{}, arNames{}
	return []sheet{
		signSheet("units.tsv", func(sign, said string) error {
			t.unitNames.add(sign)
			return put(t.units, sign, said)
		}),
		{"money.tsv", "signs forms forms", t.takeMoney},
		{"short.tsv", "written said kind", func(_, cells []string) error {
			if cells[0] == "" || cells[1] == "" || cells[2] != "" && cells[2] != "number" {
				return fmt.Errorf("want an abbreviation, what is said, and number or no kind")
			}
			head := hiHead(cells[0])
			t.short[head] = append(t.short[head], pair{short: cells[0], words: cells[1], numbered: cells[2] != ""})
			return nil
		}},
		wordSheet(map[string]any{
			"sign": saidOf(t.symbols), "part": saidOf(t.parts), "month": listOf{&t.months, 12}, "king": listOf{&t.kings, 10}, "month.written": &t.monthOf,
			"year.after": &t.yearWords, "year.before": &t.yearEnds, "years.between": &t.and, "post": &t.posts, "day.part": &t.days,
			"noun.masculine": &t.masculine, "noun.feminine": &t.feminine, "magnitude": &t.magnitudes, "letter": &t.letterNames,
			"phone": &t.phoneWords,
		}, new(string)),
	}
}

func (t *hiTable) takeMoney(_, cells []string) error {
	names := strings.Split(cells[1], "|")
	if cells[2] != "" {
		names = append(names, strings.Split(cells[2], "|")...)
	}
	if len(names)%2 != 0 || slices.Contains(names, "") {
		return fmt.Errorf("forms %q, want one and several", names)
	}
	return items(cells[0], func(sign string) error {
		t.moneyNames.add(sign)
		return put(t.money, sign, names)
	})
}

// hiOrdinalEnds are the endings of ordinals after digits: masculine, feminine,
// oblique.
var hiOrdinalEnds = map[string]byte{
	"वां": 'm', "वाँ": 'm', "वा": 'm', "वीं": 'f', "वी": 'f', "वें": 'o', "वे": 'o', "ला": 'm', "ली": 'f', "ले": 'o', "रा": 'm', "री": 'f', "रे": 'o',
	"था": 'm', "थी": 'f', "थे": 'o', "ठा": 'm', "ठी": 'f', "ठे": 'o', "ठवां": 'm', "ठवाँ": 'm', "ठवीं": 'f', "ठवें": 'o', "st": 'm', "nd": 'm', "rd": 'm', "th": 'm',
}

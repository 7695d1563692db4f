package spoken

import (
	"errors"
	"slices"
	"strings"
	"sync"
)

// arTable are the words of Arabic, from the tables of its folder, and the names of units
// and of money in the order in which they are looked for.
type arTable struct {
	units, magnitudes     map[string]arNoun
	money                 map[string][2]arNoun
	unitNames, moneyNames arNames

	symbols  map[string]string
	short    map[string]string // words that stand for longer ones by themselves
	dotted   map[string]string // letters with full stops between them
	titles   map[string]string // with a full stop or a stroke before a name
	numbered map[string]string // before a number
	cited    map[string]bool   // those of them that say something only where a source is cited
	honours  map[string]string // in brackets after a name
	halves   map[string]string // letters that stand for parts of the day
	parts    map[int][]string  // names of the parts of one: one of them, two, several
	looked   map[string]bool   // what arPrefix and arAbbreviation look for
	died     string            // what the letter of a telephone stands for before a year

	gregorian, hijri []string        // months as they are said
	months           map[string]bool // as they are written, of Egypt, the Levant, the Maghreb and the Hijra

	// governing words put a number after them into the genitive or accusative:
	// prepositions, nouns of a construct, verbs that stand before amounts.
	governing                         wordList
	verbs                             wordList // whose object may be an amount, perhaps after their subject
	hours                             wordList // the part of the day after a time
	femininePlurals, masculinePlurals wordList // feminine ones not in ات, masculine ones in ات
	feminineNouns, masculineEnds      wordList // nouns whose ending does not show their gender
	definitePlurals                   wordList // plurals with the article that their ending does not show
	labels                            wordList // nouns that a number tells apart, which is said as an ordinal
	function                          wordList // words after a number that it does not count
	phoneWords                        wordList // before telephone numbers
	scoreWords                        wordList // before the result of a game
	cites                             wordList // where a source is cited
}

// arTables has nouns that are written out in each of their forms.
var arTables = sync.OnceValue(func() *arTable {
	t := new(arTable)
	mustRead("ar", t.sheets()...)
	t.unitNames.sort()
	t.moneyNames.sort()
	t.looked = map[string]bool{}
	for letter := range t.titles {
		t.looked["و"+letter] = true
	}
	for _, list := range []map[string]string{arPrefixes, t.short, t.numbered} {
		for word := range list {
			t.looked[word] = true
		}
	}
	return t
})

// sheets are the files of Arabic and what takes their rows.
func (t *arTable) sheets() []sheet {
	t.units, t.magnitudes, t.money = map[string]arNoun{}, map[string]arNoun{}, map[string][2]arNoun{}
	t.unitNames, t.moneyNames, t.months = arNames{}, arNames{}, map[string]bool{}
	t.parts, t.cited = map[int][]string{}, map[string]bool{}
	for _, m := range []*map[string]string{&t.symbols, &t.short, &t.dotted, &t.titles, &t.numbered, &t.honours, &t.halves} {
		*m = map[string]string{}
	}
	names := "one|two|few|many"
	return []sheet{
		{"units.tsv", "signs gender forms", t.takeUnit},
		{"money.tsv", "signs gender forms gender forms", t.takeMoney},
		shortSheet(map[string]map[string]string{"": t.short, "dotted": t.dotted, "title": t.titles, "number": t.numbered, "honour": t.honours}),
		wordSheet(map[string]any{
			"sign": saidOf(t.symbols), "half": saidOf(t.halves), "died": &t.died,
			"part": taker(func(of, _, said string) error {
				forms := strings.Split(said, "|")
				if !allDigits(of) || len(forms) != 3 {
					return errors.New("want a denominator and what one, two and several of its parts are")
				}
				t.parts[atoi(of)] = forms
				return nil
			}),
			"magnitude": taker(func(sign, gender, forms string) error {
				n, err := nounFrom(gender, forms, names)
				if err == nil {
					arNounOf(n).each(sign, func(key string, n arNoun) { t.magnitudes[key] = n })
				}
				return err
			}),
			"month.gregorian": listOf{&t.gregorian, 12}, "month.hijri": listOf{&t.hijri, 12}, "month.written": namesOf(t.months),
			"governing": &t.governing, "verb": &t.verbs, "hour": &t.hours, "label": &t.labels, "function": &t.function,
			"plural.feminine": &t.femininePlurals, "plural.masculine": &t.masculinePlurals, "plural.definite": &t.definitePlurals,
			"noun.feminine": &t.feminineNouns, "noun.masculine": &t.masculineEnds, "phone": &t.phoneWords, "score": &t.scoreWords, "cite": &t.cites, "cited": namesOf(t.cited),
		}, &names),
	}
}

func (t *arTable) takeUnit(head, cells []string) error {
	n, err := nounFrom(cells[1], cells[2], head[2])
	if err != nil {
		return err
	}
	return items(cells[0], func(sign string) error {
		arNounOf(n).each(sign, func(key string, n arNoun) {
			if _, ok := t.units[key]; !ok || !n.written {
				t.units[key] = n
				t.unitNames.add(key)
			}
		})
		return nil
	})
}

func (t *arTable) takeMoney(head, cells []string) error {
	n, err := nounFrom(cells[1], cells[2], head[2])
	if err != nil {
		return err
	}
	var cents arNoun
	if cells[3]+cells[4] != "" {
		n, err := nounFrom(cells[3], cells[4], head[4])
		if err != nil {
			return err
		}
		cents = arNounOf(n)
	}
	return items(cells[0], func(sign string) error {
		arNounOf(n).each(sign, func(key string, n arNoun) {
			if _, ok := t.money[key]; !ok || !n.written {
				t.money[key] = [2]arNoun{n, cents}
				t.moneyNames.add(key)
			}
		})
		return nil
	})
}

func arNounOf(n noun) arNoun {
	for len(n.forms) < 4 {
		n.forms = append(slices.Clip(n.forms), n.forms[0])
	}
	return arNoun{feminine: n.gender == 'f', one: n.forms[0], two: n.forms[1], three: n.forms[2], eleven: n.forms[3]}
}

// each calls put with a sign of a noun, and with its forms as they are written out.
func (n arNoun) each(key string, put func(key string, n arNoun)) {
	if key != n.one {
		put(key, n)
	}
	if faFirst(n.one[0]) && !strings.Contains(n.one, " في ") {
		n.written = true
		for _, form := range []string{n.one, n.two, n.dual(true), n.three, n.eleven, strings.TrimSuffix(n.eleven, "ً"), strings.TrimSuffix(n.eleven, "اً") + "ًا"} {
			put(form, n)
		}
	}
}

// arMonthName reports whether a word is the name of a month, or its end.
func arMonthName(word string) bool {
	return arTables().months[word] && word != "صفر"
}

package spoken

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// unit is a measure or a currency: what one of it is called, and several.
type unit struct{ one, many string }

// enTable are the words of English, from the tables of its folder.
type enTable struct {
	units     map[string]unit    // after a number, with or without a space
	near      map[string]bool    // too short or too common as words to be one after a space: "3 in the morning"
	money     map[string][2]unit // signs and codes, with their hundredths
	magnitude map[string]string  // what may stand after an amount of money

	titles        map[string]string // stand before a name and lose their full stop
	abbreviations map[string]string // lose their full stop, but one that ends the sentence
	numbered      map[string]string // stand before a number only
	dotted        map[string]string // have full stops inside
	books         map[string]string // of scripture, before a chapter and a verse

	symbols, states, points, wars map[string]string // signs, codes of states, points of the compass, wars that everybody says in full
	months                        []string
	monthOf, monthShort           map[string]int
	// spelled are capitals that look like a word and are spelled, and with false those
	// that do not and are read as one.
	spelled map[string]bool
	chords  map[string]string // what stands after the letter of a chord
	letters map[string]bool   // Roman numerals that are letters as often
	cues    *cues
}

// enTables reads them when they are first asked for.
var enTables = sync.OnceValue(func() *enTable {
	t := new(enTable)
	mustRead("en", t.sheets()...)
	t.cues = cuesOf("en")
	return t
})

// sheets are the files of English and what takes their rows.
func (t *enTable) sheets() []sheet {
	const some = 200 // measures
	t.units, t.near, t.money = make(map[string]unit, some), map[string]bool{}, make(map[string][2]unit, some/4)
	for _, m := range []*map[string]string{&t.magnitude, &t.titles, &t.abbreviations, &t.numbered, &t.dotted, &t.books, &t.chords, &t.symbols, &t.states, &t.points, &t.wars} {
		*m = map[string]string{}
	}
	t.monthOf, t.monthShort, t.spelled, t.letters = map[string]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}
	return []sheet{
		{"units.tsv", "signs forms near", t.takeUnit},
		{"money.tsv", "signs forms forms", func(_, cells []string) error {
			whole, err := unitFrom(cells[1])
			cents, wrong := unitFrom(cells[2])
			return errors.Join(err, wrong, items(cells[0], func(sign string) error { return put(t.money, sign, [2]unit{whole, cents}) }))
		}},
		shortSheet(map[string]map[string]string{"": t.abbreviations, "title": t.titles, "number": t.numbered, "dotted": t.dotted, "book": t.books}),
		wordSheet(map[string]any{
			"sign": saidOf(t.symbols), "magnitude": saidOf(t.magnitude), "point": saidOf(t.points), "state": saidOf(t.states), "war": saidOf(t.wars), "chord": saidOf(t.chords),
			"month": taker(t.takeMonth), "spelled": taker(t.takeCapitals(true)), "sayable": taker(t.takeCapitals(false)), "letters": taker(t.takeNumerals),
		}, new(string)),
	}
}

func (t *enTable) takeUnit(_, cells []string) error {
	u, err := unitFrom(cells[1])
	if cells[2] != "" {
		err = errors.Join(err, items(cells[2], func(sign string) error { return put(t.near, sign, true) }))
	}
	return errors.Join(err, items(cells[0], func(sign string) error { return put(t.units, sign, u) }))
}

func (t *enTable) takeMonth(short, form, said string) error {
	if form != "" || said == "" || len(t.months) == 12 {
		return errors.New("want the names of twelve months")
	}
	t.months = append(t.months, said)
	t.monthOf[said] = len(t.months)
	if short == "" {
		return nil
	}
	return items(short, func(cut string) error { return put(t.monthShort, cut, len(t.months)) })
}

func (t *enTable) takeCapitals(spelled bool) taker {
	return func(beside, form, said string) error {
		for word := range strings.FieldsSeq(said) {
			if err := put(t.spelled, word, spelled); err != nil {
				return err
			}
		}
		return nil
	}
}

// takeNumerals takes Roman numerals that are letters as often.
func (t *enTable) takeNumerals(_, _, said string) error {
	for word := range strings.FieldsSeq(said) {
		if romanValue(word) == 0 {
			return fmt.Errorf("%q is no Roman numeral", word)
		}
		if err := put(t.letters, word, true); err != nil {
			return err
		}
	}
	return nil
}

func unitFrom(forms string) (unit, error) {
	one, many, _ := strings.Cut(forms, "|")
	if one == "" || many == "" || strings.Contains(many, "|") {
		return unit{}, errors.New("want one and several, with | between them")
	}
	return unit{one, many}, nil
}

// enFractions are the denominators that have a name of their own.
var enFractions = map[string]unit{"2": {"half", "halves"}, "4": {"quarter", "quarters"}}

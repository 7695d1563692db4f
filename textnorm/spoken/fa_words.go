package spoken

import "sync"

// faTable are the words of Persian, from the tables of its folder.
type faTable struct {
	units   map[string]string    // in Latin letters after a number
	money   map[string][2]string // signs and codes, with their hundredths
	symbols map[string]string

	dotted, numbered map[string]string // letters with full stops, letters before a number
	behind           map[string]string // letters after a number, with what they say of a year
	letters          map[string]string // what letters are called
	latin            map[string]string // Latin words and signs of addresses in Persian letters
	latinLetters     map[string]string // what capitals are called
	short, honours   map[string]string // short words for longer ones; blessings in brackets after a name

	jalali, gregorian []string          // months
	magnitudes        []string          // between an amount and its money or measure
	present, past     string            // stems of verbs as they stand after می
	spokenVerbs       string            // forms of everyday speech, and such as have no endings
	noVerb            wordList          // begin as if می stood before a verb
	plural, compare   wordList          // endings that stand apart
	afterHeh          wordList          // and those after a heh
	particle          wordList          // no ending of a noun or of an adjective follows them
	wet               wordList          // nouns that may be wet: after them تر is a word
	openHeh           wordList          // end in a heh that is no bare vowel, or are particles and numbers: after them ام is a word
	measures          wordList          // words after a number of which parts are decimals
	whole             wordList          // counted in whole numbers: three digits after a full stop are a group before them
	seasons           wordList          // before two years of two digits
	parted            wordList          // before two numbers that are a place in a text and no score
	lengths           wordList          // before metres
	times             wordList          // of which halves and quarters are said
	decimals          wordList          // before a decimal
	dated             wordList          // before a day and a month without a year
	articles          wordList          // before the number of an article of a law
	per               wordList          // what a rate is for one of
	paid              wordList          // what amounts of money are in
	posted            wordList          // before a post code
	plates            wordList          // before the plate of a car
	models            wordList          // before the number of a model
	gospels, suras    wordList          // books before a chapter and a verse
	verses            wordList          // before the number of a verse of poetry
	graded            wordList          // what has marks
	games, sets       wordList          // beside a score, and one of sets
	counts            wordList          // words of numbers
	lives             map[string]string // letters before the year of a life
	latinMagnitudes   map[string]string // Latin letters after an amount of money
}

// faTables reads them when they are first asked for.
var faTables = sync.OnceValue(func() *faTable {
	t := new(faTable)
	mustRead("fa", t.sheets()...)
	return t
})

// sheets are the files of Persian and what takes their rows.
func (t *faTable) sheets() []sheet {
	t.money = map[string][2]string{}
	for _, m := range []*map[string]string{&t.units, &t.symbols, &t.dotted, &t.numbered, &t.behind, &t.letters, &t.latin, &t.latinLetters, &t.short, &t.honours, &t.lives, &t.latinMagnitudes} {
		*m = map[string]string{}
	}
	return []sheet{
		signSheet("units.tsv", func(sign, said string) error { return put(t.units, sign, said) }),
		signSheet("latin.tsv", t.takeLatin),
		{"money.tsv", "signs said hundredths", func(_, cells []string) error {
			names := [2]string{cells[1], cells[2]}
			return items(cells[0], func(sign string) error { return put(t.money, sign, names) })
		}},
		shortSheet(map[string]map[string]string{"": t.short, "dotted": t.dotted, "number": t.numbered, "year": t.behind, "honour": t.honours, "life": t.lives}),
		wordSheet(map[string]any{
			"sign": saidOf(t.symbols), "letter": saidOf(t.letters), "magnitude": listOf{to: &t.magnitudes}, "month.jalali": listOf{&t.jalali, 12}, "month.gregorian": listOf{&t.gregorian, 12},
			"verb.present": &t.present, "verb.past": &t.past, "verb.spoken": &t.spokenVerbs, "verb.not": &t.noVerb,
			"ending.plural": &t.plural, "ending.compare": &t.compare, "ending.heh": &t.afterHeh, "particle": &t.particle, "wet": &t.wet,
			"heh.open": &t.openHeh, "measure": &t.measures, "whole": &t.whole, "season": &t.seasons, "part": &t.parted, "length": &t.lengths,
			"time": &t.times, "decimal": &t.decimals, "dated": &t.dated, "article": &t.articles, "per": &t.per, "paid": &t.paid, "posted": &t.posted, "plate": &t.plates, "model": &t.models, "gospel": &t.gospels, "sura": &t.suras,
			"verse": &t.verses, "graded": &t.graded, "game": &t.games, "set": &t.sets, "count": &t.counts, "magnitude.latin": saidOf(t.latinMagnitudes),
		}, new(string)),
	}
}

// faVulgar are fractions in one character.
var faVulgar = map[rune][2]string{
	'½': {"1", "2"}, '⅓': {"1", "3"}, '⅔': {"2", "3"}, '¼': {"1", "4"}, '¾': {"3", "4"}, '⅕': {"1", "5"}, '⅖': {"2", "5"}, '⅗': {"3", "5"}, '⅘': {"4", "5"},
	'⅙': {"1", "6"}, '⅚': {"5", "6"}, '⅛': {"1", "8"}, '⅜': {"3", "8"}, '⅝': {"5", "8"}, '⅞': {"7", "8"},
}

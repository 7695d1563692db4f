package spoken

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// mark stands after the digits of an ordinal. What has words of its own is two.
type mark struct{ mark, form, said string }

// places are what the names of words.tsv fill in.
func (v *voice) places() map[string]any {
	d, c, g := &v.date, &v.clock, &v.regnal
	return map[string]any{
		"minus": &v.minus, "plus": &v.plus, "point": &v.point, "about": &v.about, "of": &v.of, "score": taker(v.takeScore), "version": &v.version, "times.size": &v.by, "per.measure": &v.perMeasure, "half.one": &v.halfOne, "accusative.after": &v.accAfter, "accusative.said": &v.accSaid, "dative.after": &v.dativeAfter, "dative.ends": &v.dativeEnds, "accusative.nouns": &v.accNouns, "slash.before": &v.slash.before, "slash.to": &v.slash.to, "fraction.of": &v.slash.of, "slash.hours": &v.slash.hours, "weekday.name": taker(v.takeWeekdays), "over": &v.over,
		"ratio": &v.ratioWord, "pressure": &v.pressure, "each": &v.each, "per.of": saidOf(v.perOf), "weekday": saidOf(v.days), "weekday.to": &v.dayTo, "weekday.between": &v.dayBetween, "score.near": &v.games, "unit.word": namesOf(v.wordUnit), "power": taker(v.power.take), "one.after": taker(v.takeOne),
		"to": &v.to, "to.form": &v.toForm, "per": &v.perWord, "percent.before": &v.percentAt, "address": parts{&v.address, 6},
		"fraction.form": &v.fractionForm, "half.after": parts{&v.halves, 2}, "half.before": parts{&v.aHalf, 2},
		"half": &v.half, "third": &v.third, "quarter": &v.quarter, "part.of": saidOf(v.partOf),
		"money.and": &v.and, "money.thousand": &v.thousand, "magnitude": nounsOf(v.magnitude), "sign": saidOf(v.symbol),
		"accusative": &v.accusatives, "genitive.after": &v.genitiveAfter,
		"cardinal.case": taker(v.takeCases), "noun.case": taker(v.takeNounCases), "case.after": taker(v.takeCaseAfter),
		"ordinal.mark": taker(v.takeMark), "ordinal.decade": formsOf(v.ordinals.decades), "ordinal.ending": taker(v.takeEnding),
		"month": taker(d.takeMonth), "month.other": &d.other, "date.of": &d.of,
		"day.form": &d.form, "day.after": formsOf(d.forms), "day.until": &d.until, "day.first": &d.first,
		"year": &d.year, "year.before": formsOf(d.yearEnds), "year.counted": &d.counted, "year.cut": &d.yearCut,
		"year.cut.after": casesOf(d.yearWith), "year.eras": &d.eras,
		"years.cut": &d.yearsCut, "years.stem": &d.yearsStem, "years.cut.after": casesOf(d.years),
		"clock.beside": &c.words, "clock.length": &c.length, "clock.length.after": &c.after, "clock.length.and": &c.last, "clock.cut": &c.cut, "clock.bare": &c.bare, "clock.letter": &c.letter, "clock.and": &c.and,
		"clock.form": &c.form, "clock.one": &c.one, "clock.minute": &c.minute, "clock.after": formsOf(c.forms),
		"clock.hour": &c.hour, "clock.second": &c.second,
		"roman.kings": &g.kings, "roman.queens": &g.queens, "roman.king": &g.form, "roman.queen": &g.queen,
		"roman.article": &g.article, "roman.article.after": casesOf(g.articles), "roman.king.ends": formsOf(g.kingEnds), "roman.queen.ends": formsOf(g.queenEnds), "roman.after": formsOf(g.behind), "roman.counted": &g.counted, "roman.suffixes": &g.suffixes,
		"roman.before": formsOf(g.century), "roman.cut": &g.cut, "roman.cut.after": casesOf(g.cutWith),
	}
}

// read fills in the voice from the tables of its language.
func (v *voice) read(files fs.FS) error {
	const some = 80 // units and currencies: a map of that size need not grow
	v.unit, v.farUnit, v.money = make(map[string]noun, some), map[string]bool{}, make(map[string][2]noun, some)
	v.magnitude, v.symbol, v.partOf = map[string]noun{}, make(map[string]string, some/4), map[string]string{}
	v.wordUnit, v.slash.days = map[string]bool{}, map[string]bool{}
	v.perOf, v.days = map[string]string{}, map[string]string{}
	v.declined, v.caseAfter = map[string][4]string{}, map[string][]caseRule{}
	v.regnal.articles, v.regnal.kingEnds, v.regnal.queenEnds = map[string]cased{}, map[string]string{}, map[string]string{}
	v.oneAfter = map[string]string{}
	v.endings, v.ordinals.decades = map[string][]string{}, map[string]string{}
	v.short, v.labels, v.bareShort, v.heads = map[byte][]pair{}, map[string]bool{}, map[string]bool{}, make(map[string]bool, some)
	v.date.ready()
	v.clock.forms = map[string]string{}
	v.regnal.behind, v.regnal.century, v.regnal.cutWith = map[string]string{}, map[string]string{}, map[string]cased{}
	if err := readTables(files, "lang/"+v.code, v.tables()...); err != nil {
		return err
	}
	if n := len(v.date.name); n != 0 && n != 12 {
		return fmt.Errorf("lang/%s/words.tsv: %d months, want 12", v.code, n)
	}
	v.order()
	return nil
}

// order makes of the tables what the rules look up.
func (v *voice) order() {
	v.abbreviate()
	v.regnal.readyNames()
	v.signs = slices.AppendSeq(make([]string, 0, len(v.money)), maps.Keys(v.money))
	slices.SortFunc(v.signs, func(a, b string) int { return len(b) - len(a) })
	for _, sign := range v.signs {
		v.signsBy[sign[0]] = append(v.signsBy[sign[0]], sign)
		v.begins[sign[0]] = max(v.begins[sign[0]], len(sign))
	}
	for sign := range v.unit {
		v.begins[sign[0]] = max(v.begins[sign[0]], len(sign))
	}
	for day := range v.days {
		v.heads[day], v.bareShort[day], v.dayFirst[day[0]] = true, true, true
	}
	for word := range strings.FieldsSeq(v.date.other) {
		v.date.aMonth[word] = true
	}
}

// tables are the files of a voice and what takes their rows.
func (v *voice) tables() []sheet {
	return []sheet{
		{"units.tsv", "signs gender forms near", v.takeUnit},
		{"money.tsv", "signs gender forms gender forms", v.takeMoney},
		{"short.tsv", "written said kind cases", v.takeShort},
		wordSheet(v.places(), &v.forms),
	}
}

func (v *voice) takeUnit(head, cells []string) error {
	if v.forms = head[2]; v.slavic && strings.Count(v.forms, "|") != 3 {
		return fmt.Errorf("forms %q, want four", v.forms)
	}
	n, err := nounFrom(cells[1], cells[2], v.forms)
	if err != nil {
		return err
	}
	if cells[3] != "" {
		err = items(cells[3], func(sign string) error {
			if !slices.Contains(strings.Split(cells[0], ","), sign) {
				return fmt.Errorf("near: %q is no sign of the row", sign)
			}
			v.farUnit[sign] = true
			return nil
		})
	}
	return errors.Join(err, items(cells[0], func(sign string) error { return put(v.unit, sign, n) }))
}

func (v *voice) takeMoney(head, cells []string) (err error) {
	var names [2]noun
	if names[0], err = nounFrom(cells[1], cells[2], head[2]); err != nil {
		return err
	}
	if cells[3]+cells[4] != "" {
		if names[1], err = nounFrom(cells[3], cells[4], head[4]); err != nil {
			return err
		}
	}
	return items(cells[0], func(sign string) error { return put(v.money, sign, names) })
}

// shortKinds are the kinds of abbreviations, in the order in which they are tried.
var shortKinds = []string{"", "closing", "number", "word", "name", "book"}

func (v *voice) takeShort(_, cells []string) error {
	kind := slices.Index(shortKinds, cells[2])
	book := cells[2] == "book"
	p := pair{short: cells[0], words: cells[1], book: book, numbered: book || cells[2] == "number", closing: cells[2] == "closing", word: cells[2] == "word", name: cells[2] == "name"}
	switch {
	case kind < 0:
		return fmt.Errorf("kind %q, want one of %q", cells[2], shortKinds)
	case p.short == "" || p.words == "" || strings.Contains(p.words, ";"):
		return errors.New("want an abbreviation and what is said")
	}
	if cells[3] != "" {
		p.words += ";" + cells[3]
		for one := range strings.SplitSeq(cells[3], ";") {
			if before, words, ok := strings.Cut(one, "="); !ok || strings.Trim(before, " ") == "" || words == "" {
				return fmt.Errorf("case %q, want words = what is said after them", one)
			}
		}
	}
	if slices.ContainsFunc(v.abbreviations[kind], func(other pair) bool { return other.short == p.short }) {
		return fmt.Errorf("%q stands here twice", p.short)
	}
	v.abbreviations[kind] = append(v.abbreviations[kind], p)
	return nil
}

// takeOne takes what 1 is of a gender after words.
func (v *voice) takeOne(beside, form, said string) error {
	if len(form) != 1 || said == "" {
		return errors.New("want words, a gender and what is said for 1 after them")
	}
	return items(beside, func(word string) error { return put(v.oneAfter, form+word, said) })
}

// takeWeekdays takes the names of the days of the week.
func (v *voice) takeWeekdays(beside, form, said string) error {
	if beside+form != "" || said == "" {
		return errors.New("want the names of the days of the week")
	}
	for name := range strings.FieldsSeq(said) {
		v.slash.days[name] = true
	}
	return nil
}

// takeScore takes the word of a score and the form of the number after it.
func (v *voice) takeScore(beside, form, said string) error {
	if beside != "" || said == "" {
		return errors.New("want what is said between the numbers of a score")
	}
	v.score, v.scoreForm = said, form
	return nil
}

func (v *voice) takeMark(marks, form, said string) error {
	return items(marks, func(text string) error {
		v.marks = append(v.marks, mark{text, form, said})
		return nil
	})
}

// takeEnding takes pairs of endings: that of the masculine form and another for it.
func (v *voice) takeEnding(beside, form, said string) error {
	ends := strings.Fields(said)
	if beside != "" || form == "" || len(ends) == 0 || len(ends)%2 != 0 {
		return errors.New("want a form and pairs of endings")
	}
	return put(v.endings, form, ends)
}

// takeMonth takes the next month and its abbreviations.
func (d *dateWords) takeMonth(short, form, said string) error {
	if form != "" || said == "" || len(d.name) == 12 {
		return errors.New("want the names of twelve months as they are said after a day")
	}
	d.name = append(d.name, said)
	d.of12[strings.ToLower(said)], d.aMonth[strings.ToLower(said)] = len(d.name), true
	if short == "" {
		return nil
	}
	return items(short, func(cut string) error { return put(d.cut12, cut, len(d.name)) })
}

// abbreviate orders the abbreviations, each with a capital as well.
func (v *voice) abbreviate() {
	for _, list := range v.abbreviations {
		known := map[string]bool{}
		for _, p := range list {
			known[p.short] = true
		}
		for _, p := range list {
			v.addShort(p)
			if high := capital(p.short); high != p.short && !known[high] && strings.Contains(p.short, ".") && high != capital("es.") &&
				(p.numbered || v.code != "ru" && v.code != "cs" || utf8.RuneCountInString(p.short) != 2) {
				p.short, p.words = high, capital(p.words)
				v.addShort(p)
			}
		}
	}
	for _, list := range v.short {
		slices.SortStableFunc(list, func(a, b pair) int { return len(b.short) - len(a.short) })
	}
}

func (v *voice) addShort(p pair) {
	v.short[p.short[0]] = append(v.short[p.short[0]], p)
	head, _, _ := strings.Cut(p.short, ".")
	head = head[strings.LastIndexByte(head, ' ')+1:]
	v.heads[head] = true
	if !strings.Contains(p.short, ".") {
		head, _, _ = strings.Cut(p.short, "-")
		v.heads[head], v.bareShort[head] = true, true
	}
	if p.numbered {
		v.labels[strings.ToLower(head)] = true
	}
}

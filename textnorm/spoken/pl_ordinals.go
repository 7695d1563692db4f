package spoken

import "strings"

// Nouns whose ending is that of another gender, or of none: a list of what stands
// after ordinals in news and books.
const (
	// polishLocative are feminine nouns after w, na, po: masculine ones end so too.
	polishLocative = `klasie rundzie stronie połowie grupie próbie szkole godzinie minucie sekundzie dekadzie osobie wojnie kolumnie dobie scenie
		bramie zmianie ofercie kobiecie płycie karcie gazecie drużynie wiośnie zimie sobocie środzie niedzieli jesieni dywizji stacji kategorii serii linii ekipie
		fali dolinie górze kolejnie chwili osi części noc kwaterze ligi kolacie kompanie szatni jednostce ojczyźnie planecie wyprawie sprawie zasadzie filmotece
		randce premierze operze umowie ustawie konferencji edycji rocznicy córce siostrze teczce`
	polishNeuter    = "miejsce słońce serce zdjęcie okrążenie piętro pytanie pokolenie wydanie zadanie spotkanie posiedzenie zwycięstwo podejście wejście przykazanie"
	polishFeminine  = "część noc rzecz twarz jesień kolej podróż powieść wieś sesja śmierć płeć krew sól oś pieśń opowieść miłość"
	polishGenitives = "dnia roku wieku piętra miejsca kwartału tygodnia miesiąca etapu sezonu rozdziału stopnia pokolenia wydania tomu stulecia"
	polishOblique   = "klasy strony grupy edycji połowy rundy części minuty godziny ligi kolejki sekundy szkoły osoby wojny klasie kategorii generacji dywizji dekady ręki"
)

// polishOrdinal tells gender and case of an ordinal from the noun after it and the
// preposition before it.
func polishOrdinal(before, earlier, next string) (form string, ok bool) {
	if strings.ToLower(next) != next || oneOf(next, "i a o w z na do od nie się to jest lub oraz ale") {
		return "", false
	}
	before = strings.ToLower(before)
	switch {
	case oneOf(before, "lata") || oneOf(next, "lata"):
		return "plural", true
	case endsIn(next, "ach ech"):
		return "plural-locative", true
	case endsIn(next, "ami"):
		return "plural-instrumental", true
	case endsIn(next, "ego"):
		return "masculine-genitive", true
	case endsIn(next, "emu owi"):
		return "masculine-dative", true
	case endsIn(next, "ej"):
		return "feminine-genitive", true
	case endsIn(next, "ą"):
		return "feminine-instrumental", true
	case endsIn(next, "ę") && !oneOf(next, "imię zwierzę"):
		return "feminine-accusative", true
	case endsIn(next, "ym im em") && !oneOf(next, "problem system krem film klim"):
		return "masculine-instrumental", true
	case endsIn(next, "ów ych ich"):
		return "plural-genitive", true
	}
	switch {
	case oneOf(before, "w we na po przy o"):
		return polishInside(next), true
	case oneOf(before, "od do z ze bez dla u koło około obok podczas wśród według sprzed oprócz zamiast spośród spod znad po początku koniec końca końcu połowie połowy"):
		if endsIn(next, "y i") || oneOf(next, polishFeminine) {
			return "feminine-genitive", true
		}
		return "masculine-genitive", true
	case oneOf(before, "przez za") && oneOf(next, polishFeminine):
		return "feminine-accusative", true
	case oneOf(next, polishGenitives):
		return "masculine-genitive", true
	case oneOf(next, polishOblique):
		return "feminine-genitive", true
	case endsIn(next, "a ść") && next != "mężczyzna" || oneOf(next, polishFeminine):
		return "feminine", true
	case endsIn(next, "o e ę um"):
		return "neuter", true
	}
	return "masculine", true
}

// polishInside is the form after w, na, po, where a noun is in the locative if it is
// no direction.
func polishInside(next string) string {
	switch {
	case next == "":
		return "masculine-locative"
	case oneOf(next, polishNeuter) || endsIn(next, "o um"):
		return "neuter"
	case endsIn(next, "ce dze sze cji ji ii ści y") || oneOf(next, polishLocative) || strings.HasSuffix(next, "i") && next != "dni":
		return "feminine-locative"
	case endsIn(next, "e u"):
		return "masculine-locative"
	case oneOf(next, polishFeminine):
		return "feminine-accusative"
	case endsIn(next, "a"):
		return "feminine"
	}
	return "masculine"
}

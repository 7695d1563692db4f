package spoken

import "strings"

// Czech nouns whose ending does not tell their gender, from what stands after
// ordinals in news and books.
const (
	czechLocative   = "patře kole místě světě čísle městě okně křesle divadle obvodě sjezdě zápase závodě stole hotelu čase dějství vydání okrese lese pase sále letě jaře roce měsíci dni konci pokoji stupni stavu"
	czechAccusative = "třídu hodinu ulici stranu minutu sekundu etapu příčku řadu skupinu výhru cenu šanci osobu pozici sezonu sezónu kapitolu polovinu fázi část ligu vlnu verzi linku dekádu dávku loď"
	czechSoft       = "dne měsíce konce pokoje stupně dílce týdne ledna rozhodčího"
	czechNeuter     = "pole moře slunce srdce vejce místo kolo"
	czechFeminine   = "část noc věc kost pomoc řeč loď píseň báseň žeň směs ves"
	czechMasculine  = "kolega předseda místopředseda starosta"
)

// czechOrdinal tells gender and case of an ordinal from the words beside it.
func czechOrdinal(before, earlier, next string) (form string, ok bool) {
	if strings.ToLower(next) != next || oneOf(next, "a i o v z na do od se je nebo ale") {
		return "", false
	}
	before = strings.ToLower(before)
	if next == "stol" {
		next = "století"
	}
	switch {
	case endsIn(next, "ech ách ích ých"):
		return "plural-genitive", true
	case endsIn(next, "ého ího ů"):
		if endsIn(next, "ů") {
			return "plural-genitive", true
		}
		return "genitive", true
	case endsIn(next, "ému ímu ovi"):
		return "dative", true
	case endsIn(next, "ou"):
		return "feminine-accusative", true
	case endsIn(next, "em ým ím") && len(next) > 3:
		return "instrumental", true
	}
	switch {
	case oneOf(before, "v ve na po při o"):
		return czechInside(next), true
	case oneOf(before, "do od z ze u bez podle kolem okolo během vedle kromě uprostřed začátku konci konce koncem začátkem polovině poloviny polovinu konec začátek přelomu průběhu letech let léta"):
		if next == "" || endsIn(next, "a u í") || oneOf(next, czechSoft) {
			return "genitive", true
		}
		return "feminine-oblique", true
	case oneOf(before, "k ke ku proti díky vůči"):
		if next == "" || endsIn(next, "u í") || oneOf(next, czechLocative) {
			return "dative", true
		}
		return "feminine-oblique", true
	case oneOf(before, "přes pro za") && (oneOf(next, czechAccusative) || oneOf(next, czechFeminine)):
		return "feminine-accusative", true
	}
	return czechAlone(next), true
}

// czechInside is the form after v, na, po: of a place, or of a direction.
func czechInside(next string) string {
	switch {
	case oneOf(next, czechAccusative), oneOf(next, czechFeminine):
		return "feminine-accusative"
	case next == "", oneOf(next, czechLocative), endsIn(next, "u dle stě"):
		return "locative"
	case endsIn(next, "ní dí tí lí čí ří sí zí"):
		return "locative"
	case endsIn(next, "ě e i"):
		return "feminine-oblique"
	case endsIn(next, "o í"):
		return "neuter"
	case endsIn(next, "y"):
		return "feminine-oblique"
	case endsIn(next, "a á"):
		return "feminine"
	}
	return "masculine"
}

// czechAlone is the form where no preposition tells the case.
func czechAlone(next string) string {
	switch {
	case oneOf(next, czechMasculine):
		return "masculine"
	case oneOf(next, czechAccusative) && endsIn(next, "u"):
		return "feminine-accusative"
	case oneOf(next, czechFeminine), endsIn(next, "a á ost"):
		return "feminine"
	case oneOf(next, "třídy strany minuty hodiny etapy skupiny řady ligy sezony sezóny poloviny kapitoly vlny ulici lize straně třídě skupině polovině části fázi verze pozici"):
		if next == "verze" {
			return "feminine"
		}
		return "feminine-oblique"
	case oneOf(next, "roku týdnu ročníku století dílu patra měsíce dne kola místa stupně") && !oneOf(next, "století"):
		return "genitive"
	case oneOf(next, czechNeuter), endsIn(next, "o í ě é"):
		return "neuter"
	case endsIn(next, "e"):
		return "feminine"
	}
	return "masculine"
}

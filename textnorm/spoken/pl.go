package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// polish: days and hours are ordinals, years are read in the case that the words
// beside them ask for.
func polish() *voice {
	return &voice{
		code: "pl", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true, gendered: true,
		agree: polishAgree, compounds: polishCompound, part: polishPart,
		date:     dateWords{kind: numbers.Ordinal},
		clock:    clockWords{dots: true, kind: numbers.Ordinal, zero: true},
		ordinals: ordinalWords{stop: polishOrdinal},
		regnal:   romanWords{upTo: 99},
	}
}

// polishStreet reports whether the name of a street stands shortly before the end of a
// text, where a number is that of a house and the m. after it of a flat.
func polishStreet(text string) bool {
	const most = 48 // bytes
	text = text[max(0, len(text)-most):]
	for _, cut := range []string{"ul. ", "al. ", "pl. ", "os. ", "ulica ", "ulicy ", "alei ", "placu ", "osiedlu "} {
		if strings.Contains(text, cut) {
			return true
		}
	}
	return false
}

// polishAgree: one and two have a gender.
func polishAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 4 || oneOf(before, "rozdział strona numer artykuł grupa poziom tom wersja część typ linia") {
		return 0
	}
	if digits == "1" {
		switch {
		case endsIn(noun, "a") && !oneOf(noun, "oraz mężczyzna dla"):
			return 'f'
		case endsIn(noun, "o e ę um"):
			return 'n'
		}
		return 'm'
	}
	if strings.HasSuffix(digits, "2") && !strings.HasSuffix(digits, "12") &&
		(oneOf(noun, "godziny minuty sekundy osoby kobiety książki mapy szkoły grupy firmy rodziny ofiary rzeki drogi ręce nogi zimy wojny rundy próby ulice partie gazety wyspy sprawy klasy komisje panie rodziny wioski tony porażki połowy strony córki siostry dziewczynki noce łyżki szklanki dziewczyny sztuki litery gwiazdki bramki rundy") || endsIn(noun, "cje zje sje tki czki ości")) {
		return 'f'
	}
	return 0
}

// polishPart: jedna piąta, dwie piąte, pięć siódmych.
func polishPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), ordinal("plural"), many, many}}
}

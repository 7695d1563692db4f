package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// czech: a full stop makes an ordinal, whose gender and case the noun after it
// and the preposition before it show.
func czech() *voice {
	return &voice{
		code: "cs", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true, gendered: true, gendersUpTo: 2,
		agree: czechAgree, compounds: czechCompound,
		date:     dateWords{kind: numbers.Ordinal},
		clock:    clockWords{dots: true, zero: true},
		ordinals: ordinalWords{stop: czechOrdinal},
		regnal:   romanWords{upTo: 99},
	}
}

// czechAgree: one and two have a gender.
func czechAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 3 || oneOf(noun, "nebo ale pro pod nad bez byl byla bylo") || oneOf(before, "kapitola strana číslo článek skupina úroveň díl verze část typ linka") {
		return 0
	}
	switch digits {
	case "1":
		switch {
		case endsIn(noun, "a"):
			return 'f'
		case endsIn(noun, "o í e"):
			return 'n'
		}
		return 'm'
	case "2":
		if oneOf(noun, "mapy skupiny rodiny sady řady školy zprávy etapy výhry prohry remízy porážky firmy branky medaile ulice strany cesty vesnice budovy zbraně ženy hodiny minuty sekundy osoby strany knihy sestry dívky noci třídy rány děti koruny libry ryby kočky nohy") || endsIn(noun, "a ce že še tky čky") {
			return 'f'
		}
	}
	return 0
}

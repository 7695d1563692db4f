package spoken

import "strings"

// italian: the sign of a degree before a noun is that of an ordinal.
func italian() *voice {
	return &voice{
		code: "it", decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "}, gendered: true,
		agree: italianAgree, part: italianPart,
		clock:  clockWords{dots: true, short: true},
		regnal: romanWords{upTo: 99},
	}
}

// italianAgree: only one has a gender.
func italianAgree(digits, before, noun string) byte {
	if digits != "1" || strings.ToLower(noun) != noun || oneOf(before, "capitolo pagina numero articolo gruppo livello fase tomo versione volume parte tipo riga") ||
		oneOf(noun, "e o a di da in con su per tra fra che è ma non più meno alla della dalla era sono come dopo prima") {
		return 0
	}
	if endsIn(noun, "a zione sione tà notte parte volta") && !oneOf(noun, "problema sistema tema programma pianeta") {
		return 'f'
	}
	return 'm'
}

// italianPart: un quinto, due quinti; beyond ten one is said over the other.
func italianPart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	one := ordinal("masculine")
	return noun{'m', []string{one, one[:len(one)-1] + "i"}}
}

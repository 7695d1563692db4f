package spoken

import "strings"

// spanish: 1.234,5 is read with "coma", money with "con", the day by a cardinal.
func spanish() *voice {
	return &voice{
		code: "es", decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "}, gendered: true, pointed: true,
		agree: spanishAgree, part: spanishPart,
		clock:  clockWords{dots: true, short: true},
		regnal: romanWords{upTo: 10},
	}
}

// spanishAgree tells the gender of what is counted from its ending.
func spanishAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || oneOf(before, "capítulo página número artículo grupo nivel fase tomo versión volumen parte tipo línea") ||
		oneOf(noun, "y e o u a de del en por para con sin que es más menos al se no ni hasta fue era son") {
		return 0
	}
	masculine := oneOf(noun, "días día mapas mapa problemas problema sistemas sistema temas tema programas programa planetas planeta idiomas idioma kilogramas")
	feminine := endsIn(noun, "as ciones siones dades tudes mujeres veces noches tardes partes calles")
	if digits == "1" {
		feminine = endsIn(noun, "a ción sión dad tud mujer vez noche tarde parte calle")
	}
	switch {
	case feminine && !masculine:
		return 'f'
	case digits == "1", strings.HasSuffix(noun, "s"):
		return 'm'
	}
	return 0
}

// spanishPart: un quinto, dos quintos; beyond ten one is said over the other.
func spanishPart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	return noun{'m', []string{ordinal("masculine"), ordinal("masculine") + "s"}}
}

package spoken

import "strings"

// portuguese is read as in Brazil.
func portuguese() *voice {
	return &voice{
		code: "pt", decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "}, gendered: true,
		agree: portugueseAgree, part: portuguesePart,
		regnal: romanWords{upTo: 10},
	}
}

// portugueseResult reports whether the x after a number, before the one at a place,
// parts the goals of a game: nobody multiplies by nothing, and a word before tells of one.
func portugueseResult(s *scan, a amount, next int) bool {
	end := s.run(next, isDigit)
	if next > a.end+3 || len(a.whole) > 2 || end-next > 2 || !s.end(end) {
		return false
	}
	if a.whole == "0" || s.text[next:end] == "0" {
		return true
	}
	return s.lang.voice.game(s, a.start)
}

// portugueseAgree tells the gender of what is counted from its ending.
func portugueseAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || oneOf(before, "capítulo página número artigo grupo nível fase tomo versão volume parte tipo linha") ||
		oneOf(noun, "e o a de da das em na nas por para com sem que é mais menos até era") {
		return 0
	}
	feminine := endsIn(noun, "as ções sões dades mulheres vezes noites tardes partes mães cidades viagens colheres flores cores dores torres mãos ordens imagens páginas fases bases frases classes redes sedes aves chaves torres nuvens leis pazes luzes vozes cruzes raízes mentes gentes pontes fontes sementes correntes enchentes")
	if digits == "1" {
		feminine = endsIn(noun, "a ção são dade mulher vez noite tarde parte mãe viagem colher flor cor dor torre mão ordem imagem fase base frase classe rede sede ave chave nuvem lei luz voz cruz raiz mente ponte fonte semente corrente enchente")
	}
	if feminine && !oneOf(noun, "dias dia mapas mapa problemas problema sistemas sistema temas tema programas programa planetas planeta idiomas idioma gramas grama quilogramas") {
		return 'f'
	}
	return 0
}

// portuguesePart: um quinto, dois quintos; beyond ten one is said over the other.
func portuguesePart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	return noun{'m', []string{ordinal("masculine"), ordinal("masculine") + "s"}}
}

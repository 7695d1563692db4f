package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// german: a full stop after digits makes an ordinal, whose ending the words
// before it decide; years below 2000 are counted in hundreds.
func german() *voice {
	return &voice{
		code: "de", decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "}, gendered: true,
		letters: germanLetters, agree: germanAgree, part: germanPart,
		date: dateWords{kind: numbers.Ordinal, yearNext: func(before, next string) bool {
			r, _ := utf8.DecodeRuneInString(next)
			return !unicode.IsUpper(r) || oneOf(before, "jahr jahre jahres seit anno sommer winter herbst frühling januar februar märz april mai juni juli august september oktober november dezember")
		}},
		clock:    clockWords{dots: true, always: true},
		ordinals: ordinalWords{stop: germanOrdinal},
		regnal:   romanWords{upTo: 99, capital: true},
	}
}

// germanBegins are words that begin a sentence after the full stop of a king's
// numeral, as nouns have a capital in the middle of one too.
const germanBegins = `Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ihr Ich Im In Am An Auf Aus Bei Bis Mit Nach Von Vor Zu Zum Zur Über Unter Um Für
	Durch Ohne Gegen Seit Während Wegen Trotz Und Aber Doch Denn Oder Als Wenn Weil Da Dann Dort Hier Jetzt Heute Später Danach Auch Nur So Wie Was Wer Wo Warum
	Diese Dieser Dieses Jeder Jede Seine Sein Ihre Kein Keine Man Nicht Noch Schon Erst Viele Alle Einige`

// germanLetters writes the street out that is cut at the end of its name.
func germanLetters(text string) string { return cutStreet(text, "straße") }

// germanOrdinal tells the ending of an ordinal, and whether it is one: before a
// noun the words in front of it must ask for one.
func germanOrdinal(before, earlier, next string) (form string, ok bool) {
	before = strings.ToLower(before)
	small := unicode.IsLower([]rune(next)[0])
	switch {
	case before == "der" && oneOf(strings.ToLower(earlier), "in an auf mit von zu bei nach aus vor seit während wegen trotz"):
		return "n", true
	case oneOf(before, "der die das eine seine ihre meine unsere diese jede"):
		return "", true
	case oneOf(before, "am im zum zur vom beim ins den dem des einen einem eines einer seinen seinem seiner seines ihren ihrem ihrer diesem diesen dieser jedem jeden"):
		return "n", true
	case oneOf(before, "ein sein ihr mein") || oneOf(next, "Platz Teil Stock Tag Akt"):
		return "r", true
	case oneOf(next, "Jahrhundert Kapitel"):
		return "s", true
	case oneOf(next, "Klasse Auflage Ausgabe Liga Etage Runde Weltkrieg"):
		return "", true
	}
	return "", small && !oneOf(next, "und oder bis")
}

// germanAgree: only one has a gender, and what it counts has a capital.
func germanAgree(digits, before, noun string) byte {
	first, _ := utf8.DecodeRuneInString(before)
	if digits != "1" || strings.ToLower(noun) == noun || unicode.IsUpper(first) && oneOf(before, "Kapitel Seite Nummer Artikel Gruppe Stufe Phase Band Version Teil Typ Linie Platz Gleis Zimmer Raum") {
		return 0
	}
	if endsIn(noun, "e ung heit keit schaft ion tät in Frau Stadt Nacht Million Milliarde Mutter Tochter Schwester Person") && !oneOf(noun, "Name Kollege Junge Buchstabe Käse Ende Auge Gebäude Termin Berlin") {
		return 'f'
	}
	return 'm'
}

// germanPart: ein Fünftel; what is beyond nineteen has none that is said.
func germanPart(n int, ordinal func(form string) string) noun {
	if n >= 20 {
		return noun{}
	}
	return noun{'n', []string{capital(ordinal("")) + "l"}}
}

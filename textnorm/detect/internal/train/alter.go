package main

import (
	"math/rand/v2"
	"strings"
)

// Keyboards differ: Persian typed with Arabic letters is Persian all the same,
// and so is Czech without its accents Czech. A model that has seen only careful
// text would lean on those letters alone. asLatin1 is Turkish in its own code
// page read as Latin-1, which the web is full of.
var (
	arabicLetters = strings.NewReplacer("ی", "ي", "ک", "ك")
	persianYeh    = strings.NewReplacer("ي", "ی", "ك", "ک")
	asLatin1      = strings.NewReplacer("ı", "ý", "ş", "þ", "ğ", "ð", "İ", "Ý", "Ş", "Þ", "Ğ", "Ð")
	withoutAccent = strings.NewReplacer(
		"á", "a", "à", "a", "â", "a", "ã", "a", "ä", "a", "ą", "a", "é", "e", "è", "e", "ê", "e", "ë", "e", "ě", "e", "ę", "e",
		"í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ö", "o", "ő", "o",
		"ú", "u", "ù", "u", "û", "u", "ü", "u", "ů", "u", "ű", "u", "ý", "y", "ç", "c", "č", "c", "ć", "c", "ď", "d", "ğ", "g",
		"ł", "l", "ñ", "n", "ň", "n", "ń", "n", "ř", "r", "š", "s", "ş", "s", "ś", "s", "ť", "t", "ž", "z", "ź", "z", "ż", "z")
)

// altered changes some fragments as careless text would be.
func altered(fragment, code string, random *rand.Rand) string {
	dice := random.IntN(100)
	switch {
	case code == "fa" && dice < 10:
		return arabicLetters.Replace(fragment)
	case code == "ar" && dice < 1:
		return persianYeh.Replace(fragment)
	case code == "tr" && dice < 8 && dice >= 4:
		return asLatin1.Replace(fragment)
	case code != "fa" && code != "ar" && dice < 4:
		return withoutAccent.Replace(strings.ToLower(fragment))
	}
	return fragment
}

package mojibake

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// alphabets are the letters beyond ASCII of each language, after the exemplar characters of
// CLDR; of the European ones some that only loans have.
var alphabets = map[string]string{
	"de": "äöüßàéè", "fr": "àâæçéèêëîïôœùûüÿ", "es": "áéíñóúü", "it": "àéèìóòùîï", "pt": "áàâãçéêíóôõúü", "nl": "áäéëíïóöúü",
	"pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "hu": "áéíóöőúüű", "tr": "çğıöşüâîû", "sv": "åäöé", "da": "åæøé", "nb": "åæøéò", "fi": "äöåšž",
	"is": "áðéíóúýþæö", "ro": "ăâîșț", "hr": "čćđšž", "sk": "áäčďéíĺľňóôŕšťúýž", "sl": "čšž", "et": "äöõüšž", "lv": "āčēģīķļņšūž", "lt": "ąčęėįšųūž", "ca": "àçéèíïóòúü", "vi": "ăâđêôơưàảãáạ",
	"ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя", "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", "el": "αάβγδεέζηήθιίϊκλμνξοόπρσςτυύϋφχψωώ",
	"ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي", "fa": "آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی", "he": "אבגדהוזחטיכלמנסעפצקרשת", "hi": "अआइईउऊएओकखगघचछजझटठडढतथदधनपफबभमयरलवशसह",
}

// TestTwoLettersOfAnAlphabet: any two letters of a language beside each other in a word,
// small or in capitals, are no damage: its bytes in a code page may well be UTF-8.
func TestTwoLettersOfAnAlphabet(t *testing.T) {
	for _, code := range slices.Sorted(maps.Keys(alphabets)) {
		letters := []rune(alphabets[code])
		for _, a := range letters {
			for _, b := range letters {
				word := "ma" + string(a) + string(b) + "ne"
				if a > 0x250 {
					word = string([]rune{letters[3], a, b, letters[5], letters[8]})
				}
				for _, text := range []string{"to " + word + ", ok", word, strings.ToUpper(word), "(" + word + ") " + word} {
					if repaired, found := Repair(text); repaired != text || found != nil {
						t.Errorf("%s: Repair(%q) = %q %+v", code, text, repaired, found)
					}
				}
			}
		}
	}
}

// TestSignsBesideLetters: what may stand before and after a word of a language makes no
// damage of its first and last letter, whichever they are.
func TestSignsBesideLetters(t *testing.T) {
	before, after := []string{"", "«", "“", "„", "(", "—", "¿", "‘"}, []string{"", "»", "”", "“", "…", ")", "—", "’", "?", ".”", "…»", "!"}
	for _, code := range slices.Sorted(maps.Keys(alphabets)) {
		letters := []rune(alphabets[code])
		for _, a := range letters {
			word := string(a) + "ma" + string(a)
			if a > 0x250 {
				word = string([]rune{a, letters[3], letters[5], a})
			}
			for _, open := range before {
				for _, shut := range after {
					text := "so " + open + word + shut + " so"
					if repaired, _ := Repair(text); repaired != text {
						t.Errorf("%s: Repair(%q) = %q", code, text, repaired)
					}
				}
			}
		}
	}
}

// TestWordsByChance: four words of chance letters of one alphabet, misread in a page, are
// found, and no stretch of them becomes what it was not. The letters decide, no words.
func TestWordsByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	var n [pageCount]tally
	for _, code := range slices.Sorted(maps.Keys(alphabets)) {
		letters := []rune(alphabets[code])
		if letters[0] < 0x250 {
			letters = append(letters, []rune("aeiounrstlmd")...)
		}
		for range rounds {
			var words [4]string
			for i := range words {
				for range 3 + r.IntN(5) {
					words[i] += string(letters[r.IntN(len(letters))])
				}
			}
			if text := strings.Join(words[:], " "); !isASCII(text) {
				for which := range pages {
					n[which].add(t, text, which, keep)
				}
			}
		}
	}
	for which, n := range n {
		t.Logf("%s: %+v", pages[which].name, n)
		if n.lines < 200 || n.wrong > 0 || 1000*n.found < 999*n.lines || 100*n.exact < 99*n.lines {
			t.Errorf("%s: %+v; want 999 of 1000 found, 99 %% exact, none wrong", pages[which].name, n)
		}
	}
}

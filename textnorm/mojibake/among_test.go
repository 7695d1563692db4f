package mojibake

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// misread is a text whose UTF-8 was read in a code page by the library of Go's
// authors; a byte that the page has no character for is a control character, as
// browsers have it.
func misread(text string, page *charmap.Charmap) string {
	var b strings.Builder
	for i := range len(text) {
		r := page.DecodeByte(text[i])
		if r == unicode.ReplacementChar {
			r = rune(text[i])
		}
		b.WriteRune(r)
	}
	return b.String()
}

// byName are the pages that a text is misread in here.
var byName = map[string]*charmap.Charmap{"windows-1252": charmap.Windows1252, "iso-8859-1": charmap.ISO8859_1, "windows-1254": charmap.Windows1254,
	"windows-1256": charmap.Windows1256, "macintosh": charmap.Macintosh}

// ofEach is a sentence in each of the 19 languages, with letters that only it has
// where there are such.
var ofEach = map[string]string{
	"en": "The café’s “naïve” façade cost £20 — or €25.",
	"de": "Die Straße führt über Köln nach Düsseldorf, größer und schöner.",
	"fr": "L’été dernier, j’ai mangé des crêpes à la crème brûlée.",
	"es": "El niño pequeño comió piña en la montaña, ¿verdad?",
	"it": "Perché la città è così piena di caffè e università?",
	"pt": "A informação não está no coração da questão, irmãos.",
	"nl": "Het coördineren van geïnteresseerde reünisten vergt énige ruïne.",
	"pl": "Zażółć gęślą jaźń, powiedział wesoły chłopiec z Łodzi.",
	"cs": "Příliš žluťoučký kůň úpěl ďábelské ódy v čase přestávky.",
	"hu": "Árvíztűrő tükörfúrógép állt a kertben, és őrült hűvös volt.",
	"tr": "Çocuk güneşli bir gün öğretmenine şeker ve ıslak çiçek verdi.",
	"ru": "Вчера вечером мы ходили в театр смотреть новый спектакль.",
	"uk": "Їжак і ґава зустріли єнота біля річки ввечері.",
	"ar": "ذهبت إلى السوق لشراء الخبز والحليب والفاكهة.",
	"fa": "دیروز به بازار رفتم و کتابی تازه خریدم؛ چه روزی بود.",
	"hi": "कल शाम हम सब मिलकर नया नाटक देखने गए थे।",
	"zh": "昨天晚上我们去剧院看了一场新的戏剧。",
	"ja": "昨日の夜、私たちは劇場で新しい芝居を見ました。",
	"ko": "어제 저녁에 우리는 극장에서 새로운 연극을 보았다.",
}

// TestEveryLanguageByEveryPage: a sentence that was misread in a page is told, by the
// name of a page that makes the same of it, and comes back; twice misread too. The
// sentence itself stays.
func TestEveryLanguageByEveryPage(t *testing.T) {
	for code, text := range ofEach {
		if got, found := Repair(text); got != text || found != nil {
			t.Errorf("%s: Repair(%q) = %q %+v", code, text, got, found)
		}
		for name, page := range byName {
			damaged := misread(text, page)
			repaired, found := Repair(damaged)
			checkSpans(t, damaged, repaired, found)
			if repaired != text {
				t.Errorf("%s by %s: Repair(%q) = %q, want %q", code, name, damaged, repaired, text)
			}
			for _, f := range found {
				if as := byName[f.As]; as == nil || misread(f.Text, as) != damaged[f.Start:f.End] {
					t.Errorf("%s by %s: %q was %q by %s, which does not make it", code, name, damaged[f.Start:f.End], f.Text, f.As)
				}
			}
			for again, other := range byName {
				twice := misread(damaged, other)
				if got, _ := Repair(twice); got != text {
					t.Errorf("%s by %s, then %s: Repair(%q) = %q, want %q", code, name, again, twice, got, text)
				}
			}
		}
	}
}

// TestDamageAmongCleanText: where a line of one language was misread and stands between
// clean ones of others, it alone is found, and the rest keeps its bytes.
func TestDamageAmongCleanText(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	rounds, whole, total := 400, 0, 0
	if testing.Short() {
		rounds = 100
	}
	sets := clean(t)
	var codes []string
	for code := range ofEach {
		if len(sets[code]) > 0 {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes) // so that a seed draws the same lines in each run
	draw := func() string { lines := sets[codes[r.IntN(len(codes))]]; return lines[r.IntN(len(lines))] }
	for range rounds {
		before, text, after := draw(), draw(), draw()
		for name, page := range byName {
			damaged := misread(text, page)
			if damaged == text || hasControls(before+text+after) {
				continue
			}
			line := before + "\n" + damaged + "\n" + after
			repaired, found := Repair(line)
			checkSpans(t, line, repaired, found)
			total++
			if repaired == before+"\n"+text+"\n"+after {
				whole++
			}
			if !strings.HasPrefix(repaired, before+"\n") || !strings.HasSuffix(repaired, "\n"+after) {
				t.Errorf("%s: Repair(%q) = %q changes what was clean", name, line, repaired)
			}
			for _, f := range found {
				if f.Start <= len(before) || f.End > len(before)+1+len(damaged) {
					t.Errorf("%s: %q is found in %q", name, line[f.Start:f.End], line)
				}
			}
		}
	}
	// Letters of other languages beside it leave some stretches with two readings.
	if 2*whole < total {
		t.Errorf("%d of %d lines come out whole, want half of them", whole, total)
	}
}

// hyphenated is a text with a soft hyphen after each small letter that has two letters of
// its word on both sides.
func hyphenated(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		b.WriteRune(r)
		inside := i > 0 && i+2 < len(runes) && unicode.IsLower(r)
		if inside && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) && unicode.IsLetter(runes[i+2]) {
			b.WriteRune('\u00ad')
		}
	}
	return b.String()
}

// TestSoftHyphens: the places at which a word may be broken are no damage, whatever
// stands in the next line. A letter with an accent and a soft hyphen are, in Latin-1, two
// of the three bytes of a character that no European text has inside a word.
func TestSoftHyphens(t *testing.T) {
	lines := []string{
		"Jobb ha\u00adzá\u00adba szál\u00adló lel\u00adke ma is a Ki\u00adrály\u00adhá\u00adgót, az er\u00addé\u00adlyi Me\u00adző\u00adsé\u00adget lát\u00adja.",
		"A Székely Nemzeti Mú\u00adzeum.",
	}
	for _, code := range slices.Sorted(maps.Keys(ofEach)) {
		lines = append(lines, hyphenated(ofEach[code]))
	}
	for _, line := range lines {
		if repaired, found := Repair(line); repaired != line || found != nil {
			t.Errorf("Repair(%q) = %q %+v, want no change", line, repaired, found)
		}
		for _, text := range ofEach {
			for name, page := range byName {
				both := line + "\n" + misread(text, page)
				repaired, found := Repair(both)
				if !strings.HasPrefix(repaired, line+"\n") {
					t.Errorf("before %q by %s: Repair(%q) = %q", text, name, both, repaired)
				}
				for _, f := range found {
					if f.Start < len(line) {
						t.Errorf("before %q by %s: %+q is found in %q", text, name, both[f.Start:f.End], line)
					}
				}
			}
		}
	}
}

// TestAWordAlone: a single misread word in an English sentence becomes the word, or
// stays as it is; it never becomes another one.
func TestAWordAlone(t *testing.T) {
	right, left := 0, 0
	for code, text := range ofEach {
		for _, word := range strings.Fields(text) {
			if isASCII(word) {
				continue
			}
			for name, page := range byName {
				line := "He said " + misread(word, page) + " to them."
				repaired, found := Repair(line)
				checkSpans(t, line, repaired, found)
				switch repaired {
				case "He said " + word + " to them.":
					right++
				case line:
					left++
				default:
					t.Errorf("%s by %s: Repair(%q) = %q, want %q or no change", code, name, line, repaired, word)
				}
			}
		}
	}
	if 20*left > right {
		t.Errorf("%d words come back and %d do not, want one of 20 at most", right, left)
	}
}

// TestWhatIsRepairedStays: no part of a repaired text is found as damage once more, and
// ASCII around a text changes nothing in it.
func TestWhatIsRepairedStays(t *testing.T) {
	for code, text := range ofEach {
		for name, page := range byName {
			repaired, _ := Repair(misread(text, page))
			if again := Find(repaired); again != nil {
				t.Errorf("%s by %s: Find(%q) = %+v after its repair", code, name, repaired, again)
			}
			bare := Find(misread(text, page))
			framed := Find("First, some words. " + misread(text, page) + " And the end.")
			if len(bare) != len(framed) {
				t.Errorf("%s by %s: %d stretches, %d between ASCII", code, name, len(bare), len(framed))
				continue
			}
			const shift = len("First, some words. ")
			for i := range bare {
				bare[i].Start, bare[i].End = bare[i].Start+shift, bare[i].End+shift
				if bare[i] != framed[i] {
					t.Errorf("%s by %s: %+v, between ASCII %+v", code, name, bare[i], framed[i])
				}
			}
		}
	}
}

package textnorm

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
)

// The digest of chars-1. It never changes: trained models depend on the ids.
const chars1Digest = "1131c73199848c579d366122f46ebe6e68d45320d3a932482f287f4929e969cf"

func TestChars1IsFrozen(t *testing.T) {
	got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(chars1(), "\n"))))
	if got != chars1Digest {
		t.Errorf("digest of chars-1 = %s, want %s: make a new table instead", got, chars1Digest)
	}
}

func TestChars1Specials(t *testing.T) {
	got := strings.Join(chars1()[:6], "")
	if want := "<pad><unk><bos><eos><blank> "; got != want {
		t.Errorf("first symbols = %q, want %q", got, want)
	}
	if errs := (TokenizerConfig{}).Check(); len(errs) > 0 {
		t.Errorf("Check of chars-1 = %v", errs)
	}
}

// Sentences with every letter of an alphabet, most of them pangrams, upper and
// lower case.
func TestChars1SpellsTheLanguages(t *testing.T) {
	letters := map[string]string{
		"English": "the quick brown fox jumps over the lazy dog", "Spanish": "áéíñóúü ¿¡", "French": "àâæçéèêëîïôœùûüÿ «»",
		"German": "äöüß", "Italian": "àèéìíîòóùú", "Portuguese": "ãáâàçéêíõóôúü", "Polish": "ąćęłńóśźż", "Turkish": "çğıöşüâîû",
		"Dutch": "ëïéèêĳ", "Czech": "áčďéěíňóřšťúůýž", "Slovak": "áäčďéíĺľňóôŕšťúýž", "Hungarian": "áéíóöőúüű",
		"Romanian": "ăâîșțşţ", "Croatian": "čćđšž", "Slovene": "čšž", "Danish": "æøå", "Swedish": "åäö", "Finnish": "åäöšž",
		"Estonian": "äõöüšž", "Latvian": "āčēģīķļņšūž", "Lithuanian": "ąčęėįšųūž", "Maltese": "ċġħż", "Irish": "áéíóú",
		"Icelandic": "áðéíóúýþæö", "Catalan": "àçèéíïòóúü·", "Welsh": "âêîôûŵŷẁẃẅỳ", "Azerbaijani": "çəğıöşü", "Sami": "áčđŋšŧžǥǧǩʒǯ",
		"Esperanto": "ĉĝĥĵŝŭ", "Greek": "αβγδεζηθικλμνξοπρςστυφχψωάέήίόύώϊϋΐΰ",
		"Russian": "съешь же ещё этих мягких французских булок да выпей чаю", "Ukrainian": "ґєіїщьюя'ʼ",
		"Belarusian": "ўіэы", "Bulgarian": "ъщюяѝ", "Serbian": "ђјљњћџ", "Macedonian": "ѓѕќѐѝ",
		"Arabic":  "ءآأؤإئابةتثجحخدذرزسشصضطظعغـفقكلمنهوىي ًٌٍَُِّْٰ ،؛؟",
		"Persian": "آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی می\u200cروم خانهٔ ۀ ۰۱۲۳۴۵۶۷۸۹ ٪٫٬ «»",
		"digits":  "0123456789 ٠١٢٣٤٥٦٧٨٩", "punctuation": `.,;:!?'"()[]{}-–—…‘’“”„`,
	}
	tok := newTokenizer(t, TokenizerConfig{Unknown: UnknownReject})
	for language, s := range letters {
		// "İ" and "ı" are apart in Turkish, and ToUpper gives only one of them.
		s = Compose(s)
		for _, text := range []string{s, strings.ToUpper(s), "Iİıi"} {
			if text == strings.ToUpper(s) && (language == "Greek" || language == "Welsh") {
				text = strings.Map(func(r rune) rune { // these capitals have no one code point in use
					if strings.ContainsRune("ΐΰ", r) {
						return -1
					}
					return r
				}, text)
			}
			ids, _, err := tok.Encode(nil, text)
			if err != nil {
				t.Errorf("%s: Encode(%q): %v", language, text, err)
				continue
			}
			if got := tok.Decode(ids); got != text {
				t.Errorf("%s: Decode(Encode(%q)) = %q", language, text, got)
			}
		}
	}
}

package detect

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// everyday are lines that people write, three in each language, from no corpus.
var everyday = map[string][]string{
	"en": {"I left my umbrella on the bus again this morning.", "Could you please close the window before you leave?", "We have been waiting here for almost an hour."},
	"es": {"Mañana tengo que llevar a los niños al colegio.", "¿Sabes dónde está la parada del autobús?", "Hace mucho frío, así que ponte el abrigo."},
	"fr": {"Je n’ai pas encore reçu la réponse du médecin.", "Est-ce que tu veux manger avec nous ce soir ?", "Il pleut depuis trois jours et la rivière monte."},
	"de": {"Ich habe gestern meinen Schlüssel im Büro vergessen.", "Könnten Sie mir bitte sagen, wie spät es ist?", "Wir fahren am Wochenende mit dem Zug ans Meer."},
	"it": {"Domani mattina devo andare dal medico con mia madre.", "Scusi, a che ora parte il prossimo treno?", "Non ho ancora finito di leggere quel libro."},
	"pt": {"Amanhã não vou poder ir à reunião com vocês.", "Você sabe onde fica a estação mais próxima?", "Ela comprou pão e queijo na padaria da esquina."},
	"pl": {"Wczoraj wieczorem zapomniałem kupić chleb i mleko.", "Czy możesz mi powiedzieć, która jest godzina?", "Nasz pociąg znowu przyjechał z dużym opóźnieniem."},
	"tr": {"Dün akşam eve dönerken anahtarımı kaybettim.", "Bana en yakın durağın nerede olduğunu söyler misiniz?", "Hava çok soğuk, montunu giymeyi unutma."},
	"ru": {"Вчера вечером я забыл купить хлеб и молоко.", "Скажите, пожалуйста, который сейчас час?", "Наш поезд опять приехал с большим опозданием."},
	"nl": {"Ik ben gisteren mijn sleutels op kantoor vergeten.", "Kunt u mij vertellen hoe laat het nu is?", "We gaan dit weekend met de trein naar zee."},
	"cs": {"Včera večer jsem zapomněl koupit chleba a mléko.", "Můžete mi prosím říct, kolik je hodin?", "Náš vlak zase přijel s velkým zpožděním."},
	"ar": {"نسيت مفاتيحي في المكتب مساء أمس.", "هل يمكنك أن تخبرني كم الساعة الآن من فضلك؟", "سنذهب إلى البحر بالقطار في نهاية الأسبوع."},
	"zh": {"我昨天晚上忘记买面包和牛奶了。", "请问现在几点了？", "我们周末要坐火车去海边。"},
	"hu": {"Tegnap este elfelejtettem kenyeret és tejet venni.", "Meg tudná mondani, hány óra van most?", "A vonatunk megint nagy késéssel érkezett."},
	"ko": {"어제 저녁에 빵과 우유를 사는 것을 잊어버렸어요.", "지금 몇 시인지 알려 주시겠어요?", "우리는 주말에 기차를 타고 바다에 갈 거예요."},
	"ja": {"昨日の夜、パンと牛乳を買うのを忘れました。", "すみません、今何時ですか。", "週末に電車で海へ行くつもりです。"},
	"hi": {"मैं कल शाम रोटी और दूध खरीदना भूल गया।", "क्या आप बता सकते हैं कि अभी कितने बजे हैं?", "हम सप्ताह के अंत में रेलगाड़ी से समुद्र जाएँगे।"},
	"fa": {"دیشب یادم رفت نان و شیر بخرم.", "ممکن است بگویید الان ساعت چند است؟", "آخر هفته با قطار به کنار دریا می\u200cرویم."},
	"uk": {"Учора ввечері я забув купити хліб і молоко.", "Скажіть, будь ласка, котра зараз година?", "Наш потяг знову приїхав із великим запізненням."},
}

func eachEveryday(t *testing.T, f func(code, line string)) {
	t.Helper()
	for _, code := range Codes() {
		if len(everyday[code]) < 3 {
			t.Errorf("%d lines of %s, want three", len(everyday[code]), code)
		}
		for _, line := range everyday[code] {
			f(code, line)
		}
	}
}

// TestEverydayLines: each is told, among all languages and alone, and has no span of
// another script.
func TestEverydayLines(t *testing.T) {
	eachEveryday(t, func(code, line string) {
		if got, sure := detector.Detect(line, nil); got != code || sure < 0.5 {
			t.Errorf("Detect(%q) = %s, %v, want %s", line, got, sure, code)
		}
		if got, sure := detector.Detect(line, []string{code}); got != code || sure < 0.99 {
			t.Errorf("Detect(%q) among %s = %s, %v", line, code, got, sure)
		}
		if spans := detector.Spans(line, code, nil); spans != nil || !Alone(line, code) {
			t.Errorf("Spans(%q, %s) = %v, alone %v", line, code, spans, Alone(line, code))
		}
		if Foreign(line) {
			t.Errorf("Foreign(%q) = true", line)
		}
	})
}

// TestWhatIsNoEvidence: the case of letters, accents as marks of their own, digits,
// signs, spaces, addresses and repetition change no language.
func TestWhatIsNoEvidence(t *testing.T) {
	changes := map[string]func(string) string{
		"capitals":         strings.ToUpper,
		"accents apart":    norm.NFD.String,
		"digits and signs": func(s string) string { return "12:30 — (" + s + ") … 99 %! \t ۱۲" },
		"an address":       func(s string) string { return "https://www.example.com/the/and/for " + s + " someone@example.org" },
		"spaces":           func(s string) string { return "  " + strings.ReplaceAll(s, " ", " \u00a0 ") + "\n" },
		"twice":            func(s string) string { return s + " " + s },
		"bytes":            func(s string) string { return "\xff" + s + "\xc3" },
		"lines":            func(s string) string { return strings.ReplaceAll(s, " ", "\n") },
	}
	eachEveryday(t, func(code, line string) {
		for name, change := range changes {
			switch {
			case name == "capitals" && code == "tr":
				change = func(s string) string { return strings.ToUpperSpecial(unicode.TurkishCase, s) }
			case name == "accents apart" && (code == "ko" || code == "ja"):
				continue // the parts of syllables are no accents
			}
			if got, _ := detector.Detect(change(line), nil); got != code {
				t.Errorf("%s: Detect(%q) = %s, want %s", name, change(line), got, code)
			}
		}
	})
}

// TestTheOrderOfCodesSaysNothing: neither their order, nor one that is named twice, nor
// one that nobody knows changes the answer; fewer codes do not make it less sure.
func TestTheOrderOfCodesSaysNothing(t *testing.T) {
	eachEveryday(t, func(code, line string) {
		among := []string{"en", "fr", "de", "ru", "uk", "fa", "ar", "zh", "ja", code}
		got, sure := detector.Detect(line, among)
		slices.Reverse(among)
		if other, also := detector.Detect(line, append(among, "xx", code, "en")); other != got || also != sure {
			t.Errorf("Detect(%q) = %s, %v, in another order %s, %v", line, got, sure, other, also)
		}
		all, less := detector.Detect(line, nil)
		if all == got && sure < less {
			t.Errorf("Detect(%q) = %s, %v among few and %v among all", line, got, sure, less)
		}
		without := slices.DeleteFunc(Codes(), func(c string) bool { return c == code })
		if got, _ := detector.Detect(line, without); got == code {
			t.Errorf("Detect(%q) = %s, which was not asked for", line, got)
		}
	})
}

// TestSpansOfTwoLanguages: a line of another script inside a sentence is one span, from
// its first letter to its last.
func TestSpansOfTwoLanguages(t *testing.T) {
	script := map[string]string{"ru": "cyrillic", "uk": "cyrillic", "ar": "arabic", "fa": "arabic", "zh": "east", "ja": "east", "ko": "hangul", "hi": "devanagari"}
	letters := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }
	eachEveryday(t, func(code, line string) {
		for other, inside := range everyday {
			if script[other] == script[code] || script[code] == "east" || script[other] == "east" {
				continue // ideographs have several languages
			}
			text := line + " «" + inside[0] + "» " + line
			spans := detector.Spans(text, code, []string{code, other})
			part := strings.TrimFunc(inside[0], letters)
			if len(spans) != 1 || text[spans[0].Start:spans[0].End] != part || spans[0].Code != other {
				t.Errorf("Spans(%q, %s) = %v, want %q in %s", text, code, spans, part, other)
			}
			if Alone(text, code) {
				t.Errorf("Alone(%q, %s) = true", text, code)
			}
		}
	})
}

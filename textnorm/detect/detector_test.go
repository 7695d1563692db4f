package detect

import (
	"testing"
)

var detector = New()

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		among      []string
		want       string
	}{
		{"english", "The birch canoe slid on the smooth planks.", nil, "en"},
		{"german words that the substring test of others takes for English", "Das ist ein Haus", nil, "de"},
		{"french", "Bonjour tout le monde", nil, "fr"},
		{"italian", "Il gatto dorme sul divano", nil, "it"},
		{"persian, not arabic", "سلام، این یک آزمایش است", nil, "fa"},
		{"persian typed with arabic letters", "اين كتاب را به من بده و برو", nil, "fa"},
		{"persian letters in presentation forms", "ﺍﯾﻦ ﮐﺘﺎﺏ ﺭﺍ ﺑﻪ ﻣﻦ ﺑﺪﻩ", nil, "fa"},
		{"arabic", "ذهب الولد إلى المدرسة في الصباح", nil, "ar"},
		{"arabic with vowel signs", "ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ", nil, "ar"},
		{"kana before han", "昨日は東京へ行きました", nil, "ja"},
		{"han alone", "我昨天去了北京", nil, "zh"},
		{"han alone where only japanese is asked for", "東京都", []string{"en", "ja"}, "ja"},
		{"hangul", "나는 어제 서울에 갔다", nil, "ko"},
		{"devanagari", "मैं कल दिल्ली गया था", nil, "hi"},
		{"cyrillic", "Вчера я ездил в Москву", nil, "ru"},
		{"ukrainian, not russian", "Учора я їздив до Києва", nil, "uk"},
		{"ukrainian without a letter that russian lacks", "Вона читала книгу про море та гори", nil, "uk"},
		{"one cyrillic language in the set", "Учора я їздив до Києва", []string{"en", "ru"}, "ru"},
		{"turkish capitals", "BUGÜN HAVA ÇOK GÜZEL, DIŞARI ÇIKALIM", nil, "tr"},
		{"accents as marks of their own", "Pr\u030Ci\u0301li\u0301s\u030C z\u030Clut\u030Couc\u030Cky\u0301 ku\u030An\u030C", nil, "cs"},
		{"latin names in persian text", "من از Windows و Microsoft Office استفاده می\u200cکنم", nil, "fa"},
		{"a persian word in english text", "The word سلام means hello in Persian", nil, "en"},
		{"an address says nothing", "سایت ما https://www.example.com/a/very/long/path/of/words و info@example.org است", nil, "fa"},
		{"an address alone", "www.example.com", nil, Undetermined},
		{"restricted to what the set is written in", "Hello world, سلام", []string{"fa"}, "fa"},
		{"one latin language in the set", "Guten Morgen, wie geht es Ihnen?", []string{"en", "fa"}, "en"},
		{"no language of the set has the script", "Guten Morgen", []string{"fa", "ru"}, Undetermined},
		{"a code that is not known", "Guten Morgen", []string{"xx"}, Undetermined},
		{"an empty set", "Guten Morgen", []string{}, Undetermined},
		{"digits", "12:30, 1.234,56 – 50 %", nil, Undetermined},
		{"nothing", "", nil, Undetermined},
		{"another script", "Καλημέρα κόσμε", nil, Undetermined},
		{"no utf-8", "\xff\xfe\x80", nil, Undetermined},
	} {
		got, confidence := detector.Detect(c.text, c.among)
		if got != c.want {
			t.Errorf("%s: Detect(%q) = %s, want %s", c.rule, c.text, got, c.want)
		}
		if (got == Undetermined) != (confidence == 0) || confidence < 0 || confidence > 1 {
			t.Errorf("%s: Detect(%q) = %s with confidence %v", c.rule, c.text, got, confidence)
		}
	}
}

package forms

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestCompat(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"Arabic presentation forms", "ﺳﻼﻡ", "سلام"},
		{"ligatures of two letters", "ﻻ ﻷ ﷲ", "لا لأ الله"},
		{"a phrase in one character", "ﷺ", "صلى الله عليه وسلم"},
		{"a mark with a place of its own meets its letter", "ﺑﹱ ﺏﹰ ﹶ", "بـً بً َ"},
		{"Latin ligatures", "ﬁve oﬀers, ﬄ, ﬆ", "five offers, ffl, st"},
		{"Armenian ligatures", "ﬓ", "մն"},
		{"Hebrew forms", "ﭏ שּׁ", "אל שּׁ"},
		{"full-width letters and digits", "ＡＢＣ ａｂｃ １２３", "ABC abc 123"},
		{"marks between them", "Ｈｅｌｌｏ，ｗｏｒｌｄ！", "Hello,world!"},
		{"numbers", "１，０００．５％ １０：３０", "1,000.5% 10:30"},
		{"marks of Chinese stay", "你好，世界！（对）：Ａ", "你好，世界！（对）：A"},
		{"rows of them too", "「本当」！？ Ａ！？だ", "「本当」！？ A！？だ"},
		{"also beside digits", "３人，１０：３０，2个", "3人，10:30，2个"},
		{"marks of Korean do not", "안녕，세계！", "안녕,세계!"},
		{"half-width katakana", "ｶﾀｶﾅ ﾃｽﾄｰ｡", "カタカナ テストー。"},
		{"voicing marks compose", "ｶﾞｷﾞ ﾊﾟﾊﾞ ｳﾞ カﾞ", "ガギ パバ ヴ ガ"},
		{"half-width Hangul composes", "ﾡￂ", "가"},
		{"money and a macron", "￥５ ￡ ￦ ￠ ￣", "¥5 £ ₩ ¢ ¯"},
		{"a letter meets its mark", "ｅ\u0301", "é"},
		{"digraphs of Croatian", "ǆep Ǆ ǅ ǉ ǌ ǳ", "džep DŽ Dž lj nj dz"},
		{"ŉ", "ŉ", "ʼn"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, changed := Compat(tt.text)
			if got != tt.want || !changed {
				t.Errorf("Compat(%q) = %q %+q, %v, want %q", tt.text, got, got, changed, tt.want)
			}
		})
	}
}

// What carries a meaning of its own, and what is no form of another letter, stays.
func TestCompatKeeps(t *testing.T) {
	for _, text := range []string{
		"", "plain", "é e\u0301 ñ Å ộ", "5² x₂ ½ ⅓ Ⅳ ⅷ ① ⓐ ™ ℃ № µ Ω …", "ĳ Ĳ ŀ Ŀ œ æ ß ſ", "﷼ ۵۰۰", "﷽", "\ufeffa", "سلام ـه ۀ می\u200cروم", "ٵ և",
		"你好，世界！", "「本当？」", "（株）", "ガ カ\u3099", "\uffa0", "\ufffd", "\xef", "\xef\xbc", "a\xc7",
	} {
		if got, changed := Compat(text); got != text || changed {
			t.Errorf("Compat(%q) = %q, %v, want it as it is", text, got, changed)
		}
	}
}

// Every character of the blocks that NFKC changes is changed, but for those that
// are named here, and none of other blocks is.
func TestCompatBlocks(t *testing.T) {
	stays := "﷼\uffa0" + "！（），．：；？［］｛｝～"
	more := "ŉǄǅǆǇǈǉǊǋǌǱǲǳ"
	for r := rune(0x80); r < 0x30000; r++ {
		if !utf8.ValidRune(r) || unicode.Is(unicode.Mn, r) {
			continue
		}
		inside := r >= 0xFB00 && r <= 0xFDFF || r >= 0xFE70 && r < 0xFEFF || r >= 0xFF01 && r <= 0xFFEF || strings.ContainsRune(more, r)
		got, changed := Compat(string(r) + "一")
		want := inside && NFKC(string(r)) != string(r) && !strings.ContainsRune(stays, r)
		if changed != want {
			t.Errorf("Compat(%U) = %q, %v, want %v", r, got, changed, want)
		}
		if changed && strings.HasPrefix(got, " ") {
			t.Errorf("Compat(%U) = %q begins with a space", r, got)
		}
	}
}

// FuzzCompat: the result is stable, composed where anything changed, no accent
// goes, and valid text stays valid.
func FuzzCompat(f *testing.F) {
	for _, text := range []string{"ﺳﻼﻡ ﷺ", "ﬁ Ａ，你！？", "ｶﾞｷ\u0301", "ǆ ŉ", "\xef\xbc", "！！！！！！！！！一", "￣ￂﾡ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, changed := Compat(text)
		if !changed && got != text {
			t.Fatalf("Compat(%q) = %q, unchanged", text, got)
		}
		if changed && !IsNFC(got) || utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("Compat(%q) = %q", text, got)
		}
		if again, more := Compat(got); again != got || more {
			t.Fatalf("Compat(%q) = %q, then %q", text, got, again)
		}
		if utf8.ValidString(text) && letters(NFKC(got)) != letters(NFKC(text)) {
			t.Fatalf("Compat(%q) = %q has other letters or marks", text, got)
		}
	})
}

// letters are the letters and marks of a text that was taken apart, sorted,
// because marks that lose the space that they stood on change places.
func letters(s string) string {
	kept := []rune(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, NFKD(s)))
	slices.Sort(kept)
	return string(kept)
}

func BenchmarkCompat(b *testing.B) {
	for _, tt := range []struct{ name, line string }{
		{"English", "He said that the prisoners were taken to the new building in the morning. "},
		{"Persian", "کتاب\u200cهای تازه را دیروز از کتابخانه گرفتم و امروز می\u200cخوانم. "},
		{"Polish", "Zażółć gęślą jaźń, łódź płynie powoli po jeziorze w słońcu. "},
		{"Chinese", "他站在窗前，望着远处的山，久久没有说话。"},
	} {
		text := strings.Repeat(tt.line, 10)
		b.Run(tt.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Compat(text)
			}
		})
	}
}

package textnorm

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
	"testing"
)

// The digest of the table of languages. Numbers are stored in datasets and
// trained into embeddings: a new code goes to the end, with a new digest here.
const languagesDigest = "1cb7fb1210e11a7a91de72da1c19fe98231ae59d75de786decfad9effc1d9df3"

func TestLanguageTableIsFrozen(t *testing.T) {
	codes := LanguageCodes()
	got := fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(codes, " "))))
	if got != languagesDigest {
		t.Errorf("digest of the languages = %s, want %s", got, languagesDigest)
	}
	if want := "und en es fr de it pt pl tr ru nl cs ar zh hu ko ja hi fa"; strings.Join(codes[:19], " ") != want {
		t.Errorf("first codes = %v, want %s", codes[:19], want)
	}
	if !sort.StringsAreSorted(codes[19:]) {
		t.Error("the codes after the first 19 are not in alphabetical order")
	}
	// ISO 639-1 has 183 codes in force; und comes on top.
	if len(codes) != 184 {
		t.Errorf("%d codes, want 184", len(codes))
	}
	for i, c := range codes {
		if n, ok := LanguageIndex(c); !ok || int(n) != i {
			t.Errorf("code %q at %d: index %d %v", c, i, n, ok)
		}
	}
}

func TestLanguageOutsideTheTable(t *testing.T) {
	if i, ok := LanguageIndex("xx"); ok {
		t.Errorf(`LanguageIndex("xx") = %d, want none`, i)
	}
}

func TestParseLanguage(t *testing.T) {
	tests := []struct{ in, want string }{
		{"en", "en"}, {"EN", "en"}, {"en-US", "en"}, {"fa_IR", "fa"}, {"zh-Hant-TW", "zh"}, {"zh-cn", "zh"},
		{"pt_BR.UTF-8", "pt"}, {"und", "und"}, {"fas", "fa"}, {"per", "fa"}, {"iw", "he"}, {"ger", "de"},
		{"ukr", "uk"}, {"swe_SE", "sv"}, {"cmn", "zh"}, {"tib", "bo"},
		{"", ""}, {"xx", ""}, {"english", ""}, {"en-", ""}, {"en us", ""}, {"en-U S", ""}, {" en", ""}, {"-en", ""},
		{"test_001", ""}, // an id is no language (M12)
	}
	for _, tt := range tests {
		got, ok := ParseLanguage(tt.in)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("ParseLanguage(%q) = %q, %v, want %q", tt.in, got, ok, tt.want)
		}
	}
	if len(languageAliases) != 209 {
		t.Errorf("%d aliases, want 209: every language has one of three letters, and some have two", len(languageAliases))
	}
	for alias, code := range languageAliases {
		if _, ok := LanguageIndex(code); !ok {
			t.Errorf("alias %q leads to %q, which is not in the table", alias, code)
		}
	}
}

func FuzzParseLanguage(f *testing.F) {
	f.Add("fa_IR")
	f.Fuzz(func(t *testing.T, tag string) {
		code, ok := ParseLanguage(tag)
		if _, known := LanguageIndex(code); known != ok {
			t.Errorf("ParseLanguage(%q) = %q, %v", tag, code, ok)
		}
	})
}

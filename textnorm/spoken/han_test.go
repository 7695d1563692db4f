package spoken

import (
	"strings"
	"testing"
)

// hanLanguages are those of the rules for languages without spaces.
var hanLanguages = []string{"zh", "ja"}

// FuzzHan: no panic, words of words are themselves, the spelling of letters is
// found at once, no letter vanishes beside a rule, what is plain stays, and no
// digit of the ASCII is left.
func FuzzHan(f *testing.F) {
	for _, seed := range []string{
		"2019年12月25日8:30，气温-2℃，风速3m/s", "我有 2 个苹果，花了¥12.50", "2020-05-03T10:30 5/3(日) R2.5.3", "010-12345678 +86 138 0013 8000 (021)63212211 〒100-0001",
		"１０：３０ ３．５％ １，０００円 ￥５０", "3-5天 10~20% 5月1日-7日 1990-1995年 2019-20 3-1 10-3=7", "路易XIV Ⅲ ① ½ 1½ 1 1/2 1/2 9·11", "a@b.com http://x.cn/1?a=b www.a.b",
		"1万500元 3.5億 1000万円 2萬2個", "5元/斤 60km/h $5-$10 US$3.50 100 USD NT$5", "'90年 H30年 (株) ㈱ △5 18歳〜 PM 8:00 8:00 p.m.", "١٢ ४५ \xff1. 00.5 007 1.2.3.4 1-2-3", "A4 MP3 G1234次 波音747 COVID-19 1080P",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
		for _, lang := range hanLanguages {
			r, _ := New(lang)
			letters := r.Letters(text)
			if again := r.Letters(letters); again != letters {
				t.Errorf("%s: letters of %q are %q, and of that %q", lang, text, letters, again)
			}
			once := read(t, lang, text)
			if r.Plain(text) && once != text {
				t.Errorf("%s: %q is plain and read as %q", lang, text, once)
			}
			if twice := read(t, lang, once); twice != once {
				t.Errorf("%s: %q is read as %q, and that as %q", lang, text, once, twice)
			}
			if strings.ContainsAny(once, "0123456789") {
				t.Errorf("%s: %q is read as %q", lang, text, once)
			}
			out, fired := r.pass(nil, letters, true)
			checkLetters(t, letters, string(out), fired)
		}
	})
}

// TestHanLongNumbers: thousands of digits are said one by one.
func TestHanLongNumbers(t *testing.T) {
	digits := strings.Repeat("12", 5000)
	for _, lang := range hanLanguages {
		if got, want := read(t, lang, digits), strings.Repeat("一二", 5000); got != want {
			t.Errorf("%s: %d bytes, want %d", lang, len(got), len(want))
		}
	}
}

// TestChineseScript: what is said is in the script of the text, and in the
// simplified one where the text tells nothing.
func TestChineseScript(t *testing.T) {
	for _, c := range [][2]string{
		{"2万", "两万"},
		{"這是2萬", "這是兩萬"},
		{"这是20000", "这是二万"},
		{"這是20000，-3℃", "這是二萬，負三攝氏度"},
		{"他說：“这个20000”", "他說：“这个二万”"},
	} {
		if got := read(t, "zh", c[0]); got != c[1] {
			t.Errorf("%q is read %q, want %q", c[0], got, c[1])
		}
	}
	seen := map[rune]bool{}
	for i, r := range []rune(zhPairs) {
		if r < 0x4E00 || r >= 0xA000 {
			t.Errorf("%c is no character of the table", r)
		}
		seen[r] = seen[r] || i%2 == 1
	}
	for i, r := range []rune(zhPairs) {
		if i%2 == 0 && seen[r] && zhScript()[r-0x4E00] == 1 {
			t.Errorf("%c is of both scripts", r)
		}
	}
}

// hanLines are of the kinds that a corpus has.
var hanLines = map[string][]string{
	"zh": {
		"2019年12月25日上午10:30，公司宣布以3.5亿元收购该厂20%的股份。",
		"他站在窗前，望着远处的山，久久没有说话，仿佛在等一个不会来的人。",
		"请拨打010-12345678，票价¥12.50，全长120km，气温-5℃。",
	},
	"ja": {
		"2019年12月25日の10:30に、会社は3.5億円で株式の20%を買うと発表した。",
		"彼は窓の前に立って、遠くの山を眺めながら、しばらく何も言わなかった。",
		"電話は03-1234-5678、料金は¥1,980、距離は42.195km、気温は-5℃です。",
	},
}

func BenchmarkHan(b *testing.B) {
	for _, lang := range hanLanguages {
		b.Run(lang, func(b *testing.B) {
			r, _ := New(lang)
			var out []byte
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				line := hanLines[lang][n%3]
				if !r.Plain(line) {
					out, _ = r.Read(out[:0], line, false)
				}
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

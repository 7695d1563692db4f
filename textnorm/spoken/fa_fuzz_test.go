package spoken

import (
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// skeleton is what is left of a text when nothing but letters counts: taken apart
// by Unicode, without marks, the letters that sound alike one, a letter never
// twice in a row. A yeh after heh may be its ezafe, so that it does not count.
func skeleton(text string) string {
	text = strings.ReplaceAll(text, "﷽", "بسم الله الرحمن الرحیم")
	var out []rune
	for _, r := range norm.NFKD.String(text) {
		if to, ok := alike[r]; ok {
			r = to
		}
		last := rune(0)
		if len(out) > 0 {
			last = out[len(out)-1]
		}
		if unicode.IsLetter(r) && r != 'ـ' && r != 'ٴ' && r != last && !(r == 'ی' && last == 'ه') {
			out = append(out, r)
		}
	}
	return string(out)
}

// alike are letters for one sound, as the issue lists them.
var alike = func() map[rune]rune {
	m := map[rune]rune{}
	for to, from := range map[rune]string{'ی': "يىێېۑۍےؠؽۓ", 'ک': "كڪػ", 'ه': "ہەھةۃ", 'ا': "أإٱٲٳٵ", 'و': "ؤ"} {
		for _, r := range from {
			m[r] = to
		}
	}
	return m
}()

// FuzzPersian: no panic, words of words are themselves, letters are put right
// once and none vanishes, what is called plain stays, and no digit is left.
func FuzzPersian(f *testing.F) {
	for _, seed := range []string{
		"ساعت ۸:۳۰ روز ۱۴۰۲/۵/۱۴ در ۲۵٬۰۰۰ تومان", "خانهٔ ما خانه ی ما خانه\u200cی ما ۀ", "نمی روم می\u200c\u200c رفته ام کتاب ها", "مهم ترین کار ۵م ۲۱اُم ۳ ام",
		"۰۹۱۲۳۴۵۶۷۸۹ +98 912 345 6789 (021) 88776655", "$3.50 €۲۰ ۱۰$ ۱/۲ ۱۸/۵ ½ -۵ %۲۰ ۵۰٪", "ق.م ه. ش ص ۱۲ (ص) ر.ک. الخ. د. رضایی م.", "a.b@c.de، http://x.io/1?a=b GPT4 3D",
		"گفت: \"سلام\" ...رفت ( نه ) « آری » ،,؟?", "\uFEA9\uFEE7\uFBFF\uFE8E ﷽ ﷼ ﷺ", "سلاااام \u200f\u202b\u0654\u0653", "۹۹/۱۲/۳۰ ۱-۲-۳ ۱۳۹۰ - ۱۳۹۵ ۱٫۲٬۳", "3 ها ۳ اند سه ام ۱۰۰ تر می ۳", "#سلام_دنیا @علی & + =",
		"\xff۱.", "ه\u200c\u0654 ا\u0653\u0653 ی\u064b\u0654", "12345678901234567890 0000 ۰", "1.2.3 1,2 1,234,5 ۱،۲۳۴",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		for _, p := range []Persian{{}, {Marks: MarksAll}, {Marks: MarksNone}} {
			letters := p.Letters(text)
			if again := p.Letters(letters); again != letters {
				t.Errorf("letters of %q are %q, and of that %q", text, letters, again)
			}
			if got, want := skeleton(letters), skeleton(text); got != want {
				t.Errorf("letters of %q are %q: %q, want %q", text, letters, got, want)
			}
			changesMake(t, text, letters)
			once, _ := p.Read(nil, text, false)
			if twice, _ := p.Read(nil, string(once), false); string(twice) != string(once) {
				t.Errorf("%q is read as %q, and that as %q", text, once, twice)
			}
			if strings.ContainsAny(string(once), "0123456789") {
				t.Errorf("%q is read as %q", text, once)
			}
			everyLetterStays(t, letters)
		}
	})
}

// changesMake: the changes told of a text make its letters, and a letter becomes one that
// sounds alike.
func changesMake(t *testing.T, text, letters string) {
	t.Helper()
	var made strings.Builder
	at := 0
	for _, c := range Changes(text, letters) {
		if c.At < at && c.From != "" || !strings.HasPrefix(text[c.At:], c.From) {
			t.Fatalf("%q: %+v after byte %d", text, c, at)
		}
		if c.Kind == ChangedLetter && c.From != "" && c.To != "" && skeleton(c.From) != skeleton(c.To) {
			t.Errorf("%q is %q with the change %+v", text, letters, c)
		}
		if c.At < at { // at the end
			c.At = len(text)
		}
		made.WriteString(text[at:c.At] + c.To)
		at = c.At + len(c.From)
	}
	made.WriteString(text[at:])
	same := strings.NewReplacer("٪", "%", "٫", ".", "٬", ",")
	bare := func(s string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsSpace(r):
				return -1
			case unicode.IsDigit(r) && r >= 0x600 && r <= 0x6FF:
				return '0' + r&0xF
			}
			return r
		}, same.Replace(s))
	}
	if got, want := bare(made.String()), bare(letters); got != want {
		t.Errorf("%q with %+v is %q, want %q", text, Changes(text, letters), got, want)
	}
}

// everyLetterStays: what a reading has is what stood between the rules, and
// what they say.
func everyLetterStays(t *testing.T, text string) {
	t.Helper()
	only := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) {
				return r
			}
			return -1
		}, s)
	}
	r, _ := New("fa")
	out, fired := r.pass(nil, text, true)
	if r.Plain(text) && string(out) != text {
		t.Errorf("%q is plain and read as %q", text, out)
	}
	at := 0
	var want strings.Builder
	for _, f := range fired {
		if f.Start < at || f.End <= f.Start || f.End > len(text) {
			t.Fatalf("%+v behind %d", f, at)
		}
		want.WriteString(only(text[at:f.Start]) + only(f.Words))
		at = f.End
	}
	if want.WriteString(only(text[at:])); only(string(out)) != want.String() {
		t.Errorf("letters of %q are %q, want %q", text, only(string(out)), want.String())
	}
}

// persianLines are of the length and the kinds that a corpus has.
var persianLines = []string{
	"کمیته در سال ۱۴۰۲ دوباره گرد آمد و پذیرفت برای هر یک از ۱٬۲۵۰ نسخه ۲۵٬۰۰۰ تومان بپردازد.",
	"او گفت که این کتاب\u200cها را نمی\u200cخواهد، زیرا خواندن آن\u200cها برای دختر کوچکش بسیار دشوار است.",
	"دکتر رضایی ساعت ۸:۳۰ صبح روز ۱۴۰۱/۳/۱۲ با سه چهارم پول به خانهٔ ما آمد و زود رفت.",
	"باران می بارید و بچه ها در خانه نشسته بودند؛ مادر بزرگ قصه های کهنه می گفت و می خندید.",
	"بهاي نفت امروز به ۸۳/۵ دلار رسيد كه ۲٪ كمتر از ديروز است ، و بازار آرام ماند .",
}

func BenchmarkPersian(b *testing.B) {
	var out []byte
	n, bytes := 0, 0
	for b.Loop() {
		line := persianLines[n%len(persianLines)]
		out, _ = Persian{}.Read(out[:0], line, false)
		bytes += len(line)
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkPersianLetters(b *testing.B) {
	n := 0
	for b.Loop() {
		Persian{}.Letters(persianLines[n%len(persianLines)])
		n++
	}
}

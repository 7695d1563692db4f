package numbers

import (
	"bufio"
	"compress/bzip2"
	"os"
	"strings"
	"testing"
)

// readTable reads a table that testdata/compare.py wrote: a line "@head" and
// the rows under it, fields apart by tabs.
func readTable(t *testing.T, name string, row func(head string, fields []string)) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	head := ""
	lines := bufio.NewScanner(bzip2.NewReader(f))
	for lines.Scan() {
		if h, ok := strings.CutPrefix(lines.Text(), "@"); ok {
			head = h
			continue
		}
		row(head, strings.Split(lines.Text(), "\t"))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// sameSound are two ways to write or to say the same, as compare.py has them.
var sameSound = map[string]*strings.Replacer{
	"fa": strings.NewReplacer("یکهزار", "هزار", "یکصد", "صد"),                                                                                   // the one of a hundred and of a thousand
	"ar": strings.NewReplacer("مائ", "مئ", "سالب", "ناقص"),                                                                                      // two spellings of hundred, two words for minus
	"hi": strings.NewReplacer("पचानवे", "पंचानबे", "नवे", "नबे", "तिरसठ", "तिरेसठ", "तिरपन", "तिरेपन", "उन्यासी", "उनासी", "पन्द्रह", "पंद्रह"), // two spellings of some numbers
	"uk": strings.NewReplacer("i", "і", "ʼ", "'"),                                                                                               // a Latin i of one source, two code points of the apostrophe
}

// fold takes away what nobody hears: spaces, hyphens, commas, case, the vowel
// marks of Arabic; and makes one of what is the same.
func fold(lang, words string) string {
	words = strings.Map(func(r rune) rune {
		if r <= ' ' || strings.ContainsRune("-,،\u00ad\u200c", r) || r >= '\u064b' && r <= '\u0652' {
			return -1
		}
		return r
	}, strings.ToLower(words))
	if r := sameSound[lang]; r != nil {
		words = r.Replace(words)
	}
	return words
}

// tally counts the rows of one language and kind.
type tally struct{ rows, right, explained int }

// TestGolden: on what two independent sources agree, 99 % of the rows of every
// language and kind come out as they say. What does not is either one of the
// explained differences or counts.
func TestGolden(t *testing.T) {
	tallies := map[string]*tally{}
	var order []string
	readTable(t, "golden.txt.bz2", func(head string, f []string) {
		lang, kindName, _ := strings.Cut(head, " ")
		kind, ok := ParseKind(kindName)
		if kindName != "negative" && !ok {
			t.Fatalf("unknown kind %s", kindName)
		}
		n := tallies[head]
		if n == nil {
			n = &tally{}
			tallies[head], order = n, append(order, head)
		}
		n.rows++
		got, _ := Speak(lang, kind, f[0])
		if fold(lang, got) == fold(lang, f[1]) {
			n.right++
			return
		}
		for _, d := range differences {
			if d.lang == lang && strings.Contains(d.kinds, kindName) && fold(lang, d.ours(f[1])) == fold(lang, d.theirs(got)) {
				n.explained++
				return
			}
		}
		if n.rows-n.right-n.explained < 5 {
			t.Logf("%s %s: got %q, want %q (%s)", head, f[0], got, f[1], f[2])
		}
	})
	if len(order) < 70 {
		t.Errorf("%d languages and kinds, want 70 at least", len(order))
	}
	for _, head := range order {
		n := tallies[head]
		t.Logf("%-12s %5d rows  %6.2f %% as they say  %d explained", head, n.rows, 100*float64(n.right)/float64(n.rows), n.explained)
		if float64(n.right+n.explained) < 0.99*float64(n.rows) {
			t.Errorf("%s: %d of %d rows, and %d explained: under 99 %%", head, n.right, n.rows, n.explained)
		}
	}
}

// difference is one way in which we do not say what the sources agree on: what
// they say, with the difference taken out, must be what we say.
type difference struct {
	lang, kinds, why string
	change           []string // their words, our words
	alike            []string // words of both that become one
}

func (d *difference) ours(theirs string) string {
	return d.theirs(strings.TrimSpace(strings.NewReplacer(d.change...).Replace(theirs + "$")))
}

func (d *difference) theirs(words string) string {
	return strings.NewReplacer(d.alike...).Replace(strings.TrimSuffix(words, "$"))
}

var differences = []difference{
	{lang: "es", kinds: "cardinal negative", change: []string{"veintiuno m", "veintiún m", "veintiuno b", "veintiún b", "uno mil", "un mil", "uno bil", "un bil"},
		why: "uno loses its o before mil, millones, billones (veintiún mil); num2words and n2words keep it"},
	{lang: "de", kinds: "cardinal negative", change: []string{"einstausend", "eintausend", "eins Mi", "eine Mi", "eins Bi", "eine Bi"},
		why: "eins is ein before tausend and eine before Millionen; num2words and n2words keep the s in the hundreds"},
	{lang: "it", kinds: "ordinal", change: []string{"un milion", "milion"},
		why: "the millionth has no one before it: milionesimo"},
	{lang: "pt-PT", kinds: "cardinal negative", change: []string{"um mil milhões", "mil milhões", "mil quinhentos$", "mil e quinhentos"},
		why: "a thousand has no one before it (mil milhões), and e stands before a last group of whole hundreds; n2words has it otherwise"},
	{lang: "hu", kinds: "cardinal", change: []string{"százkét$", "százkettő"},
		why: "two at the end is kettő; két stands before a noun only. num2words and n2words say százkét"},
	{lang: "hu", kinds: "decimal", alike: []string{" tized", "", " század", "", "nulla ", ""},
		why: "what stands behind the mark is so many tenths or hundredths (tized, század), as num2words says it; ICU and n2words say zeros and leave the word out"},
	{lang: "cs", kinds: "cardinal", change: []string{"dva miliardy", "dvě miliardy"},
		why: "a milliard is feminine: dvě miliardy"},
	{lang: "ru", kinds: "year", change: []string{"одна тысяча девятьсот$", "тысяча девятисотого"},
		why: "1900 as a year is an ordinal as the others are; CLDR's rule for hundreds is a cardinal"},
	{lang: "fa", kinds: "ordinal", change: []string{"سیم$", "سی\u200cام"},
		why: "the thirtieth is written and said si-om; the sources add م to سی, which reads sim"},
	{lang: "ar", kinds: "cardinal negative",
		change: []string{"ومليون مليون", "وواحد مليون", "ومليار مليار", "وواحد مليار", "وألف ألف", "وواحد ألف"},
		alike: []string{"آلاف", "ألف", "ألفاً", "ألف", "ملايين", "مليون", "مليوناً", "مليون", "مليارات", "مليار", "ملياراً", "مليار",
			"تريليونات", "تريليون", "تريليوناً", "تريليون", "مئتان", "مئتا", "مائتان", "مئتا"},
		why: "the form of thousand, million goes by the end of the multiplier (105,000 مائة وخمسة آلاف); num2words and n2words say ألفاً after every hundred"},
}

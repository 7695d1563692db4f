//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package textnorm

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"voxpack/textnorm/spoken"
)

// TestSettings: what each setting makes of a text, and that it does so once.
func TestSettings(t *testing.T) {
	tests := []struct {
		name, language, in, want string
		config                   Config
	}{
		{"small letters", "en", "The NASA", "the nasa", Config{Case: CaseLower}},
		{"Turkish dots", "tr", "ISPARTA İzmir", "ısparta izmir", Config{Case: CaseLower}},
		{"German sharp s", "de", "STRAßE Straße", "straße straße", Config{Case: CaseLower}},
		{"words that were said are small too", "en", "Dr. Lee has 3 MB", "doctor lee has three megabytes", Config{Case: CaseLower, Verbalise: true}},
		{"plain signs", "en", "«a» – “b” … c’s", "\"a\" - \"b\" ... c's", Config{Punctuation: PunctuationPlain}},
		{"no signs", "en", "Well, it's (so) good-natured: yes!", "Well it's so good natured yes", Config{Punctuation: PunctuationStrip}},
		{"no signs in Persian", "fa", "می‌روم، «آنجا»؟", "می‌روم آنجا", Config{Punctuation: PunctuationStrip}},
		{"numbers are read before signs go", "en", "It is 3.5%.", "It is three point five percent", Config{Punctuation: PunctuationStrip, Verbalise: true}},
		{"Persian drops vowel marks", "fa", "مَلِک", "ملک", Config{Verbalise: true}},
		{"unless they are kept", "fa", "مَلِک", "مَلِک", Config{Verbalise: true, VowelMarks: MarksKeep}},
		{"Arabic keeps them", "ar", "مَلِك", "مَلِك", Config{}},
		{"unless they are not", "ar", "مَلِك", "ملك", Config{VowelMarks: MarksStrip}},
		{"Azerbaijani dots", "az", "IŞIQ İzi", "ışıq izi", Config{Case: CaseLower}},
		{"a small letter meets its mark", "en", "J\u030c", "ǰ", Config{Case: CaseLower}},
		{"what is a short form in small letters alone is read too", "de", "ETC.", "et cetera.", Config{Case: CaseLower, Verbalise: true}},
		{"a mark behind a sign meets the last letter of its word", "en", "€5\u0301", "five euroś", Config{Verbalise: true}},
		{"damage with junk in it", "en", "cafÃ\u200b© ok", "café ok", Config{Mojibake: MojibakeRepair}},
		{"joiners of Burmese", "my", "က\u200cခ", "က\u200cခ", Config{}},
		{"joiners of Khmer", "km", "ក\u200dខ", "ក\u200dខ", Config{}},
		{"among the config's languages", "ru", "Это Dr. Smith.", "Это Doktor Smith.", Config{Verbalise: true, CodeSwitching: true, Languages: []string{"ru", "de"}}},
		{"and so in Persian", "fa", "آقای Dr. Smith", "آقای Doktor Smith", Config{Verbalise: true, CodeSwitching: true, Languages: []string{"fa", "de"}}},
		{"damaged text is not read before it is mended", "fr", "Le cafÃ© coÃ»te 5 km", "Le cafÃ© coÃ»te 5 km", Config{Verbalise: true, Mojibake: MojibakeReport}},
		{"and is then", "fr", "Le cafÃ© coÃ»te 5 km", "Le café coûte cinq kilomètres", Config{Verbalise: true, Mojibake: MojibakeRepair}},
		{"a name is left alone", "ru", "Это Dr. Smith.", "Это Dr. Smith.", Config{Verbalise: true}},
		{"or read by its language", "ru", "Это Dr. Smith.", "Это Doctor Smith.", Config{Verbalise: true, CodeSwitching: true}},
		{"also in Persian", "fa", "آقای Dr. Smith ۵ کتاب دارد", "آقای Doctor Smith پنج کتاب دارد", Config{Verbalise: true, CodeSwitching: true}},
		{"digits belong to the text", "fa", "مدل iPhone 15 خوب است", "مدل iPhone پانزده خوب است", Config{Verbalise: true, CodeSwitching: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := NewNormalizer(tt.config)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := n.Normalize(tt.in, tt.language)
			if got != tt.want {
				t.Errorf("Normalize(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again, _ := n.Normalize(got, tt.language); again != got {
				t.Errorf("Normalize(%q) = %q, want it as it is", got, again)
			}
		})
	}
}

// TestCanonicalSaysEverySetting: what a root says of its text rules is what they were.
func TestCanonicalSaysEverySetting(t *testing.T) {
	full := Config{Mojibake: MojibakeRepair, Verbalise: true, Languages: []string{"en", "fa"}, CodeSwitching: true, Case: CaseLower, Punctuation: PunctuationStrip, VowelMarks: MarksKeep, Latin: LatinPersian, Marked: MarkedLeave}
	got, err := ParseConfig(full.Canonical())
	if err != nil || !reflect.DeepEqual(got, full) {
		t.Errorf("ParseConfig(%q) = %+v, %v; want %+v", full.Canonical(), got, err, full)
	}
	v := reflect.ValueOf(full)
	for i := range v.NumField() {
		less := full
		reflect.ValueOf(&less).Elem().Field(i).SetZero()
		if less.Canonical() == full.Canonical() {
			t.Errorf("Canonical does not show %s", v.Type().Field(i).Name)
		}
	}
	if _, err := ParseConfig("tempo=fast\n"); err == nil {
		t.Error("ParseConfig of a setting that there is not: no error")
	}
}

// TestTheFirstLanguageIsASetting: a text that says too little is in the first of the
// config's languages, so that a root has to say which that is, and no more.
func TestTheFirstLanguageIsASetting(t *testing.T) {
	canonical := func(codes ...string) string { return Config{Languages: codes}.Canonical() }
	if a, b := canonical("fa", "en", "de"), canonical("en", "fa", "de"); a == b {
		t.Errorf("Canonical = %q whichever language is the first", a)
	}
	if a, b := canonical("fa", "en", "de"), canonical("fa", "de", "en"); a != b {
		t.Errorf("Canonical = %q and %q of one set with the same first language", a, b)
	}
	back, err := ParseConfig(canonical("fa", "en", "de"))
	if err != nil {
		t.Fatal(err)
	}
	n, err := NewNormalizer(back)
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Language("?"); got != "fa" {
		t.Errorf(`Language("?") by a root's settings = %q, want "fa", the first of its config`, got)
	}
}

// TestAWordAloneIsInTheFirstLanguage: a word that several languages have says too
// little to take another language than the config's first; one of a language does.
func TestAWordAloneIsInTheFirstLanguage(t *testing.T) {
	n, err := NewNormalizer(Config{Languages: []string{"fa", "en", "de", "nl", "es", "it", "pt"}})
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"Hotel": "fa", "taxi": "fa", "Nein": "de"} {
		if got := n.Language(word); got != want {
			t.Errorf("Language(%q) = %q, want %q", word, got, want)
		}
	}
}

// TestNotesOfARow: what is done to a row's letters is said with the row.
func TestNotesOfARow(t *testing.T) {
	n, err := NewNormalizer(Config{Verbalise: true, Languages: []string{"fa", "en", "de"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ in, language, kind, detail string }{
		{"این iPhone است", "fa", NoteMixed, "en"},
		{"مُلک", "fa", NoteMarks, "U+064F"},
		{"هیییچ", "fa", NoteRepeats, "U+06CC"},
		{"کـتاب", "fa", NoteInvisible, "U+0640"},
		{"إنشا", "fa", NoteLetter, "U+0625 to U+0627"},
		{"كار", "fa", NoteLetter, "U+0643 to U+06A9"},
		{"خانه ی ما", "fa", NoteJoined, "U+0654"},
		{"کتاب ها", "fa", NoteJoined, "U+200C"},
		{"نه, رفت", "fa", NoteSign, "U+002C to U+060C"},
		{"نشانی www.irna.ir است", "fa", NoteMixed, "en"},
	} {
		_, notes := n.Normalize(tt.in, tt.language)
		if len(notes) != 1 || notes[0].Kind != tt.kind || notes[0].Detail != tt.detail {
			t.Errorf("notes of %q: %v, want one %s %s", tt.in, notes, tt.kind, tt.detail)
		}
	}
	const text = "۱۲ کُشتی و کـشتی‌ها، سلاااام"
	_, notes := n.Normalize(text, "fa")
	at := func(part string, more int) int { return strings.Index(text, part) + more }
	want := []Note{
		{NoteMarks, at("ُ", 0), "U+064F"}, {NoteInvisible, at("ـ", 0), "U+0640"},
		{NoteRepeats, at("لاااا", 4), "U+0627"}, {NoteRepeats, at("لاااا", 6), "U+0627"}, {NoteRepeats, at("لاااا", 8), "U+0627"},
	}
	if !slices.Equal(notes, want) {
		t.Errorf("notes of %q:\n%v, want\n%v", text, notes, want)
	}
	for _, text := range []string{"رأی تأثیر مأمور را داد.", "واقعاً، لطفاً اولاً", "مردِ خوب، مضافٌ‌الیه", "سرعت بیست کیلومتر"} {
		if got, notes := n.Normalize(text, "fa"); got != text || notes != nil {
			t.Errorf("%q is %q, %v, want no change", text, got, notes)
		}
	}
	if _, notes := n.Normalize("سرعت 20 km و ۵°C", "fa"); notes != nil {
		t.Errorf("notes of Latin units that are said in Persian: %v", notes)
	}
}

// TestDigitsThatAreNotReadAreNoted: in a language with rules, in one without, and
// where nobody knows the language; of a text of nothing else the first are listed
// and the others counted.
func TestDigitsThatAreNotReadAreNoted(t *testing.T) {
	n, err := NewNormalizer(Config{Verbalise: true})
	if err != nil {
		t.Fatal(err)
	}
	const digits = "१२ ೩ १२"
	for _, language := range []string{"en", "sv", Undetermined} {
		_, notes := n.Normalize(digits, language)
		want := []Note{{NoteUnread, 0, "१२"}, {NoteUnread, 7, "೩"}}
		if !slices.Equal(notes, want) {
			t.Errorf("notes of %q in %s: %v, want %v", digits, language, notes, want)
		}
	}
	silent, err := NewNormalizer(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if _, notes := silent.Normalize(digits, Undetermined); notes != nil {
		t.Errorf("notes where nothing is to be read: %v", notes)
	}
	var b strings.Builder
	for i := range 1000 {
		for range i + 1 {
			b.WriteRune('१')
		}
		b.WriteByte(' ')
	}
	_, notes := n.Normalize(b.String(), "en")
	if last := notes[len(notes)-1]; len(notes) != mostUnread+1 || last.Detail != "and 968 more" {
		t.Errorf("%d notes of 1000 words, the last %v; want %d, and 968 more", len(notes), last, mostUnread+1)
	}
}

// TestDamageIsNoted: what was decoded wrongly stays or is put right, as the config
// says, what has two readings stays in either case, and each page has its note.
func TestDamageIsNoted(t *testing.T) {
	for _, tt := range []struct {
		mojibake, in, want string
		notes              []Note
	}{
		{MojibakeOff, "cafÃ©", "cafÃ©", nil},
		{MojibakeReport, "cafÃ© Â°", "cafÃ© Â°", []Note{{NoteMojibake, 3, "windows-1252"}}},
		{MojibakeRepair, "cafÃ©", "café", []Note{{NoteRepaired, 3, "windows-1252"}}},
		{MojibakeRepair, "Ã©", "Ã©", []Note{{NoteMojibake, 0, "windows-1252"}}},
		{MojibakeReport, "cafÃ© ØªØ´Ú©Ø± طھط´ع©ط±", "cafÃ© ØªØ´Ú©Ø± طھط´ع©ط±", []Note{{NoteMojibake, 3, "windows-1252"}, {NoteMojibake, 25, "windows-1256"}}},
	} {
		n, err := NewNormalizer(Config{Mojibake: tt.mojibake})
		if err != nil {
			t.Fatal(err)
		}
		if got, notes := n.Normalize(tt.in, Undetermined); got != tt.want || !slices.Equal(notes, tt.notes) {
			t.Errorf("%s: Normalize(%q) = %q, %v; want %q, %v", tt.mojibake, tt.in, got, notes, tt.want, tt.notes)
		}
	}
}

// TestExplainReadsTheLettersOfItsLanguage: offsets count in the text that the
// rules of Persian see, which has no vowel marks.
func TestExplainReadsTheLettersOfItsLanguage(t *testing.T) {
	n, err := NewNormalizer(Config{Verbalise: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{{Name: "amount", At: 12, Form: "5", Words: "پنج"}, {Name: "amount", At: 21, Form: "6", Words: "شش"}}
	if got := n.Explain("كتاب ي ۵ مَلِک ٦", "fa"); !reflect.DeepEqual(got, want) {
		t.Errorf("Explain = %v, want %v", got, want)
	}
}

// TestLanguage: the first of the config's languages stands for a text that says nothing.
func TestLanguage(t *testing.T) {
	n, err := NewNormalizer(Config{Languages: []string{"fa", "en"}})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"امروز هوا خوب است": "fa", "It is a fine day today": "en", "...": "fa", "25": "fa"} {
		if got := n.Language(text); got != want {
			t.Errorf("Language(%q) = %s, want %s", text, got, want)
		}
	}
	mends, err := NewNormalizer(Config{Languages: []string{"en", "fa"}, Mojibake: MojibakeRepair})
	if err != nil {
		t.Fatal(err)
	}
	if got := mends.Language("Ø³Ù„Ø§Ù… Ø¯Ù†ÛŒØ§"); got != "fa" {
		t.Errorf("Language of what is Persian once it is repaired = %s", got)
	}
	all, err := NewNormalizer(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := all.Language("25"); got != Undetermined {
		t.Errorf("Language of digits = %s, want %s", got, Undetermined)
	}
}

// FuzzSettings: in every language and under every setting, what is spoken is UTF-8
// and says itself when it is read again.
func FuzzSettings(f *testing.F) {
	for i, line := range corpus(f) {
		f.Add(line, uint8(i), uint8(i*7))
	}
	f.Add("Le cafÃ© coÃ»te 5 â‚¬, Ø³Ù„Ø§Ù…", uint8(2), uint8(0xFF))
	f.Add("Dr. İŞIK, 3/4 کیلو № 7 — “12½”", uint8(1), uint8(0x55))
	languages := slices.Concat(spoken.Languages(), []string{"und", "sv"})
	f.Fuzz(func(t *testing.T, in string, which, settings uint8) {
		if len(in) > 500 {
			t.Skip("long texts cost time and show nothing more")
		}
		c := Config{Verbalise: settings&1 != 0, CodeSwitching: settings&2 != 0}
		c.Mojibake = []string{MojibakeOff, MojibakeReport, MojibakeRepair}[int(settings>>2&3)%3]
		c.Case = []string{CaseKeep, CaseLower}[settings>>4&1]
		c.Punctuation = []string{PunctuationKeep, PunctuationPlain, PunctuationStrip, ""}[settings>>5&3]
		if settings&0x80 != 0 {
			c.VowelMarks = MarksStrip
		}
		n, err := NewNormalizer(c)
		if err != nil {
			t.Fatal(err)
		}
		language := languages[int(which)%len(languages)]
		got, _ := n.Normalize(in, language)
		if !utf8.ValidString(got) {
			t.Errorf("%+v: Normalize(%q, %s) = %q is not UTF-8", c, in, language, got)
		}
		if again, _ := n.Normalize(got, language); again != got {
			t.Errorf("%+v: Normalize(%q, %s) = %q, and of that %q", c, in, language, got, again)
		}
		if got != strings.TrimSpace(got) {
			t.Errorf("%+v: Normalize(%q, %s) = %q keeps white space", c, in, language, got)
		}
	})
}

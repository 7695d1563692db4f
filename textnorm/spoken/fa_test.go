package spoken_test

import (
	"slices"
	"strings"
	"testing"

	"voxpack/textnorm/spoken"
)

// readPersian says a Persian text.
func readPersian(text string) string {
	out, _ := spoken.Persian{}.Read(nil, text, false)
	return string(out)
}

// TestPersianSet: the reviewed sets, of which every wrong row is logged.
func TestPersianSet(t *testing.T) {
	for _, file := range []string{"fa.tsv", "fa2.tsv", "fa3.tsv"} {
		right, rows := score(t, file, func(_, text string) string { return readPersian(text) })
		if share := float64(right) / float64(rows); share < 0.99 {
			t.Errorf("%d of %d rows of %s are right (%.2f %%), want 99 %%", right, rows, file, 100*share)
		}
	}
}

// TestPersianForms: forms that the reviewed set does not have, or has once.
func TestPersianForms(t *testing.T) {
	for _, c := range []struct{ rule, written, want string }{
		{"half of a thing, of a time, and alone", "۱/۲ نان و ½ ساعت و ۱/۲", "نصف نان و نیم ساعت و یک دوم"},
		{"initials before a name", "م. ا. نوری و ع. پاشایی", "میم الف نوری و عین پاشایی"},
		{"letters before no name", "ب.م.م و الف. ب", "ب.م.م و الف. ب"},
		{"a million of money", "۱۲۰م تومان و ۳ م دلار و نفر ۱۲۰م", "صد و بیست میلیون تومان و سه میلیون دلار و نفر صد و بیستم"},
		{"an article of a law", "مادهٔ ۱۲ ق.م. و ۱۲ ق.م.", "مادهٔ دوازده قانون مدنی و دوازده قبل از میلاد."},
		{"a half behind a number", "۲ ۱/۲ نان و ۳½ سیب", "دو و نیم نان و سه و نیم سیب"},
		{"a fraction in one character", "¾ راه", "سه چهارم راه"},
		{"the smaller over the larger is a fraction", "۲/۳ مردم", "دو سوم مردم"},
		{"a stroke before a measure is a decimal mark", "۱/۵ متر و ۲/۵ درصد و ۱/۵ میلیون", "یک و پنج دهم متر و دو و پنج دهم درصد و یک و پنج دهم میلیون"},
		{"nobody says fourteenth parts", "۳/۱۴", "سه و چهارده صدم"},
		{"a letter right behind a sign", "۲۰٪از مردم ۵$دادند", "بیست درصد از مردم پنج دلار دادند"},
		{"a zero behind the stroke is a decimal", "۳/۰۵", "سه و پنج صدم"},
		{"years are a range", "۱۳۹۰-۱۳۹۵", "هزار و سیصد و نود تا هزار و سیصد و نود و پنج"},
		{"a dash with spaces", "۱۰ – ۲۰ نفر", "ده تا بیست نفر"},
		{"a score", "ایران ۳-۱ برد.", "ایران سه بر یک برد."},
		{"two years with a stroke", "سال تحصیلی ۱۳۹۸/۱۳۹۹", "سال تحصیلی هزار و سیصد و نود و هشت تا هزار و سیصد و نود و نه"},
		{"a year and its month", "در ۱۴۰۲/۰۵ آمد.", "در مرداد هزار و چهارصد و دو آمد."},
		{"a numeral behind a name", "جنگ جهانی II و هنری VIII", "جنگ جهانی دوم و هنری هشتم"},
		{"a telephone without its city", "تلفن: ۸۸۷۷۶۶۵۵", "تلفن: هشت هشت هفت هفت، شش شش پنج پنج"},
		{"a place in a text is no score", "بند ۳-۲ را بخوان.", "بند سه دو را بخوان."},
		{"another abbreviation with the same letters", "ب.م.م و ق.م", "ب.م.م و قبل از میلاد"},
		{"a quotation right behind its colon", "وزیر گفت:«نه».", "وزیر گفت: «نه»."},
		{"a ratio", "نقشهٔ ۱:۱۰۰۰", "نقشهٔ یک به هزار"},
		{"a time with seconds", "۱:۰۲:۰۳", "یک و دو دقیقه و سه ثانیه"},
		{"minutes are said once", "ساعت ۸:۳۰ دقیقه", "ساعت هشت و سی دقیقه"},
		{"the day first", "۱۴/۵/۱۴۰۲", "چهارده مرداد هزار و چهارصد و دو"},
		{"a year of two digits", "۹۹/۱۲/۳۰", "سی اسفند نود و نه"},
		{"no such month is no date", "۱۴۰۲/۱۳/۴۰ و ۱۲/۵/۱۴", "هزار و چهارصد و دو، سیزده، چهل و دوازده، پنج، چهارده"},
		{"a version", "نسخهٔ ۱.۲.۱۰ و 3.14", "نسخهٔ یک نقطه دو نقطه ده و سه و چهارده صدم"},
		{"a letter behind a year", "سال ۱۳۵۷ ش و ۱۹۷۹ م و ۱۹۷۹م", "سال هزار و سیصد و پنجاه و هفت شمسی و هزار و نهصد و هفتاد و نه میلادی و هزار و نهصد و هفتاد و نه میلادی"},
		{"the ordinal ending of a year is not one", "سال ۱۹۷۹م", "سال هزار و نهصد و هفتاد و نه میلادی"},
		{"an ordinal with a space", "نفر ۲۱ اُم", "نفر بیست و یکم"},
		{"an ordinal of thirty with ین", "۳۰امین نفر", "سی\u200cامین نفر"},
		{"cents", "$3.50", "سه دلار و پنجاه سنت"},
		{"cents alone", "$0.05", "پنج سنت"},
		{"a magnitude before the money", "$1.5 میلیون", "یک و پنج دهم میلیون دلار"},
		{"a code of money", "USD 20 و 20 EUR", "بیست دلار آمریکا و بیست یورو"},
		{"rial by its sign in front", "﷼ ۵۰۰", "ریال پانصد"},
		{"Latin measures", "5km و 3 kg و 20°C و 90km/h و 2m²", "پنج کیلومتر و سه کیلوگرم و بیست درجه سانتی\u200cگراد و نود کیلومتر بر ساعت و دو متر مربع"},
		{"per mille", "۵‰", "پنج در هزار"},
		{"a country's code", "+98 912 345 6789", "مثبت نه هشت، نه یک دو، سه چهار پنج، شش هفت هشت نه"},
		{"a code in one piece", "+989123456789", "مثبت نه هشت، نه یک دو، سه چهار پنج، شش هفت هشت نه"},
		{"an area in brackets", "(021) 88776655", "صفر دو یک، هشت هشت هفت هفت، شش شش پنج پنج"},
		{"ten digits are no amount", "کد ملی ۰۰۱۲۳۴۵۶۷۸", "کد ملی صفر صفر یک، دو سه چهار، پنج شش هفت هشت"},
		{"ten digits of money are one", "۱۲۳۴۵۶۷۸۹۰ ریال", "یک میلیارد و دویست و سی و چهار میلیون و پانصد و شصت و هفت هزار و هشتصد و نود ریال"},
		{"a round number is one", "۱۰۰۰۰۰۰۰۰۰۰", "ده میلیارد"},
		{"the number of a card", "6037-9911-2233-4455", "شش صفر سه هفت، نه نه یک یک، دو دو سه سه، چهار چهار پنج پنج"},
		{"a zero in front is said", "۰۰۷", "صفر صفر هفت"},
		{"a stop of an abbreviation in the sentence goes", "ر.ک. فصل ۳ و ۵۰۰ ق. م. بود", "رجوع کنید فصل سه و پانصد قبل از میلاد بود"},
		{"and at its end stays", "در سال ۵۰۰ ق.م.", "در سال پانصد قبل از میلاد."},
		{"pages, volume, number", "صص ۱۲-۱۵، ج. ۲، ش ۳", "صفحات دوازده تا پانزده، جلد دو، شماره سه"},
		{"letters of others stay", "الف. ب و ص را بخوان.", "الف. ب و ص را بخوان."},
		{"blessings", "حسین(ع) و خمینی (ره) و زهرا (س)", "حسین علیه السلام و خمینی رحمت الله علیه و زهرا سلام الله علیها"},
		{"signs", "نان & آب + نمک = غذا", "نان و آب به\u200cعلاوه نمک مساوی غذا"},
		{"a hashtag", "#سلام_دنیا", "هشتگ سلام دنیا"},
		{"a number's sign", "#۵", "شماره پنج"},
		{"an address of mail", "به ali@example.com بنویس.", "به ali at example dot com بنویس."},
		{"an address of the web before a comma", "در www.example.org، بخوان", "در w w w dot example dot org، بخوان"},
		{"digits in a Latin word", "مدل GPT4 و B2B", "مدل GPT چهار و B دو B"},
		{"an Arabic comma between groups", "۱،۲۳۴،۵۶۷ نفر", "یک میلیون و دویست و سی و چهار هزار و پانصد و شصت و هفت نفر"},
		{"commas of a list", "۱,۲,۳", "یک، دو، سه"},
		{"percent before and behind, with its word", "٪۱۵ و ۱۵٪", "پانزده درصد و پانزده درصد"},
		{"plus in front", "+۵ درجه", "مثبت پنج درجه"},
		{"years that the eye reads from the right", "۶۵-۱۳۵۵ و ۱۳۹۵-۱۳۹۰", "هزار و سیصد و پنجاه و پنج تا شصت و پنج و هزار و سیصد و نود تا هزار و سیصد و نود و پنج"},
		{"more than two numbers are no range", "۹۶۴-۶۲۶۴-۲۸", "نهصد و شصت و چهار، شش هزار و دویست و شصت و چهار، بیست و هشت"},
		{"full stops between groups", "۱.۲۳۴.۵۶۷ ریال و ۲۵.۰۰۰ تومان و ۳.۲۵۰ کیلوگرم", "یک میلیون و دویست و سی و چهار هزار و پانصد و شصت و هفت ریال و بیست و پنج هزار تومان و سه و دویست و پنجاه هزارم کیلوگرم"},
		{"an address of the net", "۱۹۲.۱۶۸.۱۰۰.۲۰۰", "صد و نود و دو نقطه صد و شصت و هشت نقطه صد نقطه دویست"},
		{"a space in a group of zeros", "۱۰۰، ۰۰۰ نفر و ۱، ۲", "صد هزار نفر و یک، دو"},
		{"everything at once", "۱۴۰۲/۱/۱ ساعت ۹:۰۰، $۵ و ۱۰٪.", "یک فروردین هزار و چهارصد و دو ساعت نه، پنج دلار و ده درصد."},
	} {
		if got := readPersian(c.written); got != c.want {
			t.Errorf("%s: %q is read\n%q, want\n%q", c.rule, c.written, got, c.want)
		}
	}
}

// TestPersianIsNotHarmed: what other normalisers of Persian make worse, from
// their published rules run on these words.
func TestPersianIsNotHarmed(t *testing.T) {
	for _, c := range []struct{ rule, written, want string }{
		{"a mark of its own is composed, not dropped", "ا\u0653ب", "آب"},
		{"presentation forms of yeh", "\uFEA9\uFEE7\uFBFF\uFE8E", "دنیا"},
		{"the ezafe is heard", "خانهٔ ما، نامۀ او", "خانهٔ ما، نامهٔ او"},
		{"hamza on a seat stays", "مسئول جزئی", "مسئول جزئی"},
		{"a decimal mark gets no spaces", "۳.۵ نفر", "سه و پنج دهم نفر"},
		{"marks of direction go", "\u200fسلام\u202c", "سلام"},
		{"words that begin like a verb stay", "میدان میان میز، میل میهن و نمیری", "میدان میان میز، میل میهن و نمیری"},
		{"wine is no prefix", "می ناب، می خوردن", "می ناب، می خوردن"},
		{"ها that is not a plural", "تنها بها رها", "تنها بها رها"},
		{"wet is no comparison", "چشم تر و لباس تر", "چشم تر و لباس تر"},
		{"که and به take no ending", "گفت که ای مرد، به ات چه", "گفت که ای مرد، به ات چه"},
	} {
		if got := readPersian(c.written); got != c.want {
			t.Errorf("%s: %q is read %q, want %q", c.rule, c.written, got, c.want)
		}
	}
}

// TestPersianMarks: vowel marks stay where they are asked for, and still meet
// their letters.
func TestPersianMarks(t *testing.T) {
	keep := spoken.Persian{Marks: spoken.MarksAll}
	for _, c := range []struct{ written, kept, dropped string }{
		{"کِتاب و مَرد", "کِتاب و مَرد", "کتاب و مرد"},
		{"مُحَمَّد", "مُحَمَّد", "محمد"},
		{"\u064Bسلام", "سلام", "سلام"},
		{"خانَه\u0654 ما", "خانَهٔ ما", "خانهٔ ما"},
		{"۲۱اُم", "بیست و یکم", "بیست و یکم"},
	} {
		for _, p := range []struct {
			reader spoken.Persian
			want   string
		}{{keep, c.kept}, {spoken.Persian{}, c.dropped}} {
			if got, _ := p.reader.Read(nil, c.written, false); string(got) != p.want {
				t.Errorf("%+v reads %q as %q, want %q", p.reader, c.written, got, p.want)
			}
		}
	}
}

// TestPersianChanges: what was put right is told at its place, digits and spaces are not.
func TestPersianChanges(t *testing.T) {
	const was = "كتاب ها سلاااام ، مـن می روم ۵ مَردِ خانه ی \u200fاو..."
	now := spoken.Persian{}.Letters(was)
	if want := "کتاب\u200cها سلام، من می\u200cروم 5 مردِ خانهٔ او…"; now != want {
		t.Errorf("Letters = %q, want %q", now, want)
	}
	at := func(piece string) int { return strings.Index(was, piece) }
	want := []spoken.Change{
		{0, "ك", "ک", spoken.ChangedLetter}, {at(" ها"), " ", "\u200c", spoken.ChangedJoin},
		{at("ااام"), "ا", "", spoken.ChangedRepeat}, {at("ااام") + 2, "ا", "", spoken.ChangedRepeat}, {at("ااام") + 4, "ا", "", spoken.ChangedRepeat},
		{at("ـ"), "ـ", "", spoken.ChangedUnseen}, {at(" روم"), " ", "\u200c", spoken.ChangedJoin},
		{at("\u064e"), "\u064e", "", spoken.ChangedMark}, {at(" ی"), " ی", "\u0654", spoken.ChangedJoin},
		{at("\u200f"), "\u200f", "", spoken.ChangedUnseen}, {at("..."), "...", "…", spoken.ChangedSign},
	}
	if got := spoken.Changes(was, now); !slices.Equal(got, want) {
		t.Errorf("Changes = %+v, want %+v", got, want)
	}
	if got := spoken.Changes(now, now); got != nil {
		t.Errorf("Changes of tidy text = %+v", got)
	}
}

// TestPersianLatin: Latin words in Persian letters where they are known, and addresses.
func TestPersianLatin(t *testing.T) {
	p := spoken.Persian{Latin: true}
	for _, c := range []struct{ rule, written, want string }{
		{"an address of the web", "به www.irna.ir بروید.", "به دبلیو دبلیو دبلیو دات ایرنا دات آی آر بروید."},
		{"one of mail, its words spelled", "به ali@example.com بنویس.", "به ای ال آی ات ای ایکس ای ام پی ال ای دات کام بنویس."},
		{"capitals by their names", "یک SMS و DVD", "یک اس\u200cام\u200cاس و دی\u200cوی\u200cدی"},
		{"words of the table", "با iPhone و Windows کار کن.", "با آیفون و ویندوز کار کن."},
		{"words of small letters", "سایت com و laptop", "سایت کام و لپ\u200cتاپ"},
		{"digits after a word", "مدل GPT4", "مدل جی\u200cپی\u200cتی چهار"},
		{"one word that is not known keeps its run", "شرکت Google Xyloq رفت.", "شرکت Google Xyloq رفت."},
		{"measures, money and numerals first", "5 km و USD 20 و لویی XIV", "پنج کیلومتر و بیست دلار آمریکا و لویی چهاردهم"},
	} {
		got, _ := p.Read(nil, c.written, false)
		if string(got) != c.want {
			t.Errorf("%s: %q is read\n%q, want\n%q", c.rule, c.written, got, c.want)
		}
		if again, _ := p.Read(nil, string(got), false); string(again) != string(got) {
			t.Errorf("%s: %q is read %q", c.rule, got, again)
		}
	}
}

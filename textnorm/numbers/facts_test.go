package numbers

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// fact is what any speaker of a language knows of its numbers.
type fact struct {
	lang     string
	small    string // 0 to 20, with a space between
	cardinal string // of 21, 30, 40, 50, 60, 70, 80, 90, 99, 100, 101, 200, 1000, 2000, 10000, 1000000 and 2000000, with a comma between
	ordinal  string // of 1 to 10, 20 and 100, with a comma between
	minus    string // -3
}

var (
	bigNumbers = []string{"21", "30", "40", "50", "60", "70", "80", "90", "99", "100", "101", "200", "1000", "2000", "10000", "1000000", "2000000"}
	ordinals   = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "20", "100"}
)

// facts are from grammars and primers of the languages, not from CLDR's rules. Of
// two good spellings the one stands here that the package has, such as مائة, not مئة.
var facts = []fact{
	{"en", "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
		"twenty-one, thirty, forty, fifty, sixty, seventy, eighty, ninety, ninety-nine, one hundred, one hundred one, two hundred, one thousand, two thousand, ten thousand, one million, two million",
		"first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, twentieth, one hundredth", "minus three"},
	{"de", "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
		"einundzwanzig, dreißig, vierzig, fünfzig, sechzig, siebzig, achtzig, neunzig, neunundneunzig, einhundert, einhunderteins, zweihundert, eintausend, zweitausend, zehntausend, eine Million, zwei Millionen",
		"erste, zweite, dritte, vierte, fünfte, sechste, siebte, achte, neunte, zehnte, zwanzigste, einhundertste", "minus drei"},
	{"fr", "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
		"vingt et un, trente, quarante, cinquante, soixante, soixante-dix, quatre-vingts, quatre-vingt-dix, quatre-vingt-dix-neuf, cent, cent un, deux cents, mille, deux mille, dix mille, un million, deux millions",
		"premier, deuxième, troisième, quatrième, cinquième, sixième, septième, huitième, neuvième, dixième, vingtième, centième", "moins trois"},
	{"es", "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
		"veintiuno, treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa, noventa y nueve, cien, ciento uno, doscientos, mil, dos mil, diez mil, un millón, dos millones",
		"primero, segundo, tercero, cuarto, quinto, sexto, séptimo, octavo, noveno, décimo, vigésimo, centésimo", "menos tres"},
	{"it", "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
		"ventuno, trenta, quaranta, cinquanta, sessanta, settanta, ottanta, novanta, novantanove, cento, centouno, duecento, mille, duemila, diecimila, un milione, due milioni",
		"primo, secondo, terzo, quarto, quinto, sesto, settimo, ottavo, nono, decimo, ventesimo, centesimo", "meno tre"},
	{"pt", "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte",
		"vinte e um, trinta, quarenta, cinquenta, sessenta, setenta, oitenta, noventa, noventa e nove, cem, cento e um, duzentos, mil, dois mil, dez mil, um milhão, dois milhões",
		"primeiro, segundo, terceiro, quarto, quinto, sexto, sétimo, oitavo, nono, décimo, vigésimo, centésimo", "menos três"},
	{"pt-PT", "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove vinte",
		"vinte e um, trinta, quarenta, cinquenta, sessenta, setenta, oitenta, noventa, noventa e nove, cem, cento e um, duzentos, mil, dois mil, dez mil, um milhão, dois milhões",
		"primeiro, segundo, terceiro, quarto, quinto, sexto, sétimo, oitavo, nono, décimo, vigésimo, centésimo", "menos três"},
	{"nl", "nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
		"eenentwintig, dertig, veertig, vijftig, zestig, zeventig, tachtig, negentig, negenennegentig, honderd, honderdeen, tweehonderd, duizend, tweeduizend, tienduizend, een miljoen, twee miljoen",
		"eerste, tweede, derde, vierde, vijfde, zesde, zevende, achtste, negende, tiende, twintigste, honderdste", "min drie"},
	{"pl", "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście dwadzieścia",
		"dwadzieścia jeden, trzydzieści, czterdzieści, pięćdziesiąt, sześćdziesiąt, siedemdziesiąt, osiemdziesiąt, dziewięćdziesiąt, dziewięćdziesiąt dziewięć, sto, sto jeden, dwieście, tysiąc, dwa tysiące, dziesięć tysięcy, milion, dwa miliony",
		"pierwszy, drugi, trzeci, czwarty, piąty, szósty, siódmy, ósmy, dziewiąty, dziesiąty, dwudziesty, setny", "minus trzy"},
	{"cs", "nula jedna dva tři čtyři pět šest sedm osm devět deset jedenáct dvanáct třináct čtrnáct patnáct šestnáct sedmnáct osmnáct devatenáct dvacet",
		"dvacet jedna, třicet, čtyřicet, padesát, šedesát, sedmdesát, osmdesát, devadesát, devadesát devět, sto, sto jedna, dvě stě, tisíc, dva tisíce, deset tisíc, milion, dva miliony",
		"první, druhý, třetí, čtvrtý, pátý, šestý, sedmý, osmý, devátý, desátý, dvacátý, stý", "mínus tři"},
	{"ru", "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать",
		"двадцать один, тридцать, сорок, пятьдесят, шестьдесят, семьдесят, восемьдесят, девяносто, девяносто девять, сто, сто один, двести, одна тысяча, две тысячи, десять тысяч, один миллион, два миллиона",
		"первый, второй, третий, четвёртый, пятый, шестой, седьмой, восьмой, девятый, десятый, двадцатый, сотый", "минус три"},
	{"uk", "нуль один два три чотири пʼять шість сім вісім девʼять десять одинадцять дванадцять тринадцять чотирнадцять пʼятнадцять шістнадцять сімнадцять вісімнадцять девʼятнадцять двадцять",
		"двадцять один, тридцять, сорок, пʼятдесят, шістдесят, сімдесят, вісімдесят, девʼяносто, девʼяносто девʼять, сто, сто один, двісті, одна тисяча, дві тисячі, десять тисяч, один мільйон, два мільйони",
		"перший, другий, третій, четвертий, пʼятий, шостий, сьомий, восьмий, девʼятий, десятий, двадцятий, сотий", "мінус три"},
	{"tr", "sıfır bir iki üç dört beş altı yedi sekiz dokuz on on_bir on_iki on_üç on_dört on_beş on_altı on_yedi on_sekiz on_dokuz yirmi",
		"yirmi bir, otuz, kırk, elli, altmış, yetmiş, seksen, doksan, doksan dokuz, yüz, yüz bir, iki yüz, bin, iki bin, on bin, bir milyon, iki milyon",
		"birinci, ikinci, üçüncü, dördüncü, beşinci, altıncı, yedinci, sekizinci, dokuzuncu, onuncu, yirminci, yüzüncü", "eksi üç"},
	{"hu", "nulla egy kettő három négy öt hat hét nyolc kilenc tíz tizenegy tizenkettő tizenhárom tizennégy tizenöt tizenhat tizenhét tizennyolc tizenkilenc húsz",
		"huszonegy, harminc, negyven, ötven, hatvan, hetven, nyolcvan, kilencven, kilencvenkilenc, száz, százegy, kétszáz, ezer, kétezer, tízezer, egymillió, kétmillió",
		"első, második, harmadik, negyedik, ötödik, hatodik, hetedik, nyolcadik, kilencedik, tizedik, huszadik, századik", "mínusz három"},
	{"fa", "صفر یک دو سه چهار پنج شش هفت هشت نه ده یازده دوازده سیزده چهارده پانزده شانزده هفده هجده نوزده بیست",
		"بیست و یک, سی, چهل, پنجاه, شصت, هفتاد, هشتاد, نود, نود و نه, صد, صد و یک, دویست, هزار, دو هزار, ده هزار, یک میلیون, دو میلیون",
		"یکم, دوم, سوم, چهارم, پنجم, ششم, هفتم, هشتم, نهم, دهم, بیستم, صدم", "منفی سه"},
	{"ar", "صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة أحد_عشر اثنا_عشر ثلاثة_عشر أربعة_عشر خمسة_عشر ستة_عشر سبعة_عشر ثمانية_عشر تسعة_عشر عشرون",
		"واحد وعشرون, ثلاثون, أربعون, خمسون, ستون, سبعون, ثمانون, تسعون, تسعة وتسعون, مائة, مائة وواحد, مئتان, ألف, ألفان, عشرة آلاف, مليون, مليونان",
		"الأول, الثاني, الثالث, الرابع, الخامس, السادس, السابع, الثامن, التاسع, العاشر, العشرون, المائة", "ناقص ثلاثة"},
	{"hi", "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पन्द्रह सोलह सत्रह अठारह उन्नीस बीस",
		"इक्कीस, तीस, चालीस, पचास, साठ, सत्तर, अस्सी, नब्बे, निन्यानबे, एक सौ, एक सौ एक, दो सौ, एक हज़ार, दो हज़ार, दस हज़ार, दस लाख, बीस लाख",
		"पहला, दूसरा, तीसरा, चौथा, पाँचवाँ, छठा, सातवाँ, आठवाँ, नौवाँ, दसवाँ, बीसवाँ, एक सौवाँ", "ऋण तीन"},
	{"zh", "零 一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十",
		"二十一, 三十, 四十, 五十, 六十, 七十, 八十, 九十, 九十九, 一百, 一百零一, 二百, 一千, 二千, 一万, 一百万, 二百万",
		"第一, 第二, 第三, 第四, 第五, 第六, 第七, 第八, 第九, 第十, 第二十, 第一百", "负三"},
	{"ja", "零 一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十",
		"二十一, 三十, 四十, 五十, 六十, 七十, 八十, 九十, 九十九, 百, 百一, 二百, 千, 二千, 一万, 百万, 二百万",
		"第一, 第二, 第三, 第四, 第五, 第六, 第七, 第八, 第九, 第十, 第二十, 第百", "マイナス三"},
	{"ko", "영 일 이 삼 사 오 육 칠 팔 구 십 십일 십이 십삼 십사 십오 십육 십칠 십팔 십구 이십",
		"이십일, 삼십, 사십, 오십, 육십, 칠십, 팔십, 구십, 구십구, 백, 백일, 이백, 천, 이천, 만, 백만, 이백만",
		"첫 번째, 두 번째, 세 번째, 네 번째, 다섯 번째, 여섯 번째, 일곱 번째, 여덟 번째, 아홉 번째, 열 번째, 스무 번째, 백 번째", "마이너스 삼"},
}

// TestFacts: what a child of each language learns.
func TestFacts(t *testing.T) {
	said := map[string]bool{}
	for _, f := range facts {
		said[f.lang] = true
		check := func(kind Kind, digits, want string) {
			t.Helper()
			if got, ok := Speak(f.lang, kind, digits); !ok || got != want {
				t.Errorf("Speak(%s, %v, %s) = %q, %v, want %q", f.lang, kind, digits, got, ok, want)
			}
		}
		small := strings.Fields(f.small)
		if len(small) != 21 {
			t.Fatalf("%s: %d numbers, want 0 to 20", f.lang, len(small))
		}
		for n, want := range small {
			check(Cardinal, strconv.Itoa(n), strings.ReplaceAll(want, "_", " "))
		}
		for i, want := range strings.Split(f.cardinal, ", ") {
			check(Cardinal, bigNumbers[i], want)
		}
		for i, want := range strings.Split(f.ordinal, ", ") {
			check(Ordinal, ordinals[i], want)
		}
		check(Cardinal, "-3", f.minus)
	}
	for _, lang := range Languages() {
		if !said[lang] {
			t.Errorf("no facts of %s", lang)
		}
	}
}

// further are the words of a language for reading what Speak says: "WORD=VALUE",
// "WORD*VALUE" for one that multiplies what is before it, and words that say
// nothing. What facts have is known already. Glued words are read as well.
var further = map[string]string{
	"en": "hundred*2 thousand*3 million*6 billion*9 trillion*12 quadrillion*15",
	"de": "ein=1 eine=1 und hundert*2 tausend*3 Million*6 Millionen*6 Milliarde*9 Milliarden*9 Billion*12 Billionen*12 Billiarde*15 Billiarden*15",
	"nl": "een=1 en ën honderd*2 duizend*3 miljoen*6 miljard*9 biljoen*12 biljard*15",
	"fr": "et quatre-vingt=80 cent*2 cents*2 mille*3 million*6 millions*6 milliard*9 milliards*9 billion*12 billions*12 billiard*15 billiards*15",
	"es": "y un=1 veintidós=22 veintitrés=23 veintiséis=26 veintiún=21 veinti=20 ciento=100 trescientos=300 cuatrocientos=400 quinientos=500 seiscientos=600 setecientos=700 " +
		"ochocientos=800 novecientos=900 mil*3 millón*6 millones*6 billón*12 billones*12",
	"it": "e un=1 tré=3 vent=20 trent=30 quarant=40 cinquant=50 sessant=60 settant=70 ottant=80 novant=90 cento*2 cent*2 mila*3 mille*3 milione*6 milioni*6 miliardo*9 miliardi*9 " +
		"bilione*12 bilioni*12 biliardo*15 biliardi*15",
	"pt": "e cento=100 trezentos=300 quatrocentos=400 quinhentos=500 seiscentos=600 setecentos=700 oitocentos=800 novecentos=900 mil*3 milhão*6 milhões*6 bilhão*9 bilhões*9 " +
		"trilhão*12 trilhões*12 quatrilhão*15 quatrilhões*15",
	"pt-PT": "e cento=100 trezentos=300 quatrocentos=400 quinhentos=500 seiscentos=600 setecentos=700 oitocentos=800 novecentos=900 mil*3 milhão*6 milhões*6 bilião*12 biliões*12",
	"pl": "trzysta=300 czterysta=400 pięćset=500 sześćset=600 siedemset=700 osiemset=800 dziewięćset=900 tysiąc*3 tysiące*3 tysięcy*3 milion*6 miliony*6 milionów*6 " +
		"miliard*9 miliardy*9 miliardów*9 bilion*12 biliony*12 bilionów*12 biliard*15 biliardy*15 biliardów*15",
	"cs": "jeden=1 jedno=1 dvě=2 sto*2 stě*2 sta*2 set*2 tisíc*3 tisíce*3 milion*6 miliony*6 milionů*6 miliarda*9 miliardy*9 miliard*9 " +
		"bilion*12 biliony*12 bilionů*12 biliarda*15 biliardy*15 biliard*15",
	"ru": "одна=1 две=2 триста=300 четыреста=400 пятьсот=500 шестьсот=600 семьсот=700 восемьсот=800 девятьсот=900 тысяча*3 тысячи*3 тысяч*3 миллион*6 миллиона*6 миллионов*6 " +
		"миллиард*9 миллиарда*9 миллиардов*9 триллион*12 триллиона*12 триллионов*12 квадриллион*15 квадриллиона*15 квадриллионов*15",
	"uk": "одна=1 дві=2 триста=300 чотириста=400 пʼятсот=500 шістсот=600 сімсот=700 вісімсот=800 девʼятсот=900 тисяча*3 тисячі*3 тисяч*3 мільйон*6 мільйони*6 мільйонів*6 " +
		"мільярд*9 мільярди*9 мільярдів*9 трильйон*12 трильйони*12 трильйонів*12 більйон*12 більйони*12 більйонів*12 квадрильйон*15 квадрильйони*15 квадрильйонів*15 більярд*15 більярди*15 більярдів*15",
	"tr": "yüz*2 bin*3 milyon*6 milyar*9 trilyon*12 katrilyon*15",
	"hu": "két=2 tizen=10 huszon=20 száz*2 ezer*3 millió*6 milliárd*9 billió*12 billiárd*15",
	"fa": "و سیصد=300 چهارصد=400 پانصد=500 ششصد=600 هفتصد=700 هشتصد=800 نهصد=900 هزار*3 میلیون*6 میلیارد*9 تریلیون*12 بیلیون*12 کوادریلیون*15 بیلیارد*15",
	"zh": "两=2 十*1 百*2 千*3 万*4 亿*8 兆*12",
	"ja": "十*1 百*2 千*3 万*4 億*8 兆*12 京*16",
	"ko": "십*1 백*2 천*3 만*4 억*8 조*12 경*16",
}

// lexeme is a word of a number: it adds its value, or multiplies.
type lexeme struct {
	value  uint64
	factor bool
}

// lexemes are all words by which a language's numbers are read back.
func lexemes(f fact) map[string]lexeme {
	words := map[string]lexeme{"-": {}, " ": {}, "\u00a0": {}}
	digits := strings.Contains("zh ja ko", f.lang) // a sign for each digit and each power
	for n, word := range strings.Fields(f.small) {
		if digits && n > 10 {
			break
		}
		words[strings.ReplaceAll(word, "_", " ")] = lexeme{value: uint64(n)}
	}
	for i, word := range strings.Split(f.cardinal, ", ") {
		if n, _ := strconv.ParseUint(bigNumbers[i], 10, 64); !digits && n < 1000 && n != 101 && (n != 100 && n != 200 || !strings.Contains(word, " ")) {
			words[word] = lexeme{value: n}
		}
	}
	for _, w := range strings.Fields(further[f.lang]) {
		if word, power, ok := strings.Cut(w, "*"); ok {
			n, _ := strconv.Atoi(power)
			value := uint64(1)
			for range n {
				value *= 10
			}
			words[word] = lexeme{value, true}
			continue
		}
		word, n, _ := strings.Cut(w, "=")
		value, _ := strconv.ParseUint(n, 10, 64)
		words[word] = lexeme{value: value}
	}
	return words
}

// readBack is the value of spoken words: the longest word first, and a factor
// multiplies the sum of all that is smaller than it and stands before it.
func readBack(words map[string]lexeme, said string) (uint64, bool) {
	var parts []uint64
	for said != "" {
		size := min(len(said), 48) // no word is longer
		for ; size > 0; size-- {
			if _, known := words[said[:size]]; known {
				break
			}
		}
		if size == 0 {
			return 0, false
		}
		w := words[said[:size]]
		said = said[size:]
		if w.factor {
			sum := uint64(0)
			for len(parts) > 0 && parts[len(parts)-1] < w.value {
				sum, parts = sum+parts[len(parts)-1], parts[:len(parts)-1]
			}
			w.value *= max(sum, 1)
		}
		if w.value > 0 {
			parts = append(parts, w.value)
		}
	}
	sum := uint64(0)
	for _, p := range parts {
		sum += p
	}
	return sum, true
}

// TestCardinalsReadBack: what is said of a number is that number, by a reader that
// knows words and how numbers are made of them, and no rule of this package.
func TestCardinalsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []uint64
	small, large := uint64(1300), 1000
	if testing.Short() {
		small, large = 300, 200
	}
	for n := range small {
		all = append(all, n)
	}
	for power := uint64(1000); power < 1e18; power *= 10 {
		for n := range uint64(10) {
			all = append(all, n*power, n*power+1, n*power+power/10, n*power-1)
		}
	}
	for range large {
		all = append(all, r.Uint64N(1e18)>>r.IntN(59))
	}
	for _, f := range facts {
		if further[f.lang] == "" {
			continue // Arabic and Hindi have too many forms of each word
		}
		words, wrong, most := lexemes(f), 0, uint64(1e18)
		if f.lang == "zh" {
			most = 1e16 // from there on 亿 multiplies what has 亿
		}
		for _, n := range all {
			if n >= most {
				continue
			}
			said, ok := Speak(f.lang, Cardinal, strconv.FormatUint(n, 10))
			whole := strings.ReplaceAll(said, "centott", "centoott") // Italian says one of the two
			if got, known := readBack(words, whole); (!ok || !known || got != n) && wrong < 5 {
				wrong++
				t.Errorf("%s: %d is %q, which is %d, %v", f.lang, n, said, got, known)
			}
		}
	}
}

// TestOrdinalsFollowCardinals: where a language makes its ordinals by an ending, they
// are the cardinals with that ending, as the grammar of each says.
func TestOrdinalsFollowCardinals(t *testing.T) {
	ends := func(s string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if stem, ok := strings.CutSuffix(s, pairs[i]); ok {
				return stem + pairs[i+1]
			}
		}
		return s
	}
	for lang, ordinal := range map[string]func(n int, cardinal string) string{
		"en": func(_ int, s string) string {
			return ends(s, "one", "first", "two", "second", "three", "third", "five", "fifth", "eight", "eighth", "nine", "ninth", "twelve", "twelfth", "y", "ieth", "", "th")
		},
		"de": func(n int, s string) string {
			if n %= 100; n == 0 || n > 19 {
				return s + "ste"
			}
			return ends(s, "eins", "erste", "drei", "dritte", "sieben", "siebte", "acht", "achte", "", "te")
		},
		"nl": func(n int, s string) string {
			if n %= 100; n == 0 || n > 19 || n == 1 || n == 8 {
				return ends(s, "één", "eerste", "een", "eerste", "", "ste")
			}
			return ends(s, "drie", "derde", "", "de")
		},
		"fa": func(_ int, s string) string { return ends(s, "سه", "سوم", "سی", "سی\u200cام", "", "م") },
		"zh": func(_ int, s string) string { return "第" + s },
		"ja": func(_ int, s string) string { return "第" + s },
		"it": func(n int, s string) string {
			if n < 11 {
				return strings.Fields("primo secondo terzo quarto quinto sesto settimo ottavo nono decimo")[n-1]
			}
			return ends(s, "tré", "treesimo", "tre", "treesimo", "sei", "seiesimo", "dieci", "decimo", "mille", "millesimo", "mila", "millesimo",
				"o", "esimo", "i", "esimo", "a", "esimo", "e", "esimo")
		},
	} {
		wrong := 0
		for n := 1; n <= 2100; n++ {
			digits := strconv.Itoa(n)
			cardinal, _ := Speak(lang, Cardinal, digits)
			got, ok := Speak(lang, Ordinal, digits)
			if lang == "it" && n > 10 && n%100 == 10 {
				continue // CLDR has centodiecesimo where grammars have centodecimo
			}
			if lang == "nl" && n%1000 == 1 {
				continue // after a thousand the space is a matter of taste
			}
			if want := ordinal(n, cardinal); (!ok || got != want) && wrong < 5 {
				wrong++
				t.Errorf("Speak(%s, ordinal, %d) = %q, %v, want %q", lang, n, got, ok, want)
			}
		}
	}
}

// TestParts: a sign and a fraction are said around the number, and what is said of a
// number does not depend on the zeros in front of it.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, lang := range Languages() {
		for range 100 {
			n := strconv.FormatUint(r.Uint64N(1e18)>>r.IntN(59), 10)
			said, _ := Speak(lang, Cardinal, n)
			if got, ok := Speak(lang, Cardinal, strings.Repeat("0", 1+r.IntN(40))+n); !ok || got != said {
				t.Errorf("%s: with zeros in front %s is %q, %v, want %q", lang, n, got, ok, said)
			}
			if got, ok := Speak(lang, Cardinal, "-"+n); !ok || !strings.HasSuffix(got, said) || got == said {
				t.Errorf("%s: -%s is %q, %v, want a sign and %q", lang, n, got, ok, said)
			}
			fraction := strconv.Itoa(r.IntN(1000))
			less, _ := Speak(lang, Decimal, n+"."+fraction)
			if more, ok := Speak(lang, Decimal, "-"+n+"."+fraction); !ok || !strings.HasSuffix(more, less) || more == less {
				t.Errorf("%s: -%s.%s is %q, %v, want a sign and %q", lang, n, fraction, more, ok, less)
			}
		}
	}
}

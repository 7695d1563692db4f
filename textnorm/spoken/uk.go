package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// ukrainian: days, hours and years are ordinals in the case that the words beside
// them ask for; endings after a hyphen tell that of other ordinals.
func ukrainian() *voice {
	return &voice{
		code: "uk", perWord: "за", accusatives: []string{"а", "у", "я", "ю"}, halves: "з половиною|з половиною", aHalf: "половина|половина",
		decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true, letters: ukrainianLetters,
		genders: map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}, fractionForm: "fraction",
		agree: ukrainianAgree, part: ukrainianPart, compounds: ukrainianCompound,
		minus: "мінус", plus: "плюс", point: "крапка", to: "-", about: "близько", score: "", over: "дріб",
		half: parseNoun("f друга|других|других|других"), third: parseNoun("f третина|третини|третин|третини"), quarter: parseNoun("f чверть|чверті|чвертей|чверті"),
		date: dateWords{
			months: "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
			short:  "січ=1 лют=2 бер=3 берез=3 квіт=4 кві=4 трав=5 тра=5 черв=6 чер=6 лип=7 серп=8 сер=8 верес=9 вер=9 жовт=10 жов=10 листоп=11 лист=11 лис=11 груд=12 гру=12",
			other:  "січні лютому березні квітні травні червні липні серпні вересні жовтні листопаді грудні січень лютий березень квітень травень червень липень серпень вересень жовтень листопад грудень",
			kind:   numbers.Ordinal, form: "neuter-genitive", until: "по", year: "року", yearCut: "р", eras: "до н|н. е|н.е|нашої ери",
			forms:    map[string]string{"на": "neuter", "по": "neuter", "за": "neuter"},
			yearEnds: map[string]string{"рік": "nominative", "року": "", "році": "locative", "роком": "instrumental", "рокові": "dative"},
			yearsCut: "рр", yearsStem: "рок",
			years: map[string]string{"": " років", "у": "locative роках", "в": "locative роках", "за": "nominative роки", "на": "nominative роки"},
			yearWith: map[string]string{
				"": " року", "у": "locative році", "в": "locative році", "о": "locative році", "при": "locative році",
				"на": "nominative рік", "за": "nominative рік", "про": "nominative рік", "через": "nominative рік", "крізь": "nominative рік",
				"перед": "instrumental роком", "між": "instrumental роком", "над": "instrumental роком",
			},
		},
		clock: clockWords{
			dots: true, words: "о об до з від після перед на близько год година години годин", kind: numbers.Ordinal, form: "feminine", minute: "feminine", zero: true,
			bare: "о об",
			forms: map[string]string{
				"о": "feminine-locative", "об": "feminine-locative", "по": "feminine-locative", "годині": "feminine-locative",
				"з": "feminine-genitive", "із": "feminine-genitive", "до": "feminine-genitive", "від": "feminine-genitive", "після": "feminine-genitive", "близько": "feminine-genitive", "години": "feminine-genitive",
				"на": "feminine-accusative", "за": "feminine-accusative", "годину": "feminine-accusative", "перед": "feminine-instrumental", "між": "feminine-instrumental",
			},
			second: parseNoun("f секунда|секунди|секунд|секунди"),
		},
		ordinals: ordinalWords{marks: ukrainianEndings},
		regnal:   ukrainianRoman,
		units:    ukrainianUnits, far: "в В А а Н W V A", currencies: ukrainianMoney, address: "крапка|коса риска|двокрапка|равлик|дефіс|підкреслення",
		magnitudes: `
			тис. f тисяча|тисячі|тисяч|тисячі
			тис f тисяча|тисячі|тисяч|тисячі
			млн. m мільйон|мільйони|мільйонів|мільйона
			млн m мільйон|мільйони|мільйонів|мільйона
			млрд. m мільярд|мільярди|мільярдів|мільярда
			млрд m мільярд|мільярди|мільярдів|мільярда
			трлн. m трильйон|трильйони|трильйонів|трильйона
			трлн m трильйон|трильйони|трильйонів|трильйона`,
		symbols: `
			& і
			@ равлик
			# номер
			№ номер
			+ плюс
			= дорівнює
			× помножити на
			÷ поділити на
			± плюс мінус
			≠ не дорівнює
			< менше
			> більше
			§ параграф
			/ дріб
			½ і`,
		abbrevs:  ukrainianAbbreviations,
		closings: ukrainianClosings,
		numbered: ukrainianNumbered,
	}
}

// ukrainianEndings are what stands after the digits of an ordinal: the last
// letters of the word, from the last consonant on.
const ukrainianEndings = `
	-ий masculine
	-ій masculine
	-й masculine
	-ша feminine
	-га feminine
	-тя feminine
	-та feminine
	-ма feminine
	-а feminine
	-я feminine
	-ше neuter
	-ге neuter
	-тє neuter
	-те neuter
	-ме neuter
	-е neuter
	-є neuter
	-го masculine-genitive
	-ого masculine-genitive
	-ього masculine-genitive
	-му masculine-locative
	-ому masculine-locative
	-ьому masculine-locative
	-шу feminine-accusative
	-гу feminine-accusative
	-тю feminine-accusative
	-ту feminine-accusative
	-у feminine-accusative
	-ю feminine-accusative
	-ої feminine-genitive
	-ти cardinal masculine-genitive
	-тьох cardinal masculine-genitive
	-ьох cardinal masculine-genitive
	-ох cardinal masculine-genitive
	-ї feminine-genitive
	-шої feminine-genitive
	-тої feminine-genitive
	-ою feminine-instrumental
	-им masculine-instrumental
	-ім masculine-instrumental
	-м masculine-instrumental
	-ші plural
	-гі plural
	-ті plural
	-мі plural
	-і plural
	-х plural-genitive
	-их plural-genitive
	-тих plural-genitive
	-ми plural-instrumental
	-ими plural-instrumental`

var ukrainianRoman = romanWords{queens: "Катерина Єлизавета Анна Марія Маргарита Ізабелла", queen: "feminine", upTo: 99, form: "masculine",
	counted: "розділ глава том частина акт книга стаття фаза рівень тип група",
	cut:     "ст", cutWith: map[string]string{
		"": "masculine-genitive століття", "у": "masculine-locative столітті", "в": "masculine-locative столітті", "на": "neuter століття", "за": "neuter століття",
		"з": "masculine-genitive століття", "із": "masculine-genitive століття", "до": "masculine-genitive століття", "від": "masculine-genitive століття", "після": "masculine-genitive століття", "протягом": "masculine-genitive століття",
		"початку": "masculine-genitive століття", "початок": "masculine-genitive століття", "кінця": "masculine-genitive століття", "кінці": "masculine-genitive століття", "кінець": "masculine-genitive століття", "наприкінці": "masculine-genitive століття",
		"середини": "masculine-genitive століття", "середині": "masculine-genitive століття", "половини": "masculine-genitive століття", "половині": "masculine-genitive століття", "половина": "masculine-genitive століття", "чверті": "masculine-genitive століття", "чверть": "masculine-genitive століття"},
	century: "+століття=neuter на+століття=neuter за+століття=neuter це+століття=neuter було+століття=neuter настало+століття=neuter почалося+століття=neuter ціле+століття=neuter все+століття=neuter усе+століття=neuter " +
		"століття=masculine-genitive столітті=masculine-locative століттях=masculine-locative століть=masculine-genitive століттю=masculine-dative століттям=masculine-instrumental " +
		"світова=feminine Світова=feminine світової=feminine-genitive Світової=feminine-genitive світовій=feminine-locative Світовій=feminine-locative світову=feminine-accusative Світову=feminine-accusative світовою=feminine-instrumental " +
		"зʼїзд=masculine зʼїзду=masculine-genitive зʼїзді=masculine-locative",
	kings: "Володимир Ярослав Данило Юрій Лев Петро Павло Іван Микола Олександр Людовік Карл Генріх Фрідріх Вільгельм Наполеон Василь Георг Едуард Рамзес Казимир Сигізмунд Август Бенедикт Пій Філіп"}

const ukrainianAbbreviations = `
	м. місто;у в=місті;з із до=міста;за під над=містом
	т._е. тобто
	т.е. тобто
	т._зв. так званий
	т.зв. так званий
	т._ч. тому числі
	т.ч. тому числі
	вул. вулиця;на по у в=вулиці;з до від біля вздовж=вулиці;через=вулицю
	просп. проспект;на=проспекті;з до від біля=проспекту
	пров. провулок;на у в=провулку
	пл. площа;на по у в=площі;з до від біля=площі;через=площу
	обл. область;у в=області;з до=області
	ім. імені
	св. святий
	проф. професор
	акад. академік
	доц. доцент
	напр. наприклад
	див. дивись
	бл. близько
	тел. телефон
	англ. англійською
	лат. латинською
	грец. грецькою
	нім. німецькою
	фр. французькою
	пол. польською
	рос. російською
	укр. українською
	гол. голова
	заст. заступник
	зав. завідувач
	ред. редактор
	год. годині
	рр. роки;х=років`

const ukrainianClosings = `
	і_т._д. і так далі
	і_т.д. і так далі
	і_т._п. і таке подібне
	і_т.п. і таке подібне
	та_ін. та інші
	й_ін. й інші
	і_ін. і інші
	та_інш. та інші
	до_н._е. до нашої ери
	до_н.е. до нашої ери
	н._е. нашої ери
	н.е. нашої ери`

const ukrainianNumbered = `
	стор. сторінка
	с. сторінка
	гл. глава
	розд. розділ
	рис. рисунок
	мал. малюнок
	табл. таблиця
	ст. стаття
	п. пункт
	ч. частина
	буд. будинок
	кв. квартира
	оф. офіс
	т. том`

const ukrainianUnits = `
	% m відсоток|відсотки|відсотків|відсотка
	‰ n проміле|проміле|проміле|проміле
	км,km m кілометр|кілометри|кілометрів|кілометра
	м,m m метр|метри|метрів|метра
	дм m дециметр|дециметри|дециметрів|дециметра
	см,cm m сантиметр|сантиметри|сантиметрів|сантиметра
	мм,mm m міліметр|міліметри|міліметрів|міліметра
	мкм m мікрометр|мікрометри|мікрометрів|мікрометра
	км/год,км/ч m кілометр на годину|кілометри на годину|кілометрів на годину|кілометра на годину
	м/с m метр на секунду|метри на секунду|метрів на секунду|метра на секунду
	км²,км2 m квадратний кілометр|квадратні кілометри|квадратних кілометрів|квадратного кілометра
	м²,м2 m квадратний метр|квадратні метри|квадратних метрів|квадратного метра
	см²,см2 m квадратний сантиметр|квадратні сантиметри|квадратних сантиметрів|квадратного сантиметра
	м³/год m кубічний метр на годину|кубічні метри на годину|кубічних метрів на годину|кубічного метра на годину
	м³,м3 m кубічний метр|кубічні метри|кубічних метрів|кубічного метра
	см³,см3 m кубічний сантиметр|кубічні сантиметри|кубічних сантиметрів|кубічного сантиметра
	га m гектар|гектари|гектарів|гектара
	кг,kg m кілограм|кілограми|кілограмів|кілограма
	г m грам|грами|грамів|грама
	мг m міліграм|міліграми|міліграмів|міліграма
	т f тонна|тонни|тонн|тонни
	ц m центнер|центнери|центнерів|центнера
	л m літр|літри|літрів|літра
	мл m мілілітр|мілілітри|мілілітрів|мілілітра
	год f година|години|годин|години
	хв f хвилина|хвилини|хвилин|хвилини
	с,сек f секунда|секунди|секунд|секунди
	мс f мілісекунда|мілісекунди|мілісекунд|мілісекунди
	°C,°С,°_C,°_С m градус Цельсія|градуси Цельсія|градусів Цельсія|градуса Цельсія
	°F m градус Фаренгейта|градуси Фаренгейта|градусів Фаренгейта|градуса Фаренгейта
	° m градус|градуси|градусів|градуса
	Вт m ват|вати|ватів|вата
	кВт m кіловат|кіловати|кіловатів|кіловата
	МВт m мегават|мегавати|мегаватів|мегавата
	ГВт m гігават|гігавати|гігаватів|гігавата
	кВт·год,кВт-год,кВтг f кіловат-година|кіловат-години|кіловат-годин|кіловат-години
	к._с.,к.с. f кінська сила|кінські сили|кінських сил|кінської сили
	ккал f кілокалорія|кілокалорії|кілокалорій|кілокалорії
	В m вольт|вольти|вольтів|вольта
	А m ампер|ампери|амперів|ампера
	Ом m ом|оми|омів|ома
	Гц m герц|герци|герців|герца
	кГц m кілогерц|кілогерци|кілогерців|кілогерца
	МГц m мегагерц|мегагерци|мегагерців|мегагерца
	ГГц m гігагерц|гігагерци|гігагерців|гігагерца
	КБ,Кб m кілобайт|кілобайти|кілобайтів|кілобайта
	МБ,Мб m мегабайт|мегабайти|мегабайтів|мегабайта
	ГБ,Гб m гігабайт|гігабайти|гігабайтів|гігабайта
	ТБ,Тб m терабайт|терабайти|терабайтів|терабайта
	дБ m децибел|децибели|децибелів|децибела
	шт f штука|штуки|штук|штуки
	чол,ос f особа|особи|осіб|особи`

const ukrainianMoney = `
	₴,грн,UAH f гривня|гривні|гривень|гривні / f копійка|копійки|копійок|копійки
	коп f копійка|копійки|копійок|копійки
	€,EUR m євро|євро|євро|євро / m цент|центи|центів|цента
	$,US$,USD m долар|долари|доларів|долара / m цент|центи|центів|цента
	£,GBP m фунт|фунти|фунтів|фунта / m пенс|пенси|пенсів|пенса
	zł,PLN m злотий|злоті|злотих|злотого / m грош|гроші|грошів|гроша
	CHF m франк|франки|франків|франка / m сантим|сантими|сантимів|сантима
	₽,RUB m рубль|рублі|рублів|рубля / f копійка|копійки|копійок|копійки
	¥,JPY f єна|єни|єн|єни
	CNY m юань|юані|юанів|юаня / m финь|фині|финів|финя
	₹,INR f рупія|рупії|рупій|рупії / f пайса|пайси|пайс|пайси
	₺,TRY f турецька ліра|турецькі ліри|турецьких лір|турецької ліри / m куруш|куруші|курушів|куруша
	₩,KRW m вон|вони|вонів|вона
	﷼,IRR m іранський ріал|іранські ріали|іранських ріалів|іранського ріала
	SAR m саудівський ріал|саудівські ріали|саудівських ріалів|саудівського ріала / f халала|халали|халал|халали
	AED m дирхам|дирхами|дирхамів|дирхама / m філс|філси|філсів|філса
	Kč,CZK f чеська крона|чеські крони|чеських крон|чеської крони / m гелер|гелери|гелерів|гелера
	Ft,HUF m форинт|форинти|форинтів|форинта / m філер|філери|філерів|філера
	R$,BRL m реал|реали|реалів|реала / n сентаво|сентаво|сентаво|сентаво
	MXN m мексиканський песо|мексиканські песо|мексиканських песо|мексиканського песо / n сентаво|сентаво|сентаво|сентаво
	CA$,CAD m канадський долар|канадські долари|канадських доларів|канадського долара / m цент|центи|центів|цента
	AU$,A$,AUD m австралійський долар|австралійські долари|австралійських доларів|австралійського долара / m цент|центи|центів|цента
	SEK f шведська крона|шведські крони|шведських крон|шведської крони / n ере|ере|ере|ере
	NOK f норвезька крона|норвезькі крони|норвезьких крон|норвезької крони / n ере|ере|ере|ере
	DKK f данська крона|данські крони|данських крон|данської крони / n ере|ере|ере|ере
	EGP m єгипетський фунт|єгипетські фунти|єгипетських фунтів|єгипетського фунта / m піастр|піастри|піастрів|піастра`

// ukrainianLetters brings the apostrophe inside a word to the letter that CLDR has
// for it, whichever of its look-alikes was typed, a Latin i among Cyrillic letters to
// the Cyrillic one, and Roman numerals in Cyrillic letters, ХІХ, to those of Rome.
func ukrainianLetters(text string) string {
	const marks = "'’‘`´ʹ′＇"
	if !mayBeRespelled(text) {
		return text
	}
	var out []byte
	kept, numeral := 0, -1 // what of the text is in out; where the last numeral ended
	put := func(at, size int, letters string) {
		if out == nil {
			out = make([]byte, 0, len(text)+8)
		}
		out, kept = append(append(out, text[kept:at]...), letters...), at+size
	}
	for at := 0; at < len(text); {
		if n := ukrainianStays(text, at); n > 0 {
			at += n
			continue
		}
		before := rune('X')
		if at != numeral {
			before, _ = utf8.DecodeLastRuneInString(text[:at])
		}
		if n := cyrillicNumeral(text, at, before); n > 0 {
			put(at, n, romanLetters.Replace(text[at:at+n]))
			at += n
			numeral = at
			continue
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if (r == 'i' || r == 'I' || strings.ContainsRune(marks, r)) && unicode.Is(unicode.Cyrillic, before) {
			if next, _ := utf8.DecodeRuneInString(text[at+n:]); unicode.Is(unicode.Cyrillic, next) {
				put(at, n, ukrainianFor(r))
			}
		}
		at += n
	}
	if out == nil {
		return text
	}
	return string(append(out, text[kept:]...))
}

// ukrainianStays is the length of a space or a Cyrillic letter at a place that begins
// no numeral, 0 for any other character: most are these.
func ukrainianStays(text string, at int) int {
	c := text[at]
	if c == ' ' {
		return 1
	}
	if at+1 >= len(text) || text[at+1]&0xc0 != 0x80 || c != 0xd1 && (c != 0xd0 || text[at+1] == 0xa5 || text[at+1] == 0x86) {
		return 0
	}
	return 2
}

// ukrainianFor is the Cyrillic letter for a look-alike between two of them.
func ukrainianFor(r rune) string {
	switch r {
	case 'i':
		return "і"
	case 'I':
		return "І"
	}
	return "ʼ"
}

// mayBeRespelled is quick, and true for some texts that stay: it looks at bytes.
func mayBeRespelled(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '\'', '`', 'i', 'I', 0xe2, 0xef, 0xc2: // the last three begin the other marks
			return true
		case 0xd0: // Х and І
			if i+1 < len(text) && (text[i+1] == 0xa5 || text[i+1] == 0x86) {
				return true
			}
		case 0xca: // ʹ
			if i+1 < len(text) && text[i+1] == 0xb9 {
				return true
			}
		}
	}
	return false
}

var romanLetters = strings.NewReplacer("Х", "X", "І", "I")

// cyrillicNumeral is the length of a word that is a Roman numeral once its Cyrillic
// letters are those of Rome. One letter alone is one only before its century.
func cyrillicNumeral(text string, at int, before rune) int {
	const most = 16 // bytes: LXXXVIII
	if c := text[at]; c != 0xd0 && c != 'X' && c != 'V' && c != 'I' && c != 'L' && c != 'C' || inWord(before) {
		return 0
	}
	if text[at] == 0xd0 && at+1 < len(text) && text[at+1] != 0xa5 && text[at+1] != 0x86 { // Х and І alone are numerals
		return 0
	}
	word := letters(text[:min(len(text), at+most)], at)
	if !romanLike(word) {
		return 0
	}
	roman := romanLetters.Replace(word)
	if roman == word || romanValue(roman) == 0 {
		return 0
	}
	rest := text[at+len(word):]
	if r, _ := utf8.DecodeRuneInString(rest); inWord(r) {
		return 0
	}
	rest = strings.TrimLeft(rest, " \u00a0")
	if len(roman) == 1 && !strings.HasPrefix(rest, "ст.") && !strings.HasPrefix(rest, "століт") && !strings.HasPrefix(rest, "світов") {
		return 0
	}
	return len(word)
}

// romanLike reports whether a word has no letter but those of Rome and the Cyrillic
// ones that look so.
func romanLike(word string) bool {
	for i := 0; i < len(word); i++ {
		switch c := word[i]; {
		case romanDigit(c) != 0:
		case c == 0xd0 && i+1 < len(word) && (word[i+1] == 0xa5 || word[i+1] == 0x86):
			i++
		default:
			return false
		}
	}
	return true
}

// ukrainianPart: одна пʼята, дві пʼятих, пʼять восьмих.
func ukrainianPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), many, many, many}}
}

// ukrainianCompound: двадцятирічний, дворічний, девʼяностохвилинний, сторіччя.
func ukrainianCompound(genitive string) string {
	return strings.NewReplacer(" ", "", "одного", "одно", "двохсот", "двохсот", "двох", "дво", "трьохсот", "трьохсот", "трьох", "три",
		"чотирьохсот", "чотирьохсот", "чотирьох", "чотири", "девʼяноста", "девʼяносто", "ста", "сто").Replace(genitive)
}

// ukrainianFeminine are nouns of women and things that are she, as they stand after
// two, where their ending is that of the masculine ones.
const ukrainianFeminine = "години хвилини секунди сестри доньки дочки дівчинки жінки дівчини бабусі тітки подруги студентки учениці книги книжки сторінки сторони країни частини " +
	"гривні копійки монети тонни милі склянки чашки ложки пляшки тарілки коробки штуки кімнати квартири хати школи лікарні вулиці площі машини ракети бомби групи команди " +
	"перемоги поразки ночі речі спроби зміни дати літери букви цифри точки лінії мови пісні казки картини зірки руки ноги голови особи людини родини сімʼї пари доби весни осені зими " +
	"таблиці глави статті ролі дороги стіни карти картки скарги заяви справи причини проблеми теми думки ідеї версії шахти станції зупинки бригади дивізії корови кози вівці кішки собаки"

// ukrainianAgree: one and two have a gender, which the noun shows by its ending or
// by being known.
func ukrainianAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || utf8.RuneCountInString(noun) < 3 || len(digits) > 1 && digits[len(digits)-2] == '1' ||
		oneOf(noun, "або для для це при під над без через була було були та але якщо щоб де на за") ||
		oneOf(before, "глава сторінка номер стаття група рівень том версія частина тип лінія розділ") {
		return 0
	}
	switch {
	case strings.HasSuffix(digits, "1"):
		switch {
		case endsIn(noun, "ння ття лля ззя ддя сся ццє ще ле це о е ре") && noun != "метро":
			return 'n'
		case endsIn(noun, "а я ість ова нь") && !oneOf(noun, "день тиждень місяць мужчина суддя дядя кінь рівень ступінь камінь учень січень відповідач") || oneOf(noun, "ніч річ мить тінь область мати кров любов подорож стаття сімʼя"):
			return 'f'
		case oneOf(noun, ukrainianFeminine): // what half of is said: дві з половиною години
			return 'f'
		}
	case strings.HasSuffix(digits, "2"):
		if oneOf(noun, ukrainianFeminine) || endsIn(noun, "ції сії зії ості ниці инки істки") && !oneOf(noun, "будинки гості") {
			return 'f'
		}
	}
	return 0
}

package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// russian: days and years are ordinals in the case that the words beside them ask
// for; endings after a hyphen tell that of other ordinals.
func russian() *voice {
	return &voice{
		code: "ru", perWord: "за", accusatives: []string{"а", "у", "я", "ю"}, halves: "с половиной|с половиной", aHalf: "половина|половина",
		decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true,
		genders: map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}, agree: russianAgree, part: russianPart, compounds: russianCompound,
		minus: "минус", plus: "плюс", point: "точка", to: "-", about: "около", score: "", over: "дробь",
		half: parseNoun("f вторая|вторых|вторых|вторых"), third: parseNoun("f треть|трети|третей|трети"), quarter: parseNoun("f четверть|четверти|четвертей|четверти"),
		date: dateWords{
			months: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
			short:  "янв=1 фев=2 мар=3 апр=4 июн=6 июл=7 авг=8 сен=9 сент=9 окт=10 ноя=11 нояб=11 дек=12",
			other:  "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь",
			kind:   numbers.Ordinal, form: "neuter-genitive", until: "по", year: "года", yearCut: "г", eras: "до н|н. э|н.э|нашей э", counted: "года", yearsCut: "гг", yearsStem: "го",
			forms:    map[string]string{"на": "neuter", "по": "neuter", "за": "neuter", "к": "neuter-dative"},
			yearEnds: map[string]string{"год": "nominative", "года": "", "году": "prepositional", "к году": "dative", "по году": "dative", "годом": "instrumental"},
			years:    map[string]string{"": "nominative годы", "в": "prepositional годах", "с": " годов", "до": " годов", "после": " годов", "от": " годов"},
			yearWith: map[string]string{
				"": "nominative год", "на": "nominative год", "по": "nominative год", "за": "nominative год", "через": "nominative год", "other": " года", "month": " года", "в": "prepositional году", "о": "prepositional году", "с": " года", "до": " года", "от": " года", "после": " года", "около": " года", "летом": " года", "зимой": " года", "весной": " года", "осенью": " года",
				"к": "dative году", "перед": "instrumental годом", "между": "instrumental годом",
			},
		},
		clock: clockWords{
			dots: true, words: "в во к до с около час часа часов", minute: "feminine", zero: true,
			forms: map[string]string{"с": "masculine-genitive", "до": "masculine-genitive", "от": "masculine-genitive", "после": "masculine-genitive", "около": "masculine-genitive", "к": "masculine-dative"}, hour: parseNoun("m час|часа|часов|часа"),
			second: parseNoun("f секунда|секунды|секунд|секунды"),
		},
		ordinals: ordinalWords{marks: russianEndings},
		regnal:   russianRoman,
		units:    russianUnits, far: "с т в В А а Н W V A", currencies: russianMoney, address: "точка|косая черта|двоеточие|собака|дефис|подчёркивание",
		magnitudes: `
			тыс. f тысяча|тысячи|тысяч|тысячи
			тыс f тысяча|тысячи|тысяч|тысячи
			млн. m миллион|миллиона|миллионов|миллиона
			млн m миллион|миллиона|миллионов|миллиона
			млрд. m миллиард|миллиарда|миллиардов|миллиарда
			млрд m миллиард|миллиарда|миллиардов|миллиарда
			трлн m триллион|триллиона|триллионов|триллиона`,
		symbols: `
			& и
			@ собака
			# номер
			№ номер
			+ плюс
			= равно
			× умножить на
			÷ разделить на
			± плюс минус
			≠ не равно
			< меньше
			> больше
			§ параграф
			/ дробь
			½ целых и`,
		abbrevs:  russianAbbreviations,
		closings: russianClosings,
		numbered: russianNumbered,
	}
}

// russianEndings are what stands after the digits of an ordinal, or of a cardinal in the genitive.
const russianEndings = `
	-ый masculine
	-ий masculine
	-ой masculine
	-й masculine
	-ая feminine
	-я feminine
	-ое neuter
	-ого masculine-genitive
	-го masculine-genitive
	-ому masculine-dative
	-му masculine-dative
	-ую feminine-accusative
	-ю feminine-accusative
	-ым masculine-instrumental
	-ом masculine-prepositional
	-м masculine-prepositional
	-ые plural
	-ых plural-genitive
	-х plural-genitive
	-ти cardinal masculine-genitive
	-ух cardinal masculine-genitive
	-ёх cardinal masculine-genitive
	-ыми plural-instrumental
	-ми plural-instrumental
	-е neuter`

var russianRoman = romanWords{queens: "Екатерина Елизавета Анна Мария", queen: "feminine", upTo: 99, form: "masculine", counted: "глава том часть акт книга статья фаза уровень тип",
	cut: "в", cutWith: map[string]string{"": "masculine век", "в": "masculine-prepositional веке", "с": "masculine-genitive века", "до": "masculine-genitive века", "начале": "masculine-genitive века", "конце": "masculine-genitive века", "середине": "masculine-genitive века", "половине": "masculine-genitive века", "начала": "masculine-genitive века", "конца": "masculine-genitive века", "половины": "masculine-genitive века"},
	century: "тайм=masculine тайме=masculine-prepositional тайма=masculine-genitive раунд=masculine раунде=masculine-prepositional раунда=masculine-genitive квартал=masculine квартале=masculine-prepositional квартала=masculine-genitive полугодие=neuter полугодии=neuter-prepositional полугодия=neuter-genitive место=neuter тур=masculine тура=masculine-genitive туре=masculine-prepositional степень=feminine степени=feminine-genitive категории=feminine-genitive категория=feminine тысячелетие=neuter тысячелетия=neuter-genitive тысячелетии=neuter-prepositional группы=feminine-genitive группа=feminine этап=masculine этапа=masculine-genitive этапе=masculine-prepositional созыва=masculine-genitive созыв=masculine ранга=masculine-genitive класса=masculine-genitive век=masculine века=masculine-genitive веке=masculine-prepositional веках=masculine-prepositional веков=masculine-genitive веку=masculine-dative веком=masculine-instrumental мировая=feminine мировой=feminine-genitive мировую=feminine-accusative Мировая=feminine съезд=masculine съезда=masculine-genitive съезде=masculine-prepositional",
	kings:   "Пётр Петр Павел Иван Николай Александр Людовик Карл Генрих Фридрих Вильгельм Наполеон Василий Георг Эдуард Рамзес"}

const russianAbbreviations = `
	пн. понедельник
	вт. вторник
	чт. четверг
	пт. пятница
	сб. суббота
	г-н господин
	г-жа госпожа
	т._е. то есть
	т.е. то есть
	т._к. так как
	т.к. так как
	т._н. так называемый
	т.н. так называемый
	ул. улица;на по к=улице;с со до от из у=улицы;за перед под над=улицей;через=улицу
	пр. проспект;на=проспекте;с до от у=проспекта;по к=проспекту
	пр-т проспект;на=проспекте;с до от у=проспекта;по к=проспекту
	пер. переулок;в=переулке;из до=переулка
	пл. площадь;на по к с до от у=площади
	наб. набережная;на по к с до от у=набережной
	г. город;в во о=городе;из от до около у=города;к по=городу;под за над=городом
	р. река;на в по к=реке;у с до от=реки;за над под=рекой;через=реку
	оз. озеро;на в=озере;у до от=озера;к по=озеру;за над=озером
	обл. область
	пос. посёлок;в=посёлке;из до у=посёлка
	гор. город;в во=городе;из до=города
	макс. максимум
	тов. товарищ
	им. имени
	св. святой
	проф. профессор
	акад. академик
	напр. например
	Напр. Например
	См. Смотри
	Ул. Улица
	ок. около
	см. смотри
	тел. телефон
	Тел. Телефон
	англ. английское
	лат. латинское`

const russianClosings = `
	и_т._д. и так далее
	и_т.д. и так далее
	и_т._п. и тому подобное
	и_т.п. и тому подобное
	и_др. и другие
	и_пр. и прочее
	до_н._э. до нашей эры
	до_н.э. до нашей эры
	н._э. нашей эры
	н.э. нашей эры`

const russianNumbered = `
	стр. страница;#=страницы;на=странице;со с=страницы
	с. страница;#=страницы;на=странице;со=страницы
	гл. глава;#=главы;в=главе;из=главы
	рис. рисунок;#=рисунки;на=рисунке
	табл. таблица;#=таблицы;в=таблице
	ст. статья;#=статьи;в по=статье;из=статьи
	п. пункт;#=пункты;в=пункте;из=пункта
	д. дом;#=дома;в=доме;у из до=дома
	корп. корпус
	кв. квартира;#=квартиры;в=квартире;из=квартиры
	т. том;#=тома;в=томе;из=тома`

const russianUnits = `
	% m процент|процента|процентов|процента
	‰ m промилле|промилле|промилле|промилле
	км,km m километр|километра|километров|километра
	м,m m метр|метра|метров|метра
	см,cm m сантиметр|сантиметра|сантиметров|сантиметра
	мм,mm m миллиметр|миллиметра|миллиметров|миллиметра
	км/ч m километр в час|километра в час|километров в час|километра в час
	м/с m метр в секунду|метра в секунду|метров в секунду|метра в секунду
	км²,км2 m квадратный километр|квадратных километра|квадратных километров|квадратного километра
	м²,м2 m квадратный метр|квадратных метра|квадратных метров|квадратного метра
	м³,м3 m кубический метр|кубических метра|кубических метров|кубического метра
	га m гектар|гектара|гектаров|гектара
	кг,kg m килограмм|килограмма|килограммов|килограмма
	г m грамм|грамма|граммов|грамма
	мг m миллиграмм|миллиграмма|миллиграммов|миллиграмма
	т f тонна|тонны|тонн|тонны
	л m литр|литра|литров|литра
	мл m миллилитр|миллилитра|миллилитров|миллилитра
	ч m час|часа|часов|часа
	ст._л. f столовая ложка|столовые ложки|столовых ложек|столовой ложки
	ч._л. f чайная ложка|чайные ложки|чайных ложек|чайной ложки
	мин f минута|минуты|минут|минуты
	с,сек f секунда|секунды|секунд|секунды
	°C,°С,°_C,°_С m градус Цельсия|градуса Цельсия|градусов Цельсия|градуса Цельсия
	°F m градус Фаренгейта|градуса Фаренгейта|градусов Фаренгейта|градуса Фаренгейта
	° m градус|градуса|градусов|градуса
	Вт m ватт|ватта|ватт|ватта
	кВт m киловатт|киловатта|киловатт|киловатта
	МВт m мегаватт|мегаватта|мегаватт|мегаватта
	кВт·ч,кВтч m киловатт-час|киловатт-часа|киловатт-часов|киловатт-часа
	В m вольт|вольта|вольт|вольта
	А m ампер|ампера|ампер|ампера
	Гц m герц|герца|герц|герца
	МГц m мегагерц|мегагерца|мегагерц|мегагерца
	ГГц m гигагерц|гигагерца|гигагерц|гигагерца
	Мб,МБ m мегабайт|мегабайта|мегабайт|мегабайта
	Гб,ГБ m гигабайт|гигабайта|гигабайт|гигабайта
	Тб,ТБ m терабайт|терабайта|терабайт|терабайта`

const russianMoney = `
	₽,руб,р,RUB m рубль|рубля|рублей|рубля / f копейка|копейки|копеек|копейки
	коп f копейка|копейки|копеек|копейки
	€,EUR m евро|евро|евро|евро / m цент|цента|центов|цента
	$,US$,USD m доллар|доллара|долларов|доллара / m цент|цента|центов|цента
	£,GBP m фунт|фунта|фунтов|фунта / m пенс|пенса|пенсов|пенса
	₴,грн,UAH f гривна|гривны|гривен|гривны / f копейка|копейки|копеек|копейки
	¥,JPY f иена|иены|иен|иены
	CNY m юань|юаня|юаней|юаня / m фынь|фыня|фыней|фыня
	CHF m швейцарский франк|швейцарских франка|швейцарских франков|швейцарского франка / m сантим|сантима|сантимов|сантима
	₹,INR f рупия|рупии|рупий|рупии / f пайса|пайсы|пайс|пайсы
	zł,PLN m злотый|злотых|злотых|злотого / m грош|гроша|грошей|гроша
	₺,TRY f турецкая лира|турецкие лиры|турецких лир|турецкой лиры / m куруш|куруша|курушей|куруша
	₩,KRW f вона|воны|вон|воны
	﷼,IRR m иранский риал|иранских риала|иранских риалов|иранского риала
	SAR m саудовский риял|саудовских рияла|саудовских риялов|саудовского рияла / f халала|халалы|халал|халалы
	AED m дирхам|дирхама|дирхамов|дирхама / m филс|филса|филсов|филса
	Kč,CZK f чешская крона|чешские кроны|чешских крон|чешской кроны / m геллер|геллера|геллеров|геллера
	Ft,HUF m форинт|форинта|форинтов|форинта / m филлер|филлера|филлеров|филлера
	R$,BRL m реал|реала|реалов|реала / n сентаво|сентаво|сентаво|сентаво
	MXN m мексиканский песо|мексиканских песо|мексиканских песо|мексиканского песо / n сентаво|сентаво|сентаво|сентаво
	CA$,CAD m канадский доллар|канадских доллара|канадских долларов|канадского доллара / m цент|цента|центов|цента
	AU$,A$,AUD m австралийский доллар|австралийских доллара|австралийских долларов|австралийского доллара / m цент|цента|центов|цента
	SEK f шведская крона|шведские кроны|шведских крон|шведской кроны / n эре|эре|эре|эре
	NOK f норвежская крона|норвежские кроны|норвежских крон|норвежской кроны / n эре|эре|эре|эре
	DKK f датская крона|датские кроны|датских крон|датской кроны / n эре|эре|эре|эре
	EGP m египетский фунт|египетских фунта|египетских фунтов|египетского фунта / m пиастр|пиастра|пиастров|пиастра`

// russianAgree: one and two have a gender, which the ending of the noun shows.
func russianAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 6 || oneOf(noun, "или для это при под над без через была было были") ||
		oneOf(before, "глава страница номер статья группа уровень том версия часть тип линия") {
		return 0
	}
	teens := len(digits) > 1 && digits[len(digits)-2] == '1'
	switch {
	case teens:
		return 0
	case strings.HasSuffix(digits, "1"):
		switch {
		case endsIn(noun, "ая яя а я ость") && !oneOf(noun, "мужчина дядя"):
			return 'f'
		case endsIn(noun, "ое ее о е"):
			return 'n'
		}
	case strings.HasSuffix(digits, "2"):
		if endsIn(noun, "ы и ые") {
			return 'f'
		}
	}
	return 0
}

// russianPart: одна пятая, две пятых, пять седьмых.
func russianPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), many, many, many}}
}

// russianCompound: двадцатилетний; ninety and a hundred have their nominative there.
func russianCompound(genitive string) string {
	return strings.NewReplacer(" ", "", "девяноста", "девяносто", "ста", "сто").Replace(genitive)
}

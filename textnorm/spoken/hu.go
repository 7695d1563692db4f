package spoken

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hu is Hungarian: the shared tables, and rules of its own, because endings stand
// after a hyphen and change the last word of the number (7-es is hetes), and two
// is két before a noun and kettő elsewhere.
type hu struct{ *voice }

func hungarian() *language {
	v := &voice{
		code: "hu", perWord: "per", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."},
		minus: "mínusz", plus: "plusz", point: "pont", about: "körülbelül", over: "per", halves: "|", aHalf: "fél|fél",
		date: dateWords{
			months: "január február március április május június július augusztus szeptember október november december",
			short:  "jan=1 febr=2 feb=2 márc=3 ápr=4 máj=5 jún=6 júl=7 aug=8 szept=9 szep=9 okt=10 nov=11 dec=12",
		},
		regnal: romanWords{kings: "-", counted: "fejezet kötet rész felvonás"},
		units:  hungarianUnits, far: "a A s", currencies: hungarianMoney,
		address: "pont|per|kettőspont|kukac|kötőjel|alsóvonás",
		magnitudes: `
			ezer m ezer
			millió m millió
			milliárd m milliárd
			billió m billió
			mrd m milliárd
			mrd. m milliárd
			Mrd m milliárd
			Mrd. m milliárd
			M m millió
			e m ezer`,
		symbols: `
			& és
			@ kukac
			# kettőskereszt
			+ plusz
			= egyenlő
			× szorozva
			÷ osztva
			± plusz-mínusz
			≠ nem egyenlő
			< kisebb mint
			> nagyobb mint
			≤ kisebb vagy egyenlő, mint
			≥ nagyobb vagy egyenlő, mint
			§ paragrafus
			° fok
			/ per
			½ fél`,
		abbrevs:  hungarianAbbreviations,
		closings: hungarianClosings,
		numbered: hungarianNumbered,
	}
	l, h := v.language(), hu{v}
	signed := func(c byte) bool {
		return slices.ContainsFunc(v.signs, func(sign string) bool { return sign[0] == c })
	}
	l.shared, l.rules = false, []rule{
		{"url", atLetter, false, v.readAddress},
		{"abbreviation", func(c byte) bool { return v.short[c] != nil }, false, h.readShort},
		{"money", signed, false, h.readSign},
		{"roman", func(c byte) bool { return strings.IndexByte("IVXLCM", c) >= 0 }, false, h.readRoman},
		{"ratio", isDigit, false, h.readRatio},
		{"duration", isDigit, false, h.readDuration},
		{"date", isDigit, false, h.readDate},
		{"phone", func(c byte) bool { return isDigit(c) || c == '+' || c == '(' }, false, v.readPhone},
		{"time", isDigit, false, h.readTime},
		{"dotted number", isDigit, false, h.ended(h.readParts)},
		{"score", isDigit, false, h.ended(v.readScore)},
		{"fraction", isDigit, false, h.readFraction},
		{"ordinal", isDigit, false, h.readOrdinal},
		{"range", isDigit, false, h.readRange},
		{"amount", isDigit, false, h.readAmount},
		{"sign", atSign, false, h.readBefore},
		{"symbol", atSign, true, h.readSymbol},
		{"letters and digits", func(c byte) bool { return !atSign(c) && c != ' ' || c >= 0x80 }, true, h.ended(v.readMixed)},
	}
	return l
}

const hungarianAbbreviations = `
	pl. például
	kb. körülbelül
	dr. doktor
	Dr. Doktor
	prof. professzor
	Prof. Professzor
	ún. úgynevezett
	ill. illetve
	ifj. ifjabb
	id. idősebb
	özv. özvegy
	szt. szent
	u. utca
	krt. körút
	ker. kerület
	em. emelet
	fsz. földszint
	hsz. házszám
	köv. következő
	bek. bekezdés
	fej. fejezet
	o. oldal
	old. oldal
	ld. lásd
	vö. vesd össze
	mb. megbízott
	ti. tudniillik
	tkp. tulajdonképpen
	cca. cirka
	max. maximum
	min. minimum
	tel. telefon
	Tel.: Telefon:
	tel.: telefon:
	pu. pályaudvar
	szül. született
	megh. meghalt
	i._e. időszámításunk előtt
	i._sz. időszámításunk szerint
	Kr._e. Krisztus előtt
	Kr._u. Krisztus után
	i.e. időszámításunk előtt
	i.sz. időszámításunk szerint
	Kr.e. Krisztus előtt
	Kr.u. Krisztus után`

const hungarianClosings = `
	stb. satöbbi
	Kft. káefté
	Zrt. zéerté
	Nyrt. enyerté
	Bt. bété
	Rt. erté
	kft. káefté
	zrt. zéerté
	Kft káefté
	Zrt zéerté
	Nyrt enyerté
	Bt bété`

const hungarianNumbered = `
	jan. január
	febr. február
	feb. február
	márc. március
	ápr. április
	máj. május
	jún. június
	júl. július
	aug. augusztus
	szept. szeptember
	szep. szeptember
	okt. október
	nov. november
	dec. december
	de. délelőtt
	du. délután
	sz. szám
	tel telefon`

const hungarianUnits = `
	% m százalék
	‰ m ezrelék
	km m kilométer
	m m méter
	dm m deciméter
	cm m centiméter
	mm m milliméter
	km/h,km/ó m kilométer per óra
	m/s m méter per másodperc
	km²,km2 m négyzetkilométer
	m²,m2,nm m négyzetméter
	cm² m négyzetcentiméter
	m³,m3 m köbméter
	cm³ m köbcentiméter
	ha m hektár
	kg m kilogramm
	dkg,dag m dekagramm
	g,gr m gramm
	mg m milligramm
	t m tonna
	q m mázsa
	l,L m liter
	dl m deciliter
	cl m centiliter
	ml m milliliter
	hl m hektoliter
	h m óra
	perc m perc
	min m perc
	mp,sec m másodperc
	s m másodperc
	ms m ezredmásodperc
	°C,°_C,℃ m Celsius-fok
	°F m Fahrenheit-fok
	° m fok
	W m watt
	kW m kilowatt
	MW m megawatt
	kWh m kilowattóra
	V m volt
	A m amper
	Hz m hertz
	kHz m kilohertz
	MHz m megahertz
	GHz m gigahertz
	LE m lóerő
	kB,KB m kilobájt
	MB m megabájt
	GB m gigabájt
	TB m terabájt
	db m darab
	cal m kalória
	kcal m kilokalória`

const hungarianMoney = `
	Ft,HUF m forint / m fillér
	€,EUR m euró / m cent
	$,US$,USD m dollár / m cent
	£,GBP m font / m penny
	¥,JPY m jen
	CHF m svájci frank / m rappen
	CZK,Kč m cseh korona / m heller
	zł,PLN m zloty / m garas
	RON m lej
	CNY m jüan / m fen
	₹,INR m rúpia / m paisza
	₽,RUB m rubel / m kopejka
	₺,TRY m török líra / m kurus
	₩,KRW m won
	﷼,IRR m iráni riál
	SAR m szaúdi riál / m halala
	AED m dirham / m fils
	₴,UAH m hrivnya / m kopijka
	R$,BRL m real / m centavo
	MXN m mexikói peso / m centavo
	CA$,CAD m kanadai dollár / m cent
	AU$,A$,AUD m ausztrál dollár / m cent
	SEK m svéd korona / m öre
	NOK m norvég korona / m öre
	DKK m dán korona / m öre
	EGP m egyiptomi font / m piaszter`

// readShort reads abbreviations, and the ending after one: Kft.-nél.
func (h hu) readShort(s *scan) bool {
	if !h.readAbbreviation(s) {
		return false
	}
	h.ending(s, len(s.out), "")
	return true
}

// ended is a rule after whose last word an ending may stand.
func (h hu) ended(read func(*scan) bool) func(*scan) bool {
	return func(s *scan) bool {
		from := len(s.out)
		if !read(s) {
			return false
		}
		if !isDigit(s.text[s.at-1]) {
			return true
		}
		h.twos(s, from)
		if ending, _ := h.endingAt(s, s.at); inflects(ending) {
			h.ending(s, from, "")
		}
		return true
	}
}

// readParts reads 3.2 and the full stop that makes it the number of a chapter.
func (h hu) readParts(s *scan) bool {
	if !h.readDotted(s) {
		return false
	}
	if s.peek(0) == '.' && s.peek(1) == ' ' && h.counts(s, s.at+1) {
		if r, _ := utf8.DecodeRuneInString(s.text[s.at+2:]); unicode.IsLower(r) {
			s.at++
		}
	}
	return true
}

// hungarianNoNoun are words before which a number stands for itself.
const hungarianNoNoun = "és s vagy meg is sem se de hogy ha mert mint volt voltak van vannak lesz lesznek lett lettek legyen lenne maradt maradtak jött jöttek ment nyert kell kapott után előtt között közül közötti körül körüli felett fölött feletti alatt alatti fölé alá felé óta helyett szerint miatt nélkül a az egy ez nem már még csak pedig azaz tehát majd per plusz mínusz egyenlő"

// counts reports whether a word that is counted follows a number.
func (h hu) counts(s *scan, at int) bool {
	n := gap(s.text, at)
	if n == 0 {
		return false
	}
	word := letters(s.text, at+n)
	if word == "és" && strings.HasPrefix(s.text[at+n+len(word):], " fél") {
		return true
	}
	if utf8.RuneCountInString(word) == 1 {
		_, _, end := h.unitAt(s, at)
		return end > at
	}
	return word != "" && !oneOf(word, hungarianNoNoun)
}

// say2 says an amount, as két and not kettő where something is counted.
func (h hu) say2(s *scan, a amount, counted bool) bool {
	h.space(s)
	from := len(s.out)
	if !h.count(s, a, 0) {
		return false
	}
	h.twos(s, from)
	if n := len(s.out) - len("kettő"); counted && a.fraction == "" && n >= from && string(s.out[n:]) == "kettő" {
		s.out = append(s.out[:n], "két"...)
	}
	return true
}

// twos makes két of the kettő inside of a number: tizenkétezer, két tized.
func (h hu) twos(s *scan, from int) {
	said := string(s.out[from:])
	if i := strings.Index(said, "kettő"); i < 0 || i+len("kettő") == len(said) {
		return
	}
	s.out = append(s.out[:from], hungarianTwos.Replace(said)...)
}

var hungarianTwos = strings.NewReplacer("kettőezer", "kétezer", "kettőmilli", "kétmilli", "kettőbilli", "kétbilli", "kettőszáz", "kétszáz",
	"kettő tized", "két tized", "kettő század", "két század", "kettő ezred", "két ezred")

package spoken

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"voxpack/textnorm/numbers"
)

// german: a full stop after digits makes an ordinal, whose ending the words
// before it decide; years below 2000 are counted in hundreds.
func german() *voice {
	return &voice{
		code: "de", letters: germanLetters, perWord: "pro", halves: "einhalb|einhalb", aHalf: "ein halber|eine halbe",
		decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "},
		genders: map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}, agree: germanAgree, part: germanPart,
		minus: "minus", plus: "plus", point: "Punkt", to: "bis", about: "circa", score: "zu", over: "durch",
		half: parseNoun("m halb|halbe"), third: parseNoun("n Drittel|Drittel"), quarter: parseNoun("n Viertel|Viertel"), and: "und",
		date: dateWords{
			months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
			short:  "jänner=1 jan=1 feb=2 mär=3 apr=4 jun=6 jul=7 aug=8 sep=9 sept=9 okt=10 nov=11 dez=12",
			kind:   numbers.Ordinal, form: "r",
			forms: map[string]string{"der": "", "die": "", "das": "", "am": "n", "vom": "n", "zum": "n", "den": "n", "dem": "n", "des": "n", "ab": "n", "bis": "n", "seit": "n", "im": "n", "beim": "n"},
			yearNext: func(before, next string) bool {
				r, _ := utf8.DecodeRuneInString(next)
				return !unicode.IsUpper(r) || oneOf(before, "jahr jahre jahres seit anno sommer winter herbst frühling januar februar märz april mai juni juli august september oktober november dezember")
			},
		},
		clock: clockWords{
			dots: true, words: "Uhr h um von bis ab gegen", cut: "Uhr h", form: "masculine", hour: parseNoun("m Uhr|Uhr"), always: true,
			second: parseNoun("f Sekunde|Sekunden"),
		},
		ordinals: ordinalWords{stop: germanOrdinal},
		regnal: romanWords{queens: "Elisabeth Elizabeth Katharina Margarete Anna Maria", upTo: 99, capital: true, article: "der|die", counted: "kapitel band teil akt szene weltkrieg artikel abschnitt stufe typ",
			kings: "Friedrich Wilhelm Heinrich Ludwig Karl Otto Konrad Paul Pius Napoleon Nikolaus Alexander Georg Eduard Rudolf Leopold Franz Maximilian Johann Benedikt"},
		units: germanUnits, far: "a t A B N W s", currencies: germanMoney, address: "Punkt|Schrägstrich|Doppelpunkt|at|Bindestrich|Unterstrich",
		magnitudes: `
			Mio. f Million|Millionen
			Mio f Million|Millionen
			Millionen f Million|Millionen
			Million f Million|Millionen
			Mrd. f Milliarde|Milliarden
			Mrd f Milliarde|Milliarden
			Milliarden f Milliarde|Milliarden
			Milliarde f Milliarde|Milliarden
			Tsd. m Tausend|Tausend`,
		symbols: `
			& und
			@ at
			# Nummer
			+ plus
			= gleich
			× mal
			÷ geteilt durch
			± plus minus
			≠ ungleich
			< kleiner als
			> größer als
			§ Paragraf
			/ Schrägstrich
			© Copyright
			½ und`,
		abbrevs:  germanAbbreviations,
		closings: germanClosings,
		numbered: germanNumbered,
	}
}

const germanAbbreviations = `
	MwSt. Mehrwertsteuer
	Mo. Montag
	Di. Dienstag
	Mi. Mittwoch
	Do. Donnerstag
	ff. fortfolgende
	Hr. Herr
	Hrn. Herrn
	Fr. Frau
	Dr. Doktor
	Prof. Professor
	Dipl.-Ing. Diplomingenieur
	St. Sankt
	z._B. zum Beispiel
	z.B. zum Beispiel
	d._h. das heißt
	d.h. das heißt
	u._a. unter anderem
	u.a. unter anderem
	v._a. vor allem
	v.a. vor allem
	i._d._R. in der Regel
	i.d.R. in der Regel
	o._ä. oder ähnlich
	bzw. beziehungsweise
	i._A. im Auftrag
	i.A. im Auftrag
	m._E. meines Erachtens
	m.E. meines Erachtens
	u._U. unter Umständen
	u.U. unter Umständen
	o.g. oben genannte
	z.T. zum Teil
	z._T. zum Teil
	u._v._m. und vieles mehr
	u.v.m. und vieles mehr
	s.o. siehe oben
	s.u. siehe unten
	Jh. Jahrhundert
	ca. circa
	ggf. gegebenenfalls
	evtl. eventuell
	inkl. inklusive
	exkl. exklusive
	vgl. vergleiche
	sog. sogenannte
	Tel. Telefon
	geb. geboren
	gest. gestorben
	max. maximal
	mind. mindestens
	Abb. Abbildung`

const germanClosings = `
	usw. und so weiter
	etc. et cetera
	v._Chr. vor Christus
	n._Chr. nach Christus
	v.Chr. vor Christus
	n.Chr. nach Christus
	Str. Straße
	Co. Co
	jun. junior
	sen. senior`

const germanNumbered = `
	Nr. Nummer
	S. Seite;#=Seiten
	Nrn. Nummern
	Kap. Kapitel
	Bd. Band
	Art. Artikel
	Abs. Absatz`

const germanUnits = `
	% n Prozent|Prozent
	‰ n Promille|Promille
	km m Kilometer|Kilometer
	m m Meter|Meter
	cm m Zentimeter|Zentimeter
	mm m Millimeter|Millimeter
	km/h m Kilometer pro Stunde|Kilometer pro Stunde
	m/s m Meter pro Sekunde|Meter pro Sekunde
	km²,km2 m Quadratkilometer|Quadratkilometer
	m²,m2,qm m Quadratmeter|Quadratmeter
	m³,m3 m Kubikmeter|Kubikmeter
	ha m Hektar|Hektar
	kg n Kilogramm|Kilogramm
	g n Gramm|Gramm
	mg n Milligramm|Milligramm
	t f Tonne|Tonnen
	l,L m Liter|Liter
	ml m Milliliter|Milliliter
	cl m Zentiliter|Zentiliter
	EL m Esslöffel|Esslöffel
	TL m Teelöffel|Teelöffel
	h,Std f Stunde|Stunden
	min,Min f Minute|Minuten
	s,Sek f Sekunde|Sekunden
	°C,°_C m Grad Celsius|Grad Celsius
	°F m Grad Fahrenheit|Grad Fahrenheit
	° m Grad|Grad
	W n Watt|Watt
	kW n Kilowatt|Kilowatt
	MW n Megawatt|Megawatt
	kWh f Kilowattstunde|Kilowattstunden
	V n Volt|Volt
	A n Ampere|Ampere
	Hz n Hertz|Hertz
	MHz n Megahertz|Megahertz
	GHz n Gigahertz|Gigahertz
	MB n Megabyte|Megabyte
	GB n Gigabyte|Gigabyte
	TB n Terabyte|Terabyte`

const germanMoney = `
	€,EUR m Euro|Euro / m Cent|Cent
	$,US$,USD m Dollar|Dollar / m Cent|Cent
	£,GBP n Pfund|Pfund / m Penny|Pence
	CHF m Franken|Franken / m Rappen|Rappen
	¥,JPY m Yen|Yen
	CNY m Yuan|Yuan / m Fen|Fen
	₹,INR f Rupie|Rupien / m Paisa|Paise
	₽,RUB m Rubel|Rubel / f Kopeke|Kopeken
	zł,PLN m Zloty|Zloty / m Grosz|Groszy
	₺,TRY f türkische Lira|türkische Lira / m Kurusch|Kurusch
	₩,KRW m Won|Won
	﷼,IRR m iranischer Rial|iranische Rial
	SAR m saudischer Riyal|saudische Riyal / m Halala|Halala
	AED m Dirham|Dirham / m Fils|Fils
	Kč,CZK f tschechische Krone|tschechische Kronen / m Heller|Heller
	Ft,HUF m Forint|Forint / m Fillér|Fillér
	₴,UAH f Hrywnja|Hrywen / f Kopeke|Kopeken
	R$,BRL m Real|Real / m Centavo|Centavos
	MXN m mexikanischer Peso|mexikanische Pesos / m Centavo|Centavos
	CA$,CAD m kanadischer Dollar|kanadische Dollar / m Cent|Cent
	AU$,A$,AUD m australischer Dollar|australische Dollar / m Cent|Cent
	SEK f schwedische Krone|schwedische Kronen / n Öre|Öre
	NOK f norwegische Krone|norwegische Kronen / n Öre|Öre
	DKK f dänische Krone|dänische Kronen / n Öre|Öre
	EGP n ägyptisches Pfund|ägyptische Pfund / m Piaster|Piaster`

// germanBegins are words that begin a sentence after the full stop of a king's
// numeral, as nouns have a capital in the middle of one too.
const germanBegins = `Der Die Das Den Dem Des Ein Eine Einen Einem Einer Er Sie Es Wir Ihr Ich Im In Am An Auf Aus Bei Bis Mit Nach Von Vor Zu Zum Zur Über Unter Um Für
	Durch Ohne Gegen Seit Während Wegen Trotz Und Aber Doch Denn Oder Als Wenn Weil Da Dann Dort Hier Jetzt Heute Später Danach Auch Nur So Wie Was Wer Wo Warum
	Diese Dieser Dieses Jeder Jede Seine Sein Ihre Kein Keine Man Nicht Noch Schon Erst Viele Alle Einige`

// germanLetters writes the street out that is cut at the end of its name.
func germanLetters(text string) string { return cutStreet(text, "straße") }

// germanOrdinal tells the ending of an ordinal, and whether it is one: before a
// noun the words in front of it must ask for one.
func germanOrdinal(before, earlier, next string) (form string, ok bool) {
	before = strings.ToLower(before)
	small := unicode.IsLower([]rune(next)[0])
	switch {
	case before == "der" && oneOf(strings.ToLower(earlier), "in an auf mit von zu bei nach aus vor seit während wegen trotz"):
		return "n", true
	case oneOf(before, "der die das eine seine ihre meine unsere diese jede"):
		return "", true
	case oneOf(before, "am im zum zur vom beim ins den dem des einen einem eines einer seinen seinem seiner seines ihren ihrem ihrer diesem diesen dieser jedem jeden"):
		return "n", true
	case oneOf(before, "ein sein ihr mein") || oneOf(next, "Platz Teil Stock Tag Akt"):
		return "r", true
	case oneOf(next, "Jahrhundert Kapitel"):
		return "s", true
	case oneOf(next, "Klasse Auflage Ausgabe Liga Etage Runde Weltkrieg"):
		return "", true
	}
	return "", small && !oneOf(next, "und oder bis")
}

// germanAgree: only one has a gender, and what it counts has a capital.
func germanAgree(digits, before, noun string) byte {
	first, _ := utf8.DecodeRuneInString(before)
	if digits != "1" || strings.ToLower(noun) == noun || unicode.IsUpper(first) && oneOf(before, "Kapitel Seite Nummer Artikel Gruppe Stufe Phase Band Version Teil Typ Linie Platz Gleis Zimmer Raum") {
		return 0
	}
	if endsIn(noun, "e ung heit keit schaft ion tät in Frau Stadt Nacht Million Milliarde Mutter Tochter Schwester Person") && !oneOf(noun, "Name Kollege Junge Buchstabe Käse Ende Auge Gebäude Termin Berlin") {
		return 'f'
	}
	return 'm'
}

// germanPart: ein Fünftel; what is beyond nineteen has none that is said.
func germanPart(n int, ordinal func(form string) string) noun {
	if n >= 20 {
		return noun{}
	}
	return noun{'n', []string{capital(ordinal("")) + "l"}}
}

package spoken

// dutch: hours have "uur" after them, years below 2000 are counted in hundreds.
func dutch() *voice {
	return &voice{
		code: "nl", letters: dutchLetters, part: dutchPart, perWord: "per", halves: "en een half|en een halve", aHalf: "een half|een halve", agree: dutchAgree,
		decimal: ",", groups: []string{".", "\u00a0", "\u202f"},
		minus: "min", plus: "plus", point: "punt", to: "tot", about: "circa", score: "", over: "op",
		half: parseNoun("n half|halve"), third: parseNoun("n derde|derde"), quarter: parseNoun("n kwart|kwart"), and: "en",
		date: dateWords{
			months: "januari februari maart april mei juni juli augustus september oktober november december",
			short:  "jan=1 feb=2 mrt=3 apr=4 jun=6 jul=7 aug=8 sep=9 sept=9 okt=10 nov=11 dec=12",
			yearNext: func(before, next string) bool {
				return next == "" || before == "" && oneOf(next, "was werd is had kwam bracht begon") || oneOf(before, "in sinds jaar van tot rond uit voor na anno zomer winter januari februari maart april mei juni juli augustus september oktober november december")
			},
		},
		clock: clockWords{
			dots: true, words: "uur u h om van tot vanaf", cut: "uur u h", hour: parseNoun("n uur|uur"), always: true, second: parseNoun("m seconde|seconden"),
		},
		ordinals: ordinalWords{marks: `
			ste -
			de -
			e -`},
		regnal: romanWords{upTo: 99, article: "de", counted: "hoofdstuk deel akte scène artikel fase niveau type",
			kings: "Willem Lodewijk Karel Hendrik Filips Paulus Johannes Pius Napoleon Frederik Leopold Boudewijn Elizabeth George Nicolaas Alexander Benedictus", suffixes: "e ste de"},
		units: dutchUnits, far: "a t A B N W s u V", currencies: dutchMoney, address: "punt|schuine streep|dubbele punt|at|streepje|laag streepje",
		magnitudes: `
			mln. m miljoen|miljoen
			mln m miljoen|miljoen
			miljoen m miljoen|miljoen
			mld. m miljard|miljard
			mld m miljard|miljard
			miljard m miljard|miljard`,
		symbols: `
			& en
			@ at
			# nummer
			+ plus
			= is gelijk aan
			× keer
			÷ gedeeld door
			± plusminus
			≠ is niet gelijk aan
			< kleiner dan
			> groter dan
			§ paragraaf
			/ schuine streep
			½ en`,
		abbrevs:  dutchAbbreviations,
		closings: dutchClosings,
		numbered: dutchNumbered,
	}
}

const dutchAbbreviations = `
	dhr. de heer
	Dhr. De heer
	mevr. mevrouw
	Mevr. Mevrouw
	mw. mevrouw
	Mw. Mevrouw
	dr. doctor
	Dr. Doctor
	drs. doctorandus
	Drs. Doctorandus
	ir. ingenieur
	Ir. Ingenieur
	ing. ingenieur
	mr. meester
	Mr. Meester
	prof. professor
	Prof. Professor
	St. Sint
	bijv. bijvoorbeeld
	bv. bijvoorbeeld
	d.w.z. dat wil zeggen
	o.a. onder andere
	a.s. aanstaande
	j.l. jongstleden
	jl. jongstleden
	t.o.v. ten opzichte van
	t.a.v. ter attentie van
	i.v.m. in verband met
	t.g.v. ter gelegenheid van
	z.s.m. zo snel mogelijk
	o.m. onder meer
	m.n. met name
	t.w. te weten
	w.o. waaronder
	i.t.t. in tegenstelling tot
	d.m.v. door middel van
	o.l.v. onder leiding van
	zgn. zogenaamde
	resp. respectievelijk
	gem. gemiddeld
	vnl. voornamelijk
	m.a.w. met andere woorden
	t/m tot en met
	i.p.v. in plaats van
	m.b.t. met betrekking tot
	n.a.v. naar aanleiding van
	a.u.b. alstublieft
	ca. circa
	incl. inclusief
	excl. exclusief
	max. maximaal
	min. minimaal
	evt. eventueel
	tel. telefoon
	Tel. Telefoon
	vgl. vergelijk`

const dutchClosings = `
	enz. enzovoort
	etc. et cetera
	e.d. en dergelijke
	v.Chr. voor Christus
	n.Chr. na Christus
	v._Chr. voor Christus
	n._Chr. na Christus`

const dutchNumbered = `
	nr. nummer
	Nr. Nummer
	blz. bladzijde;#=bladzijden
	pag. pagina;#=pagina's
	p. pagina;#=pagina's
	hfst. hoofdstuk
	art. artikel`

const dutchUnits = `
	% n procent|procent
	‰ n promille|promille
	km m kilometer|kilometer
	m m meter|meter
	cm m centimeter|centimeter
	mm m millimeter|millimeter
	km/h,km/u m kilometer per uur|kilometer per uur
	m/s m meter per seconde|meter per seconde
	km²,km2 m vierkante kilometer|vierkante kilometer
	m²,m2 m vierkante meter|vierkante meter
	m³,m3 m kubieke meter|kubieke meter
	ha m hectare|hectare
	kg m kilogram|kilogram
	g m gram|gram
	mg m milligram|milligram
	t m ton|ton
	l,L m liter|liter
	ml m milliliter|milliliter
	cl m centiliter|centiliter
	dl m deciliter|deciliter
	el,EL m eetlepel|eetlepels
	tl,TL m theelepel|theelepels
	u,h n uur|uur
	min m minuut|minuten
	s,sec m seconde|seconden
	°C,°_C m graad Celsius|graden Celsius
	°F m graad Fahrenheit|graden Fahrenheit
	° m graad|graden
	W m watt|watt
	kW m kilowatt|kilowatt
	MW m megawatt|megawatt
	kWh n kilowattuur|kilowattuur
	V m volt|volt
	A m ampère|ampère
	Hz m hertz|hertz
	MHz m megahertz|megahertz
	GHz m gigahertz|gigahertz
	MB m megabyte|megabyte
	GB m gigabyte|gigabyte
	TB m terabyte|terabyte`

const dutchMoney = `
	€,EUR m euro|euro / m cent|cent
	$,US$,USD m dollar|dollar / m cent|cent
	£,GBP n pond|pond / m penny|pence
	CHF m frank|frank / m rappen|rappen
	¥,JPY m yen|yen
	CNY m yuan|yuan / m fen|fen
	₹,INR m roepie|roepie / m paisa|paisa
	₽,RUB m roebel|roebel / m kopek|kopeken
	zł,PLN m zloty|zloty / m grosz|grosz
	₺,TRY m Turkse lira|Turkse lira / m kurus|kurus
	₩,KRW m won|won
	﷼,IRR m Iraanse rial|Iraanse rial
	SAR m Saoedi-Arabische riyal|Saoedi-Arabische riyal / m halala|halala
	AED m dirham|dirham / m fils|fils
	Kč,CZK m Tsjechische kroon|Tsjechische kronen / m heller|heller
	Ft,HUF m forint|forint / m fillér|fillér
	₴,UAH m hryvnia|hryvnia / m kopek|kopeken
	R$,BRL m real|real / m centavo|centavo
	MXN m Mexicaanse peso|Mexicaanse peso / m centavo|centavo
	CA$,CAD m Canadese dollar|Canadese dollar / m cent|cent
	AU$,A$,AUD m Australische dollar|Australische dollar / m cent|cent
	SEK m Zweedse kroon|Zweedse kronen / m öre|öre
	NOK m Noorse kroon|Noorse kronen / m öre|öre
	DKK m Deense kroon|Deense kronen / m öre|öre
	EGP n Egyptisch pond|Egyptische pond / m piaster|piaster`

// dutchLetters writes the street out that is cut at the end of its name.
func dutchLetters(text string) string { return cutStreet(text, "straat") }

// dutchAgree: of the nouns that halves are counted of, these are neuter.
func dutchAgree(_, _, noun string) byte {
	if oneOf(noun, "uur jaar brood glas ei pak blik kwartier dozijn procent kopje pond kilogram huis boek land miljoen") || endsIn(noun, "tje pje") {
		return 0
	}
	return 'f'
}

// dutchPart: één vijfde, twee vijfde.
func dutchPart(_ int, ordinal func(form string) string) noun {
	return noun{0, []string{ordinal("")}}
}

package spoken

import "strings"

// spanish: 1.234,5 is read with "coma", money with "con", the day by a cardinal.
func spanish() *voice {
	return &voice{
		code: "es", perWord: "por", halves: "y medio|y media", aHalf: "medio|media",
		decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "}, fractionForm: "comma",
		genders: map[byte]string{'m': "masculine", 'f': "feminine"}, agree: spanishAgree, part: spanishPart,
		minus: "menos", plus: "más", point: "punto", to: "a", about: "unos", of: "de", score: "a", over: "sobre",
		half: parseNoun("m medio|medios"), third: parseNoun("m tercio|tercios"), quarter: parseNoun("m cuarto|cuartos"), and: "con",
		date: dateWords{
			months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
			short:  "ene=1 feb=2 mar=3 abr=4 may=5 jun=6 jul=7 ago=8 sep=9 sept=9 setiembre=9 oct=10 nov=11 dic=12", of: "de",
		},
		clock: clockWords{
			dots: true, words: "las la h hs hrs horas", cut: "h hs hrs horas", form: "feminine", and: "y",
			letter: "h", hour: parseNoun("f hora|horas"), short: true, second: parseNoun("m segundo|segundos"),
		},
		ordinals: ordinalWords{marks: `
			.º masculine
			.ª feminine
			.er masculine-adjective
			º masculine
			ª feminine
			er masculine-adjective
			ro masculine
			do masculine
			to masculine
			mo masculine
			vo masculine
			no masculine
			ra feminine
			da feminine
			ta feminine
			ma feminine
			va feminine
			a feminine`},
		regnal: romanWords{century: "Guerra=feminine guerra=feminine República=feminine Concilio=masculine edición=feminine", queens: "Isabel Victoria Catalina Juana María Cristina", queen: "feminine", upTo: 10, form: "masculine", counted: "siglo siglos capítulo tomo volumen parte acto escena guerra título libro artículo sección fase nivel tipo",
			kings: "Felipe Carlos Alfonso Fernando Enrique Pedro Jaime Juan Luis Napoleón Pío Isabel Francisco Guillermo Jorge Ricardo Eduardo Alejandro Sancho"},
		units: spanishUnits, far: "a t A B N h", currencies: spanishMoney, address: "punto|barra|dos puntos|arroba|guion|guion bajo",
		thousand: "mil",
		magnitudes: `
			millones m millón|millones
			millón m millón|millones
			mill. m millón|millones
			M m millón|millones
			billones m billón|billones`,
		symbols: `
			& y
			@ arroba
			# número
			+ más
			= igual a
			× por
			÷ entre
			± más menos
			≠ distinto de
			< menor que
			> mayor que
			§ sección
			/ barra
			© copyright
			½ y`,
		abbrevs:  spanishAbbreviations,
		closings: spanishClosings,
		numbered: spanishNumbered,
	}
}

const spanishAbbreviations = `
	máx. máximo
	mín. mínimo
	cts. céntimos
	Sr. señor
	Sra. señora
	Sres. señores
	Srta. señorita
	Dr. doctor
	Dra. doctora
	D. don
	Dña. doña
	Prof. profesor
	Profa. profesora
	Ing. ingeniero
	Lic. licenciado
	Gral. general
	Avda. avenida
	Av. avenida
	Ud. usted
	Uds. ustedes
	Vd. usted
	Vds. ustedes
	EE._UU. Estados Unidos
	EE.UU. Estados Unidos
	p._ej. por ejemplo
	p.ej. por ejemplo
	aprox. aproximadamente
	c/ calle
	C/ Calle
	Pza. plaza
	Plza. plaza
	pza. plaza
	Ctra. carretera
	ctra. carretera
	avda. avenida
	av. avenida
	cda. cucharada
	cdas. cucharadas
	cdta. cucharadita
	cdtas. cucharaditas
	Excmo. excelentísimo
	Dres. doctores
	Fdo. firmado
	tfno. teléfono
	Tfno. Teléfono
	tel. teléfono
	Tel. Teléfono
	dpto. departamento
	a._m. a eme
	p._m. pe eme
	a.m. a eme
	p.m. pe eme`

const spanishClosings = `
	etc. etcétera
	Cía. compañía
	a._C. antes de Cristo
	d._C. después de Cristo
	a.C. antes de Cristo
	d.C. después de Cristo`

const spanishNumbered = `
	p. página
	pp. páginas
	km kilómetro
	caps. capítulos
	arts. artículos
	pág. página
	págs. páginas
	cap. capítulo
	s. siglo
	ss. siglos
	núm. número
	n.º número
	N.º número
	nº número
	Nº número
	art. artículo
	vol. volumen
	fig. figura`

const spanishUnits = `
	% m por ciento|por ciento
	‰ m por mil|por mil
	km m kilómetro|kilómetros
	m m metro|metros
	cm m centímetro|centímetros
	dm m decímetro|decímetros
	mm m milímetro|milímetros
	km/h m kilómetro por hora|kilómetros por hora
	m/s m metro por segundo|metros por segundo
	km²,km2 m kilómetro cuadrado|kilómetros cuadrados
	m²,m2 m metro cuadrado|metros cuadrados
	m³,m3 m metro cúbico|metros cúbicos
	ha f hectárea|hectáreas
	kg m kilogramo|kilogramos
	g m gramo|gramos
	mg m miligramo|miligramos
	t f tonelada|toneladas
	l,L m litro|litros
	ml m mililitro|mililitros
	cl m centilitro|centilitros
	h f hora|horas
	min m minuto|minutos
	s,seg m segundo|segundos
	°C,ºC,°_C m grado Celsius|grados Celsius
	°F m grado Fahrenheit|grados Fahrenheit
	° m grado|grados
	W m vatio|vatios
	kW m kilovatio|kilovatios
	kWh m kilovatio hora|kilovatios hora
	V m voltio|voltios
	A m amperio|amperios
	Hz m hercio|hercios
	MHz m megahercio|megahercios
	GHz m gigahercio|gigahercios
	MB m megabyte|megabytes
	GB m gigabyte|gigabytes
	TB m terabyte|terabytes`

const spanishMoney = `
	M€ m millón de euros|millones de euros
	€,EUR m euro|euros / m céntimo|céntimos
	$,US$,USD m dólar|dólares / m centavo|centavos
	£,GBP f libra|libras / m penique|peniques
	¥,JPY m yen|yenes
	MXN m peso|pesos / m centavo|centavos
	CNY m yuan|yuanes / m fen|fenes
	CHF m franco suizo|francos suizos / m céntimo|céntimos
	₹,INR f rupia|rupias / f paisa|paisas
	₽,RUB m rublo|rublos / m kopek|kopeks
	zł,PLN m esloti|eslotis / m grosz|groszy
	₺,TRY f lira turca|liras turcas / m kurus|kurus
	₩,KRW m won|wons
	﷼,IRR m rial iraní|riales iraníes
	SAR m rial saudí|riales saudíes / f halala|halalas
	AED m dírham|dírhams / m fils|fils
	Kč,CZK f corona checa|coronas checas / m heller|hellers
	Ft,HUF m forinto|forintos / m fillér|fillérs
	₴,UAH f grivna|grivnas / m kopek|kopeks
	R$,BRL m real|reales / m centavo|centavos
	CA$,CAD m dólar canadiense|dólares canadienses / m centavo|centavos
	AU$,A$,AUD m dólar australiano|dólares australianos / m centavo|centavos
	SEK f corona sueca|coronas suecas / m öre|öre
	NOK f corona noruega|coronas noruegas / m öre|öre
	DKK f corona danesa|coronas danesas / m öre|öre
	EGP f libra egipcia|libras egipcias / f piastra|piastras`

// spanishAgree tells the gender of what is counted from its ending.
func spanishAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || oneOf(before, "capítulo página número artículo grupo nivel fase tomo versión volumen parte tipo línea") ||
		oneOf(noun, "y e o u a de del en por para con sin que es más menos al se no ni hasta fue era son") {
		return 0
	}
	masculine := oneOf(noun, "días día mapas mapa problemas problema sistemas sistema temas tema programas programa planetas planeta idiomas idioma kilogramas")
	feminine := endsIn(noun, "as ciones siones dades tudes mujeres veces noches tardes partes calles")
	if digits == "1" {
		feminine = endsIn(noun, "a ción sión dad tud mujer vez noche tarde parte calle")
	}
	switch {
	case feminine && !masculine:
		return 'f'
	case digits == "1", strings.HasSuffix(noun, "s"):
		return 'm'
	}
	return 0
}

// spanishPart: un quinto, dos quintos; beyond ten one is said over the other.
func spanishPart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	return noun{'m', []string{ordinal("masculine"), ordinal("masculine") + "s"}}
}

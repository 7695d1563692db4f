package spoken

import "strings"

// italian: the sign of a degree before a noun is that of an ordinal.
func italian() *voice {
	return &voice{
		code: "it", perWord: "al", halves: "e mezzo|e mezza", aHalf: "mezzo|mezza",
		decimal: ",", groups: []string{".", "\u00a0", "\u202f", " "},
		genders: map[byte]string{'m': "masculine", 'f': "feminine"}, agree: italianAgree, part: italianPart,
		minus: "meno", plus: "più", point: "punto", to: "a", about: "circa", of: "di", score: "a", over: "su",
		half: parseNoun("m mezzo|mezzi"), third: parseNoun("m terzo|terzi"), quarter: parseNoun("m quarto|quarti"), and: "e",
		date: dateWords{
			months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
			short:  "gen=1 genn=1 feb=2 febbr=2 mar=3 apr=4 mag=5 giu=6 lug=7 ago=8 set=9 sett=9 ott=10 nov=11 dic=12", first: "primo",
		},
		clock: clockWords{
			dots: true, words: "ore alle dalle ora all'una", one: "feminine", and: "e", letter: "h", hour: parseNoun("f ora|ore"), short: true,
			second: parseNoun("m secondo|secondi"),
		},
		ordinals: ordinalWords{marks: `
			º masculine
			° masculine
			ª feminine
			a feminine
			o masculine
			esimo masculine
			esima feminine`},
		regnal: romanWords{queens: "Elisabetta Caterina Maria Cristina", queen: "feminine", upTo: 99, form: "masculine", counted: "capitolo tomo volume parte atto scena libro articolo sezione fase livello tipo",
			century: "secolo=masculine guerra=feminine Guerra=feminine edizione=feminine",
			kings:   "Vittorio Emanuele Umberto Carlo Luigi Enrico Federico Pio Paolo Giovanni Leone Napoleone Benedetto Filippo Ferdinando Francesco Guglielmo"},
		units: italianUnits, far: "a t A B N W s", currencies: italianMoney, address: "punto|barra|due punti|chiocciola|trattino|trattino basso",
		magnitudes: `
			mln m milione|milioni
			milioni m milione|milioni
			milione m milione|milioni
			mld m miliardo|miliardi
			miliardi m miliardo|miliardi
			miliardo m miliardo|miliardi`,
		symbols: `
			& e
			@ chiocciola
			# numero
			+ più
			= uguale
			× per
			÷ diviso
			± più o meno
			≠ diverso da
			< minore di
			> maggiore di
			§ paragrafo
			/ barra
			© copyright
			½ e`,
		abbrevs:  italianAbbreviations,
		closings: italianClosings,
		numbered: italianNumbered,
	}
}

const italianAbbreviations = `
	incl. incluso
	Sig. signor
	Sig.ra signora
	Sigg. signori
	sig. signor
	sig.ra signora
	Dott. dottor
	Dott.ssa dottoressa
	dott. dottor
	dott.ssa dottoressa
	Dr. dottor
	Prof. professor
	Prof.ssa professoressa
	prof. professor
	Ing. ingegner
	Avv. avvocato
	Gen. generale
	P.zza piazza
	p.zza piazza
	P.za piazza
	p.za piazza
	V.le Viale
	v.le viale
	C.so Corso
	c.so corso
	L.go Largo
	l.go largo
	F.lli fratelli
	on. onorevole
	On. Onorevole
	dr. dottor
	arch. architetto
	avv. avvocato
	ing. ingegner
	geom. geometra
	gen. generale
	p._es. per esempio
	p.es. per esempio
	es. esempio
	ca. circa
	tel. telefono
	Tel. Telefono`

const italianClosings = `
	ecc. eccetera
	etc. eccetera
	a.C. avanti Cristo
	d.C. dopo Cristo
	a._C. avanti Cristo
	d._C. dopo Cristo`

const italianNumbered = `
	pp. pagine
	bin. binario
	km chilometro
	pag. pagina
	pagg. pagine
	p. pagina
	cap. capitolo
	n. numero
	n° numero
	N° numero
	nº numero
	art. articolo
	vol. volume
	fig. figura`

const italianUnits = `
	% m per cento|per cento
	‰ m per mille|per mille
	km m chilometro|chilometri
	m m metro|metri
	cm m centimetro|centimetri
	mm m millimetro|millimetri
	km/h m chilometro all'ora|chilometri all'ora
	m/s m metro al secondo|metri al secondo
	km²,km2 m chilometro quadrato|chilometri quadrati
	m²,m2,mq m metro quadrato|metri quadrati
	m³,m3,mc m metro cubo|metri cubi
	ha m ettaro|ettari
	kg m chilogrammo|chilogrammi
	g m grammo|grammi
	mg m milligrammo|milligrammi
	t f tonnellata|tonnellate
	l,L m litro|litri
	ml m millilitro|millilitri
	cl m centilitro|centilitri
	h f ora|ore
	min m minuto|minuti
	s,sec m secondo|secondi
	°C,°_C,ºC m grado Celsius|gradi Celsius
	°F m grado Fahrenheit|gradi Fahrenheit
	° m grado|gradi
	W m watt|watt
	kW m chilowatt|chilowatt
	kWh m chilowattora|chilowattora
	V m volt|volt
	A m ampere|ampere
	Hz m hertz|hertz
	MHz m megahertz|megahertz
	GHz m gigahertz|gigahertz
	MB m megabyte|megabyte
	GB m gigabyte|gigabyte
	TB m terabyte|terabyte`

const italianMoney = `
	M€ m milione di euro|milioni di euro
	€,EUR m euro|euro / m centesimo|centesimi
	$,US$,USD m dollaro|dollari / m centesimo|centesimi
	£,GBP f sterlina|sterline / m penny|pence
	CHF m franco svizzero|franchi svizzeri / m centesimo|centesimi
	¥,JPY m yen|yen
	CNY m yuan|yuan / m fen|fen
	₹,INR f rupia|rupie / f paisa|paise
	₽,RUB m rublo|rubli / m copeco|copechi
	zł,PLN m zloty|zloty / m grosz|grosz
	₺,TRY f lira turca|lire turche / m kurus|kurus
	₩,KRW m won|won
	﷼,IRR m rial iraniano|rial iraniani
	SAR m riyal saudita|riyal sauditi / m halala|halala
	AED m dirham|dirham / m fils|fils
	Kč,CZK f corona ceca|corone ceche / m heller|heller
	Ft,HUF m fiorino ungherese|fiorini ungheresi / m filler|filler
	₴,UAH f grivnia|grivnie / m copeco|copechi
	R$,BRL m real|real / m centavo|centavos
	MXN m peso messicano|pesos messicani / m centavo|centavos
	CA$,CAD m dollaro canadese|dollari canadesi / m centesimo|centesimi
	AU$,A$,AUD m dollaro australiano|dollari australiani / m centesimo|centesimi
	SEK f corona svedese|corone svedesi / m öre|öre
	NOK f corona norvegese|corone norvegesi / m öre|öre
	DKK f corona danese|corone danesi / m öre|öre
	EGP f sterlina egiziana|sterline egiziane / f piastra|piastre`

// italianAgree: only one has a gender.
func italianAgree(digits, before, noun string) byte {
	if digits != "1" || strings.ToLower(noun) != noun || oneOf(before, "capitolo pagina numero articolo gruppo livello fase tomo versione volume parte tipo riga") ||
		oneOf(noun, "e o a di da in con su per tra fra che è ma non più meno alla della dalla era sono come dopo prima") {
		return 0
	}
	if endsIn(noun, "a zione sione tà notte parte volta") && !oneOf(noun, "problema sistema tema programma pianeta") {
		return 'f'
	}
	return 'm'
}

// italianPart: un quinto, due quinti; beyond ten one is said over the other.
func italianPart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	one := ordinal("masculine")
	return noun{'m', []string{one, one[:len(one)-1] + "i"}}
}

package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// polish: days and hours are ordinals, years are read in the case that the words
// beside them ask for.
func polish() *voice {
	return &voice{
		code: "pl", perWord: "za", accusatives: []string{"a", "ę"}, halves: "i pół|i pół", aHalf: "pół|pół",
		decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true,
		genders: map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}, agree: polishAgree, compounds: polishCompound, part: polishPart,
		minus: "minus", plus: "plus", point: "kropka", to: "do", toForm: "masculine-genitive", about: "około", score: "do", over: "przez",
		half: parseNoun("f druga|drugie|drugich|drugiej"), and: "",
		date: dateWords{
			months: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
			short:  "sty=1 lut=2 mar=3 kwi=4 cze=6 lip=7 sie=8 wrz=9 paź=10 lis=11 gru=12",
			other:  "styczniu lutym marcu kwietniu maju czerwcu lipcu sierpniu wrześniu październiku listopadzie grudniu styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień",
			kind:   numbers.Ordinal, form: "masculine-genitive", until: "do", year: "roku", yearCut: "r", eras: "p.n.e|p. n. e|n.e|n. e|przed nasz|naszej ery",
			yearEnds: map[string]string{"rok": "masculine", "roku": "masculine-genitive", "w roku": "masculine-locative", "po roku": "masculine-locative", "o roku": "masculine-locative", "rokiem": "masculine-instrumental", "rokowi": "masculine-dative"},
			yearWith: map[string]string{
				"": "masculine rok", "na": "masculine rok", "za": "masculine rok", "przez": "masculine rok", "other": "masculine-genitive roku", "month": "masculine-genitive roku", "w": "masculine-locative roku", "po": "masculine-locative roku", "o": "masculine-locative roku",
				"od": "masculine-genitive roku", "do": "masculine-genitive roku", "z": "masculine-genitive roku", "sprzed": "masculine-genitive roku", "około": "masculine-genitive roku",
				"przed": "masculine-instrumental rokiem", "między": "masculine-instrumental rokiem",
			},
		},
		clock: clockWords{
			dots: true, words: "o godz godzinie godzina godziny od do po przed ok około", kind: numbers.Ordinal, form: "feminine", zero: true,
			bare: "godz godzinie godziny godzina godzinę",
			forms: map[string]string{
				"o": "feminine-locative", "po": "feminine-locative", "godzinie": "feminine-locative", "o godz": "feminine-locative", "po godz": "feminine-locative",
				"od": "feminine-genitive", "do": "feminine-genitive", "ok": "feminine-genitive", "około": "feminine-genitive", "godziny": "feminine-genitive", "do godz": "feminine-genitive", "od godz": "feminine-genitive",
				"przed": "feminine-instrumental", "przed godz": "feminine-instrumental", "na": "feminine-accusative", "godzinę": "feminine-accusative",
			},
			second: parseNoun("f sekunda|sekundy|sekund|sekundy"),
		},
		ordinals: ordinalWords{stop: polishOrdinal,
			decades: map[string]string{"lata": "plural", "latach": "plural-locative", "lat": "plural-genitive", "latami": "plural-instrumental"}, marks: `
			-szy masculine
			-gi masculine
			-ci masculine
			-ty masculine
			-my masculine
			-sza feminine
			-ta feminine
			-go masculine-genitive
			-ego masculine-genitive
			-tego masculine-genitive
			-ej feminine-genitive
			-tej feminine-genitive`},
		regnal: romanWords{queens: "Elżbieta Katarzyna Anna Maria", queen: "feminine", upTo: 99, form: "masculine", counted: "rozdział tom część akt scena księga artykuł faza poziom typ",
			cut: "w", cutWith: map[string]string{"": "masculine wiek", "w": "masculine-locative wieku", "na": "masculine-locative wieku", "z": "masculine-genitive wieku", "do": "masculine-genitive wieku", "od": "masculine-genitive wieku", "początku": "masculine-genitive wieku", "końcu": "masculine-genitive wieku", "połowie": "masculine-genitive wieku", "połowy": "masculine-genitive wieku", "końca": "masculine-genitive wieku"},
			century: "wiek=masculine w+wieku=masculine-locative wieku=masculine-genitive wiekiem=masculine-instrumental wojna=feminine wojny=feminine-genitive Wojna=feminine Rzeczpospolita=feminine edycja=feminine klasa=feminine",
			kings:   "Paweł Jan Karol Henryk Zygmunt Kazimierz Władysław Stefan Bolesław Mieszko August Aleksander Mikołaj Pius Benedykt Napoleon Ludwik"},
		units: polishUnits, far: "a t A B N W s w z V", currencies: polishMoney, address: "kropka|ukośnik|dwukropek|małpa|myślnik|podkreślnik",
		magnitudes: `
			tys. m tysiąc|tysiące|tysięcy|tysiąca
			tys m tysiąc|tysiące|tysięcy|tysiąca
			mln m milion|miliony|milionów|miliona
			mld m miliard|miliardy|miliardów|miliarda
			bln m bilion|biliony|bilionów|biliona`,
		symbols: `
			& i
			@ małpa
			# numer
			+ plus
			= równa się
			× razy
			÷ podzielić przez
			± plus minus
			≠ nie równa się
			< mniejsze niż
			> większe niż
			§ paragraf
			/ ukośnik
			½ i`,
		abbrevs:  polishAbbreviations,
		closings: polishClosings,
		numbered: polishNumbered,
	}
}

const polishAbbreviations = `
	prof. profesor
	Prof. Profesor
	dr doktor
	Dr Doktor
	dr. doktora
	mgr magister
	Mgr Magister
	inż. inżynier
	hab. habilitowany
	mec. mecenas
	red. redaktor
	pt. pod tytułem
	br. bieżącego roku
	ww. wyżej wymieniony
	m.st. miasta stołecznego
	ks. ksiądz
	św. święty
	Św. Święty
	gen. generał
	płk. pułkownik
	ul. ulica;na przy po w=ulicy;od do z ze u=ulicy;przed za pod nad=ulicą
	al. aleja;na przy po w=alei;od do z ze=alei
	pl. plac;na przy po=placu;od do z=placu
	os. osiedle
	np. na przykład
	Np. Na przykład
	Ul. Ulica
	m.in. między innymi
	m._in. między innymi
	tzn. to znaczy
	tzw. tak zwany
	tj. to jest
	ok. około
	godz. godzina;o po=godzinie;od do około=godziny;przed=godziną
	Godz. Godzina
	tel. telefon
	Tel. Telefon
	im. imienia
	wg. według
	por. porównaj
	zob. zobacz
	ur. urodzony
	zm. zmarły`

const polishClosings = `
	itd. i tak dalej
	itp. i tym podobne
	p.n.e. przed naszą erą
	n.e. naszej ery
	proc. procent`

const polishNumbered = `
	m. mieszkania
	nr. numer
	Nr numer
	nr numer;pod=numerem
	str. strona;#=strony;na=stronie;ze=strony
	s. strona;#=strony;na=stronie;ze=strony
	rozdz. rozdział;w=rozdziale
	art. artykuł;#=artykuły;w=artykule;z=artykułu
	ust. ustęp
	pkt. punkt
	pkt punkt;w=punkcie
	poz. pozycja`

// polishStreet reports whether the name of a street stands shortly before the end of a
// text, where a number is that of a house and the m. after it of a flat.
func polishStreet(text string) bool {
	const most = 48 // bytes
	text = text[max(0, len(text)-most):]
	for _, cut := range []string{"ul. ", "al. ", "pl. ", "os. ", "ulica ", "ulicy ", "alei ", "placu ", "osiedlu "} {
		if strings.Contains(text, cut) {
			return true
		}
	}
	return false
}

const polishUnits = `
	% m procent|procent|procent|procent
	proc m procent|procent|procent|procent
	‰ m promil|promile|promili|promila
	km m kilometr|kilometry|kilometrów|kilometra
	m m metr|metry|metrów|metra
	cm m centymetr|centymetry|centymetrów|centymetra
	mm m milimetr|milimetry|milimetrów|milimetra
	km/h m kilometr na godzinę|kilometry na godzinę|kilometrów na godzinę|kilometra na godzinę
	m/s m metr na sekundę|metry na sekundę|metrów na sekundę|metra na sekundę
	km²,km2 m kilometr kwadratowy|kilometry kwadratowe|kilometrów kwadratowych|kilometra kwadratowego
	m²,m2 m metr kwadratowy|metry kwadratowe|metrów kwadratowych|metra kwadratowego
	m³,m3 m metr sześcienny|metry sześcienne|metrów sześciennych|metra sześciennego
	ha m hektar|hektary|hektarów|hektara
	kg m kilogram|kilogramy|kilogramów|kilograma
	dag m dekagram|dekagramy|dekagramów|dekagrama
	g m gram|gramy|gramów|grama
	mg m miligram|miligramy|miligramów|miligrama
	t f tona|tony|ton|tony
	l,L m litr|litry|litrów|litra
	ml m mililitr|mililitry|mililitrów|mililitra
	h,godz f godzina|godziny|godzin|godziny
	min f minuta|minuty|minut|minuty
	s,sek f sekunda|sekundy|sekund|sekundy
	°C,°_C m stopień Celsjusza|stopnie Celsjusza|stopni Celsjusza|stopnia Celsjusza
	°F m stopień Fahrenheita|stopnie Fahrenheita|stopni Fahrenheita|stopnia Fahrenheita
	° m stopień|stopnie|stopni|stopnia
	W m wat|waty|watów|wata
	kW m kilowat|kilowaty|kilowatów|kilowata
	MW m megawat|megawaty|megawatów|megawata
	kWh f kilowatogodzina|kilowatogodziny|kilowatogodzin|kilowatogodziny
	V m wolt|wolty|woltów|wolta
	A m amper|ampery|amperów|ampera
	Hz m herc|herce|herców|herca
	MHz m megaherc|megaherce|megaherców|megaherca
	GHz m gigaherc|gigaherce|gigaherców|gigaherca
	MB m megabajt|megabajty|megabajtów|megabajta
	GB m gigabajt|gigabajty|gigabajtów|gigabajta
	TB m terabajt|terabajty|terabajtów|terabajta`

const polishMoney = `
	zł,PLN m złoty|złote|złotych|złotego / m grosz|grosze|groszy|grosza
	gr m grosz|grosze|groszy|grosza
	€,EUR n euro|euro|euro|euro / m cent|centy|centów|centa
	$,US$,USD m dolar|dolary|dolarów|dolara / m cent|centy|centów|centa
	£,GBP m funt|funty|funtów|funta / m pens|pensy|pensów|pensa
	CHF m frank|franki|franków|franka / m centym|centymy|centymów|centyma
	₽,RUB m rubel|ruble|rubli|rubla / f kopiejka|kopiejki|kopiejek|kopiejki
	JPY m jen|jeny|jenów|jena
	CNY m juan|juany|juanów|juana / m fen|feny|fenów|fena
	₹,INR f rupia|rupie|rupii|rupii / f pajsa|pajsy|pajs|pajsy
	₺,TRY f lira turecka|liry tureckie|lir tureckich|liry tureckiej / m kurusz|kurusze|kuruszy|kurusza
	₩,KRW m won|wony|wonów|wona
	﷼,IRR m rial irański|riale irańskie|riali irańskich|riala irańskiego
	SAR m rial saudyjski|riale saudyjskie|riali saudyjskich|riala saudyjskiego / f halala|halale|halali|halali
	AED m dirham|dirhamy|dirhamów|dirhama / m fils|filsy|filsów|filsa
	Kč,CZK f korona czeska|korony czeskie|koron czeskich|korony czeskiej / m halerz|halerze|halerzy|halerza
	Ft,HUF m forint|forinty|forintów|forinta / m filler|fillery|fillerów|fillera
	₴,UAH f hrywna|hrywny|hrywien|hrywny / f kopiejka|kopiejki|kopiejek|kopiejki
	R$,BRL m real|reale|reali|reala / n centavo|centavo|centavo|centavo
	MXN n peso meksykańskie|peso meksykańskie|peso meksykańskich|peso meksykańskiego / n centavo|centavo|centavo|centavo
	CA$,CAD m dolar kanadyjski|dolary kanadyjskie|dolarów kanadyjskich|dolara kanadyjskiego / m cent|centy|centów|centa
	AU$,A$,AUD m dolar australijski|dolary australijskie|dolarów australijskich|dolara australijskiego / m cent|centy|centów|centa
	SEK f korona szwedzka|korony szwedzkie|koron szwedzkich|korony szwedzkiej / n öre|öre|öre|öre
	NOK f korona norweska|korony norweskie|koron norweskich|korony norweskiej / n öre|öre|öre|öre
	DKK f korona duńska|korony duńskie|koron duńskich|korony duńskiej / n öre|öre|öre|öre
	EGP m funt egipski|funty egipskie|funtów egipskich|funta egipskiego / m piastr|piastry|piastrów|piastra`

// polishAgree: one and two have a gender.
func polishAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 4 || oneOf(before, "rozdział strona numer artykuł grupa poziom tom wersja część typ linia") {
		return 0
	}
	if digits == "1" {
		switch {
		case endsIn(noun, "a") && !oneOf(noun, "oraz mężczyzna dla"):
			return 'f'
		case endsIn(noun, "o e ę um"):
			return 'n'
		}
		return 'm'
	}
	if strings.HasSuffix(digits, "2") && !strings.HasSuffix(digits, "12") &&
		(oneOf(noun, "godziny minuty sekundy osoby kobiety książki mapy szkoły grupy firmy rodziny ofiary rzeki drogi ręce nogi zimy wojny rundy próby ulice partie gazety wyspy sprawy klasy komisje panie rodziny wioski tony porażki połowy strony córki siostry dziewczynki noce łyżki szklanki dziewczyny sztuki litery gwiazdki bramki rundy") || endsIn(noun, "cje zje sje tki czki ości")) {
		return 'f'
	}
	return 0
}

// polishPart: jedna piąta, dwie piąte, pięć siódmych.
func polishPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), ordinal("plural"), many, many}}
}

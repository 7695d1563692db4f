package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// czech: a full stop makes an ordinal, whose gender and case the noun after it
// and the preposition before it show.
func czech() *voice {
	return &voice{
		code: "cs", perWord: "za", halves: "a půl|a půl", aHalf: "půl|půl",
		decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true,
		genders: map[byte]string{'m': "masculine", 'f': "feminine", 'n': "neuter"}, gendersUpTo: 2, cardinals: czechGenitive, agree: czechAgree, compounds: czechCompound,
		minus: "minus", plus: "plus", point: "tečka", to: "až", about: "asi", score: "ku", over: "lomeno",
		half: parseNoun("f polovina|poloviny|polovin|poloviny"), third: parseNoun("f třetina|třetiny|třetin|třetiny"), quarter: parseNoun("f čtvrtina|čtvrtiny|čtvrtin|čtvrtiny"),
		endings: map[string][]string{
			"genitive": {"ý", "ého", "í", "ího"}, "locative": {"ý", "ém", "í", "ím"}, "dative": {"ý", "ému", "í", "ímu"},
			"instrumental": {"ý", "ým", "í", "ím"}, "feminine-oblique": {"ý", "é", "í", "í"}, "feminine-accusative": {"ý", "ou", "í", "í"},
			"plural-genitive": {"ý", "ých", "í", "ích"},
		},
		date: dateWords{
			months: "ledna února března dubna května června července srpna září října listopadu prosince",
			short:  "led=1 úno=2 bře=3 dub=4 kvě=5 čvn=6 čvc=7 srp=8 říj=10 lis=11 pro=12",
			kind:   numbers.Ordinal, form: "genitive", until: "do",
		},
		clock: clockWords{
			dots: true, words: "v ve od do po hod h hodin hodiny", cut: "h hod hodin", zero: true,
			forms: map[string]string{"od": "genitive", "do": "genitive", "kolem": "genitive", "okolo": "genitive"}, hour: parseNoun("f hodina|hodiny|hodin|hodiny"),
			second: parseNoun("f sekunda|sekundy|sekund|sekundy"),
		},
		ordinals: ordinalWords{stop: czechOrdinal},
		regnal: romanWords{queens: "Alžběta Kateřina Marie Anna", queen: "feminine", upTo: 99, form: "masculine", counted: "kapitola díl část svazek akt článek fáze úroveň typ",
			century: "letech+století=genitive léta+století=genitive let+století=genitive konec+století=genitive začátek+století=genitive polovinu+století=genitive přelomu+století=genitive průběhu+století=genitive v+století=locative ve+století=locative na+století=locative po+století=locative od+století=genitive do+století=genitive z+století=genitive ze+století=genitive během+století=genitive začátku+století=genitive konci+století=genitive konce+století=genitive polovině+století=genitive poloviny+století=genitive začátkem+století=genitive koncem+století=genitive k+století=dative ke+století=dative století=neuter stoletím=instrumental",
			kings:   "Karel Václav Jan Pavel Rudolf František Josef Ferdinand Ludvík Jindřich Přemysl Otakar Napoleon Leopold Benedikt Mikuláš Alexandr Vladislav Zikmund Petr"},
		units: czechUnits, far: "a t A B N W s v V z", currencies: czechMoney, address: "tečka|lomítko|dvojtečka|zavináč|pomlčka|podtržítko",
		magnitudes: `
			tis. m tisíc|tisíce|tisíc|tisíce
			tis m tisíc|tisíce|tisíc|tisíce
			mil. m milion|miliony|milionů|milionu
			mil m milion|miliony|milionů|milionu
			mld. f miliarda|miliardy|miliard|miliardy
			mld f miliarda|miliardy|miliard|miliardy`,
		symbols: `
			& a
			@ zavináč
			# číslo
			+ plus
			= rovná se
			× krát
			÷ děleno
			± plus minus
			≠ nerovná se
			< menší než
			> větší než
			§ paragraf
			/ lomeno
			½ a`,
		abbrevs:  czechAbbreviations,
		closings: czechClosings,
		numbered: czechNumbered,
	}
}

const czechAbbreviations = `
	pan. pan
	prof. profesor
	Prof. Profesor
	doc. docent
	MUDr. doktor
	JUDr. doktor
	PhDr. doktor
	RNDr. doktor
	Dr. doktor
	Ing. inženýr
	Mgr. magistr
	Bc. bakalář
	gen. generál
	plk. plukovník
	sv. svatý
	Sv. Svatý
	ul. ulice;v ve na=ulici;do od z ze=ulice;za před=ulicí
	Ul. Ulice
	nám. náměstí
	Nám. Náměstí
	tř. třída;v ve na=třídě;do od z ze=třídy
	pí paní
	p. pan
	např. například
	Např. Například
	tzv. takzvaný
	tzn. to znamená
	tj. to jest
	mj. mimo jiné
	popř. popřípadě
	resp. respektive
	cca. cirka
	max. maximálně
	min. minimálně
	tel. telefon
	Tel. Telefon
	srov. srovnej
	viz. viz
	př._n._l. před naším letopočtem`

const czechClosings = `
	atd. a tak dále
	stol. století
	apod. a podobně
	aj. a jiné
	n._l. našeho letopočtu`

const czechNumbered = `
	č. číslo;v ve=čísle;pod s=číslem
	Č. Číslo
	str. strana;#=strany;na=straně;ze=strany
	s. strana;#=strany;na=straně;ze=strany
	kap. kapitola
	čl. článek
	odst. odstavec
	r. roku;v=roce
	obr. obrázek`

const czechUnits = `
	% n procento|procenta|procent|procenta
	‰ n promile|promile|promile|promile
	km m kilometr|kilometry|kilometrů|kilometru
	m m metr|metry|metrů|metru
	cm m centimetr|centimetry|centimetrů|centimetru
	mm m milimetr|milimetry|milimetrů|milimetru
	km/h m kilometr za hodinu|kilometry za hodinu|kilometrů za hodinu|kilometru za hodinu
	m/s m metr za sekundu|metry za sekundu|metrů za sekundu|metru za sekundu
	km²,km2 m kilometr čtvereční|kilometry čtvereční|kilometrů čtverečních|kilometru čtverečního
	m²,m2 m metr čtvereční|metry čtvereční|metrů čtverečních|metru čtverečního
	m³,m3 m metr krychlový|metry krychlové|metrů krychlových|metru krychlového
	ha m hektar|hektary|hektarů|hektaru
	kg m kilogram|kilogramy|kilogramů|kilogramu
	dkg m dekagram|dekagramy|dekagramů|dekagramu
	g m gram|gramy|gramů|gramu
	mg m miligram|miligramy|miligramů|miligramu
	t f tuna|tuny|tun|tuny
	l,L m litr|litry|litrů|litru
	ml m mililitr|mililitry|mililitrů|mililitru
	dl m decilitr|decilitry|decilitrů|decilitru
	h,hod f hodina|hodiny|hodin|hodiny
	min f minuta|minuty|minut|minuty
	s,sek f sekunda|sekundy|sekund|sekundy
	°C,°_C m stupeň Celsia|stupně Celsia|stupňů Celsia|stupně Celsia
	°F m stupeň Fahrenheita|stupně Fahrenheita|stupňů Fahrenheita|stupně Fahrenheita
	° m stupeň|stupně|stupňů|stupně
	W m watt|watty|wattů|wattu
	kW m kilowatt|kilowatty|kilowattů|kilowattu
	MW m megawatt|megawatty|megawattů|megawattu
	kWh f kilowatthodina|kilowatthodiny|kilowatthodin|kilowatthodiny
	V m volt|volty|voltů|voltu
	A m ampér|ampéry|ampérů|ampéru
	Hz m hertz|hertze|hertzů|hertzu
	MHz m megahertz|megahertze|megahertzů|megahertzu
	GHz m gigahertz|gigahertze|gigahertzů|gigahertzu
	MB m megabajt|megabajty|megabajtů|megabajtu
	GB m gigabajt|gigabajty|gigabajtů|gigabajtu
	TB m terabajt|terabajty|terabajtů|terabajtu`

const czechMoney = `
	Kč,CZK f koruna|koruny|korun|koruny / m haléř|haléře|haléřů|haléře
	€,EUR n euro|eura|eur|eura / m cent|centy|centů|centu
	$,US$,USD m dolar|dolary|dolarů|dolaru / m cent|centy|centů|centu
	£,GBP f libra|libry|liber|libry / f pence|pence|pencí|pence
	zł,PLN m zlotý|zloté|zlotých|zlotého / m groš|groše|grošů|groše
	JPY m jen|jeny|jenů|jenu
	CNY m jüan|jüany|jüanů|jüanu / m fen|feny|fenů|fenu
	CHF m švýcarský frank|švýcarské franky|švýcarských franků|švýcarského franku / m centim|centimy|centimů|centimu
	₹,INR f rupie|rupie|rupií|rupie / f paisa|paisy|pais|paisy
	₽,RUB m rubl|rubly|rublů|rublu / f kopejka|kopejky|kopejek|kopejky
	₺,TRY f turecká lira|turecké liry|tureckých lir|turecké liry / m kuruš|kuruše|kurušů|kuruše
	₩,KRW m won|wony|wonů|wonu
	﷼,IRR m íránský rijál|íránské rijály|íránských rijálů|íránského rijálu
	SAR m saúdský rijál|saúdské rijály|saúdských rijálů|saúdského rijálu / f halala|halaly|halal|halaly
	AED m dirham|dirhamy|dirhamů|dirhamu / m fils|filsy|filsů|filsu
	Ft,HUF m forint|forinty|forintů|forintu / m fillér|filléry|fillérů|filléru
	₴,UAH f hřivna|hřivny|hřiven|hřivny / f kopějka|kopějky|kopějek|kopějky
	R$,BRL m real|realy|realů|realu / n centavo|centava|centav|centava
	MXN n mexické peso|mexická pesa|mexických pes|mexického pesa / n centavo|centava|centav|centava
	CA$,CAD m kanadský dolar|kanadské dolary|kanadských dolarů|kanadského dolaru / m cent|centy|centů|centu
	AU$,A$,AUD m australský dolar|australské dolary|australských dolarů|australského dolaru / m cent|centy|centů|centu
	SEK f švédská koruna|švédské koruny|švédských korun|švédské koruny / n öre|öre|öre|öre
	NOK f norská koruna|norské koruny|norských korun|norské koruny / n öre|öre|öre|öre
	DKK f dánská koruna|dánské koruny|dánských korun|dánské koruny / n öre|öre|öre|öre
	EGP f egyptská libra|egyptské libry|egyptských liber|egyptské libry / m piastr|piastry|piastrů|piastru`

// czechAgree: one and two have a gender.
func czechAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 3 || oneOf(noun, "nebo ale pro pod nad bez byl byla bylo") || oneOf(before, "kapitola strana číslo článek skupina úroveň díl verze část typ linka") {
		return 0
	}
	switch digits {
	case "1":
		switch {
		case endsIn(noun, "a"):
			return 'f'
		case endsIn(noun, "o í e"):
			return 'n'
		}
		return 'm'
	case "2":
		if oneOf(noun, "mapy skupiny rodiny sady řady školy zprávy etapy výhry prohry remízy porážky firmy branky medaile ulice strany cesty vesnice budovy zbraně ženy hodiny minuty sekundy osoby strany knihy sestry dívky noci třídy rány děti koruny libry ryby kočky nohy") || endsIn(noun, "a ce že še tky čky") {
			return 'f'
		}
	}
	return 0
}

// czechGenitive is the genitive of a cardinal below a hundred.
func czechGenitive(words string) string {
	list := strings.Split(words, " ")
	for i, word := range list {
		switch {
		case word == "jedna":
			list[i] = "jedné"
		case word == "dva" || word == "dvě":
			list[i] = "dvou"
		case word == "tři":
			list[i] = "tří"
		case word == "čtyři":
			list[i] = "čtyř"
		case word == "devět":
			list[i] = "devíti"
		case word == "deset":
			list[i] = "deseti"
		case strings.HasSuffix(word, "t") || strings.HasSuffix(word, "m"):
			list[i] = word + "i"
		}
	}
	return strings.Join(list, " ")
}

package spoken

import "strings"

// french: groups stand apart by spaces, the first of a month is an ordinal.
func french() *voice {
	return &voice{
		code: "fr", perWord: "par", halves: "et demi|et demie", aHalf: "un demi|une demie",
		decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."},
		genders: map[byte]string{'m': "masculine", 'f': "feminine"}, agree: frenchAgree, part: frenchPart,
		minus: "moins", plus: "plus", point: "point", to: "à", about: "environ", of: "de", score: "à", over: "sur",
		half: parseNoun("m demi|demis"), third: parseNoun("m tiers|tiers"), quarter: parseNoun("m quart|quarts"), and: "et",
		date: dateWords{
			months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
			short:  "janv=1 févr=2 avr=4 juil=7 sept=9 oct=10 nov=11 déc=12", first: "premier",
		},
		clock: clockWords{
			letter: "h", dots: false, form: "feminine", hour: parseNoun("f heure|heures"), always: true,
			cut: "h heures heure min", minute: "feminine", second: parseNoun("f seconde|secondes"),
		},
		ordinals: ordinalWords{marks: `
			ère feminine
			ères feminine-plural
			ers masculine-plural
			res feminine-plural
			er masculine
			re feminine
			èmes masculine-plural
			ème masculine
			ièmes masculine-plural
			ième masculine
			nde =seconde
			nd =second
			nde feminine
			nd masculine
			es masculine-plural
			de feminine
			e masculine
			d =second
			d masculine`},
		regnal: romanWords{upTo: 1, form: "masculine", counted: "chapitre tome volume partie acte scène guerre titre livre article section phase niveau type",
			kings: "Louis Charles Henri François Philippe Napoléon Jean Pie Elizabeth Élisabeth Guillaume Frédéric Nicolas Alexandre Édouard Georges", suffixes: "ème èmes e es er re"},
		units: frenchUnits, far: "a t A B N W s", currencies: frenchMoney, address: "point|barre oblique|deux points|arobase|tiret|tiret bas",
		magnitudes: `
			millions m million|millions
			million m million|millions
			milliards m milliard|milliards
			milliard m milliard|milliards
			Mds m milliard|milliards
			Md m milliard|milliards`,
		symbols: `
			& et
			@ arobase
			# numéro
			+ plus
			= égale
			× fois
			÷ divisé par
			± plus ou moins
			≠ différent de
			< inférieur à
			> supérieur à
			§ paragraphe
			№ numéro
			/ barre oblique
			© copyright
			½ et`,
		abbrevs:  frenchAbbreviations,
		closings: frenchClosings,
		numbered: frenchNumbered,
	}
}

const frenchAbbreviations = `
	Cf. Confer
	lun. lundi
	ven. vendredi
	sam. samedi
	dim. dimanche
	M. monsieur
	MM. messieurs
	Mme madame
	Mmes mesdames
	Mlle mademoiselle
	Dr docteur
	Dr. docteur
	Pr professeur
	Me maître
	Mgr monseigneur
	St saint
	Ste sainte
	av. avenue
	bd. boulevard
	bd boulevard
	Bd Boulevard
	fg faubourg
	c._à_soupe cuillères à soupe;1 une ½=cuillère à soupe
	c._à_café cuillères à café;1 une ½=cuillère à café
	c._à_s. cuillères à soupe;1 une ½=cuillère à soupe
	c._à_c. cuillères à café;1 une ½=cuillère à café
	boul. boulevard
	pl. place
	éd. édition
	p._ex. par exemple
	p.ex. par exemple
	c.-à-d. c'est-à-dire
	env. environ
	tél. téléphone
	Tél. Téléphone`

const frenchClosings = `
	etc. et cetera
	av._J.-C. avant Jésus-Christ
	apr._J.-C. après Jésus-Christ
	Cie. compagnie`

const frenchNumbered = `
	km kilomètre
	p. page;#=pages
	pp. pages
	n° numéro
	N° numéro
	nº numéro
	art. article
	chap. chapitre
	vol. volume
	fig. figure`

const frenchUnits = `
	% m pour cent|pour cent
	‰ m pour mille|pour mille
	km m kilomètre|kilomètres
	m m mètre|mètres
	cm m centimètre|centimètres
	mm m millimètre|millimètres
	km/h m kilomètre à l'heure|kilomètres à l'heure
	m/s m mètre par seconde|mètres par seconde
	km²,km2 m kilomètre carré|kilomètres carrés
	m²,m2 m mètre carré|mètres carrés
	m³,m3 m mètre cube|mètres cubes
	ha m hectare|hectares
	kg m kilogramme|kilogrammes
	g m gramme|grammes
	mg m milligramme|milligrammes
	t f tonne|tonnes
	l,L m litre|litres
	ml,mL m millilitre|millilitres
	cl,cL m centilitre|centilitres
	h f heure|heures
	min f minute|minutes
	s,sec f seconde|secondes
	°C,°_C m degré Celsius|degrés Celsius
	°F m degré Fahrenheit|degrés Fahrenheit
	° m degré|degrés
	W m watt|watts
	kW m kilowatt|kilowatts
	kWh m kilowattheure|kilowattheures
	V m volt|volts
	A m ampère|ampères
	Hz m hertz|hertz
	MHz m mégahertz|mégahertz
	GHz m gigahertz|gigahertz
	Mo m mégaoctet|mégaoctets
	Go m gigaoctet|gigaoctets
	To m téraoctet|téraoctets`

const frenchMoney = `
	M€ m million d'euros|millions d'euros
	€,EUR m euro|euros / m centime|centimes
	$,US$,USD m dollar|dollars / m cent|cents
	£,GBP f livre|livres / m penny|pence
	CHF m franc suisse|francs suisses / m centime|centimes
	¥,JPY m yen|yens
	CNY m yuan|yuans / m fen|fens
	₹,INR f roupie|roupies / m paisa|paisas
	₽,RUB m rouble|roubles / m kopeck|kopecks
	zł,PLN m zloty|zlotys / m grosz|grosz
	₺,TRY f livre turque|livres turques / m kurus|kurus
	₩,KRW m won|wons
	﷼,IRR m rial iranien|rials iraniens
	SAR m riyal saoudien|riyals saoudiens / m halala|halalas
	AED m dirham|dirhams / m fils|fils
	Kč,CZK f couronne tchèque|couronnes tchèques / m heller|hellers
	Ft,HUF m forint|forints / m fillér|fillérs
	₴,UAH f hryvnia|hryvnias / m kopeck|kopecks
	R$,BRL m réal|réals / m centavo|centavos
	MXN m peso mexicain|pesos mexicains / m centavo|centavos
	CA$,CAD m dollar canadien|dollars canadiens / m cent|cents
	AU$,A$,AUD m dollar australien|dollars australiens / m cent|cents
	SEK f couronne suédoise|couronnes suédoises / m öre|öre
	NOK f couronne norvégienne|couronnes norvégiennes / m öre|öre
	DKK f couronne danoise|couronnes danoises / m öre|öre
	EGP f livre égyptienne|livres égyptiennes / f piastre|piastres`

// frenchAgree: only one has a gender.
func frenchAgree(digits, before, noun string) byte {
	if !strings.HasSuffix(digits, "1") || strings.HasSuffix(digits, "11") || strings.ToLower(noun) != noun {
		return 0
	}
	if oneOf(before, "chapitre page numéro article groupe niveau phase tome version volume partie type ligne") {
		return 0
	}
	if endsIn(strings.TrimSuffix(noun, "s"), "tion sion té ée ette ence ance esse ière euse ade aille ouille elle ille ise erie ine ure ude ienne ienne trice ie aine") && !endsIn(strings.TrimSuffix(noun, "s"), "génie incendie magazine domaine capitaine cimetière derrière comité côté été député traité arrêté lycée musée trophée stade grade murmure mercure parapluie foie") ||
		oneOf(strings.TrimSuffix(noun, "s"), "fois foi c heure ferme arme norme somme forme plateforme personne femme fille semaine minute seconde page voiture maison ville vie nuit main chambre route rue école église lettre place voix tonne équipe pièce table porte ligne île langue rose fleur pomme tasse vache mère sœur") {
		return 'f'
	}
	return 0
}

// frenchPart: un cinquième, deux cinquièmes.
func frenchPart(_ int, ordinal func(form string) string) noun {
	return noun{'m', []string{ordinal(""), ordinal("") + "s"}}
}

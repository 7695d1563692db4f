package spoken

import "strings"

// portuguese is read as in Brazil.
func portuguese() *voice {
	return &voice{
		code: "pt", perWord: "por", halves: "e meio|e meia", aHalf: "meio|meia",
		decimal: ",", groups: []string{".", "\u00a0", "\u202f"},
		genders: map[byte]string{'m': "masculine", 'f': "feminine"}, agree: portugueseAgree, part: portuguesePart,
		minus: "menos", plus: "mais", point: "ponto", to: "a", about: "cerca de", of: "de", score: "a", over: "sobre",
		half: parseNoun("m meio|meios"), third: parseNoun("m terço|terços"), quarter: parseNoun("m quarto|quartos"), and: "e",
		date: dateWords{
			months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
			short:  "jan=1 fev=2 mar=3 abr=4 mai=5 jun=6 jul=7 ago=8 set=9 out=10 nov=11 dez=12", of: "de", first: "primeiro",
		},
		clock: clockWords{
			letter: "h", form: "feminine", hour: parseNoun("f hora|horas"), and: "e", cut: "h horas min",
			second: parseNoun("m segundo|segundos"),
		},
		ordinals: ordinalWords{marks: `
			.º masculine
			.ª feminine
			º masculine
			° masculine
			ª feminine
			a feminine
			o masculine`},
		regnal: romanWords{queens: "Isabel Elizabeth Vitória Catarina Maria Elisabete", queen: "feminine", upTo: 10, form: "masculine", counted: "século séculos capítulo tomo volume parte ato cena título livro artigo seção fase nível tipo",
			century: "guerra=feminine Guerra=feminine edição=feminine",
			kings:   "Pedro João Manuel Afonso Henrique Carlos Filipe Luís Paulo Pio Bento Napoleão José Sebastião Dinis Sancho Jorge Eduardo"},
		units: portugueseUnits, far: "a t A B N W s h", currencies: portugueseMoney, address: "ponto|barra|dois pontos|arroba|hífen|sublinhado",
		thousand: "mil",
		magnitudes: `
			mi m milhão|milhões
			milhões m milhão|milhões
			milhão m milhão|milhões
			bi m bilhão|bilhões
			bilhões m bilhão|bilhões
			bilhão m bilhão|bilhões`,
		symbols: `
			& e
			@ arroba
			# número
			+ mais
			= igual a
			× vezes
			÷ dividido por
			± mais ou menos
			≠ diferente de
			< menor que
			> maior que
			§ parágrafo
			/ barra
			© copyright
			½ e`,
		abbrevs:  portugueseAbbreviations,
		closings: portugueseClosings,
		numbered: portugueseNumbered,
	}
}

const portugueseAbbreviations = `
	Sr. senhor
	Sra. senhora
	Srta. senhorita
	Srs. senhores
	Dr. doutor
	Dra. doutora
	D. dom
	Prof. professor
	Profa. professora
	Eng. engenheiro
	Gen. general
	Av. avenida
	R. rua
	Pça. praça
	Rod. rodovia
	Estr. estrada
	Al. alameda
	Exmo. excelentíssimo
	p._ex. por exemplo
	p.ex. por exemplo
	aprox. aproximadamente
	tel. telefone
	Tel. Telefone`

const portugueseClosings = `
	etc. et cetera
	Cia. companhia
	Ltda. limitada
	a.C. antes de Cristo
	d.C. depois de Cristo
	a._C. antes de Cristo
	d._C. depois de Cristo`

const portugueseNumbered = `
	apto. apartamento
	bl. bloco
	séc. século
	sécs. séculos
	km quilômetro
	pp. páginas
	pág. página
	págs. páginas
	p. página
	cap. capítulo
	n.º número
	nº número
	Nº número
	n° número
	art. artigo
	vol. volume
	fig. figura`

const portugueseUnits = `
	% m por cento|por cento
	‰ m por mil|por mil
	p.p. m ponto percentual|pontos percentuais
	col. f colher|colheres
	km m quilômetro|quilômetros
	m m metro|metros
	cm m centímetro|centímetros
	mm m milímetro|milímetros
	km/h m quilômetro por hora|quilômetros por hora
	m/s m metro por segundo|metros por segundo
	km²,km2 m quilômetro quadrado|quilômetros quadrados
	m²,m2 m metro quadrado|metros quadrados
	m³,m3 m metro cúbico|metros cúbicos
	ha m hectare|hectares
	kg m quilograma|quilogramas
	g m grama|gramas
	mg m miligrama|miligramas
	t f tonelada|toneladas
	l,L m litro|litros
	ml m mililitro|mililitros
	min m minuto|minutos
	s,seg m segundo|segundos
	°C,ºC,°_C m grau Celsius|graus Celsius
	°F m grau Fahrenheit|graus Fahrenheit
	° m grau|graus
	W m watt|watts
	kW m quilowatt|quilowatts
	kWh m quilowatt-hora|quilowatts-hora
	V m volt|volts
	A m ampere|amperes
	Hz m hertz|hertz
	MHz m mega-hertz|mega-hertz
	GHz m giga-hertz|giga-hertz
	MB m megabyte|megabytes
	GB m gigabyte|gigabytes
	TB m terabyte|terabytes`

const portugueseMoney = `
	M€ m milhão de euros|milhões de euros
	R$,BRL m real|reais / m centavo|centavos
	€,EUR m euro|euros / m centavo|centavos
	$,US$,USD m dólar|dólares / m centavo|centavos
	£,GBP f libra|libras / m pêni|pence
	¥,JPY m iene|ienes
	CNY m yuan|yuans / m fen|fens
	CHF m franco suíço|francos suíços / m centavo|centavos
	₹,INR f rupia|rupias / f paisa|paisas
	₽,RUB m rublo|rublos / m copeque|copeques
	zł,PLN m zloty|zlotys / m grosz|groszy
	₺,TRY f lira turca|liras turcas / m kurus|kurus
	₩,KRW m won|wons
	﷼,IRR m rial iraniano|riais iranianos
	SAR m rial saudita|riais sauditas / f halala|halalas
	AED m dirham|dirhams / m fils|fils
	Kč,CZK f coroa tcheca|coroas tchecas / m heller|hellers
	Ft,HUF m florim húngaro|florins húngaros / m fillér|fillérs
	₴,UAH f hryvnia|hryvnias / m copeque|copeques
	MXN m peso mexicano|pesos mexicanos / m centavo|centavos
	CA$,CAD m dólar canadense|dólares canadenses / m centavo|centavos
	AU$,A$,AUD m dólar australiano|dólares australianos / m centavo|centavos
	SEK f coroa sueca|coroas suecas / m öre|öre
	NOK f coroa norueguesa|coroas norueguesas / m öre|öre
	DKK f coroa dinamarquesa|coroas dinamarquesas / m öre|öre
	EGP f libra egípcia|libras egípcias / f piastra|piastras`

// portugueseResult reports whether the x after a number, before the one at a place,
// parts the goals of a game: nobody multiplies by nothing, and a word before tells of one.
func portugueseResult(s *scan, a amount, next int) bool {
	end := s.run(next, isDigit)
	if next != a.end+1 || len(a.whole) > 2 || end-next > 2 || !s.end(end) {
		return false
	}
	if a.whole == "0" || s.text[next:end] == "0" {
		return true
	}
	const most = 60 // bytes before it
	for word := range strings.FieldsSeq(strings.ToLower(s.text[max(0, a.start-most):a.start])) {
		if holds("placar venceu vence vencer venceram vitória perdeu perde perder perderam derrota derrotou empate empatou empatam empataram goleada goleou bateu", word) {
			return true
		}
	}
	return false
}

// portugueseAgree tells the gender of what is counted from its ending.
func portugueseAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || oneOf(before, "capítulo página número artigo grupo nível fase tomo versão volume parte tipo linha") ||
		oneOf(noun, "e o a de da das em na nas por para com sem que é mais menos até era") {
		return 0
	}
	feminine := endsIn(noun, "as ções sões dades mulheres vezes noites tardes partes mães cidades viagens colheres flores cores dores torres mãos ordens imagens páginas fases bases frases classes redes sedes aves chaves torres nuvens leis pazes luzes vozes cruzes raízes mentes gentes pontes fontes sementes correntes enchentes")
	if digits == "1" {
		feminine = endsIn(noun, "a ção são dade mulher vez noite tarde parte mãe viagem colher flor cor dor torre mão ordem imagem fase base frase classe rede sede ave chave nuvem lei luz voz cruz raiz mente ponte fonte semente corrente enchente")
	}
	if feminine && !oneOf(noun, "dias dia mapas mapa problemas problema sistemas sistema temas tema programas programa planetas planeta idiomas idioma gramas grama quilogramas") {
		return 'f'
	}
	return 0
}

// portuguesePart: um quinto, dois quintos; beyond ten one is said over the other.
func portuguesePart(n int, ordinal func(form string) string) noun {
	if n > 10 {
		return noun{}
	}
	return noun{'m', []string{ordinal("masculine"), ordinal("masculine") + "s"}}
}

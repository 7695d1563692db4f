package spoken

import (
	"strings"
)

// turkish: the percent sign stands in front, and endings after an apostrophe join
// the last word of a number, whose sound they follow already.
func turkish() *voice {
	return &voice{
		code: "tr", perWord: "bölü", halves: "buçuk|buçuk", aHalf: "yarım|yarım",
		decimal: ",", groups: []string{".", "\u00a0", "\u202f"},
		minus: "eksi", plus: "artı", point: "nokta", to: "ila", about: "yaklaşık", score: "", over: "bölü", percentAt: "yüzde",
		date: dateWords{
			months: "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık",
		},
		clock: clockWords{dots: true, words: "saat saati sabah akşam öğlen gece", zero: true, second: parseNoun("m saniye|saniye")},
		ordinals: ordinalWords{stop: turkishOrdinal, marks: `
			'inci -
			'ıncı -
			'uncu -
			'üncü -
			'nci -
			'ncı -
			’inci -
			’ıncı -
			’uncu -
			’üncü -
			’nci -
			’ncı -
			inci -
			ıncı -
			uncu -
			üncü -
			nci -
			ncı -`},
		regnal: romanWords{upTo: 99, kings: "Elizabeth Mehmet Mehmed Murat Abdülhamit", counted: "bölüm cilt",
			century: "yüzyıl= yüzyılda= yüzyılın= Dünya= Abdülhamid= Abdülhamit= Mehmed= Mehmet= Murad= Murat= Mahmud= Mahmut= Selim= Süleyman= Mustafa= Ahmed= Ahmet= Bayezid= Beyazıt= Osman= Elizabeth= Ramses= Louis= Henry= Charles= Napolyon= Katerina= Petro= Nikola= Wilhelm= James= George= Pius= Paul= Friedrich= Karl= Filip= Philippe= Abdülmecid= Alâeddin= Alaeddin= Keyhüsrev= Kılıç= Gıyaseddin= Justinianus= Theodosius= Konstantin= Darius= Aleksandr= Aleksandır= Leopold= Meşrutiyet= Viyana= dünya= dönem= bölüm="},
		units: turkishUnits, far: "a t A B N W s V", currencies: turkishMoney, address: "nokta|bölü|iki nokta|et|tire|alt tire",
		magnitudes: `
			bin m bin|bin
			milyon m milyon|milyon
			milyar m milyar|milyar
			trilyon m trilyon|trilyon`,
		symbols: `
			& ve
			@ et
			# numara
			+ artı
			= eşittir
			× çarpı
			÷ bölü
			± artı eksi
			≠ eşit değildir
			< küçüktür
			> büyüktür
			/ bölü
			½ tam`,
		abbrevs:  turkishAbbreviations,
		closings: turkishClosings,
		numbered: turkishNumbered,
	}
}

// turkishOf are denominators: of three, three parts.
var turkishOf = map[string]string{"2": "ikide", "3": "üçte", "4": "dörtte", "5": "beşte", "6": "altıda", "7": "yedide", "8": "sekizde", "9": "dokuzda", "10": "onda", "100": "yüzde", "1000": "binde"}

const turkishAbbreviations = `
	Dr. doktor
	Prof. profesör
	Doç. doçent
	Yrd. yardımcı
	Av. avukat
	Müh. mühendis
	Gen. general
	Sn. sayın
	Cad. caddesi
	Cd. caddesi
	Bulv. bulvarı
	Blv. bulvarı
	Sk. sokak
	Sok. sokak
	Mah. mahallesi
	Apt. apartmanı
	örn. örneğin
	Örn. Örneğin
	bkz. bakınız
	Bkz. Bakınız
	yy. yüzyıl
	tel. telefon
	Tel. Telefon
	M.Ö. milattan önce
	M.S. milattan sonra
	MÖ milattan önce
	MS milattan sonra
	T.C. Türkiye Cumhuriyeti
	Ltd. limitet
	Şti. şirketi
	A.Ş. anonim şirketi`

const turkishClosings = `
	vb. ve benzeri
	vs. vesaire
	vd. ve diğerleri`

const turkishNumbered = `
	No. numara
	No: numara
	no. numara
	s. sayfa
	sf. sayfa
	m. madde
	md. madde`

const turkishUnits = `
	% m yüzde|yüzde
	‰ m binde|binde
	km m kilometre|kilometre
	m m metre|metre
	cm m santimetre|santimetre
	mm m milimetre|milimetre
	km/s,km/sa,km/h h kilometre|kilometre
	m/s,m/sn s metre|metre
	km²,km2 m kilometrekare|kilometrekare
	m²,m2 m metrekare|metrekare
	m³,m3 m metreküp|metreküp
	ha m hektar|hektar
	kg m kilogram|kilogram
	g,gr m gram|gram
	mg m miligram|miligram
	t m ton|ton
	l,L,lt m litre|litre
	ml m mililitre|mililitre
	sa m saat|saat
	dk m dakika|dakika
	sn m saniye|saniye
	°C,°_C m santigrat derece|santigrat derece
	°F m fahrenhayt derece|fahrenhayt derece
	° m derece|derece
	W m vat|vat
	kW m kilovat|kilovat
	kWh m kilovatsaat|kilovatsaat
	V m volt|volt
	A m amper|amper
	Hz m hertz|hertz
	MHz m megahertz|megahertz
	GHz m gigahertz|gigahertz
	MB m megabayt|megabayt
	GB m gigabayt|gigabayt
	TB m terabayt|terabayt`

const turkishMoney = `
	₺,TL,TRY m lira|lira / m kuruş|kuruş
	€,EUR m avro|avro / m sent|sent
	$,US$,USD m dolar|dolar / m sent|sent
	£,GBP m sterlin|sterlin / m peni|peni
	¥,JPY m yen|yen
	CNY m yuan|yuan / m fen|fen
	CHF m İsviçre frangı|İsviçre frangı / m santim|santim
	₹,INR m rupi|rupi / m paisa|paisa
	₽,RUB m ruble|ruble / m kapik|kapik
	zł,PLN m zloti|zloti / m groş|groş
	₩,KRW m won|won
	﷼,IRR m İran riyali|İran riyali
	SAR m Suudi riyali|Suudi riyali / m halala|halala
	AED m dirhem|dirhem / m fils|fils
	Kč,CZK m Çek korunası|Çek korunası / m haler|haler
	Ft,HUF m forint|forint / m filler|filler
	₴,UAH m grivna|grivna / m kopek|kopek
	R$,BRL m real|real / m centavo|centavo
	MXN m Meksika pesosu|Meksika pesosu / m centavo|centavo
	CA$,CAD m Kanada doları|Kanada doları / m sent|sent
	AU$,A$,AUD m Avustralya doları|Avustralya doları / m sent|sent
	SEK m İsveç kronu|İsveç kronu / m öre|öre
	NOK m Norveç kronu|Norveç kronu / m öre|öre
	DKK m Danimarka kronu|Danimarka kronu / m öre|öre
	EGP m Mısır lirası|Mısır lirası / m kuruş|kuruş`

// turkishOrdinal: the verb ends a Turkish sentence, so that a number with a full
// stop before another word is an ordinal.
func turkishOrdinal(before, earlier, next string) (form string, ok bool) {
	return "", !oneOf(strings.ToLower(before), "no numara sayfa yıl saat madde sayısı")
}

package spoken

import (
	"strings"
	"sync"
)

// The words of English. Facts of the language, listed by hand.

var enMonths = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// enMonthShort are the abbreviations of months, with or without a full stop.
var enMonthShort = map[string]int{"Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Sept": 9, "Oct": 10, "Nov": 11, "Dec": 12}

var enMonthOf = func() map[string]int {
	m := map[string]int{}
	for i, name := range enMonths {
		m[name] = i + 1
	}
	return m
}()

// unit is a measure or a currency: what one of it is called, and several.
type unit struct{ one, many string }

// enUnits stand after a number, with or without a space.
var enUnits = map[string]unit{
	"mm": {"millimeter", "millimeters"}, "cm": {"centimeter", "centimeters"}, "m": {"meter", "meters"}, "km": {"kilometer", "kilometers"},
	"in": {"inch", "inches"}, "ft": {"foot", "feet"}, "yd": {"yard", "yards"}, "yds": {"yard", "yards"}, "mi": {"mile", "miles"},
	"mg": {"milligram", "milligrams"}, "g": {"gram", "grams"}, "sq. ft": {"square foot", "square feet"}, "sq. mi": {"square mile", "square miles"}, "sq. m": {"square meter", "square meters"}, "cu. ft": {"cubic foot", "cubic feet"}, "kg": {"kilogram", "kilograms"}, "kms": {"kilometer", "kilometers"}, "sq. km": {"square kilometer", "square kilometers"}, "kgs": {"kilogram", "kilograms"}, "lb": {"pound", "pounds"}, "lbs": {"pound", "pounds"},
	"oz": {"ounce", "ounces"}, "t": {"ton", "tons"}, "ml": {"milliliter", "milliliters"}, "mL": {"milliliter", "milliliters"}, "cl": {"centiliter", "centiliters"},
	"l": {"liter", "liters"}, "L": {"liter", "liters"}, "gal": {"gallon", "gallons"}, "pt": {"pint", "pints"}, "qt": {"quart", "quarts"}, "tsp": {"teaspoon", "teaspoons"}, "tbsp": {"tablespoon", "tablespoons"},
	"ms": {"millisecond", "milliseconds"}, "sec": {"second", "seconds"}, "secs": {"second", "seconds"}, "s": {"second", "seconds"}, "min": {"minute", "minutes"}, "mins": {"minute", "minutes"},
	"h": {"hour", "hours"}, "hr": {"hour", "hours"}, "hrs": {"hour", "hours"}, "wk": {"week", "weeks"}, "yr": {"year", "years"}, "yrs": {"year", "years"},
	"Hz": {"hertz", "hertz"}, "kHz": {"kilohertz", "kilohertz"}, "MHz": {"megahertz", "megahertz"}, "GHz": {"gigahertz", "gigahertz"},
	"W": {"watt", "watts"}, "kW": {"kilowatt", "kilowatts"}, "MW": {"megawatt", "megawatts"}, "GW": {"gigawatt", "gigawatts"}, "kWh": {"kilowatt hour", "kilowatt hours"},
	"V": {"volt", "volts"}, "kV": {"kilovolt", "kilovolts"}, "A": {"amp", "amps"}, "mA": {"milliamp", "milliamps"}, "mAh": {"milliamp hour", "milliamp hours"},
	"dB": {"decibel", "decibels"}, "N": {"newton", "newtons"}, "J": {"joule", "joules"}, "kJ": {"kilojoule", "kilojoules"}, "cal": {"calorie", "calories"}, "kcal": {"kilocalorie", "kilocalories"},
	"Pa": {"pascal", "pascals"}, "kPa": {"kilopascal", "kilopascals"}, "hPa": {"hectopascal", "hectopascals"}, "psi": {"P S I", "P S I"}, "rpm": {"R P M", "R P M"}, "bpm": {"beats per minute", "beats per minute"},
	"kB": {"kilobyte", "kilobytes"}, "KB": {"kilobyte", "kilobytes"}, "MB": {"megabyte", "megabytes"}, "GB": {"gigabyte", "gigabytes"}, "TB": {"terabyte", "terabytes"},
	"kbps": {"kilobits per second", "kilobits per second"}, "Mbps": {"megabits per second", "megabits per second"}, "Gbps": {"gigabits per second", "gigabits per second"}, "fps": {"frames per second", "frames per second"}, "dpi": {"D P I", "D P I"},
	"mph": {"mile per hour", "miles per hour"}, "kph": {"kilometer per hour", "kilometers per hour"}, "kmh": {"kilometer per hour", "kilometers per hour"}, "mpg": {"mile per gallon", "miles per gallon"}, "kn": {"knot", "knots"},
	"ha": {"hectare", "hectares"}, "ac": {"acre", "acres"}, "µm": {"micrometer", "micrometers"}, "μm": {"micrometer", "micrometers"}, "nm": {"nanometer", "nanometers"}, "µg": {"microgram", "micrograms"}, "μg": {"microgram", "micrograms"},
	"m²": {"square meter", "square meters"}, "km²": {"square kilometer", "square kilometers"}, "cm²": {"square centimeter", "square centimeters"}, "ft²": {"square foot", "square feet"}, "m³": {"cubic meter", "cubic meters"}, "cm³": {"cubic centimeter", "cubic centimeters"},
	"m2": {"square meter", "square meters"}, "km2": {"square kilometer", "square kilometers"}, "m3": {"cubic meter", "cubic meters"},
	"°": {"degree", "degrees"}, "°C": {"degree Celsius", "degrees Celsius"}, "°F": {"degree Fahrenheit", "degrees Fahrenheit"}, "° C": {"degree Celsius", "degrees Celsius"}, "° F": {"degree Fahrenheit", "degrees Fahrenheit"},
	"sq ft": {"square foot", "square feet"}, "sq mi": {"square mile", "square miles"}, "sq m": {"square meter", "square meters"}, "sq km": {"square kilometer", "square kilometers"}, "cu ft": {"cubic foot", "cubic feet"},
	"hp": {"horsepower", "horsepower"}, "mmHg": {"millimeter of mercury", "millimeters of mercury"}, "inHg": {"inch of mercury", "inches of mercury"}, "dl": {"deciliter", "deciliters"}, "dL": {"deciliter", "deciliters"}, "µL": {"microliter", "microliters"}, "μL": {"microliter", "microliters"},
	"µs": {"microsecond", "microseconds"}, "μs": {"microsecond", "microseconds"}, "ns": {"nanosecond", "nanoseconds"}, "mol": {"mole", "moles"}, "mmol": {"millimole", "millimoles"}, "ppm": {"part per million", "parts per million"}, "ppb": {"part per billion", "parts per billion"},
	"eV": {"electron volt", "electron volts"}, "keV": {"kiloelectron volt", "kiloelectron volts"}, "MeV": {"megaelectron volt", "megaelectron volts"}, "GeV": {"gigaelectron volt", "gigaelectron volts"}, "TeV": {"teraelectron volt", "teraelectron volts"},
	"mV": {"millivolt", "millivolts"}, "mW": {"milliwatt", "milliwatts"}, "TW": {"terawatt", "terawatts"}, "Wh": {"watt hour", "watt hours"}, "MWh": {"megawatt hour", "megawatt hours"}, "GWh": {"gigawatt hour", "gigawatt hours"}, "TWh": {"terawatt hour", "terawatt hours"}, "Ah": {"amp hour", "amp hours"},
	"MJ": {"megajoule", "megajoules"}, "kN": {"kilonewton", "kilonewtons"}, "MPa": {"megapascal", "megapascals"}, "mSv": {"millisievert", "millisieverts"}, "PB": {"petabyte", "petabytes"}, "BTU": {"B T U", "B T U's"}, "bbl": {"barrel", "barrels"}, "ozs": {"ounce", "ounces"}, "gals": {"gallon", "gallons"},
	"ft2": {"square foot", "square feet"}, "ft³": {"cubic foot", "cubic feet"}, "in²": {"square inch", "square inches"}, "in³": {"cubic inch", "cubic inches"}, "mi²": {"square mile", "square miles"}, "mm²": {"square millimeter", "square millimeters"}, "km³": {"cubic kilometer", "cubic kilometers"}, "sq in": {"square inch", "square inches"}, "sq. in": {"square inch", "square inches"}, "sq yd": {"square yard", "square yards"},
	"wks": {"week", "weeks"}, "mos": {"month", "months"}, "tsps": {"teaspoon", "teaspoons"}, "tbsps": {"tablespoon", "tablespoons"}, "tbs": {"tablespoon", "tablespoons"}, "Tbsp": {"tablespoon", "tablespoons"}, "pts": {"pint", "pints"}, "qts": {"quart", "quarts"},
	"fl oz": {"fluid ounce", "fluid ounces"}, "fl. oz": {"fluid ounce", "fluid ounces"}, "Ω": {"ohm", "ohms"}, "″": {"inch", "inches"}, "′": {"foot", "feet"},
}

// enUnitsNear are too short or too common as words to be a measure after a
// space: "3 in the morning", "5 A students".
var enUnitsNear = map[string]bool{"in": true, "A": true, "a": true, "t": true, "N": true, "J": true, "s": true, "ac": true, "pt": true, "pts": true, "mos": true, "V": true, "W": true, "L": true, "l": true}

// enCurrencies are the signs and codes of money, with their hundredths.
var enCurrencies = map[string][2]unit{
	"$": {{"dollar", "dollars"}, {"cent", "cents"}}, "US$": {{"dollar", "dollars"}, {"cent", "cents"}}, "C$": {{"Canadian dollar", "Canadian dollars"}, {"cent", "cents"}}, "A$": {{"Australian dollar", "Australian dollars"}, {"cent", "cents"}},
	"CA$": {{"Canadian dollar", "Canadian dollars"}, {"cent", "cents"}}, "AU$": {{"Australian dollar", "Australian dollars"}, {"cent", "cents"}}, "HK$": {{"Hong Kong dollar", "Hong Kong dollars"}, {"cent", "cents"}}, "NZ$": {{"New Zealand dollar", "New Zealand dollars"}, {"cent", "cents"}},
	"S$": {{"Singapore dollar", "Singapore dollars"}, {"cent", "cents"}}, "R$": {{"real", "reais"}, {"centavo", "centavos"}}, "Rs.": {{"rupee", "rupees"}, {"paisa", "paise"}}, "Rs": {{"rupee", "rupees"}, {"paisa", "paise"}},
	"£": {{"pound", "pounds"}, {"penny", "pence"}}, "€": {{"euro", "euros"}, {"cent", "cents"}}, "¥": {{"yen", "yen"}, {"sen", "sen"}}, "₹": {{"rupee", "rupees"}, {"paisa", "paise"}},
	"₽": {{"ruble", "rubles"}, {"kopeck", "kopecks"}}, "₩": {{"won", "won"}, {"jeon", "jeon"}}, "₺": {{"lira", "liras"}, {"kurus", "kurus"}}, "﷼": {{"rial", "rials"}, {"dinar", "dinars"}}, "₪": {{"shekel", "shekels"}, {"agora", "agorot"}},
	"USD": {{"U S dollar", "U S dollars"}, {"cent", "cents"}}, "EUR": {{"euro", "euros"}, {"cent", "cents"}}, "GBP": {{"pound", "pounds"}, {"penny", "pence"}}, "JPY": {{"yen", "yen"}, {"sen", "sen"}}, "CHF": {{"Swiss franc", "Swiss francs"}, {"centime", "centimes"}},
	"CAD": {{"Canadian dollar", "Canadian dollars"}, {"cent", "cents"}}, "AUD": {{"Australian dollar", "Australian dollars"}, {"cent", "cents"}}, "INR": {{"rupee", "rupees"}, {"paisa", "paise"}}, "CNY": {{"yuan", "yuan"}, {"fen", "fen"}}, "IRR": {{"rial", "rials"}, {"dinar", "dinars"}},
	"RUB": {{"ruble", "rubles"}, {"kopeck", "kopecks"}}, "PLN": {{"zloty", "zlotys"}, {"grosz", "groszy"}}, "zł": {{"zloty", "zlotys"}, {"grosz", "groszy"}}, "TRY": {{"Turkish lira", "Turkish liras"}, {"kurus", "kurus"}}, "KRW": {{"won", "won"}, {"jeon", "jeon"}},
	"SAR": {{"Saudi riyal", "Saudi riyals"}, {"halala", "halalas"}}, "AED": {{"dirham", "dirhams"}, {"fils", "fils"}}, "EGP": {{"Egyptian pound", "Egyptian pounds"}, {"piaster", "piasters"}}, "HUF": {{"forint", "forints"}, {"filler", "fillers"}},
	"CZK": {{"Czech koruna", "Czech korunas"}, {"haler", "halers"}}, "Kč": {{"Czech koruna", "Czech korunas"}, {"haler", "halers"}}, "UAH": {{"hryvnia", "hryvnias"}, {"kopiyka", "kopiykas"}}, "₴": {{"hryvnia", "hryvnias"}, {"kopiyka", "kopiykas"}},
	"BRL": {{"real", "reais"}, {"centavo", "centavos"}}, "MXN": {{"Mexican peso", "Mexican pesos"}, {"centavo", "centavos"}},
	"SEK": {{"Swedish krona", "Swedish kronor"}, {"ore", "ore"}}, "NOK": {{"Norwegian krone", "Norwegian kroner"}, {"ore", "ore"}}, "DKK": {{"Danish krone", "Danish kroner"}, {"ore", "ore"}},
}

// enMagnitudes are what may stand after an amount of money.
var enMagnitudes = map[string]string{"hundred": "hundred", "thousand": "thousand", "million": "million", "billion": "billion", "trillion": "trillion", "k": "thousand", "K": "thousand", "m": "million", "M": "million", "mn": "million", "mm": "million", "MM": "million", "bn": "billion", "b": "billion", "B": "billion", "tn": "trillion", "T": "trillion"}

// enTitles stand before a name and lose their full stop.
var enTitles = map[string]string{
	"Mr": "Mister", "Mrs": "Missus", "Ms": "Miz", "Messrs": "Messieurs", "Dr": "Doctor", "Drs": "Doctors", "Prof": "Professor", "Rev": "Reverend", "Hon": "Honorable", "Fr": "Father",
	"Gen": "General", "Col": "Colonel", "Maj": "Major", "Capt": "Captain", "Lt": "Lieutenant", "Sgt": "Sergeant", "Cpl": "Corporal", "Pvt": "Private", "Cmdr": "Commander", "Adm": "Admiral", "Cpt": "Captain",
	"Gov": "Governor", "Sen": "Senator", "Rep": "Representative", "Pres": "President", "Sec": "Secretary", "Supt": "Superintendent", "Insp": "Inspector", "Det": "Detective", "Ald": "Alderman", "Mt": "Mount", "Ft": "Fort", "St": "Saint", "Sts": "Saints", "Brig": "Brigadier", "Comdr": "Commander", "Atty": "Attorney", "Msgr": "Monsignor", "Gens": "Generals", "Sens": "Senators", "Reps": "Representatives", "Profs": "Professors",
}

// enAbbreviations lose their full stop, but one that ends the sentence.
var enAbbreviations = map[string]string{
	"Jr": "Junior", "Sr": "Senior", "Esq": "Esquire", "Inc": "Incorporated", "Ltd": "Limited", "Co": "Company", "Corp": "Corporation", "Bros": "Brothers", "Dept": "Department", "Univ": "University", "Assn": "Association", "Govt": "Government",
	"Ave": "Avenue", "Av": "Avenue", "Blvd": "Boulevard", "Rd": "Road", "Ln": "Lane", "Sq": "Square", "Hwy": "Highway", "Pkwy": "Parkway", "Apt": "Apartment", "Ste": "Suite", "Bldg": "Building", "Pl": "Place", "Ct": "Court", "Ter": "Terrace",
	"vs": "versus", "etc": "et cetera", "approx": "approximately", "Approx": "Approximately", "est": "established", "misc": "miscellaneous", "al": "al", "incl": "including", "max": "maximum", "min": "minimum", "avg": "average", "dept": "department", "viz": "namely", "cf": "compare", "ca": "circa",
	"Mon": "Monday", "Tue": "Tuesday", "Tues": "Tuesday", "Wed": "Wednesday", "Thu": "Thursday", "Thur": "Thursday", "Thurs": "Thursday", "Fri": "Friday", "Sat": "Saturday", "Sun": "Sunday",
	"Mass": "Massachusetts", "Conn": "Connecticut", "Penn": "Pennsylvania", "Calif": "California", "Fla": "Florida", "Tenn": "Tennessee", "Ala": "Alabama", "Ariz": "Arizona", "Colo": "Colorado", "Mich": "Michigan", "Minn": "Minnesota", "Wis": "Wisconsin",
	"prof": "professor", "asst": "assistant", "attn": "attention", "mgr": "manager", "intl": "international", "natl": "national", "bldg": "building", "dist": "district", "temp": "temperature", "lbs": "pounds", "oz": "ounces", "hrs": "hours", "yrs": "years", "mins": "minutes", "tsp": "teaspoon", "tbsp": "tablespoon",
	"Asst": "Assistant", "Div": "Division", "Dist": "District", "Mfg": "Manufacturing", "Natl": "National", "Intl": "International",
	"tel": "telephone", "Tel": "Telephone", "ext": "extension", "Ext": "Extension", "govt": "government", "assn": "association",
}

// enNumbered stand before a number only.
var enNumbered = map[string]string{"No": "Number", "no": "number", "Nos": "Numbers", "nos": "numbers", "p": "page", "pp": "pages", "P": "Page", "vol": "volume", "Vol": "Volume", "vols": "volumes", "ch": "chapter", "Ch": "Chapter", "chap": "chapter", "Chap": "Chapter",
	"fig": "figure", "Fig": "Figure", "figs": "figures", "Figs": "Figures", "sec": "section", "Sec": "Section", "art": "article", "Art": "Article", "eq": "equation", "b": "born", "d": "died", "r": "reigned", "fl": "flourished", "Eq": "Equation", "c": "circa", "ca": "circa", "Rte": "Route", "Rt": "Route", "Matt": "Matthew", "Ps": "Psalm"}

// enDotted have full stops inside.
var enDotted = map[string]string{"e.g.": "for example", "i.e.": "that is", "a.k.a.": "also known as", "a.m.": "a m", "p.m.": "p m", "A.M.": "A M", "P.M.": "P M", "Ph.D.": "P H D", "M.D.": "M D", "B.A.": "B A", "M.A.": "M A", "B.Sc.": "B S C", "M.Sc.": "M S C",
	"U.S.": "U S", "U.K.": "U K", "U.S.A.": "U S A", "U.N.": "U N", "D.C.": "D C", "A.D.": "A D", "B.C.": "B C", "B.C.E.": "B C E", "C.E.": "C E", "L.A.": "L A", "N.Y.": "N Y", "R.S.V.P.": "R S V P", "P.S.": "P S", "P.O.": "P O", "c.f.": "compare", "R.I.P.": "R I P"}

// enSpelled are capitals that look like a word and are spelled, and with false
// those that do not and are read as one.
var enSpelled = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for word := range strings.FieldsSeq("AAA AC AD AFP AI AIS AM API APR ASL AST ATM BAC BCE BIA BSE CE CEO CEST CET CFO CIA CIO COO CPA CPI CPU CRA CTO DEA DNA DOA DOB DOE DOT EEG EEST EET EPA ER ESA ESL ESPN EST ETA EVA FAA FIR FOI GAO GDP GOP GPA GUI " +
		"HOA HR IAEA ICU ID IDE IED IEEE ILO IMF IOC IOU IP IPO IQ IRA IRS ISO ISS IST ITN IUD LA MBA MIA MIT MMA MRI NEA NES NHS NPR NRA NSA NYU ODI OED OPM OS OSU PA PC POW PPE PR PSA PUC PUK RIA ROI RPI RSI SAC SAS SAT SEC SEO " +
		"SOE SOS STI SUV TA UAE UAV UCLA UFO UI UN UPS URL USA USAF USB USC USDA USMC USO USSR UTI VIP VOA WHO") {
		m[word] = true
	}
	for word := range strings.FieldsSeq("IT JPEG MPEG HVAC CZAR TSAR PSALM HMM HM SHH SH PSST BRR TSK PFFT") {
		m[word] = false
	}
	return m
})

// enCounted stand before a Roman numeral that counts; after any other name it is
// an ordinal.
var enCounted = map[string]bool{"Chapter": true, "Part": true, "Volume": true, "Vol": true, "Book": true, "Act": true, "Scene": true, "Section": true, "Figure": true, "War": true, "Article": true, "Appendix": true, "Type": true, "Phase": true, "Stage": true, "Class": true,
	"Level": true, "Title": true, "Grade": true, "Unit": true, "Table": true, "Psalm": true, "Round": true, "Episode": true, "Bowl": true, "Rocky": true, "Apollo": true, "Division": true, "Series": true, "Season": true, "Canto": true, "Plate": true, "Lesson": true, "Step": true, "Schedule": true, "Category": true, "Mark": true, "Final": true, "Fantasy": true, "Olympiad": true,
	"chapter": true, "part": true, "volume": true, "book": true, "act": true, "scene": true, "section": true, "figure": true, "article": true, "type": true, "phase": true, "stage": true, "class": true, "level": true, "grade": true, "table": true}

// enFractions are the denominators that have a name of their own.
var enFractions = map[string]unit{"2": {"half", "halves"}, "4": {"quarter", "quarters"}}

// enSymbols are said wherever they stand.
var enSymbols = map[rune]string{'&': "and", '@': "at", '%': "percent", '‰': "per mille", '+': "plus", '=': "equals", '×': "times", '÷': "divided by", '±': "plus or minus", '≈': "about", '≠': "is not equal to", '≤': "less than or equal to", '≥': "greater than or equal to", '<': "less than", '>': "greater than", '°': "degrees", '√': "square root of", '∞': "infinity", '→': "to", '©': "copyright", '®': "registered", '™': "trademark", '§': "section", '¶': "paragraph", '²': "squared", '³': "cubed", '€': "euro", '£': "pound", '$': "dollar", '¥': "yen", '¢': "cents", '₹': "rupee"}

package textnorm

import "voxpack/textnorm/spoken"

// SpeakCurrency says an amount of the currency of an ISO code in the words of a
// language, as its rules read a price: "12.50" of EUR is "twelve euros and fifty
// cents". An amount is an exact decimal string as package numbers takes it. It is
// false where the language has no words for the code or for the amount.
func SpeakCurrency(language, amount, code string) (string, bool) {
	r, ok := currencyReader(language)
	if !ok {
		return "", false
	}
	return r.Currency(amount, code)
}

// Currencies lists the codes that SpeakCurrency has words for in a language.
func Currencies(language string) []string {
	r, ok := currencyReader(language)
	if !ok {
		return nil
	}
	return r.Currencies()
}

func currencyReader(tag string) (*spoken.Reader, bool) {
	code, ok := ParseLanguage(tag)
	if !ok {
		return nil, false
	}
	return spoken.New(code)
}

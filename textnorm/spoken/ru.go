package spoken

import (
	"strings"

	"voxpack/textnorm/numbers"
)

// russian: days and years are ordinals in the case that the words beside them ask
// for; endings after a hyphen tell that of other ordinals.
func russian() *voice {
	return &voice{
		code: "ru", decimal: ",", groups: []string{" ", "\u00a0", "\u202f", "."}, slavic: true, gendered: true,
		agree: russianAgree, part: russianPart, compounds: russianCompound,
		date:   dateWords{kind: numbers.Ordinal},
		clock:  clockWords{dots: true, zero: true},
		regnal: romanWords{upTo: 99},
	}
}

// russianAgree: one and two have a gender, which the ending of the noun shows.
func russianAgree(digits, before, noun string) byte {
	if strings.ToLower(noun) != noun || len(noun) < 6 || oneOf(noun, "или для это при под над без через была было были") ||
		oneOf(before, "глава страница номер статья группа уровень том версия часть тип линия") {
		return 0
	}
	teens := len(digits) > 1 && digits[len(digits)-2] == '1'
	switch {
	case teens:
		return 0
	case strings.HasSuffix(digits, "1"):
		switch {
		case endsIn(noun, "ая яя а я ость") && !oneOf(noun, "мужчина дядя"):
			return 'f'
		case endsIn(noun, "ое ее о е"):
			return 'n'
		}
	case strings.HasSuffix(digits, "2"):
		if endsIn(noun, "ы и ые") {
			return 'f'
		}
	}
	return 0
}

// russianPart: одна пятая, две пятых, пять седьмых.
func russianPart(_ int, ordinal func(form string) string) noun {
	many := ordinal("plural-genitive")
	return noun{'f', []string{ordinal("feminine"), many, many, many}}
}

// russianCompound: двадцатилетний; ninety and a hundred have their nominative there.
func russianCompound(genitive string) string {
	return strings.NewReplacer(" ", "", "девяноста", "девяносто", "ста", "сто").Replace(genitive)
}

package spoken

import (
	"strings"
)

// turkish: the percent sign stands in front, and endings after an apostrophe join
// the last word of a number, whose sound they follow already.
func turkish() *voice {
	return &voice{
		code: "tr", decimal: ",", groups: []string{".", "\u00a0", "\u202f"},
		clock:    clockWords{dots: true, zero: true},
		ordinals: ordinalWords{stop: turkishOrdinal},
		regnal:   romanWords{upTo: 99},
	}
}

// turkishOrdinal: the verb ends a Turkish sentence, so that a number with a full
// stop before another word is an ordinal.
func turkishOrdinal(before, earlier, next string) (form string, ok bool) {
	return "", !oneOf(strings.ToLower(before), "no numara sayfa yıl saat madde sayısı")
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

var (
	enThings  = strings.Fields("lantern captain orchard message workshop miller singer rumour record parcel market church alley atlas folio lecture clerk village office lawyer archive museum castle climate meadow canal harvest voyage problem reply theory custom pupil teacher concert actor pantry jetty railroad hamlet hillside council session budget treaty motor")
	enKinds   = strings.Fields("weary fresh former recent broad little several leading entire hidden open silent cautious distant plain usual curious earnest various slender lovely tricky vital alike late early")
	enDid     = strings.Fields("studied drew told took began ended removed restored weighed chased found printed obtained arranged readied offered gauged noticed finished repaired raised toured doubted")
	enBeside  = strings.Fields("in of from with near under before after during against beyond through within")
	enSurely  = strings.Fields("however therefore meanwhile afterwards perhaps indeed surely nevertheless accordingly usually")
	enPeople  = strings.Fields("Ashdown Mercer Whitlock Fenwick Harlow Vienna Lisbon Boston Coventry Hudson Thornton Bristol Marlowe")
	enTitles  = strings.Fields("Mr. Mrs. Dr. Capt. Col. Gen. Rev. Lt. Sgt. St.")
	enEndings = []string{"th", "st", "nd", "rd"}
)

// englishClause: about half of the clauses have something to read, so that 63 %
// of the lines have.
func englishClause(rng *rand.Rand, throw float64) string {
	thing := pick(rng, enThings)
	plain := fmt.Sprintf("the %s %s %s the %s %s the %s %s", pick(rng, enKinds), thing, pick(rng, enDid), pick(rng, enThings), pick(rng, enBeside), pick(rng, enKinds), pick(rng, enThings))
	switch {
	case throw < 0.45:
		return plain
	case throw < 0.57:
		return plain + " in " + strconv.Itoa(1400+rng.IntN(600))
	case throw < 0.67:
		upTo := []int{98, 9_900, 990_000}[rng.IntN(3)]
		return fmt.Sprintf("there were %s %ss %s the %s", grouped(2+rng.IntN(upTo)), pick(rng, enThings), pick(rng, enBeside), thing)
	case throw < 0.75:
		return fmt.Sprintf("%s %s %s the %s", pick(rng, enTitles), pick(rng, enPeople), pick(rng, enDid), thing)
	case throw < 0.83:
		cents := ""
		if rng.IntN(2) == 0 {
			cents = fmt.Sprintf(".%02d", 2+rng.IntN(98))
		}
		return fmt.Sprintf("the %s cost $%s%s", thing, grouped(2+rng.IntN(9_998)), cents)
	case throw < 0.90:
		day := 1 + rng.IntN(99)
		return fmt.Sprintf("on the %d%s of the month %s", day, enEnding(day), plain)
	case throw < 0.95:
		return fmt.Sprintf("nearly %d.%d percent of the %ss remained", rng.IntN(100), 1+rng.IntN(9), thing)
	}
	return pick(rng, enSurely) + ", " + plain
}

// enEnding is the ending of an ordinal.
func enEnding(n int) string {
	if n%100/10 == 1 || n%10 > 3 {
		return enEndings[0]
	}
	return enEndings[n%10]
}

// grouped writes commas between groups of three digits.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

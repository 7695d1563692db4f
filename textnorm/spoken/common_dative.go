package spoken

import "strings"

// dativeOf is the plural of a noun as it stands where the word before s.at asks for the
// dative, as far as the tables tell its ending: mit 52 Punkten.
func (v *voice) dativeOf(s *scan, noun string) string {
	if v.dativeEnds == "" || !holds(v.dativeAfter, strings.ToLower(v.before(s))) {
		return noun
	}
	ends := strings.Fields(v.dativeEnds)
	for i := 0; i+1 < len(ends); i += 2 {
		if stem, ok := strings.CutSuffix(noun, ends[i]); ok {
			return stem + ends[i+1]
		}
	}
	return noun
}

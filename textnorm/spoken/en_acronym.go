package spoken

import "strings"

func enAcronym(s *scan) bool {
	end := s.run(s.at, isUpper)
	word := s.text[s.at:end]
	plural := ""
	if end < len(s.text) && s.text[end] == 's' && s.end(end+1) {
		plural = "s"
	} else if !s.end(end) {
		return false
	}
	if end+1 < len(s.text) && s.text[end] == '-' && isDigit(s.text[end+1]) && len(word) <= 3 && plural == "" { // I-95, F-16
		if digits := s.run(end+1, isDigit); s.end(digits) {
			for i := range len(word) {
				s.say(word[i : i+1])
			}
			s.at = digits
			return s.plainDigits(s.text[end+1 : digits])
		}
	}
	if name := enStates[word]; name != "" && s.run(end+1, isDigit) == end+6 && s.text[end] == ' ' && s.end(end+6) {
		s.say(name)
		s.at = end
		return true
	}
	if point := enPoints[word]; point != "" && s.peek(1) == '.' && s.behindNumber() {
		s.say(point)
		s.at = end + 1
		return true
	}
	and := end < len(s.text) && s.text[end] == '&' || s.at > 0 && s.text[s.at-1] == '&'
	if len(word) < 2 && !and || len(word) > 6 {
		return false
	}
	spelled, known := enSpelled[word]
	if and && len(word) <= 3 {
		spelled, known = true, true
	}
	if !known {
		spelled = !strings.ContainsAny(word, "AEIOUY") && !s.shouted()
	}
	if !spelled {
		return false
	}
	for i := range len(word) {
		s.say(word[i : i+1])
	}
	if plural != "" {
		s.out = append(s.out, "s"...)
	}
	s.at = end + len(plural)
	return true
}

// behindNumber reports whether the word before is a number, as of a house.
func (s *scan) behindNumber() bool {
	w := s.before()
	return w != "" && isDigit(w[0])
}

// enPoints are the points of the compass in addresses.
var enPoints = map[string]string{"N": "North", "S": "South", "E": "East", "W": "West", "NE": "Northeast", "NW": "Northwest", "SE": "Southeast", "SW": "Southwest"}

// enStates are the codes of the states, said in full before a ZIP code.
var enStates = map[string]string{"AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina", "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming", "DC": "D C"}

// shouted reports whether the text has no small letters, so that capitals mean nothing.
func (s *scan) shouted() bool {
	return !strings.ContainsFunc(s.text, func(r rune) bool { return r >= 'a' && r <= 'z' }) && strings.Contains(s.text, " ")
}

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
			return s.paired(s.text[end+1 : digits])
		}
	}
	if war := enTables().wars[word]; war != "" && plural == "" {
		s.say(war)
		s.at = end
		return true
	}
	if name := enTables().states[word]; name != "" && s.state(word, end) {
		s.say(name)
		s.at = end
		return true
	}
	if point := enTables().points[word]; point != "" && s.peek(1) == '.' && (s.behindNumber() || s.peek(2) == ' ' && (isDigit(s.peek(3)) || s.street(s.at+2))) {
		s.say(point)
		s.at = end + 1
		return true
	}
	and := end < len(s.text) && s.text[end] == '&' || s.at > 0 && s.text[s.at-1] == '&'
	if len(word) < 2 && !and || len(word) > 6 {
		return false
	}
	spelled, known := enTables().spelled[word]
	if and && len(word) <= 3 {
		spelled, known = true, true
	}
	if !known {
		spelled = !enSayable(word) && !s.shouted()
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
	if s.at = end + len(plural); s.peek(0) == '/' && isDigit(s.peek(1)) { // HTTP/2
		s.say("slash")
		s.out = append(s.out, ' ')
		s.at++
	}
	return true
}

// enSayable reports whether capitals could be a word of English: what begins or
// ends as no word does is spelled, as is what has no vowel or nothing else.
func enSayable(word string) bool {
	const vowels = "AEIOUY"
	if len(word) == 2 {
		return enPairs.has(word)
	}
	first, last := strings.IndexAny(word, vowels), strings.LastIndexAny(word, vowels)
	if first < 0 || strings.Trim(word, "AEIOU") == "" || strings.HasPrefix(word, "AA") || strings.HasPrefix(word, "II") || strings.HasPrefix(word, "UU") {
		return false
	}
	onset, coda := word[:first], word[last+1:]
	if onset == "Q" && word[first] != 'U' {
		return false
	}
	if len(onset) > 1 && !enOnsets.has(onset) {
		return false
	}
	if enCodas.has(coda) || len(word) > 4 {
		return true
	}
	return len(coda) == 1 && coda != "J" && coda != "Q" && coda != "V" || len(coda) == 0 || len(coda) > 2 && coda[len(coda)-1] == 'S' && enCodas.has(coda[:len(coda)-1])
}

// enPairs are the words of two letters that may be written in capitals.
var enPairs = wordSet("AH AM AN AS AT BE BY DO EH ER GO HA HE HI HO IF IN IS IT LO MA ME MY NO OF OH ON OR OX OW PA SO TO UM UP WE YE YO")

// enOnsets and enCodas are the clusters with which words begin and end.
var (
	enOnsets = wordSet("BL BR CH CL CR CZ DR DW FL FR GH GL GN GR GU JH KH KL KN KR PH PL PR PS QU RH SC SCH SCR SH SHR SK SL SM SN SP SPH SPL SPR SQ SQU ST STR SV SW TH THR TR TS TW VL WH WR ZH")
	enCodas  = wordSet("BB BS CH CK CKS CS CT DD DS DTH FF FS FT FTH GG GH GHT GHTS GM GN GS HM HN KS LB LC LCH LD LF LFTH LK LL LM LN LP LPH LS LSH LT LTH LTZ LVE MB MN MP MPH MPT MS NC NCH NCT ND NG NGTH NK NN NS NT NTH NX PH PS PT PTH RB RC RCH RD RF RG RK RL RLD RM RN RP RPS RR RS RSH RST RT RTH RTS RTZ SC SH SK SM SP SS ST TCH TH TS TT TTS TZ WD WK WL WN WS WTH XT XTH ZZ")
)

// state reports whether the code of a state stands for it: before a ZIP code, and
// after a place and a comma where it can be no word of its own.
func (s *scan) state(code string, end int) bool {
	if end < len(s.text) && s.text[end] == ' ' && s.run(end+1, isDigit) == end+6 && s.end(end+6) {
		return true
	}
	if s.at < 3 || s.text[s.at-2:s.at] != ", " || code == "OK" || code == "MD" || !s.end(end) {
		return false
	}
	if follows := end < len(s.text) && s.text[end] == ' '; follows && (code == "IN" || code == "OR" || code == "ME" || code == "HI") {
		return false
	}
	start := s.at - 2
	for start > 0 && isLetter(s.text[start-1]) {
		start--
	}
	place := s.text[start : s.at-2]
	return len(place) > 2 && isUpper(place[0]) && place[1:] == strings.ToLower(place[1:]) && !enStarts[place]
}

// behindNumber reports whether the word before is a number, as of a house.
func (s *scan) behindNumber() bool {
	w := s.before()
	return w != "" && isDigit(w[0])
}

// shouted reports whether the text has no small letters, so that capitals mean
// nothing. A text is asked once: one of a million acronyms would be looked through
// a million times.
func (s *scan) shouted() bool {
	if s.loud == 0 {
		s.loud = 1
		if !strings.ContainsFunc(s.text, func(r rune) bool { return r >= 'a' && r <= 'z' }) && strings.Contains(s.text, " ") {
			s.loud = 2
		}
	}
	return s.loud == 2
}

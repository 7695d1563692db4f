package spoken

import (
	"strings"
	"unicode/utf8"
)

// japanese says numbers in kanji, zeros among digits that are said one by one as ゼロ.
func japanese() *language {
	h := (&han{code: "ja", adapt: jaThousand, change: func(text string) bool {
		return strings.Contains(text, "株)") || strings.Contains(text, "株）") || strings.Contains(text, "有)") || strings.Contains(text, "有）")
	}}).read()
	h.count, h.ordinal = h.jaCount, h.jaOrdinal
	h.more = []rule{
		{"half of the day", func(c byte) bool { return c|0x20 == 'a' || c|0x20 == 'p' }, true, h.readHalf},
		{"era", func(c byte) bool { return jaEras[c] != "" }, true, h.readEra},
		{"basement", func(c byte) bool { return c == 'B' }, true, h.readBasement},
		{"brackets", func(c byte) bool { return c == '(' || c == 0xEF }, true, h.readBrackets},
		{"average", func(c byte) bool { return c == '.' }, true, h.readAverage},
		{"sign of a number", func(c byte) bool { return c >= 0xE2 && c <= 0xEF }, true, h.readJapaneseSign},
	}
	return h.language()
}

var jaBig = wordsOf("万 億 兆")

// jaCount says a number as it stands before a word.
func (h *han) jaCount(s *scan, a amount, before, after string) bool {
	if a.whole == "1000" && a.fraction == "" && jaBig.begin(after) {
		h.say(s, "一千")
		return true
	}
	if len(a.whole) == 2 && a.whole[0] == '0' && a.fraction == "" && h.padded.begin(after) && !strings.HasPrefix(after, "年代") {
		a.whole = a.whole[1:]
	}
	if short := strings.TrimLeft(a.whole, "0"); short != "" && a.fraction == "" && strings.ContainsRune("万億兆", lastOf(before)) {
		a.whole = short // 1億0500万
	}
	return h.plainCount(s, a)
}

// jaThousand says 一千万 for 千万: a thousand has its one before 万 and above. 千 is
// said alone where it has more after it.
func jaThousand(s *scan, from int) {
	said := string(s.out[from:])
	if !strings.Contains(said, "千") {
		return
	}
	for _, big := range []string{"千万", "千億", "千兆"} {
		at := strings.Index(said, big)
		if at >= 0 && (at == 0 || !strings.ContainsRune("二三四五六七八九", lastOf(said[:at]))) {
			said = said[:at] + "一" + said[at:]
		}
	}
	s.out = append(s.out[:from], said...)
}

// jaOrdinal says 1st as in the names of songs and floors.
func (h *han) jaOrdinal(s *scan, digits string) {
	if words := map[string]string{"1": "ファースト", "2": "セカンド", "3": "サード"}[digits]; words != "" {
		h.say(s, words)
		return
	}
	h.say(s, "第")
	h.plainCount(s, amount{whole: digits})
}

// jaEras are the letters that stand for eras.
var jaEras = map[byte]string{'R': "令和", 'H': "平成", 'S': "昭和", 'T': "大正", 'M': "明治"}

// readEra reads H30年 and R2.5.3.
func (h *han) readEra(s *scan) bool {
	parts, end := s.numbersBy(s.at+1, '.')
	if s.at > 0 && isLetter(s.text[s.at-1]) || len(parts) == 0 || len(parts[0]) > 2 {
		return false
	}
	if len(parts) == 1 && (s.peekAt(end) == '/' || s.peekAt(end) == '-') {
		parts, end = s.numbersBy(s.at+1, s.text[end])
	}
	switch {
	case len(parts) == 1 && strings.HasPrefix(s.text[end:], "年"):
	case len(parts) == 3 && isDate("2000", parts[1], parts[2]) && !isLetter(s.peekAt(end)):
	default:
		return false
	}
	h.say(s, jaEras[s.text[s.at]])
	h.speak(s, parts[0])
	s.at = end
	if len(parts) == 3 {
		h.say(s, h.year)
		h.sayDate(s, "", parts[1], parts[2], end)
	}
	return true
}

// readBasement reads B1F.
func (h *han) readBasement(s *scan) bool {
	end := s.run(s.at+1, isDigit)
	if end == s.at+1 || end > s.at+3 || s.peekAt(end) != 'F' || isLetter(s.peekAt(end+1)) || isDigit(s.peekAt(end+1)) || s.at > 0 && isLetter(s.text[s.at-1]) {
		return false
	}
	h.say(s, "地下")
	h.plainCount(s, amount{whole: s.text[s.at+1 : end]})
	h.say(s, "階")
	return s.to(end + 1)
}

// readBrackets reads (株) of a company and the weekday after a day.
func (h *han) readBrackets(s *scan) bool {
	rest := s.rest()
	for _, form := range [][2]string{{"(株)", "株式会社"}, {"（株）", "株式会社"}, {"(有)", "有限会社"}, {"（有）", "有限会社"}} {
		if strings.HasPrefix(rest, form[0]) {
			s.at += len(form[0])
			h.say(s, form[1])
			return true
		}
	}
	day := h.weekdayAt(rest)
	before := s.text[:s.at]
	if day == 0 || !isASCIIDigit(lastOf(strings.TrimSuffix(before, "日"))) {
		return false
	}
	open := 1
	if rest[0] != '(' {
		open = 3
	}
	end := open + utf8.RuneLen(day)
	s.out = append(s.out, rest[:end]...)
	if s.at += end; !strings.HasPrefix(rest[end:], "曜") {
		h.say(s, "曜日")
	}
	return true
}

// jaAverages stand before an average of baseball.
var jaAverages = []string{"打率", "打率は", "出塁率", "長打率", "勝率"}

// readAverage reads .310 of a batter in the tenths that baseball has names for.
func (h *han) readAverage(s *scan) bool {
	end := s.run(s.at+1, isDigit)
	before := strings.TrimSuffix(s.text[:s.at], "0")
	if end != s.at+4 || s.at > 0 && isDigit(s.text[s.at-1]) && len(before) == s.at || !behindName(before, jaAverages) {
		return false
	}
	for i, unit := range []string{"割", "分", "厘"} {
		if digit := s.text[s.at+1+i]; digit != '0' {
			h.plainCount(s, amount{whole: string(digit)})
			h.say(s, unit)
		}
	}
	return s.to(end)
}

// readJapaneseSign reads 〒, the triangles of losses and the 〜 after which nothing stands.
func (h *han) readJapaneseSign(s *scan) bool {
	r, n := utf8.DecodeRuneInString(s.rest())
	at := s.at + n
	switch r {
	case '〒':
		at += gap(s.text, at)
		parts, end := s.numbersBy(at, '-')
		if h.say(s, "郵便番号"); len(parts) == 0 || len(parts) > 2 {
			return s.to(s.at + n)
		}
		for i, p := range parts {
			if i > 0 {
				h.say(s, h.dash)
			}
			h.spell(s, p)
		}
		return s.to(end)
	case '△', '▲':
		if !isDigit(s.peekAt(at)) && h.money[string(firstOf(s.text[at:]))] == "" {
			return false
		}
		h.say(s, h.minus)
		return s.to(at)
	case '〜', '～':
		if next := firstOf(s.text[at:]); next != 0 && !strings.ContainsRune(" 、。)）」", next) || !endsQuantity(s.text[:s.at]) {
			return false
		}
		h.say(s, h.to)
		return s.to(at)
	}
	return false
}

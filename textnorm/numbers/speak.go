package numbers

// Speak says an exact decimal string ("-12.50") in words, in the language's
// usual form of the kind: counting for cardinals, the masculine or common one
// for ordinals. It is false for a language or a string that it does not know,
// and for an ordinal or a year with a fraction.
func Speak(lang string, kind Kind, digits string) (string, bool) {
	return SpeakForm(lang, kind, "", digits)
}

// SpeakForm is Speak in one of the language's [Forms].
func SpeakForm(lang string, kind Kind, form, digits string) (string, bool) {
	words, ok := Append(make([]byte, 0, 128), lang, kind, form, digits)
	if !ok {
		return "", false
	}
	return string(words), true
}

// CommaForm says "coma" where Spanish would say "punto": what is heard is the
// mark that the text has. In the other languages the mark has one name.
const CommaForm = "comma"

// Append is SpeakForm that adds the words to dst; dst as it was where it is false.
func Append(dst []byte, lang string, kind Kind, form, digits string) ([]byte, bool) {
	v := voiceOf(lang)
	d, ok := parseDecimal(digits)
	if v == nil || !ok || kind >= kinds || d.fraction != "" && kind != Cardinal && kind != Decimal {
		return dst, false
	}
	comma := form == CommaForm && d.fraction != ""
	if form == CommaForm {
		form = ""
	}
	set := v.form(kind, form)
	if set == nil {
		return dst, false
	}
	s := speech{words: dst, code: lang, joined: v.joined}
	if v.say(&s, set, d, comma); s.failed {
		// The set has no words for it: too large, or too fine a fraction.
		s.words, s.depth, s.failed = s.words[:len(dst)], 0, false
		v.spell(&s, d)
	}
	return trimEnd(s.words, len(dst)), !s.failed
}

// say says a number by the rules of a set.
func (v *voice) say(s *speech, set *ruleSet, d decimal, comma bool) {
	if d.negative {
		s.minus(set, v.usual[Cardinal])
	}
	switch {
	case d.fraction != "":
		s.mixed(set, d, comma)
	case len(d.whole) > maxDigits:
		s.failed = true
	default:
		s.whole(set, parseWhole(d.whole))
	}
}

// spell says a number by the language's usual cardinals, digit by digit what
// they do not reach.
func (v *voice) spell(s *speech, d decimal) {
	set := v.usual[Cardinal]
	if d.negative {
		s.minus(set, set)
	}
	switch {
	case d.fraction == "":
		s.long(set, d.whole)
	case v.exact != nil:
		s.mixed(v.exact, d, false)
	default:
		s.mixed(set, d, false)
	}
}

// trimEnd takes spaces off the end of what was added after from.
func trimEnd(words []byte, from int) []byte {
	for len(words) > from && words[len(words)-1] == ' ' {
		words = words[:len(words)-1]
	}
	return words
}

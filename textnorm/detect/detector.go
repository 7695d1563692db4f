package detect

import (
	"unicode/utf8"
)

// Undetermined is the code of a text that no language can be told of.
const Undetermined = "und"

// Detector tells the language of a text. It is immutable and safe for
// concurrent use.
type Detector struct {
	models []*model
}

// New unpacks the model.
func New() *Detector {
	models, err := decode(modelFile)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return &Detector{models: models}
}

// Codes lists the languages that the detector knows.
func Codes() []string { return append([]string(nil), codes...) }

// Detect returns the likeliest language of a text among the codes given (nil:
// all that it knows), and how sure that is, from 0 to 1. A text without a
// letter that one of them is written in is Undetermined, with confidence 0, and so
// is a text that [Foreign] knows. Bytes that are no UTF-8 count as no letter.
func (d *Detector) Detect(text string, among []string) (code string, confidence float64) {
	if Foreign(text) {
		return Undetermined, 0
	}
	return d.detect(text, setOf(among))
}

func (d *Detector) detect(text string, among set) (string, float64) {
	c := countLetters(text)
	s, share := c.dominant(among)
	if s == noLetter {
		return Undetermined, 0
	}
	if s == han || s == kana {
		return d.eastAsian(text, &c, among, share)
	}
	m := d.modelOf(s)
	// One language of the detector has the script alone.
	if m == nil {
		return (among & writers[s]).first(), share
	}
	code, p := m.classify(text, among)
	return code, p * share
}

// eastAsian tells Japanese and Chinese apart. One letter of kana among eight is
// Japanese whatever the rest; a Chinese line can hold a single の as ornament.
func (d *Detector) eastAsian(text string, c *counts, among set, share float64) (string, float64) {
	switch {
	case !among.has("zh"):
		return "ja", share
	case !among.has("ja"):
		return "zh", share
	case c[kana]*8 >= c[han]:
		return "ja", share
	}
	code, p := d.modelOf(han).classify(text, among)
	return code, p * share
}

// counts are the weighted letters of a text by script.
type counts [scripts]int

// countLetters leaves out addresses: their letters say nothing.
func countLetters(text string) counts {
	var c counts
	for at := 0; at < len(text); {
		if text[at] < utf8.RuneSelf {
			if end := addressEnd(text, at); end > at {
				at = end
				continue
			}
			b := text[at]
			if b|0x20 >= 'a' && b|0x20 <= 'z' {
				c[latin]++
			}
			at++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		c[scriptOf(r)]++
		at += size
	}
	for s := range c {
		c[s] *= letterWeight[s]
	}
	return c
}

// dominant is the script with the greatest weight among those that a language
// of the set is written in, and its share of all letters.
func (c *counts) dominant(among set) (s script, share float64) {
	total, best := 0, 0
	for i := latin; i < scripts; i++ {
		// Letters of scripts that no language of the set has lower the share.
		total += c[i]
		if c[i] > best && among.writes(i) {
			s, best = i, c[i]
		}
	}
	if s == han || s == kana {
		best = c[han] + c[kana] // Japanese is written in both
	}
	if total == 0 {
		return noLetter, 0
	}
	return s, float64(best) / float64(total)
}

// classify asks the model about the letters of its scripts.
func (m *model) classify(text string, among set) (string, float64) {
	var rows [maxFeatures]uint32
	s := sums{m: m}
	for w := (words{g: &m.group, text: text}); w.next(); {
		s.add(m.append(rows[:0], &w.word))
	}
	s.flush()
	return s.best(among)
}

// best picks the class with the largest sum; the confidence is its share of the
// softmax over the set.
func (s *sums) best(among set) (string, float64) {
	code, top := "", int64(0)
	for class, c := range s.m.codes {
		if v := s.total[class] + int64(s.m.bias[class]); among.has(c) && (code == "" || v > top) {
			code, top = c, v
		}
	}
	total := 0.0
	for class, c := range s.m.codes {
		if among.has(c) {
			total += expNegative(float64(top-s.total[class]-int64(s.m.bias[class])) * s.m.scale)
		}
	}
	return code, 1 / total
}

// expNegative is e^-x for x >= 0, good to 1 % up to x = 9, from exact operations
// only: math.Exp differs in its last bits from machine to machine.
func expNegative(x float64) float64 {
	if x > 40 {
		return 0
	}
	y := 1 / (1 + x/4096)
	for range 12 {
		y *= y
	}
	return y
}

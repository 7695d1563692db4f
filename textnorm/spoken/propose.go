package spoken

import (
	"strings"
	"unicode/utf8"
)

// A rule that cannot know what a form is does not say it at once. It proposes what the
// form may be, evidence weighs each, and the best is said. Where two are near, the form is
// said by the class that cannot be false, and both readings are given to the caller.

// class is a kind of thing that a form can be.
type class struct {
	name string
	say  func(s *scan) bool // says s.form and moves s.at, or is false
	safe bool               // says no more than what is written: digits one by one, letters
}

// form is what all classes of a form share: its parts as they are written.
type form struct {
	one, two amount
	letters  string // or the mark between one and two
	unit     unit   // of the letters
	end      int    // of what was looked at
}

// token is a class that a form may be of.
type token struct {
	class  *class
	weight int
	why    string // what speaks for it, told where it is asked for
}

// What evidence weighs.
const (
	possible = 1 // a form can be that
	usual    = 3 // it mostly is
	certain  = 9 // by its form it is nothing else
	cueNext  = 4 // a word right beside tells of it
	cueNear  = 2 // a word of the clause does
	margin   = 2 // by which the best has to be ahead
)

// mostTokens bounds the classes of a form, mostWords the words on each side of it that
// are looked at.
const mostTokens, mostWords = 8, 4

// proposals are the classes of the form at hand.
type proposals struct {
	form   form
	tokens [mostTokens]token
	n      int
	start  int // of the form
	// What was decided, for who asks.
	decided  token
	readings []Reading
	earlier  *class // decided before in this text
	until    int    // where the form of it ended
}

// Reading is one way to say a form.
type Reading struct{ Class, Words string }

// proposing makes a rule of a function that proposes.
func proposing(propose func(*scan)) func(*scan) bool {
	return func(s *scan) bool {
		s.n, s.start = 0, s.at
		if propose(s); s.n == 0 {
			return false
		}
		ok := s.decide()
		if !ok || !s.trace && s.readings == nil {
			s.decided, s.readings = token{}, nil
		}
		return ok
	}
}

// may proposes a class.
func (s *scan) may(c *class, weight int, why string) {
	if weight > 0 || c.safe {
		s.tokens[s.n] = token{c, weight, why}
		s.n++
	}
}

// decide weighs the proposals and says the best.
func (s *scan) decide() bool {
	tokens := s.tokens[:s.n]
	if s.n > 1 {
		s.weigh(tokens)
		if order(tokens); tokens[0].weight-tokens[1].weight < margin && s.likeEarlier(tokens) {
			order(tokens)
		}
	}
	best := tokens[0]
	if s.n > 1 && best.weight-tokens[1].weight < margin {
		if first, second := s.reading(best), s.reading(tokens[1]); first.Words != second.Words {
			s.readings = []Reading{first, second}
			s.decided = s.plainest(tokens)
			return s.sayPlainly()
		}
	}
	s.decided, s.earlier, s.until = best, best.class, s.form.end
	return best.class.say(s)
}

// order puts the heaviest first, and of equals the one that was proposed first.
func order(tokens []token) {
	for i := 1; i < len(tokens); i++ {
		for k := i; k > 0 && tokens[k].weight > tokens[k-1].weight; k-- {
			tokens[k], tokens[k-1] = tokens[k-1], tokens[k]
		}
	}
}

// likeEarlier weighs what was decided of a form right before in a list: 1s and 0s.
func (s *scan) likeEarlier(tokens []token) bool {
	const most = len(", and ")
	if s.start-s.until > most {
		return false
	}
	for i := range tokens {
		if t := &tokens[i]; t.class == s.earlier && !t.class.safe {
			t.add(cueNear, "as the one before")
			return true
		}
	}
	return false
}

// plainest is the class that cannot be false, without one where there is none.
func (s *scan) plainest(tokens []token) token {
	for _, t := range tokens {
		if t.class.safe {
			return token{class: t.class}
		}
	}
	return token{}
}

// sayPlainly says the form by the class that cannot be false, else as it is written.
func (s *scan) sayPlainly() bool {
	if s.decided.class != nil {
		return s.decided.class.say(s)
	}
	s.out = append(s.out, s.text[s.at:s.form.end]...)
	s.at = s.form.end
	return true
}

// reading is what a class would say of the whole form.
func (s *scan) reading(t token) Reading {
	was, from := *s, len(s.out)
	if s.trace = false; t.class.say(s) {
		for s.at < s.form.end {
			s.step()
		}
	}
	words := strings.TrimSpace(string(s.out[from:]))
	out := s.out[:from]
	*s = was
	s.out = out
	return Reading{t.class.name, words}
}

// weigh adds what the words beside a form tell of its classes.
func (s *scan) weigh(tokens []token) {
	if s.lang.cues == nil {
		return
	}
	for at, distance := s.start, 1; distance <= mostWords; distance++ {
		var word string
		if word, at = s.wordBefore(at, distance); word == "" {
			break
		}
		s.hear(tokens, word, placeBefore, distance)
	}
	for at, distance := s.form.end, 1; distance <= mostWords; distance++ {
		var word string
		if word, at = s.wordAfter(at); word == "" {
			break
		}
		s.hear(tokens, word, placeAfter, distance)
	}
}

func (t *token) add(weight int, why string) {
	if t.weight += weight; t.why == "" || weight >= cueNext {
		t.why = why
	}
}

// hear adds what one word tells.
func (s *scan) hear(tokens []token, word string, place cuePlace, distance int) {
	for _, c := range s.lang.cues.of(word) {
		weight := cueNear
		if c.place != placeNear {
			if c.place != place || distance > 1 {
				continue
			}
			weight = cueNext
		}
		for i := range tokens {
			if t := &tokens[i]; t.class.name == c.class {
				t.add(weight, "")
				if s.trace {
					t.why = s.lang.cues.tell(c, word)
				}
			}
		}
	}
}

// wordBefore is the word that ends before a place of the clause, and where it begins. A
// space and marks that tie may stand between, and a full stop right before the form.
func (s *scan) wordBefore(at, distance int) (word string, start int) {
	end := at
	for end > 0 && strings.IndexByte(" :=(-\"'~$", s.text[end-1]) >= 0 {
		end--
	}
	if distance == 1 && end > 0 && end < at && s.text[end-1] == '.' {
		end--
	}
	for start = end; start > 0; {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if classOf(r) == 0 {
			break
		}
		start -= n
	}
	return s.text[start:end], start
}

// wordAfter is the word after a place of the clause, and where it ends.
func (s *scan) wordAfter(at int) (word string, end int) {
	for at < len(s.text) && strings.IndexByte(" -(\"'", s.text[at]) >= 0 {
		at++
	}
	end, _ = wordEnd(s.text, at)
	return s.text[at:end], end
}

// Classes lists the names of what forms can be.
func Classes() []string {
	return []string{"code", "counted", "date", "decade", "division", "duration", "fraction", "letters", "measure", "million", "minus", "minutes",
		"month", "over", "pair", "plural", "range", "ratio", "regnal", "score", "seconds", "shillings", "time", "verse", "wickets", "year"}
}

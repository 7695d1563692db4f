package textnorm

import "strings"

// What becomes of text in braces.
const (
	MarkedRead  = "read"  // it is text like any other
	MarkedLeave = "leave" // it is phonemes, which are left alone
)

// hidden stands for phonemes while the rules read what is around them: the last
// character for private use, which is no letter, digit or sign in any rule.
const hidden = '\U0010FFFD'

// Marks reports whether texts of this tokenizer hold phonemes in braces.
func (c TokenizerConfig) Marks() bool { return c.Kind == KindTacotron || c.Kind == KindPhoneme }

// A veil is a text with one character in the place of each marked span. One that
// stands in the text by itself is such a span too.
type veil struct {
	text  string
	spans []string // what was hidden
	at    []int    // where, in the text as it was
	sizes []int    // how long it was
}

func hide(text string) veil {
	var v veil
	var b strings.Builder
	var in span
	for i := 0; i < len(text); {
		size := 1
		switch {
		case in.begins(text, i):
			size = in.end - i
		case strings.HasPrefix(text[i:], string(hidden)):
			size = len(string(hidden))
		default:
			b.WriteByte(text[i])
			i++
			continue
		}
		v.spans, v.at, v.sizes = append(v.spans, text[i:i+size]), append(v.at, i), append(v.sizes, size)
		b.WriteRune(hidden)
		i += size
	}
	v.text = b.String()
	return v
}

// show puts spans back, false where a rule has lost one or made another.
func (v veil) show(text string) (string, bool) {
	parts := strings.Split(text, string(hidden))
	if len(parts) != len(v.spans)+1 {
		return "", false
	}
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i < len(v.spans) {
			b.WriteString(v.spans[i])
		}
	}
	return b.String(), true
}

// offset is where a byte of the veiled text stood.
func (v veil) offset(at int) int {
	was := at
	for i, size := range v.sizes {
		if v.at[i] >= was {
			break
		}
		was += size - len(string(hidden))
	}
	return was
}

// around normalizes what stands around marked spans. The spans are composed and
// lose what has no sound, as all text does, and nothing else.
func (n *Normalizer) around(text, language string) (spoken string, notes []Note) {
	v := hide(text)
	var inside []Note
	for i, span := range v.spans {
		var book notebook
		v.spans[i] = Compose(sweep(span, &book))
		for _, note := range book.notes {
			note.At += v.at[i]
			inside = append(inside, note)
		}
	}
	spoken, notes = n.normalize(v.text, language)
	shown, ok := v.show(spoken)
	if !ok { // a rule needs to see less: each piece by itself
		pieces := strings.Split(v.text, string(hidden))
		for i, piece := range pieces {
			pieces[i], _ = n.normalize(piece, language)
		}
		shown, _ = v.show(strings.Join(pieces, " "+string(hidden)+" "))
		shown = strings.Join(strings.Fields(shown), " ")
	}
	for i := range notes {
		notes[i].At = v.offset(notes[i].At)
	}
	return shown, append(notes, inside...)
}

// unmarked is a text without its marked spans, for who only looks at it.
func (n *Normalizer) unmarked(text string) string {
	if n.config.Marked != MarkedLeave || !strings.Contains(text, "{") {
		return text
	}
	return hide(text).text
}

// LeaveMarked is the same lexicon, which looks for no words in braces.
func (l *Lexicon) LeaveMarked() *Lexicon {
	if l == nil {
		return nil
	}
	leaves := *l
	leaves.marked = MarkedLeave
	return &leaves
}

// around applies the lexicon to what stands around marked spans.
func (l *Lexicon) around(text, language string) (string, []Replacement) {
	v := hide(text)
	said, used := l.apply(v.text, language)
	if used == nil {
		return text, nil
	}
	shown, ok := v.show(said)
	if !ok { // an entry has the very character that hides
		return text, nil
	}
	for i := range used {
		used[i].At = v.offset(used[i].At)
	}
	return shown, used
}

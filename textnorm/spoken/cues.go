package spoken

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"
)

// cuePlace is where the word of a cue stands.
type cuePlace byte

const (
	placeNear   cuePlace = iota // anywhere beside the form, in its sentence
	placeBefore                 // right before it
	placeAfter                  // right after it
)

var cuePlaces = map[string]cuePlace{"near": placeNear, "before": placeBefore, "after": placeAfter}

// cue is a word that tells of a class.
type cue struct {
	class string
	place cuePlace
	line  int
}

// cues are those of a language, from its cues.tsv.
type cues struct {
	file  string
	words map[string][]cue
}

// cuesOf reads the cues.tsv of a language; nil where it has none.
func cuesOf(code string) *cues {
	c := &cues{file: "lang/" + code + "/cues.tsv", words: map[string][]cue{}}
	text, err := fs.ReadFile(tables, c.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = c.read(string(text))
	}
	if err != nil { // a test reads them all
		panic(err)
	}
	return c
}

// read takes the rows of a table of cues.
func (c *cues) read(text string) error {
	return eachRow(c.file, text, "class place words", func(line int, _, cells []string) error {
		place, ok := cuePlaces[cells[1]]
		switch {
		case !slices.Contains(Classes(), cells[0]):
			return fmt.Errorf("class %q, want one of %s", cells[0], strings.Join(Classes(), " "))
		case !ok || cells[2] == "":
			return fmt.Errorf("want a class, a place (before, after or near) and words, got %q", cells)
		}
		for word := range strings.FieldsSeq(cells[2]) {
			for _, other := range c.words[word] {
				if other.class == cells[0] && other.place == place {
					return fmt.Errorf("%q stands in line %d already", word, other.line)
				}
			}
			if strings.ToLower(word) != word {
				return fmt.Errorf("%q has a capital; cues are written small", word)
			}
			c.words[word] = append(c.words[word], cue{cells[0], place, line})
		}
		return nil
	})
}

// of is what a word tells of; its case does not count.
func (c *cues) of(word string) []cue {
	var low [24]byte
	if len(word) > len(low) {
		return nil
	}
	for i := range len(word) {
		b := word[i]
		if b >= utf8.RuneSelf {
			return c.words[strings.ToLower(word)]
		}
		if isUpper(b) {
			b |= 0x20
		}
		low[i] = b
	}
	return c.words[string(low[:len(word)])]
}

// has reports whether a word before a form tells of a class.
func (c *cues) has(word, class string) bool {
	for _, q := range c.of(word) {
		if q.class == class && q.place == placeBefore {
			return true
		}
	}
	return false
}

// tell is a cue as people are told it.
func (c *cues) tell(q cue, word string) string {
	return fmt.Sprintf("%s:%d %q", c.file, q.line, word)
}

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// corpus is the paragraphs of a language, as words; where no spaces stand
// between words, as letters.
type corpus struct {
	paragraphs [][]string
	space      string // between two of them
}

func readAll(folder string, codes []string) ([]corpus, error) {
	var all []corpus
	for _, code := range codes {
		data, err := os.ReadFile(filepath.Join(folder, code+".txt"))
		if err != nil {
			return nil, err
		}
		all = append(all, newCorpus(string(data), code))
	}
	return all, nil
}

func newCorpus(text, code string) corpus {
	c := corpus{space: " "}
	split := strings.Fields
	if code == "zh" || code == "ja" {
		c.space = ""
		split = func(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "") }
	}
	for line := range strings.Lines(text) {
		if words := split(line); len(words) > 0 {
			c.paragraphs = append(c.paragraphs, words)
		}
	}
	return c
}

// without leaves paragraphs out.
func (c corpus) without(unwanted func(paragraph string) bool) corpus {
	kept := corpus{space: c.space}
	for _, p := range c.paragraphs {
		if !unwanted(strings.Join(p, c.space)) {
			kept.paragraphs = append(kept.paragraphs, p)
		}
	}
	return kept
}

// fragment is one to four consecutive words, and one in four times up to twelve.
func (c corpus) fragment(random *rand.Rand) string {
	words := c.paragraphs[random.IntN(len(c.paragraphs))]
	n := 1 + random.IntN(4)
	if random.IntN(4) == 0 {
		n *= 3
	}
	if c.space == "" {
		n += 2 // of letters
	}
	first := random.IntN(len(words))
	if first+n > len(words) {
		first = max(0, len(words)-n)
	}
	return strings.Join(words[first:min(len(words), first+n)], c.space)
}

// japanese says whether a fragment has so much kana that no model is asked.
func japanese(fragment string) bool {
	kana := 0
	for _, r := range fragment {
		if r >= 0x3041 && r < 0x3100 {
			kana++
		}
	}
	return kana*8 >= utf8.RuneCountInString(fragment)
}

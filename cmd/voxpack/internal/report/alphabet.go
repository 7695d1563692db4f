package report

import (
	"cmp"
	"slices"
)

// Alphabet is what texts are written with, after normalisation.
type Alphabet struct {
	Characters []Character `json:"characters"` // the most frequent ones first, with all that are rare among the most
	Total      int         `json:"total"`      // different ones
	Rare       int         `json:"rare"`       // those in fewer than RareRows rows
	RareRows   int         `json:"rare_rows"`
}

// Character is one of the alphabet.
type Character struct {
	Character string `json:"character"`
	Count     int    `json:"count"`
	Rows      int    `json:"rows"`
	Example   string `json:"example"` // id of a row that has it
	Rare      bool   `json:"rare"`
}

// mostCharacters bounds the list: a dataset of Chinese has thousands.
const mostCharacters = 400

// alphabetOf counts the characters of what is spoken. A model hears a character
// of fewer than 10 rows, or of one row in 1,000 of a small dataset, too seldom to
// learn its sound.
func alphabetOf(rows []row) Alphabet {
	type tally struct {
		Character
		last int // number of the last row that has it
	}
	found := map[rune]*tally{}
	for i := range rows {
		for _, r := range rows[i].spoken {
			c := found[r]
			if c == nil {
				c = &tally{Character{Character: string(r), Example: rows[i].id}, -1}
				found[r] = c
			}
			c.Count++
			if c.last != i {
				c.Rows, c.last = c.Rows+1, i
			}
		}
	}
	a := Alphabet{Characters: []Character{}, Total: len(found), RareRows: max(2, min(10, len(rows)/1000))}
	for _, c := range found {
		if c.Rare = c.Rows < a.RareRows; c.Rare {
			a.Rare++
		}
		a.Characters = append(a.Characters, c.Character)
	}
	slices.SortFunc(a.Characters, func(x, y Character) int { return cmp.Or(y.Count-x.Count, cmp.Compare(x.Character, y.Character)) })
	if len(a.Characters) > mostCharacters {
		// The ends are what people look at: the usual ones, and the seldom ones.
		half := mostCharacters / 2
		a.Characters = slices.Concat(a.Characters[:half], a.Characters[len(a.Characters)-half:])
	}
	return a
}

package detect

// features are what a model of a group sees of a word: every run of 1 to
// order letters and the word as a whole, each as a row of the model's table.
// Where edges is set, the word's begin and end count as letters.
type features struct {
	order int
	edges bool
	bits  uint // the table has 1<<bits rows
}

// maxFeatures bounds what one word adds: six orders at most at each place.
const maxFeatures = (maxWord+2)*6 + 1

const (
	// The start and the prime of FNV-1a with 32 bits, over code points in place of
	// bytes. The finish is a constant of MurmurHash3: it spreads the low bits to the
	// upper ones, which name the row.
	hashStart  = 0x811C9DC5
	hashPrime  = 0x01000193
	hashWhole  = 0x9E3779B9 // sets whole words apart from runs of letters
	hashFinish = 0x85EBCA6B
)

// append adds the rows of a word.
func (f features) append(rows []uint32, w *word) []uint32 {
	s := w.letters(f.edges)
	shift := 32 - f.bits
	for i := range s {
		h := uint32(hashStart)
		for k := i; k < len(s) && k < i+f.order; k++ {
			h = (h ^ uint32(s[k])) * hashPrime
			if s[k] == 0 && k == i {
				continue // an edge alone says nothing
			}
			x := h ^ h>>15
			rows = append(rows, x*hashFinish>>shift)
		}
	}
	if f.edges && len(s) > f.order {
		h := uint32(hashWhole)
		for _, r := range s {
			h = (h ^ uint32(r)) * hashPrime
		}
		h ^= h >> 15
		rows = append(rows, h*hashFinish>>shift)
	}
	return rows
}

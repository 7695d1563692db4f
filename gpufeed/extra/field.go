package extra

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	piecePrefix = "piece_"     // and a mel's name: the mel of the samples of a crop
	priorName   = "attn_prior" // how likely each token is at each frame before anything is learnt
	mostScale   = 1e4
)

// Field is a field as a word asks for it.
type Field struct {
	Name  string
	Of    string // of a piece: the column that has the mel of the whole clip; "": a prior
	Prior Prior
}

// Parse reads a word: piece_NAME, attn_prior, attn_prior@SCALE or attn_prior:nemo@SCALE.
func Parse(word string) (Field, error) {
	if of, ok := strings.CutPrefix(word, piecePrefix); ok && of != "" {
		return Field{Name: word, Of: of}, nil
	}
	kind, scale, scaled := strings.Cut(word, "@")
	name, of, _ := strings.Cut(kind, ":")
	if name != priorName || kind != priorName && of != "nemo" && of != "fastpitch" {
		return Field{}, fmt.Errorf("%q: want %sNAME of a mel, %s, %s@SCALE or %s:nemo@SCALE", word, piecePrefix, priorName, priorName, priorName)
	}
	e := Field{Name: name, Prior: Prior{NeMo: of == "nemo", Scale: 1}}
	if scaled {
		s, err := strconv.ParseFloat(scale, 64)
		if e.Prior.Scale = s; err != nil || !(s > 0 && s <= mostScale) {
			return e, fmt.Errorf("%q: want a scale over 0, at most %v", word, mostScale)
		}
	}
	return e, nil
}

// Check says what is wrong with the words of a config.
func Check(words []string) error {
	var errs []error
	var names []string
	for _, word := range words {
		e, err := Parse(word)
		if err == nil && slices.Contains(names, e.Name) {
			err = fmt.Errorf("%s is there twice", e.Name)
		}
		names, errs = append(names, e.Name), append(errs, err)
	}
	return errors.Join(errs...)
}

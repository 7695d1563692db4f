package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxNormsFile is far above what as many numbers as a mel can have bands take.
const maxNormsFile = 1 << 16

// norms reads the numbers that bands are divided by from their file, when the
// config names one.
func (l *loader) norms() {
	const hint = whereHint + "; write one number for each band"
	if norms, ok := readFile(l, "mel_norms", l.config.Mel.normsFile, hint, readNormsFile); ok {
		l.config.Mel.Norms = norms
	}
}

// readNormsFile reads numbers that spaces, commas, brackets or line ends keep
// apart, which is how every program prints a list.
func readNormsFile(path string) ([]float32, error) {
	b, err := readNamed(path, maxNormsFile)
	if len(b) > maxNormsFile {
		err = fmt.Errorf("%w, and no list of numbers for bands", err)
	}
	if err != nil {
		return nil, err
	}
	var norms []float32
	for i, line := range strings.Split(string(b), "\n") {
		words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r,;[]()\ufeff", r) })
		for _, word := range words {
			v, err := strconv.ParseFloat(word, 32)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %q is not a number", path, i+1, word)
			}
			norms = append(norms, float32(v))
		}
	}
	if norms == nil {
		return nil, errors.New(path + ": no numbers")
	}
	return norms, nil
}

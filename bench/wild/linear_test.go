package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/internal/steptest"
	"voxpack/textnorm"
)

// wildPieces are so many lines of a language, from all over its file.
const wildPieces = 100

// TestWildTextIsLinear: lines as they are found, each repeated until it is long, cost as many
// steps of each block of the rules as they have bytes, at most six times as many on four
// times the length.
func TestWildTextIsLinear(t *testing.T) {
	folder := os.Getenv("VOXPACK_WILD")
	if folder == "" {
		t.Skip("VOXPACK_WILD names no folder that bench/wild/fetch.py wrote")
	}
	steptest.Linear(t, "voxpack/textnorm,voxpack/textnorm/spoken,voxpack/textnorm/numbers,voxpack/textnorm/forms", 4<<10, textnorm.VerbalisedLanguages(), func(t *testing.T, code string, size int) {
		data, err := os.ReadFile(filepath.Join(folder, code+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		norm, err := textnorm.NewNormalizer(textnorm.Config{Mojibake: textnorm.MojibakeReport, Verbalise: true})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(data), "\n")
		for i := range wildPieces {
			line := lines[len(lines)*i/wildPieces]
			if len(line) > 256 {
				line = strings.ToValidUTF8(line[:256], "")
			}
			norm.Normalize(strings.Repeat(line+" ", 1+size/(len(line)+1)), code)
		}
	})
}

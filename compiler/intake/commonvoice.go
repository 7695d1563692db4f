package intake

import (
	"path"
	"slices"
	"strings"
)

// commonVoice is a language's folder of a Common Voice release: clips/ and files
// with tabs, of which validated.tsv holds all that listeners accepted. The columns
// are in the README of common-voice/cv-dataset. Those used here are in every release
// but the first ones, which have no locale; later ones put others between them, so
// columns go by their names alone. Sentences are written as they are, without quotes.
var commonVoice = Format{
	Name:  "common-voice",
	Shape: "a folder with validated.tsv, else train.tsv, dev.tsv and test.tsv, of client_id, path, sentence, …, and clips/",
	Find:  findCommonVoice,
	Look: func(lines []string) int {
		if len(lines) == 0 || !isCommonVoice(strings.Split(lines[0], "\t")) {
			return 0
		}
		tabs, count := strings.Count(lines[0], "\t"), 0
		for _, l := range lines {
			if strings.Count(l, "\t") == tabs {
				count++
			}
		}
		return count
	},
	Read: func(in *Input) error {
		clips := "clips"
		if !path.IsAbs(in.File) {
			clips = path.Join(path.Dir(in.File), clips)
		}
		return (&sheet{in: in, folder: clips}).readTable(in.File, "\t")
	},
}

// isCommonVoice goes by three columns that no other table here has together; the
// tables beside them in a release (reported.tsv, clip_durations.tsv) lack one at least.
func isCommonVoice(header []string) bool {
	return slices.Contains(header, "client_id") && slices.Contains(header, "path") && slices.Contains(header, "sentence")
}

// findCommonVoice takes validated.tsv, which has the rows of the three splits and
// those that no split has; the splits where it is not there.
func findCommonVoice(dir string) (parts []Part) {
	has := func(file string) bool {
		first := Corpus{Dir: dir}.firstOf(file)
		return isCommonVoice(strings.Split(first, "\t"))
	}
	if has("validated.tsv") {
		return []Part{{File: "validated.tsv"}}
	}
	for _, p := range []Part{{"train.tsv", Train}, {"dev.tsv", Val}, {"test.tsv", Test}} {
		if has(p.File) {
			parts = append(parts, p)
		}
	}
	return parts
}

package intake

import "strings"

// Format is one way to write metadata.
type Format struct {
	Name string
	// Shape says what a line or a folder of the format looks like, for messages.
	Shape string
	// Find lists the parts of a folder that is laid out as the format says, none
	// of another folder. A format has Find, Look or both.
	Find func(dir string) []Part
	// Look says how many of a file's first lines are of the format (empty lines and
	// lines of invalid UTF-8 are left out). It is generous with single lines and
	// strict with what tells formats apart: where two fit the same number of lines,
	// the user is asked, except that ljspeech wins its ties.
	Look func(lines []string) int
	// Read makes rows of one part. It calls in.Row or in.Refuse once for each line
	// that is not empty; its error is for a part that cannot be read at all.
	Read func(in *Input) error
}

// Part is one file of a corpus's metadata, or a folder of many small ones.
type Part struct {
	File  string // below the corpus, "/"-separated; "." is the corpus itself
	Split Split  // of its rows, where they have none of their own
}

// formats is the table. Its order is that of messages and pages, no more: which
// format a file is of, bestOf decides by counts.
var formats = []Format{ljspeech, speaker, coqui, csv, tsv, commonVoice, jsonl, kaldi, vctk, libritts, librispeech, mls, filelist, audiofolder, shards}

// FormatNames lists the formats of the table.
func FormatNames() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

func formatNamed(name string) *Format {
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i]
		}
	}
	return nil
}

// tried says what was looked for, a line a format.
func tried() string {
	var b strings.Builder
	for _, f := range formats {
		b.WriteString("\n    " + f.Name + ": " + f.Shape)
	}
	return b.String()
}

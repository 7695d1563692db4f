package intake

import (
	"iter"
	"path"
	"slices"
	"strings"
)

// filelist is the form of the lists in repositories of Tacotron 2 and VITS: a
// file for each split, at the top or in filelists/, of paths that begin with
// DUMMY/ where a folder is to be put in. Their READMEs have the user replace the
// word (sed, in Tacotron 2) or make a link of that name (ln -s, in VITS); neither
// is needed here. Speakers are numbers of the list's own, kept as names.
var filelist = Format{
	Name:  "filelist",
	Shape: "lines of path.wav|text or path.wav|speaker number|text, also in filelists/",
	Look: func(lines []string) int {
		_, fits := filelistWidth(slices.Values(lines))
		return fits
	},
	Read: func(in *Input) error { return filelistShapes.read(in, filelistWidth) },
}

// Tacotron 2 has two columns, VITS' lists of VCTK three.
var filelistShapes = shapes{2: "path|text", 3: "path|speaker number|text"}

// filelistWidth is the number of columns that most lines have, 2 or 3, and how
// many lines of that width are of the form.
func filelistWidth(lines iter.Seq[string]) (width, count int) {
	var have [4]int
	for l := range lines {
		cols := bars(l)
		if len(cols) == 2 && KnownAudio(path.Ext(cols[0])) || listsNumber(cols) {
			have[len(cols)]++
		}
	}
	width = 2
	if have[3] > have[2] {
		width = 3
	}
	return width, have[width]
}

// listsNumber reports whether a line is path.wav|speaker number|text.
func listsNumber(cols []string) bool {
	return len(cols) == 3 && KnownAudio(path.Ext(cols[0])) && cols[1] != "" && strings.Trim(cols[1], "0123456789") == ""
}

// listsFolder reports whether a line is path.wav|text with a folder that is not
// where LJSpeech has its clips: then it is of a list, not of metadata beside them.
func listsFolder(cols []string) bool {
	if len(cols) != 2 || !KnownAudio(path.Ext(cols[0])) {
		return false
	}
	dir, _, _ := strings.Cut(strings.TrimPrefix(cols[0], "./"), "/")
	return dir != "wavs" && strings.ContainsAny(cols[0], `/\`)
}

// clipInList gives a row its clip. As the READMEs say (ln -s /path/to/wavs DUMMY1),
// the folder that stands for another may be there.
func (in *Input) clipInList(r *Row, written string) {
	in.clipAt(r, withoutDummy(written))
	if folder, _, _ := strings.Cut(written, "/"); r.Audio != nil && withoutDummy(written) != written && in.hasFolder(folder) {
		r.Audio.Path = written
	}
}

// withoutDummy takes the folder off that stands for another: DUMMY/, and DUMMY1/,
// DUMMY2/ as VITS has them.
func withoutDummy(p string) string {
	if rest, ok := strings.CutPrefix(p, "DUMMY"); ok {
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, "0123456789"), "/"); ok {
			return rest
		}
	}
	return p
}

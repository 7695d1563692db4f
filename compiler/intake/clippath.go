package intake

import (
	"path"
	"strings"
)

// clipAt gives a row the clip that its metadata names: the path as written is
// its id, unless it has one, and with a known extension it is the file as well.
func (in *Input) clipAt(r *Row, written string) {
	p := in.inside(written)
	if r.ID == "" {
		r.ID = p
	}
	if KnownAudio(path.Ext(p)) {
		r.Audio = &Audio{Path: p}
	}
}

// inside is a clip's path below the corpus. Of an absolute one the end counts:
// the longest whose folder is there, else the name alone. It says where the clip
// was when the list was made, and a corpus that moves, or that another machine
// has, stays the same one.
func (in *Input) inside(p string) string {
	if slashed := strings.ReplaceAll(p, `\`, "/"); onDrive(slashed) {
		p = slashed[2:]
	} else if !path.IsAbs(p) {
		return p
	}
	folder, name := path.Split(path.Clean(p))
	for folder = strings.Trim(folder, "/"); folder != ""; _, folder, _ = strings.Cut(folder, "/") {
		if in.hasFolder(folder) {
			return folder + "/" + name
		}
	}
	return name
}

// hasFolder reports whether the corpus has a folder, or a link to one.
func (in *Input) hasFolder(folder string) bool {
	there, known := in.folders[folder]
	if !known {
		there = isFolder(in.Dir, folder)
		if in.folders == nil {
			in.folders = map[string]bool{}
		}
		in.folders[folder] = there
	}
	return there
}

// bars are the columns of a line of metadata between "|", without the spaces
// round them.
func bars(line string) []string {
	cols := strings.Split(line, "|")
	for i := range cols {
		cols[i] = strings.TrimSpace(cols[i])
	}
	return cols
}

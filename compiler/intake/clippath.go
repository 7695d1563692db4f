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

// inside is a clip's path below the corpus. Of an absolute one that lies
// elsewhere only the name is left: it tells where the clip was when the list was
// made, and a corpus is the same one on every machine.
func (in *Input) inside(p string) string {
	if slashed := strings.ReplaceAll(p, `\`, "/"); onDrive(slashed) {
		return path.Base(slashed)
	}
	if !path.IsAbs(p) {
		return p
	}
	if rel := in.below(p); !path.IsAbs(rel) {
		return rel
	}
	return path.Base(p)
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

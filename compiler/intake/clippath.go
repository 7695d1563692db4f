package intake

import (
	"path"
	"path/filepath"
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
	if in.tops == nil {
		in.tops = in.places()
	}
	clean := path.Clean(p)
	for _, top := range in.tops {
		if rel, ok := strings.CutPrefix(clean, strings.TrimSuffix(top, "/")+"/"); ok {
			return rel
		}
	}
	return path.Base(p)
}

// places are the absolute paths of the corpus's folder: as it was named, and
// without links. Which one a list has, depends on the program that wrote it.
func (c Corpus) places() []string {
	named, err := filepath.Abs(c.Dir)
	if err != nil {
		return []string{}
	}
	tops := []string{filepath.ToSlash(named)}
	if real, err := filepath.EvalSymlinks(named); err == nil && real != named {
		tops = append(tops, filepath.ToSlash(real))
	}
	return tops
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

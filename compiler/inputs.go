package compiler

import (
	"os"
	"path"
	"slices"

	"voxpack/compiler/intake"
	"voxpack/store"
)

// Source is where a row of the last build comes from.
type Source struct {
	Place intake.Position
	Audio string // below its corpus, "" where there is none
	at    clipAt
}

// Digest is that of the audio's bytes as they are now.
func (s Source) Digest() (store.Digest, error) { return s.at.hash(nil) }

// FindSource looks for a row in the folders of an order. The error is for an
// order whose metadata cannot be read; a zero Source: no row has the id.
func FindSource(o Options, id string) (Source, error) {
	list, err := o.openCorpora()
	if err != nil {
		return Source{}, err
	}
	if _, _, err := readCorpora(list); err != nil {
		return Source{}, err
	}
	for _, c := range list {
		for i := range c.table.Rows {
			r := &c.table.Rows[i]
			if r.ID != id {
				continue
			}
			s := Source{Place: r.Pos}
			if rel, now, _, err := c.clip(r); err == nil {
				s.Audio, s.at = c.nameOf(r, rel), clipAt{file: c.path(rel), stamp: now, audio: r.Audio}
			}
			return s, nil
		}
	}
	return Source{}, nil
}

// Inputs lists the files that a build with these options reads, sorted: the
// metadata, the audio of every row that has some, and the folders in which
// either is looked for, because a file that turns up there can heal a row or
// spoil it. The dataset's own folder is among them only where recordings lie
// beside the metadata, since other programs write into it too.
func Inputs(o Options) ([]string, error) {
	list, err := o.openCorpora()
	if err != nil {
		return nil, err
	}
	if _, _, err := readCorpora(list); err != nil {
		return nil, err
	}
	var inputs []string
	for _, c := range list {
		inputs = append(inputs, c.inputs()...)
	}
	slices.Sort(inputs)
	return slices.Compact(inputs), nil
}

// nearest is the folder itself where it is there, else the nearest one above it,
// in which it would turn up; "." where none is below the corpus.
func (c *corpusFolder) nearest(dir string) string {
	for dir != "." && dir != "/" {
		if info, err := os.Stat(c.path(dir)); err == nil && info.IsDir() {
			return dir
		}
		dir = path.Dir(dir)
	}
	return "."
}

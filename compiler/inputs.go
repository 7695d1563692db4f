package compiler

import (
	"slices"

	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// Source is where a row of the last build comes from.
type Source struct {
	Place intake.Position
	Audio string // below its corpus, "" where there is none
	at    clip.Clip
}

// Digest is that of the audio's bytes as they are now.
func (s Source) Digest() (store.Digest, error) { return s.at.Hash(nil) }

// FindSource looks for a row in the folders of an order. The error is for an
// order whose metadata cannot be read; a zero Source: no row has the id.
func FindSource(o Options, id string) (Source, error) {
	list, err := o.readAll()
	if err != nil {
		return Source{}, err
	}
	for _, c := range list {
		for i := range c.table.Rows {
			r := &c.table.Rows[i]
			if r.ID != id {
				continue
			}
			s := Source{Place: r.Pos}
			if rel, now, _, err := c.Find(r); err == nil {
				s.Audio = c.NameOf(r, rel)
				s.at = c.At(s.Audio, now, r.Audio)
			}
			return s, nil
		}
	}
	return Source{}, nil
}

// readAll opens the corpora of an order and reads their metadata.
func (o *Options) readAll() ([]*corpusFolder, error) {
	list, err := o.openCorpora()
	if err == nil {
		_, _, err = readCorpora(list)
	}
	return list, err
}

// Inputs lists the files that a build with these options reads, sorted: the
// metadata, the audio of every row that has some, and the folders in which
// either is looked for, because a file that turns up there can heal a row or
// spoil it. The dataset's own folder is among them only where recordings lie
// beside the metadata, since other programs write into it too.
func Inputs(o Options) ([]string, error) {
	list, err := o.readAll()
	if err != nil {
		return nil, err
	}
	var inputs []string
	for _, c := range list {
		inputs = append(inputs, c.Inputs(c.table)...)
	}
	slices.Sort(inputs)
	return slices.Compact(inputs), nil
}

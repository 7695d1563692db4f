package compiler

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"

	"voxpack/compiler/clip"
	"voxpack/compiler/column"
	"voxpack/compiler/intake"
	"voxpack/store"
)

// corpusFolder is one folder of a dataset: its metadata as rows, and where its audio is.
type corpusFolder struct {
	*clip.Folder
	table *intake.Table
	own   []column.Source // of the columns of the user's own, in their order
}

// columns are the optional columns of a dataset: those that the metadata of any of its
// corpora has. Rows of the others have their empty value there.
type columns struct{ speaker, language, split bool }

// folders are the corpora that an order names. One folder without a name is what most
// datasets are; its rows have no name before their ids.
func (o *Options) folders() []intake.Corpus {
	if len(o.Corpora) > 0 {
		return o.Corpora
	}
	return []intake.Corpus{{Dir: o.Dataset, Metadata: o.Metadata, Train: o.MetadataTrain, Eval: o.MetadataEval, Format: o.Config.Format, Columns: o.Columns}}
}

// openCorpora looks at the folders, without reading any. Where one cannot be,
// the error says what is wrong with all of them.
func (o *Options) openCorpora() (list []*corpusFolder, err error) {
	var errs []error
	for _, c := range o.folders() {
		f, err := clip.OpenFolder(c, o.AudioRoots)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		f.Raw = o.Config.Raw != nil
		list = append(list, &corpusFolder{Folder: f})
	}
	if errs == nil {
		return list, nil
	}
	for _, c := range list {
		errs = append(errs, intake.Found(c.Corpus))
	}
	return nil, errors.Join(errs...)
}

// readCorpora reads the metadata of all corpora, side by side.
func readCorpora(list []*corpusFolder) (has columns, lines int, err error) {
	var reads []func() error
	for _, c := range list {
		reads = append(reads, func() (err error) {
			c.table, err = intake.Read(c.Corpus)
			return err
		})
	}
	if err := together(reads...); err != nil {
		return has, 0, err
	}
	for _, c := range list {
		has.speaker = has.speaker || c.table.HasSpeaker
		has.language = has.language || c.table.HasLanguage
		has.split = has.split || c.table.HasSplit
		lines += c.table.Lines
	}
	return has, lines, nil
}

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
// First it looks at lines that mention the id alone, which is most often enough.
func FindSource(o Options, id string) (Source, error) {
	list, err := o.openCorpora()
	if err != nil {
		return Source{}, err
	}
	for _, only := range []bool{true, false} {
		for _, c := range list {
			if c.Only = ""; only {
				c.Only = c.Local(id)
			}
		}
		if _, _, err = readCorpora(list); err != nil {
			continue
		}
		for _, c := range list {
			if s := c.source(id); s.Place.Line > 0 {
				return s, nil
			}
		}
	}
	return Source{}, err
}

// source is where a row of a corpus that has been read comes from, zero: it has none of the id.
func (c *corpusFolder) source(id string) (s Source) {
	for i := range c.table.Rows {
		r := &c.table.Rows[i]
		if r.ID != id {
			continue
		}
		s.Place = r.Pos
		if rel, now, _, err := c.FindOne(r); err == nil {
			s.Audio = c.NameOf(r, rel)
			s.at = c.At(s.Audio, now, r.Audio)
		}
		break
	}
	return s
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
		inputs = append(append(inputs, c.Inputs(c.table)...), c.ownInputs(o.Config.Columns)...)
	}
	slices.Sort(inputs)
	return slices.Compact(inputs), nil
}

// ownInputs are the files that columns of the user's own are read from, and for one that
// is not there its folder, in which it may turn up.
func (c *corpusFolder) ownInputs(columns []column.Config) (list []string) {
	for i := range c.table.Rows {
		r := &c.table.Rows[i]
		for _, own := range columns {
			rel := own.File(column.Row{ID: c.Local(r.ID), Speaker: r.Speaker})
			for ; rel != "" && rel != "."; rel = path.Dir(rel) {
				file := filepath.Join(c.Dir, filepath.FromSlash(rel))
				if _, err := os.Stat(file); err == nil {
					list = append(list, file)
					break
				}
			}
		}
	}
	return list
}

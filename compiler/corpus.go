package compiler

import (
	"errors"

	"voxpack/compiler/clip"
	"voxpack/compiler/intake"
)

// corpusFolder is one folder of a dataset: its metadata as rows, and where its audio is.
type corpusFolder struct {
	*clip.Folder
	table *intake.Table
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

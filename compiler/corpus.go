package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/compiler/intake"
)

// corpusFolder is one folder of a dataset: its metadata as rows, and where its audio is.
type corpusFolder struct {
	intake.Corpus
	*finder
	table *intake.Table
}

// columns are the optional columns of a dataset: those that its metadata has.
type columns struct{ speaker, language, split bool }

// corpora are the folders that an order names.
func (o *Options) corpora() []intake.Corpus {
	if len(o.Corpora) > 0 {
		return o.Corpora
	}
	return []intake.Corpus{{Dir: o.Dataset, Metadata: o.Metadata, Train: o.MetadataTrain, Eval: o.MetadataEval, Format: o.Config.Format, Columns: o.Columns}}
}

// openCorpora looks at the folders, without reading any. Where one cannot be,
// the error says what is wrong with all of them.
func (o *Options) openCorpora() (list []*corpusFolder, err error) {
	var errs []error
	for _, c := range o.corpora() {
		f, err := openCorpus(c, o.AudioRoots)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, f)
	}
	if errs == nil {
		return list, nil
	}
	for _, c := range list {
		errs = append(errs, intake.Found(c.Corpus))
	}
	return nil, errors.Join(errs...)
}

// openCorpus looks at one, whose links may lead into further folders.
func openCorpus(c intake.Corpus, roots []string) (*corpusFolder, error) {
	info, err := os.Stat(c.Dir)
	if err == nil && info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is a file; name its folder, and the file with --metadata %s if it is the metadata", intake.ErrNoMetadata, c.Dir, c.Dir)
	}
	if intake.IsMachine(err) {
		return nil, fmt.Errorf("dataset %s: %w", c.Dir, intake.Machine(plain(err)))
	}
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is no folder", intake.ErrNoMetadata, c.Dir)
	}
	if c.Links, err = intake.NewLinks(c.Dir, roots); err != nil {
		return nil, fmt.Errorf("dataset %s: %w", c.Dir, err)
	}
	f, err := newFinder(c.Dir, c.Links)
	if err != nil {
		return nil, fmt.Errorf("dataset %s: %w", c.Dir, err)
	}
	return &corpusFolder{Corpus: c, finder: f}, nil
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

// clip is where an item's audio is.
func (it *item) clip() clipAt {
	rel := it.from.Local(it.path)
	if a := it.row.Audio; a != nil && a.Member > 0 {
		rel = a.Path
	}
	return clipAt{file: it.from.path(rel), name: it.path, stamp: it.stamp, audio: it.row.Audio}
}

// nameOf is how messages and the stat table name a row's audio.
func (c *corpusFolder) nameOf(r *intake.Row, rel string) string {
	if r.Audio != nil && r.Audio.Member > 0 {
		rel = fmt.Sprintf("%s#%d:%s", rel, r.Audio.Member, r.Audio.Inner)
	}
	return c.IDOf(rel)
}

// clip finds a row's audio: its path below the corpus, what lstat says of it, and
// how its name differs from what the row says ("" for not at all).
func (c *corpusFolder) clip(r *intake.Row) (rel string, now stamp, differs string, err error) {
	if r.Audio == nil || r.Audio.Path == "" {
		return c.find(c.Local(r.ID))
	}
	if rel := r.Audio.Path; r.Audio.Member > 0 || c.has(rel) {
		now, err := c.stat(rel)
		return rel, now, "", err
	}
	name, err := intake.ID(r.Audio.Path)
	if err != nil {
		return "", stamp{}, "", err // the metadata's reader lets none pass
	}
	if rel, now, differs, err = c.find(name); !errors.Is(err, errNoClip) || !strings.Contains(name, "/") {
		return rel, now, differs, err
	}
	if c.list(path.Dir(name)).holdsAudio() {
		return "", stamp{}, "", err // the metadata names a folder that is there: a clip of this name elsewhere is another one
	}
	// Lists that were made for another folder keep its name, as DUMMY/ in those of Tacotron.
	if rel, now, differs, err := c.find(path.Base(name)); err == nil {
		return rel, now, differs, nil
	}
	return "", stamp{}, "", fmt.Errorf("no audio: neither %s nor %s of the same name is there", r.Audio.Path, path.Join("wavs", path.Base(r.Audio.Path)))
}

// inputs are the files and folders that a corpus's rows are made of.
func (c *corpusFolder) inputs() []string {
	var list []string
	add := func(rel string) {
		if path.IsAbs(rel) {
			list = append(list, filepath.FromSlash(rel))
		} else if rel != "." {
			list = append(list, filepath.Join(c.Dir, filepath.FromSlash(rel)))
		}
	}
	for _, f := range append(slices.Clone(c.table.Files), c.table.Folders...) {
		add(f)
	}
	folders := map[string]bool{}
	beside := c.nearest("wavs") == "."
	for i := range c.table.Rows {
		r := &c.table.Rows[i]
		if rel, _, _, err := c.clip(r); err == nil {
			add(rel)
			beside = beside || path.Dir(rel) == "."
		}
		name := c.Local(r.ID)
		if r.Audio != nil {
			name = cmp.Or(r.Audio.Path, name)
		}
		folders[path.Join("wavs", path.Dir(name))] = true
		folders[path.Dir(name)] = true
	}
	for dir := range folders {
		add(c.nearest(dir))
	}
	if beside && folders["."] {
		list = append(list, c.Dir)
	}
	return list
}

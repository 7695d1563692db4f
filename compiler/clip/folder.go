package clip

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"voxpack/compiler/intake"
)

// Folder is the folder of one corpus, where its audio is found. Folders in it are listed
// once, instead of asking for every possible name: 13,100 ids cost two listings. It is safe
// for concurrent use.
type Folder struct {
	intake.Corpus
	Raw     bool     // files without a header are audio
	root    string   // Dir, absolute
	folders sync.Map // of *folder by path
	besides sync.Map // of an error, or not, by the path of a folder: see Look
}

// OpenFolder looks at a folder, whose links may lead into further ones.
func OpenFolder(c intake.Corpus, roots []string) (*Folder, error) {
	info, err := os.Stat(c.Dir)
	if err == nil && info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is a file; name its folder, and the file with --metadata %s if it is the metadata", intake.ErrNoMetadata, c.Dir, c.Dir)
	}
	if intake.IsMachine(err) {
		return nil, fmt.Errorf("dataset %s: %w", c.Dir, intake.Machine(plain(err)))
	}
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%w: %s is not a folder", intake.ErrNoMetadata, c.Dir)
	}
	f := &Folder{Corpus: c}
	if f.Links, err = intake.NewLinks(c.Dir, roots); err == nil {
		f.root, err = filepath.Abs(c.Dir)
	}
	if err != nil {
		return nil, fmt.Errorf("dataset %s: %w", c.Dir, err)
	}
	return f, nil
}

// List lists the folders where most audio stands, which the first rows would
// otherwise wait for.
func (c *Folder) List() {
	c.list(".")
	c.list("wavs")
}

// At is the clip of a row whose audio was found before, by the name that messages
// give it.
func (c *Folder) At(name string, now Stamp, a *intake.Audio) Clip {
	rel := c.Local(name)
	if a != nil && a.Member > 0 {
		rel = a.Path
	}
	return Clip{file: c.Path(rel), name: name, stamp: now, audio: a}
}

// NameOf is how messages and the stat table name a row's audio.
func (c *Folder) NameOf(r *intake.Row, rel string) string {
	if r.Audio != nil && r.Audio.Member > 0 {
		rel = fmt.Sprintf("%s#%d:%s", rel, r.Audio.Member, r.Audio.Inner)
	}
	return c.IDOf(rel)
}

// Find finds a row's audio in steps, of which an earlier one hides the later: the
// very path that the metadata names; that name with any extension, in its folder
// and in the same one of wavs, where rows without a path begin by their id; a name
// that differs in Unicode form alone; one that differs in case; and, where the
// named folder has no recordings, the last part of the name by the same steps. Two
// files at one step are refused, since a wrong recording would go unseen.
//
// It returns the path below the corpus, what lstat says of the file, and how its
// name differs from what the row says ("" for not at all).
func (c *Folder) Find(r *intake.Row) (rel string, now Stamp, differs string, err error) {
	if r.Audio == nil || r.Audio.Path == "" {
		return c.byName(c.Local(r.ID))
	}
	if rel := r.Audio.Path; r.Audio.Member > 0 || c.has(rel) {
		now, err := c.stat(rel)
		return rel, now, "", err
	}
	name, err := intake.ID(r.Audio.Path)
	if err != nil {
		return "", Stamp{}, "", err // the metadata's reader lets none pass
	}
	if rel, now, differs, err = c.byName(name); !errors.Is(err, errNoClip) || !strings.Contains(name, "/") {
		return rel, now, differs, err
	}
	if !c.list(path.Dir(name)).audio.empty() {
		return "", Stamp{}, "", err // the metadata names a folder that is there: a clip of this name elsewhere is another one
	}
	// Lists that were made for another folder keep its name, as DUMMY/ in those of Tacotron.
	if rel, now, differs, err = c.byName(path.Base(name)); !errors.Is(err, errNoClip) {
		return rel, now, differs, err
	}
	return "", Stamp{}, "", fmt.Errorf("no audio: neither %s nor %s of the same name is there", r.Audio.Path, path.Join("wavs", path.Base(r.Audio.Path)))
}

// FindOne is Find for who asks for one row alone. It asks for the files that the row may
// have, one by one, before it lists a folder of a million.
func (c *Folder) FindOne(r *intake.Row) (rel string, now Stamp, differs string, err error) {
	id := c.Local(r.ID)
	names := []string{path.Join("wavs", id), id}
	if r.Audio != nil && r.Audio.Path != "" {
		return c.Find(r)
	}
	var found []string
	for _, name := range names {
		if c.inside(c.Path(path.Dir(name)), name) != nil {
			continue // it is not there, or may not be looked into
		}
		for _, ext := range intake.AudioExtensions {
			if _, err := os.Lstat(c.Path(name + ext)); err == nil {
				found = append(found, name+ext)
			}
		}
	}
	if len(found) == 1 {
		if now, err = c.stat(found[0]); err == nil {
			return found[0], now, "", nil
		}
	}
	return c.Find(r)
}

// Inputs are the files and folders that the rows of a corpus are made of, which
// table has.
func (c *Folder) Inputs(table *intake.Table) []string {
	var list []string
	add := func(rel string) {
		if path.IsAbs(rel) {
			list = append(list, filepath.FromSlash(rel))
		} else if rel != "." {
			list = append(list, filepath.Join(c.Dir, filepath.FromSlash(rel)))
		}
	}
	for _, f := range append(slices.Clone(table.Files), table.Folders...) {
		add(f)
	}
	folders := map[string]bool{}
	beside := c.nearest("wavs") == "."
	for i := range table.Rows {
		r := &table.Rows[i]
		if rel, _, _, err := c.Find(r); err == nil {
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

// nearest is the folder itself where it is there, else the nearest one above it,
// in which it would turn up; "." where none is below the corpus.
func (c *Folder) nearest(dir string) string {
	for dir != "." && dir != "/" {
		if info, err := os.Stat(c.Path(dir)); err == nil && info.IsDir() {
			return dir
		}
		dir = path.Dir(dir)
	}
	return "."
}

package intake

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// readers of small files and folders work side by side. The 44,000 texts of VCTK
// took 0.75 s from memory by 3 to 8 of them, 0.84 s by one, on two busy cores; on
// cold disks and over a network the more of them wait at once the better.
const readers = 8

// spread calls do for every i below n from a few goroutines and waits for them.
// do is called from several goroutines; each writes to its own i only.
func spread(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(readers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// small is the text of a small file, or why it has none.
type small struct {
	text string
	err  error
}

// smallTexts are the texts of files, in the files' order. They count as read.
// A file that cannot be read is its own error, so that one of 44,000 costs one row.
func (in *Input) smallTexts(files []string) []small {
	in.table.Files = append(in.table.Files, files...)
	out := make([]small, len(files))
	spread(len(files), func(i int) {
		text, ok := in.texts[files[i]]
		if !ok { // not by readText, whose buffer is larger than such a file
			b, err := os.ReadFile(in.path(files[i]))
			text, out[i].err = string(b), plain(err)
		}
		text = strings.TrimPrefix(text, "\xef\xbb\xbf")
		out[i].text, out[i].err = text, cmp.Or(out[i].err, foreign(text))
	})
	return out
}

// plain strips the path from a file error; the place of a refusal names it already.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// utterance is the text of a file that holds one: its lines in one line. The bound
// of a line holds for the whole, which is one row.
func (s small) utterance() (string, error) {
	text := strings.TrimSpace(s.text)
	if _, err := badLine(text); s.err == nil && err != nil {
		return "", err
	}
	if s.err == nil && text == "" {
		return "", errors.New("the text is empty")
	}
	return oneLine(text), s.err
}

// oneLine is a text without line ends, of which a row's text has none.
func oneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		return strings.Join(strings.Fields(text), " ")
	}
	return text
}

// listing is a folder below the corpus.
type listing struct {
	dir     string
	folders []string // names, sorted; hidden ones are left out
	files   []string
	astray  []string // links that lead out of the corpus, or nowhere
	err     error
}

// lists lists folders, in their order; "" is none. They count as read, and links that lead
// astray are refused: the corpus would not be the same in another place.
func (in *Input) lists(dirs []string) []listing {
	in.table.Folders = slices.DeleteFunc(append(in.table.Folders, dirs...), func(dir string) bool { return dir == "" })
	out := make([]listing, len(dirs))
	spread(len(dirs), func(i int) {
		if dirs[i] != "" {
			out[i] = in.list(dirs[i])
		}
	})
	defer func(file string) { in.File = file }(in.File)
	for _, l := range out {
		for _, name := range l.astray {
			in.refuseFile(path.Join(l.dir, name), "", errAstray)
		}
		if l.err != nil {
			in.refuseFile(l.dir, "", fmt.Errorf("the folder cannot be listed: %w", l.err))
		}
	}
	return out
}

// A link counts as what it leads to. A fault of the machine is not taken for a link
// that leads astray: it would refuse rows for a disk that was away.
func (c Corpus) list(dir string) listing {
	l := listing{dir: dir}
	entries, err := os.ReadDir(c.path(dir))
	l.err = plain(err)
	for _, e := range entries {
		kind, name := e.Type(), e.Name()
		if strings.HasPrefix(name, ".") {
			continue
		}
		if kind&fs.ModeSymlink != 0 {
			if kind, err = c.linkedTo(path.Join(dir, name)); IsMachine(err) {
				l.err = fmt.Errorf("%s: %w", name, plain(err))
				continue
			}
			if err != nil {
				l.astray = append(l.astray, name)
				continue
			}
		}
		switch {
		case kind.IsDir():
			l.folders = append(l.folders, name)
		case kind.IsRegular():
			l.files = append(l.files, name)
		}
	}
	return l
}

// Links that are refused. What they lead to is not said: the reasons of refusals are
// stored, and a path of a machine is no part of a dataset. A build says it.
var (
	errLeadsOut = errors.New("it leads out of the corpus")
	errAstray   = errors.New("a link out of the corpus, or to nothing; name the folder that it leads into with audio_roots, or copy in what it leads to")
)

// linkedTo is what a link leads to inside the corpus.
func (c Corpus) linkedTo(file string) (fs.FileMode, error) {
	links := c.Links
	if links == nil {
		var err error
		if links, err = NewLinks(c.Dir, nil); err != nil {
			return 0, err
		}
	}
	target, out, err := links.Follow(c.path(file))
	if err != nil {
		return 0, err
	}
	if out {
		return 0, errLeadsOut
	}
	info, err := os.Stat(target)
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), nil
}

// within are the paths of names in a listing's folder.
func (l listing) within(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = path.Join(l.dir, name)
	}
	return out
}

// foldersOf are the paths of the folders in listings.
func foldersOf(list []listing) []string {
	var out []string
	for _, l := range list {
		out = append(out, l.within(l.folders)...)
	}
	return out
}

// regular reports whether a file of a folder is there, for formats that look
// for their own files.
func regular(dir string, file ...string) bool {
	info, err := os.Stat(filepath.Join(append([]string{dir}, file...)...))
	return err == nil && info.Mode().IsRegular()
}

// isFolder is regular for folders; a link to one counts.
func isFolder(dir string, name ...string) bool {
	info, err := os.Stat(filepath.Join(append([]string{dir}, name...)...))
	return err == nil && info.IsDir()
}

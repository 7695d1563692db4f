package compiler

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// audioExtensions are the extensions an id's audio may have.
var audioExtensions = []string{".wav"}

func knownAudio(ext string) bool {
	return slices.Contains(audioExtensions, strings.ToLower(ext))
}

// finder finds the audio file of an id. It lists a folder once instead of
// asking for every possible name: 13,100 ids cost two listings.
type finder struct {
	root string // the dataset's folder
	real string // the same without symlinks

	mu      sync.Mutex
	folders map[string]*folder
}

// folder is a listed folder: names sorted, and whether it lies in the dataset.
type folder struct {
	names []string
	err   error
}

func newFinder(dataset string) (*finder, error) {
	abs, err := filepath.Abs(dataset)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	return &finder{root: abs, real: real, folders: map[string]*folder{}}, nil
}

// find returns the path, relative to the dataset, of the one audio file of an
// id, and what lstat says of it.
func (f *finder) find(id string) (string, fs.FileInfo, error) {
	var found []string
	dirs, stem := [2]string{"wavs", "."}, id
	if strings.Contains(id, "/") {
		dirs, stem = [2]string{path.Join("wavs", path.Dir(id)), path.Dir(id)}, path.Base(id)
	}
	for _, dir := range dirs {
		folder := f.list(dir)
		if folder.err != nil {
			return "", nil, folder.err
		}
		found = folder.appendAudio(found, dir, stem)
	}
	switch len(found) {
	case 0:
		return "", nil, fmt.Errorf("no audio: neither %s%s nor %s%s is there", path.Join("wavs", id), audioExtensions[0], id, audioExtensions[0])
	case 1:
	default:
		return "", nil, fmt.Errorf("%d audio files have this name (%s); keep one", len(found), strings.Join(found, ", "))
	}
	info, err := f.stat(found[0])
	return found[0], info, err
}

// path is where a file of the dataset stands.
func (f *finder) path(rel string) string { return filepath.Join(f.root, filepath.FromSlash(rel)) }

func (f *finder) stat(rel string) (fs.FileInfo, error) {
	full := f.path(rel)
	info, err := os.Lstat(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: it was there a moment ago: %w", rel, errChanged)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", rel, plain(err))
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if err := f.inside(full, rel); err != nil {
			return nil, err
		}
		if info, err = os.Stat(full); err != nil {
			return nil, fmt.Errorf("%s is a link to nothing", rel)
		}
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", rel)
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("%s is empty (0 bytes)", rel)
	}
	return info, nil
}

// inside refuses a link that leads out of the dataset: the dataset would not
// be the same in another place.
func (f *finder) inside(full, rel string) error {
	target, err := filepath.EvalSymlinks(full)
	if err != nil {
		return fmt.Errorf("%s is a link to nothing", rel)
	}
	if target != f.real && !strings.HasPrefix(target, f.real+string(filepath.Separator)) {
		return fmt.Errorf("%s is a link out of the dataset; copy the file in, or name the folder that holds everything", rel)
	}
	return nil
}

// list lists a folder once; a folder that is not there is empty.
func (f *finder) list(dir string) *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	if have := f.folders[dir]; have != nil {
		return have
	}
	have := &folder{}
	f.folders[dir] = have
	full := f.path(dir)
	d, err := os.Open(full)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			have.err = fmt.Errorf("folder %s: %w", dir, plain(err))
		}
		return have
	}
	defer d.Close()
	if have.err = f.inside(full, dir); have.err != nil {
		return have
	}
	have.names, err = d.Readdirnames(-1)
	if err != nil && len(have.names) == 0 {
		if info, e := d.Stat(); e == nil && !info.IsDir() {
			return have
		}
		have.err = fmt.Errorf("folder %s: %w", dir, plain(err))
	}
	slices.Sort(have.names)
	return have
}

// appendAudio adds the audio files of a stem, in the order of their names.
func (d *folder) appendAudio(found []string, dir, stem string) []string {
	if len(d.names) == 0 {
		return found
	}
	stem += "."
	i, _ := slices.BinarySearch(d.names, stem)
	for ; i < len(d.names) && strings.HasPrefix(d.names[i], stem); i++ {
		if ext := d.names[i][len(stem)-1:]; knownAudio(ext) {
			rel := d.names[i]
			if dir != "." {
				rel = dir + "/" + rel
			}
			if !slices.Contains(found, rel) {
				found = append(found, rel)
			}
		}
	}
	return found
}

// plain strips the path from a file error; the message names it already.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

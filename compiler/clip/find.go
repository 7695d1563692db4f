package clip

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode"
	"unicode/utf8"

	"voxpack/audio/codec"
	"voxpack/compiler/intake"
	"voxpack/textnorm"
)

// folder is a listed folder.
type folder struct {
	once  sync.Once
	audio *listing // nil: it is not there, or cannot be listed
	err   error

	fold   sync.Once
	folded map[string][]string // names of audio by folded stems
}

// errNoClip is what find gives for a name that no file has.
var errNoClip = errors.New("no audio")

// byName returns the path, relative to the dataset, of the one audio file of an
// id, and what lstat says of it. differs says in what its name is not the id's,
// "" where it is.
func (f *Folder) byName(id string) (rel string, now Stamp, differs string, err error) {
	first, second, stem := "wavs", ".", id
	if strings.Contains(id, "/") {
		first, second, stem = path.Join("wavs", path.Dir(id)), path.Dir(id), path.Base(id)
	}
	in, beside := f.list(first), f.list(second)
	if err := cmp.Or(in.err, beside.err); err != nil {
		return "", Stamp{}, "", err
	}
	found := beside.audio.appendTo(in.audio.appendTo(nil, first, stem), second, stem)
	if len(found) == 0 {
		found, differs = alike(append(in.like(first, stem), beside.like(second, stem)...), stem)
	}
	switch {
	case len(found) == 0:
		err = fmt.Errorf("%w: neither %s%s nor %s%s is there", errNoClip, path.Join("wavs", id), intake.AudioExtensions[0], id, intake.AudioExtensions[0])
	case len(found) > 1 && differs != "":
		err = fmt.Errorf("no audio has this name, and %d differ from it only in %s (%s); rename the one that is meant", len(found), differs, strings.Join(found, ", "))
	case len(found) > 1:
		err = fmt.Errorf("%d audio files have this name (%s); keep one", len(found), strings.Join(found, ", "))
	}
	if err != nil {
		return "", Stamp{}, "", err
	}
	now, err = f.stat(found[0])
	return found[0], now, differs, err
}

// The ways in which a file's name may differ from the id and still be meant. One
// program writes é as one character, another as two, and a person sees no
// difference; a system that does not tell cases apart hides that difference too.
const (
	differsInForm = "Unicode form"
	differsInCase = "case"
)

// alike leaves those of the files that come nearest to a stem, and says in what
// they differ from it: case counts for more than the Unicode form.
func alike(files []string, stem string) ([]string, string) {
	composed := textnorm.Compose(stem)
	var same []string
	for _, rel := range files {
		name := path.Base(rel)
		if textnorm.Compose(name[:len(name)-len(path.Ext(name))]) == composed {
			same = append(same, rel)
		}
	}
	if len(same) > 0 {
		return same, differsInForm
	}
	return files, differsInCase
}

// like lists the audio files whose stems are the stem but for their case and
// their Unicode form, in the order of their names.
func (d *folder) like(dir, stem string) []string {
	d.fold.Do(func() {
		d.folded = map[string][]string{}
		d.audio.each(func(name string) {
			key := folding(stemOf(name))
			d.folded[key] = append(d.folded[key], name)
		})
	})
	var found []string
	for _, name := range d.folded[folding(stem)] {
		found = append(found, below(dir, name))
	}
	slices.Sort(found)
	return found
}

// folding is the same for two stems whose composed forms strings.EqualFold takes
// for equal. A name that is no UTF-8 is only itself: all its broken bytes would
// be one character.
func folding(stem string) string {
	if !utf8.ValidString(stem) {
		return stem
	}
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, textnorm.Compose(stem))
}

// below is a file's path in a folder of the dataset.
func below(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// has reports whether a path names an audio file that is there.
func (f *Folder) has(rel string) bool {
	dir, name := path.Dir(rel), path.Base(rel)
	return slices.Contains(f.list(dir).audio.appendTo(nil, dir, stemOf(name)), rel)
}

// Path is where a file of the dataset stands.
func (f *Folder) Path(rel string) string {
	return f.root + string(filepath.Separator) + filepath.FromSlash(rel)
}

// stat asks the system directly: on 13,100 files os.Lstat spends 4 MB on what
// is not asked for here.
func (f *Folder) stat(rel string) (Stamp, error) {
	full := f.Path(rel)
	var st syscall.Stat_t
	err := uninterrupted(func() error { return syscall.Lstat(full, &st) })
	if errors.Is(err, fs.ErrNotExist) {
		return Stamp{}, fmt.Errorf("%s: it was there a moment ago: %w", rel, ErrChanged)
	}
	if err != nil {
		return Stamp{}, fmt.Errorf("%s: %w", rel, err)
	}
	if st.Mode&syscall.S_IFMT == syscall.S_IFLNK {
		if err := f.inside(full, rel); err != nil {
			return Stamp{}, err
		}
		if err := uninterrupted(func() error { return syscall.Stat(full, &st) }); err != nil {
			return Stamp{}, nowhere(rel, err)
		}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return Stamp{}, fmt.Errorf("%s is not a file", rel)
	}
	if st.Size == 0 {
		return Stamp{}, fmt.Errorf("%s is empty (0 bytes)", rel)
	}
	return newStamp(&st), nil
}

// uninterrupted repeats a call that a signal ended.
func uninterrupted(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}

// inside refuses a link that leads out of the dataset: the dataset would not
// be the same in another place.
func (f *Folder) inside(full, rel string) error {
	_, out, err := f.Links.Follow(full)
	if err != nil {
		return nowhere(rel, err)
	}
	if out {
		return outside(rel)
	}
	return nil
}

// outside is the error of a link that leads where none may.
func outside(rel string) error {
	return fmt.Errorf("%s is a link out of the dataset; name the folder that it leads into with audio_roots, or copy in what it leads to", rel)
}

// nowhere is the error of a link that could not be followed.
func nowhere(rel string, err error) error {
	if intake.IsMachine(err) {
		return fmt.Errorf("link %s: %w", rel, plain(err))
	}
	return fmt.Errorf("%s is a link to nothing", rel)
}

// list lists a folder once; a folder that is not there is empty.
func (f *Folder) list(dir string) *folder {
	have, ok := f.folders.Load(dir)
	if !ok {
		have, _ = f.folders.LoadOrStore(dir, &folder{})
	}
	d := have.(*folder)
	d.once.Do(func() { d.read(f, dir) })
	return d
}

func (d *folder) read(f *Folder, dir string) {
	full := f.Path(dir)
	open, err := os.Open(full)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.err = fmt.Errorf("folder %s: %w", dir, plain(err))
		}
		return
	}
	defer open.Close()
	if d.err = f.inside(full, dir); d.err != nil {
		return
	}
	var names strings.Builder
	some := false
	for err == nil {
		var list []string
		list, err = open.Readdirnames(4096)
		some = some || len(list) > 0
		for _, name := range list {
			if intake.KnownAudio(path.Ext(name)) && (f.Raw || !codec.RawName(name)) {
				names.WriteString(name)
				names.WriteByte('/')
			}
		}
	}
	if intake.IsMachine(err) { // what it gave before is not all that is there
		d.err = fmt.Errorf("folder %s: %w", dir, plain(err))
		return
	}
	if err != io.EOF && !some {
		if info, e := open.Stat(); e != nil || info.IsDir() {
			d.err = fmt.Errorf("folder %s: %w", dir, plain(err))
		}
		return
	}
	d.audio = newListing(names.String())
}

// plain strips the path from a file error; the message names it already.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

package compiler

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
	"syscall"
	"unicode/utf8"

	"voxpack/textnorm"
)

// audioExtensions are the extensions an id's audio may have. They find a file,
// no more: what it is, its first bytes tell. The first line is read by package
// audio, the others by ffmpeg where it is installed.
var audioExtensions = []string{
	".wav", ".flac", ".mp3", ".ogg", ".oga",
	".opus", ".spx", ".m4a", ".m4b", ".mp4", ".aac", ".ac3", ".wma", ".webm", ".mka",
	".aif", ".aiff", ".aifc", ".caf", ".au", ".amr", ".3gp", ".ape", ".tta", ".wv",
}

func knownAudio(ext string) bool {
	return slices.Contains(audioExtensions, strings.ToLower(ext))
}

// finder finds the audio file of an id. It lists a folder once instead of
// asking for every possible name: 13,100 ids cost two listings. It is safe for
// concurrent use.
type finder struct {
	root string // the dataset's folder
	real string // the same without symlinks

	folders sync.Map // of *folder by path
}

// folder is a listed folder, by the names of its audio files without the
// extension. One stem with two files is rare and has its own map.
type folder struct {
	once  sync.Once
	audio map[string]string
	more  map[string][]string // those beside the one in audio
	err   error

	forms    sync.Once
	composed map[string]string // names of audio by their stems in NFC, ASCII left out
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
	return &finder{root: abs, real: real}, nil
}

// find returns the path, relative to the dataset, of the one audio file of an
// id, and what lstat says of it.
func (f *finder) find(id string) (string, stamp, error) {
	first, second, stem := "wavs", ".", id
	if strings.Contains(id, "/") {
		first, second, stem = path.Join("wavs", path.Dir(id)), path.Dir(id), path.Base(id)
	}
	in, beside := f.list(first), f.list(second)
	if err := cmp.Or(in.err, beside.err); err != nil {
		return "", stamp{}, err
	}
	one, inFirst := in.audio[stem]
	other, inSecond := beside.audio[stem]
	if !inFirst && !inSecond {
		return "", stamp{}, fmt.Errorf("no audio: neither %s%s nor %s%s is there%s", path.Join("wavs", id), audioExtensions[0], id, audioExtensions[0],
			cmp.Or(in.looksLike(first, stem), beside.looksLike(second, stem)))
	}
	if inFirst && inSecond || len(in.more[stem])+len(beside.more[stem]) > 0 {
		found := append(in.all(first, stem), beside.all(second, stem)...)
		return "", stamp{}, fmt.Errorf("%d audio files have this name (%s); keep one", len(found), strings.Join(found, ", "))
	}
	rel := below(first, one)
	if inSecond {
		rel = below(second, other)
	}
	now, err := f.stat(rel)
	return rel, now, err
}

// looksLike says that a folder has the stem in another Unicode form, "" if it
// has not: one program writes é as one character, another as two, and a person
// sees no difference.
func (d *folder) looksLike(dir, stem string) string {
	d.forms.Do(func() {
		d.composed = map[string]string{}
		for have, name := range d.audio {
			if !isASCII(have) {
				d.composed[textnorm.Compose(have)] = name
			}
		}
	})
	name, ok := d.composed[textnorm.Compose(stem)]
	if !ok {
		return ""
	}
	return fmt.Sprintf("; %s is, and differs only in its Unicode form (%+q, the id has %+q): write both the same way", below(dir, name), name, stem)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// below is a file's path in a folder of the dataset.
func below(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// all lists the audio files of a stem, in the order of their names.
func (d *folder) all(dir, stem string) []string {
	var found []string
	if name, ok := d.audio[stem]; ok {
		found = append(found, below(dir, name))
	}
	for _, name := range d.more[stem] {
		found = append(found, below(dir, name))
	}
	slices.Sort(found)
	return found
}

// path is where a file of the dataset stands.
func (f *finder) path(rel string) string {
	return f.root + string(filepath.Separator) + filepath.FromSlash(rel)
}

// stat asks the system directly: on 13,100 files os.Lstat spends 4 MB on what
// is not asked for here.
func (f *finder) stat(rel string) (stamp, error) {
	full := f.path(rel)
	var st syscall.Stat_t
	err := uninterrupted(func() error { return syscall.Lstat(full, &st) })
	if errors.Is(err, fs.ErrNotExist) {
		return stamp{}, fmt.Errorf("%s: it was there a moment ago: %w", rel, errChanged)
	}
	if err != nil {
		return stamp{}, fmt.Errorf("%s: %w", rel, err)
	}
	if st.Mode&syscall.S_IFMT == syscall.S_IFLNK {
		if err := f.inside(full, rel); err != nil {
			return stamp{}, err
		}
		if err := uninterrupted(func() error { return syscall.Stat(full, &st) }); err != nil {
			return stamp{}, fmt.Errorf("%s is a link to nothing", rel)
		}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return stamp{}, fmt.Errorf("%s is not a file", rel)
	}
	if st.Size == 0 {
		return stamp{}, fmt.Errorf("%s is empty (0 bytes)", rel)
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
	have, ok := f.folders.Load(dir)
	if !ok {
		have, _ = f.folders.LoadOrStore(dir, &folder{})
	}
	d := have.(*folder)
	d.once.Do(func() { d.read(f, dir) })
	return d
}

func (d *folder) read(f *finder, dir string) {
	full := f.path(dir)
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
	names, err := open.Readdirnames(-1)
	if err != nil && len(names) == 0 {
		if info, e := open.Stat(); e != nil || info.IsDir() {
			d.err = fmt.Errorf("folder %s: %w", dir, plain(err))
		}
		return
	}
	d.audio = make(map[string]string, len(names))
	for _, name := range names {
		d.add(name)
	}
}

func (d *folder) add(name string) {
	ext := path.Ext(name)
	if !knownAudio(ext) {
		return
	}
	stem := name[:len(name)-len(ext)]
	if _, twice := d.audio[stem]; !twice {
		d.audio[stem] = name
		return
	}
	if d.more == nil {
		d.more = map[string][]string{}
	}
	d.more[stem] = append(d.more[stem], name)
}

// plain strips the path from a file error; the message names it already.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

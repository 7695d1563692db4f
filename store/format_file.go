package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"voxpack/internal/atomicfile"

	"golang.org/x/sys/unix"
)

// The names inside a store.
const (
	formatName = "format"
	lockName   = "lock"
	packsName  = "packs"
	refsName   = "refs"
	cacheName  = "cache"

	tempPrefix  = atomicfile.TempPrefix // a pack being written, or left by a killed build
	mergePrefix = ".merge-"             // a pack that a merge writes; all of it is elsewhere too
	gonePrefix  = ".gone-"              // a pack on its way out
)

// formatWord begins the format file; the layout's version follows it. A store is made with formatFirst and gets
// formatVersion before the first extents come into it: a program of before them would drop the blocks that they are of.
const (
	formatWord    = "voxpack store "
	formatFirst   = 1
	formatVersion = 2
)

// checkFormat says whether dir is a store: ErrNoStore, ErrNewer or ErrDamaged. A
// store whose creation was cut short after the format file is none yet.
func checkFormat(dir string) error {
	if err := readFormat(dir); err != nil {
		return err
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	if there(packsName) {
		return nil
	}
	if there(refsName) {
		return fmt.Errorf("store %s has lost its folder %s, and with it all that was built; delete the store and run voxpack build again: %w", dir, packsName, ErrDamaged)
	}
	return fmt.Errorf("%s is not a store yet: its creation was cut short; voxpack build completes it: %w", dir, ErrNoStore)
}

// readFormat reads the format file and refuses a newer layout. Its errors say how to repair a damaged file: the
// greatest number that is known is right for every store.
func readFormat(dir string) error {
	_, err := readVersion(dir)
	return err
}

func readVersion(dir string) (int, error) {
	path := filepath.Join(dir, formatName)
	b, err := os.ReadFile(path)
	cure := fmt.Sprintf("echo %s%d > %s", formatWord, formatVersion, pasted(path))
	if errors.Is(err, fs.ErrNotExist) && LostFormat(dir) {
		return 0, fmt.Errorf("store %s has lost its file %s; its packs are not affected, and this command writes it again: %s: %w", dir, formatName, cure, ErrDamaged)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return 0, fmt.Errorf("%s is not a store; make one with voxpack build: %w", dir, ErrNoStore)
	}
	if err != nil {
		return 0, fmt.Errorf("store %s: %w", dir, err)
	}
	version, err := parseFormat(string(b))
	if err != nil {
		return 0, fmt.Errorf("%s: %w; if it is a store, its packs are not affected, and this command repairs it: %s", path, err, cure)
	}
	if version > formatVersion {
		return 0, fmt.Errorf("store %s has layout %d, this voxpack reads up to %d; update voxpack, or build into another store with -o; if no newer voxpack has used it, the file is damaged, and this command repairs it: %s: %w",
			dir, version, formatVersion, cure, ErrNewer)
	}
	return version, nil
}

// raiseFormat sets the number of a store, if it is lower.
func raiseFormat(dir string) error {
	version, err := readVersion(dir)
	if err != nil || version >= formatVersion {
		return err
	}
	return writeFormat(dir, formatVersion)
}

func writeFormat(dir string, version int) error {
	return atomicfile.Write(filepath.Join(dir, formatName), fmt.Appendf(nil, "%s%d\n", formatWord, version))
}

// LostFormat reports whether dir is a store but for its format file: it has a sealed pack,
// and a place for refs.
func LostFormat(dir string) bool {
	if _, err := os.Stat(filepath.Join(dir, refsName)); err != nil {
		return false
	}
	packs, _ := os.ReadDir(packsDir(dir))
	return slices.ContainsFunc(packs, func(p fs.DirEntry) bool {
		_, err := os.Stat(filepath.Join(packPath(dir, p.Name()), sealName))
		return err == nil
	})
}

func parseFormat(s string) (int, error) {
	digits, ok := strings.CutPrefix(s, formatWord)
	if !ok {
		return 0, fmt.Errorf("does not begin with %q: %w", formatWord, ErrDamaged)
	}
	version, err := strconv.ParseUint(strings.TrimSuffix(digits, "\n"), 10, 31)
	if err != nil || version == 0 || digits != fmt.Sprintf("%d\n", version) {
		return 0, fmt.Errorf("version %q is not a number from 1 and a line feed: %w", digits, ErrDamaged)
	}
	return int(version), nil
}

// makeLayout creates a store in dir, or completes one whose creation was cut
// short. A folder that holds anything else is refused. The format file comes
// first: without it the folder is empty to CheckEmpty, and with it every later
// call completes the folders.
func makeLayout(dir string) error {
	err := readFormat(dir)
	if err != nil && !errors.Is(err, ErrNoStore) {
		return err
	}
	if err != nil {
		if err := CheckEmpty(dir); err != nil {
			return err
		}
		if err := makeFolder(dir); err != nil {
			return placeError(dir, err)
		}
		if err := probe(dir); err != nil {
			return placeError(dir, err)
		}
		if err := writeFormat(dir, formatFirst); err != nil {
			return placeError(dir, err)
		}
	}
	// The cache is OpenCache's: nothing that is wrong with it keeps a store from being.
	for _, name := range []string{packsName, refsName + "/heads", refsName + "/tags"} {
		if err := makeFolder(filepath.Join(dir, name)); err != nil {
			return placeError(dir, err)
		}
	}
	return nil
}

// makeFolder makes a folder, and those above it that are missing, so that a
// power cut cannot take their names back once something durable lies in them.
func makeFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	up := filepath.Dir(path)
	if up != path {
		if err := makeFolder(up); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o777); errors.Is(err, fs.ErrExist) {
		if info, stat := os.Stat(path); stat == nil && info.IsDir() {
			return nil // another process was faster
		}
		return err
	} else if err != nil {
		return err
	}
	err := atomicfile.SyncFolder(up)
	if errors.Is(err, fs.ErrPermission) {
		return nil // may be written and entered, not listed: the most that can be done
	}
	return err
}

// CheckEmpty refuses a folder with things in it that are not of a store whose
// creation was cut short.
func CheckEmpty(dir string) error {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return placeError(dir, err)
	}
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			return fmt.Errorf("%s holds %q and is not a store; name a new or empty folder with -o", dir, e.Name())
		}
	}
	return nil
}

// probe tries what a store needs of its file system: locks and shared mappings.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err := flock(f, unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return err
	}
	if err := f.Truncate(1); err != nil {
		return err
	}
	m, err := unix.Mmap(int(f.Fd()), 0, 1, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return err
	}
	return unix.Munmap(m)
}

// tidyTemps removes files that a killed process was writing in the store's
// folder and among the refs. A living one needs its file for a moment only; what
// cannot be removed stays.
func tidyTemps(dir string) {
	remove := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(d.Name(), tempPrefix) {
			return nil
		}
		if info, err := d.Info(); err == nil && time.Since(info.ModTime()) > time.Minute {
			_ = os.Remove(path)
		}
		return nil
	}
	_ = filepath.WalkDir(filepath.Join(dir, refsName), remove)
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		_ = remove(filepath.Join(dir, e.Name()), e, nil)
	}
}

// sizeOnDisk adds up the blocks that the files of a folder occupy.
func sizeOnDisk(folder string) (int64, error) {
	var sum int64
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += blocksOf(info)
		}
		return err
	})
	return sum, err
}

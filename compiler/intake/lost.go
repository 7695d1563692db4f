package intake

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// nothingFound is the error of a folder that has no metadata. Most who see it
// named a folder too high or too low, so it says which ones near by have some.
type nothingFound struct {
	dir  string
	near []string // as the user would type them
}

func (e *nothingFound) Unwrap() error { return ErrNoMetadata }

func (e *nothingFound) Error() string {
	what := "name a file with --metadata FILE."
	switch len(e.near) {
	case 0:
	case 1:
		what = "did you mean " + e.near[0] + "?"
	default:
		what = "did you mean " + strings.Join(e.near, " or ") + "? (All of them are one dataset under datasets: in the config.)"
	}
	return fmt.Sprintf("%v: %s has no metadata.csv and nothing else that can be read as metadata; %s Tried:%s", ErrNoMetadata, e.dir, what, tried())
}

// What is looked at round a folder is bounded: it may be the root of a disk.
const (
	nearDepth   = 2
	nearEntries = 200 // of one folder
	nearFolders = 50  // of all together
	nearShown   = 4
)

// lookNear completes the error of a folder without metadata.
// Other errors are given back as they are.
func (c Corpus) lookNear(err error) error {
	var e *nothingFound
	if !errors.As(err, &e) {
		return err
	}
	left := nearFolders
	if holdsClips(c.Dir) && holdsCorpus(filepath.Join(c.Dir, "..")) {
		e.near = append(e.near, filepath.Join(c.Dir, ".."))
	} else {
		lookBelow(e, c.Dir, nearDepth, &left)
	}
	return err
}

// lookBelow adds the corpora in the folders of a folder.
func lookBelow(e *nothingFound, dir string, depth int, left *int) {
	for _, entry := range firstEntries(dir) {
		if !entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || *left == 0 || len(e.near) == nearShown {
			continue
		}
		*left--
		switch below := filepath.Join(dir, entry.Name()); {
		case holdsCorpus(below):
			e.near = append(e.near, below)
		case depth > 1:
			lookBelow(e, below, depth-1, left)
		}
	}
}

// holdsCorpus reports whether a folder's metadata would be found. Of one with many
// files only metadata.csv is looked at.
func holdsCorpus(dir string) bool {
	if len(firstEntries(dir)) == nearEntries {
		if _, err := os.Stat(filepath.Join(dir, "metadata.csv")); err != nil {
			return false
		}
	}
	_, _, err := find(Corpus{Dir: dir})
	return err == nil
}

// holdsClips reports whether a folder has audio right in it, and so may be that of a
// corpus's clips.
func holdsClips(dir string) bool {
	return slices.ContainsFunc(firstEntries(dir), func(e os.DirEntry) bool { return !e.IsDir() && KnownAudio(filepath.Ext(e.Name())) })
}

// OtherClips lists the folders right below a corpus that hold audio and in which
// nobody looks for a row's that names no folder.
func (c Corpus) OtherClips() (list []string) {
	for _, e := range firstEntries(c.Dir) {
		if e.IsDir() && e.Name() != "wavs" && !strings.HasPrefix(e.Name(), ".") && holdsClips(filepath.Join(c.Dir, e.Name())) && len(list) < nearShown {
			list = append(list, c.IDOf(e.Name())+"/")
		}
	}
	return list
}

// firstEntries lists a folder as far as it is looked at, sorted.
func firstEntries(dir string) []os.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(nearEntries)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// foreign is what is wrong with the first bytes of a file of text, nil for nothing:
// the encodings that office programs save in, and the line ends of systems gone by,
// with which a whole file is one line.
func foreign(s string) error {
	switch {
	case strings.HasPrefix(s, "PK\x03\x04"):
		return errors.New("the file is a ZIP archive, as spreadsheets are; save it as text, UTF-8")
	case wide(s) == 2:
		return errors.New("the file is UTF-16; save it as UTF-8")
	case wide(s) == 4:
		return errors.New("the file is UTF-32; save it as UTF-8")
	case utf8.ValidString(s) && !strings.Contains(s, "\n") && strings.Contains(strings.TrimRight(s, "\r"), "\r"):
		return errors.New("its lines end with CR alone; save the file with LF or CR LF at their ends")
	}
	return nil
}

// wide is the least bytes of a character, 2 of UTF-16, 4 of UTF-32, else 1: by the
// byte order mark (RFC 2781 and the Unicode Standard, section 2.6), else by where
// bytes of 0 are. ASCII characters, which every file of metadata has, leave them
// at the same place of two or of four bytes; damage leaves single ones anywhere.
func wide(s string) int {
	switch {
	case strings.HasPrefix(s, "\xff\xfe\x00\x00"), strings.HasPrefix(s, "\x00\x00\xfe\xff"):
		return 4
	case strings.HasPrefix(s, "\xff\xfe"), strings.HasPrefix(s, "\xfe\xff"):
		return 2
	}
	s = s[:min(len(s), 1<<12)&^3]
	var zeros [4]int // by the place in four bytes
	for i := range len(s) {
		if s[i] == 0 {
			zeros[i%4]++
		}
	}
	even, odd := zeros[0]+zeros[2], zeros[1]+zeros[3]
	switch fours := len(s) / 4; {
	case fours > 0 && (zeros[0] == fours || zeros[3] == fours) && min(even, odd) > 0:
		return 4
	case min(even, odd) == 0 && even+odd > 1+len(s)/16:
		return 2
	}
	return 1
}

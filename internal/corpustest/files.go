package corpustest

import (
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Files are the files of a corpus in a folder, as os.CopyFS takes them: all but
// those whose name, or whose folder's, begins with a dot. A store in the folder
// (.voxpack) would make each build of a copy one with nothing to do.
func Files(dir string) fs.FS { return visible{os.DirFS(dir)} }

type visible struct{ fs.FS }

// ReadDir lists a folder without hidden names.
func (v visible) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(v.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), ".") }), err
}

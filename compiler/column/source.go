package column

import (
	"fmt"
	"path"
	"strings"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
	"voxpack/compiler/kind"
	"voxpack/store"
)

// Row is what a source may know of a row.
type Row struct {
	ID      string // within its corpus
	Speaker string // "" where the metadata has none
	Frames  int    // of its mel, of the whole clip; 0: the sound cannot be used
}

// A Source has the values of one column for the rows of one corpus. Several goroutines
// use it. Of a row without a usable value the error is a *Bad; clip.ErrChanged says that
// a file is being written to; all others are faults of the machine.
type Source interface {
	// Find names a row's value: by a stat of its file, and by reading it only if the stat
	// is not the one that is remembered.
	// The Frames of the row are not asked for.
	Find(r Row) (Found, error)
	// Read reads the value that Find has found. A *Bad does not name the file.
	Read(r Row, at Found) (*array.Array, error)
}

// Found is where a row's value is.
type Found struct {
	Digest store.Digest // names the value: equal digests are equal values
	File   string       // as messages say it; "" where Find could not tell
	at     clip.Beside
}

// Tools are what sources share with the rest of a build.
type Tools struct {
	Stats  *clip.StatTable // digests of files by their stat
	Memory Memory          // of what was found in a file before
}

// Memory remembers small things by key; it may forget everything.
type Memory interface {
	Blob(key store.Key) ([]byte, bool)
	PutBlob(key store.Key, value []byte)
}

// Open is the source of a column in a corpus's folder. It reads nothing yet.
func Open(c Config, folder *clip.Folder, t Tools) Source {
	d, _ := decoderOf(c.From)
	switch {
	case d.source != nil:
		return d.source(c, folder, t)
	case c.perRow():
		return &files{Config: c, folder: folder, tools: t, decoder: d}
	}
	return &archive{Config: c, folder: folder, tools: t}
}

// placeholders are what may stand in braces in Config.From.
var placeholders = []string{"id", "name", "speaker"}

// ReadsFrames reports whether values are made of the row's frames too, as durations are
// that sum up to them.
func (c Config) ReadsFrames() bool {
	d, _ := decoderOf(c.From)
	return d.frames
}

// File is where a row's value is looked for, below its corpus; "" where it cannot be.
func (c Config) File(r Row) string {
	rel, err := c.path(r)
	if err != nil {
		return ""
	}
	return rel
}

// path is the file of a row below its corpus.
func (c Config) path(r Row) (string, error) {
	rel := strings.NewReplacer("{id}", r.ID, "{name}", path.Base(r.ID), "{speaker}", r.Speaker).Replace(c.From)
	if rel != path.Clean(rel) || path.IsAbs(rel) || strings.HasPrefix(rel, "../") || strings.ContainsRune(rel, 0) {
		return "", badf(kind.NoValue, "%q is not a path below the dataset", rel)
	}
	return rel, nil
}

// fault says what an error of looking for a file or of reading it is.
func fault(file string, err error) error {
	return fmt.Errorf("%s: %w", file, err)
}

package array

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// MaxBytes is the most that an array takes: 35 minutes of a mel of 80 bands in float32.
const MaxBytes = 64 << 20

// ErrAbsent is wrapped by the error of a name that a file does not hold.
var ErrAbsent = errors.New("no such array")

// format is a way to keep arrays in a file.
type format struct {
	name string
	ends string // of a file's name
	open func(in *input) (*index, error)
}

// formats is the table of formats.
func formats() []format {
	return []format{
		{name: "npy", ends: ".npy", open: openNPY},
		{name: "npz", ends: ".npz", open: openNPZ},
		{name: "safetensors", ends: ".safetensors", open: openSafetensors},
		{name: "Kaldi's archive", ends: ".ark", open: openArk},
	}
}

// formatOf is the format of a file's name.
func formatOf(path string) (format, error) {
	var ends []string
	for _, f := range formats() {
		if strings.EqualFold(filepath.Ext(path), f.ends) {
			return f, nil
		}
		ends = append(ends, f.ends)
	}
	return format{}, fmt.Errorf("%s: arrays are read from files whose names end in %s", filepath.Base(path), strings.Join(ends, ", "))
}

// input is a file whose format is known.
type input struct {
	r    io.ReaderAt
	size int64
	most int64 // bytes of an array
}

// index is what a format found: names in the order of the file, and a way to read
// the array with a number, which several goroutines may use.
type index struct {
	names []string
	read  func(i int) (*Array, error)
}

// File is a file of arrays. Several goroutines may read from it.
type File struct {
	names []string
	at    map[string]int
	read  func(i int) (*Array, error)
}

// New looks into a file of arrays, whose name says of what format it is. It keeps r,
// which the caller closes after the last Read.
func New(name string, r io.ReaderAt, size int64) (*File, error) {
	return open(name, &input{r: r, size: size, most: MaxBytes})
}

func open(name string, in *input) (*File, error) {
	format, err := formatOf(name)
	if err != nil {
		return nil, err
	}
	found, err := format.open(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format.name, err)
	}
	f := &File{names: found.names, at: make(map[string]int, len(found.names))}
	for i, name := range found.names {
		if _, there := f.at[name]; there {
			return nil, fmt.Errorf("%s: it holds two arrays of the name %q", format.name, name)
		}
		f.at[name] = i
	}
	f.read = func(i int) (*Array, error) {
		a, err := found.read(i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", format.name, err)
		}
		return a, nil
	}
	return f, nil
}

// Names are the names of the arrays in the order of the file; "" is that of the one
// array of a file whose array has no name.
func (f *File) Names() []string { return f.names }

// Read reads one array, and nothing else of the file. An error that wraps ErrAbsent
// says that the file holds none of the name.
func (f *File) Read(name string) (*Array, error) {
	i, there := f.at[name]
	if !there {
		return nil, fmt.Errorf("%w: %q", ErrAbsent, name)
	}
	return f.read(i)
}

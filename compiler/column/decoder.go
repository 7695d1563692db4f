package column

import (
	"bytes"
	"io"
	"path"
	"strings"

	"voxpack/compiler/clip"
	"voxpack/compiler/column/array"
)

// decoder is a kind of file that values are read from.
type decoder struct {
	ends    string // of a file's name, in lower case
	version string // another one whenever what is decoded may differ
	many    bool   // a file has several values by name, which may be those of many rows
	field   bool   // Config.Field means something
	lines   bool   // it has a line a row, and Config.Field names what of the line is the value, or which column
	frames  bool   // what is decoded depends on Row.Frames
	// decode is the value that a row's own file holds.
	decode func(c Config, file string, b []byte, r Row) (*array.Array, error)
	// open looks into a file with the values of many rows; nil unless many. What it gives may be an io.Closer.
	open func(c Config, file string, at io.ReaderAt, size int64) (members, error)
	// source makes the source itself, of a file whose values lie in others; else nil.
	source func(c Config, folder *clip.Folder, t Tools) Source
	// settle makes a row's value of what open's members gave; nil: that is the value.
	settle func(c Config, a *array.Array, r Row) (*array.Array, error)
}

// members are the values of a file by the ids of rows. Several goroutines read them.
type members interface {
	Names() []string
	// Read reads a value; array.ErrAbsent: there is none of the name.
	Read(name string) (*array.Array, error)
}

// decoders is the table of kinds of files.
var decoders = append([]decoder{
	{ends: ".npy", version: "npy/1", decode: decodeArray},
	{ends: ".npz", version: "npz/1", decode: decodeArray, many: true, field: true, open: openArrays},
	{ends: ".safetensors", version: "safetensors/1", decode: decodeArray, many: true, field: true, open: openArrays},
	{ends: ".jsonl", version: "jsonl/1", many: true, field: true, lines: true, open: openJSONL},
	{ends: ".csv", version: "csv/1", many: true, field: true, lines: true, open: openCSV},
	{ends: ".tsv", version: "csv/1", many: true, field: true, lines: true, open: openCSV},
	{ends: ".parquet", version: "parquet/1", many: true, field: true, lines: true, open: openTable},
	{ends: ".ark", version: "ark/1", decode: decodeArray, many: true, field: true, open: openArrays},
	{ends: scriptEnds, version: "scp/1", many: true, source: func(c Config, f *clip.Folder, t Tools) Source { return &script{Config: c, folder: f, tools: t} }},
}, alignments...)

func decoderOf(from string) (decoder, bool) {
	for _, d := range decoders {
		if strings.EqualFold(path.Ext(from), d.ends) {
			return d, true
		}
	}
	return decoder{}, false
}

func endings() (list []string) {
	for _, d := range decoders {
		list = append(list, d.ends)
	}
	return list
}

// decodeArray reads a file of package array: its one array, or the one that field names.
func decodeArray(c Config, file string, b []byte, _ Row) (*array.Array, error) {
	f, err := array.New(file, bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	return f.Read(c.Field)
}

func openArrays(_ Config, file string, at io.ReaderAt, size int64) (members, error) {
	return array.New(file, at, size)
}

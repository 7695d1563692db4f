// Package array reads arrays of numbers from the files that speech projects keep
// them in: NumPy's npy and npz, safetensors, and Kaldi's archives.
//
// Words: an Array is a type, a shape and values; a file holds arrays by name, or
// one array without a name.
//
// Flow:
//
//	bytes ── New ──▶ File: names                      file.go, the table of formats
//	name ── File.Read ──▶ Array                       a file each: npy.go, npz.go, …
//	lines of scp ── Places ──▶ names, files, bytes    scp.go
//	Array ── Convert ──▶ Array of the wanted type     convert.go
//
// Nothing in a file is believed before it is checked: a damaged file is an error,
// never a panic. An array takes at most MaxBytes, and no more than a file of its
// size can hold; the names take a few times the bytes of the file that lists them.
// Nothing is run: what only Python's pickle can read is refused.
//
// A new format is a file with its functions and a line in the table.
package array

// Package show is the command show: a page of a dataset, a page of one row, and
// one column of a row as files.
//
// Run makes the one that its Options ask for. Set and Row are pages; their fields
// are the JSON. A sample is the value of one column of one row, which column.go
// writes as a NumPy array, a picture or sound. media.go gives pages of other
// commands the same.
package show

// Package intake reads what corpora come as: it finds a corpus's metadata, tells
// its format, and makes rows of it.
//
// Words: a corpus is one folder of metadata and audio; a format is one way to
// write metadata, a line of the table in formats.go; a part is one file of
// metadata; a row is one utterance with its place in a part.
//
// Flow of Read, one file a step:
//
//	Corpus ── find ──▶ format, parts        find.go, and each format's Find and Look
//	parts ── the format's Read ──▶ rows     one file a format: ljspeech.go, …
//	      ── Input.Row ──▶ ids, defaults    input.go, id.go
//
// Every line that is not empty ends as a row or as a RowError with its place.
// Nothing here opens audio: a row says where its clip is, package compiler looks.
//
// A new format is a file with its functions, a line in the table, a corpus in
// testdata and a page in the documentation.
package intake

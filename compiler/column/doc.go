// Package column brings columns of a user's own to rows: durations, speaker
// embeddings, codec tokens, whatever somebody has computed elsewhere.
//
// Words: a column is described by a Config; a Source has its values for the rows of
// one corpus; a value is an array of one row, named by a digest; its steps are the
// entries of its first axis, and its length is their number.
//
// Flow, for each row that is not known yet:
//
//	row ── Source.Find ──▶ digest of the value                    files.go, archive.go, script.go
//	digest, Config.Reads ──▶ key of the action                    compiler/action
//	row ── Source.Read ──▶ array ── Config.Fit ──▶ its length     fit.go
//	length, tokens and frames of the row ── Config.Suits          fit.go
//	array ── Config.Put ──▶ a sample of the block                 fit.go
//
// What is wrong with a value is a *Bad, with the kind of the rejection that it is;
// any other error is none of the value's and ends the build.
//
// A kind of file is a line in the table of decoders (decoder.go); of an alignment the
// intervals of a tier become frames or symbols (alignment.go).
//
// A column may have a Run in place of a file: a program computes its values out of a row's
// sound and text (run.go). Package worker asks it; Fit, Suits and Put are the same.
package column

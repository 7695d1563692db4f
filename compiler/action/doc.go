// Package action names what a build computes, and remembers what it found out.
//
// Words: a stage is a step of the compiler: audio, text, tokens, and one for each
// feature (mel first). An action is a stage applied to given inputs; its key is
// the hash of the stage's name and version and of all that the stage reads, so
// that equal keys have equal results on any machine. A result is what the audio,
// text or tokens stage found out about a row; the memo keeps results by key.
// Samples are no results: they stand in blocks, which have keys of their own.
//
//	stage.go   the table of stages, and which of them a configuration runs
//	keys.go    Keyer: a method for each kind of action, which takes what it reads
//	memo.go    Memo: results by key, in the cache of a store
//	changes.go Changes: the settings and versions by which two roots differ
//
// A stage whose output changes needs a new version. Nothing else may change a
// key: a build that finds its keys in the store computes nothing.
package action

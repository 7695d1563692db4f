// Package compiler turns metadata and audio into the shards of a store, and
// redoes only what an edit changed.
//
// Words: a row is one parsed metadata line; a stage is a step of the compiler
// and an action a stage applied to given inputs, named by a Key (package action);
// a clip is the sound of a row (package clip); a sample is a compiled row, a
// shard up to K samples, column by column.
//
// Flow of Build, one file a step:
//
//	folders ── readCorpora ──▶ rows, refusals                 corpus.go, intake
//	rows ── onePerID ──▶ at most one row an id                duplicates.go
//	rows + previous snapshot ── join ──▶ what is known      previous.go
//	rows ── survey: find, stat, hash, probe, read, tokenise   survey.go, clip
//	      values of the user's own columns                    own.go, column
//	      each action only when its key is new                action
//	kept rows ── layOut ──▶ leaves of the trie                layout.go
//	leaves that differ ── workers ──▶ blocks, records         shardwork.go, source.go
//	         ── one writer ──▶ pack
//	files that hold something else than they claimed ── survey, layOut, work again    deferred.go
//	records ──▶ pages, root, snapshot                         publish.go
//
// A block is reused when the keys of all its rows are those of the previous
// snapshot's; else when a trace names a block made by the same keys before;
// else row by row from any block of the previous root, and only what is left
// is computed.
//
// VerifySources recomputes a snapshot, a Mender what is damaged of one, an Excerpt makes a
// dataset of some rows; package explain compares two.
//
// More than 30 files: each is a step of this flow or one noun of it, and all of them are one build.
package compiler

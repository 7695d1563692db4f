// Command rebuild measures what a rebuild costs: the whole program, as a
// process of its own, over a corpus of LJSpeech's size.
//
//	go run ./bench/rebuild [-corpus DIR] [-n 13100] [-runs 9]
//
// Without -corpus it generates one with bench/gencorpus: of LJSpeech's texts
// where VOXPACK_CORPORA leads to them, else of made-up words. A given corpus
// is not changed: the bench works on a copy beside it whose clips are hard
// links. Both are removed at the end. 13,100 clips and their store take 7 GB.
//
// The words. A kind is what happened since the last build: nothing (no-op), an
// edit of one row's text, other samples in one row's clip; and a dry run over the
// store and without one, which is a check of the whole corpus. A round is one run
// of every kind, after one calibration. An outcome is one run: time from
// outside (process start and end included), CPU time, anonymous memory
// (RssAnon, sampled, of which the highest counts) and the program's own report.
//
// The flow.
//
//	corpus → first build → rounds of (calibration, no-op, text, audio, dry runs) → tables
//
// Every run is checked before it counts: a no-op and a dry run run nothing and
// change no file of the store, an edit runs its own stages on one row and writes one
// shard. A failed check ends the bench with 1; a missed goal does not, it
// stands in the table. The calibration says how fast the machine was in that
// same minute: memory at first touch and copied, a plain write of an edit's
// bytes with and without fsync, lstat of all clips, and the CPU time that
// others took.
package main

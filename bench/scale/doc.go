// Command scale measures what a dataset of many rows costs: the whole program, as a
// process of its own, over clips so short that rows are what there is to do.
//
//	go run ./bench/scale [-n 1000000] [-dir DIR] [-program voxpack]
//
// A row is a WAV file of its own of 0.07 to 0.08 s and a text of 6 to 20 words, in the
// manner of LJSpeech; a sample is 8 frames of a mel and 200 ids. A million of them take
// 4 GB on the disk, their store another 5, and both are removed at the end.
//
// The flow. A step is one process:
//
//	corpus → first build → no-op → one text edited → one clip edited → 1 % appended → feed → show → verify
//
// Each is checked by its report before it counts: a no-op writes nothing, an edit runs
// one row, an append runs the new ones. Beside each figure stands its limit: so many
// bytes and so many for each row, CPU seconds for each million rows.
package main

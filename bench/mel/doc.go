// Command mel computes the mel frames of a corpus again and again, on one core,
// for bench/peers.
//
//	mel -corpus DIR [-clips 200] [-variant hifigan] [-precision f32] [-portable]
//
// DIR has metadata.csv and wavs/, as bench/gencorpus writes them. The first
// -clips of its rows are decoded into memory before anything is answered.
//
// Each line on stdin is answered by one line of JSON on stdout:
//
//	lap SECONDS      whole passes over the clips, from PCM in memory to frames in
//	                 place, until SECONDS have passed
//	write DIR FILE   the frames of all rows of another corpus, as little-endian
//	                 float32, row after row
//	versions         of what computes
//
// A pass goes untimed before the first answer. Nothing is allocated in a lap.
package main

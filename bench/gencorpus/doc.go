// Command gencorpus writes a made-up speech corpus of LJSpeech's size and form,
// for benchmarks on machines that have no speech.
//
//	go run ./bench/gencorpus [-n 13100] [-seed 1] [-texts FILE] [-max-seconds S] [-j N] OUT
//
// OUT gets metadata.csv (id|text|normalised) and wavs/ID.wav: 22,050 Hz, mono,
// 16-bit PCM. OUT must be new or empty.
//
// Without -texts the clips last 1.11 to 10.10 s with a mean of 6.57 s, as
// LJSpeech's do, and say words of a small list. With -texts FILE (lines of
// id|text|normalised, such as LJSpeech's own transcripts) ids and texts are
// the file's, and a clip lasts as long as its text at LJSpeech's 15.2
// characters a second, between 1.11 s and -max-seconds. That is 9.28 s by
// default: 800 mel frames, so that every row fits the usual shape.
//
// The words. A voice is one period of a harmonic spectrum; a piece is some
// seconds of a voice with a gliding pitch, or of noise; the pool holds all
// pieces and is made once; a clip is a row of syllables cut from the pool,
// each under a rise and fall. That is enough for the decoder, the mel and the
// store: harmonics, noise, pauses, and a level that changes some five times a
// second. It is no speech.
//
// The flow.
//
//	lines -> seconds -> clip (pool, seed, index) -> WAV
//
// A clip depends on the seed and its index alone, not on -j or on the order of
// the work, and no two clips are equal. Samples are mixed in integers, and
// floating-point sums are written so that no compiler may fuse them: the same
// seed gives the same bytes on every machine with the same math.Sin.
package main

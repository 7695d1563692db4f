// Package audio turns PCM into features, and does nothing else: no files, no clock, no goroutines.
// Package codec reads recordings, package resample brings them to the configured rate.
//
// Words: PCM is mono float32 in [-1, 1), of floating-point files also beyond. A clip is the PCM of one
// row. A frame is one feature vector, one every HopLength samples. A feature is a row of the table in
// feature.go; its version is the promise that the same PCM and the same MelConfig give the same bits. A
// variant is one definition of a mel. A kernel is code for vectors or its portable twin.
//
// Flow:
//
//	bytes ── codec.Decode ─▶ PCM             channels averaged
//	PCM ── resample.Resampler ─▶ PCM         only when the file's rate is not the configured one
//	PCM ── Processor ─▶ PCM, Processed       trim, level, pre-emphasis, as far as they are asked for
//	PCM ── Computer ─▶ frames × width        mel, linear, energy, f0 or pcm, into the block's own place
//	float32 ── PutFloat16 … ─▶ bytes         the column's element type, little-endian
//	mel, linear ── Inverse ─▶ PCM            an approximation for people's ears; no column is made of it
//
// Same bits on every machine. Go may fuse x*y + z into one instruction where the machine has it (arm64,
// and amd64 built for v3), which rounds once instead of twice. An explicit conversion forbids that, so
// every product here that feeds a sum stands in float32(...) or float64(...). The tables (window,
// twiddles, mel bands, filters, decoders) come from package detmath rather than from package math,
// whose functions have assembly of their own on some machines. math.Sqrt is exact by IEEE 754 and is
// used as it is.
//
// Kernels of mels and of the resampler are written twice: in Go, which says in which order sums are
// taken, and for vectors by the programs in internal/, which keep that order in every lane and fuse
// nothing. Which of them runs changes no bit.
package audio

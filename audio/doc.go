// Package audio turns the bytes of a recording into PCM and PCM into features, and does nothing else: no files, no clock, no
// goroutines.
//
// Words: PCM is mono float32 in [-1, 1). A clip is the PCM of one row. A frame is one feature vector, one every HopLength samples.
// A feature is a row of the table in feature.go; its version is the promise that the same PCM and the same MelConfig give the same
// bits.
//
// Flow:
//
//	bytes ── Probe ──▶ Info                  header only, for planning and dry runs
//	bytes ── Decode ─▶ PCM, Info             integer PCM WAV, channels averaged
//	PCM ── Resampler ─▶ PCM                  only when the file's rate is not the configured one
//	PCM ── Mel.Compute ─▶ frames × n_mels    into the block's own place
//	float32 ── PutFloat16 … ─▶ bytes         the column's element type, little-endian
//
// Same bits on every machine. Go may fuse x*y + z into one instruction where the machine has it (arm64, and amd64 built for v3),
// which rounds once instead of twice. An explicit conversion forbids that, so every product here that feeds a sum stands in
// float64(...). The tables (window, twiddles, mel bands, resampling filter) come from detmath.go rather than from package math,
// whose functions have assembly of their own on some machines. math.Sqrt is exact by IEEE 754 and is used as it is.
package audio

// Package codec reads recordings: WAV in all its kinds, FLAC, MP3 and Ogg Vorbis, from bytes to mono float32.
//
// Words: PCM is mono float32 in [-1, 1), of floating-point files also beyond. A format is what a file's
// first bytes say that it is. A part is a stretch of a file.
//
// Flow:
//
//	bytes ── FormatOf ──▶ Format         by the first bytes; one without a decoder is left to package audio/ffmpeg
//	bytes ── Probe ──▶ Info              for planning and dry runs: of WAV in integers the header, of others all is decoded
//	bytes ── Decode ─▶ PCM, Info         channels averaged; bounded by Limits
//	bytes ── Stored ─▶ bytes, Info       the samples of a plain 16-bit WAV file, to be converted later by Int16
//
// A recording is hostile until it is read: a header's word takes no memory, and what is damaged is an
// error of one of the kinds Err…. Products that feed a sum stand in float64(...), so that no machine
// fuses the two, and tables come from package detmath.
package codec

// Package codec reads recordings, from bytes to mono float32: WAV in all its kinds, FLAC, MP3, Ogg Vorbis, Opus,
// AAC-LC, AIFF and NIST SPHERE.
//
// More than 30 files: a format is one to four, and no other package decodes.
//
// Words: PCM is mono float32 in [-1, 1), of floating-point files also beyond. A format is what a file's
// first bytes say that it is; of MP4 and raw AAC also what else it says of its stream. A part is a stretch of a file.
//
// Flow:
//
//	bytes ── FormatOf ──▶ Format         by the first bytes; one without a decoder is left to package audio/ffmpeg
//	bytes ── Probe ──▶ Info              for planning; of stored integers from the header, else all is decoded
//	bytes ── Decode ─▶ PCM, Info         channels averaged; bounded by Limits
//	bytes ── Stored ─▶ bytes, Info       the samples of a file of 16 bits as WAV has them, to be converted later by Int16
//
// A recording is hostile until it is read: a header's word takes no memory, and what is damaged is an
// error of one of the kinds Err…. Products that feed a sum stand in float64(...), so that no machine
// fuses the two, and tables come from package detmath.
package codec

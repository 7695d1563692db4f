// Command genvector writes the vector code of the audio packages: of the mel (vector32_amd64.s), of
// 16-bit samples (codec/int16_amd64.s), of FLAC, MD5, MP3 and Vorbis (codec/flac_amd64.s and so on) and of the
// resampler (resample/kernels_amd64.s). go generate in these packages runs it.
//
// Every sum and product stands in the order of the portable code and is rounded like there; no
// instruction fuses two of them, so that the bits are the same.
//
// Words. A row is a register's worth of float32, one of each frame of a batch or of each block of a
// clip; the mel has code for 8 lanes (AVX2) and for 16 (AVX-512), the others for 8. A point is two rows,
// real and imaginary parts.
package main

// Command resample converts the clips of a folder again and again, on one core,
// for bench/peers/resample.py.
//
//	resample -dir DIR [-clips 32]
//
// The first -clips WAV files of DIR, by name, are decoded into memory before
// anything is answered. Whatever rate a file has, its samples are taken as if
// they had the rate that is asked for: so real speech fills the band up to the
// Nyquist frequency, where filters differ.
//
// Each line on stdin is answered by one line of JSON on stdout:
//
//	lap FROM TO SECONDS   whole passes over the clips, from PCM in memory to PCM
//	                      in memory, until SECONDS have passed
//	write FROM TO FILE    one pass as little-endian float32, clip after clip
//	versions              of what computes
//
// A pass goes untimed before a lap. Nothing is allocated in a lap.
package main

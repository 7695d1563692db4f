// Package resample converts PCM from one sample rate to another.
//
// Kernels are written twice: in Go (portable.go), which says in which order sums are taken, and for
// vectors by audio/internal/genvector, which keeps that order in every lane and fuses nothing. Which
// of them runs changes no bit. Tables come from package detmath.
package resample

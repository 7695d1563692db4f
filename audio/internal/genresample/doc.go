// Command genresample writes the AVX2 kernels of the resampler.
//
// Words. A point is 16 floats of a batch: the real parts of 8 lanes, then their imaginary parts. A
// lane's arithmetic is that of the portable kernels, operation for operation, and no instruction fuses
// a product with a sum, so that the bits are the same.
//
// Flow: each function of kernels_*.go emits one function of kernels_amd64.s; go generate in package
// resample runs them all.
package main

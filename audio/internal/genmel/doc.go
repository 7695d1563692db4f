// Command genmel writes the vector code of the mel (vector32_amd64.s): the portable code of fft32.go
// and engine32.go with one frame in each lane of a register, for registers of 8 lanes (AVX2) and of 16
// (AVX-512). Every sum and product stands in the order of the portable code and is rounded like there;
// no instruction fuses two of them.
//
//	go generate ./audio
//
// With -int16 it writes only the conversion of 16-bit samples (codec/int16_amd64.s).
//
// A batch of W frames lies in memory as rows of W lanes. A point of the transform is two rows, real and
// imaginary.
package main

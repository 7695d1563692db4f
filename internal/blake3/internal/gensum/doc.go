// Command gensum writes the vector code of BLAKE3 (wide_amd64.s): the compression function of its specification, section 2.2, for
// 16 inputs side by side, one to a lane of AVX-512.
//
//	go generate ./internal/blake3
//
// The state takes 16 registers and the message the other 16, which is all there are, so that no round touches memory. A rotation is
// one instruction, where AVX2 needs three.
package main

//go:build !race

#include "textflag.h"

// func streamBlocks(dst, src *byte, n int)
//
// n is a multiple of 64 and more than 0, dst a multiple of 16. SSE2 only, which
// every amd64 has. The fence makes the stores visible before any that follow.
TEXT ·streamBlocks(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX

block:
	PREFETCHNTA 1024(SI)
	MOVOU       (SI), X0
	MOVOU       16(SI), X1
	MOVOU       32(SI), X2
	MOVOU       48(SI), X3
	MOVNTO      X0, (DI)
	MOVNTO      X1, 16(DI)
	MOVNTO      X2, 32(DI)
	MOVNTO      X3, 48(DI)
	ADDQ        $64, SI
	ADDQ        $64, DI
	SUBQ        $64, CX
	JNE         block
	SFENCE
	RET

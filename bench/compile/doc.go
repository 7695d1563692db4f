// Command compile measures the machine beside the whole compiles of
// bench/peers, and the work of a compile without a store.
//
//	compile -corpus DIR [-clips 3000] [-j 2]
//
// Each line on stdin is answered by one line of JSON on stdout:
//
//	machine   one calibration: memory at its first touch, a copy of it, a plain
//	          write of 256 MiB beside the corpus and the fsync after it
//	lap       text, tokens, decoding and mel of the first -clips rows by -j
//	          workers, each into a block of its own that the next row
//	          overwrites: nothing is hashed, nothing is kept
//
// What a build takes beyond such a lap is the price of hashes, of the store and
// of the disk.
package main

// Package blake3 computes BLAKE3-256, the identity of everything in a store.
//
// Sum256 hashes bytes that lie in memory. Where the machine has AVX-512 and the
// input has at least 16 KiB, 16 chunks are hashed side by side (wide_amd64.go);
// everything else is the work of github.com/zeebo/blake3, which enters through
// this package alone. Both give the same digests: the tests compare them with each
// other and with the vectors that BLAKE3's authors publish.
//
// The vector code pays: without it the first build of 4,000 clips takes 1.2 times
// the processor time (docs/design/0106-blake3.md has the runs).
//
// The words, which are those of BLAKE3's specification: a block is 64 bytes, a
// chunk is 1,024 bytes, a chaining value is the 32 bytes that a chunk or a pair of
// values is compressed to, and the last pair of the tree gives the digest.
package blake3

package blake3

import "github.com/zeebo/blake3"

// The sizes in bytes of BLAKE3's specification, and how many chunks sumWide hashes before it folds
// their values: 256 values are 8 KiB, which stay in the L1 cache.
const (
	blockSize   = 64
	chunkSize   = 1024
	pieceChunks = 256
)

// Sum256 is the BLAKE3-256 of b. It allocates nothing.
func Sum256(b []byte) [32]byte {
	if len(b) >= wideFrom {
		return sumWide(b)
	}
	return blake3.Sum256(b)
}

// Hasher hashes bytes that come piece by piece. It is a hash.Hash.
type Hasher = blake3.Hasher

// New begins with no bytes.
func New() *Hasher { return blake3.New() }

package store

import "voxpack/internal/blake3"

// Hasher computes the digest of bytes that come piece by piece: the same that
// Sum has for all of them together. It is for one goroutine.
type Hasher struct{ h *blake3.Hasher }

// NewHasher begins with no bytes.
func NewHasher() *Hasher { return &Hasher{blake3.New()} }

// Write adds a piece. It never fails.
func (h *Hasher) Write(b []byte) (int, error) { return h.h.Write(b) }

// Digest names what was written so far; more may follow.
func (h *Hasher) Digest() (d Digest) {
	h.h.Sum(d[:0])
	return d
}

// Reset goes back to no bytes.
func (h *Hasher) Reset() { h.h.Reset() }

package store

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"

	"voxpack/internal/blake3"
)

// Digest names bytes: BLAKE3-256 of them. It is the only identity in a store.
type Digest [32]byte

// Key names an action: BLAKE3-256 of everything the action reads.
type Key [32]byte

// Sum returns the digest of b.
func Sum(b []byte) Digest {
	return Digest(blake3.Sum256(b))
}

// SumFrom is the digest of all that r gives, read through buf, and its length.
func SumFrom(r io.Reader, buf []byte) (d Digest, n int64, err error) {
	h := blake3.New()
	n, err = io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{r}, buf)
	h.Sum(d[:0])
	return d, n, err
}

// Checksum is xxhash64 of b. It finds accidents (a torn page, a flipped bit)
// and is never an identity.
func Checksum(b []byte) uint64 { return xxhash.Sum64(b) }

// String is the digest in lower-case hex, 64 characters.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// Short is the first 12 hex characters, enough for a person to tell two apart.
func (d Digest) Short() string { return hex.EncodeToString(d[:6]) }

// IsZero reports whether d is the zero digest, which names nothing.
func (d Digest) IsZero() bool { return d == Digest{} }

// String is the key in lower-case hex, 64 characters.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// IsZero reports whether k is the zero key, which names no action.
func (k Key) IsZero() bool { return k == Key{} }

// ParseDigest reads 64 hex characters.
func ParseDigest(s string) (Digest, error) {
	var d Digest
	if len(s) != 2*len(d) {
		return d, fmt.Errorf("digest %q: want %d hex characters, have %d", s, 2*len(d), len(s))
	}
	if _, err := hex.Decode(d[:], []byte(s)); err != nil {
		return d, fmt.Errorf("digest %q: %w", s, err)
	}
	return d, nil
}

// Recipe collects what an action reads, each field with its label and length,
// so that no two different inputs give the same bytes. It can be printed: when
// a result is not what its key promises, the recipe says what was hashed.
type Recipe struct{ buf []byte }

// Start empties the recipe and names the action with its stage version.
func (r *Recipe) Start(action, version string) *Recipe {
	r.buf = append(r.buf[:0], "voxpack action 1\n"...)
	return r.Text("action", action).Text("version", version)
}

// Text adds a labelled string.
func (r *Recipe) Text(label, value string) *Recipe {
	r.head(label, len(value))
	r.buf = append(append(r.buf, value...), '\n')
	return r
}

// Name adds a labelled digest or key.
func (r *Recipe) Name(label string, name [32]byte) *Recipe {
	r.head(label, len(name))
	r.buf = append(append(r.buf, name[:]...), '\n')
	return r
}

// Key is the key of what was collected since Start.
func (r *Recipe) Key() Key { return Key(blake3.Sum256(r.buf)) }

// String is the recipe for a person; names inside it are raw bytes.
func (r *Recipe) String() string { return fmt.Sprintf("%q", r.buf) }

func (r *Recipe) head(label string, n int) {
	r.buf = append(append(r.buf, label...), ' ')
	r.buf = binary.AppendUvarint(r.buf, uint64(n))
	r.buf = append(r.buf, ' ')
}

package store

import "encoding/binary"

// A value that is not named by its digest carries its xxhash64 behind it.
const trailerLen = 8

// addTrailer returns b with its checksum behind it, in new memory.
func addTrailer(b []byte) []byte {
	out := make([]byte, 0, len(b)+trailerLen)
	return binary.LittleEndian.AppendUint64(append(out, b...), Checksum(b))
}

// checkTrailer takes the checksum off; false when it does not fit.
func checkTrailer(b []byte) ([]byte, bool) {
	n := len(b) - trailerLen
	if n < 0 || binary.LittleEndian.Uint64(b[n:]) != Checksum(b[:n]) {
		return nil, false
	}
	return b[:n:n], true
}

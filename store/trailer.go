package store

import "encoding/binary"

// A value that is not named by its digest, such as a trace's or the cache's, is followed by its xxhash64,
// little-endian: nothing else would tell a damaged one.
const trailerLen = 8

// addTrailer returns b followed by its checksum, in new memory.
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

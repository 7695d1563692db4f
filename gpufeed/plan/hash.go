package plan

import (
	"encoding/binary"
	"math/bits"

	"voxpack/store"
)

// purpose keeps the draws apart: a row's side of the split must say nothing
// about where it stands in an epoch. The letters are part of every order and
// every cursor; another letter is another shuffle.
type purpose byte

const (
	forOrder     purpose = 'o'
	forSplit     purpose = 's'
	forWeight    purpose = 'w'
	forSegment   purpose = 'c'
	forReference purpose = 'r'
)

// draw is H(seed, epoch, id, copy), uniform in 64 bits: the checksum of the
// purpose and the four numbers, little-endian. The id enters as its place,
// which is a hash of it already, so that no id has to be kept in memory. It
// allocates nothing.
func draw(what purpose, seed, epoch, place uint64, copy uint32) uint64 {
	var b [29]byte
	b[0] = byte(what)
	binary.LittleEndian.PutUint64(b[1:], seed)
	binary.LittleEndian.PutUint64(b[9:], epoch)
	binary.LittleEndian.PutUint64(b[17:], place)
	binary.LittleEndian.PutUint32(b[25:], copy)
	return store.Checksum(b[:])
}

// unit maps a draw to [0, 1); the 53 upper bits are what a float64 holds.
func unit(x uint64) float64 { return float64(x>>11) * 0x1p-53 }

// pick maps a draw to 0 to n-1, of which none is more than 2^-32 likelier than
// another while n has 32 bits.
func pick(x uint64, n int) int {
	high, _ := bits.Mul64(x, uint64(n))
	return int(high)
}

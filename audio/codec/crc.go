package codec

import (
	"encoding/binary"
	"sync"
)

// crcTables are for checksums of a number of bits, the highest of each byte first, eight bytes at a time: table
// k is for a byte that k others follow.
func crcTables[T uint16 | uint32](bits int, polynomial T) *[8][256]T {
	var t [8][256]T
	for i := range 256 {
		crc := T(i) << (bits - 8)
		for range 8 {
			crc = crc<<1 ^ polynomial*(crc>>(bits-1))
		}
		t[0][i] = crc
	}
	for k := 1; k < 8; k++ {
		for i := range 256 {
			v := t[k-1][i]
			t[k][i] = v<<8 ^ t[0][v>>(bits-8)]
		}
	}
	return &t
}

// The tables are made for the first file that needs them. FLAC and MP3 have the polynomial x¹⁶ + x¹⁵ + x² + 1.
var (
	crc16Tables  = sync.OnceValue(func() *[8][256]uint16 { return crcTables[uint16](16, 0x8005) })
	oggCRCTables = sync.OnceValue(func() *[8][256]uint32 { return crcTables[uint32](32, 0x04c11db7) })
)

// flacCRC16 is the checksum of a frame (RFC 9639, 9.3).
func flacCRC16(b []byte) uint16 {
	var folded [64]byte
	n := foldQuickly(&folded, b)
	if n == 0 {
		return crc16(0, b)
	}
	return crc16(crc16(0, folded[:]), b[n:])
}

// mp3CRC is the checksum of a protected frame: over the header's last two bytes and the side
// information, from a start of all ones (11172-3, 2.4.3.1).
func mp3CRC(frame []byte, side int) uint16 { return crc16(crc16(0xffff, frame[2:4]), frame[6:6+side]) }

// crc16 goes on with a checksum.
func crc16(crc uint16, b []byte) uint16 {
	t := crc16Tables()
	for ; len(b) >= 8; b = b[8:] {
		crc = t[7][b[0]^byte(crc>>8)] ^ t[6][b[1]^byte(crc)] ^ t[5][b[2]] ^ t[4][b[3]] ^ t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]]
	}
	for _, v := range b {
		crc = crc<<8 ^ t[0][v^byte(crc>>8)]
	}
	return crc
}

// flacCRC8 is the checksum of a frame's header, over x⁸ + x² + x + 1 (RFC 9639, 9.1.8).
func flacCRC8(b []byte) uint8 {
	var crc uint8
	for _, v := range b {
		crc ^= v
		for range 8 {
			crc = crc<<1 ^ 0x07*(crc>>7)
		}
	}
	return crc
}

// oggCRC is the checksum of a page (RFC 3533, 6): a CRC-32 with the highest bit first, the field itself
// taken as zero.
func oggCRC(page []byte) uint32 {
	crc := oggCRCOf(0, page[:min(22, len(page))])
	if len(page) > 22 {
		crc = oggCRCOf(crc, make([]byte, min(4, len(page)-22)))
	}
	return oggCRCOf(crc, page[min(26, len(page)):])
}

// oggCRCOf goes on with a checksum.
func oggCRCOf(crc uint32, b []byte) uint32 {
	t := oggCRCTables()
	for ; len(b) >= 8; b = b[8:] {
		crc ^= binary.BigEndian.Uint32(b)
		crc = t[7][crc>>24] ^ t[6][crc>>16&255] ^ t[5][crc>>8&255] ^ t[4][crc&255] ^ t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]]
	}
	for _, v := range b {
		crc = crc<<8 ^ t[0][byte(crc>>24)^v]
	}
	return crc
}

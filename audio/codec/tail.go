package codec

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// mostTail is how many zero bytes at the end of a file are taken for padding: two pages of 4,096 bytes.
// More of them may be the rest of a recording that has not arrived, or that no header counts.
const mostTail = 8 << 10

// isTail knows what other programs leave after a stream: tags, of any number and order, and some zeros.
// Tags that only their end announces are cut off from the back first, then those that begin with their
// size are passed from the front.
func isTail(b []byte) bool {
	for {
		n := len(trimTag(b))
		if n == len(b) {
			break
		}
		b = b[:n]
	}
	for {
		n := id3Size(b)
		if len(b) >= id3v1Size && string(b[:3]) == "TAG" {
			n = id3v1Size
		}
		if n == 0 || n > int64(len(b)) {
			break
		}
		b = b[n:]
	}
	return bytes.HasPrefix(b, []byte("APETAGEX")) || len(b) <= mostTail && onlyZeros(b)
}

// onlyZeros holds for no bytes too.
func onlyZeros(b []byte) bool { return len(bytes.Trim(b, "\x00")) == 0 }

// The sizes of tags of which only the end tells that they are there.
const (
	id3v1Size  = 128
	apeFooter  = 32
	lyricsMost = 5100 // bytes of text in a Lyrics3 tag of version 1
)

// trimTag cuts the tag off that b ends with, if it ends with one: ID3v1, APE, Lyrics3 of both versions,
// ID3v2 with a footer.
func trimTag(b []byte) []byte {
	n := len(b)
	if n >= id3v1Size && string(b[n-id3v1Size:][:3]) == "TAG" {
		return b[:n-id3v1Size]
	}
	if n >= apeFooter && string(b[n-apeFooter:][:8]) == "APETAGEX" {
		foot := b[n-apeFooter:]
		size := int64(binary.LittleEndian.Uint32(foot[12:])) // of the items and the footer
		if foot[23]&0x80 != 0 {
			size += apeFooter // the header, which is like the footer
		}
		if size >= apeFooter && size <= int64(n) {
			return b[:int64(n)-size]
		}
	}
	if bytes.HasSuffix(b, []byte("LYRICS200")) && n >= 15 {
		size, err := strconv.Atoi(string(b[n-15 : n-9]))
		if at := n - 15 - size; err == nil && size >= 0 && at >= 0 && bytes.HasPrefix(b[at:], []byte("LYRICSBEGIN")) {
			return b[:at]
		}
	}
	if bytes.HasSuffix(b, []byte("LYRICSEND")) {
		from := max(0, n-lyricsMost-len("LYRICSBEGIN")-len("LYRICSEND"))
		if at := bytes.LastIndex(b[from:], []byte("LYRICSBEGIN")); at >= 0 {
			return b[:from+at]
		}
	}
	if n >= 20 && string(b[n-10:][:3]) == "3DI" {
		if head := append([]byte("ID3"), b[n-7:]...); id3Size(head) > 0 {
			if at := int64(n) - id3Size(head); at >= 0 && string(b[at:][:3]) == "ID3" {
				return b[:at]
			}
		}
	}
	return b
}

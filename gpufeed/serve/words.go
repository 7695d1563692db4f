package serve

import (
	"sync/atomic"
	"unsafe"
)

// words is a mapping that a feeder shares with one consumer. Every word in it
// has one writer.
type words []byte

// word is a word of 4 bytes. Safe: at is a multiple of 4 inside of the mapping,
// which begins at a page and stays until close, after all who use it.
func (m words) word(at int) *atomic.Uint32 {
	_ = m[at+3]
	return (*atomic.Uint32)(unsafe.Pointer(&m[at]))
}

// long is a word of 8 bytes, safe as word is.
func (m words) long(at int) *atomic.Uint64 {
	_ = m[at+7]
	return (*atomic.Uint64)(unsafe.Pointer(&m[at]))
}

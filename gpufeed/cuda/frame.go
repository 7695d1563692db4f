package cuda

import (
	"runtime"
	"unsafe"
)

// batch is how many pieces one cuMemcpyBatchAsync is given; more take several
// calls. 128 is more than a batch of samples has.
const batch = 128

// frame is where one call at a time finds its arguments and leaves its results.
//
// C gets addresses of frames and of callers' memory as numbers, which the
// collector does not take for pointers. That is safe because both are on the
// heap, where nothing moves: frames come from newFrame, and memory of callers
// goes through lend, which lets the compiler put it nowhere else; and because
// both are kept until the call is back.
type frame struct {
	lib  *library
	args [9]uintptr
	lent unsafe.Pointer // memory of the caller, during a call

	number [2]int32
	word   [2]uint64 // sizes, addresses, handles
	ms     float32
	text   [64]byte
	handle IPCHandle

	cstring unsafe.Pointer // C's own text, which stays

	// For cuMemcpyBatchAsync.
	dst, src, bytes [batch]uint64
	order           attributes
	first, fail     uint64
}

// attributes is CUmemcpyAttributes: in which order sources are read, two
// locations that are for memory of other kinds, and flags.
type attributes struct {
	order     int32
	locations [4]int32
	flags     uint32
}

// newFrame makes a frame on the heap; inlined, it might be on a stack.
//
//go:noinline
func newFrame(lib *library) *frame {
	f := &frame{lib: lib}
	f.order.order = 1 // CU_MEMCPY_SRC_ACCESS_ORDER_STREAM: after what the stream did before
	return f
}

// call calls a function. Addresses among args are of the frame, or lent.
func (f *frame) call(s symbol, args ...uintptr) code {
	n := copy(f.args[:], args)
	c := invoke(f.lib[s], f.args[:n])
	f.lent = nil
	runtime.KeepAlive(f)
	return c
}

// lend gives the address of caller's memory for the next call.
func (f *frame) lend(b []byte) uintptr {
	f.lent = unsafe.Pointer(unsafe.SliceData(b))
	return uintptr(f.lent)
}

// number0 and the like are addresses of results.
func (f *frame) number0() uintptr { return uintptr(unsafe.Pointer(&f.number[0])) }
func (f *frame) number1() uintptr { return uintptr(unsafe.Pointer(&f.number[1])) }
func (f *frame) word0() uintptr   { return uintptr(unsafe.Pointer(&f.word[0])) }
func (f *frame) word1() uintptr   { return uintptr(unsafe.Pointer(&f.word[1])) }
func (f *frame) text0() uintptr   { return uintptr(unsafe.Pointer(&f.text[0])) }

// string is the text that a call left, up to its NUL.
func (f *frame) string() string {
	for i, b := range f.text {
		if b == 0 {
			return string(f.text[:i])
		}
	}
	return string(f.text[:])
}

// refuse is the error of a call that answered c.
func (f *frame) refuse(s symbol, c code, device int) error {
	err := c.refuse(s, device)
	if err.Name == "" {
		err.Name = f.name(c)
	}
	return err
}

// name asks the driver for the name of a code that is not in our table.
func (f *frame) name(c code) string {
	f.cstring = nil
	if f.call(fnErrorName, uintptr(c), uintptr(unsafe.Pointer(&f.cstring))) != success || f.cstring == nil {
		return "a code that the driver has no name for"
	}
	name := unsafe.Slice((*byte)(f.cstring), len(f.text)) // looked at as far as the NUL only
	n := 0
	for n < len(name) && name[n] != 0 {
		n++
	}
	return string(name[:n])
}

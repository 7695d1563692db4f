package sim

import (
	"cmp"
	"fmt"
	"slices"
	"syscall"
	"unsafe"

	"voxpack/gpufeed/driver"
)

// alignment of device memory, which a driver promises.
const alignment = 256

// memory is a device allocation, or a piece of the host that is pinned.
type memory struct {
	ctx    *context
	addr   uint64 // on the device, or of the host
	bytes  []byte
	uses   int  // by ops that are not done
	orphan bool // given back when the last of them is
}

// newMemory maps bytes that cost nothing until they are written. Mapped and not
// made: the garbage collector would count and scan sizes that a GPU has.
func newMemory(c *context, bytes int) (*memory, error) {
	b, err := syscall.Mmap(-1, 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, err
	}
	m := &memory{ctx: c, addr: uint64(c.dev.addr), bytes: b}
	c.dev.addr += driver.Ptr(rounded(bytes))
	return m, nil
}

// rounded is what an allocation takes from the device.
func rounded(bytes int) uint64 {
	return (uint64(bytes) + alignment - 1) &^ (alignment - 1)
}

// find returns the memory that holds all of [addr, addr+bytes) and that piece
// of it; nil if none does.
func find(list []*memory, addr uint64, bytes int) (*memory, []byte) {
	i, exact := slices.BinarySearchFunc(list, addr, func(m *memory, addr uint64) int { return cmp.Compare(m.addr, addr) })
	if !exact {
		i--
	}
	if i < 0 || bytes < 0 {
		return nil, nil
	}
	m := list[i]
	at, size := addr-m.addr, uint64(len(m.bytes))
	if at > size || uint64(bytes) > size-at {
		return nil, nil
	}
	return m, m.bytes[at : at+uint64(bytes)]
}

// use begins a use by an op. m may be nil: memory that nobody pinned.
func (m *memory) use() {
	if m != nil {
		m.uses++
	}
}

// release ends a use.
func (m *memory) release() {
	if m == nil {
		return
	}
	m.uses--
	if m.uses == 0 && m.orphan {
		m.unmap()
	}
}

// drop gives device memory back as soon as nobody uses it.
func (m *memory) drop() {
	m.orphan = true
	if m.uses == 0 {
		m.unmap()
	}
}

func (m *memory) unmap() {
	if err := syscall.Munmap(m.bytes); err != nil {
		panic(fmt.Sprintf("sim: munmap of %d bytes that are ours: %v", len(m.bytes), err))
	}
	m.bytes = nil
}

// idle panics if a copy uses the memory. Those of ended contexts are on their
// way out, and waited for.
func (m *memory) idle(call string) {
	d := m.ctx.driver
	for m.uses > 0 && d.dying > 0 {
		d.stopped.Wait()
	}
	if m.uses > 0 {
		panic(fmt.Sprintf("sim: %s of %d bytes at %#x under %d operations that are not done", call, len(m.bytes), m.addr, m.uses))
	}
}

// hostAddress is where a slice lies: a number to compare with, never turned
// back into a pointer. What is pinned does not move: the Go heap does not, and
// a slice that reaches an interface's method is not on a stack.
func hostAddress(b []byte) uint64 {
	return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
}

// findPinned returns the pinned memory that holds all of b, or nil.
func (d *Driver) findPinned(b []byte) *memory {
	m, _ := find(d.pinned, hostAddress(b), len(b))
	return m
}

// pin enters b, unless a part of it is pinned already.
func (d *Driver) pin(c *context, b []byte) bool {
	addr := hostAddress(b)
	i, _ := slices.BinarySearchFunc(d.pinned, addr, func(m *memory, addr uint64) int { return cmp.Compare(m.addr, addr) })
	if i > 0 && d.pinned[i-1].addr+uint64(len(d.pinned[i-1].bytes)) > addr ||
		i < len(d.pinned) && addr+uint64(len(b)) > d.pinned[i].addr {
		return false
	}
	d.pinned = slices.Insert(d.pinned, i, &memory{ctx: c, addr: addr, bytes: b})
	return true
}

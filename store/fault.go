package store

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Shielded runs what reads mapped packs. A read fails there where the file was cut
// short under the mapping, where its disk gives an error, or where a hole of it needs
// room on a full disk of memory; that ends a process unless the goroutine has asked
// for a panic, which Shielded makes an error of. Each goroutine asks for itself.
func Shielded(read func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = FaultOf(p)
		}
	}()
	return read()
}

// FaultOf is the error for what was recovered from a read of a mapped file, with the
// place. It panics again with anything else.
func FaultOf(recovered any) error {
	err := faultOf(recovered)
	if err == nil {
		panic(recovered)
	}
	return err
}

// faultOf is nil for what is no fault of a mapped file.
func faultOf(recovered any) error {
	fault, ok := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return nil
	}
	maps, _ := os.ReadFile("/proc/self/maps")
	return fmt.Errorf("%s cannot be read: the file was cut short, or its disk has failed or is full: %w", mappedAt(string(maps), uint64(fault.Addr())), ErrDamaged)
}

// mappedAt names the file and the byte of it that an address is of; the address where no file
// is known.
func mappedAt(maps string, addr uint64) string {
	for line := range strings.Lines(maps) {
		var from, to, offset uint64
		var perms string
		n, _ := fmt.Sscanf(line, "%x-%x %s %x", &from, &to, &perms, &offset)
		if path := strings.IndexByte(line, '/'); n == 4 && path >= 0 && from <= addr && addr < to {
			return fmt.Sprintf("%s, byte %d,", strings.TrimSpace(line[path:]), addr-from+offset)
		}
	}
	return fmt.Sprintf("a mapped pack, at %#x,", addr)
}

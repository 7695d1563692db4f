package gpufeed

import (
	"context"
	"fmt"
	"os"

	"voxpack/gpufeed/plan"
	"voxpack/internal/memfile"

	"golang.org/x/sys/unix"
)

// arena is the host memory of a ring: one mapping, so that it is pinned, and
// shared, by one call.
type arena struct {
	mem  []byte
	slot int // bytes of a slot, in whole pages
	file int // of the memory; -1: nobody else can map it
}

// newArena maps memory for slots of the given bytes. Shared memory has a file,
// which another process may map; the other kind may have larger pages. Pages
// are touched when they are first written: the first batch need not wait for
// those of the others.
func newArena(slots, bytes int, shared bool) (*arena, error) {
	page := os.Getpagesize()
	a := &arena{slot: (bytes + page - 1) / page * page, file: -1}
	if err := a.reserve(slots*a.slot, shared); err != nil {
		return nil, fmt.Errorf("%s of host memory for %d batches: %w; take a smaller batch or a smaller --prefetch-buffer-size",
			megabytes(uint64(slots*a.slot)), slots, err)
	}
	return a, nil
}

func (a *arena) reserve(bytes int, shared bool) (err error) {
	flags := unix.MAP_ANON | unix.MAP_PRIVATE
	if shared {
		if a.file, err = memfile.New("voxpack-ring", bytes); err != nil {
			return err
		}
		flags = unix.MAP_SHARED
	}
	if a.mem, err = unix.Mmap(a.file, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, flags); err != nil {
		a.mem = nil
		_ = a.close()
		return err
	}
	if !shared {
		hugePages(a.mem)
	}
	return nil
}

// touchStep is how much memory is touched between two looks at whether it is
// still wanted: some 20 ms of work.
const touchStep = 64 << 20

// touch takes all of the memory from the machine, unless ctx ends before.
func (a *arena) touch(ctx context.Context) error {
	bytes := uint64(len(a.mem))
	var err error
	if free := available(); bytes > free { // to touch it would end processes, this one or others
		err = fmt.Errorf("%s are free", megabytes(free))
	}
	for rest := a.mem; len(rest) > 0 && err == nil; rest = rest[min(touchStep, len(rest)):] {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err = populate(rest[:min(touchStep, len(rest))])
	}
	if err != nil {
		return plan.Invalid(fmt.Errorf("%s of shared memory: %w; take a smaller batch or fewer batches ahead (--prefetch-buffer-size)", megabytes(bytes), err))
	}
	return nil
}

// at is the memory of a slot.
func (a *arena) at(i int) []byte { return a.mem[i*a.slot : (i+1)*a.slot : (i+1)*a.slot] }

// close unmaps the memory, which nobody may have any more.
func (a *arena) close() (err error) {
	if a == nil {
		return nil
	}
	if a.mem != nil {
		err = unix.Munmap(a.mem)
		a.mem = nil
	}
	if a.file >= 0 {
		_ = unix.Close(a.file) // memory: there is nothing that could not be written
		a.file = -1
	}
	return err
}

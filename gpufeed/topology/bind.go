package topology

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// ErrUnavailable says that this system does not place memory or threads: no
// Linux, a kernel or sandbox that refuses the call, an unknown node. All works
// without, so callers make one notice of it.
var ErrUnavailable = errors.New("placement unavailable")

// maxNodes is the largest number of NUMA nodes that kernels are built for (x86's
// and arm64's NODES_SHIFT of 10).
const maxNodes = 1024

// Bind asks for the pages of mem to come from a node. Only pages not touched
// yet obey, so it goes before the first write; where the node is full, they
// come from its neighbours. mem begins at a page, as what is mapped does.
func Bind(mem []byte, node int) error {
	if len(mem) == 0 {
		return nil
	}
	if node < 0 {
		return fmt.Errorf("%w: the NUMA node is not known", ErrUnavailable)
	}
	if node >= maxNodes {
		return fmt.Errorf("NUMA node %d: at most %d", node, maxNodes-1)
	}
	// Safe: only the remainder is used; nothing reads through the number.
	if uintptr(unsafe.Pointer(unsafe.SliceData(mem)))%uintptr(os.Getpagesize()) != 0 {
		return errors.New("bind memory: it does not begin at a page")
	}
	if err := bind(mem, node); err != nil {
		return fmt.Errorf("bind %d B to NUMA node %d: %w", len(mem), node, err)
	}
	return nil
}

// PinThread lets the calling thread run on these CPUs only. The goroutine has
// called runtime.LockOSThread before, and either never unlocks, so that the
// thread ends with it, or first gives back what ThreadCPUs said before.
// Threads that the runtime starts meanwhile do not inherit it, because it
// starts them from another one while this one is locked.
func PinThread(cpus []int) error {
	if len(cpus) == 0 {
		return fmt.Errorf("%w: the near CPUs are not known", ErrUnavailable)
	}
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= maxCPUs {
			return fmt.Errorf("CPU %d: at most %d", cpu, maxCPUs-1)
		}
	}
	if err := pinThread(cpus); err != nil {
		return fmt.Errorf("pin a thread to CPUs %s: %w", FormatCPUs(cpus), err)
	}
	return nil
}

// ThreadCPUs lists the CPUs on which the calling thread may run; before any pin,
// those of the process.
func ThreadCPUs() ([]int, error) {
	cpus, err := threadCPUs()
	if err != nil {
		return nil, fmt.Errorf("ask for a thread's CPUs: %w", err)
	}
	return cpus, nil
}

package topology

import (
	"fmt"
	"syscall"
	"unsafe"
)

// mpolPreferred is of the kernel's linux/mempolicy.h.
const mpolPreferred = 1

// wordBits is the size of the words of the kernel's bit masks.
const wordBits = int(unsafe.Sizeof(uintptr(0))) * 8

func bind(mem []byte, node int) error {
	var mask [maxNodes / wordBits]uintptr
	mask[node/wordBits] |= 1 << (node % wordBits)
	// Safe: the kernel reads the mask during the call and only notes the range
	// of mem, which stays mapped at least until the call returns. It takes one
	// bit less than told, hence the 1.
	_, _, errno := syscall.Syscall6(syscall.SYS_MBIND,
		uintptr(unsafe.Pointer(unsafe.SliceData(mem))), uintptr(len(mem)),
		mpolPreferred, uintptr(unsafe.Pointer(&mask)), maxNodes+1, 0)
	return refusal("mbind", errno, "there is no such node, or this process may not use it")
}

type cpuMask [maxCPUs / wordBits]uintptr

func pinThread(cpus []int) error {
	var mask cpuMask
	for _, cpu := range cpus {
		mask[cpu/wordBits] |= 1 << (cpu % wordBits)
	}
	// Safe: the kernel reads the mask during the call. 0 is the calling thread.
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY,
		0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	return refusal("sched_setaffinity", errno, "this process may use none of these CPUs")
}

func threadCPUs() ([]int, error) {
	var mask cpuMask
	// Safe: the kernel writes the mask, at most its size, during the call.
	_, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY,
		0, unsafe.Sizeof(mask), uintptr(unsafe.Pointer(&mask)))
	if err := refusal("sched_getaffinity", errno, "this kernel has more CPUs than expected"); err != nil {
		return nil, err
	}
	var cpus []int
	for cpu := range maxCPUs {
		if mask[cpu/wordBits]>>(cpu%wordBits)&1 != 0 {
			cpus = append(cpus, cpu)
		}
	}
	return cpus, nil
}

// refusal makes an error of a number. Arguments are checked before, so what is
// invalid (invalid says it) is for the machine to allow. ENOSYS comes from
// kernels and sandboxes without NUMA, EPERM from containers.
func refusal(call string, errno syscall.Errno, invalid string) error {
	switch errno {
	case 0:
		return nil
	case syscall.EINVAL:
		return fmt.Errorf("%w: %s: %w: %s", ErrUnavailable, call, errno, invalid)
	case syscall.ENOSYS, syscall.EPERM:
		return fmt.Errorf("%w: %s: %w", ErrUnavailable, call, errno)
	}
	return fmt.Errorf("%s: %w", call, errno)
}

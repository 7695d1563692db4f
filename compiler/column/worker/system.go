//go:build unix

package worker

import "syscall"

// killGroup ends a process and its children. Those that left its group are not met.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // it may have ended

// privateMemory is memory that no other process sees; its pages, too, are taken when they are first written.
func privateMemory(size int) (mem []byte, path string, free func()) {
	mem, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return make([]byte, size), "", func() {}
	}
	return mem, "", func() { _ = syscall.Munmap(mem) }
}

package worker

import (
	"fmt"
	"os"
	"syscall"

	"voxpack/internal/memfile"
)

// apart puts a process into a group of its own, which signals of the terminal do not reach and which ends as a
// whole. It ends too when the thread that started it does, as after a kill of the build: a program that hangs would
// not see that its input is closed.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// mapMemory takes memory that other processes of the user can open by a path. Pages are taken when they are first written.
func mapMemory(size int) (mem []byte, path string, free func()) {
	fd, err := memfile.New("voxpack-samples", size)
	if err != nil {
		return privateMemory(size)
	}
	if mem, err = syscall.Mmap(fd, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED); err != nil {
		_ = syscall.Close(fd)
		return privateMemory(size)
	}
	return mem, fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd), func() {
		_ = syscall.Munmap(mem)
		_ = syscall.Close(fd)
	}
}

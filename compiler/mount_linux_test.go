package compiler

import "syscall"

func mountSmall(path, size string) error {
	return syscall.Mount("voxpack-test", path, "tmpfs", 0, "size="+size)
}

func unmountSmall(path string) error { return syscall.Unmount(path, syscall.MNT_DETACH) }

package compiler

import "golang.org/x/sys/unix"

func mountSmall(path, size string) error {
	return unix.Mount("voxpack-test", path, "tmpfs", 0, "size="+size)
}

func unmountSmall(path string) error { return unix.Unmount(path, unix.MNT_DETACH) }

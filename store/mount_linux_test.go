package store

import "golang.org/x/sys/unix"

func mountTmpfs(path, size string) error {
	return unix.Mount("voxpack-test", path, "tmpfs", 0, "size="+size)
}

func unmount(path string) error { return unix.Unmount(path, unix.MNT_DETACH) }

func remountReadOnly(path string) error {
	return unix.Mount("voxpack-test", path, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

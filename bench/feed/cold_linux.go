//go:build linux && (amd64 || arm64)

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
)

// drop lets the kernel forget what it has of a store's packs: written out
// first, since pages that are not yet on the disk stay. Nobody may have the
// packs mapped, since mapped pages stay too.
func drop(dir string) error {
	syscall.Sync()
	return eachFile(dir, func(f *os.File) error {
		const dontNeed = 4 // POSIX_FADV_DONTNEED; a length of 0 is all of the file
		_, _, errno := syscall.Syscall6(syscall.SYS_FADVISE64, f.Fd(), 0, 0, dontNeed, 0, 0)
		if errno != 0 {
			return errno
		}
		return nil
	})
}

// canDrop says whether drop does anything on this system.
const canDrop = true

// randomly tells the kernel that the packs of a store, as this process has them
// mapped, are read in no order.
func randomly(dir string) error {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return err
	}
	packs, err := filepath.Abs(filepath.Join(dir, "packs"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(maps)) {
		if !strings.Contains(line, packs) {
			continue
		}
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			return fmt.Errorf("/proc/self/maps: %q: %w", line, err)
		}
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_RANDOM); errno != 0 {
			return errno
		}
	}
	return nil
}

// hugePages asks for pages of 2 MB.
func hugePages(mem []byte) { _ = syscall.Madvise(mem, syscall.MADV_HUGEPAGE) }

// disk says how far the kernel reads ahead on the disk of a folder.
func disk(dir string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return unknownDisk
	}
	dev := info.Sys().(*syscall.Stat_t).Dev
	// The two halves of a device number, as the kernel packs them.
	major, minor := dev>>8&0xfff, dev&0xff|dev>>12&0xfff00
	for _, queue := range []string{"queue", "../queue"} { // of a disk, of a partition
		b, err := os.ReadFile(fmt.Sprintf("/sys/dev/block/%d:%d/%s/read_ahead_kb", major, minor, queue))
		if err == nil {
			return "The kernel reads up to " + strings.TrimSpace(string(b)) + " KiB around a page on this disk"
		}
	}
	return unknownDisk
}

// willNeed asks for the pages of mapped bytes. It begins with the first whole
// page, as madvise demands; the kernel reads in larger pieces anyway.
func willNeed(b []byte) error {
	page := os.Getpagesize()
	head := -int(reflect.ValueOf(b).Pointer()) & (page - 1)
	if head >= len(b) {
		return nil
	}
	return syscall.Madvise(b[head:], syscall.MADV_WILLNEED)
}

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
)

// disk is a file system of a trial's own, in memory: one with little room, or one that
// nobody can write to. It takes root.
type disk struct {
	room     int64 // bytes beside what the template takes
	readOnly bool
}

func (k *disk) String() string {
	switch {
	case k == nil:
		return ""
	case k.readOnly:
		return "read-only"
	}
	return fmt.Sprintf("%d bytes of room", k.room)
}

// prepare makes the file system at the desk, with a scene's store on it, without holes: to
// read one through a mapping takes room of a tmpfs, and ends a process where there is none.
func (k *disk) prepare(d *desk, s *scene) (store string, err error) {
	at, err := d.copyOf("", "disk")
	if err == nil {
		err = said(exec.Command("mkdir", at))
	}
	if err == nil {
		err = mount("-t", "tmpfs", "-o", "size=1g", "none", at)
	}
	if err != nil {
		return "", err
	}
	store = filepath.Join(at, "store")
	if s.store != "" {
		if err := said(exec.Command("cp", "-a", "--sparse=never", s.store, store)); err != nil {
			return "", errors.Join(err, k.leave(store))
		}
	}
	option := "remount,ro"
	if !k.readOnly {
		var used int64
		if used, err = usedOf(at); err != nil {
			return "", err
		}
		option = fmt.Sprintf("remount,size=%d", max(used+k.room, 4096))
	}
	return store, mount("-o", option, at)
}

// mend gives the file system room, and lets it be written to.
func (k *disk) mend(store string) error {
	if k == nil {
		return nil
	}
	return mount("-o", "remount,rw,size=1g", filepath.Dir(store))
}

// leave takes the file system away.
func (k *disk) leave(store string) error {
	if k == nil {
		return nil
	}
	return said(exec.Command("umount", filepath.Dir(store)))
}

func mount(args ...string) error { return said(exec.Command("mount", args...)) }

// said runs a command, and adds to its error what it said.
func said(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", cmd.Args, err, out)
	}
	return nil
}

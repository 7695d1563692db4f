//go:build unix && !linux

package worker

import "syscall"

// apart puts a process into a group of its own, which signals of the terminal do not reach
// and which ends as a whole.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// mapMemory is memory that no other process sees.
func mapMemory(size int) (mem []byte, path string, free func()) { return privateMemory(size) }

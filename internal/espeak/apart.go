//go:build unix

package espeak

import "syscall"

// apart puts a process into a group of its own, which signals of the terminal do not reach.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

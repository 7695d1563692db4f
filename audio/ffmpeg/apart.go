//go:build unix

package ffmpeg

import (
	"os"
	"slices"
	"syscall"
)

// apart puts a process into a group of its own, which signals of the terminal do not reach.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// signalled reports whether a signal ended a process.
func signalled(p *os.ProcessState) bool {
	status, ok := p.Sys().(syscall.WaitStatus)
	return ok && status.Signaled()
}

// crashed is the signal by which a process brought itself to an end, "" for none: what it read made it do so.
func crashed(p *os.ProcessState) string {
	status, ok := p.Sys().(syscall.WaitStatus)
	own := []syscall.Signal{syscall.SIGSEGV, syscall.SIGABRT, syscall.SIGFPE, syscall.SIGILL}
	if !ok || !status.Signaled() || !slices.Contains(own, status.Signal()) {
		return ""
	}
	return status.Signal().String()
}

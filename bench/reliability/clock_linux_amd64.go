package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// wallClock is that of a running process, which alone sees it move.
//
// A program asks the kernel's page of code in its own memory (the vDSO) what time it is. A
// debugger may write there, and so each process may have a clock of its own without a seam in
// the program: the function is replaced by one that asks the kernel and adds a number to
// CLOCK_REALTIME. Time stamps of files stay those of the machine, as on a file server.
type wallClock struct {
	memory *os.File
	number int64 // its address
}

// clockCode is clock_gettime(which in edi, to in rsi); the number lies after it.
var clockCode = []byte{
	0xb8, 0xe4, 0x00, 0x00, 0x00, //       mov eax, 228
	0x0f, 0x05, //                         syscall
	0x85, 0xff, //                         test edi, edi: CLOCK_REALTIME is 0
	0x75, 0x0a, //                         jne ret
	0x48, 0x8b, 0x0d, 6, 0, 0, 0, //       mov rcx, [rip+6]
	0x48, 0x01, 0x0e, //                   add [rsi], rcx
	0xc3, 0, 0, //                         ret
}

// startWithClock starts a command with a clock of its own, which goes right so far.
func startWithClock(cmd *exec.Cmd) (*wallClock, error) {
	runtime.LockOSThread() // ptrace knows its tracer by the thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr.Ptrace = true
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	_, err := syscall.Wait4(pid, &status, 0, nil) // it stands before its first instruction
	if err == nil && !status.Stopped() {
		err = errors.New("a process did not stop for its clock")
	}
	c := &wallClock{}
	if err == nil {
		c.memory, err = os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	}
	if err == nil {
		err = c.replace(pid)
	}
	return c, errors.Join(err, syscall.PtraceDetach(pid))
}

// replace writes the function over that of the vDSO.
func (c *wallClock) replace(pid int) error {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(maps)) {
		var from, to int64
		if !strings.Contains(line, "[vdso]") {
			continue
		}
		if _, err := fmt.Sscanf(line, "%x-%x", &from, &to); err != nil {
			return err
		}
		image := make([]byte, to-from)
		if _, err := c.memory.ReadAt(image, from); err != nil {
			return err
		}
		f, err := elf.NewFile(bytes.NewReader(image))
		if err != nil {
			return err
		}
		symbols, err := f.DynamicSymbols()
		if err != nil {
			return err
		}
		for _, s := range symbols {
			if s.Name == "__vdso_clock_gettime" {
				at := from + int64(s.Value)
				c.number = at + int64(len(clockCode))
				_, err := c.memory.WriteAt(append(bytes.Clone(clockCode), make([]byte, 8)...), at)
				return err
			}
		}
	}
	return errors.New("a process has no vDSO with a clock")
}

// jump moves the clock to so far from the right time. A process that has ended has none.
func (c *wallClock) jump(by time.Duration) error {
	_, err := c.memory.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(int64(by/time.Second))), c.number)
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.EIO) || err != nil && strings.Contains(err.Error(), "EOF") {
		return nil
	}
	return err
}

func (c *wallClock) close() error { return c.memory.Close() }

package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// consume is a trainer that knows docs/protocol.md alone: consume SOCKET STEP
// BATCHES keeps each batch for a time and notes its steps. It ends after so many
// batches, or when the feeder does; 0 batches are no bound.
func consume() {
	step, err := time.ParseDuration(os.Args[2])
	most, wrong := strconv.Atoi(os.Args[3])
	if err == nil && wrong == nil {
		err = train(os.Args[1], step, uint64(most))
	}
	if err != nil || wrong != nil {
		fmt.Fprintln(os.Stderr, "consume:", err, wrong)
		os.Exit(1)
	}
}

// shared is a file of the feeder's, by the offsets of the protocol.
type shared []byte

func (m shared) u32(at int) *atomic.Uint32 { return (*atomic.Uint32)(unsafe.Pointer(&m[at])) }
func (m shared) u64(at int) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&m[at])) }

// entry writes an entry of the step log: its number last, so that a half one is seen.
func (m shared) entry(at int, number uint64, words ...uint64) {
	m.u64(at).Store(0)
	for i, w := range words {
		m.u64(at + 8 + 8*i).Store(w)
	}
	m.u64(at).Store(number + 1)
}

func train(socket string, step time.Duration, most uint64) error {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return err
	}
	defer c.Close()
	ring, log, err := begin(c, `"as_told":true`)
	if err != nil {
		return err
	}
	slots, first, stride := int(ring.u32(12).Load()), int(ring.u32(16).Load()), int(ring.u32(20).Load())
	kept, takes, take, marks, mark := uint64(log.u32(12).Load()), int(log.u32(16).Load()), int(log.u32(20).Load()), int(log.u32(24).Load()), int(log.u32(28).Load())
	for n := uint64(0); most == 0 || n < most; n++ {
		asked := monotonic()
		for ring.u64(72).Load() <= n {
			if ring.u32(68).Load() != 0 || ended(c) {
				return nil
			}
			time.Sleep(time.Millisecond)
		}
		got := monotonic()
		record := first + int(ring.u32(256+4*int(n%uint64(slots))).Load())*stride
		ring.u64(record + 64).Store(n + 1)
		log.entry(takes+int(n%kept)*take, n, 1, asked, got-asked, got)
		log.u64(64).Store(n + 1)
		at := marks + int(n%kept)*mark
		log.entry(at, n, n+1, monotonic(), 0)
		log.u64(72).Store(n + 1)
		time.Sleep(step)
		log.u64(at + 24).Store(monotonic())
		ring.u64(record + 72).Store(n + 1)
		ring.u32(128).Add(1)
		unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(&ring[128])), 1, 1<<30, 0, 0, 0) // FUTEX_WAKE
	}
	return nil
}

// begin asks for batches, and maps the ring and the step log.
func begin(c *net.UnixConn, start string) (ring, log shared, err error) {
	for _, m := range []string{`{"type":"hello","protocol":3}`, `{"type":"start","steps":true,` + start + `}`} {
		if _, err := c.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(m))), m...)); err != nil {
			return nil, nil, err
		}
		rights := make([]byte, unix.CmsgSpace(12))
		var length [4]byte
		n, rn, _, _, err := c.ReadMsgUnix(length[:], rights)
		if err != nil {
			return nil, nil, err
		}
		if _, err := io.ReadFull(c, length[n:]); err != nil {
			return nil, nil, err
		}
		b := make([]byte, binary.LittleEndian.Uint32(length[:]))
		if _, err := io.ReadFull(c, b); err != nil {
			return nil, nil, err
		}
		var said struct {
			Type, Text string
			Ring       int `json:"ring_bytes"`
			Steps      int `json:"steps_bytes"`
		}
		if err := json.Unmarshal(b, &said); err != nil || said.Type == "error" {
			return nil, nil, fmt.Errorf("%s: %s, %v", m, said.Text, err)
		}
		if said.Type != "started" {
			continue
		}
		messages, err := unix.ParseSocketControlMessage(rights[:rn])
		if err != nil || len(messages) != 1 {
			return nil, nil, fmt.Errorf("%d control messages, %v", len(messages), err)
		}
		files, err := unix.ParseUnixRights(&messages[0]) // arena, ring, step log
		if err != nil || len(files) != 3 {
			return nil, nil, fmt.Errorf("%d files, %v", len(files), err)
		}
		if ring, err = unix.Mmap(files[1], 0, said.Ring, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
			log, err = unix.Mmap(files[2], 0, said.Steps, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		}
		return ring, log, err
	}
	return nil, nil, fmt.Errorf("no batch was promised")
}

// ended reports whether the feeder has hung up.
func ended(c *net.UnixConn) (is bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	_ = raw.Control(func(fd uintptr) {
		n, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		is = n == 0 && err == nil
	})
	return is
}

// monotonic is the time in ns that step logs are in.
func monotonic() uint64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t)
	return uint64(t.Nano())
}

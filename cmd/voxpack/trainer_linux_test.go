package main

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// trainer makes up its steps, so that they have exact figures: trainer SOCKET RANK
// STEP_MS notes 40 steps of so many milliseconds that end now, and prints a line. When
// it reads a byte, it goes on with one every 2 ms. Rank 0 marks its steps; of each, a
// fifth is the wait for an empty ring, a twentieth for copying, and 68 % training.
func trainer() {
	rank, err := strconv.Atoi(os.Args[2])
	ms, wrong := strconv.Atoi(os.Args[3])
	c, refused := net.DialUnix("unix", nil, &net.UnixAddr{Name: os.Args[1], Net: "unix"})
	if err == nil && wrong == nil && refused == nil {
		err = makeUp(c, rank, uint64(ms)*1e6)
	}
	if err != nil || wrong != nil || refused != nil {
		fmt.Fprintln(os.Stderr, "trainer:", err, wrong, refused)
		os.Exit(1)
	}
}

func makeUp(c *net.UnixConn, rank int, step uint64) error {
	defer c.Close()
	_, log, err := begin(c, fmt.Sprintf(`"batch":2,"world":2,"rank":%d`, rank))
	if err != nil {
		return err
	}
	const steps = 40
	m := &made{log: log, marks: rank == 0, got: now() - (steps+1)*step}
	for range steps + 1 {
		m.step(step)
	}
	fmt.Println("training")
	if _, err := os.Stdin.Read(make([]byte, 1)); err != nil {
		return err
	}
	for {
		time.Sleep(2 * time.Millisecond) // a step
		m.step(now() - m.got)
	}
}

// made are made-up steps, one after the other.
type made struct {
	log   shared
	marks bool
	n     uint64
	got   uint64 // the batch before
}

// step notes the training on a batch, and the batch after it.
func (m *made) step(took uint64) {
	at := func(first, stride int) int {
		return int(m.log.u32(first).Load()) + int(m.n%10000)*int(m.log.u32(stride).Load())
	}
	if m.marks {
		m.log.entry(at(24, 28), m.n, m.n, m.got+took*2/100, m.got+took*70/100)
		m.log.u64(72).Store(m.n + 1)
	}
	next := m.got + took
	m.log.entry(at(16, 20), m.n, 1, m.got+took*75/100, took*20/100, next)
	m.got, m.n = next, m.n+1
	m.log.u64(64).Store(m.n)
}

// now is the time of the clock that processes share.
func now() uint64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &t); err != nil {
		panic(err)
	}
	return uint64(t.Nano())
}

package top

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"voxpack/cmd/voxpack/internal/term"
)

// terminal is a pseudo-terminal: the side of the program, and what was drawn on it.
type terminal struct {
	*os.File
	master *os.File
	work   sync.WaitGroup // reads what is drawn
	mu     sync.Mutex     // of text
	text   strings.Builder
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("NOTICE: no pseudo-terminal here: %v", err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 60}); err != nil {
		t.Fatal(err)
	}
	x := &terminal{File: slave, master: master}
	x.work.Go(func() {
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			x.mu.Lock()
			x.text.Write(b[:n])
			x.mu.Unlock()
			if err != nil { // EIO once the other side is closed
				return
			}
		}
	})
	t.Cleanup(func() {
		x.end()
		master.Close()
	})
	return x
}

// end closes the program's side and waits until all that it wrote was read.
func (x *terminal) end() {
	x.Close()
	x.work.Wait()
}

// drawn is all that the program wrote.
func (x *terminal) drawn() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.text.String()
}

// state is how the terminal treats what is typed.
func (x *terminal) state(t *testing.T) unix.Termios {
	t.Helper()
	s, err := unix.IoctlGetTermios(int(x.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

// TestTheTerminalIsGivenBack: after q, Ctrl-C, an end from outside and a panic the
// terminal is as it was, and the error says which of them it was.
func TestTheTerminalIsGivenBack(t *testing.T) {
	const enter, leave = "\x1b[?1049h", "\x1b[?1049l"
	for _, c := range []struct {
		name  string
		key   string // typed once the screen is there
		stop  bool   // the context ends then
		panic bool   // the second look does
		want  string // in the error; "" is none
	}{
		{"q", "q", false, false, ""},
		{"Ctrl-C", "\x03", false, false, term.ErrInterrupted.Error()},
		{"an end from outside", "", true, false, term.ErrInterrupted.Error()},
		{"a panic", "", false, true, "a fault of this program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newTerminal(t)
			before := x.state(t)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			shown := func() bool { return strings.Contains(x.drawn(), enter) && strings.Contains(x.drawn(), "quit") }
			looks := 0
			look := func(context.Context) Look {
				for looks++; looks > 1 && !shown(); {
					time.Sleep(time.Millisecond)
				}
				switch {
				case looks > 1 && c.panic:
					panic("planted")
				case looks > 1 && c.stop:
					cancel()
				case looks > 1:
					x.master.WriteString(c.key)
				}
				return lookAt(looks, 1)
			}
			err := runScreen(ctx, look, least, x.File, x.File)
			if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if (c.want == term.ErrInterrupted.Error()) != errors.Is(err, term.ErrInterrupted) {
				t.Errorf("%v is an interrupt: %t", err, errors.Is(err, term.ErrInterrupted))
			}
			if after := x.state(t); after != before {
				t.Errorf("the terminal is %+v, was %+v", after, before)
			}
			x.end()
			if text := x.drawn(); strings.LastIndex(text, leave) < strings.LastIndex(text, enter) {
				t.Errorf("the screen was not left: %q", text)
			}
		})
	}
}

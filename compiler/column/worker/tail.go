package worker

import (
	"os"
	"strings"
	"time"
)

const (
	tailBytes = 4 << 10 // of a standard error that are kept
	tailLines = 6       // that a message quotes
)

// tail keeps the last bytes of what a program writes to its standard error.
type tail struct {
	from *os.File
	done chan struct{}
	kept []byte // read after done
}

func newTail(from *os.File) *tail {
	t := &tail{from: from, done: make(chan struct{})}
	go t.follow()
	return t
}

func (t *tail) follow() {
	defer close(t.done)
	buf := make([]byte, tailBytes)
	for {
		n, err := t.from.Read(buf)
		t.kept = append(t.kept, buf[:n]...)
		t.kept = t.kept[max(0, len(t.kept)-tailBytes):]
		if err != nil {
			return
		}
	}
}

// end waits for what is still in the pipe. A grandchild that left the group may hold it open.
func (t *tail) end() {
	t.from.SetReadDeadline(time.Now().Add(time.Second))
	<-t.done
	t.from.Close()
}

// text is the last lines, after end.
func (t *tail) text() string {
	lines := strings.Split(strings.TrimSpace(strings.ToValidUTF8(string(t.kept), "?")), "\n")
	lines = lines[max(0, len(lines)-tailLines):]
	for i, l := range lines {
		lines[i] = "  " + oneLine(l)
	}
	if len(lines) == 1 && strings.TrimSpace(lines[0]) == "" {
		return ""
	}
	return strings.Join(lines, "\n")
}

package serve

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMoreConsumersThanDescriptors: who comes when the process has no descriptor
// left waits for one, and ends the feeder of nobody.
func TestMoreConsumersThanDescriptors(t *testing.T) {
	s := serving(t, dataset(t, 60), nil)
	first := connect(t, s, map[string]any{})
	second, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(second)
	free, err := unix.Dup(second) // the next one that the process would get
	if err != nil {
		t.Fatal(err)
	}
	unix.Close(free)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(free), Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	err = unix.Connect(second, &unix.SockaddrUnix{Name: s.Address()})
	time.Sleep(100 * time.Millisecond)
	sessions := s.Sessions()
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err != nil || sessions != 1 {
		t.Fatalf("%d sessions (%v), want the one that was there", sessions, err)
	}
	until(t, "the second is served", func() bool { return s.Sessions() == 2 })
	if b, err := first.next(); err != nil || b.seq != 0 {
		t.Errorf("the first consumer got batch %d, %v", b.seq, err)
	}
}

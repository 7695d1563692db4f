package store

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestABusyStoreNamesWhoHoldsIt: a build in another process, by its number and program.
func TestABusyStoreNamesWhoHoldsIt(t *testing.T) {
	dir, _ := storeOfEdits(t, 1)
	cmd := child("hold", dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // it has the lock
		t.Fatal(err)
	}
	_, err = TakeLock(dir)
	want := fmt.Sprintf("process %d (%s)", cmd.Process.Pid, processName(cmd.Process.Pid))
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), want) {
		t.Errorf("TakeLock = %v, want ErrBusy with %q", err, want)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	lock, err := TakeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := TakeLock(dir); !errors.Is(err, ErrBusy) || strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Errorf("held by this process itself: %v", err)
	}
}

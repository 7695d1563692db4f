package exectest

import (
	"os"
	"syscall"
	"testing"
)

// Write writes a program, such as a script that begins with "#!". While it is open
// nothing is started by this process: a child that holds it open for writing until
// it becomes another program would make the system refuse to run it (ETXTBSY).
func Write(t testing.TB, path, program string) {
	t.Helper()
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(program), 0o777)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
}

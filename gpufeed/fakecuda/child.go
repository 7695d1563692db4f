package fakecuda

import (
	"os"
	"os/exec"
	"testing"
)

// childDir is the variable by which a child knows that it is one.
const childDir = "FAKECUDA_CHILD"

// Command is the test called name in a process of its own, over the library in
// dir and with env ("NAME=value") added: for what ends or hangs a process, and
// for two that share memory. The test asks Child first.
func Command(t testing.TB, dir string, env []string, name string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A child that hangs is ended before its parent, with a list of goroutines.
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+name+"$", "-test.timeout=2m")
	cmd.Env = append(append(os.Environ(), env...), childDir+"="+dir)
	return cmd
}

// Run runs the test called name as Command does and gives what it printed; that
// the child's test passed is the caller's own.
func Run(t testing.TB, dir string, env []string, name string) string {
	t.Helper()
	out, err := Command(t, dir, env, name).CombinedOutput()
	if err != nil {
		t.Fatalf("%s in a process of its own with %q: %v\n%s", name, env, err, out)
	}
	return string(out)
}

// Child gives the library's folder in a process that Command started; "" in any
// other.
func Child() (dir string) { return os.Getenv(childDir) }

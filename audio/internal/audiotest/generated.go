package audiotest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// Generated runs the program at generator as go generate does and compares the files that it writes
// with those in the repository. args are its arguments, in which the names of the files stand.
func Generated(t *testing.T, files []string, generator string, args ...string) {
	t.Helper()
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command in PATH: cannot run the generator")
	}
	dir := t.TempDir() + string(filepath.Separator)
	command := []string{"run", generator}
	for _, a := range args {
		if slices.Contains(files, a) {
			a = dir + a
		}
		command = append(command, a)
	}
	if out, err := exec.Command(goTool, command...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range files {
		want, err := os.ReadFile(dir + name)
		if err != nil {
			t.Fatal(err)
		}
		want = bytes.ReplaceAll(want, []byte(dir), nil) // the first line tells the command
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate writes (%v)", name, err)
		}
	}
}

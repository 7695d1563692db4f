package fakecuda

import (
	"bytes"
	"debug/elf"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Library is the name under which a program looks for the driver.
const Library = "libcuda.so.1"

//go:embed c/*.c c/*.h
var sources embed.FS

// errNoCompiler leaves a test out; any other error of a compilation is ours.
var errNoCompiler = errors.New("no C compiler")

// whole compiles the library with all its functions once in a process.
var whole = sync.OnceValues(compile)

// Build gives a folder with a libcuda.so.1 that stays until the test ends; a
// program started with the folder in LD_LIBRARY_PATH takes it for its driver.
// Each Build is a library of its own to the dynamic loader, which reads the
// environment at its first call: faults are asked for before Load, by t.Setenv.
// without are functions that it lacks, as an older driver does. Where there is
// no Linux or no C compiler the test is skipped.
func Build(t testing.TB, without ...string) (dir string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOTICE: no %s on %s", Library, runtime.GOOS)
	}
	library, err := whole()
	if err == nil {
		library, err = hide(library, without)
	}
	if errors.Is(err, errNoCompiler) {
		t.Skipf("NOTICE: CUDA is not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return place(t, library)
}

// Copy gives what Build gave once more, as another library to the loader, with
// memory, counters and faults of its own.
func Copy(t testing.TB, dir string) string {
	t.Helper()
	library, err := os.ReadFile(filepath.Join(dir, Library))
	if err != nil {
		t.Fatal(err)
	}
	return place(t, library)
}

func place(t testing.TB, library []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, Library), library, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hide gives the library without some of its functions: other letters stand for
// their names in the table that the loader searches.
func hide(library []byte, names []string) ([]byte, error) {
	if len(names) == 0 {
		return library, nil
	}
	file, err := elf.NewFile(bytes.NewReader(library))
	if err != nil {
		return nil, err
	}
	table := file.Section(".dynstr")
	library = bytes.Clone(library)
	strings := library[table.Offset : table.Offset+table.FileSize]
	for _, name := range names {
		at := bytes.Index(strings, []byte("\x00"+name+"\x00"))
		if at < 0 {
			return nil, fmt.Errorf("the library has no function %s", name)
		}
		copy(strings[at+1:], "no")
	}
	return library, nil
}

// compile gives the library's bytes.
func compile() ([]byte, error) {
	var library []byte
	err := withSources(func(dir string) error {
		out := filepath.Join(dir, Library)
		if err := cc(dir, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-pthread", "-o", out); err != nil {
			return err
		}
		var err error
		library, err = os.ReadFile(out)
		return err
	})
	return library, err
}

// withSources writes the C files to a folder that is there while f runs.
func withSources(f func(dir string) error) error {
	dir, err := os.MkdirTemp("", "fakecuda")
	if err != nil {
		return err
	}
	entries, err := sources.ReadDir("c")
	for _, e := range entries {
		var content []byte
		if content, err = sources.ReadFile(path.Join("c", e.Name())); err == nil {
			err = os.WriteFile(filepath.Join(dir, e.Name()), content, 0o600)
		}
		if err != nil {
			break
		}
	}
	if err == nil {
		err = f(dir)
	}
	return errors.Join(err, os.RemoveAll(dir))
}

// cc compiles all C files of a folder with flags; warnings are errors.
func cc(dir string, flags ...string) error {
	compiler, err := findCompiler()
	if err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.c"))
	if err != nil {
		return err
	}
	args := append([]string{"-std=gnu11", "-Wall", "-Wextra", "-Werror"}, flags...)
	cmd := exec.Command(compiler, append(append(args, files...), "-ldl")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return nil
}

// findCompiler is what go would call, else gcc.
func findCompiler() (string, error) {
	names := []string{"gcc", "cc"}
	if out, err := exec.Command("go", "env", "CC").Output(); err == nil {
		names = append([]string{strings.TrimSpace(string(out))}, names...)
	}
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%w among %v", errNoCompiler, names)
}

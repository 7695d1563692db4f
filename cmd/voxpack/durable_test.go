package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"voxpack/internal/corpustest"
)

// tracedSync and tracedRename begin lines of strace -y, which writes the path of a
// file after its number. The ends may stand on lines of their own.
var (
	tracedSync   = regexp.MustCompile(`f(?:data)?sync\(\d+<([^>]*)>`)
	tracedRename = regexp.MustCompile(`rename(?:at2?)?\((?:[^,"]*, )?"([^"]*)", (?:[^,"]*, )?"([^"]*)"`)
)

// TestWhatGetsANameIsOnTheDisk: what a power cut must not take back is synced
// before it gets its name: SEAL, FORMAT and a ref, and each file of a pack before
// its folder is a pack. A kill shows none of it, since the page cache outlives it.
func TestWhatGetsANameIsOnTheDisk(t *testing.T) {
	if exec.Command("strace", "-qq", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("NOTICE: no strace, or it may not trace")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, log := filepath.Join(dir, "en"), filepath.Join(dir, "log")
	if err := os.CopyFS(data, corpustest.Files("../../testdata/corpus/en")); err != nil {
		t.Fatal(err)
	}
	traced := exec.Command("strace", "-f", "-qq", "-y", "-s", "1000", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2", "-o", log, "voxpack", "build", data)
	if out, err := traced.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	synced, named := map[string]bool{}, map[string]bool{}
	store := filepath.Join(data, ".voxpack")
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if m := tracedSync.FindStringSubmatch(lines.Text()); m != nil {
			synced[m[1]] = true
			continue
		}
		m := tracedRename.FindStringSubmatch(lines.Text())
		if m == nil || !strings.HasPrefix(m[2], store) || strings.Contains(m[2], "/cache") || strings.Contains(m[2], "/runs/") {
			continue
		}
		from, to := m[1], m[2]
		what := filepath.Base(to)
		if what != "SEAL" && strings.Contains(to, "/packs/.") { // Badger's, in a pack that is being written
			continue
		}
		if filepath.Base(filepath.Dir(to)) != "packs" {
			named[what] = true
			if !synced[from] {
				t.Errorf("%s got its name before its bytes were on the disk", what)
			}
			continue
		}
		named["a pack"] = true
		files, err := os.ReadDir(to)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := file.Name(); name != "SEAL" && !synced[filepath.Join(from, name)] { // SEAL has a line of its own
				t.Errorf("%s of a pack was not on the disk when the folder became a pack", name)
			}
		}
	}
	for _, what := range []string{"format", "SEAL", "a pack", "main"} {
		if !named[what] {
			t.Errorf("no rename to %s was seen", what)
		}
	}
}

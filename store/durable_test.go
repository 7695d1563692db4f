package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tracedCall is the end of a system call in the words of strace -y, which writes
// the path of a file after its number: a sync or a write of from, or a rename of
// from to to.
var tracedCall = regexp.MustCompile(`(fsync|fdatasync|write|pwrite64)\(\d+<([^>]*)>|renam\w+\((?:[^,"]*, )?"([^"]*)", (?:[^,"]*, )?"([^"]*)"`)

// call is one of them.
type call struct {
	sync     bool
	from, to string // to: of a rename only
}

// traced runs a child under strace and returns what it synced, wrote and renamed
// below dir, in the order in which the kernel was asked.
func traced(t *testing.T, what, dir string) (calls []call) {
	t.Helper()
	if exec.Command("strace", "-qq", "-y", "-o", os.DevNull, "true").Run() != nil {
		t.Skip("NOTICE: no strace, or it may not trace")
	}
	log, work := filepath.Join(t.TempDir(), "log"), child(what, dir)
	cmd := exec.Command("strace", append([]string{"-f", "-qq", "-y", "-o", log, "-e", "trace=fsync,fdatasync,write,pwrite64,rename,renameat,renameat2"}, work.Args...)...)
	cmd.Env = work.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		m := tracedCall.FindStringSubmatch(line)
		if m != nil && strings.HasPrefix(m[2]+m[3], dir) {
			calls = append(calls, call{strings.HasSuffix(m[1], "sync"), m[2] + m[3], m[4]})
		}
	}
	return calls
}

// TestNothingGetsANameBeforeItIsOnTheDisk: a build and a merge are watched from
// outside. The bytes of format, SEAL and a ref, each file that a SEAL names, and
// the folder of each new name are synced before the step that relies on them.
func TestNothingGetsANameBeforeItIsOnTheDisk(t *testing.T) {
	for _, c := range []struct {
		work    string
		prepare func() string
		names   []string // that have to be given
	}{
		{"build", func() string { return filepath.Join(memoryDir(t), "store") }, []string{formatName, sealName, "a pack", "main"}},
		{"merge", func() string { dir, _ := storeOfEdits(t, 4); return dir }, []string{sealName, "a pack", "a pack removed"}},
	} {
		t.Run(c.work, func(t *testing.T) {
			dir := c.prepare()
			calls := traced(t, c.work, dir)
			synced, named := map[string]bool{}, map[string]bool{}
			give := func(name string, paths ...string) {
				named[name] = true
				for _, path := range paths {
					if !synced[path] {
						t.Errorf("%s: %s was not on the disk", name, strings.TrimPrefix(path, dir))
					}
				}
			}
			for _, call := range calls {
				if call.to == "" {
					synced[call.from] = call.sync // a write undoes an earlier sync
					continue
				}
				folder, name := filepath.Split(call.to)
				folder = filepath.Clean(folder)
				switch {
				case folder == packsDir(dir) && name[0] == '.':
					give("a pack removed", folder)
					continue
				case folder == packsDir(dir):
					give("a pack", call.from)
				case name == sealName:
					give(name, append(newestSealed(t, dir, folder), call.from)...)
				case name == formatName:
					give(name, call.from)
				case strings.HasPrefix(folder, filepath.Join(dir, refsName)):
					give(name, call.from, packsDir(dir), dir)
				default: // Badger's, of a database that is open
					continue
				}
				synced[folder] = false // until the new name is on the disk too
			}
			for folder, durable := range synced {
				if info, err := os.Stat(folder); err == nil && info.IsDir() && !durable && named["main"] {
					t.Errorf("the build ended and the names in %s are not on the disk", folder)
				}
			}
			for _, name := range c.names {
				if !named[name] {
					t.Errorf("%q was not seen to be named", name)
				}
			}
		})
	}
}

// newestSealed are the files that the newest pack's SEAL names, as they were
// called in the folder in which they were written.
func newestSealed(t *testing.T, dir, folder string) (paths []string) {
	t.Helper()
	ids, err := packIDs(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := readSeal(packPath(dir, ids[0]))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.files {
		paths = append(paths, filepath.Join(folder, f.name))
	}
	return paths
}

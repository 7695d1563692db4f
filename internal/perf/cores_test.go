package perf

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// coreCases are machines by their control groups, and what a process with 8
// allowed cores may use.
var coreCases = []struct {
	name  string
	files map[string]string
	want  int
}{
	{"no control groups", nil, 8},
	{"version 2 without a quota", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, 8},
	{"a quota in whole cores", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "300000 100000\n"}, 3},
	{"a part of a core counts as one", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "250000 100000\n"}, 3},
	{"less than one is one", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "10000 100000\n"}, 1},
	{"a quota above the cores", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "6400000 100000\n"}, 8},
	{"the group above is narrower", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "400000 100000\n",
		"sys/fs/cgroup/a/cpu.max": "200000 100000\n"}, 2},
	{"the group exists only outside", map[string]string{"proc/self/cgroup": "0::/docker/f00\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2},
	{"a path above the root", map[string]string{"proc/self/cgroup": "0::/../../x\n", "sys/fs/cgroup/cpu.max": "200000 100000\n"}, 2},
	{"version 1", map[string]string{"proc/self/cgroup": "4:cpu,cpuacct:/job\n", "sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us": "150000\n",
		"sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us": "50000\n"}, 3},
	{"version 1 without a quota", map[string]string{"proc/self/cgroup": "4:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
		"sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, 8},
	{"another controller says nothing", map[string]string{"proc/self/cgroup": "4:cpuset:/\n", "sys/fs/cgroup/cpuset/cpu.cfs_quota_us": "100000\n",
		"sys/fs/cgroup/cpuset/cpu.cfs_period_us": "100000\n"}, 8},
	{"no numbers", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "all of them\n"}, 8},
	{"one number", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "100000\n"}, 8},
	{"a period of 0", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "100000 0\n"}, 8},
	{"lines without colons", map[string]string{"proc/self/cgroup": "cpu\n\n::\n"}, 8},
}

func TestUsableCores(t *testing.T) {
	for _, c := range coreCases {
		tree := fstest.MapFS{}
		for name, text := range c.files {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := ReadCores(tree, 8).Usable(); got != c.want {
			t.Errorf("%s: %d usable cores of 8, want %d", c.name, got, c.want)
		}
	}
	if got := (Cores{}).Usable(); got != 1 {
		t.Errorf("nothing known: %d cores, want 1", got)
	}
}

// TestPythonCountsTheSameCores: a trainer and the program that advises it must not
// count differently.
func TestPythonCountsTheSameCores(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	cores, err := filepath.Abs(filepath.Join("..", "..", "python", "voxpack", "settings", "cores.py"))
	if err != nil {
		t.Fatal(err)
	}
	const script = `import os, runpy, sys
os.sched_getaffinity = lambda _: set(range(8))
usable = runpy.run_path(sys.argv[1])["usable"]
for root in sys.argv[2:]:
    print(usable(os.path.join(root, "proc/self/cgroup"), os.path.join(root, "sys/fs/cgroup")))
`
	args := []string{"-B", "-c", script, cores}
	for i, c := range coreCases {
		root := filepath.Join(t.TempDir(), strconv.Itoa(i))
		for name, text := range c.files {
			full := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		args = append(args, root)
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Fields(string(out)) {
		if line != strconv.Itoa(coreCases[i].want) {
			t.Errorf("%s: Python counts %s cores, want %d", coreCases[i].name, line, coreCases[i].want)
		}
	}
}

func FuzzReadCores(f *testing.F) {
	f.Add("0::/a/b", "100000 50000")
	f.Add("4:cpu,cpuacct:/x\n0::/../..", "max 1")
	f.Fuzz(func(t *testing.T, groups, quota string) {
		tree := fstest.MapFS{"proc/self/cgroup": {Data: []byte(groups)}, "sys/fs/cgroup/cpu.max": {Data: []byte(quota)}}
		if got := ReadCores(tree, 8).Usable(); got < 1 || got > 8 {
			t.Errorf("%d usable cores of 8", got)
		}
	})
}

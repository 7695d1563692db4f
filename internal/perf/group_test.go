package perf

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestMemoryLimit(t *testing.T) {
	const none = uint64(math.MaxUint64)
	for _, c := range []struct {
		name  string
		files map[string]string
		want  uint64
	}{
		{"no control groups", nil, none},
		{"no limit", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/memory.max": "max\n"}, none},
		{"its own", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "4096\n"}, 4096},
		{"the group above has less", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "8192\n",
			"sys/fs/cgroup/a/memory.max": "4096\n"}, 4096},
		{"a container that sees its group as the root", map[string]string{"proc/self/cgroup": "0::/docker/f00\n",
			"sys/fs/cgroup/memory.max": "4096\n"}, 4096},
		{"of another group", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/b/memory.max": "4096\n"}, none},
		{"version 1", map[string]string{"proc/self/cgroup": "9:memory:/job\n4:cpu:/\n",
			"sys/fs/cgroup/memory/job/memory.limit_in_bytes": "4096\n"}, 4096},
		{"version 1 without a limit", map[string]string{"proc/self/cgroup": "9:memory:/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, none},
		{"another controller says nothing", map[string]string{"proc/self/cgroup": "4:cpu:/\n",
			"sys/fs/cgroup/cpu/memory.limit_in_bytes": "4096\n"}, none},
		{"no number", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "much\n"}, none},
	} {
		tree := fstest.MapFS{}
		for name, text := range c.files {
			tree[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := MemoryLimit(tree); got != c.want {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

package perf

import (
	"bufio"
	"bytes"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
)

// Host is what about a machine decides how fast it is. It names neither the
// machine nor anyone who uses it, so that a record may be shown to others.
type Host struct {
	OS          string `json:"os"`
	Arch        string `json:"arch"`
	Cores       int    `json:"cores"` // that the process may use
	MemoryBytes int64  `json:"memory_bytes,omitempty"`
	Go          string `json:"go"`
	Kernel      string `json:"kernel,omitempty"`
	CPU         string `json:"cpu,omitempty"`
}

// ReadHost describes the machine whose root folder is given (os.DirFS("/"));
// cores comes from runtime.GOMAXPROCS(0), which knows the limit of a container.
// What the machine does not tell, as all of /proc on macOS, stays empty. The
// kernel is taken from osrelease and not from version, since that tells who
// built it and where.
func ReadHost(root fs.FS, cores int) Host {
	h := Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: cores, Go: runtime.Version()}
	kernel, _ := fs.ReadFile(root, "proc/sys/kernel/osrelease")
	h.Kernel = strings.TrimSpace(string(kernel))
	memory := procValues(root, "proc/meminfo")["MemTotal"]
	if kb, err := strconv.ParseInt(strings.TrimSuffix(memory, " kB"), 10, 64); err == nil && kb > 0 && kb < 1<<50 {
		h.MemoryBytes = kb << 10
	}
	cpu := procValues(root, "proc/cpuinfo")
	switch {
	case cpu["model name"] != "":
		h.CPU = cpu["model name"]
	case cpu["CPU part"] != "": // arm64 tells numbers only
		h.CPU = "implementer " + cpu["CPU implementer"] + ", part " + cpu["CPU part"]
	}
	return h
}

// procValues reads a file of lines "key : value"; of a key that repeats, as for
// every core, the first counts.
func procValues(root fs.FS, name string) map[string]string {
	values := map[string]string{}
	content, _ := fs.ReadFile(root, name)
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		key = strings.TrimSpace(key)
		if _, known := values[key]; !known {
			values[key] = strings.TrimSpace(value)
		}
	}
	return values
}

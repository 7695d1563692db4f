package perf

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func TestReadHostReadsWhatMattersToSpeed(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	tests := []struct {
		name string
		root fstest.MapFS
		want Host
	}{
		{"a PC", fstest.MapFS{
			"proc/cpuinfo":              file("processor\t: 0\nmodel name\t: AMD EPYC 9354 @ 3.2GHz: fast\n\nprocessor\t: 1\nmodel name\t: another\n"),
			"proc/meminfo":              file("MemTotal:       16384 kB\nMemFree:        1 kB\n"),
			"proc/sys/kernel/osrelease": file("6.8.0-45-generic\n"),
		}, Host{MemoryBytes: 16 << 20, Kernel: "6.8.0-45-generic", CPU: "AMD EPYC 9354 @ 3.2GHz: fast"}},
		{"an arm64 machine has numbers for a name", fstest.MapFS{
			"proc/cpuinfo": file("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"),
		}, Host{CPU: "implementer 0x41, part 0xd0c"}},
		{"no /proc", fstest.MapFS{}, Host{}},
		{"a memory that is not a number", fstest.MapFS{"proc/meminfo": file("MemTotal: lots\n")}, Host{}},
		{"a memory beyond any", fstest.MapFS{"proc/meminfo": file("MemTotal: 9223372036854775807 kB\n")}, Host{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.OS, tt.want.Arch, tt.want.Go, tt.want.Cores = runtime.GOOS, runtime.GOARCH, runtime.Version(), 3
			if got := ReadHost(tt.root, 3); got != tt.want {
				t.Errorf("ReadHost() = %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestReadHostNamesNobody(t *testing.T) {
	root := fstest.MapFS{}
	for _, name := range []string{"proc/sys/kernel/hostname", "proc/version", "etc/hostname", "etc/passwd", "proc/self/environ"} {
		root[name] = &fstest.MapFile{Data: []byte("Linux version 6.8 (ada@lovelace)")}
	}
	got, err := json.Marshal(ReadHost(root, 1))
	if err != nil || strings.Contains(string(got), "lovelace") {
		t.Errorf("ReadHost() = %s, %v, which tells a name", got, err)
	}
}

// FuzzReadHost: whatever /proc gives, the description is one line each, and can be
// written and read.
func FuzzReadHost(f *testing.F) {
	f.Add("model name\t: AMD: x\n", "MemTotal: 9223372036854775807 kB\n", "6.8.0\n")
	f.Add("CPU part : \x00", "MemTotal:-1 kB", strings.Repeat("x", 70_000))
	f.Fuzz(func(t *testing.T, cpu, memory, kernel string) {
		h := ReadHost(fstest.MapFS{"proc/cpuinfo": {Data: []byte(cpu)}, "proc/meminfo": {Data: []byte(memory)}, "proc/sys/kernel/osrelease": {Data: []byte(kernel)}}, 1)
		b, err := json.Marshal(h)
		var again Host
		if err == nil {
			err = json.Unmarshal(b, &again)
		}
		if err != nil || h.MemoryBytes < 0 || strings.Contains(h.CPU, "\n") {
			t.Fatalf("%+v, %v", h, err)
		}
	})
}

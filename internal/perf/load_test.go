package perf

import (
	"math"
	"os"
	"testing"
	"testing/fstest"
	"time"
)

func machineOf(stat, vmstat, status string) fstest.MapFS {
	return fstest.MapFS{"proc/stat": {Data: []byte(stat)}, "proc/vmstat": {Data: []byte(vmstat)}, "proc/self/status": {Data: []byte(status)}}
}

// TestLoad: the fields of proc_stat(5), proc_pid_status(5) and of vmstat.
func TestLoad(t *testing.T) {
	before := ReadLoad(machineOf("cpu  100 0 50 800 50 0 0 0 9 9\ncpu0 1 2 3\n", "nr_free 5\npswpin 10\npswpout 20\n", "Name:\tx\nRssAnon:\t    2048 kB\nRssFile:\t 99 kB\n"))
	after := ReadLoad(machineOf("cpu  140 5 60 820 60 1 2 12 9 9\n", "pswpin 10\npswpout 276\n", "RssAnon:\t    4096 kB\n"))
	if !before.Known || before.Private != 2<<20 || after.Private-before.Private != 2<<20 || after.Swapped-before.Swapped != 256*int64(os.Getpagesize()) {
		t.Errorf("%+v, then %+v: want 2 MiB more memory and 256 pages swapped", before, after)
	}
	if before.Cores != 1 || after.Cores != 0 {
		t.Errorf("%d and %d cores, want 1 and 0", before.Cores, after.Cores)
	}
	if l := ReadLoad(machineOf("cpu  1 2 3 4 5 6 7 8\ncpu0 1\ncpu7 1\ncpu11 1\nintr 9\n", "", "")); l.Cores != 3 {
		t.Errorf("%d cores, want 3", l.Cores)
	}
	// 40 user, 5 nice, 10 system, 1 irq, 2 softirq and 12 stolen of 100; 20 idle and 10 waiting for disks.
	if got, known := after.CPU(before); !known || math.Abs(got-70) > 1e-9 {
		t.Errorf("CPU %v %%, %v, want 70", got, known)
	}
	if got, known := after.CPU(after); known {
		t.Errorf("CPU of no time: %v, want unknown", got)
	}
}

// TestBytesFromADisk: read_bytes of proc_pid_io(5), and not rchar, which counts what
// the page cache gave.
func TestBytesFromADisk(t *testing.T) {
	m := machineOf("cpu  1 2 3 4 5 6 7 8\n", "", "")
	m["proc/self/io"] = &fstest.MapFile{Data: []byte("rchar: 99\nwchar: 0\nsyscr: 10\nread_bytes: 4096\nwrite_bytes: 7\n")}
	if l := ReadLoad(m); l.Disk != 4096 {
		t.Errorf("%d bytes, want 4096", l.Disk)
	}
}

// TestAMachineThatTellsNothing is macOS, or a sandbox without /proc.
func TestAMachineThatTellsNothing(t *testing.T) {
	if l := ReadLoad(fstest.MapFS{}); l != (Load{}) {
		t.Errorf("%+v, want nothing", l)
	}
	if _, known := (Load{}).CPU(Load{}); known {
		t.Error("its CPU is known")
	}
}

// TestProcessTime: the fields of proc_pid_stat(5), after a name that is the process's
// own choice.
func TestProcessTime(t *testing.T) {
	for _, c := range []struct {
		name, stat string
		want       time.Duration
	}{
		{"1.5 s in the program and 0.25 s in the kernel", "7 (voxpack) S 1 2 3 4 5 6 7 8 9 10 150 25 99 98", 1750 * time.Millisecond},
		{"a name with a bracket and numbers", "7 (a) S 1) b) R 1 2 3 4 5 6 7 8 9 10 150 25 99", 1750 * time.Millisecond},
		{"too short", "7 (a) S 1 2 3", 0},
		{"below 0", "7 (a) S 1 2 3 4 5 6 7 8 9 10 -150 25 99", 0},
		{"more than fits", "7 (a) S 1 2 3 4 5 6 7 8 9 10 9223372036854775807 25 99", 0},
		{"nothing", "", 0},
	} {
		if got := ProcessTime(fstest.MapFS{"proc/7/stat": {Data: []byte(c.stat)}}, 7); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := ProcessTime(fstest.MapFS{}, 7); got != 0 {
		t.Errorf("no such process: %v", got)
	}
}

// FuzzLoad: whatever /proc holds, the load of a while is a percentage or unknown,
// and no count is negative.
func FuzzLoad(f *testing.F) {
	f.Add("cpu  1 2 3 4 5 6 7 8 9 10\n", "cpu  2 2 3 4 5 6 7 8\n", "pswpin 9223372036854775807\n", "RssAnon: -1 kB")
	f.Add("cpu 99999999999999999999 1 1 1 1 1 1 1", "cpu", "pswpin x", "")
	f.Fuzz(func(t *testing.T, first, second, vmstat, status string) {
		a, b := ReadLoad(machineOf(first, vmstat, status)), ReadLoad(machineOf(second, vmstat, status))
		if percent, known := b.CPU(a); !(percent >= 0 && percent <= 100) || known && (!a.Known || !b.Known) {
			t.Errorf("%v, %v", percent, known)
		}
		if a.Swapped < 0 || a.Private < 0 || a.All < a.Busy || a.Busy < 0 {
			t.Errorf("%+v", a)
		}
	})
}

// BenchmarkReadLoad is what a look costs where there is a real /proc.
func BenchmarkReadLoad(b *testing.B) {
	for b.Loop() {
		ReadLoad(os.DirFS("/"))
	}
}

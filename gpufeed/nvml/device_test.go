//go:build linux && (amd64 || arm64) && !nogpu

package nvml

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

// question is one that a device can be asked, and its answer in words.
type question struct {
	name   string
	symbol symbol
	ask    func(d Device) (string, error)
}

// questions are all there are.
var questions = []question{
	{"utilisation", fnUtilisation, func(d Device) (string, error) { return words(d.Utilisation()) }},
	{"memory", fnMemory, func(d Device) (string, error) { return words(d.Memory()) }},
}

func words(v any, err error) (string, error) { return fmt.Sprintf("%+v", v), err }

// unknown is how each question is answered by a device that does not tell.
var unknown = map[string]string{
	"utilisation": "{GPU:-1 Memory:-1}",
	"memory":      "{Total:-1 Free:-1 Used:-1}",
}

func TestValues(t *testing.T) {
	n := fake(t, "UTIL", "31;64", "MEM_MB", "512;2048", "TOTAL_MB", "8192")
	d := [2]Device{device(t, n, bus0), device(t, n, bus1)}
	for _, c := range []struct {
		name string
		want [2]string
	}{
		{"utilisation", [2]string{"{GPU:31 Memory:15}", "{GPU:64 Memory:32}"}},
		{"memory", [2]string{"{Total:8589934592 Free:8053063680 Used:536870912}", "{Total:8589934592 Free:6442450944 Used:2147483648}"}},
	} {
		q := questions[slices.IndexFunc(questions, func(q question) bool { return q.name == c.name })]
		for i := range d {
			if got, err := q.ask(d[i]); err != nil || got != c.want[i] {
				t.Errorf("%s of device %d = %s, %v, want %s", c.name, i, got, err, c.want[i])
			}
		}
	}
}

// TestJoin: each spelling of a bus id finds the device, and none is found by
// anything else.
func TestJoin(t *testing.T) {
	n := fake(t, "BUS0", "00000000:C1:00.0", "BUS1", "00010000:E1:1f.7", "UTIL", "31;64")
	for bus, want := range map[string]int{
		"0000:c1:00.0": 31, "0000:C1:00.0": 31, "00000000:C1:00.0": 31, "c1:00.0": 31,
		"0000:c1:00": 31, "10000:e1:1f.7": 64, "00010000:E1:1F.7": 64,
	} {
		d, err := n.Device(bus)
		if err != nil {
			t.Errorf("Device(%q): %v", bus, err)
			continue
		}
		if got, err := d.Utilisation(); err != nil || got.GPU != want {
			t.Errorf("Device(%q) is busy by %+v, %v, want %d %%", bus, got, err, want)
		}
	}
	if d, _ := n.Device("00000000:C1:00.0"); d.bus != "0000:c1:00.0" {
		t.Errorf("its bus = %q, want it as sysfs spells it", d.bus)
	}
	for bus, want := range map[string]string{
		"0000:c2:00.0": "GPU 0000:c2:00.0: nvmlDeviceGetHandleByPciBusId_v2: NVML_ERROR_NOT_FOUND (6); ",
		"":             "not a bus id",
		"0":            "not a bus id",
	} {
		if _, err := n.Device(bus); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Device(%q): %v, want %q", bus, err, want)
		}
	}
}

// TestUnknown: what a device does not support is unknown, and what it does
// support stays known.
func TestUnknown(t *testing.T) {
	for _, q := range questions {
		t.Run(q.name, func(t *testing.T) {
			d := device(t, fake(t, "UNSUPPORTED", symbolNames[q.symbol]), bus0)
			for _, each := range questions {
				got, err := each.ask(d)
				same := each.symbol == q.symbol
				if err != nil || (got == unknown[each.name]) != same {
					t.Errorf("%s = %s, %v, unknown wanted: %v", each.name, got, err, same)
				}
			}
		})
	}
}

// TestOldDriver: a function that the library lacks makes one value unknown.
func TestOldDriver(t *testing.T) {
	n := fake(t)
	d := device(t, n, bus0)
	for _, q := range questions {
		kept := *n.lib
		n.lib[q.symbol] = 0
		if got, err := q.ask(d); err != nil || got != unknown[q.name] {
			t.Errorf("%s without its function = %s, %v, want %s", q.name, got, err, unknown[q.name])
		}
		*n.lib = kept
	}
}

// TestLost: a device that is gone says so in each answer, and what to do.
func TestLost(t *testing.T) {
	n := fake(t, "LOST", "1")
	d, other := device(t, n, bus1), device(t, n, bus0)
	for _, q := range questions {
		got, err := q.ask(d)
		if got != unknown[q.name] || !errors.Is(err, ErrLost) {
			t.Errorf("%s = %s, %v, want unknown and %v", q.name, got, err, ErrLost)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Bus != bus1 || e.Code != 15 || e.Name != "NVML_ERROR_GPU_IS_LOST" || symbolNames[q.symbol] != e.Call || e.Hint == "" {
			t.Errorf("%s: error %#v", q.name, err)
		}
	}
	if got, err := other.Utilisation(); err != nil || got.GPU == Unknown {
		t.Errorf("utilisation of the other device = %+v, %v", got, err)
	}
}

func TestLoadRefused(t *testing.T) {
	dir := fakecuda.BuildNVML(t)
	lib := filepath.Join(dir, "libnvidia-ml.so.1")
	for _, c := range []struct {
		name, path, init string
		none             bool
		want             string
	}{
		{"no library", filepath.Join(dir, "absent.so"), "0", true, "absent.so"},
		{"no library at all, but C", filepath.Join(dir, "nvml.c"), "0", true, "nvml.c"},
		{"another library", "libc.so.6", "0", true, "has no nvmlInit_v2"},
		{"the driver is not loaded", lib, "9", true, "nvmlInit_v2: NVML_ERROR_DRIVER_NOT_LOADED (9); load the kernel module"},
		{"library and driver differ", lib, "18", false, "NVML_ERROR_LIB_RM_VERSION_MISMATCH (18); library and kernel module are of two versions"},
		{"a code that nobody named", lib, "77", false, "nvmlInit_v2: unnamed code (77)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("FAKENVML_INIT", c.init)
			n, err := Load(c.path)
			if n != nil || err == nil || errors.Is(err, ErrNone) != c.none || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Load = %v, %v, want %q, none %v", n, err, c.want, c.none)
			}
		})
	}
}

// TestNoPermission: a refusal that is about the user stays an error.
func TestNoPermission(t *testing.T) {
	n := fake(t, "FAIL", "nvmlDeviceGetMemoryInfo=4")
	got, err := device(t, n, bus0).Memory()
	if got.Used != Unknown || err == nil || errors.Is(err, ErrLost) || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "NO_PERMISSION (4); ") {
		t.Errorf("Memory = %+v, %v, want NO_PERMISSION", got, err)
	}
}

// TestCloseAndLoadAgain: NVML counts its users; after the last one a device
// says so instead of crashing.
func TestCloseAndLoadAgain(t *testing.T) {
	dir := fakecuda.BuildNVML(t)
	load := func() *NVML {
		n, err := Load(filepath.Join(dir, "libnvidia-ml.so.1"))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a, b := load(), load()
	d := device(t, a, bus0)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Memory(); err != nil {
		t.Errorf("Memory while one user is left: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Memory(); err == nil || !strings.Contains(err.Error(), "UNINITIALIZED (1); NVML was closed") {
		t.Errorf("Memory after Close: %v, want UNINITIALIZED", err)
	}
	t.Setenv("FAKENVML_UTIL", "7")
	again := load()
	if got, err := device(t, again, bus0).Utilisation(); err != nil || got.GPU != 7 {
		t.Errorf("Utilisation after loading again = %+v, %v, want 7", got, err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestConcurrent: many ask one device and each gets its own answer, while the
// collector runs and stacks move.
func TestConcurrent(t *testing.T) {
	n := fake(t, "UTIL", "31;64", "MEM_MB", "512;2048")
	devices := []Device{device(t, n, bus0), device(t, n, bus1)}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			d, want := devices[g%2], []int{31, 64}[g%2]
			for i := range 200 {
				grow(i % 32)
				if u, err := d.Utilisation(); err != nil || u.GPU != want {
					t.Errorf("Utilisation = %+v, %v, want %d", u, err, want)
				}
				if m, err := d.Memory(); err != nil || m.Free+m.Used != m.Total {
					t.Errorf("Memory = %+v, %v", m, err)
				}
				if g == 0 && i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

// grow makes the stack larger, so that it is copied.
func grow(depth int) byte {
	var pad [1024]byte
	if depth > 0 {
		pad[depth] = grow(depth - 1)
	}
	return pad[depth]
}

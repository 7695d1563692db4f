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
	symbol []symbol
	ask    func(d, other Device) (string, error)
}

// questions are all there are.
var questions = []question{
	{"name", []symbol{fnName}, func(d, _ Device) (string, error) { return d.Name() }},
	{"UUID", []symbol{fnUUID}, func(d, _ Device) (string, error) { return d.UUID() }},
	{"utilisation", []symbol{fnUtilisation}, func(d, _ Device) (string, error) { return words(d.Utilisation()) }},
	{"memory", []symbol{fnMemory}, func(d, _ Device) (string, error) { return words(d.Memory()) }},
	{"link", []symbol{fnGeneration, fnMaxGeneration, fnWidth, fnMaxWidth}, func(d, _ Device) (string, error) { return words(d.Link()) }},
	{"throughput", []symbol{fnThroughput}, func(d, _ Device) (string, error) { return words(d.Throughput()) }},
	{"node", []symbol{fnAffinity}, func(d, _ Device) (string, error) { return words(d.Node()) }},
	{"temperature", []symbol{fnTemperature}, func(d, _ Device) (string, error) { return words(d.Temperature()) }},
	{"power", []symbol{fnPower}, func(d, _ Device) (string, error) { return words(d.Power()) }},
	{"ancestor", []symbol{fnAncestor}, func(d, o Device) (string, error) { return words(d.Ancestor(o)) }},
	{"write", []symbol{fnP2P}, func(d, o Device) (string, error) { return words(d.P2P(o, PeerWrite)) }},
	{"NVLink", []symbol{fnP2P}, func(d, o Device) (string, error) { return words(d.P2P(o, PeerNVLink)) }},
}

func words(v any, err error) (string, error) { return fmt.Sprintf("%+v", v), err }

// unknown is how each question is answered by a device that does not tell.
var unknown = map[string]string{
	"name": "", "UUID": "",
	"utilisation": "{GPU:-1 Memory:-1}",
	"memory":      "{Total:-1 Free:-1 Used:-1}",
	"link":        "{Generation:-1 MaxGeneration:-1 Width:-1 MaxWidth:-1}",
	"throughput":  "{Sent:-1 Received:-1}",
	"node":        "-1", "temperature": "-1", "power": "-1", "ancestor": "-1", "write": "unknown", "NVLink": "unknown",
}

func TestValues(t *testing.T) {
	n := fake(t, "UTIL", "31;64", "MEM_MB", "512;2048", "TOTAL_MB", "8192", "LINK", "108;516", "PCIE", "9000;4000000",
		"NODE", "0;129", "ANCESTOR", "40", "P2P", "0", "NVLINK", "3")
	if got, err := n.Driver(); err != nil || got != "580.00.fake" {
		t.Errorf("Driver = %q, %v, want 580.00.fake", got, err)
	}
	d := [2]Device{device(t, n, bus0), device(t, n, bus1)}
	for _, c := range []struct {
		name string
		want [2]string
	}{
		{"name", [2]string{"Fake GPU 0", "Fake GPU 1"}},
		{"UUID", [2]string{"GPU-fake-0", "GPU-fake-1"}},
		{"utilisation", [2]string{"{GPU:31 Memory:15}", "{GPU:64 Memory:32}"}},
		{"memory", [2]string{"{Total:8589934592 Free:8053063680 Used:536870912}", "{Total:8589934592 Free:6442450944 Used:2147483648}"}},
		{"link", [2]string{"{Generation:1 MaxGeneration:4 Width:8 MaxWidth:16}", "{Generation:5 MaxGeneration:4 Width:16 MaxWidth:16}"}},
		{"throughput", [2]string{"{Sent:4500 Received:9000}", "{Sent:2000000 Received:4000000}"}},
		{"node", [2]string{"0", "129"}},
		{"temperature", [2]string{"40", "41"}},
		{"power", [2]string{"100500", "100501"}},
		{"ancestor", [2]string{"40", "40"}},
		{"write", [2]string{"supported", "supported"}},
		{"NVLink", [2]string{"not supported by the way between the GPUs", "not supported by the way between the GPUs"}},
	} {
		q := questions[slices.IndexFunc(questions, func(q question) bool { return q.name == c.name })]
		for i := range d {
			if got, err := q.ask(d[i], d[1-i]); err != nil || got != c.want[i] {
				t.Errorf("%s of device %d = %s, %v, want %s", c.name, i, got, err, c.want[i])
			}
		}
	}
	if got, err := d[0].Ancestor(d[0]); err != nil || got != Board {
		t.Errorf("ancestor of a device and itself = %v, %v, want %v", got, err, Board)
	}
}

// TestJoin: each spelling of a bus id finds the device, and none is found by
// anything else.
func TestJoin(t *testing.T) {
	n := fake(t, "BUS0", "00000000:C1:00.0", "BUS1", "00010000:E1:1f.7")
	for bus, want := range map[string]string{
		"0000:c1:00.0": "GPU-fake-0", "0000:C1:00.0": "GPU-fake-0", "00000000:C1:00.0": "GPU-fake-0", "c1:00.0": "GPU-fake-0",
		"0000:c1:00": "GPU-fake-0", "10000:e1:1f.7": "GPU-fake-1", "00010000:E1:1F.7": "GPU-fake-1",
	} {
		d, err := n.Device(bus)
		if err != nil {
			t.Errorf("Device(%q): %v", bus, err)
			continue
		}
		if got, err := d.UUID(); err != nil || got != want {
			t.Errorf("Device(%q) is %q, %v, want %q", bus, got, err, want)
		}
	}
	if d, _ := n.Device("00000000:C1:00.0"); d.Bus() != "0000:c1:00.0" {
		t.Errorf("Bus = %q, want it as sysfs spells it", d.Bus())
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
			var names []string
			for _, s := range q.symbol {
				names = append(names, symbolNames[s])
			}
			n := fake(t, "UNSUPPORTED", strings.Join(names, ","))
			d, other := device(t, n, bus0), device(t, n, bus1)
			for _, each := range questions {
				got, err := each.ask(d, other)
				same := slices.Equal(each.symbol, q.symbol)
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
	d, other := device(t, n, bus0), device(t, n, bus1)
	for _, q := range questions {
		kept := *n.lib
		for _, s := range q.symbol {
			n.lib[s] = 0
		}
		if got, err := q.ask(d, other); err != nil || got != unknown[q.name] {
			t.Errorf("%s without its function = %s, %v, want %s", q.name, got, err, unknown[q.name])
		}
		*n.lib = kept
	}
	n.lib[fnDriver] = 0
	if got, err := n.Driver(); err != nil || got != "" {
		t.Errorf("Driver without its function = %q, %v, want none", got, err)
	}
}

// TestNoNumber: all bits set is NVML's "not available".
func TestNoNumber(t *testing.T) {
	n := fake(t, "PCIE", "4294967295", "P2P", "6")
	d, other := device(t, n, bus0), device(t, n, bus1)
	if got, err := d.Throughput(); err != nil || got.Received != Unknown {
		t.Errorf("Throughput = %+v, %v, want nothing received", got, err)
	}
	if got, err := d.P2P(other, PeerWrite); err != nil || got != Unknown {
		t.Errorf("P2P = %v, %v, want unknown", got, err)
	}
}

// TestLost: a device that is gone says so in each answer, and what to do.
func TestLost(t *testing.T) {
	n := fake(t, "LOST", "1")
	d, other := device(t, n, bus1), device(t, n, bus0)
	for _, q := range questions {
		got, err := q.ask(d, other)
		if got != unknown[q.name] || !errors.Is(err, ErrLost) {
			t.Errorf("%s = %s, %v, want unknown and %v", q.name, got, err, ErrLost)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Bus != bus1 || e.Code != 15 || e.Name != "NVML_ERROR_GPU_IS_LOST" || !slices.ContainsFunc(q.symbol, func(s symbol) bool { return symbolNames[s] == e.Call }) || e.Hint == "" {
			t.Errorf("%s: error %#v", q.name, err)
		}
	}
	if got, err := other.Name(); err != nil || got != "Fake GPU 0" {
		t.Errorf("name of the other device = %q, %v", got, err)
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
	if _, err := d.Power(); err != nil {
		t.Errorf("Power while one user is left: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Power(); err == nil || !strings.Contains(err.Error(), "UNINITIALIZED (1); NVML was closed") {
		t.Errorf("Power after Close: %v, want UNINITIALIZED", err)
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
				if p, err := d.Power(); err != nil || p != 100500+g%2 {
					t.Errorf("Power = %d, %v, want %d", p, err, 100500+g%2)
				}
				if g == 0 && i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Go(func() {
		if got, err := devices[0].Throughput(); err != nil || got.Received != 1000 {
			t.Errorf("Throughput = %+v, %v", got, err)
		}
	})
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

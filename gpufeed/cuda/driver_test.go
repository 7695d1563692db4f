//go:build linux && (amd64 || arm64) && !nogpu

package cuda

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
)

// refusal is the *driver.Error that an error is.
func refusal(t *testing.T, err error) *driver.Error {
	t.Helper()
	e, ok := errors.AsType[*driver.Error](err)
	if !ok {
		t.Fatalf("error = %v, want a *driver.Error", err)
	}
	return e
}

func TestLoadWithoutADriver(t *testing.T) {
	text := filepath.Join(t.TempDir(), "libcuda.so.1")
	must(t, os.WriteFile(text, bytes.Repeat([]byte("no library\n"), 1000), 0o600))
	missing := filepath.Join(t.TempDir(), "libcuda.so.1")
	for _, tt := range []struct{ name, path, says string }{
		{"no file", missing, "dlopen: " + missing + " not found"},
		{"a file that is no library", text, "invalid ELF header"},
		{"a driver that lacks a function", filepath.Join(fakecuda.Build(t, "cuMemcpyPeerAsync"), fakecuda.Library), "dlsym: cuMemcpyPeerAsync not found"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Load(tt.path)
			if d != nil || !errors.Is(err, driver.ErrNoDriver) {
				t.Fatalf("Load = %v, %v, want nil and driver.ErrNoDriver", d, err)
			}
			for _, piece := range []string{tt.says, "--device host needs none"} {
				if !strings.Contains(err.Error(), piece) {
					t.Errorf("Load = %q, want %q in it", err, piece)
				}
			}
		})
	}
}

// TestLoadByName: as a program does, which looks where the loader looks.
func TestLoadByName(t *testing.T) {
	if dir := fakecuda.Child(); dir != "" {
		d, err := Load("")
		must(t, err)
		if infos := had[[]driver.Info](t)(d.Devices()); len(infos) != 3 || infos[2].Name != "Fake GPU 2" {
			t.Errorf("Devices() = %+v, want the 3 of the fake", infos)
		}
		return
	}
	dir := fakecuda.Build(t)
	fakecuda.Run(t, dir, []string{"LD_LIBRARY_PATH=" + dir, "FAKECUDA_DEVICES=3"}, "TestLoadByName")
}

// TestLoadWithoutADevice: what a driver answers to cuInit, and that each answer
// says something else to do.
func TestLoadWithoutADevice(t *testing.T) {
	built := fakecuda.Build(t)
	hints := map[string]string{}
	for _, tt := range []struct {
		code string
		kind error
		says string
	}{
		{"2", driver.ErrOutOfMemory, "memory"},
		{"3", driver.ErrNoDriver, "nvidia-smi"},
		{"34", driver.ErrNoDriver, "stubs"},
		{"100", driver.ErrNoDriver, "CUDA_VISIBLE_DEVICES"},
		{"802", driver.ErrNoDriver, "nvidia-fabricmanager"},
		{"803", driver.ErrNoDriver, "restart the machine"},
		{"804", driver.ErrNoDriver, "LD_LIBRARY_PATH"},
		{"999", driver.ErrLost, "nvidia_uvm"},
	} {
		ask(t, "INIT", tt.code)
		_, err := Load(filepath.Join(fakecuda.Copy(t, built), fakecuda.Library))
		e := refusal(t, err)
		if !errors.Is(err, tt.kind) || e.Call != "cuInit" || !strings.Contains(e.Hint, tt.says) {
			t.Errorf("cuInit answers %s: %q of kind %v, want %v and a hint of %q", tt.code, err, e.Kind, tt.kind, tt.says)
		}
		if other, ok := hints[e.Hint]; ok {
			t.Errorf("codes %s and %s have one hint: %q", tt.code, other, e.Hint)
		}
		hints[e.Hint] = tt.code
	}
}

func TestVisibleDevices(t *testing.T) {
	built := fakecuda.Build(t)
	for _, tt := range []struct {
		visible string
		buses   string
	}{
		{"0,1", "0000:a1:00.0 0000:a2:00.0"},
		{"1,0", "0000:a2:00.0 0000:a1:00.0"},
		{"1", "0000:a2:00.0"},
		{"", ""},
		{"-1", ""},
	} {
		t.Setenv("CUDA_VISIBLE_DEVICES", tt.visible)
		ask(t, "BUS", "161") // A1: CUDA has capitals there, sysfs has not
		d, err := Load(filepath.Join(fakecuda.Copy(t, built), fakecuda.Library))
		if tt.buses == "" {
			if e := refusal(t, err); e.Code != 100 || !errors.Is(err, driver.ErrNoDriver) {
				t.Errorf("Load with CUDA_VISIBLE_DEVICES=%q = %v, want code 100 and driver.ErrNoDriver", tt.visible, err)
			}
			continue
		}
		must(t, err)
		var buses []string
		for _, info := range had[[]driver.Info](t)(d.Devices()) {
			buses = append(buses, info.Bus)
		}
		if got := strings.Join(buses, " "); got != tt.buses {
			t.Errorf("devices with CUDA_VISIBLE_DEVICES=%q = %q, want %q", tt.visible, got, tt.buses)
		}
	}
}

func TestInfo(t *testing.T) {
	d, _ := fake(t, "TOTAL_MB", "1024", "VERSION", "13050")
	if d.Name() != "cuda" || d.Version() != 13050 {
		t.Errorf("Name, Version = %q, %d, want cuda, 13050", d.Name(), d.Version())
	}
	want := driver.Info{
		Ordinal: 1, Name: "Fake GPU 1", Bus: "0000:02:00.0", UUID: "GPU-f0efeeed-eceb-eae9-e8e7-e6e5e4e3e201",
		Memory: 1 << 30, Major: 9, Minor: 0, Engines: 2,
	}
	infos := had[[]driver.Info](t)(d.Devices())
	if len(infos) != 2 || infos[1] != want {
		t.Errorf("Devices() = %+v, want two of which the second is %+v", infos, want)
	}
	g := hand(t, d, 1).gpu
	for a, want := range map[Attribute]int{
		CopyEngines: 2, ComputeMajor: 9, ComputeMinor: 0, EventsBetween: 1, ReadOnlyRegister: 0, HostRegister: 1, HostNUMANode: -1,
	} {
		if got, err := g.Attribute(a); got != want || err != nil {
			t.Errorf("Attribute(%d) = %d, %v, want %d, nil", a, got, err, want)
		}
	}
	_, err := g.Attribute(-1)
	if e := refusal(t, err); e.Code != 1 || e.Device != 1 || e.Call != "cuDeviceGetAttribute" {
		t.Errorf("Attribute(-1) = %v, want code 1 of cuDeviceGetAttribute on GPU 1", err)
	}
}

// TestContextSleeps: the flag has to be set before the context comes into being.
func TestContextSleeps(t *testing.T) {
	d, dir := fake(t)
	hand(t, d, 0)
	if n := fakecuda.Count(t, dir, "contexts"); n != 1 {
		t.Errorf("%d contexts after Open, want 1", n)
	}
	if n := fakecuda.Count(t, dir, "spin_contexts"); n != 0 {
		t.Errorf("%d contexts let their threads spin, want 0", n)
	}
}

// TestEverythingGivenBack: also what two opens share, and two closes of one.
func TestEverythingGivenBack(t *testing.T) {
	d, dir := fake(t)
	for range 3 {
		a, b := had[driver.GPU](t)(d.Open(0)), had[driver.GPU](t)(d.Open(0))
		th := had[driver.Thread](t)(a.Thread())
		host := pages(t, 4096)
		must(t, th.Pin(host))
		p, s, e := had[driver.Ptr](t)(th.Alloc(4096)), had[driver.Stream](t)(th.NewStream(true)), had[driver.Event](t)(th.NewEvent(true))
		must(t, th.CopyIn(p, host, s))
		must(t, th.Record(e, s))
		must(t, th.Synchronize(e))
		if live := fakecuda.Live(t, dir); len(live) != 6 {
			t.Errorf("in use: %v, want 6 kinds, or this test sees no leak", live)
		}
		must(t, th.Unpin(host))
		must(t, th.Free(p))
		must(t, th.CloseStream(s))
		must(t, th.CloseEvent(e))
		th.Leave()
		th.Leave()
		must(t, a.Close())
		must(t, a.Close())
		if n := fakecuda.Count(t, dir, "contexts"); n != 1 {
			t.Errorf("%d contexts after one of two closed, want 1", n)
		}
		must(t, b.Close())
		if live := fakecuda.Live(t, dir); len(live) != 0 {
			t.Errorf("after Close there is %v, want nothing", live)
		}
	}
	must(t, d.Close())
	_, err := d.Open(0)
	if e := refusal(t, err); e.Code != 4 {
		t.Errorf("Open of a closed driver = %v, want code 4", err)
	}
}

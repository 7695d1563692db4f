//go:build linux && (amd64 || arm64) && !nogpu

package inventory

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"voxpack/diagnosis"
	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/sim"
	"voxpack/gpufeed/sysfstest"
	"voxpack/gpufeed/topology"
)

// twoGPUs is a /sys with GPUs where those of fakecuda stand, at one switch.
func twoGPUs(t *testing.T) sysfstest.Sysfs {
	s := sysfstest.New(t)
	s.Write("devices/system/node/online", "0-1")
	for i, way := range []string{"0000:00:01.0/0000:03:00.0/0000:04:00.0/0000:01:00.0", "0000:00:01.0/0000:03:00.0/0000:04:01.0/0000:02:00.0"} {
		s.Device("pci0000:00/"+way, "class", "0x030200", "numa_node", "0", "local_cpulist", "0-3",
			"max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16", "current_link_width", []string{"16", "8"}[i])
	}
	s.Device("pci0000:00/0000:00:1f.0", "class", "0x040300") // NVIDIA's sound is no GPU
	return s
}

func fakeDriver(t *testing.T) driver.Driver {
	t.Helper()
	d, err := cuda.Load(filepath.Join(fakecuda.Build(t), fakecuda.Library))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func gaps(inv *Inventory) (list []Unseen) {
	for _, g := range inv.Unseen {
		list = append(list, g.What)
	}
	return list
}

const noNVML = "/nonexistent/libnvidia-ml.so.1"

func TestAllThreeTell(t *testing.T) {
	library := filepath.Join(fakecuda.BuildNVML(t), "libnvidia-ml.so.1")
	t.Setenv("FAKENVML_ANCESTOR", "20")
	t.Setenv("FAKENVML_NVLINK", "0")
	inv, err := Look(fakeDriver(t), nil, twoGPUs(t).Dir, library)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.GPUs) != 2 || inv.GPUs[0].Name != "Fake GPU 0" || inv.GPUs[1].Link.Width != 8 || inv.GPUs[0].Node != 0 || inv.GPUs[0].Memory == 0 {
		t.Errorf("GPUs %+v", inv.GPUs)
	}
	if want := []Pair{{0, 1, topology.PXB, diagnosis.Yes, diagnosis.Yes}}; !slices.Equal(inv.Pairs, want) {
		t.Errorf("pairs %+v, want %+v: NVML's word where it gives one", inv.Pairs, want)
	}
	if want := []Unseen{Idle}; !inv.NVML || inv.Driver != "cuda" || !slices.Equal(gaps(inv), want) {
		t.Errorf("NVML %v, driver %q, unseen %q, want %q", inv.NVML, inv.Driver, gaps(inv), want)
	}
	if p := inv.Place(1, 0); p.Peer != diagnosis.Yes || p.NVLink != diagnosis.Yes || p.Class != topology.PXB || len(p.GPUs) != 2 {
		t.Errorf("place %+v", p)
	}
}

func TestWithoutNVMLTheDriverIsAsked(t *testing.T) {
	inv, err := Look(fakeDriver(t), nil, twoGPUs(t).Dir, noNVML)
	if err != nil {
		t.Fatal(err)
	}
	if p := inv.Pairs[0]; p.Class != topology.PIX || p.NVLink != diagnosis.NotKnown || p.Peer != diagnosis.Yes {
		t.Errorf("%+v, want PIX by sysfs, and that the driver lets them write", p)
	}
	if want := []Unseen{Idle, NoNVML}; !slices.Equal(gaps(inv), want) {
		t.Errorf("unseen %q, want %q", gaps(inv), want)
	}
}

func TestNVMLThatForbidsPeers(t *testing.T) {
	library := filepath.Join(fakecuda.BuildNVML(t), "libnvidia-ml.so.1")
	t.Setenv("FAKENVML_P2P", "1")
	inv, err := Look(fakeDriver(t), nil, twoGPUs(t).Dir, library)
	if err != nil || inv.Pairs[0].Peer != diagnosis.No {
		t.Errorf("%+v, %v, want no peer access", inv, err)
	}
}

func TestWithoutADriverSysfsTells(t *testing.T) {
	why := errors.New("no libcuda")
	inv, err := Look(nil, why, twoGPUs(t).Dir, noNVML)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.GPUs) != 2 || inv.GPUs[1].Number != 1 || inv.Pairs[0].Class != topology.PIX || inv.Pairs[0].Peer != diagnosis.NotKnown {
		t.Errorf("%+v, want two GPUs at one switch", inv)
	}
	if want := []Unseen{NoDriver, Idle, NoNVML}; !slices.Equal(gaps(inv), want) || inv.Unseen[0].Why != why {
		t.Errorf("unseen %+v, want %q", inv.Unseen, want)
	}
}

func TestNoGPUAtAll(t *testing.T) {
	inv, err := Look(nil, nil, sysfstest.New(t).Dir, noNVML)
	if err != nil || len(inv.GPUs) > 0 || !slices.Equal(gaps(inv), []Unseen{NoDriver}) {
		t.Errorf("%+v, %v, want nothing but that there is no driver", inv, err)
	}
	if p, ok := inv.Best(); ok {
		t.Errorf("best pair %+v of none", p)
	}
}

func TestSimulatedGPUsAreNowhere(t *testing.T) {
	inv, err := Look(sim.New(sim.Options{NoPeer: true}), nil, "", noNVML)
	if err != nil {
		t.Fatal(err)
	}
	if want := []Unseen{NoAddress}; !slices.Equal(gaps(inv), want) {
		t.Errorf("unseen %q, want %q", gaps(inv), want)
	}
	if p := inv.Pairs[0]; p.Class != topology.UnknownClass || p.Peer != diagnosis.No {
		t.Errorf("%+v, want nothing known but that they may not write to each other", p)
	}
}

func TestGPUsThatSysfsDoesNotShow(t *testing.T) {
	inv, err := Look(fakeDriver(t), nil, sysfstest.New(t).Dir, noNVML)
	if err != nil || gaps(inv)[0] != NoSysfs || !slices.Equal(inv.Unseen[0].GPUs, []int{0, 1}) {
		t.Errorf("%+v, %v, want that sysfs shows neither", inv, err)
	}
}

func TestTheBestPair(t *testing.T) {
	yes, no, unknown := diagnosis.Yes, diagnosis.No, diagnosis.NotKnown
	for _, tt := range []struct {
		name  string
		pairs []Pair
		want  int // its place; -1: none
	}{
		{"the nearest", []Pair{{0, 1, topology.SYS, no, yes}, {0, 2, topology.PIX, no, yes}}, 1},
		{"among equals the first", []Pair{{0, 1, topology.PHB, no, yes}, {0, 2, topology.PHB, no, yes}}, 0},
		{"NVLink goes before a switch", []Pair{{0, 1, topology.PIX, no, yes}, {0, 2, topology.SYS, yes, yes}}, 1},
		{"copies that are staged come last", []Pair{{0, 1, topology.PIX, no, no}, {0, 2, topology.SYS, no, yes}}, 1},
		{"a pair that nobody knows is none", []Pair{{0, 1, topology.UnknownClass, unknown, yes}}, -1},
		{"but with NVLink", []Pair{{0, 1, topology.UnknownClass, yes, unknown}}, 0},
	} {
		got, ok := (&Inventory{Pairs: tt.pairs}).Best()
		if ok != (tt.want >= 0) || ok && got != tt.pairs[tt.want] {
			t.Errorf("%s: %+v, %v, want pair %d", tt.name, got, ok, tt.want)
		}
	}
}

// TestADriverThatDoesNotServe: one that is too old or does not start is told from a
// machine that has none, and GPUs without a driver from a machine without GPUs.
func TestADriverThatDoesNotServe(t *testing.T) {
	load := func(dir string) error {
		_, err := cuda.Load(filepath.Join(dir, fakecuda.Library))
		return err
	}
	tooOld := load(fakecuda.Build(t, "cuMemcpyPeerAsync"))
	t.Setenv("FAKECUDA_INIT", "803")
	mismatch := load(fakecuda.Build(t))
	t.Setenv("FAKECUDA_INIT", "100")
	nothing := load(fakecuda.Build(t))
	none, gpus := sysfstest.New(t).Dir, twoGPUs(t).Dir
	for _, tt := range []struct {
		name    string
		why     error
		sys     string
		refused bool
	}{
		{"it lacks a function", tooOld, none, true},
		{"its library and its module are of two versions", mismatch, none, true},
		{"it has no GPU to serve, and the system shows none", nothing, none, false},
		{"it has no GPU to serve, and the system shows two", nothing, gpus, true},
		{"there is none", load(t.TempDir()), none, false},
		{"there is none for two GPUs", load(t.TempDir()), gpus, true},
		{"nobody asked", nil, gpus, false},
	} {
		inv, err := Look(nil, tt.why, tt.sys, noNVML)
		call, code := inv.Unseen[0].Refusal()
		if want := map[string]string{"it lacks a function": "dlsym 0", "its library and its module are of two versions": "cuInit 803"}[tt.name]; want != "" && fmt.Sprint(call, " ", code) != want {
			t.Errorf("%s: %s %d, want %s", tt.name, call, code, want)
		}
		if err != nil || (inv.Refused != nil) != tt.refused || tt.why == nil && tt.name != "nobody asked" {
			t.Errorf("%s: refused %v, %v (%v)", tt.name, inv.Refused, err, tt.why)
		}
	}
}

func TestWhatNVMLTellsOfThisMoment(t *testing.T) {
	library := filepath.Join(fakecuda.BuildNVML(t), "libnvidia-ml.so.1")
	t.Setenv("FAKENVML_UTIL", "30;90")
	t.Setenv("FAKENVML_MEM_MB", "100;200")
	inv, err := Look(fakeDriver(t), nil, "", library)
	if err != nil || inv.Version != 12090 || inv.GPUs[1].Busy != 90 || inv.GPUs[0].Used != 100<<20 {
		t.Errorf("%+v, %v", inv, err)
	}
	inv, err = Look(fakeDriver(t), nil, "", noNVML)
	if err != nil || inv.GPUs[1].Busy != -1 || inv.GPUs[0].Used != -1 {
		t.Errorf("without NVML: %+v, %v", inv, err)
	}
}

// TestGauges: how busy GPUs are changes from look to look, and without NVML they
// are there all the same.
func TestGauges(t *testing.T) {
	sys, library := twoGPUs(t).Dir, filepath.Join(fakecuda.BuildNVML(t), "libnvidia-ml.so.1")
	t.Setenv("FAKENVML_UTIL", "30;90")
	t.Setenv("FAKENVML_MEM_MB", "100;200")
	g := OpenGauges(sys, library)
	first, second := g.Look(), g.Look()
	if len(first) != 2 || first[0].Busy < 0 || first[1].Used != 200<<20 || first[0].Memory == 0 || len(second) != 2 {
		t.Errorf("%+v", first)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	g = OpenGauges(sys, noNVML)
	if list := g.Look(); len(list) != 2 || list[0].Busy != -1 || list[0].Used != -1 {
		t.Errorf("without NVML: %+v", list)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if list := OpenGauges(sysfstest.New(t).Dir, library).Look(); len(list) != 0 {
		t.Errorf("without a GPU: %+v", list)
	}
}

//go:build linux && (amd64 || arm64) && !nogpu

package inventory

import (
	"errors"
	"slices"
	"testing"

	"voxpack/diagnosis"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/sim"
	"voxpack/gpufeed/sysfstest"
	"voxpack/gpufeed/topology"
)

// linked is simulated GPUs at places of a made-up sysfs, whose links are slow until
// something is copied to them.
type linked struct {
	driver.Driver
	sys    sysfstest.Sysfs
	ways   []string // in sysfs
	loaded []string // what current_link_speed says under load
	width  []string // current_link_width then
	full   error    // that Alloc gives on GPU 1
}

func (l linked) Devices() ([]driver.Info, error) {
	list, err := l.Driver.Devices()
	for i := range list {
		list[i].Bus = topology.Address{Bus: uint8(i + 1)}.String()
	}
	return list, err
}

func (l linked) Open(ordinal int) (driver.GPU, error) {
	gpu, err := l.Driver.Open(ordinal)
	return linkedGPU{gpu, l, ordinal}, err
}

type linkedGPU struct {
	driver.GPU
	of      linked
	ordinal int
}

func (g linkedGPU) Thread() (driver.Thread, error) {
	t, err := g.GPU.Thread()
	return linkedThread{t, g}, err
}

type linkedThread struct {
	driver.Thread
	at linkedGPU
}

func (t linkedThread) Alloc(bytes int) (driver.Ptr, error) {
	if t.at.ordinal == 1 && t.at.of.full != nil {
		return 0, t.at.of.full
	}
	return t.Thread.Alloc(bytes)
}

func (t linkedThread) CopyIn(dst driver.Ptr, src []byte, s driver.Stream) error {
	l, i := t.at.of, t.at.ordinal
	l.sys.Write("devices/"+l.ways[i]+"/current_link_speed", l.loaded[i])
	l.sys.Write("devices/"+l.ways[i]+"/current_link_width", l.width[i])
	return t.Thread.CopyIn(dst, src, s)
}

// twoLinks are two GPUs of generation 4 with 16 lanes, idle at generation 1.
func twoLinks(t *testing.T, loaded, width [2]string) linked {
	s := sysfstest.New(t)
	s.Write("devices/system/node/online", "0")
	l := linked{Driver: sim.New(sim.Options{}), sys: s, loaded: loaded[:], width: width[:]}
	t.Cleanup(func() { l.Driver.Close() })
	for _, name := range []string{"pci0000:00/0000:00:01.0/0000:01:00.0", "pci0000:00/0000:00:03.0/0000:02:00.0"} {
		l.ways = append(l.ways, name)
		s.Device(name, "class", "0x030200", "numa_node", "0", "max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16",
			"current_link_speed", "2.5 GT/s PCIe", "current_link_width", "16")
	}
	return l
}

// TestLinksUnderLoad: a link that is slow only while it is idle is sound, one that
// stays slow or narrow is a finding with its number.
func TestLinksUnderLoad(t *testing.T) {
	for _, tt := range []struct {
		name          string
		loaded, width [2]string
		generation    int
		says          string // of the data GPU; "": nothing is found
	}{
		{"slow while idle", [2]string{"16.0 GT/s PCIe", "16.0 GT/s PCIe"}, [2]string{"16", "16"}, 4, ""},
		{"stays at generation 1", [2]string{"2.5 GT/s PCIe", "16.0 GT/s PCIe"}, [2]string{"16", "16"}, 1,
			"the link of GPU 0 is x16 gen1 under load of x16 gen4: expect at most 3.5 GB/s instead of 27.7"},
		{"a slot of generation 3", [2]string{"8.0 GT/s PCIe", "16.0 GT/s PCIe"}, [2]string{"16", "16"}, 3,
			"the link of GPU 0 is x16 gen3 under load of x16 gen4: expect at most 13.9 GB/s instead of 27.7"},
		{"narrow", [2]string{"16.0 GT/s PCIe", "16.0 GT/s PCIe"}, [2]string{"8", "16"}, 4,
			"the link of GPU 0 is x8 gen4 under load of x16 gen4: expect at most 13.9 GB/s instead of 27.7"},
	} {
		l := twoLinks(t, tt.loaded, tt.width)
		inv, err := Look(l, nil, l.sys.Dir, noNVML)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(gaps(inv), Idle) || inv.GPUs[0].Link.Now != 0 {
			t.Errorf("%s: before the load: %+v, unseen %q", tt.name, inv.GPUs[0].Link, gaps(inv))
		}
		inv.Load(l, l.sys.Dir)
		g := inv.GPUs[0]
		if g.Loaded == nil || g.Loaded.Bytes == 0 || g.Loaded.Rate() <= 0 || g.Link.NowGeneration() != tt.generation || slices.Contains(gaps(inv), Idle) {
			t.Errorf("%s: %+v, %+v, want generation %d; unseen %q", tt.name, g.Loaded, g.Link, tt.generation, gaps(inv))
		}
		says := ""
		for _, v := range diagnosis.Find(diagnosis.Observation{Place: inv.Place(0, 1)}) {
			if v.Rule == "link" {
				says = v.Cause
			}
		}
		if says != tt.says {
			t.Errorf("%s: says %q, want %q", tt.name, says, tt.says)
		}
	}
}

// TestAFullGPUIsNotLoaded: the others are, and the gap says why.
func TestAFullGPUIsNotLoaded(t *testing.T) {
	fast := [2]string{"16.0 GT/s PCIe", "16.0 GT/s PCIe"}
	l := twoLinks(t, fast, [2]string{"16", "16"})
	l.full = errors.New("out of memory")
	inv, err := Look(l, nil, l.sys.Dir, noNVML)
	if err != nil {
		t.Fatal(err)
	}
	inv.Load(l, l.sys.Dir)
	last := inv.Unseen[len(inv.Unseen)-1]
	if inv.GPUs[0].Loaded == nil || inv.GPUs[1].Loaded != nil || last.What != NotLoaded || !slices.Equal(last.GPUs, []int{1}) || last.Why != l.full {
		t.Errorf("%+v, want GPU 1 named with %v", last, l.full)
	}
}

// TestALoadLeavesNothing: memory of the host and of the GPUs is given back.
func TestALoadLeavesNothing(t *testing.T) {
	l := twoLinks(t, [2]string{"16.0 GT/s PCIe", "16.0 GT/s PCIe"}, [2]string{"16", "16"})
	inv, err := Look(l, nil, l.sys.Dir, noNVML)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // memory that stays pinned is refused the second time
		inv.Load(l, l.sys.Dir)
		if slices.Contains(gaps(inv), NotLoaded) {
			t.Fatalf("%+v", inv.Unseen)
		}
	}
}

// TestALoadOverTheDriver: the calls are those that the driver takes, here its fake in C.
func TestALoadOverTheDriver(t *testing.T) {
	sys, d := twoGPUs(t), fakeDriver(t)
	inv, err := Look(d, nil, sys.Dir, noNVML)
	if err != nil {
		t.Fatal(err)
	}
	inv.Load(d, sys.Dir) // of which sysfs tells no speed
	if last := inv.Unseen[len(inv.Unseen)-1]; last.What != NotLoaded || !slices.Equal(last.GPUs, []int{0, 1}) {
		t.Errorf("without a speed in sysfs: %+v", inv.Unseen)
	}
	for _, way := range []string{"0000:00:01.0/0000:03:00.0/0000:04:00.0/0000:01:00.0", "0000:00:01.0/0000:03:00.0/0000:04:01.0/0000:02:00.0"} {
		sys.Write("devices/pci0000:00/"+way+"/current_link_speed", "16.0 GT/s PCIe")
	}
	inv.Load(d, sys.Dir)
	for _, g := range inv.GPUs {
		if g.Loaded == nil || g.Loaded.Bytes < loadBytes || g.Link.NowGeneration() != 4 {
			t.Errorf("GPU %d: %+v, %+v", g.Number, g.Loaded, g.Link)
		}
	}
}

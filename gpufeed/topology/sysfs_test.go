package topology

import (
	"os"
	"runtime"
	"testing"

	"voxpack/gpufeed/sysfstest"
)

// sysfs is a made-up /sys.
type sysfs struct{ sysfstest.Sysfs }

func newSysfs(t *testing.T) sysfs { return sysfs{sysfstest.New(t)} }

// device makes a device at a way below devices, with files in pairs of name and
// text.
func (s sysfs) device(way string, files ...string) Address {
	a, err := ParseAddress(s.Device(way, files...))
	if err != nil {
		panic(err)
	}
	return a
}

// TestThisMachine: whatever this machine shows, nothing crashes and what is
// known makes sense.
func TestThisMachine(t *testing.T) {
	entries, err := os.ReadDir("/sys/bus/pci/devices")
	if err != nil {
		t.Skipf("NOTICE: no PCI devices in /sys on %s: %v", runtime.GOOS, err)
	}
	var all []Address
	for _, e := range entries {
		a, err := ParseAddress(e.Name())
		if err != nil {
			t.Errorf("ParseAddress(%q): %v", e.Name(), err)
		}
		if a.String() != e.Name() {
			t.Errorf("ParseAddress(%q) writes %q", e.Name(), a)
		}
		all = append(all, a)
	}
	absent := Address{Domain: 0xffff, Bus: 0xff}
	m := Survey("", append(all, absent))
	t.Logf("virtual %v, nodes %v", m.Virtual, m.nodes)
	for i, d := range m.Devices {
		if got, want := d.Known, d.Address != absent; got != want {
			t.Errorf("%v: Known = %v, want %v", d.Address, got, want)
		}
		if d.Node < UnknownNode {
			t.Errorf("%v: node %d", d.Address, d.Node)
		}
		for j := range m.Devices {
			if got, back := m.Between(i, j), m.Between(j, i); got != back || (i == j) != (got == Same) {
				t.Errorf("Between(%v, %v) = %v and back %v", d.Address, m.Devices[j].Address, got, back)
			}
		}
	}
}

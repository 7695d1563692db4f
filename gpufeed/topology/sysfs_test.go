package topology

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// sysfs is a made-up /sys with real links.
type sysfs struct {
	t   *testing.T
	dir string
}

func newSysfs(t *testing.T) sysfs {
	t.Helper()
	return sysfs{t, t.TempDir()}
}

// write puts a file as the kernel writes it, with its newline.
func (s sysfs) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s sysfs) link(name, target string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		s.t.Fatal(err)
	}
}

// device makes a device at a way below devices, with files in pairs of name
// and text.
func (s sysfs) device(way string, files ...string) Address {
	s.t.Helper()
	name := filepath.Base(way)
	s.write("devices/"+way+"/vendor", "0x10de")
	for i := 0; i < len(files); i += 2 {
		s.write("devices/"+way+"/"+files[i], files[i+1])
	}
	s.link("bus/pci/devices/"+name, "../../../devices/"+way)
	a, err := ParseAddress(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// group puts a device into an IOMMU group.
func (s sysfs) group(way, group, kind string) {
	s.t.Helper()
	s.write("kernel/iommu_groups/"+group+"/type", kind)
	s.link("devices/"+way+"/iommu_group", filepath.Join(s.dir, "kernel/iommu_groups", group))
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
		Advice(Machine{Devices: []Device{d, m.Devices[0]}, Virtual: m.Virtual, nodes: m.nodes}, nil)
	}
}

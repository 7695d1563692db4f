package sysfstest

import (
	"os"
	"path/filepath"
	"testing"
)

// Sysfs is a made-up /sys with real links.
type Sysfs struct {
	Dir string
	t   testing.TB
}

// New makes an empty one, which goes with the test.
func New(t testing.TB) Sysfs {
	t.Helper()
	return Sysfs{Dir: t.TempDir(), t: t}
}

// Write puts a file as the kernel writes it, with its newline.
func (s Sysfs) Write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.path(name), []byte(text+"\n"), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

// Link makes a link, and the folders above it.
func (s Sysfs) Link(name, target string) {
	s.t.Helper()
	if err := os.Symlink(target, s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

func (s Sysfs) path(name string) string {
	s.t.Helper()
	path := filepath.Join(s.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// Device makes a device of NVIDIA's at a way below devices, with files in pairs
// of name and text, and returns its address.
func (s Sysfs) Device(way string, files ...string) string {
	s.t.Helper()
	name := filepath.Base(way)
	s.Write("devices/"+way+"/vendor", "0x10de")
	for i := 0; i < len(files); i += 2 {
		s.Write("devices/"+way+"/"+files[i], files[i+1])
	}
	s.Link("bus/pci/devices/"+name, "../../../devices/"+way)
	return name
}

// Group puts a device into an IOMMU group.
func (s Sysfs) Group(way, group, kind string) {
	s.t.Helper()
	s.Write("kernel/iommu_groups/"+group+"/type", kind)
	s.Link("devices/"+way+"/iommu_group", filepath.Join(s.Dir, "kernel/iommu_groups", group))
}

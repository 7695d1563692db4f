package topology

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestSurveyDevice(t *testing.T) {
	s := newSysfs(t)
	s.Write("devices/system/node/online", "0-1")
	way := portA + "0000:65:00.0"
	a := s.device(way,
		"numa_node", "1", "local_cpulist", "8-11,24-27",
		"current_link_speed", "2.5 GT/s PCIe", "current_link_width", "8",
		"max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16")
	s.Group(way, "17", "DMA-FQ")

	// Through a link, as /sys itself may be one.
	top := filepath.Join(t.TempDir(), "sys")
	if err := os.Symlink(s.Dir, top); err != nil {
		t.Fatal(err)
	}
	got := Survey(top, []Address{a}).Devices[0]
	want := Device{
		Address: a, Known: true, Node: 1, CPUs: []int{8, 9, 10, 11, 24, 25, 26, 27},
		Link:  Link{Speed: 16, Width: 8, MaxWidth: 16},
		IOMMU: Translating, Group: "17",
		route: route{host: "devices/pci0000:00", bridges: []string{"0000:00:01.0"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("Survey = %+v, want %+v", got, want)
	}
}

// TestSurveyUnknown: what sysfs does not tell is unknown, never an error.
func TestSurveyUnknown(t *testing.T) {
	gone := Device{Address: Address{Bus: 1}, Node: UnknownNode}
	t.Run("no sysfs", func(t *testing.T) {
		m := Survey(filepath.Join(t.TempDir(), "none"), []Address{gone.Address, {Bus: 2}})
		if !reflect.DeepEqual(m.Devices[0], gone) {
			t.Errorf("Survey = %+v, want %+v", m.Devices[0], gone)
		}
		if got := m.Between(0, 1); got != UnknownClass {
			t.Errorf("Between = %v, want %v", got, UnknownClass)
		}
	})
	t.Run("a link that leads nowhere", func(t *testing.T) {
		s := newSysfs(t)
		s.Link("bus/pci/devices/0000:01:00.0", "../../../devices/gone")
		if got := Survey(s.Dir, []Address{gone.Address}).Devices[0]; !reflect.DeepEqual(got, gone) {
			t.Errorf("Survey = %+v, want %+v", got, gone)
		}
	})
	t.Run("files without sense", func(t *testing.T) {
		s := newSysfs(t)
		a := s.device("pci0000:00/0000:01:00.0", "numa_node", "-1", "local_cpulist", "0-99999999",
			"current_link_speed", "Unknown speed", "current_link_width", "63", "max_link_speed", "7.0 GT/s", "max_link_width", "255")
		got := Survey(s.Dir, []Address{a}).Devices[0]
		want := Device{Address: a, Known: true, Node: UnknownNode, IOMMU: NoIOMMU,
			route: route{host: "devices/pci0000:00", bridges: []string{}}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("Survey = %+v, want %+v", got, want)
		}
	})
}

func TestIOMMU(t *testing.T) {
	for kind, want := range map[string]IOMMU{"identity": PassThrough, "DMA": Translating, "DMA-FQ": Translating, "unmanaged": UnknownIOMMU} {
		s := newSysfs(t)
		a := s.device("pci0000:00/0000:01:00.0")
		s.Group("pci0000:00/0000:01:00.0", "3", kind)
		if got := Survey(s.Dir, []Address{a}).Devices[0].IOMMU; got != want {
			t.Errorf("a group of type %q: IOMMU %v, want %v", kind, got, want)
		}
	}
}

func TestVirtual(t *testing.T) {
	const clock = "devices/system/clocksource/clocksource0/available_clocksource"
	for _, c := range []struct {
		name  string
		files []string
		want  bool
	}{
		{"nothing said is a machine", nil, false},
		{"a board is a machine", []string{"class/dmi/id/sys_vendor", "Supermicro", "class/dmi/id/product_name", "SYS-4029GP-TRT", clock, "tsc hpet acpi_pm"}, false},
		{"QEMU's board", []string{"class/dmi/id/sys_vendor", "QEMU"}, true},
		{"Microsoft's machine is one only where it says virtual", []string{"class/dmi/id/sys_vendor", "Microsoft Corporation", "class/dmi/id/product_name", "Surface Studio"}, false},
		{"Hyper-V's", []string{"class/dmi/id/sys_vendor", "Microsoft Corporation", "class/dmi/id/product_name", "Virtual Machine"}, true},
		{"a guest's clock where firmware names nothing", []string{clock, "tsc kvm-clock"}, true},
		{"Xen", []string{"hypervisor/type", "xen"}, true},
		{"an instance of Amazon's", []string{"class/dmi/id/sys_vendor", "Amazon EC2", "class/dmi/id/product_name", "p4d.24xlarge"}, true},
		{"a whole machine of Amazon's", []string{"class/dmi/id/sys_vendor", "Amazon EC2", "class/dmi/id/product_name", "g5g.metal"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSysfs(t)
			for i := 0; i < len(c.files); i += 2 {
				s.Write(c.files[i], c.files[i+1])
			}
			if got := Survey(s.Dir, nil).Virtual; got != c.want {
				t.Errorf("Virtual = %v, want %v", got, c.want)
			}
		})
	}
}

// TestLinkRates against the figures that the standard's encodings give.
func TestLinkRates(t *testing.T) {
	for _, c := range []struct {
		speed      string
		width      int
		generation int
		rate       float64
	}{
		{"2.5 GT/s PCIe", 16, 1, 4},
		{"5.0 GT/s PCIe", 16, 2, 8},
		{"8 GT/s", 16, 3, 15.75},
		{"16.0 GT/s PCIe", 16, 4, 31.51},
		{"32.0 GT/s PCIe", 16, 5, 63.02},
		{"64.0 GT/s PCIe", 16, 6, 118},
		{"16.0 GT/s PCIe", 8, 4, 15.75},
		{"Unknown", 16, 0, 0},
		{"", 16, 0, 0},
		{"NaN GT/s", 16, 0, 0},
		{"16.0", 16, 0, 0},
	} {
		l := Link{Speed: parseSpeed(c.speed), Width: c.width}
		if got := generation(l.Speed); got != c.generation {
			t.Errorf("generation of %q = %d, want %d", c.speed, got, c.generation)
		}
		if got := rate(l.Speed, l.Width); math.Abs(got-c.rate) > 0.01 {
			t.Errorf("rate of %q x%d = %.2f GB/s, want %.2f", c.speed, c.width, got, c.rate)
		}
	}
	for text, want := range map[string]int{"16": 16, "1": 1, "32": 32, "0": 0, "33": 0, "-4": 0, "": 0, "x16": 0} {
		if got := parseWidth(text); got != want {
			t.Errorf("parseWidth(%q) = %d, want %d", text, got, want)
		}
	}
}

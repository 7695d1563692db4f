package topology

import "testing"

// Ways in sysfs: a host bridge with a root port, two switches below it, each
// with an upper port and a port per device.
const (
	portA   = "pci0000:00/0000:00:01.0/"
	portB   = "pci0000:00/0000:00:03.0/"
	outer   = portA + "0000:01:00.0/"
	switchA = outer + "0000:02:00.0/0000:03:00.0/"
	switchB = outer + "0000:02:01.0/0000:08:00.0/"
)

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		name         string
		a, b         string
		nodeA, nodeB string
		online       string
		want         Class
	}{
		{"two ports of one switch are PIX", switchA + "0000:04:00.0/0000:05:00.0", switchA + "0000:04:01.0/0000:06:00.0", "0", "0", "0-1", PIX},
		{"two functions under one port are PIX", portA + "0000:01:00.0", portA + "0000:01:00.1", "0", "0", "0-1", PIX},
		{"two switches under one root port are PXB", switchA + "0000:04:00.0/0000:05:00.0", switchB + "0000:09:00.0/0000:0a:00.0", "0", "0", "0-1", PXB},
		{"one of them a switch deeper is PXB", switchA + "0000:04:00.0/0000:05:00.0", outer + "0000:02:01.0/0000:08:00.0", "0", "0", "0-1", PXB},
		{"one of them a bridge deeper is PXB", outer + "0000:02:00.0/0000:03:00.0/0000:04:00.0", outer + "0000:02:01.0/0000:08:00.0", "0", "0", "0-1", PXB},
		{"the deeper one named first is PXB too", outer + "0000:02:01.0/0000:08:00.0", switchA + "0000:04:00.0/0000:05:00.0", "0", "0", "0-1", PXB},
		{"two root ports of one host bridge are PHB", portA + "0000:01:00.0", portB + "0000:02:00.0", "0", "0", "0-1", PHB},
		{"a virtual machine without bridges is PHB", "pci0000:00/0000:00:05.0", "pci0000:00/0000:00:06.0", "-1", "-1", "0", PHB},
		{"two host bridges of one node are NODE", portA + "0000:01:00.0", "pci0000:40/0000:40:01.0/0000:41:00.0", "1", "1", "0-1", NODE},
		{"two host bridges of two nodes are SYS", portA + "0000:01:00.0", "pci0000:80/0000:80:01.0/0000:81:00.0", "0", "1", "0-1", SYS},
		{"unknown nodes of several are SYS", portA + "0000:01:00.0", "pci0000:80/0000:80:01.0/0000:81:00.0", "-1", "-1", "0-1", SYS},
		{"unknown nodes where there is one are NODE", portA + "0000:01:00.0", "pci0000:80/0000:80:01.0/0000:81:00.0", "-1", "-1", "0", NODE},
		{"a host bridge below another counts for itself", portA + "0000:01:00.0", "pci0000:00/0000:00:0e.0/pci10000:e0/10000:e0:06.0/10000:e1:00.0", "0", "0", "0-1", NODE},
		{"a platform's host bridge is one", "platform/soc/ABC:00/pci0001:00/0001:00:00.0/0001:01:00.0", "platform/soc/ABC:00/pci0001:00/0001:00:01.0/0001:02:00.0", "0", "0", "0", PHB},
		{"without a host bridge nothing is known", "vmbus/0000:01:00.0", "vmbus/0000:02:00.0", "0", "0", "0", UnknownClass},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSysfs(t)
			s.Write("devices/system/node/online", c.online)
			a := s.device(c.a, "numa_node", c.nodeA)
			b := s.device(c.b, "numa_node", c.nodeB)
			m := Survey(s.Dir, []Address{a, b})
			if got := m.Between(0, 1); got != c.want {
				t.Errorf("Between(%s, %s) = %v, want %v", c.a, c.b, got, c.want)
			}
			if got := m.Between(1, 0); got != c.want {
				t.Errorf("Between(%s, %s) = %v, want %v", c.b, c.a, got, c.want)
			}
			if got := m.Between(1, 1); got != Same {
				t.Errorf("Between a device and itself = %v, want %v", got, Same)
			}
		})
	}
}

func TestDistance(t *testing.T) {
	for i, c := range []Class{UnknownClass, Same, PIX, PXB, PHB, NODE, SYS, ""} {
		want := i - 1
		if c == "" {
			want = -1
		}
		if got := c.Distance(); got != want {
			t.Errorf("%q.Distance() = %d, want %d", c, got, want)
		}
	}
}

// published are matrices that people showed of their machines (nvidia-smi topo -m), parts
// of them where the rest repeats, and ways that give them: those of the lspci -t beside the
// first, for the others made up after what the words mean.
var published = []struct {
	source, name, online string
	ways                 []string // the node before the colon
	matrix               [][]Class
}{
	{"github.com/noonghunna/club-3090/issues/1229", "four host bridges, both GPUs at the first", "0", []string{"0:pci0000:00/0000:00:01.1/0000:01:00.0", "0:pci0000:00/0000:00:03.1/0000:02:00.0"},
		[][]Class{{Same, PHB}, {PHB, Same}}},
	{"github.com/NVIDIA/nccl/issues/1439", "two sockets with one host bridge and two switches each", "0-1", []string{
		"0:pci0000:00/0000:00:02.0/0000:02:00.0/0000:03:08.0/0000:04:00.0", "0:pci0000:00/0000:00:02.0/0000:02:00.0/0000:03:10.0/0000:05:00.0",
		"0:pci0000:00/0000:00:03.0/0000:07:00.0/0000:08:08.0/0000:09:00.0", "0:pci0000:00/0000:00:03.0/0000:07:00.0/0000:08:10.0/0000:0a:00.0",
		"1:pci0000:80/0000:80:02.0/0000:82:00.0/0000:83:08.0/0000:84:00.0", "1:pci0000:80/0000:80:02.0/0000:82:00.0/0000:83:10.0/0000:85:00.0"},
		[][]Class{{Same, PIX, PHB, PHB, SYS, SYS}, {PIX, Same, PHB, PHB, SYS, SYS}, {PHB, PHB, Same, PIX, SYS, SYS}, {PHB, PHB, PIX, Same, SYS, SYS},
			{SYS, SYS, SYS, SYS, Same, PIX}, {SYS, SYS, SYS, SYS, PIX, Same}}},
	{"github.com/NVIDIA/nccl/issues/1817", "two sockets with a host bridge for each switch", "0-1", []string{
		"0:pci0000:26/0000:26:01.0/0000:27:00.0/0000:28:00.0/0000:29:00.0", "0:pci0000:26/0000:26:01.0/0000:27:00.0/0000:28:01.0/0000:2a:00.0",
		"0:pci0000:5a/0000:5a:01.0/0000:5b:00.0/0000:5c:00.0/0000:5d:00.0", "0:pci0000:5a/0000:5a:01.0/0000:5b:00.0/0000:5c:01.0/0000:5e:00.0",
		"1:pci0000:8e/0000:8e:01.0/0000:8f:00.0/0000:90:00.0/0000:91:00.0", "1:pci0000:8e/0000:8e:01.0/0000:8f:00.0/0000:90:01.0/0000:92:00.0"},
		[][]Class{{Same, PIX, NODE, NODE, SYS, SYS}, {PIX, Same, NODE, NODE, SYS, SYS}, {NODE, NODE, Same, PIX, SYS, SYS}, {NODE, NODE, PIX, Same, SYS, SYS},
			{SYS, SYS, SYS, SYS, Same, PIX}, {SYS, SYS, SYS, SYS, PIX, Same}}},
	{"github.com/NVIDIA/nccl-tests/issues/78", "switches below switches: a GPU and four network cards", "0-1", []string{
		"0:pci0000:30/0000:30:00.0/0000:31:00.0/0000:32:00.0/0000:33:00.0/0000:34:00.0/0000:35:00.0",
		"0:pci0000:30/0000:30:00.0/0000:31:00.0/0000:32:00.0/0000:33:00.0/0000:34:01.0/0000:36:00.0",
		"0:pci0000:30/0000:30:00.0/0000:31:00.0/0000:32:01.0/0000:37:00.0/0000:38:00.0/0000:39:00.0",
		"0:pci0000:48/0000:48:00.0/0000:49:00.0/0000:4a:00.0/0000:4b:00.0", "1:pci0000:c8/0000:c8:00.0/0000:c9:00.0/0000:ca:00.0/0000:cb:00.0"},
		[][]Class{{Same, PIX, PXB, NODE, SYS}, {PIX, Same, PXB, NODE, SYS}, {PXB, PXB, Same, NODE, SYS}, {NODE, NODE, NODE, Same, SYS}, {SYS, SYS, SYS, SYS, Same}}},
}

func TestMatricesThatPeopleShowed(t *testing.T) {
	for _, c := range published {
		s := newSysfs(t)
		s.Write("devices/system/node/online", c.online)
		var at []Address
		for _, way := range c.ways {
			at = append(at, s.device(way[2:], "numa_node", way[:1]))
		}
		m := Survey(s.Dir, at)
		for i, row := range c.matrix {
			for j, want := range row {
				if got := m.Between(i, j); got != want {
					t.Errorf("%s, %s: %d and %d are %s, want %s", c.source, c.name, i, j, got, want)
				}
			}
		}
	}
}

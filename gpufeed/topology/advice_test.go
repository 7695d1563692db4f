package topology

import (
	"strings"
	"testing"
)

// machine has two GPUs at one switch.
func machine() Machine {
	full := Link{Speed: 16, Width: 16, MaxWidth: 16}
	near := []int{0, 1, 2, 3}
	return Machine{
		nodes: []int{0, 1},
		Devices: []Device{
			{Address: Address{Bus: 1}, Known: true, Node: 0, CPUs: near, Link: full, IOMMU: NoIOMMU, route: route{"a", []string{"p", "u", "d0"}}},
			{Address: Address{Bus: 2}, Known: true, Node: 0, CPUs: near, Link: full, IOMMU: NoIOMMU, route: route{"a", []string{"p", "u", "d1"}}},
		},
	}
}

// otherSocket moves a GPU behind another socket.
func otherSocket(d *Device) {
	d.Node, d.CPUs, d.route = 1, []int{4, 5, 6, 7}, route{"b", []string{"q"}}
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *Machine, cpus *[]int)
		text   []string // pieces of the one line; none: no advice
	}{
		{"two GPUs at one switch need none", nil, nil},

		{"two sockets", func(m *Machine, _ *[]int) { otherSocket(&m.Devices[1]) },
			[]string{"GPU 0 (data) and GPU 1 (model) are SYS: copies", "sockets"}},
		{"one host bridge is as good as it gets", func(m *Machine, _ *[]int) {
			m.Devices[0].route = route{"a", []string{"other port"}}
		}, nil},

		{"the feed may not run near its GPU", func(_ *Machine, cpus *[]int) { *cpus = []int{4, 5} },
			[]string{"CPUs 4-5 only", "GPU 0 is at NUMA node 0 (CPUs 0-3)", "suspected"}},
		{"it may run there too", func(_ *Machine, cpus *[]int) { *cpus = []int{3, 4} }, nil},
		{"nobody knows where it may run", func(_ *Machine, cpus *[]int) { *cpus = nil }, nil},
		{"the GPU's node is unknown", func(m *Machine, cpus *[]int) { m.Devices[0].Node = UnknownNode; *cpus = []int{4} }, nil},

		{"half the lanes", func(m *Machine, _ *[]int) { m.Devices[0].Link.Width = 8 },
			[]string{"x8 gen4 of x16 gen4", "at most 13.9 GB/s instead of 27.7"}},
		{"an unknown link", func(m *Machine, _ *[]int) { m.Devices[0].Link = Link{Width: 8, MaxWidth: 16} }, nil},
		{"the model GPU's link carries nothing from the host", func(m *Machine, _ *[]int) { m.Devices[1].Link.Width = 4 }, nil},

		{"an IOMMU translates", func(m *Machine, _ *[]int) { m.Devices[1].IOMMU = Translating },
			[]string{"GPU 0 and GPU 1", "translates", "suspected"}},
		{"an IOMMU passes through", func(m *Machine, _ *[]int) { m.Devices[1].IOMMU = PassThrough }, nil},
		{"groups of their own below one switch", func(m *Machine, _ *[]int) { m.Devices[0].group, m.Devices[1].group = "4", "5" },
			[]string{"GPU 0 and GPU 1 share a switch but no IOMMU group", "ACS", "suspected"}},
		{"one group below one switch", func(m *Machine, _ *[]int) { m.Devices[0].group, m.Devices[1].group = "4", "4" }, nil},
		{"groups of their own below two root ports", func(m *Machine, _ *[]int) {
			m.Devices[0].group, m.Devices[1].group = "4", "5"
			m.Devices[0].route = route{"a", []string{"other port"}}
		}, nil},
		{"an IOMMU costs one GPU nothing", func(m *Machine, _ *[]int) { m.Devices = m.Devices[:1]; m.Devices[0].IOMMU = Translating }, nil},
		{"one GPU", func(m *Machine, _ *[]int) { m.Devices = m.Devices[:1] }, nil},
		{"no GPU", func(m *Machine, _ *[]int) { m.Devices = nil }, nil},

		{"a virtual machine that hides its nodes is not called far", func(m *Machine, _ *[]int) {
			m.Virtual = true
			otherSocket(&m.Devices[1])
			m.Devices[0].Node, m.Devices[1].Node = UnknownNode, UnknownNode
		}, nil},
		{"a machine whose firmware tells no nodes is far by its bridges", func(m *Machine, _ *[]int) {
			otherSocket(&m.Devices[1])
			m.Devices[0].Node, m.Devices[1].Node = UnknownNode, UnknownNode
		}, []string{"are SYS"}},
		{"a virtual machine that tells its nodes", func(m *Machine, _ *[]int) { m.Virtual = true; otherSocket(&m.Devices[1]) },
			[]string{"are SYS"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, cpus := machine(), []int{0, 1, 2, 3, 4, 5, 6, 7}
			if c.change != nil {
				c.change(&m, &cpus)
			}
			lines := Advice(m, cpus)
			if len(lines) != min(1, len(c.text)) {
				t.Fatalf("Advice = %q, want %d lines", lines, min(1, len(c.text)))
			}
			for _, piece := range c.text {
				if !strings.Contains(lines[0], piece) {
					t.Errorf("%q, want %q in it", lines[0], piece)
				}
			}
		})
	}
}

// TestAdviceOrder: the dearest first.
func TestAdviceOrder(t *testing.T) {
	m := machine()
	otherSocket(&m.Devices[0])
	m.Devices[0].Link.Width = 8
	m.Devices[0].IOMMU = Translating
	lines := Advice(m, []int{0})
	for i, want := range []string{"sockets", "CPUs 0 only", "x8", "IOMMU"} {
		if len(lines) != 4 || !strings.Contains(lines[i], want) {
			t.Fatalf("Advice = %q, want %q in line %d of 4", lines, want, i)
		}
	}
}

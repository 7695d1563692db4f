package topology

import (
	"strings"
	"testing"
)

// Machines of the tests: two GPUs at one switch and a third behind the other
// socket.
func machine() Machine {
	full := Link{Speed: 16, MaxSpeed: 16, Width: 16, MaxWidth: 16}
	near := []int{0, 1, 2, 3}
	return Machine{
		nodes: []int{0, 1},
		Devices: []Device{
			{Address: Address{Bus: 1}, Known: true, Node: 0, CPUs: near, Link: full, IOMMU: NoIOMMU, route: route{"a", []string{"p", "u", "d0"}}},
			{Address: Address{Bus: 2}, Known: true, Node: 0, CPUs: near, Link: full, IOMMU: NoIOMMU, route: route{"a", []string{"p", "u", "d1"}}},
			{Address: Address{Bus: 3}, Known: true, Node: 1, CPUs: []int{4, 5, 6, 7}, Link: full, IOMMU: NoIOMMU, route: route{"b", []string{"q"}}},
		},
	}
}

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(*Machine, *Use)
		rule    string   // that fires alone; "" if none does
		text    []string // pieces of it
		setting string   // a piece of it
	}{
		{"two GPUs at one switch need none", nil, "", nil, ""},

		{"no peer access", func(m *Machine, u *Use) { u.Peer = NoPeer },
			"no-peer", []string{"GPU 0 (data) cannot write to GPU 1 (model)", "staged"}, "--data-gpu 1"},
		{"peer access not asked for", func(m *Machine, u *Use) { u.Peer = UnknownPeer }, "", nil, ""},

		{"two sockets, a nearer GPU", func(m *Machine, u *Use) { u.Data, u.Model = 2, 1 },
			"far", []string{"GPU 2 (data) and GPU 1 (model) are SYS", "sockets"}, "--data-gpu 0, which is PIX to GPU 1"},
		{"two sockets, no nearer GPU", func(m *Machine, u *Use) { u.Data, u.Model = 1, 2 },
			"far", []string{"GPU 1 (data) and GPU 2 (model) are SYS"}, "--data-gpu 2: one GPU"},
		{"one host bridge, a nearer GPU", func(m *Machine, u *Use) {
			m.Devices[2].route, m.Devices[2].Node = route{"a", []string{"other port"}}, 0
			u.Data, u.Model = 2, 1
		}, "far", []string{"are PHB", "host bridges"}, "--data-gpu 0, which is PIX"},
		{"one host bridge and nothing nearer is as good as it gets", func(m *Machine, u *Use) {
			m.Devices[0].route = route{"a", []string{"other port"}}
		}, "", nil, ""},
		{"NVML's word counts", func(m *Machine, u *Use) { m.Devices[0].route = route{}; u.Reported = SYS },
			"far", []string{"are SYS"}, "--data-gpu 1: one GPU"},
		{"two sockets with NVLink", func(m *Machine, u *Use) { u.Data, u.Model, u.NVLink = 2, 1, true }, "", nil, ""},
		{"two sockets without peer access say so once", func(m *Machine, u *Use) { u.Data, u.Model, u.Peer = 2, 1, NoPeer },
			"no-peer", nil, ""},

		{"the feed may not run near its GPU", func(m *Machine, u *Use) { u.CPUs = []int{4, 5} },
			"node", []string{"CPUs 4-5 only", "NUMA node 0 (CPUs 0-3)", "suspected"}, "numactl --cpunodebind 0"},
		{"it may run there too", func(m *Machine, u *Use) { u.CPUs = []int{3, 4} }, "", nil, ""},
		{"nobody knows where it may run", func(m *Machine, u *Use) { u.CPUs = nil }, "", nil, ""},
		{"the GPU's node is unknown", func(m *Machine, u *Use) { m.Devices[0].Node = UnknownNode; u.CPUs = []int{4} }, "", nil, ""},

		{"half the lanes", func(m *Machine, u *Use) { m.Devices[0].Link.Width = 8 },
			"link", []string{"x8 gen4 of x16 gen4", "at most 13.9 GB/s instead of 27.7"}, "slot"},
		{"slow lanes during copies", func(m *Machine, u *Use) { m.Devices[0].Link.Speed = 8; u.Copying = true },
			"link", []string{"x16 gen3 of x16 gen4", "at most 13.9 GB/s"}, "slot"},
		{"half of slow lanes while idle: only the lanes count", func(m *Machine, u *Use) {
			m.Devices[0].Link = Link{Speed: 2.5, MaxSpeed: 16, Width: 8, MaxWidth: 16}
		}, "link", []string{"x8 gen4 of x16 gen4"}, "slot"},
		{"an idle GPU slows down by itself", func(m *Machine, u *Use) { m.Devices[0].Link.Speed = 2.5 }, "", nil, ""},
		{"an unknown link", func(m *Machine, u *Use) { m.Devices[0].Link = Link{Width: 8, MaxWidth: 16} }, "", nil, ""},
		{"the model GPU's link carries nothing from the host", func(m *Machine, u *Use) { m.Devices[1].Link.Width = 4 }, "", nil, ""},

		{"an IOMMU translates", func(m *Machine, u *Use) { m.Devices[1].IOMMU = Translating },
			"iommu", []string{"translates", "suspected"}, "iommu=pt"},
		{"an IOMMU passes through", func(m *Machine, u *Use) { m.Devices[1].IOMMU = PassThrough }, "", nil, ""},
		{"groups of their own below one switch", func(m *Machine, u *Use) { m.Devices[0].group, m.Devices[1].group = "4", "5" },
			"iommu", []string{"share a switch but no IOMMU group", "ACS", "suspected"}, "ACS off"},
		{"one group below one switch", func(m *Machine, u *Use) { m.Devices[0].group, m.Devices[1].group = "4", "4" }, "", nil, ""},
		{"groups of their own below two root ports", func(m *Machine, u *Use) {
			m.Devices[0].group, m.Devices[1].group = "4", "5"
			m.Devices[0].route = route{"a", []string{"other port"}}
		}, "", nil, ""},
		{"an IOMMU costs one GPU nothing", func(m *Machine, u *Use) { m.Devices[0].IOMMU = Translating; u.Model = 0 }, "", nil, ""},

		{"one GPU", func(m *Machine, u *Use) { m.Devices = m.Devices[:1]; u.Model = 0 },
			"one-gpu", []string{"nothing but its cache"}, ""},
		{"one of several GPUs", func(m *Machine, u *Use) { u.Model = 0 }, "", nil, ""},

		{"a virtual machine that hides its nodes", func(m *Machine, u *Use) {
			m.Virtual = true
			for i := range m.Devices {
				m.Devices[i].Node, m.Devices[i].route = UnknownNode, route{"a", nil}
			}
		}, "vm", []string{"only measured bandwidth counts"}, ""},
		{"it is not called far", func(m *Machine, u *Use) {
			m.Virtual = true
			for i := range m.Devices {
				m.Devices[i].Node = UnknownNode
			}
			u.Data, u.Model = 2, 1
		}, "vm", nil, ""},
		{"a machine whose firmware tells no nodes", func(m *Machine, u *Use) {
			for i := range m.Devices {
				m.Devices[i].Node = UnknownNode
			}
		}, "", nil, ""},
		{"a virtual machine that tells its nodes", func(m *Machine, u *Use) { m.Virtual = true }, "", nil, ""},

		{"NVML and sysfs differ", func(m *Machine, u *Use) { u.Reported = PXB },
			"differ", []string{"NVML says that GPU 0 and GPU 1 are PXB, sysfs shows PIX"}, ""},
		{"they agree", func(m *Machine, u *Use) { u.Reported = PIX }, "", nil, ""},
		{"NVML does not know", func(m *Machine, u *Use) { u.Reported = UnknownClass }, "", nil, ""},

		{"a GPU that was not asked for", func(m *Machine, u *Use) { u.Model, u.Peer = 3, NoPeer }, "", nil, ""},
		{"no GPU", func(m *Machine, u *Use) { u.Data, u.Peer = -1, NoPeer }, "", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, u := machine(), Use{Data: 0, Model: 1, Peer: HasPeer, CPUs: []int{0, 1, 2, 3, 4, 5, 6, 7}}
			if c.change != nil {
				c.change(&m, &u)
			}
			lines := Advice(m, u)
			if c.rule == "" {
				if len(lines) > 0 {
					t.Fatalf("Advice = %+v, want none", lines)
				}
				return
			}
			if len(lines) != 1 || lines[0].Rule != c.rule {
				t.Fatalf("Advice = %+v, want %s alone", lines, c.rule)
			}
			for _, piece := range c.text {
				if !strings.Contains(lines[0].Text, piece) {
					t.Errorf("text %q, want %q in it", lines[0].Text, piece)
				}
			}
			if !strings.Contains(lines[0].Setting, c.setting) || (c.rule == "vm" || c.rule == "one-gpu" || c.rule == "differ") && lines[0].Setting != "" {
				t.Errorf("setting %q, want %q in it", lines[0].Setting, c.setting)
			}
		})
	}
}

// TestAdviceOrder: the dearest first, since few are printed.
func TestAdviceOrder(t *testing.T) {
	m, u := machine(), Use{Data: 2, Model: 1, Peer: HasPeer, CPUs: []int{0}, Reported: NODE}
	m.Devices[2].Link.Width = 8
	m.Devices[2].IOMMU = Translating
	var got []string
	for _, line := range Advice(m, u) {
		got = append(got, line.Rule)
	}
	if got, want := strings.Join(got, " "), "far node link iommu differ"; got != want {
		t.Errorf("rules %q, want %q", got, want)
	}
}

package diagnosis

import (
	"slices"
	"testing"

	"voxpack/gpufeed/sysfstest"
	"voxpack/gpufeed/topology"
)

// Ways of GPUs: two ports of one switch, another port of the same host bridge,
// another socket.
const (
	port1  = "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0"
	port2  = "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:04:00.0"
	port3  = "pci0000:00/0000:00:02.0/0000:05:00.0"
	socket = "pci0000:80/0000:80:01.0/0000:81:00.0"
)

// placeOf is a machine with GPUs at these ways, the first the data GPU and the
// second the model GPU, on which nothing is wrong but what the ways say.
func placeOf(t *testing.T, ways ...string) *Place {
	t.Helper()
	s := sysfstest.New(t)
	s.Write("devices/system/node/online", "0-1")
	p := &Place{Data: 0, Model: min(1, len(ways)-1), Peer: Yes, CPUs: []int{0, 1, 2, 3, 4, 5, 6, 7}}
	var all []topology.Address
	for i, way := range ways {
		node, cpus := "0", "0-3"
		if way == socket {
			node, cpus = "1", "4-7"
		}
		a, err := topology.ParseAddress(s.Device(way, "numa_node", node, "local_cpulist", cpus,
			"max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16", "current_link_width", "16"))
		if err != nil {
			t.Fatal(err)
		}
		all, p.GPUs = append(all, a), append(p.GPUs, i)
	}
	p.Machine = topology.Survey(s.Dir, all)
	return p
}

// placeCase changes one thing of such a machine.
type placeCase struct {
	name   string
	ways   []string
	change func(*Place)
	says   string // a piece of the text; "": no rule fires
}

func wantPlaces(t *testing.T, rule string, cases []placeCase) {
	t.Helper()
	for _, c := range cases {
		p := placeOf(t, c.ways...)
		if c.change != nil {
			c.change(p)
		}
		wantVerdict(t, c.name, rule, c.says != "", c.says, Observation{Place: p})
	}
}

var (
	atOneSwitch = []string{port1, port2}
	twoSockets  = []string{port1, socket}
)

func TestSoundPlaces(t *testing.T) {
	wantPlaces(t, "", []placeCase{
		{"two GPUs at one switch", atOneSwitch, nil, ""},
		{"one GPU", []string{port1}, nil, ""},
		{"a GPU that is not there", atOneSwitch, func(p *Place) { p.Model, p.Peer = 2, No }, ""},
		{"none", nil, func(p *Place) { p.Data, p.Model = -1, -1 }, ""},
	})
}

// TestTheOrderOfPlaces: the dearest first.
func TestTheOrderOfPlaces(t *testing.T) {
	p := placeOf(t, socket, port1)
	p.CPUs = []int{0}
	p.Machine.Devices[0].Link.Width = 8
	p.Machine.Devices[0].IOMMU = topology.Translating
	var ids []string
	for _, v := range Find(Observation{Place: p}) {
		ids = append(ids, v.Rule)
	}
	if want := []string{"far", "node", "link", "iommu"}; !slices.Equal(ids, want) {
		t.Errorf("rules %q, want %q", ids, want)
	}
}

func TestPeer(t *testing.T) {
	wantPlaces(t, "no-peer", []placeCase{
		{"no access", atOneSwitch, func(p *Place) { p.Peer = No }, "GPU 0 (data) cannot write to GPU 1 (model): each copy between them is staged"},
		{"nobody asked", atOneSwitch, func(p *Place) { p.Peer = NotKnown }, ""},
		{"one GPU copies to itself", atOneSwitch, func(p *Place) { p.Model, p.Peer = 0, No }, ""},
		{"far and no access is said once", twoSockets, func(p *Place) { p.Peer = No }, "cannot write"},
		{"by their numbers", atOneSwitch, func(p *Place) { p.Peer, p.GPUs = No, []int{3, 5} }, "GPU 3 (data) cannot write to GPU 5 (model)"},
	})
}

func TestFar(t *testing.T) {
	hidden := func(p *Place) {
		p.Machine.Virtual = true
		p.Machine.Devices[0].Node, p.Machine.Devices[1].Node = topology.UnknownNode, topology.UnknownNode
	}
	wantPlaces(t, "far", []placeCase{
		{"two sockets, no nearer GPU", twoSockets, nil, "GPU 0 (data) and GPU 1 (model) are SYS: copies between them go over the link between the sockets, or through host memory; --mode direct"},
		{"two sockets, a nearer GPU", []string{socket, port2, port1}, nil, "--data-gpu 2, which is PIX to GPU 1"},
		{"one host bridge, a nearer GPU", []string{port3, port2, port1}, nil, "are PHB: copies between them go through the host bridges; --data-gpu 2"},
		{"one host bridge and nothing nearer is as good as it gets", []string{port3, port2}, nil, ""},
		{"the driver's word counts", atOneSwitch, func(p *Place) { p.Class = topology.SYS }, "are SYS"},
		{"two sockets with NVLink", twoSockets, func(p *Place) { p.NVLink = Yes }, ""},
		{"a virtual machine that hides its nodes", twoSockets, hidden, ""},
		{"a virtual machine that tells them", twoSockets, func(p *Place) { p.Machine.Virtual = true }, "are SYS"},
		{"a machine whose firmware tells no nodes is far by its bridges", twoSockets, func(p *Place) { hidden(p); p.Machine.Virtual = false }, "are SYS"},
	})
}

func TestNode(t *testing.T) {
	wantPlaces(t, "node", []placeCase{
		{"the feed may not run near its GPU", atOneSwitch, func(p *Place) { p.CPUs = []int{4, 5} }, "CPUs 4-5 only, GPU 0 is at NUMA node 0 (CPUs 0-3): slower copies are suspected; numactl --cpunodebind 0"},
		{"it may run there too", atOneSwitch, func(p *Place) { p.CPUs = []int{3, 4} }, ""},
		{"nobody knows where it may run", atOneSwitch, func(p *Place) { p.CPUs = nil }, ""},
		{"the GPU's node is unknown", atOneSwitch, func(p *Place) { p.Machine.Devices[0].Node, p.CPUs = topology.UnknownNode, []int{4} }, ""},
	})
}

func TestLink(t *testing.T) {
	wantPlaces(t, "link", []placeCase{
		{"half the lanes", atOneSwitch, func(p *Place) { p.Machine.Devices[0].Link.Width = 8 }, "x8 gen4 of x16 gen4: expect at most 13.9 GB/s instead of 27.7; another slot"},
		{"an unknown speed", atOneSwitch, func(p *Place) { p.Machine.Devices[0].Link = topology.Link{Width: 8, MaxWidth: 16} }, ""},
		{"an unknown width", atOneSwitch, func(p *Place) { p.Machine.Devices[0].Link.Width = 0 }, ""},
		{"the model GPU's link carries nothing from the host", atOneSwitch, func(p *Place) { p.Machine.Devices[1].Link.Width = 4 }, ""},
	})
}

func TestIOMMU(t *testing.T) {
	groups := func(a, b string) func(*Place) {
		return func(p *Place) { p.Machine.Devices[0].Group, p.Machine.Devices[1].Group = a, b }
	}
	translating := func(p *Place) { p.Machine.Devices[1].IOMMU = topology.Translating }
	wantPlaces(t, "iommu", []placeCase{
		{"it translates", atOneSwitch, translating, "an IOMMU translates what GPU 0 and GPU 1 access: slow copies between them are suspected; iommu=pt"},
		{"it passes through", atOneSwitch, func(p *Place) { p.Machine.Devices[1].IOMMU = topology.PassThrough }, ""},
		{"groups of their own below one switch", atOneSwitch, groups("4", "5"), "share a switch but no IOMMU group, so ACS"},
		{"one group below one switch", atOneSwitch, groups("4", "4"), ""},
		{"groups of their own below two root ports", []string{port3, port2}, groups("4", "5"), ""},
		{"it costs one GPU nothing", []string{port1}, func(p *Place) { p.Machine.Devices[0].IOMMU = topology.Translating }, ""},
		{"it costs NVLink nothing", atOneSwitch, func(p *Place) { translating(p); p.NVLink = Yes }, ""},
	})
}

// TestAStagedCopyOfARun: what a run measured says it too, and what it costs.
func TestAStagedCopyOfARun(t *testing.T) {
	w := Work{Stages: []StageTime{{Load, 1, 0, 1}, {Copy, 2, 0, 1}, {Transfer, 20, 0, 1}, {Train, 10, 0, 1}}}
	o := Observation{Steps: &Steps{Mean: 20, Staged: true}, Work: &w}
	wantVerdict(t, "staged", "no-peer", true, "the data GPU cannot write to the model GPU", o)
	if g := *Find(o)[0].Gain; g != 0.5 {
		t.Errorf("gain %v, want 0.5: the step is that of training then", g)
	}
}

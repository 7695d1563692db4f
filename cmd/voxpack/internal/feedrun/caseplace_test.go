package feedrun

import (
	"testing"

	"voxpack/diagnosis"
	"voxpack/gpufeed/sysfstest"
	"voxpack/gpufeed/topology"
)

// gpuAt is a GPU of a made-up machine.
type gpuAt struct {
	way   string // below devices of sysfs
	node  string
	lanes string // that it has now, of 16
	iommu string // "DMA" translates
}

// Ways of GPUs: two ports of one switch, and another socket.
const (
	nearPort  = "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:00.0/0000:03:00.0"
	otherPort = "pci0000:00/0000:00:01.0/0000:01:00.0/0000:02:01.0/0000:04:00.0"
	farSocket = "pci0000:80/0000:80:01.0/0000:81:00.0"
)

// placeOf is where a data GPU and a model GPU are, read from a made-up sysfs. The
// feed may run on the CPUs of node 0.
func placeOf(t *testing.T, gpus ...gpuAt) *diagnosis.Place {
	t.Helper()
	s := sysfstest.New(t)
	s.Write("devices/system/node/online", "0-1")
	p := &diagnosis.Place{Model: 1, Peer: diagnosis.Yes, CPUs: []int{0, 1, 2, 3}}
	var all []topology.Address
	for i, g := range gpus {
		cpus := map[string]string{"0": "0-3", "1": "4-7"}[g.node]
		a, err := topology.ParseAddress(s.Device(g.way, "numa_node", g.node, "local_cpulist", cpus,
			"max_link_speed", "16.0 GT/s PCIe", "max_link_width", "16", "current_link_width", g.lanes))
		if err != nil {
			t.Fatal(err)
		}
		if g.iommu != "" {
			s.Group(g.way, "7", g.iommu)
		}
		all, p.GPUs = append(all, a), append(p.GPUs, i)
	}
	p.Machine = topology.Survey(s.Dir, all)
	return p
}

var (
	near  = gpuAt{nearPort, "0", "16", ""}
	other = gpuAt{otherPort, "0", "16", ""}
	far   = gpuAt{farSocket, "1", "16", ""}
)

// with changes one thing of a GPU.
func (g gpuAt) with(change func(*gpuAt)) gpuAt {
	change(&g)
	return g
}

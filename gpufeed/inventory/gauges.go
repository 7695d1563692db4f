package inventory

import (
	"voxpack/gpufeed/nvml"
	"voxpack/gpufeed/topology"
)

// Gauges tell again and again how busy GPUs are. NVML stays open between looks,
// because opening it may start a GPU that nobody uses.
type Gauges struct {
	gpus    []GPU
	devices []nvml.Device // by GPU; the zero one where NVML does not know it
	library *nvml.NVML    // nil: it does not answer
}

// OpenGauges finds the GPUs that sysfs shows. sys and path are for tests: where
// sysfs and NVML are, "" for where they always are. Without NVML the GPUs are
// there, and how busy they are is not known.
func OpenGauges(sys, path string) *Gauges {
	g := &Gauges{}
	for i, a := range topology.GPUs(sys) {
		g.gpus = append(g.gpus, GPU{Number: i, Busy: -1, Used: -1, Device: topology.Device{Address: a}})
	}
	if len(g.gpus) == 0 {
		return g
	}
	var err error
	if g.library, err = nvml.Load(path); err != nil {
		return g
	}
	g.devices = make([]nvml.Device, len(g.gpus))
	for i := range g.gpus {
		if d, err := g.library.Device(g.gpus[i].Address.String()); err == nil {
			g.devices[i] = d
		}
	}
	return g
}

// Look is the GPUs as they are now.
func (g *Gauges) Look() []GPU {
	list := make([]GPU, len(g.gpus))
	for i := range g.gpus {
		list[i] = g.gpus[i]
		if g.library != nil && g.devices[i] != (nvml.Device{}) {
			list[i].look(g.devices[i])
		}
	}
	return list
}

// Close lets go of NVML.
func (g *Gauges) Close() error {
	if g.library == nil {
		return nil
	}
	return g.library.Close()
}

package gpufeed

import (
	"context"
	"errors"

	"voxpack/gpufeed/nvml"
)

// Usage is how a GPU of the feed was used.
type Usage struct {
	GPU         int    // ordinal
	Role        string // "data", "model"
	Name        string
	Bus         string  // PCI address as sysfs spells it; "" where there is none
	Taken       int64   // bytes of its memory that the feed has
	Utilisation float64 // mean percent of the time in which some kernel ran; -1: unknown
	Before      float64 // percent, as the feed began: nothing of it had run; -1: unknown
	Memory      int64   // the most bytes in use, by all processes; -1: unknown
	Spread      nvml.Spread
}

// monitor watches the GPUs through NVML. nil watches nothing.
type monitor struct {
	library *nvml.NVML
	sampler *nvml.Sampler
	cancel  context.CancelFunc
	before  []float64 // by station
}

// watch begins to watch the GPUs. A machine without NVML, or a device that it
// does not know, goes without: a feed needs none of it.
func (d *devices) watch() *monitor {
	if d == nil || d.config.Driver.Name() != "cuda" {
		return nil
	}
	library, err := nvml.Load("")
	if err != nil {
		if !errors.Is(err, nvml.ErrNone) {
			d.notes.add("GPU utilisation is not known: %v", err)
		}
		return nil
	}
	var watched []nvml.Device
	var before []float64
	for _, p := range d.stations {
		w, err := library.Device(p.gpu.Info().Bus)
		if err != nil {
			d.notes.add("GPU utilisation is not known: %v", errors.Join(err, library.Close()))
			return nil
		}
		use, err := w.Utilisation()
		if err != nil {
			use.GPU = nvml.Unknown // the sampler will say so
		}
		watched, before = append(watched, w), append(before, float64(use.GPU))
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &monitor{library, nvml.NewSampler(0, watched...), cancel, before}
	d.run.work.Go(func() { m.sampler.Run(ctx) })
	return m
}

// stop ends the watch; close lets go of the library after it.
func (m *monitor) stop() {
	if m != nil {
		m.cancel()
	}
}

func (m *monitor) close() error {
	if m == nil {
		return nil
	}
	return m.library.Close()
}

// usage is how the GPUs were used so far, in the order of a batch's way.
func (d *devices) usage() []Usage {
	if d == nil {
		return nil
	}
	var seen []nvml.Usage
	if m := d.gauges.monitor; m != nil {
		seen = m.sampler.Usage()
	}
	var list []Usage
	for i, p := range d.stations {
		u := Usage{GPU: p.gpu.Info().Ordinal, Role: p.role, Name: p.gpu.Info().Name, Bus: p.gpu.Info().Bus, Taken: int64(p.size), Utilisation: -1, Before: -1, Memory: -1}
		if i == 0 {
			_, size := d.tier.bytes()
			u.Taken += int64(size)
		}
		if seen != nil {
			u.Spread, u.Before = seen[i].Spread, d.gauges.monitor.before[i]
			if seen[i].Utilisation != nvml.Unknown {
				u.Utilisation = seen[i].Utilisation
			}
			if seen[i].PeakMemory != nvml.Unknown {
				u.Memory = seen[i].PeakMemory
			}
		}
		list = append(list, u)
	}
	return list
}

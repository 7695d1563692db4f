package feedrun

import (
	"fmt"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/sim"
)

// openDevices opens the backend and settles which GPU does what: data GPU 0 and
// model GPU 1 unless something else is said, both 0 where there is one.
func (r *run) openDevices() error {
	o := r.options
	if err := r.openDriver(); err != nil {
		return err
	}
	if r.config.Driver == nil { // the host: no GPU is looked for
		return nil
	}
	list, err := r.config.Driver.Devices()
	if err != nil {
		return err
	}
	for _, d := range list {
		r.gpus = append(r.gpus, d.Memory)
	}
	// A config for a trainer may say so, and a build does not read it: the run
	// is where it has to be refused.
	if o.pageable {
		return term.Usagef("pin_memory: false cannot be obeyed: a GPU copies from pinned memory alone; take it away, or give --device host")
	}
	r.config.DataGPU, r.config.ModelGPU, err = o.roles(len(r.gpus))
	if o.Mode != "auto" {
		r.config.Mode = gpufeed.Mode(o.Mode)
	}
	// prefetch_to_gpu keeps as many batches on the GPU as on the host, and never
	// fewer than the three that the feed has by default.
	if o.onGPU {
		r.config.DeviceDepth = max(3, o.depth())
	}
	return err
}

// openDriver opens the backend, with what was planted in it. Without a driver
// batches stay in host memory.
func (r *run) openDriver() error {
	o := r.options
	if o.Device == "sim" {
		r.config.Driver = sim.New(o.planted.simulated())
		return nil
	}
	driver, note, err := gpufeed.OpenDriver(o.Device)
	if err != nil {
		return fmt.Errorf("--device %s: %w", o.Device, err)
	}
	if note != "" {
		r.said.start = append(r.said.start, note)
	}
	r.config.Driver = driver
	return nil
}

// roles are the ordinals of the data GPU and the model GPU on a machine with so
// many.
func (o *Options) roles(gpus int) (data, model int, err error) {
	var p problems
	last := gpus - 1
	pick := func(flag string, wanted, otherwise int) int {
		if wanted < 0 {
			return min(otherwise, last)
		}
		// A config is written for the machine that trains: with one GPU there
		// is no choice, and advice says what that means.
		if wanted > last && !o.Given(flag) && gpus == 1 {
			return last
		}
		p.add(wanted > last, "--%s %d: there is no such GPU; %s", flag, wanted, ordinals(gpus))
		return wanted
	}
	data = pick("data-gpu", o.dataGPU, 0)
	model = pick("model-gpu", o.modelGPU, 1)
	return data, model, p.err()
}

// ordinals says which GPUs there are.
func ordinals(n int) string {
	switch n {
	case 0:
		return "none is visible"
	case 1:
		return "there is GPU 0 alone"
	}
	return fmt.Sprintf("there are 0 to %d", n-1)
}

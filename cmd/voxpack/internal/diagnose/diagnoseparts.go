package diagnose

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/inventory"
	"voxpack/internal/perf"
	"voxpack/store"
)

// machineFacts are the machine itself.
type machineFacts struct {
	perf.Host
	Allowed int     `json:"allowed"` // cores that the process may be scheduled on
	Quota   float64 `json:"quota"`   // of its control groups, in cores; 0: none
	Limit   uint64  `json:"memory_limit_bytes"`
}

func machineNow() machineFacts {
	cores := perf.ProcessCores()
	host := perf.ReadHost(os.DirFS("/"), runtime.GOMAXPROCS(0))
	host.Cores = cores.Usable()
	m := machineFacts{Host: host, Allowed: cores.Allowed, Quota: cores.Quota, Limit: gpufeed.HostMemory()}
	if m.Limit > 1<<62 { // nobody knows
		m.Limit = 0
	}
	return m
}

// devices asks driver, NVML and sysfs, once for all parts.
func (d *doctor) devices(context.Context) error {
	inv, err := d.topo.look()
	switch {
	case err != nil && d.topo.device != "auto":
		return err // who names a driver means it
	case err != nil: // it is there, and does not list its GPUs
		d.miss(devicesPart, "%v", err)
		d.seen.Driver, d.devs = &diagnosis.Driver{Why: err.Error()}, &inventory.Inventory{}
		return nil
	}
	d.devs = inv
	d.out.Devices = newTopology(inv)
	for _, gap := range d.out.Devices.Unseen {
		d.miss(devicesPart, "%s", gap.Text)
	}
	if inv.Refused != nil {
		d.seen.Driver = &diagnosis.Driver{GPUs: len(inv.GPUs), Why: inv.Refused.Error()}
	}
	return nil
}

// roles are the GPUs that the config names, else the first two: findings are about
// how those hang together.
func (d *doctor) roles() {
	inv := d.devs
	if len(inv.GPUs) == 0 {
		return
	}
	at := func(name string, otherwise int) int {
		if d.seen.Config != nil {
			for _, s := range d.seen.Config.Settings {
				number, whole := s.Whole()
				if i := slices.IndexFunc(inv.GPUs, func(g inventory.GPU) bool { return g.Number == number }); s.Name == name && whole && i >= 0 {
					return i
				}
			}
		}
		return min(otherwise, len(inv.GPUs)-1)
	}
	data, model := at("data_gpu", 0), at("model_gpu", 1)
	d.out.Devices.Used = []int{inv.GPUs[data].Number, inv.GPUs[model].Number}
	d.seen.Place = inv.Place(data, model)
}

// config audits a trainer's config, as far as there is a dataset to hold it against.
func (d *doctor) config(ctx context.Context) error {
	defer d.roles()
	path := d.place.Config(d.configFile)
	if path == "" {
		d.miss(configPart, "no config was named, and the dataset has none: --config train.yaml")
		return nil
	}
	a, facts, file, err := openAudit(path)
	if err != nil {
		if d.configFile != "" {
			return err // who names a file means it
		}
		d.miss(configPart, "%v", err)
		return nil
	}
	place := d.place
	if d.missing != nil {
		place = locate.Place{} // the store's own part says why
	}
	d.tell(false, "reading lengths")
	if err := a.lengths(ctx, facts, place); err != nil {
		a.Unseen = append(a.Unseen, "how long the dataset's rows are: "+err.Error())
	}
	a.gpus(facts, d.devs)
	a.add(diagnosis.Audit(facts))
	if err := (&CheckOptions{}).expect(a, facts, place); err != nil {
		a.Unseen = append(a.Unseen, err.Error())
	}
	for _, text := range a.Unseen {
		d.miss(configPart, "%s", text)
	}
	d.out.Config, d.seen.Config, d.file = a, facts, file
	return nil
}

// How much is measured unless it is asked for more: a few seconds in all.
const (
	usualRows    = 50
	usualSeconds = 1
	fullRows     = 200 // what analyze does unless it is asked for more
	fullSeconds  = 5
)

// analyze is the command that measures speed, with the flags of this one.
func (o *DiagnoseOptions) analyze() *AnalyzeOptions {
	a := &AnalyzeOptions{Where: o.Where, Given: func(string) bool { return false }, rows: usualRows, seconds: usualSeconds,
		stepMS: o.stepMS, targets: o.targets, quiet: o.quiet}
	if o.full {
		a.rows, a.seconds = fullRows, fullSeconds
	}
	a.Dataset, a.Tool = o.dataset, o.Version
	return a
}

// speed measures sources and store for a moment.
func (d *doctor) speed(ctx context.Context) error {
	if d.quick {
		d.miss(speedPart, "not measured (--quick)")
		return nil
	}
	a := d.analyze()
	if a.Dataset == "" {
		a.Dataset = d.place.Dataset
	}
	if d.missing != nil && a.Dataset == "" {
		a.Dataset = d.Where
	}
	out := &analysis{Dataset: a.Dataset, Store: d.place.Store, Findings: []diagnosis.Verdict{}, Unseen: []unseenPart{}}
	bar := term.StartProgress(d.stderr, d.quiet)
	defer bar.End()
	before := lookNow()
	lost, err := a.bothSides(ctx, out, &d.seen, d.place, d.missing, bar, io.Discard) // of the config all is said
	if ctx.Err() != nil {
		return term.ErrInterrupted
	}
	if err != nil {
		d.miss(speedPart, "%v", err)
		return nil
	}
	for _, err := range lost {
		if d.missing == nil && errors.Is(err, store.ErrDamaged) { // a feed reads what the check left out
			d.damaged(d.out.Store, compiler.Finding{Where: "feed", What: err.Error()})
		}
	}
	for _, u := range out.Unseen {
		if u.What != storeSide || d.missing == nil { // else the store's own part says it
			d.miss(speedPart, "%s: %s", u.What, u.Text)
		}
	}
	if out.Rows != nil || out.Feed != nil {
		out.Load = lookNow().since(before)
		d.out.Speed = out
	}
	return nil
}

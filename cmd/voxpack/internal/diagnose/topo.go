package diagnose

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/inventory"
)

// TopoOptions are the flags of topo.
type TopoOptions struct {
	device      string
	data, model int
	load        bool
	json        bool
	sys, nvml   string // where to look; "" is where they are
}

// AddFlags declares the flags.
func (o *TopoOptions) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.device, "device", "auto", "`DEVICE` whose driver is asked: auto (cuda, else none), host (none: what sysfs shows), sim or cuda")
	f.IntVar(&o.data, "data-gpu", 0, "`GPU` that takes the batches first")
	f.IntVar(&o.model, "model-gpu", 1, "`GPU` that trains (0 where there is one)")
	f.BoolVar(&o.load, "load", false, "copy to each GPU for a quarter of a second, to see what its link does under load: a training beside it is slower meanwhile")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// topology is the JSON of topo.
type topology struct {
	Driver   string              `json:"driver"` // "" where there is none
	Version  int                 `json:"cuda"`   // that the driver serves, 12090 for 12.9; 0: not known
	NVML     bool                `json:"nvml"`
	GPUs     []gpuFacts          `json:"gpus"`
	Pairs    []pairFacts         `json:"pairs"`
	Best     *pairFacts          `json:"best"` // null: no pair of which anything is known
	Used     []int               `json:"used"` // what the findings are about: data GPU, model GPU
	Findings []diagnosis.Verdict `json:"findings"`
	Unseen   []unseenFacts       `json:"unseen"`
}

type gpuFacts struct {
	GPU        int       `json:"gpu"`
	Name       string    `json:"name"`
	Bus        string    `json:"bus"`
	Memory     uint64    `json:"memory_bytes"`
	Node       int       `json:"numa_node"` // -1: not known
	CPUs       string    `json:"cpus"`
	Generation int       `json:"pcie_generation"` // that the GPU can; 0: not known
	Lanes      int       `json:"pcie_lanes"`
	MostLanes  int       `json:"pcie_lanes_most"`
	Loaded     *linkLoad `json:"pcie_loaded"` // null: it was not loaded
	IOMMU      string    `json:"iommu"`

	busy int // percent, before it was loaded
}

// linkLoad is what a link did while it copied.
type linkLoad struct {
	Generation int     `json:"generation"`
	Lanes      int     `json:"lanes"`
	Rate       float64 `json:"gb_per_second"`
	Bytes      int64   `json:"bytes"`
	Seconds    float64 `json:"seconds"`
}

type pairFacts struct {
	GPUs   [2]int           `json:"gpus"`
	Class  string           `json:"class"`
	NVLink diagnosis.Answer `json:"nvlink"`
	Peer   diagnosis.Answer `json:"peer"`
}

type unseenFacts struct {
	What inventory.Unseen `json:"what"`
	GPUs []int            `json:"gpus"` // none: all
	Call string           `json:"call"` // that a driver or NVML refused; "": none
	Code int              `json:"code"` // its answer
	Text string           `json:"text"`
}

// RunTopo prints which GPUs there are and how they hang together.
func RunTopo(o *TopoOptions, stdout io.Writer) error {
	if !slices.Contains(gpufeed.Backends(), o.device) {
		return term.Usagef("--device %s: want auto, host, sim or cuda", o.device)
	}
	inv, err := o.look()
	if err != nil {
		return err
	}
	t, err := o.topology(inv)
	if err != nil {
		return err
	}
	return term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, t)
		}
		t.page(b)
		return nil
	})
}

// look asks the driver, NVML and sysfs. Without a driver, auto goes on with what
// sysfs shows.
func (o *TopoOptions) look() (*inventory.Inventory, error) {
	name := o.device
	if name == "auto" {
		name = "cuda" // whose error says why there is none
	}
	d, _, err := gpufeed.OpenDriver(name)
	switch {
	case err != nil && o.device != "auto":
		return nil, fmt.Errorf("--device %s: %w", o.device, err)
	case d == nil:
		return inventory.Look(nil, err, o.sys, o.nvml)
	}
	defer d.Close()
	inv, err := inventory.Look(d, nil, o.sys, o.nvml)
	if err == nil && o.load {
		inv.Load(d, o.sys)
	}
	return inv, err
}

// topology is the inventory as it is printed, with what the rules find.
func (o *TopoOptions) topology(inv *inventory.Inventory) (*topology, error) {
	t := newTopology(inv)
	data, model, err := o.roles(inv)
	if err != nil || data < 0 {
		return t, err
	}
	t.Used = []int{inv.GPUs[data].Number, inv.GPUs[model].Number}
	t.Findings = diagnosis.Find(diagnosis.Observation{Place: inv.Place(data, model)})
	return t, nil
}

// newTopology is the inventory as it is printed.
func newTopology(inv *inventory.Inventory) *topology {
	t := &topology{Driver: inv.Driver, Version: inv.Version, NVML: inv.NVML, GPUs: []gpuFacts{}, Pairs: []pairFacts{}, Used: []int{}, Findings: []diagnosis.Verdict{}, Unseen: []unseenFacts{}}
	for _, g := range inv.GPUs {
		t.GPUs = append(t.GPUs, factsOf(g))
	}
	for _, p := range inv.Pairs {
		t.Pairs = append(t.Pairs, pairOf(inv, p))
	}
	if best, ok := inv.Best(); ok {
		p := pairOf(inv, best)
		t.Best = &p
	}
	for _, gap := range inv.Unseen {
		call, code := gap.Refusal()
		t.Unseen = append(t.Unseen, unseenFacts{gap.What, append([]int{}, gap.GPUs...), call, code, unseenText(gap)})
	}
	return t
}

// roles are the places of the two GPUs in the inventory; -1 without any GPU.
func (o *TopoOptions) roles(inv *inventory.Inventory) (data, model int, err error) {
	if len(inv.GPUs) == 0 {
		return -1, -1, nil
	}
	find := func(flag string, number int) int {
		at := slices.IndexFunc(inv.GPUs, func(g inventory.GPU) bool { return g.Number == number })
		if at < 0 && err == nil {
			err = term.Usagef("--%s %d: there is no such GPU; there is %s", flag, number, numbers(inv.GPUs))
		}
		return at
	}
	data = find("data-gpu", o.data)
	if model = 0; len(inv.GPUs) > 1 || o.model != 1 {
		model = find("model-gpu", o.model)
	}
	return data, model, err
}

func numbers(gpus []inventory.GPU) string {
	if len(gpus) == 1 {
		return fmt.Sprintf("GPU %d alone", gpus[0].Number)
	}
	return fmt.Sprintf("GPU %d to %d", gpus[0].Number, gpus[len(gpus)-1].Number)
}

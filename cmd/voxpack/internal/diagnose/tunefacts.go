package diagnose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/diagnosis/tune"
	"voxpack/gpufeed"
	"voxpack/gpufeed/inventory"
	"voxpack/internal/config"
	"voxpack/internal/perf"
	"voxpack/store"
)

// tunedPlace is what the facts are about.
type tunedPlace struct {
	argument string // the dataset as a shell takes it; "": none
	config   string // file; "": none
}

// facts looks at the machine, the dataset and the config. why says what kept
// something from being seen.
func (o *TuneOptions) facts(ctx context.Context, environment []string, stderr io.Writer) (f tune.Facts, p tunedPlace, why map[tune.Gap]error, err error) {
	why = map[tune.Gap]error{}
	f = tune.Facts{Cores: perf.ProcessCores(), Processes: 1, Environment: map[string]string{}}
	for _, entry := range environment {
		name, value, _ := strings.Cut(entry, "=")
		f.Environment[name] = value
	}
	if n, err := strconv.Atoi(f.Environment["LOCAL_WORLD_SIZE"]); err == nil && n > 0 { // as torchrun says it
		f.Processes = n
	}
	if memory := gpufeed.HostMemory(); memory < math.MaxUint64 {
		f.Memory = memory
	}
	inv, err := o.topo.look()
	if err != nil {
		return f, p, nil, err
	}
	takeGPUs(&f, inv)
	for _, gap := range inv.Unseen {
		if gap.What == inventory.NoDriver {
			why[tune.NoGPU], why[tune.NoCapability] = gap.Why, gap.Why
		}
	}
	place, err := locate.Find(o.Where)
	switch {
	case err != nil && o.Where == "" && errors.Is(err, store.ErrNoStore):
		why[tune.NoDataset] = errors.New("no folder was named, and none above has a store")
	case err != nil:
		return f, p, nil, err
	default:
		p.argument = term.Quoted(cmp.Or(o.Where, place.Dataset, place.Store))
		if f.Dataset, err = readDataset(ctx, place, stderr); err != nil {
			return f, p, nil, err
		}
	}
	if p.config = place.Config(o.config); p.config == "" {
		return f, p, why, nil
	}
	return f, p, why, readConfig(&f, p.config)
}

// readConfig reads what a trainer's config, or a dataset's own, says.
func readConfig(f *tune.Facts, path string) error {
	src, err := settings.ReadFile(path)
	if err != nil {
		return term.Usagef("config: %w", err)
	}
	file, problems := config.ReadTrainer(path, src)
	if file == nil {
		return term.Usagef("%v", problems[0])
	}
	f.Config = configFacts(path, src, file)
	for _, s := range f.Config.Settings {
		if n, whole := s.Whole(); s.Name == "batch_size" && whole && n > 0 && n <= maxBatch {
			f.Batch = n
			break
		}
	}
	return nil
}

// maxBatch is the largest batch that voxpack.yaml takes.
const maxBatch = 65_536

// takeGPUs numbers the GPUs as they will be numbered in the environment that is
// advised: by address, where the variable of CUDA that chooses them leaves all in.
func takeGPUs(f *tune.Facts, inv *inventory.Inventory) {
	gpus := slices.Clone(inv.GPUs)
	chosen := f.Environment["CUDA_VISIBLE_DEVICES"]
	addressed := !slices.ContainsFunc(gpus, func(g inventory.GPU) bool { return !g.Addressed() })
	switch {
	case f.Environment["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID":
	case chosen == "" && addressed:
		order := slices.Clone(gpus)
		slices.SortFunc(order, func(a, b inventory.GPU) int {
			x, y := a.Address, b.Address
			return cmp.Or(cmp.Compare(x.Domain, y.Domain), cmp.Compare(x.Bus, y.Bus), cmp.Compare(x.Device, y.Device), cmp.Compare(x.Function, y.Function))
		})
		for i := range gpus {
			gpus[i].Number = slices.IndexFunc(order, func(g inventory.GPU) bool { return g.Address == gpus[i].Address })
		}
	default: // by UUID they keep their order; "0,2" means others under another order
		f.KeepOrder = chosen != "" && strings.Trim(chosen, "0123456789, ") == ""
	}
	for _, g := range gpus {
		f.GPUs = append(f.GPUs, tune.GPU{Number: g.Number, Name: g.Name, Memory: g.Memory, Major: g.Major, Minor: g.Minor})
	}
	best, ok := inv.Best()
	if !ok {
		return
	}
	f.Pair = []int{best.A, best.B}
	if gpus[best.A].Memory > gpus[best.B].Memory {
		f.Pair = []int{best.B, best.A} // the model needs more of it
	}
}

// readDataset reads what decides the size of batches and shapes.
func readDataset(ctx context.Context, p locate.Place, stderr io.Writer) (*tune.Dataset, error) {
	d, err := p.OpenDataset()
	if err != nil {
		return nil, err
	}
	defer d.Store.Close()
	set := &tune.Dataset{Rows: d.Root.Rows}
	for _, c := range d.Root.Schema {
		set.SampleBytes += uint64(c.SampleBytes())
	}
	told := time.Now()
	tokens, frames, untold, err := rowLengths(d, func(leaf int) error {
		if time.Since(told) > term.ProgressAfter {
			told = time.Now()
			fmt.Fprintf(stderr, "reading lengths: shard %s of %s\n", term.Commas(leaf), term.Commas(d.Root.Shards))
		}
		return ctx.Err()
	})
	switch {
	case ctx.Err() != nil:
		return nil, term.ErrInterrupted
	case err != nil:
		return nil, err
	}
	set.Untold = untold
	for _, l := range []struct {
		list []int
		unit string
		into *diagnosis.Lengths
	}{{frames, "frames", &set.Frames}, {tokens, "tokens", &set.Tokens}} {
		if found := lengthsOf(l.list, l.unit, &diagnosis.Config{}, ""); found != nil {
			*l.into = *found
		}
	}
	return set, nil
}

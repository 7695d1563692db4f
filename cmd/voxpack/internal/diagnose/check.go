package diagnose

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/inventory"
	"voxpack/internal/config"
	"voxpack/internal/perf"
	"voxpack/store"
)

// CheckOptions are the flags of check.
type CheckOptions struct {
	dataset, device, stages string
	fix, json               bool
	topo                    TopoOptions // where to look for GPUs
}

// AddFlags declares the flags.
func (o *CheckOptions) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.dataset, "dataset", "", "`DATASET` or store to hold lengths against (default: the nearest one from here, or from the config, upwards)")
	f.StringVar(&o.device, "device", "auto", "`DEVICE` whose driver is asked for GPUs: auto (cuda, else none), host (none), sim or cuda")
	f.StringVar(&o.stages, "stages", "", "`LIST` of stages and their milliseconds for a batch, as estimate takes it, to work out how busy GPUs will be\n(default: those of the dataset's last feed that trained)")
	f.BoolVar(&o.fix, "fix", false, "show what changes, and write the corrected file beside the old one, as NAME.fixed.yaml")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// audited is the JSON of check.
type audited struct {
	Config   string             `json:"config"`
	Program  string             `json:"program"` // whose file it is; "": nobody's in particular
	Dataset  string             `json:"dataset"` // "": none
	Rows     int                `json:"rows"`    // of the dataset, those that are too long too
	Cores    int                `json:"cores"`
	GPUs     []gpuMemory        `json:"gpus"`
	Checks   []checkFacts       `json:"checks"`
	Errors   int                `json:"errors"`
	Warnings int                `json:"warnings"`
	Expected diagnosis.Expected `json:"expected"`
	Unseen   []string           `json:"unseen"`
	Fixed    *fixedFacts        `json:"fixed"` // null without --fix

	times string // where the times of stages come from
}

type gpuMemory struct {
	GPU    int    `json:"gpu"`
	Memory uint64 `json:"memory_bytes"` // 0: not known
}

// checkFacts are what one rule says.
type checkFacts struct {
	Rule     string         `json:"rule"`
	Subject  string         `json:"subject"`
	State    state          `json:"state"`
	Text     string         `json:"text"` // of ok and unknown
	Findings []checkFinding `json:"findings"`
}

type checkFinding struct {
	State state `json:"state"`
	diagnosis.Position
	diagnosis.Verdict
}

// state is how a check ended.
type state string

const (
	stateOK      state = "ok"
	stateWarning state = "warning"
	stateError   state = "error"
	stateUnknown state = "unknown"
)

// RunCheck audits a trainer's config. A folder in its place is a dataset with a config.
func RunCheck(ctx context.Context, o *CheckOptions, arg string, stdout io.Writer) error {
	a, facts, file, err := o.audit(ctx, arg)
	if err != nil {
		return err
	}
	var fixErr error
	if o.fix {
		a.Fixed, fixErr = fixFile(a.Config, file, facts)
	}
	words := plainWords(stdout)
	err = term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, a)
		}
		a.page(b, words)
		return nil
	})
	if err = errors.Join(err, fixErr); err == nil && a.Errors > 0 {
		err = term.Findings("")
	}
	return err
}

// audit reads what there is to read, and holds the config against it.
func (o *CheckOptions) audit(ctx context.Context, arg string) (*audited, []diagnosis.Seen, *config.Trainer, error) {
	path, place, err := o.find(arg)
	if err != nil {
		return nil, nil, nil, err
	}
	a, facts, file, err := openAudit(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := a.lengths(ctx, facts, place); err != nil {
		return nil, nil, nil, err
	}
	o.topo.device = o.device
	if err := o.topo.check(); err != nil {
		return nil, nil, nil, err
	}
	inv, err := o.topo.look()
	if err != nil {
		return nil, nil, nil, err
	}
	a.gpus(facts, inv)
	seen := diagnosis.Audit(facts)
	a.add(seen)
	return a, seen, file, o.expect(a, facts, place)
}

// openAudit reads a config, to be held against cores, lengths and GPUs.
func openAudit(path string) (*audited, *diagnosis.Config, *config.Trainer, error) {
	src, err := settings.ReadFile(path)
	if err != nil {
		return nil, nil, nil, term.Usagef("config: %w", err)
	}
	file, problems := config.ReadTrainer(path, src)
	if file == nil {
		return nil, nil, nil, term.Usagef("%v", problems[0])
	}
	a := &audited{Config: path, Program: file.Program, Cores: perf.ProcessCores().Usable(), GPUs: []gpuMemory{}, Checks: []checkFacts{}, Unseen: []string{}}
	facts := configFacts(path, src, file)
	facts.Cores = a.Cores
	return a, facts, file, nil
}

// find tells config and dataset. The place is empty where there is no dataset, and
// nobody named one.
func (o *CheckOptions) find(arg string) (path string, place locate.Place, err error) {
	if arg != "" && locate.IsFolder(arg) {
		if o.dataset != "" {
			return "", place, term.Usagef("%s is a folder, and --dataset names another: give the config's file", arg)
		}
		o.dataset, arg = arg, ""
	}
	if o.dataset != "" || arg == "" {
		if place, err = locate.Find(o.dataset); err != nil {
			return "", place, err
		}
		if arg = place.Config(arg); arg == "" {
			return "", place, term.Usagef("%s has no %s: name the trainer's config, as in voxpack check train.yaml", term.Quoted(place.Store), locate.ConfigName)
		}
		return arg, place, nil
	}
	for _, from := range []string{"", filepath.Dir(arg)} {
		if place, err = locate.Find(from); err == nil {
			return arg, place, nil
		}
		if !errors.Is(err, store.ErrNoStore) {
			return "", place, err
		}
	}
	return arg, locate.Place{}, nil
}

// gpus takes the memory of GPUs that a driver tells of.
func (a *audited) gpus(facts *diagnosis.Config, inv *inventory.Inventory) {
	if inv.Driver == "" {
		a.Unseen = append(a.Unseen, "no driver answers: GPUs and their memory")
		return
	}
	facts.GPUs = map[int]uint64{}
	for _, g := range inv.GPUs {
		facts.GPUs[g.Number] = g.Memory
		a.GPUs = append(a.GPUs, gpuMemory{g.Number, g.Memory})
	}
}

// check refuses a driver that there is not.
func (o *TopoOptions) check() error {
	for _, name := range gpufeed.Backends() {
		if name == o.device {
			return nil
		}
	}
	return term.Usagef("--device %s: want auto, host, sim or cuda", o.device)
}

// add takes what the rules say.
func (a *audited) add(seen []diagnosis.Seen) {
	for _, s := range seen {
		c := checkFacts{Rule: s.Rule, Subject: s.Subject, State: stateOK, Text: s.Text, Findings: []checkFinding{}}
		if s.Unknown {
			c.State = stateUnknown
		}
		for _, v := range s.Found {
			f := checkFinding{stateWarning, v.At, v}
			if v.Grave() {
				f.State = stateError
				a.Errors++
			} else {
				a.Warnings++
			}
			if c.State != stateError {
				c.State = f.State
			}
			c.Findings = append(c.Findings, f)
		}
		a.Checks = append(a.Checks, c)
	}
}

// expect works out how busy GPUs will be, by given times, else by the last feed.
func (o *CheckOptions) expect(a *audited, facts *diagnosis.Config, place locate.Place) error {
	var w diagnosis.Work
	if o.stages != "" {
		list, err := stages(o.stages)
		if err != nil {
			return term.Usagef("--stages: %w", err)
		}
		w.Stages, a.times = list, "of --stages"
	} else if place.Store != "" {
		w, a.times = lastWork(place)
	}
	var err error
	if a.Expected, err = diagnosis.Expect(facts, w); err != nil {
		return term.Usagef("--stages: %w", err)
	}
	return nil
}

// summary counts what was found: "1 error, 2 warnings".
func (a *audited) summary() string {
	return fmt.Sprintf("%s, %s", term.Count(a.Errors, "error"), term.Count(a.Warnings, "warning"))
}

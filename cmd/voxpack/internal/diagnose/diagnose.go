package diagnose

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed/inventory"
	"voxpack/internal/config"
	"voxpack/store"
)

// DiagnoseOptions are the flags of diagnose.
type DiagnoseOptions struct {
	Where   string // the argument
	Version string // of the program

	configFile, dataset string
	stepMS              float64
	quick, full         bool
	targets             []string
	bundle              string
	yes, force          bool
	json, quiet         bool
	topo                TopoOptions // where to look for GPUs
}

// AddFlags declares the flags.
func (o *DiagnoseOptions) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.configFile, "config", "", "config `FILE` of a trainer (default: voxpack.yaml of the dataset)")
	f.Float64Var(&o.stepMS, "step-ms", 0, "a trainer's step, `T` milliseconds without any wait: how long would its GPU be idle?")
	f.BoolVar(&o.quick, "quick", false, "measure nothing: what can be read at once")
	f.BoolVar(&o.full, "full", false, "read every byte of the store, and measure as long as analyze does")
	f.StringVar(&o.topo.device, "device", "auto", "`DEVICE` whose driver is asked: auto (cuda, else none), host (none: what sysfs shows), sim or cuda")
	f.StringVar(&o.dataset, "dataset", "", "folder of the dataset, `DIR`, where the store does not lie in it")
	f.StringArrayVar(&o.targets, "target", nil, "another `NAME=NUMBER` than\n"+targetList("audio-variation", "ready-least", "model-gpu-least")+"; may be repeated")
	f.StringVar(&o.bundle, "bundle", "", "list what somebody who helps asks for, ask, and write it to `FILE`, a zip archive")
	f.BoolVar(&o.yes, "yes", false, "with --bundle: write it without asking")
	f.BoolVar(&o.force, "force", false, "with --bundle: replace a file that is there")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
}

// diagnosed is the JSON of diagnose. The parts are those of the commands that have
// them alone, without their findings; a part that was not seen is null.
type diagnosed struct {
	Version  string        `json:"version"`
	Machine  machineFacts  `json:"machine"`
	Devices  *topology     `json:"devices"`
	Config   *audited      `json:"config"`
	Store    *healthFacts  `json:"store"`
	Speed    *analysis     `json:"speed"`
	Live     liveFacts     `json:"live"`
	Runs     []runFacts    `json:"runs"` // the last build and the last feed
	Findings []finding     `json:"findings"`
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Unseen   []missingPart `json:"unseen"`
}

// finding is one of a part, or of an earlier run.
type finding struct {
	Run string `json:"run"` // when the run began that found it, RFC 3339; "": found now
	checkFinding
}

// missingPart is what could not be seen, and why.
type missingPart struct {
	What part   `json:"what"`
	Text string `json:"text"`
}

// part is what diagnose looks at.
type part string

// The parts, in the order in which they are looked at.
const (
	devicesPart part = "devices"
	storePart   part = "store"
	configPart  part = "config"
	runsPart    part = "runs"
	speedPart   part = "speed"
	livePart    part = "live"
)

// doctor looks at one part after the other. What it cannot see costs that part alone.
type doctor struct {
	*DiagnoseOptions
	out     *diagnosed
	seen    diagnosis.Observation
	place   locate.Place
	missing error // why there is no place, or no store that can be read
	devs    *inventory.Inventory
	file    *config.Trainer // nil: none was read
	root    store.Digest    // of the dataset; zero: there is none
	snap    store.Digest    // its snapshot
	stderr  io.Writer
	begun   time.Time
	earlier []finding // of the last feed
}

// RunDiagnose looks at all that may limit a training, and prints one list of findings.
func RunDiagnose(ctx context.Context, o *DiagnoseOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	d, err := o.prepare(stderr)
	if err != nil {
		return err
	}
	before := lookNow()
	for _, look := range []func(context.Context) error{d.devices, d.store, d.config, d.runs, d.speed} {
		if err := look(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return term.ErrInterrupted
		}
	}
	hold(ctx, leastLook-time.Since(d.begun)) // the system counts in ticks of 10 ms
	d.live(ctx, before)
	d.conclude()
	err = term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, d.out)
		}
		d.out.page(b)
		return nil
	})
	if err == nil && o.bundle != "" {
		err = d.pack(ctx, stdin)
	}
	if err == nil && d.out.Errors > 0 {
		err = term.Findings("")
	}
	return err
}

// prepare refuses what cannot be meant, before anything is looked at.
func (o *DiagnoseOptions) prepare(stderr io.Writer) (*doctor, error) {
	if o.quick && o.full {
		return nil, term.Usagef("--quick measures nothing and --full everything: take one of them away")
	}
	if o.quick && o.stepMS != 0 {
		return nil, term.Usagef("--step-ms needs a measurement, and --quick makes none")
	}
	if err := errors.Join(o.topo.check(), o.checkBundle()); err != nil {
		return nil, err
	}
	d := &doctor{DiagnoseOptions: o, stderr: stderr, begun: time.Now(),
		out: &diagnosed{Version: o.Version, Machine: machineNow(), Runs: []runFacts{}, Findings: []finding{}, Unseen: []missingPart{}}}
	a := o.analyze()
	var err error
	if d.seen.Targets, err = a.check(); err != nil {
		return nil, err
	}
	d.place, d.missing = locate.Find(o.Where)
	// A word of the command line that names nothing is a mistake; that nothing was
	// named is not.
	if d.missing != nil && o.Where != "" && (!errors.Is(d.missing, store.ErrNoStore) || !locate.Exists(o.Where)) {
		return nil, d.missing
	}
	if d.missing == nil && o.dataset != "" {
		d.place.Dataset = o.dataset
	}
	return d, nil
}

// miss notes what could not be seen.
func (d *doctor) miss(what part, format string, args ...any) {
	d.out.Unseen = append(d.out.Unseen, missingPart{what, fmt.Sprintf(format, args...)})
}

// tell says what it does, when it takes long.
func (d *doctor) tell(long bool, what string) {
	if !d.quiet && (long || time.Since(d.begun) > term.ProgressAfter) {
		fmt.Fprintln(d.stderr, what)
	}
}

// conclude makes one list of what was found, and counts it.
func (d *doctor) conclude() {
	found := diagnosis.Find(d.seen)
	now := map[string]bool{}
	for _, v := range found {
		now[v.Rule] = true
	}
	for _, c := range d.out.Live.Consumers {
		for _, v := range c.Findings {
			if !now[v.Rule] { // else of another rank, or measured here too
				now[v.Rule] = true
				found = append(found, v)
			}
		}
	}
	var list []finding
	for _, v := range found {
		f := finding{checkFinding: checkFinding{stateWarning, v.At, v}}
		if v.Grave() {
			f.State = stateError
		}
		list = append(list, f)
	}
	for _, f := range d.earlier {
		if !now[f.Rule] {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, finding.compare)
	d.out.Findings = append(d.out.Findings, list...)
	for _, f := range list {
		if f.State == stateError {
			d.out.Errors++
		} else {
			d.out.Warnings++
		}
	}
}

// leastGain is what a gain has to be of a step to be worth a place before errors whose
// gain nobody knows.
const leastGain = 0.01

// compare puts what shortens steps first, then errors, then the rest, each by gain.
func (f finding) compare(g finding) int {
	rank := func(f finding) int {
		switch {
		case f.Gain != nil && *f.Gain >= leastGain && f.Of == diagnosis.OfStep:
			return 0
		case f.State == stateError:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(f), rank(g)), diagnosis.ByGain(f.Verdict, g.Verdict))
}

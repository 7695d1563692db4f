package diagnose

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis/tune"
)

// TuneOptions are the flags of tune.
type TuneOptions struct {
	Where             string
	config, framework string
	verify            bool
	apply             string
	json              bool
	topo              TopoOptions // where to look for GPUs
}

// AddFlags declares the flags.
func (o *TuneOptions) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.config, "config", "", "config `FILE` of a trainer, whose batch size is kept (default: voxpack.yaml of the dataset)")
	f.StringVar(&o.framework, "framework", "all", "of the trainer: `NAME` is torch, tensorflow, jax or all")
	f.StringVar(&o.topo.device, "device", "auto", "`DEVICE` whose driver is asked: auto (cuda, else none), host (none: what sysfs shows), sim or cuda")
	f.BoolVar(&o.verify, "verify", false, "compare the environment and the config with the advice and list what differs; exit 1 if anything does")
	f.StringVar(&o.apply, "apply", "", "write the advice to a new `FILE`: settings to one that ends in .yaml, variables to one in .env or .sh")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// frameworks are the values of --framework.
var frameworks = map[string]tune.Framework{"all": tune.AnyFramework, "torch": tune.Torch, "tensorflow": tune.TensorFlow, "jax": tune.JAX}

// tuned is the JSON of tune.
type tuned struct {
	Facts       tunedFacts        `json:"facts"`
	Config      string            `json:"config"` // file that was read; "": none
	Environment []tune.Item       `json:"environment"`
	Settings    []tune.Item       `json:"settings"`
	OutOfMemory []tune.Step       `json:"out_of_memory"`
	Train       []string          `json:"train"` // command lines
	Watch       []string          `json:"watch"`
	Verified    bool              `json:"verified"`
	Differs     []tune.Difference `json:"differs"`
	Written     string            `json:"written"` // the file of --apply
	Unseen      []tunedGap        `json:"unseen"`

	place  string // of the dataset, as a shell takes it; "" without one
	nvidia bool   // the GPUs are real
}

// tunedGap is a gap in words.
type tunedGap struct {
	What tune.Gap `json:"what"`
	Text string   `json:"text"`
}

// RunTune prints what to set for this machine and dataset.
func RunTune(ctx context.Context, o *TuneOptions, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	f, place, why, err := o.facts(ctx, os.Environ(), stderr)
	if err != nil {
		return err
	}
	advice := tune.New(f, frameworks[o.framework])
	t := newTuned(f, advice, why)
	t.place, t.nvidia, t.Config = place.argument, o.topo.device != "sim", place.config
	t.commands()
	if o.verify {
		t.Verified, t.Differs = true, advice.Differs(f.Environment, f.Config)
	}
	if o.apply != "" {
		if err := t.write(o.apply); err != nil {
			return err
		}
		t.Written = o.apply
	}
	err = term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, t)
		}
		t.page(b)
		return nil
	})
	if err == nil && len(t.Differs) > 0 {
		return term.Findings("")
	}
	return err
}

// check refuses flags that make no sense, before anything is looked at.
func (o *TuneOptions) check() error {
	if _, known := frameworks[o.framework]; !known {
		return term.Usagef("--framework %s: want torch, tensorflow, jax or all", o.framework)
	}
	if err := o.topo.check(); err != nil {
		return err
	}
	if o.apply == "" {
		return nil
	}
	if _, err := formOf(o.apply); err != nil {
		return term.Usagef("%w", err)
	}
	if _, err := os.Lstat(o.apply); err == nil {
		return term.Usagef("--apply %s: it is there, and tune overwrites nothing; name another file, or move that one away", o.apply)
	}
	return nil
}

// newTuned puts facts and advice together.
func newTuned(f tune.Facts, a tune.Advice, why map[tune.Gap]error) *tuned {
	t := &tuned{Facts: factsPage(f), Environment: a.Environment, Settings: a.Settings, OutOfMemory: tune.OutOfMemory(),
		Differs: []tune.Difference{}, Unseen: []tunedGap{}}
	for _, gap := range a.Unseen {
		text := gapText(gap, f)
		if gap == tune.NoKeep {
			text = fmt.Sprintf("%s has what no file can keep (quotes, \\, $, other signs, over 1,024 bytes): it is left as it is", strings.Join(a.Kept, ", "))
		}
		if err := why[gap]; err != nil {
			text += fmt.Sprintf(" (%v)", err)
		}
		t.Unseen = append(t.Unseen, tunedGap{gap, text})
	}
	return t
}

// commands are those that train and watch with the settings.
func (t *tuned) commands() {
	flags, gpus := "", ""
	for _, s := range t.Settings {
		switch {
		case s.Flag == "":
		case slices.Contains(gpuFlags, s.Flag):
			gpus += fmt.Sprintf(" %s %v", s.Flag, s.Value)
		default:
			flags += fmt.Sprintf(" %s %v", s.Flag, s.Value)
		}
	}
	set := ""
	if t.place != "" {
		set = " " + t.place
	}
	t.Train = []string{"voxpack serve" + set + flags}
	t.Watch = []string{"voxpack top" + set, "voxpack feed" + set + " --json --steps 200" + flags + gpus}
	if t.nvidia && len(t.Facts.GPUs) > 0 {
		t.Watch = append(t.Watch, "nvidia-smi dmon -s pucm")
	}
}

// gpuFlags are those that feed has and serve has not: of a served dataset each
// consumer says its GPU.
var gpuFlags = []string{"--data-gpu", "--model-gpu", "--data-gpu-memory", "--model-gpu-memory"}

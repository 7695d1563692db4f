package diagnose

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/diagnosis"
)

// AnalyzeOptions are the flags of analyze.
type AnalyzeOptions struct {
	settings.Flags
	Where string                 // the argument
	Given func(flag string) bool // whether the command line has a flag

	rows            int
	seconds         float64
	seed            uint64
	batch, prefetch int
	fillers         int
	stepMS          float64
	targets         []string
	json, quiet     bool
}

// AddFlags declares the flags.
func (o *AnalyzeOptions) AddFlags(f *pflag.FlagSet) {
	f.Float64Var(&o.stepMS, "step-ms", 0, "a trainer's step, `T` milliseconds without any wait: how long would its GPU be idle?")
	f.IntVar(&o.rows, "rows", fullRows, "time at most `N` rows of the dataset")
	f.Float64Var(&o.seconds, "seconds", fullSeconds, "measure rows for `TIME` s at most, and each feed as long")
	f.Uint64Var(&o.seed, "seed", 0, "`SEED` of the sample and of the shuffle")
	f.IntVar(&o.batch, "batch-size", 0, "`N` samples in a batch (default: batch_size of the config, else 32)")
	f.IntVar(&o.fillers, "workers", 0, "fill batches with `N` goroutines (default: one for each core, at most 4)")
	f.IntVar(&o.prefetch, "prefetch-buffer-size", 0, "`N` batches ready at the start (default: as feed)")
	f.StringVar(&o.Dataset, "dataset", "", "folder of the dataset, `DIR`, where the store does not lie in it")
	f.StringVar(&o.Config, "config", "", "config `FILE` (default: voxpack.yaml of the dataset)")
	f.StringVar(&o.Metadata, "metadata", "", "metadata `FILE`")
	f.BoolVar(&o.Follow, "follow-links", false, "read what links lead to, wherever that is")
	f.StringArrayVar(&o.targets, "target", nil, "another `NAME=NUMBER` than\n"+targetList("audio-variation", "ready-least", "model-gpu-least")+"; may be repeated")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
}

// targetList is the targets of these names with their defaults, for help.
func targetList(names ...string) string {
	list := ""
	for i, name := range names {
		if i > 0 {
			list += ", "
		}
		list += fmt.Sprintf("%s=%g", name, diagnosis.Targets{}.Of(name))
	}
	return list
}

// The most that flags may ask for: what is over it is a slip of the keyboard.
const (
	mostRows    = 1_000_000
	mostSeconds = 3600
	mostStepMS  = 60_000
)

func (o *AnalyzeOptions) check() (diagnosis.Targets, error) {
	switch {
	case o.rows < 1 || o.rows > mostRows:
		return nil, term.Usagef("--rows %d: want 1 to %d", o.rows, mostRows)
	case !(o.seconds > 0 && o.seconds <= mostSeconds):
		return nil, term.Usagef("--seconds %v: want more than 0, up to %d", o.seconds, mostSeconds)
	case !(o.stepMS >= 0 && o.stepMS <= mostStepMS):
		return nil, term.Usagef("--step-ms %v: want 0 to %d, a minute", o.stepMS, mostStepMS)
	case o.batch < 0 || o.fillers < 0 || o.prefetch < 0:
		return nil, term.Usagef("--batch-size, --workers and --prefetch-buffer-size: want 1 or more")
	}
	targets := diagnosis.Targets{}
	for _, text := range o.targets {
		name, value, err := diagnosis.ParseTarget(text)
		if err != nil {
			return nil, term.Usagef("--target: %w", err)
		}
		targets[name] = value
	}
	return targets, nil
}

// analysis is the JSON of analyze.
type analysis struct {
	Dataset  string              `json:"dataset"` // folder; "" where there is none
	Store    string              `json:"store"`   // the same
	Rows     *rowsFacts          `json:"rows"`    // of the sources; null: not seen
	Feed     *feedFacts          `json:"feed"`    // of the store; null: not seen
	Load     *loadFacts          `json:"load"`    // while it measured; null: not known
	Findings []diagnosis.Verdict `json:"findings"`
	Unseen   []unseenPart        `json:"unseen"`
}

// unseenPart is what could not be seen, and why.
type unseenPart struct {
	What side   `json:"what"`
	Text string `json:"text"`
}

// side is one of what an analysis looks at.
type side string

// The sides.
const (
	sourcesSide side = "sources"
	storeSide   side = "store"
	trainerSide side = "trainer"
)

// RunAnalyze measures what the data side takes without a trainer: the steps of a
// build over a sample of the sources, then a short feed of the store. Either may be
// missing.
func RunAnalyze(ctx context.Context, o *AnalyzeOptions, stdout, stderr io.Writer) error {
	targets, err := o.check()
	if err != nil {
		return err
	}
	place, missing := locate.Find(o.Where)
	if o.Dataset == "" {
		o.Dataset = place.Dataset
	}
	if missing != nil && o.Dataset == "" {
		o.Dataset = o.Where // "" is where build would look
	}
	a := &analysis{Dataset: o.Dataset, Store: place.Store, Unseen: []unseenPart{}}
	bar := term.StartProgress(stderr, o.quiet)
	seen := diagnosis.Observation{Targets: targets}
	before := lookNow()
	lost, err := o.bothSides(ctx, a, &seen, place, missing, bar, stderr)
	bar.End()
	if ctx.Err() != nil {
		return term.ErrInterrupted
	}
	if err != nil {
		return err
	}
	if a.Rows == nil && a.Feed == nil {
		return errors.Join(lost...)
	}
	a.Load = lookNow().since(before)
	a.Findings = diagnosis.Find(seen)
	return term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, a)
		}
		a.page(b)
		return nil
	})
}

// bothSides looks at the sources, then at the store. lost is why a side was not
// seen; err ends the command: a config or a command line that cannot be right.
func (o *AnalyzeOptions) bothSides(ctx context.Context, a *analysis, seen *diagnosis.Observation, place locate.Place, missing error, bar *term.Progress, stderr io.Writer) (lost []error, err error) {
	unseen := func(what side, why error) {
		lost = append(lost, why)
		a.Unseen = append(a.Unseen, unseenPart{what, why.Error()})
	}
	if err := o.sources(ctx, a, seen, place, missing, bar, stderr); err != nil {
		if wrong(err) {
			return nil, err
		}
		if unseen(sourcesSide, err); errors.Is(err, intake.ErrNoMetadata) { // it lists all that was tried
			a.Unseen[0].Text = "nothing in the dataset's folder can be read as metadata; voxpack build --dry-run says what was tried"
		}
	}
	if missing != nil {
		unseen(storeSide, missing)
	} else if err := o.supply(ctx, a, seen, place, bar); err != nil {
		if wrong(err) {
			return nil, err
		}
		unseen(storeSide, err)
	}
	if a.Feed != nil && a.Feed.Trainer == nil {
		a.Unseen = append(a.Unseen, unseenPart{trainerSide, "how long the GPU is idle: give your trainer's step, as in --step-ms 150"})
	}
	return lost, nil
}

// wrong tells a mistake of the user from a side that is not there.
func wrong(err error) bool {
	usage := term.Usage{}
	return errors.Is(err, compiler.ErrConfig) || errors.As(err, &usage) && !errors.Is(err, intake.ErrNoMetadata)
}

// sources times the steps of a build over a sample of the rows.
func (o *AnalyzeOptions) sources(ctx context.Context, a *analysis, seen *diagnosis.Observation, place locate.Place, missing error, bar *term.Progress, stderr io.Writer) error {
	if missing == nil && o.Dataset == "" && o.Config == "" {
		return fmt.Errorf("%s does not lie in a dataset; name its folder with --dataset", place.Store)
	}
	opts, _, err := o.Options(stderr)
	if err != nil {
		return err
	}
	a.Dataset, opts.Progress = opts.Dataset, bar.Report
	scratch, remove, err := scratchFolder()
	if err != nil {
		return err
	}
	defer remove()
	t, err := compiler.TimeRows(ctx, opts, compiler.Sampling{Rows: o.rows, Time: time.Duration(o.seconds * float64(time.Second)), Seed: o.seed, Scratch: scratch})
	if t == nil || len(t.Rows) == 0 {
		switch {
		case err != nil:
			return err
		case len(t.Refused) > 0:
			return fmt.Errorf("a build would reject all %d rows of the sample; the first: %v", len(t.Refused), t.Refused[0])
		}
		return errors.New("the metadata has no row")
	}
	a.Rows, seen.Compilation = rowsOf(t, opts.Config.TimeSteps())
	a.Rows.Seed = o.seed
	return err
}

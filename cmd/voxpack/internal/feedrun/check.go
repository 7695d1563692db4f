package feedrun

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler/intake"
	"voxpack/gpufeed"
	"voxpack/gpufeed/extra"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/internal/config"
)

// Configure fills in what the config file says and no flag does. The file is that
// of --config, else the voxpack.yaml of the dataset folder; a store alone has none,
// and the defaults of the flags hold. Problems are printed to stderr.
func (o *Options) Configure(p locate.Place, stderr io.Writer) error {
	path := p.Config(o.Config)
	if path == "" {
		return nil
	}
	src, err := settings.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return term.Usagef("config %s: no such file", path)
	}
	if err != nil {
		return term.Usagef("config: %w", err)
	}
	c, problems := config.Load(path, src, intake.FormatNames())
	if err := settings.Judge(forFeed(problems), stderr); err != nil {
		return err
	}
	o.merge(c.Feed)
	o.said = map[string]string{}
	for flag, key := range map[string]string{"language": "languages", "speaker": "speakers", "weight": "weights", "buckets": "buckets", "columns": "columns"} {
		if !o.Given(flag) && c.Given("feed."+key) {
			o.said[flag] = strings.TrimSuffix(c.Problem("feed."+key, "", "").String(), ": ") + ":"
		}
	}
	for _, d := range c.Dataset.Datasets {
		// 1 is what rows have without a weight.
		if d.Weight != 1 {
			o.Corpora = append(o.Corpora, plan.Corpus{Name: d.Name, Times: d.Weight})
		}
	}
	return nil
}

// forFeed leaves out the problems of keys that a feed does not read: what a
// store holds was settled by the build, and a feed may run where the files that
// such keys name are missing.
func forFeed(problems []config.Problem) []config.Problem {
	return slices.DeleteFunc(problems, func(p config.Problem) bool {
		section, name, _ := strings.Cut(p.Key, ".")
		if section == "feed" {
			return false
		}
		return slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
			return (k.Name == name || slices.Contains(k.Aliases, name)) && !slices.Contains(k.Reads, "feed")
		})
	})
}

// merge takes the settings of a config where no flag was given.
func (o *Options) merge(c config.Feed) {
	use := func(flag string, take func()) {
		if !o.Given(flag) {
			take()
		}
	}
	use("batch-size", func() { o.Batch = c.BatchSize })
	use("val-split", func() { o.ValSplit, o.TrainSplit = c.ValSplit, c.TrainSplit })
	use("prefetch-buffer-size", func() { o.Prefetch = c.PrefetchBufferSize })
	use("split", func() { o.Split = c.Split })
	use("language", func() { o.Languages = c.Languages })
	use("speaker", func() { o.Speakers = c.Speakers })
	use("weight", func() {
		o.Weights = nil
		for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
			o.Weights = append(o.Weights, name+"="+c.Weights[name])
		}
	})
	use("buckets", func() { o.Buckets = c.Buckets })
	use("segment", func() { o.Segment = c.Segment })
	use("reference", func() {
		if o.Reference = c.Reference; o.Reference == "none" {
			o.Reference = ""
		}
	})
	use("mel-norm", func() {
		if o.MelNorm = c.MelNorm; o.MelNorm == "none" {
			o.MelNorm = ""
		}
	})
	use("extra", func() { o.Extra = c.Extra })
	use("columns", func() { o.Columns = c.Columns })
	use("seed", func() { o.Seed = uint64(c.Seed) })
	use("shuffle", func() { o.Shuffle = c.Shuffle })
	use("tail", func() { o.Tail = c.Tail })
	use("data-gpu", func() { o.dataGPU = c.DataGPU })
	use("model-gpu", func() { o.modelGPU = c.ModelGPU })
	// pipeline_buffer_size bounds the growth of the ring and has no flag. A larger
	// number of batches on the command line raises the bound; one that the rule
	// gives is lowered to it.
	o.pipeline = c.PipelineBufferSize
	if o.pipeline > 0 && o.Given("prefetch-buffer-size") {
		o.pipeline = max(o.pipeline, o.Prefetch)
	}
	o.fixed, o.onGPU, o.pageable = !c.EnhancedGPUPrefetch, c.PrefetchToGPU, !c.PinMemory
	if o.pipeline > 0 && o.Prefetch == 0 {
		o.Prefetch = min(o.depth(), o.pipeline)
	}
}

// problems collects what is wrong with a command line.
type problems []error

func (p *problems) add(wrong bool, format string, args ...any) {
	if wrong {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}

// err lists everything that is wrong, nil if nothing is.
func (p problems) err() error { return p.in("the command line") }

func (p problems) in(where string) error {
	switch len(p) {
	case 0:
		return nil
	case 1:
		return term.Usage{Err: p[0]}
	}
	return term.Usagef("%s in %s, nothing was done:\n%w", term.Count(len(p), "problem"), where, errors.Join(p...))
}

// Check lists everything wrong that can be seen without the dataset, and before
// it why that was not found, if it was not.
func (o *Options) Check(missing error) error {
	var p problems
	o.checkNumbers(&p)
	o.checkChoices(&p)
	o.checkPlanted(&p)
	o.checkOutput(&p)
	if len(p) == 0 {
		return missing
	}
	if missing != nil {
		p = slices.Insert(p, 0, missing)
	}
	return p.err()
}

// What is over these is a slip of the keyboard, and far below what would
// overflow when it is counted in bytes or nanoseconds.
const (
	maxPrefetch = gpufeed.MaxDepth // batches, as prefetch_buffer_size in a config
	MaxMB       = 1e9
	maxStepMS   = 3_600_000
)

// checkNumbers looks at numbers.
func (o *Options) checkNumbers(p *problems) {
	least := func(name string, value, want int) {
		p.add(value < want, "--%s %d: want at least %d", name, value, want)
	}
	between := func(name string, value, most int) {
		p.add(value < 0 || value > most, "--%s %d: want 0 to %d", name, value, most)
	}
	least("batch-size", o.Batch, 1)
	least("epochs", o.epochs, 0)
	least("world", o.World, 1)
	between("prefetch-buffer-size", o.Prefetch, maxPrefetch)
	between("data-gpu-memory", o.dataMB, MaxMB)
	between("model-gpu-memory", o.modelMB, MaxMB)
	if o.Given("workers") {
		least("workers", o.Workers, 1)
	}
	if o.Given("steps") {
		least("steps", o.steps, 1)
		p.add(o.Given("epochs"), "--epochs and --steps: take one of them away")
		o.epochs = 0
	}
	if o.Given("data-gpu") {
		least("data-gpu", o.dataGPU, 0)
	}
	if o.Given("model-gpu") {
		least("model-gpu", o.modelGPU, 0)
	}
	for _, frames := range o.Buckets {
		least("buckets", frames, 1)
	}
	if o.World >= 1 {
		p.add(o.rank < 0 || o.rank >= o.World, "--rank %d: want 0 to %d, one less than --world", o.rank, o.World-1)
		p.add(o.Batch >= 1 && o.Batch%o.World != 0, "--batch-size %d cannot be shared by %d ranks; take a multiple of %d", o.Batch, o.World, o.World)
	}
	// Written so that NaN, which no comparison holds for, is refused too.
	p.add(!(o.ValSplit >= 0 && o.ValSplit <= 1), "--val-split %v: want a part from 0 to 1", o.ValSplit)
	p.add(!(o.stepMS >= 0 && o.stepMS <= maxStepMS), "--step-ms %v: want 0 to %d, an hour", o.stepMS, maxStepMS) // NaN is neither
	p.add(o.stepMS >= 0 && !(o.stepFixed >= 0 && o.stepFixed <= o.stepMS), "--step-ms %v+%v: neither part may be below 0", o.stepFixed, o.stepMS-o.stepFixed)
	p.add(o.jitter != "" && o.stepMS == 0, "--jitter is for --step-ms")
	_, err := parseJitter(o.jitter)
	p.add(err != nil, "%w", err)
	if o.Given("segment") {
		least("segment", o.Segment, 1)
	}
}

// checkChoices looks at words out of a list.
func (o *Options) checkChoices(p *problems) {
	for _, c := range []struct {
		flag, value string
		of          []string
	}{
		{"split", o.Split, []string{"all", "train", "val", "test"}},
		{"shuffle", o.Shuffle, []string{"global", "none"}},
		{"tail", o.Tail, []string{"drop", "pad", "wrap"}},
		{"device", o.Device, gpufeed.Backends()},
		{"mode", o.Mode, []string{"auto", "direct", "dual"}},
		{"cache", o.Cache, []string{"auto", "on", "off"}},
		{"checksums", o.Checks, []string{"first", "always", "off"}},
		{"on-corrupt", o.OnCorrupt, []string{"fail", "skip", Repair}},
	} {
		p.add(!slices.Contains(c.of, c.value), "--%s %q: want %s or %s", c.flag, c.value,
			strings.Join(c.of[:len(c.of)-1], ", "), c.of[len(c.of)-1])
	}
	p.add(o.MelNorm != "" && o.MelNorm != stats.ByColumn && o.MelNorm != stats.ByBand, "--mel-norm %q: want %s or %s", o.MelNorm, stats.ByColumn, stats.ByBand)
	if err := extra.Check(o.Extra); err != nil {
		p.add(true, "%s: %w", o.label("extra"), err)
	}
	p.add(o.Reference != "" && o.Reference != "same-speaker", "--reference %q: want same-speaker", o.Reference)
	for _, w := range o.Weights {
		_, _, _, err := splitWeight(w)
		p.add(err != nil, "%w", err)
	}
	if o.Device == "host" {
		for _, flag := range []string{"mode", "data-gpu", "model-gpu", "data-gpu-memory", "model-gpu-memory"} {
			p.add(o.Given(flag), "--%s is for a GPU, and --device is host", flag)
		}
		p.add(o.Cache == "on", "--cache on is for a GPU, and --device is host")
	}
	if o.Mode == "direct" && o.Device != "host" {
		// The same GPU for both says nothing else than --mode direct.
		p.add(o.Given("data-gpu") && o.dataGPU != o.modelGPU, "--data-gpu is for two GPUs, and --mode direct takes --model-gpu alone")
		p.add(o.Given("data-gpu-memory"), "--data-gpu-memory is for two GPUs, and --mode direct takes --model-gpu alone")
	}
}

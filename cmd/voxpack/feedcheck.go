package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"voxpack/compiler/intake"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/config"
)

// configure fills in what the config file says and no flag does.
func (o *feedOptions) configure(p place, stderr io.Writer) error {
	path := o.config
	if own := filepath.Join(p.dataset, configName); path == "" && p.dataset != "" && isThere(own) {
		path = own
	}
	if path == "" {
		return nil
	}
	src, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("config %s: no such file", path)
	}
	if err != nil {
		return usagef("config: %w", err)
	}
	c, problems := config.Load(path, src, intake.FormatNames())
	if err := judge(forFeed(problems), stderr); err != nil {
		return err
	}
	o.merge(c.Feed)
	for _, d := range c.Dataset.Datasets {
		if d.Weight != 1 {
			o.corpora = append(o.corpora, plan.Corpus{Name: d.Name, Times: d.Weight})
		}
	}
	return nil
}

// forFeed leaves out the problems of keys that a feed does not read: what a
// store holds was settled by the build, and a feed may run where the files that
// such keys name are missing.
func forFeed(problems []config.Problem) []config.Problem {
	return slices.DeleteFunc(problems, func(p config.Problem) bool {
		_, name, _ := strings.Cut(p.Key, ".")
		return slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
			return (k.Name == name || slices.Contains(k.Aliases, name)) && !slices.Contains(k.Reads, "feed")
		})
	})
}

// merge takes the settings of a config where no flag was given.
func (o *feedOptions) merge(c config.Feed) {
	use := func(flag string, take func()) {
		if !o.given(flag) {
			take()
		}
	}
	use("batch-size", func() { o.batch = c.BatchSize })
	use("val-split", func() { o.valSplit, o.trainSplit = c.ValSplit, c.TrainSplit })
	use("prefetch-buffer-size", func() { o.prefetch = c.PrefetchBufferSize })
	use("data-gpu", func() { o.dataGPU = c.DataGPU })
	use("model-gpu", func() { o.modelGPU = c.ModelGPU })
	o.pipeline = c.PipelineBufferSize
	if o.pipeline > 0 && o.given("prefetch-buffer-size") {
		o.pipeline = max(o.pipeline, o.prefetch)
	}
	o.fixed, o.onGPU, o.pageable = !c.EnhancedGPUPrefetch, c.PrefetchToGPU, !c.PinMemory
	if o.pipeline > 0 && o.prefetch == 0 {
		o.prefetch = min(o.depth(), o.pipeline)
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
func (p problems) err() error {
	switch len(p) {
	case 0:
		return nil
	case 1:
		return usageError{p[0]}
	}
	return usagef("%s in the command line, nothing was done:\n%w", count(len(p), "problem"), errors.Join(p...))
}

// check lists everything wrong that can be seen without the dataset, and before
// it why that was not found, if it was not.
func (o *feedOptions) check(missing error) error {
	var p problems
	o.checkCourse(&p)
	o.checkChoices(&p)
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
	maxMB       = 1e9
	maxStepMS   = 3_600_000
)

// checkCourse looks at numbers.
func (o *feedOptions) checkCourse(p *problems) {
	least := func(name string, value, want int) {
		p.add(value < want, "--%s %d: want at least %d", name, value, want)
	}
	between := func(name string, value, most int) {
		p.add(value < 0 || value > most, "--%s %d: want 0 to %d", name, value, most)
	}
	least("batch-size", o.batch, 1)
	least("epochs", o.epochs, 0)
	least("world", o.world, 1)
	between("prefetch-buffer-size", o.prefetch, maxPrefetch)
	between("data-gpu-memory", o.dataMB, maxMB)
	between("model-gpu-memory", o.modelMB, maxMB)
	if o.given("workers") {
		least("workers", o.workers, 1)
	}
	if o.given("steps") {
		least("steps", o.steps, 1)
		p.add(o.given("epochs"), "--epochs and --steps: take one of them away")
		o.epochs = 0
	}
	if o.given("data-gpu") {
		least("data-gpu", o.dataGPU, 0)
	}
	if o.given("model-gpu") {
		least("model-gpu", o.modelGPU, 0)
	}
	for _, frames := range o.buckets {
		least("buckets", frames, 1)
	}
	if o.world >= 1 {
		p.add(o.rank < 0 || o.rank >= o.world, "--rank %d: want 0 to %d, one less than --world", o.rank, o.world-1)
		p.add(o.batch >= 1 && o.batch%o.world != 0, "--batch-size %d cannot be shared by %d ranks; take a multiple of %d", o.batch, o.world, o.world)
	}
	p.add(!(o.valSplit >= 0 && o.valSplit <= 1), "--val-split %v: want a part from 0 to 1", o.valSplit)
	p.add(!(o.stepMS >= 0 && o.stepMS <= maxStepMS), "--step-ms %v: want 0 to %d, an hour", o.stepMS, maxStepMS) // NaN is neither
	p.add(o.jitter != "" && o.stepMS == 0, "--jitter is for --step-ms")
	_, err := parseJitter(o.jitter)
	p.add(err != nil, "%w", err)
	if o.given("segment") {
		least("segment", o.segment, 1)
	}
}

// checkChoices looks at words out of a list.
func (o *feedOptions) checkChoices(p *problems) {
	for _, c := range []struct {
		flag, value string
		of          []string
	}{
		{"split", o.split, []string{"all", "train", "val", "test"}},
		{"shuffle", o.shuffle, []string{"global", "none"}},
		{"tail", o.tail, []string{"drop", "pad", "wrap"}},
		{"device", o.device, gpufeed.Backends()},
		{"mode", o.mode, []string{"auto", "direct", "dual"}},
		{"cache", o.cache, []string{"auto", "on", "off"}},
		{"checksums", o.checks, []string{"first", "always", "off"}},
		{"on-corrupt", o.onCorrupt, []string{"fail", "skip"}},
	} {
		p.add(!slices.Contains(c.of, c.value), "--%s %q: want %s or %s", c.flag, c.value,
			strings.Join(c.of[:len(c.of)-1], ", "), c.of[len(c.of)-1])
	}
	p.add(o.reference != "" && o.reference != "same-speaker", "--reference %q: want same-speaker", o.reference)
	for _, w := range o.weights {
		_, _, _, err := splitWeight(w)
		p.add(err != nil, "%w", err)
	}
	if o.device == "host" {
		for _, flag := range []string{"mode", "data-gpu", "model-gpu", "data-gpu-memory", "model-gpu-memory"} {
			p.add(o.given(flag), "--%s is for a GPU, and --device is host", flag)
		}
		p.add(o.cache == "on", "--cache on is for a GPU, and --device is host")
	}
	if o.mode == "direct" && o.device != "host" {
		// The same GPU for both says nothing else than --mode direct.
		p.add(o.given("data-gpu") && o.dataGPU != o.modelGPU, "--data-gpu is for two GPUs, and --mode direct takes --model-gpu alone")
		p.add(o.given("data-gpu-memory"), "--data-gpu-memory is for two GPUs, and --mode direct takes --model-gpu alone")
	}
}

package diagnose

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/diagnosis/runs"
)

// EstimateOptions are the flags of estimate.
type EstimateOptions struct {
	stages, run, bytes string
	bandwidth          float64
	latency            time.Duration
	batch              int
	sizes              []int
	memory             string
	json               bool
}

// AddFlags declares the flags.
func (o *EstimateOptions) AddFlags(f *pflag.FlagSet) {
	f.StringVar(&o.stages, "stages", "", "`LIST` of stages and their milliseconds for a batch: load, copy, preprocess, transfer, train;\ntrain=10+140 is 10 ms that do not grow with the batch, and 140 that do")
	f.StringVar(&o.run, "run", "", "take the stages of a `RUN`: a run record of feed, or a dataset for its last one; --stages overrides single ones")
	f.StringVar(&o.bytes, "bytes", "", "bytes of a batch, as in 8.2MB: the stage transfer takes --latency + `SIZE` / --bandwidth")
	f.Float64Var(&o.bandwidth, "bandwidth", 0, "of the link, in `GB/s` (10^9 bytes)")
	f.DurationVar(&o.latency, "latency", 0, "`TIME` of the link before the first byte, as in 10us")
	f.IntVar(&o.batch, "batch-size", 0, "`N` samples of a batch that these times are of")
	f.IntSliceVar(&o.sizes, "batch-sizes", nil, "batch `SIZES` to compare, as in 8,16,32 (default: from half of --batch-size to four times)")
	f.StringVar(&o.memory, "memory", "", "`MB` that the training takes of a GPU: FIXED+PER_SAMPLE, as in 2000+500")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
}

// RunEstimate prints the steps that stage times lead to.
func RunEstimate(o *EstimateOptions, stdout io.Writer) error {
	w, untrained, err := o.work()
	if err != nil {
		return err
	}
	if len(o.sizes) == 0 && w.Batch > 0 {
		o.sizes = slices.Compact([]int{max(1, w.Batch/2), w.Batch, 2 * w.Batch, 4 * w.Batch})
	}
	e, err := diagnosis.NewEstimate(w, o.sizes)
	if err != nil {
		return term.Usagef("%w", err)
	}
	return term.Buffered(stdout, func(b *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(b, e)
		}
		estimatePage(b, e, untrained)
		return nil
	})
}

// work puts together what the flags and a record say. untrained: the record is of
// a run that nobody trained in, and no flag says how long a step would be.
func (o *EstimateOptions) work() (w diagnosis.Work, untrained bool, err error) {
	if o.stages == "" && o.run == "" && o.bytes == "" {
		return w, false, term.Usagef("nothing to estimate with: give --stages, --run, or --bytes and --bandwidth; see voxpack estimate --help")
	}
	if o.run != "" {
		record, err := ReadRecord(o.run)
		if err != nil {
			return w, false, err
		}
		if w, err = runs.WorkOf(record); err != nil {
			return w, false, term.Usagef("%s: %w", o.run, err)
		}
	}
	given, err := o.given()
	if err != nil {
		return w, false, err
	}
	for _, t := range given {
		w.Stages = append(slices.DeleteFunc(w.Stages, func(old diagnosis.StageTime) bool { return old.Stage == t.Stage }), t)
	}
	order := diagnosis.Stages()
	slices.SortStableFunc(w.Stages, func(a, b diagnosis.StageTime) int {
		return cmp.Compare(slices.Index(order, a.Stage), slices.Index(order, b.Stage))
	})
	if o.batch < 0 {
		return w, false, term.Usagef("--batch-size %d: want 1 or more", o.batch)
	}
	w.Batch = cmp.Or(o.batch, w.Batch)
	if o.memory != "" {
		if w.Memory.FixedMB, w.Memory.MBPerSample, err = fixedAnd(o.memory); err != nil {
			return w, false, term.Usagef("--memory: %w", err)
		}
	}
	untrained = o.run != "" && !slices.ContainsFunc(w.Stages, func(t diagnosis.StageTime) bool { return t.Stage == diagnosis.Train })
	return w, untrained, nil
}

// given are the stages that flags name, each once.
func (o *EstimateOptions) given() ([]diagnosis.StageTime, error) {
	var list []diagnosis.StageTime
	if o.stages != "" {
		var err error
		if list, err = stages(o.stages); err != nil {
			return nil, term.Usagef("--stages: %w", err)
		}
	}
	if o.bytes != "" || o.bandwidth != 0 || o.latency != 0 {
		t, err := o.link()
		if err != nil {
			return nil, term.Usagef("%w", err)
		}
		list = append(list, t)
	}
	seen := map[diagnosis.Stage]bool{}
	for _, t := range list {
		if seen[t.Stage] {
			return nil, term.Usagef("stage %s is given twice", t.Stage)
		}
		seen[t.Stage] = true
	}
	return list, nil
}

// link is the stage transfer by the link's figures.
func (o *EstimateOptions) link() (diagnosis.StageTime, error) {
	if o.bytes == "" || !(o.bandwidth > 0) || o.latency < 0 {
		return diagnosis.StageTime{}, errors.New("a link takes --bytes, a --bandwidth over 0, and a --latency that is not negative")
	}
	size, err := bytes(o.bytes)
	if err != nil {
		return diagnosis.StageTime{}, err
	}
	fixed := float64(o.latency) / float64(time.Millisecond)
	return diagnosis.StageTime{Stage: diagnosis.Transfer, MS: fixed + size/o.bandwidth/1e6, FixedMS: fixed, Workers: 1}, nil
}

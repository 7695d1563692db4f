package feedrun

import (
	"context"
	"runtime"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/internal/config"
	"voxpack/store"
)

// Options are the flags of feed; configure puts what the config says into
// those that were not given.
type Options struct {
	Where, Config string
	Version       string // the program and its version, for the run record

	Split               string
	ValSplit            float64
	TrainSplit          float64 // of the config alone
	Languages, Speakers []string
	Weights             []string      // as written, "speaker:sara=1.5"
	Corpora             []plan.Corpus // weights of the config
	Buckets             []int
	Reference           string
	MelNorm             string // stats or bands; "": none
	Segment             int
	Extra               []string
	Columns             []string          // nil: all
	said                map[string]string // by flag, the key of the config that said it, with its place

	Batch, epochs, steps int
	rank, World          int
	Seed                 uint64
	Shuffle, Tail        string

	Device, Mode       string
	dataGPU, modelGPU  int
	dataMB, modelMB    int
	Cache              string
	Prefetch, pipeline int
	fixed              bool // enhanced_gpu_prefetch: false
	onGPU              bool // prefetch_to_gpu
	pageable           bool // pin_memory: false

	Workers           int
	Checks, OnCorrupt string
	stepMS, stepFixed float64 // of a step, and the part of it that does not grow with the batch
	jitter            string
	slow              []string // as written, "fill=3"
	planted           planted

	saveCursor, resume  string
	ids, trace, record  string
	digest, json, Quiet bool

	// Mend finds what makes damaged shards of a dataset anew, where --on-corrupt is Repair,
	// and what ends that; nil: nothing does.
	Mend func(ctx context.Context, p locate.Place, d *store.Dataset) (m *gpufeed.Mender, end func())

	// Given reports whether the command line has a flag. A flag that was given
	// overrides the config, even with the default value.
	Given func(flag string) bool
}

// Repair is the value of --on-corrupt that has damaged samples made anew.
const Repair = "repair"

// AddFlags declares the flags of feed.
func (o *Options) AddFlags(f *pflag.FlagSet) {
	o.AddSelection(f)
	o.addEpochs(f)
	o.addDevices(f)
	o.addReader(f)
	o.addOutput(f)
}

// AddSelection declares the flags that choose rows, which serve has too.
func (o *Options) AddSelection(f *pflag.FlagSet) {
	f.StringVar(&o.Config, "config", "", "config `FILE` (default: voxpack.yaml of the dataset)")
	f.StringVar(&o.Split, "split", "all", "`PART` to deliver: all, train, val or test; by the metadata's split column, else by a hash of the id")
	f.Float64Var(&o.ValSplit, "val-split", 0, "`SHARE` of the rows that val has, 0 to 1; train has the rest")
	f.StringArrayVar(&o.Languages, "language", nil, "only rows of language `CODE`; may be repeated, or a list with commas")
	f.StringArrayVar(&o.Speakers, "speaker", nil, "only rows of speaker `NAME`; may be repeated, or a list with commas")
	f.StringArrayVar(&o.Weights, "weight", nil, "how often rows come in an epoch, as `GROUP=TIMES`: language:fa=2, speaker:sara=1.5 or corpus:lj=0.5; may be repeated")
	f.IntSliceVar(&o.Buckets, "buckets", nil, "static shapes in `FRAMES`, as in 400,600,800; a row comes in the first that it fits")
	f.StringVar(&o.Reference, "reference", "", "give each row a second mel, chosen by `RULE`: same-speaker")
	f.StringVar(&o.MelNorm, "mel-norm", "", "normalise mels by the dataset's statistics: stats (`RULE`), or bands, each by its own")
	f.IntVar(&o.Segment, "segment", 0, "crop each row to `N` frames, at a random place")
	f.StringSliceVar(&o.Extra, "extra", nil, "add `FIELDS` that are made when a batch is: piece_mel, attn_prior, attn_prior@SCALE or attn_prior:nemo@SCALE")
	f.StringSliceVar(&o.Columns, "columns", nil, "deliver only these `COLUMNS`, as in tokens,mel,mel_len (default: all)")
}

// addEpochs declares the flags of the plan: size, order and end.
func (o *Options) addEpochs(f *pflag.FlagSet) {
	f.IntVar(&o.Batch, "batch-size", config.Default().Feed.BatchSize, "`N` samples in a batch, over all ranks")
	f.IntVar(&o.epochs, "epochs", 1, "end after `N` epochs, a resumed one included; 0: go on until Ctrl-C")
	f.IntVar(&o.steps, "steps", 0, "end after `N` batches, in place of --epochs")
	f.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the shuffle and of all other draws")
	f.StringVar(&o.Shuffle, "shuffle", "global", "`ORDER` of an epoch: global, or none (as the shards lie)")
	f.StringVar(&o.Tail, "tail", "drop", "`RULE` for rows that fill no batch: drop, pad (a short batch) or wrap (filled up)")
	f.IntVar(&o.rank, "rank", 0, "deliver the batches of rank `R`, 0 to --world - 1")
	f.IntVar(&o.World, "world", 1, "share each batch between `W` ranks")
}

// addDevices declares the flags of the route to the GPUs. -1 is a GPU that was not
// named; openDevices chooses then.
func (o *Options) addDevices(f *pflag.FlagSet) {
	f.StringVar(&o.Device, "device", "auto", "`DEVICE` that batches go to: auto (cuda, else host), host, sim (simulated GPUs) or cuda")
	f.IntVar(&o.dataGPU, "data-gpu", -1, "`GPU` that takes the batches first (default: 0)")
	f.IntVar(&o.modelGPU, "model-gpu", -1, "`GPU` that trains (default: 1 where there is one, else 0)")
	f.StringVar(&o.Mode, "mode", "auto", "`ROUTE` to the model GPU: direct, dual (over the data GPU), or auto (dual where there are two)")
	f.IntVar(&o.dataMB, "data-gpu-memory", 0, "`MB` (1,000,000 bytes) to use of the data GPU at most; 0: what is free")
	f.IntVar(&o.modelMB, "model-gpu-memory", 0, "`MB` to use of the model GPU at most")
	f.StringVar(&o.Cache, "cache", "auto", "keep samples on the first GPU: `MODE` auto (if there are two), on or off")
	f.IntVar(&o.Prefetch, "prefetch-buffer-size", 0, "`N` batches ready on the host at the start (default: max(2, min(8, 64 // batch)))")
	for _, name := range []string{"data-gpu", "model-gpu"} {
		f.Lookup(name).DefValue = "0" // the text says it better than -1
	}
}

// addReader declares the flags of the fillers and of the simulated trainer.
func (o *Options) addReader(f *pflag.FlagSet) {
	f.IntVar(&o.Workers, "workers", 0, "fill batches with `N` goroutines (default: one for each core, at most 4)")
	f.StringVar(&o.Checks, "checksums", "first", "check each sample's bytes, `WHEN` is first (when first read), always or off")
	f.StringVar(&o.OnCorrupt, "on-corrupt", "fail", "`ACTION` on a corrupt sample: fail, skip (left out, and reported at the end), or repair (made anew from its source)")
	f.Var(stepFlag{o}, "step-ms", "simulate a trainer that holds each batch for `T` milliseconds; 10+140: 10 of them for any batch size")
	f.StringVar(&o.jitter, "jitter", "", "draw each of its steps evenly from T ± `PERCENT`, as in 20%; the draws follow --seed")
	f.Float64Var(&o.planted.link, "link", 0, "with --device sim: `GB/s` from the host to a GPU (default: 25)")
	f.StringArrayVar(&o.slow, "slow", nil, "make a stage slower, to see what that does, as `STAGE=FACTOR`: fill=3, or \"host to GPU 0=4\" with --device sim; stages have the names of the report; may be repeated")
}

// addOutput declares the files that a run writes, and what it prints.
func (o *Options) addOutput(f *pflag.FlagSet) {
	f.StringVar(&o.saveCursor, "save-cursor", "", "write the position to `FILE` at the end, also of a run that fails; with --step-ms every 5 s too")
	f.StringVar(&o.resume, "resume", "", "continue after the position in `FILE`; batch, world and dataset may differ")
	f.StringVar(&o.ids, "ids", "", "write the delivered ids to `FILE`, one a line; -: to stdout, the report to stderr")
	f.BoolVar(&o.digest, "digest", false, "hash what each epoch delivers (slower)")
	f.StringVar(&o.trace, "trace", "", "write a timeline for ui.perfetto.dev to `FILE`")
	f.StringVar(&o.record, "record", "", "keep the run record in `DIR`; none: keep none (default: runs in the store)")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "no progress, advice and notes")
}

// depth is how many batches are prepared ahead at the start.
func (o *Options) depth() int {
	if o.Prefetch > 0 {
		return o.Prefetch
	}
	return diagnosis.UsualDepth(o.Batch / max(1, o.World))
}

// fillers is how many goroutines fill batches.
func (o *Options) fillers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(4, runtime.GOMAXPROCS(0))
}

// FeedConfig is the config of a feed, devices and position apart.
func (o *Options) FeedConfig() gpufeed.Config {
	return gpufeed.Config{
		Plan: plan.Options{
			Batch: o.Batch, Rank: o.rank, World: o.World, Tail: plan.Tail(o.Tail),
			Shuffle: plan.Shuffle(o.Shuffle), Seed: o.Seed, Epochs: o.epochs, Steps: o.steps,
		},
		Segment: o.Segment, Reference: o.Reference != "", MelNorm: o.MelNorm, Columns: o.Columns, Extra: o.Extra,
		Checks: gpufeed.Checks(o.Checks), SkipCorrupt: o.OnCorrupt == "skip", Fillers: o.fillers(), Planted: o.planted.fills(),
		Depth: o.depth(), MaxDepth: o.pipeline, FixedDepth: o.fixed,
		DataCap: uint64(o.dataMB) * 1e6, ModelCap: uint64(o.modelMB) * 1e6, Cache: gpufeed.Cache(o.Cache),
	}
}

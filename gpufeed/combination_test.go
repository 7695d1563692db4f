package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"

	"voxpack/gpufeed/datatest"
	"voxpack/gpufeed/plan"
	"voxpack/store"
)

// combinationSeed is where all combinations come from: the same in every run.
const combinationSeed = 20

// combination is one way to have a dataset delivered.
type combination struct {
	number    int
	corpus    int
	selection plan.Selection
	config    Config // but for what follows from the device and the corpus
	stop      int    // batches after which the first feed is stopped; -1: there is none
	first     Config
	device    string // host, sim or cuda
	noPeer    bool
	slow      bool // copies take so long that an early use of a slot shows
	// Limits of the GPUs, in slots, and room for the cache beside those of the
	// data GPU, in bytes. 0 slots: no limit.
	dataSlots, modelSlots, room int
	hold                        float64 // part of the ring that the consumer keeps
	queued                      bool    // it releases batches after work on the device
}

// String tells all that one has to know of a combination.
func (c combination) String() string {
	text := fmt.Sprintf("combination %d: corpus %d on %s, %+v, seed %d, shuffle %q, tail %q; %s",
		c.number, c.corpus, c.device, c.selection, c.config.Plan.Seed, c.config.Plan.Shuffle, c.config.Plan.Tail, feedText(c.config))
	if c.device != "host" {
		text += fmt.Sprintf(", mode %q from %d to %d, no peer %v, slow %v, %d data and %d model slots, %d bytes for the cache %q",
			c.config.Mode, c.config.DataGPU, c.config.ModelGPU, c.noPeer, c.slow, c.dataSlots, c.modelSlots, c.room, c.config.Cache)
	}
	if c.stop >= 0 {
		text += fmt.Sprintf("; resumed after %d batches of: %s", c.stop, feedText(c.first))
	}
	return text + fmt.Sprintf("\nalone: VOXPACK_COMBINATION=%d go test ./gpufeed -run TestEveryCombination", c.number)
}

func feedText(c Config) string {
	return fmt.Sprintf("batch %d, rank %d of %d, depth %d to %d (fixed: %v) and %d, %d fillers, checks %q, segment %d, reference %v, %d epochs, %d steps",
		c.Plan.Batch, c.Plan.Rank, c.Plan.World, c.Depth, c.MaxDepth, c.FixedDepth, c.DeviceDepth, c.Fillers, c.Checks, c.Segment, c.Reference, c.Plan.Epochs, c.Plan.Steps)
}

// combine draws the n-th combination. It depends on n alone, and on how many
// corpora there are.
func combine(n int, corpora []corpus) combination {
	r := rand.New(rand.NewPCG(combinationSeed, uint64(n)))
	c := combination{number: n, corpus: r.IntN(len(corpora)), stop: -1, hold: r.Float64(), queued: r.IntN(3) == 0}
	data := corpora[c.corpus].data
	c.selection = drawSelection(r, data.schema)
	least := data.choose(c.selection).shapes[0]
	c.config = Config{Plan: plan.Options{Tail: oneOf(r, "", plan.Drop, plan.Pad, plan.Wrap), Shuffle: oneOf(r, "", plan.Global, plan.Global, plan.None), Seed: oneOf(r, 0, 1, r.Uint64())}, Mode: oneOf(r, "", Direct, Dual), DataGPU: r.IntN(2), ModelGPU: r.IntN(2), Cache: oneOf(r, "", CacheAuto, CacheOn, CacheOff)}
	if r.IntN(2) == 0 {
		c.stop, c.first = r.IntN(7), drawFeed(r, c.config, least)
	}
	c.config = drawFeed(r, c.config, least)
	c.device = oneOf(r, "host", "sim", "cuda")
	c.noPeer, c.slow = r.IntN(3) == 0, r.IntN(3) == 0
	c.dataSlots, c.modelSlots = oneOf(r, 0, 1+r.IntN(4)), oneOf(r, 0, 1+r.IntN(4))
	c.room = r.IntN(100_000)
	return c
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func drawSelection(r *rand.Rand, schema store.Schema) plan.Selection {
	s := plan.Selection{Split: oneOf(r, "", plan.All, plan.Train, plan.Val)}
	if s.Split == plan.Train || s.Split == plan.Val {
		s.Val = oneOf(r, 0.1, 0.5, 0.7)
		s.Train = oneOf(r, 0, 0.3, 1-s.Val)
	}
	var inline []string
	for _, c := range schema {
		if len(c.Shape) == 0 {
			inline = append(inline, c.Name)
		}
	}
	some := func() []int32 { return []int32{int32(r.IntN(4)) - 1, int32(r.IntN(4)) - 1, int32(r.IntN(4)) - 1} }
	if slices.Contains(inline, "language") && r.IntN(4) == 0 {
		s.Languages = some()
	}
	if slices.Contains(inline, "speaker") && r.IntN(4) == 0 {
		s.Speakers = some()
	}
	if r.IntN(3) == 0 {
		for range 1 + r.IntN(3) {
			s.Weights = append(s.Weights, plan.Weight{Column: oneOf(r, inline...), Value: int32(r.IntN(5)) - 1, Times: oneOf(r, 0, 0.5, 1.5, 3, 2*r.Float64())})
		}
	}
	if mel := schema.Index("mel"); mel >= 0 && r.IntN(2) == 0 {
		for range 1 + r.IntN(4) {
			s.Buckets = append(s.Buckets, 1+r.IntN(schema[mel].Shape[0]+1))
		}
	}
	return s
}

// drawFeed draws how a feed cuts and carries what c says is delivered, in slots
// of at least so many frames.
func drawFeed(r *rand.Rand, c Config, least int) Config {
	c.Plan.Batch = 1 + r.IntN(40)
	c.Plan.World = 1 + r.IntN(8)
	for c.Plan.Batch%c.Plan.World != 0 {
		c.Plan.World--
	}
	c.Plan.Rank = r.IntN(c.Plan.World)
	if c.Plan.World == 1 {
		c.Plan.World = r.IntN(2)
	}
	if c.Depth = r.IntN(6); c.Depth > 0 {
		c.MaxDepth = oneOf(r, 0, c.Depth, c.Depth+3)
	}
	c.FixedDepth = r.IntN(4) == 0
	c.Fillers, c.DeviceDepth = r.IntN(5), r.IntN(5)
	if least > 0 && r.IntN(4) == 0 {
		c.Segment = 1 + r.IntN(least)
	}
	c.Reference = least > 0 && r.IntN(4) == 0
	c.Checks = oneOf(r, "", ChecksFirst, ChecksAlways, ChecksOff)
	c.Plan.Epochs, c.Plan.Steps = r.IntN(4), oneOf(r, 0, 1+r.IntN(40))
	if c.Plan.Epochs == 0 && c.Plan.Steps == 0 {
		c.Plan.Epochs = 1
	}
	return c
}

// corpus is a dataset, and the same as the naive reader has it.
type corpus struct {
	dataset *store.Dataset
	data    *naiveData
}

// combinationCorpora are datasets of all kinds: from one row to ten shards,
// blocks that come mapped and such that come copied, every element type,
// columns that the product does not have yet, and no mel at all.
func combinationCorpora(t testing.TB) []corpus {
	t.Helper()
	r := rand.New(rand.NewPCG(combinationSeed, 0))
	odd := store.Schema{
		{Name: "mel_len", DType: store.Int32}, {Name: "mel", DType: store.Float16, Shape: []int{7, 5}}, {Name: "tokens", DType: store.Int16, Shape: []int{3}},
		{Name: "f0", DType: store.Float32, Shape: []int{7}}, {Name: "accents", DType: store.BFloat16, Shape: []int{9}}, {Name: "pitch", DType: store.Float32, Shape: []int{7, 2, 2}},
		{Name: "text_len", DType: store.Int32}, {Name: "accent", DType: store.Float32}, {Name: "speaker", DType: store.Int32},
	}
	bare := store.Schema{{Name: "tokens", DType: store.Int32, Shape: []int{6}}, {Name: "text_len", DType: store.Int32}}
	var list []corpus
	for _, c := range []struct {
		schema  store.Schema
		k, rows int
	}{{datatest.Schema, datatest.PerShard, 57}, {datatest.Schema, datatest.PerShard, 1}, {datatest.Schema, 16, 160}, {datatest.WideSchema, 16, 75}, {odd, 7, 93}, {bare, 3, 25}} {
		d := datatest.NewLab(t).Clips(c.k, c.schema, datatest.SomeClips(r, c.rows, c.schema))[0]
		list = append(list, corpus{d, readNaively(t, d)})
	}
	return list
}

// TestEveryCombination of what can be asked of a feed delivers, byte for byte,
// what the naive reader says.
func TestEveryCombination(t *testing.T) {
	corpora := combinationCorpora(t)
	from, to := 0, 1000
	if testing.Short() {
		to = 200
	}
	if alone := os.Getenv("VOXPACK_COMBINATION"); alone != "" {
		n, err := strconv.Atoi(alone)
		if err != nil {
			t.Fatal(err)
		}
		from, to = n, n+1
	}
	met := map[string]int{}
	for _, device := range []string{"host", "sim", "cuda"} {
		var mu sync.Mutex
		t.Run(device, func(t *testing.T) {
			lend := map[string]gpus{"host": none, "sim": simulatedGPUs}[device]
			if device == "cuda" {
				lend = fakeGPUs(t)
			}
			// Those that share a library, which counts what it has lent, run one by one.
			platforms := map[string][]combination{}
			for n := from; n < to; n++ {
				if c := combine(n, corpora); c.device == device {
					name := fmt.Sprintf("no peer %v, slow %v", c.noPeer, c.slow)
					platforms[name] = append(platforms[name], c)
				}
			}
			for name, list := range platforms {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					seen := map[string]int{device: len(list)}
					for _, c := range list {
						if err := c.inTime(t, corpora[c.corpus], lend, seen); err != nil {
							t.Fatalf("%v\n%v", err, c)
						}
					}
					mu.Lock()
					defer mu.Unlock()
					for what, n := range seen {
						met[what] += n
					}
				})
			}
		})
	}
	t.Log(met)
	if to-from > 1 && met["cuda"] > 0 {
		enough(t, met, to-from)
	}
}

// enough fails if combinations are not of all kinds.
func enough(t *testing.T, met map[string]int, n int) {
	t.Helper()
	for what, least := range map[string]int{
		"host": n / 4, "sim": n / 4, "cuda": n / 4,
		"delivered": n / 2, "refused": n / 100, "resumed": n / 5, "resumed within an epoch": n / 10,
		"from the cache": n / 20, "with a tail": n / 4, "in several buckets": n / 8, "in several epochs": n / 4,
		"repeated by a weight": n / 20, "cropped": n / 10, "beside references": n / 10,
	} {
		if met[what] < least {
			t.Errorf("%d of %d combinations are %q, want at least %d: the draw is poor", met[what], n, what, least)
		}
	}
}

// inTime is run, in virtual time where no device is real enough to need its own.
func (c combination) inTime(t *testing.T, from corpus, lend gpus, met map[string]int) (err error) {
	if c.device == "cuda" {
		return c.run(t, from, lend, met)
	}
	synctest.Test(t, func(t *testing.T) { err = c.run(t, from, lend, met) })
	return err
}

// run has the combination delivered and adds to met what it has met.
func (c combination) run(t testing.TB, from corpus, lend gpus, met map[string]int) error {
	want := from.data.choose(c.selection)
	set, err := plan.Select(from.dataset, c.selection)
	if (err == nil) != (len(want.weights) > 0) {
		return fmt.Errorf("select: %v, the naive reader has %d rows", err, len(want.weights))
	}
	if err != nil {
		met["refused"]++
		return nil
	}
	if got := set.Buckets(); !slices.Equal(got, want.shapes) {
		return fmt.Errorf("buckets = %v, want %v", got, want.shapes)
	}
	var cursor []byte
	if c.stop >= 0 {
		if cursor, err = c.deliver(t, set, want, c.first, nil, c.stop, lend, met); err != nil {
			return fmt.Errorf("first feed: %w", err)
		}
		met["resumed"]++
	}
	_, err = c.deliver(t, set, want, c.config, cursor, -1, lend, met)
	return err
}

// deliver compares what a feed delivers, at most so many batches if most is not
// negative, with what it should, and returns its cursor in JSON. Where already
// the first epoch has no batch there is no cursor.
func (c combination) deliver(t testing.TB, set *plan.Set, from *naiveSet, config Config, resume []byte, most int, lend gpus, met map[string]int) (cursor []byte, err error) {
	run := from.run(t, config, resume)
	c.count(config, run, resume, met)
	if resume != nil {
		at, err := plan.ParseCursor(resume)
		if err != nil {
			return nil, err
		}
		config.Plan.Resume = &at
	}
	config = c.limit(config, from)
	var ended func() error
	config.Driver, ended = lend(c)
	f, err := Open(context.Background(), set, config)
	if err != nil {
		if run.empty && len(run.batches) == 0 && errors.Is(err, plan.ErrNoBatch) {
			err = nil
		}
		return nil, errors.Join(err, ended())
	}
	defer f.Close()
	u, err := newConsumer(f, config, from, run, int(c.hold*float64(f.route.last.size())))
	if err != nil {
		return nil, err
	}
	for more := true; more && u.n != most; {
		if more, err = u.next(c.queued && u.n%2 == 0); err != nil {
			return nil, fmt.Errorf("batch %d of %d: %w", u.n, len(run.batches), err)
		}
	}
	if cursor, err = u.end(); err != nil {
		return nil, err
	}
	if f.Stats().CacheBytes > 0 && u.twice {
		met["from the cache"]++
	}
	return cursor, errors.Join(f.Close(), ended())
}

// limit sets the limits of the GPUs, which follow from the size of a slot.
func (c combination) limit(config Config, from *naiveSet) Config {
	_, bytes := from.slot(config, from.data.frames())
	slot := uint64(bytes+4095) / 4096 * 4096
	if c.modelSlots > 0 {
		config.ModelCap = uint64(c.modelSlots) * slot
	}
	if c.dataSlots > 0 {
		config.DataCap = uint64(c.dataSlots)*slot + uint64(c.room)
	}
	return config
}

// count adds to met what a feed is to meet.
func (c combination) count(config Config, run naiveRun, resume []byte, met map[string]int) {
	note := func(what string, is bool) {
		if is {
			met[what]++
		}
	}
	buckets, seen, epochs := map[int]bool{}, map[string]bool{}, map[uint64]bool{}
	tail, again := false, false
	for _, b := range run.batches {
		buckets[b.bucket], epochs[b.epoch] = true, true
		tail = tail || b.fresh < config.Plan.Batch
		for _, row := range b.rows {
			name := fmt.Sprint(b.epoch, row.id)
			again = again || seen[name] && config.Plan.Tail != plan.Wrap
			seen[name] = true
		}
	}
	note("delivered", len(run.batches) > 0)
	note("in several buckets", len(buckets) > 1)
	note("in several epochs", len(epochs) > 1)
	note("with a tail", tail)
	note("cropped", c.config.Segment > 0 && len(run.batches) > 0)
	note("beside references", c.config.Reference && len(run.batches) > 0)
	note("repeated by a weight", again)
	note("resumed within an epoch", resume != nil && run.start.Samples > 0 && len(run.batches) > 0 && run.batches[0].epoch == run.start.Epoch)
}

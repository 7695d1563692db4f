package gpufeed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"voxpack/diagnosis"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/extra"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/stats"
	"voxpack/internal/perf"
	"voxpack/store"
)

// Config says how a set is delivered. The zero value of a field is its default.
type Config struct {
	Plan plan.Options // which batches, and in which order

	Segment   int  // crop what runs along the frames to this many; 0: do not
	Reference bool // another mel of the row's speaker beside each

	// MelNorm has mels normalised by the statistics of the dataset: stats.ByColumn or
	// stats.ByBand; "" leaves them as they are stored. Statistics has these at hand;
	// nil: the store has.
	MelNorm    string
	Statistics func(ctx context.Context) (*stats.Stats, error)
	norm       *stats.Norm // Open finds it

	Columns []string // the fields that batches have, see Form.Columns; nil: all
	Extra   []string // further fields, see package extra
	pieces  map[string]*extra.Piece

	Checks      Checks  // "" is ChecksFirst
	SkipCorrupt bool    // leave corrupt samples out and count them, in place of ending
	Mender      *Mender // makes corrupt samples anew, before they count as such; nil: nobody does
	Fillers     int     // goroutines; 0: one for each core, at most 4

	// Depth is how many batches are prepared ahead on the host, besides the
	// one that the consumer has: 0 is max(2, min(8, 64/samples)). It moves
	// between that and MaxDepth, 0 being twice as many, unless FixedDepth.
	Depth      int
	MaxDepth   int
	FixedDepth bool

	// Shared lets another process have the batches: host memory, which it maps,
	// see Feed.Memory, or that of the model GPU, see Feed.Export. All of the
	// host's is touched by Open: a lack of it is an error there.
	Shared bool

	// Driver moves batches to GPUs; nil leaves them on the host. The feed does
	// not close it.
	Driver      driver.Driver
	Mode        Mode   // "" is Dual for two different GPUs, else Direct
	DataGPU     int    // ordinal, with Dual
	ModelGPU    int    // ordinal
	DataCap     uint64 // bytes of device memory to use at most; 0: what is free
	ModelCap    uint64
	DeviceDepth int   // batches on each GPU; 0 is 3: one copied, one ready, one in use
	Cache       Cache // "" is CacheAuto
	// CacheShare is the part of what a GPU could give that the cache takes at most
	// where no cap says otherwise; 0: all of it.
	CacheShare float64

	// Planted says how much longer a fill is to take, and counts as its work: a
	// bottleneck that somebody put there to see what it does. nil: none.
	Planted func(Fill) time.Duration

	CopyTimeout time.Duration // a copy that takes longer is lost; 0: 10 s
	WaitTimeout time.Duration // Next gives up; 0: 60 s

	Trace *perf.Trace // takes the timeline; nil: none
}

// Fill is a batch that a filler has done.
type Fill struct {
	Filler int // from 1
	Seq    uint64
	Bytes  int64 // written
	Took   time.Duration
}

// Mode is the way of a batch to the GPU that trains.
type Mode string

// The modes.
const (
	Direct Mode = "direct" // host, model GPU
	Dual   Mode = "dual"   // host, data GPU, model GPU
)

// Cache says whether samples stay on the GPU that they reach first.
type Cache string

// The cache tier's settings.
const (
	CacheAuto Cache = "auto" // on the data GPU, in Dual mode
	CacheOn   Cache = "on"   // in Direct mode too, where it takes the trainer's memory
	CacheOff  Cache = "off"
)

// MaxDepth is the most batches that may be prepared ahead: more is a slip of the
// keyboard, or an attack.
const MaxDepth = 4096

// fillers is the default of Config.Fillers. A filler with nothing to do costs
// nothing.
func fillers() int { return min(4, runtime.GOMAXPROCS(0)) }

func (c Config) normal() Config {
	c.Plan = c.Plan.Normal()
	if c.Checks == "" {
		c.Checks = ChecksFirst
	}
	if c.Fillers == 0 {
		c.Fillers = fillers()
	}
	if c.Depth == 0 && c.Plan.Batch > 0 && c.Plan.World > 0 {
		c.Depth = diagnosis.UsualDepth(c.Plan.Share())
	}
	if c.MaxDepth == 0 {
		c.MaxDepth = diagnosis.UsualMost(c.Depth)
	}
	if c.FixedDepth {
		c.MaxDepth = c.Depth
	}
	if c.Mode == "" {
		c.Mode = Direct
		if c.DataGPU != c.ModelGPU {
			c.Mode = Dual
		}
	}
	if c.DeviceDepth == 0 {
		c.DeviceDepth = 3
	}
	if c.Cache == "" {
		c.Cache = CacheAuto
	}
	if c.CopyTimeout == 0 {
		c.CopyTimeout = 10 * time.Second
	}
	if c.WaitTimeout == 0 {
		c.WaitTimeout = time.Minute
	}
	return c
}

// check lists everything wrong with a normal config.
func (c Config) check() error {
	var errs []error
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	if err := c.Plan.Check(); err != nil {
		errs = append(errs, err)
	}
	bad(c.Fillers < 1, "%d fillers: want at least 1", c.Fillers)
	bad(c.Depth < 1 || c.Depth > MaxDepth, "prefetch buffer of %d batches: want 1 to %d", c.Depth, MaxDepth)
	bad(c.MaxDepth < c.Depth, "a ring that may grow to %d batches begins with %d", c.MaxDepth, c.Depth)
	bad(c.MaxDepth > 2*MaxDepth, "a ring that may grow to %d batches: want at most %d", c.MaxDepth, 2*MaxDepth)
	bad(c.DeviceDepth < 1 || c.DeviceDepth > MaxDepth, "%d batches on a GPU: want 1 to %d", c.DeviceDepth, MaxDepth)
	bad(c.Mode != Direct && c.Mode != Dual, "mode %q: want direct or dual", c.Mode)
	bad(c.Cache != CacheAuto && c.Cache != CacheOn && c.Cache != CacheOff, "cache %q: want auto, on or off", c.Cache)
	bad(!(c.CacheShare >= 0 && c.CacheShare <= 1), "a cache share of %v: want 0 to 1", c.CacheShare)
	bad(c.CopyTimeout < 0 || c.WaitTimeout < 0, "a timeout below 0")
	return errors.Join(errs...)
}

// findNorm finds how the mels of a set are normalised, if they are.
func (c *Config) findNorm(ctx context.Context, set *plan.Set) error {
	if c.MelNorm == "" {
		return nil
	}
	d := set.Dataset()
	at := d.Root.Schema.Index(normed)
	if at < 0 || plan.LengthOf(d.Root.Schema, d.Root.Schema[at]) != plan.FramesColumn {
		return plan.Invalid(fmt.Errorf("mel_norm: the dataset has no columns %s and %s", normed, plan.FramesColumn))
	}
	know := c.Statistics
	if know == nil {
		know = func(ctx context.Context) (*stats.Stats, error) { return stats.Kept(ctx, d) }
	}
	s, err := know(ctx)
	if err != nil {
		return err
	}
	if c.norm, err = s.Norm(c.MelNorm, d.Root.Schema[at]); err != nil {
		return plan.Invalid(fmt.Errorf("mel_norm: %w", err))
	}
	return nil
}

// findPieces finds how the mels are made that pieces are asked of.
func (c *Config) findPieces(root *store.Root) error {
	for _, word := range c.Extra {
		e, err := extra.Parse(word)
		if err == nil && e.Of == "" {
			continue
		}
		var p *extra.Piece
		if err == nil {
			p, err = extra.NewPiece(root, e.Of, c.Segment)
		}
		if err != nil {
			return plan.Invalid(fmt.Errorf("extra: %w", err))
		}
		if c.pieces == nil {
			c.pieces = map[string]*extra.Piece{}
		}
		c.pieces[e.Of] = p
	}
	return nil
}

// form is the form of the batches of a bucket.
func (c Config) form(frames int) Form {
	return Form{Frames: frames, Segment: c.Segment, Reference: c.Reference, Columns: c.Columns, Extra: c.Extra, norm: c.norm, pieces: c.pieces}
}

// caches reports whether samples are to stay on the first GPU.
func (c Config) caches() bool {
	return c.Driver != nil && (c.Cache == CacheOn || c.Cache == CacheAuto && c.Mode == Dual)
}

package feedrun

import (
	"fmt"
	"runtime"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/store"
)

// maxAdvice is how many lines of advice a run begins with: those of the first
// rules of the table that apply.
const maxAdvice = 3

// situation is what can be known of a run before anything is measured.
type situation struct {
	batch, share   int // samples: over all ranks, of this one
	rows           int // of the selection
	buckets        int
	tail, shuffle  string
	epochs         int // 0: without end
	fillers, cores int
	depth          int
	checks         string
	batchBytes     uint64 // of a rank's batch in the largest shape
	device         bool   // batches go to a GPU
	gpus           int
	twoAsked       bool // two GPUs are asked for
	dual, same     bool // batches go over a data GPU; which is the model GPU
	dataCap        uint64
	modelCap       uint64
	dataMemory     uint64 // of the GPU; 0: not known
	modelMemory    uint64
	deviceDepth    int
}

// advice is a line for the user, by the rule that gave it.
type advice struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// adviceRules need no measurement. Their order is their rank: a run shows the
// first maxAdvice of those that apply. text is "" where a rule does not apply, and
// names the setting to change where it does.
var adviceRules = []struct {
	id   string
	text func(s situation) string
}{
	{"gpu-memory-small", func(s situation) string {
		if s.dual && tooSmall(s.dataCap, s) {
			return smallCap("data", s.dataCap, s)
		}
		if s.device && tooSmall(s.modelCap, s) {
			return smallCap("model", s.modelCap, s)
		}
		return ""
	}},
	{"gpu-memory-large", func(s situation) string {
		switch {
		// 0 is a GPU whose memory is not known; nothing is said of it.
		case s.dual && s.dataMemory > 0 && s.dataCap > s.dataMemory:
			return largeCap("data", s.dataCap, s.dataMemory)
		case s.device && s.modelMemory > 0 && s.modelCap > s.modelMemory:
			return largeCap("model", s.modelCap, s.modelMemory)
		}
		return ""
	}},
	{"one-gpu", func(s situation) string {
		switch {
		case s.dual && s.same:
			return "data GPU and model GPU are the same: each batch is copied once more for nothing; take --mode direct, and --cache on for what a data GPU would keep"
		case s.twoAsked && s.gpus == 1:
			return "data_gpu and model_gpu are two, and there is one GPU: batches go straight to it; what a data GPU would keep, --cache on keeps beside the model"
		}
		return ""
	}},
	{"batch-over-rows", func(s situation) string {
		switch {
		case s.batch <= s.rows:
			return ""
		case s.tail == "wrap":
			return fmt.Sprintf("a batch has %d samples and the selection %s, so that rows come several times in each; take --batch-size %d or less", s.batch, term.Count(s.rows, "row"), s.rows)
		}
		return fmt.Sprintf("a batch has %d samples and the selection %s: the rest of it is empty; take --batch-size %d or less", s.batch, term.Count(s.rows, "row"), s.rows)
	}},
	{"tail", func(s situation) string {
		// Only for a drop that is large: with buckets each bucket has a tail of its
		// own, so that this remainder is not what is left out.
		left := s.rows % s.batch
		if s.tail != "drop" || s.buckets > 1 || s.rows < s.batch || left*tailPart <= s.rows {
			return ""
		}
		return fmt.Sprintf("each epoch leaves out %d of %s (--tail drop); --tail pad or wrap delivers them, and so may another --batch-size", left, term.Count(s.rows, "row"))
	}},
	{"workers", func(s situation) string {
		if s.fillers <= s.cores {
			return ""
		}
		return fmt.Sprintf("%d workers share %s and wait for each other; take --workers %d or less", s.fillers, term.Count(s.cores, "core"), s.cores)
	}},
	{"prefetch-large", func(s situation) string {
		rule := depthRule(s.share)
		if s.depth <= 4*rule {
			return ""
		}
		return fmt.Sprintf("%d batches ahead take %s of memory and delay nothing but the end; %d are the rule for batches of %d (--prefetch-buffer-size), and the ring grows where that is not enough",
			s.depth, term.Size(int64(s.depth)*int64(s.batchBytes)), rule, s.share)
	}},
	{"same-order", func(s situation) string {
		// A single epoch repeats no order.
		if s.shuffle != "none" || s.epochs == 1 {
			return ""
		}
		return "--shuffle none gives every epoch the same order; train with --shuffle global"
	}},
	{"checksums-off", func(s situation) string {
		if s.checks != "off" {
			return ""
		}
		return "with --checksums off a damaged sample reaches the trainer; --checksums first costs one look at each sample in the whole run"
	}},
	{"checksums-always", func(s situation) string {
		if s.checks != "always" || s.epochs == 1 {
			return ""
		}
		return "--checksums always reads every sample twice in every epoch; --checksums first does so in the first alone"
	}},
}

// tailPart: a tail of more than 1/tailPart of the rows is worth a line.
const tailPart = 20

// tooSmall reports whether a limit holds fewer batches than the feed keeps on the
// device. A limit of 0 is none.
func tooSmall(limit uint64, s situation) bool {
	return limit > 0 && limit < uint64(s.deviceDepth)*s.batchBytes
}

func smallCap(role string, limit uint64, s situation) string {
	// The flag takes whole MB of 1,000,000 bytes, so the size is rounded up.
	want := uint64(s.deviceDepth) * s.batchBytes
	return fmt.Sprintf("%s of the %s GPU hold %d of %d batches of %s; give --%s-gpu-memory %d, or take a smaller --batch-size",
		term.Size(int64(limit)), role, limit/s.batchBytes, s.deviceDepth, term.Size(int64(s.batchBytes)), role, (want+1e6-1)/1e6)
}

// largeCap is for a limit over the memory of the GPU, which limits nothing.
func largeCap(role string, limit, memory uint64) string {
	return fmt.Sprintf("--%s-gpu-memory allows %s, the GPU has %s: the feed takes what is free, and a trainer beside it may find none; lower it", role, term.Size(int64(limit)), term.Size(int64(memory)))
}

// advise says what is known at the start, and what the feed itself noted.
func (r *run) advise() {
	s := r.situation()
	for _, rule := range adviceRules {
		if text := rule.text(s); text != "" && len(r.said.advice) < maxAdvice {
			r.said.advice = append(r.said.advice, advice{rule.id, text})
		}
	}
	r.said.notes = append(r.said.notes, r.feed.Notes()...)
	// A cursor holds in another build of the dataset; what that means for the
	// rest of the epoch has to be said.
	if c := r.config.Plan.Resume; c != nil && c.Root != r.set.Dataset().Snapshot.Root.String() {
		r.said.notes = append(r.said.notes, "the dataset was built again since the cursor was saved: rows that were not delivered come, new ones in places already passed wait for the next epoch")
	}
	r.said.open()
}

// situation collects what the rules look at. twoAsked looks at what the user named,
// where -1 is a GPU that neither flag nor config names; dual is what the feed makes
// of it: without a mode, two different GPUs are dual.
func (r *run) situation() situation {
	o, c := r.options, r.config
	s := situation{
		batch: o.Batch, share: c.Plan.Share(), rows: r.set.Selected(), buckets: len(r.set.Buckets()), tail: o.Tail, shuffle: o.Shuffle,
		epochs: o.epochs, fillers: o.fillers(), cores: runtime.NumCPU(), depth: o.depth(), checks: o.Checks,
		batchBytes: batchBytes(r.set.Dataset().Root.Schema, c), device: c.Driver != nil, gpus: len(r.gpus),
		twoAsked: o.dataGPU >= 0 && o.modelGPU >= 0 && o.dataGPU != o.modelGPU,
		dual:     c.Driver != nil && (c.Mode == gpufeed.Dual || c.Mode == "" && c.DataGPU != c.ModelGPU), same: c.DataGPU == c.ModelGPU, dataCap: c.DataCap, modelCap: c.ModelCap, deviceDepth: max(3, c.DeviceDepth),
	}
	if s.device {
		s.dataMemory, s.modelMemory = r.gpus[c.DataGPU].memory, r.gpus[c.ModelGPU].memory
	}
	return s
}

// batchBytes is a rank's batch in the largest shape.
func batchBytes(schema store.Schema, c gpufeed.Config) uint64 {
	l, err := gpufeed.NewLayout(schema, c.Plan.Share(), gpufeed.Form{Segment: c.Segment, Reference: c.Reference})
	if err != nil {
		return 0 // the feed is open: it made the same layout
	}
	return uint64(l.Bytes)
}

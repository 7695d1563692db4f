package feedrun

import (
	"slices"

	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/serve"
)

// ServedSetup is what a session of a feeder was started with.
func ServedSetup(s serve.Session, cores int) *diagnosis.Setup {
	return &diagnosis.Setup{
		Batch: s.Batch, Share: s.Samples, Rows: s.Setup.Rows, Buckets: s.Setup.Buckets, Tail: s.Setup.Tail, Shuffle: s.Setup.Shuffle,
		Epochs: s.Setup.Epochs, Fillers: len(s.Fillers), Cores: cores, Depth: s.Setup.Depth, Usual: diagnosis.UsualDepth(s.Samples),
		Checks: s.Setup.Checks, BatchBytes: uint64(max(0, s.Setup.BatchBytes)), Device: s.GPU != nil, Dual: s.Setup.Dual,
	}
}

// ServedStats are the figures of a session as those of a feed, whose last stage only
// publishes. How long the trainer keeps a batch is left out: a batch that is ready
// lies in the ring until the trainer wants it.
func ServedStats(s serve.Session) gpufeed.Stats {
	stats := gpufeed.Stats{Stages: slices.Clone(s.Stages), Depth: s.Setup.Depth, MaxDepth: s.Setup.Depth, Slots: s.Slots, Real: s.Real, Staged: s.Staged}
	for _, f := range s.Fillers {
		stats.Fillers = append(stats.Fillers, gpufeed.FillerStats{Batches: f.Batches, MeanMS: f.MeanMS})
	}
	return stats
}

// KnowsServed reports whether the stages of a session are known: fill, at most two
// copies, and who publishes. A feeder of another version may say something else.
func KnowsServed(s serve.Session) bool {
	return len(s.Stages) >= 2 && len(s.Stages) <= 4 && len(s.Fillers) > 0 && s.Setup.Depth > 0
}

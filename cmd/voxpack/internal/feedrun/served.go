package feedrun

import (
	"voxpack/diagnosis"
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

// KnowsServed reports whether the stages of a session are known: fill, at most two
// copies, and who publishes. A feeder of another version may say something else.
func KnowsServed(s serve.Session) bool {
	return len(s.Stages) >= 2 && len(s.Stages) <= 4 && len(s.Fillers) > 0 && s.Setup.Depth > 0
}

package feedrun

import (
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/store"
)

// maxAdvice is how many lines of advice a run begins with: the first that are
// found.
const maxAdvice = 3

// advice is a line for the user, by the rule that gave it.
type advice struct {
	Rule string `json:"rule"`
	Text string `json:"text"`
}

// advise says what is known at the start, and what the feed itself noted.
func (r *run) advise() {
	found := diagnosis.Find(diagnosis.Observation{Setup: r.setup()})
	for _, v := range found[:min(len(found), maxAdvice)] {
		r.said.advice = append(r.said.advice, advice{v.Rule, v.Text()})
	}
	r.said.notes = append(r.said.notes, r.feed.Notes()...)
	// A cursor holds in another build of the dataset; what that means for the
	// rest of the epoch has to be said.
	if c := r.config.Plan.Resume; c != nil && c.Root != r.set.Dataset().Snapshot.Root.String() {
		r.said.notes = append(r.said.notes, "the dataset was built again since the cursor was saved: rows that were not delivered come, new ones in places already passed wait for the next epoch")
	}
	r.said.open()
}

// setup collects what the rules look at. TwoAsked looks at what the user named,
// where -1 is a GPU that neither flag nor config names; Dual is what the feed makes
// of it: without a mode, two different GPUs are dual.
func (r *run) setup() *diagnosis.Setup {
	o, c := r.options, r.config
	s := &diagnosis.Setup{
		Batch: o.Batch, Share: c.Plan.Share(), Rows: r.set.Selected(), Buckets: len(r.set.Buckets()), Tail: o.Tail, Shuffle: o.Shuffle,
		Epochs: o.epochs, Fillers: o.fillers(), Cores: r.cores(), Depth: o.depth(), Usual: diagnosis.UsualDepth(c.Plan.Share()), Checks: o.Checks,
		BatchBytes: batchBytes(r.set.Dataset().Root.Schema, c), Device: c.Driver != nil, GPUs: len(r.gpus),
		TwoAsked: o.dataGPU >= 0 && o.modelGPU >= 0 && o.dataGPU != o.modelGPU,
		Dual:     c.Driver != nil && (c.Mode == gpufeed.Dual || c.Mode == "" && c.DataGPU != c.ModelGPU), Same: c.DataGPU == c.ModelGPU,
		DataCap: c.DataCap, ModelCap: c.ModelCap, DeviceDepth: max(3, c.DeviceDepth),
	}
	if s.Device {
		s.DataMemory, s.ModelMemory = r.gpus[c.DataGPU], r.gpus[c.ModelGPU]
	}
	return s
}

// batchBytes is a rank's batch in the largest shape.
func batchBytes(schema store.Schema, c gpufeed.Config) uint64 {
	l, err := gpufeed.NewLayout(schema, c.Plan.Share(), gpufeed.Form{Segment: c.Segment, Reference: c.Reference, Columns: c.Columns, Extra: c.Extra})
	if err != nil {
		return 0 // the feed is open: it made the same layout
	}
	return uint64(l.Bytes)
}

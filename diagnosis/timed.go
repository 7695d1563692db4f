package diagnosis

import "slices"

// worth is the least gain that rules of measured runs speak of: less is lost in
// what runs vary by.
const worth = 0.05

// timed is a check of rules that look at a training whose stages a run measured.
func timed(check func(Observation, Work) (Verdict, bool)) check {
	return func(o Observation) (Verdict, bool) {
		if !o.timed() {
			return Verdict{}, false
		}
		return check(o, *o.Work)
	}
}

// timed reports whether a run measured a training's stages.
func (o Observation) timed() bool { return o.Steps != nil && o.Work != nil && o.Work.has(Train) }

// brings is the gain of a change, where all stages work beside each other.
func (w Work) brings(after Work) float64 {
	_, now := w.longest()
	_, then := after.longest()
	if now == 0 {
		return 0
	}
	return 1 - then/now
}

// stage is a stage's time, the zero one where there is none.
func (w Work) stage(stage Stage) StageTime {
	for _, t := range w.Stages {
		if t.Stage == stage {
			return t
		}
	}
	return StageTime{Stage: stage, Workers: 1}
}

// late reports whether the GPU that trains waits for a stage, or would as soon
// as what is slower still is cured.
func (w Work) late(stage Stage) bool {
	return w.stage(stage).period()*(1-worth) > w.stage(Train).period()
}

// slow reports whether a stage makes the GPU that trains wait because it moves
// fewer bytes a second than it should, and the gain of moving them at the least
// rate. Both rates are GB/s; a rate of 0 is not known.
func (w Work) slow(stage Stage, rate, least float64) (part float64, slow bool) {
	if rate <= 0 || rate >= least || !w.late(stage) {
		return 0, false
	}
	return w.brings(w.faster(stage, rate/least)), true
}

// idle is the part of the steps in which not even the longest stage worked: no
// stage is too slow, and they wait for each other.
func (w Work) idle(s *Steps) float64 {
	_, most := w.longest()
	if s.Mean <= 0 {
		return 0
	}
	return max(0, 1-most/s.Mean)
}

// limits are the rules that say why the GPU that trains waits.
var limits = []Rule{
	workersFewRule, ringSmallRule, coldCacheRule, slowDiskRule, slowFillRule, slowLinkRule, slowPeerRule, paddingRule, melDTypeRule, boundRule, peerRule,
	gpuMemorySmallRule, slowWorkerRule, keptRule, noOverlapRule,
}

// limited reports whether one of them found something.
func (o Observation) limited() bool {
	return o.timed() && (explained(o, limits...) || o.swaps() || o.rechecks(*o.Work) > 0)
}

// explained reports whether one of the rules found something.
func explained(o Observation, by ...Rule) bool {
	return slices.ContainsFunc(by, func(r Rule) bool {
		_, found := r.check(o)
		return found
	})
}

// after is for a cause: what limits once the others are cured brings nothing
// before.
func after(gain float64) string {
	if gain < worth {
		return ", as soon as the longest stage is shorter"
	}
	return ""
}

package diagnosis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// TestPhasesAddUpToTheStep: by definition, whatever steps were made of.
func TestPhasesAddUpToTheStep(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		var m PhaseMeter
		var total time.Duration
		for range 1 + n {
			part := func() time.Duration { return time.Duration(random.Int64N(int64(time.Second))) }
			load, transfer, train, rest := part(), part()/100, part(), part()/7
			m.Step(load+transfer+train+rest, load, transfer, train)
			total += load + transfer + train + rest
		}
		p := m.Phases()
		sum, shares := 0.0, 0.0
		for _, time := range p.Times {
			sum, shares = sum+time.MeanMS, shares+time.Share
		}
		want := total.Seconds() * 1000 / float64(1+n)
		if math.Abs(p.StepMS-want) > 1e-9*want || math.Abs(sum-want) > 1e-9*want || math.Abs(shares-1) > 1e-9 {
			t.Fatalf("%d steps of %v ms: phases of %v ms, shares of %v; want the step, and 1", 1+n, want, sum, shares)
		}
	}
}

func TestMeanAndDeviationOfPhases(t *testing.T) {
	var m PhaseMeter
	for _, ms := range []time.Duration{10, 20, 60} { // mean 30; deviations -20, -10, 30
		m.Step((ms+100)*time.Millisecond, ms*time.Millisecond, 0, 100*time.Millisecond)
	}
	p := m.Phases()
	if got, want := p.Times[0], math.Sqrt(1400./3); math.Abs(got.MeanMS-30) > 1e-9 || math.Abs(got.StdMS-want) > 1e-9 || math.Abs(got.Share-30./130) > 1e-9 {
		t.Errorf("load %+v, want 30 ± %v ms", got, want)
	}
	if got := p.Times[3]; math.Abs(got.MeanMS-100) > 1e-9 || got.StdMS > 1e-9 || p.Of(TrainPhase) != got.Share || p.Of(GapsPhase) > 1e-9 {
		t.Errorf("train %+v, want 100 ± 0 ms and no gaps", got)
	}
	if p := new(PhaseMeter).Phases(); p.StepMS != 0 || p.Of(LoadPhase) != 0 || len(p.Times) != 5 {
		t.Errorf("of no step: %+v", p)
	}
}

// sharesOf are phases of a step of 100 ms.
func sharesOf(load, transfer, train float64) *Phases {
	return &Phases{StepMS: 100, Times: []PhaseTime{{LoadPhase, load, 0, load / 100}, {TransferPhase, transfer, 0, transfer / 100},
		{TrainPhase, train, 0, train / 100}, {GapsPhase, 100 - load - transfer - train, 0, (100 - load - transfer - train) / 100}}}
}

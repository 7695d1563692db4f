package runs

import "math"

// betweenRuns is what one run may differ from the next by nothing, as a part of
// its figures, where nobody repeated any: the steps of eight equal runs of a feed
// with a trainer of 5 ms deviated by 8 % (2 cores with a load of 15, 2026-11-23).
// A quiet machine does better, which repeated runs show.
const betweenRuns = 0.10

// quantiles of Student's t for 97.5 %, by degrees of freedom from 1. From 30 on
// the normal distribution's is near enough.
var quantiles = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
	2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045}

// quantile is rounded to the side of doubt: to fewer degrees of freedom.
func quantile(freedom float64) float64 {
	n := int(freedom)
	switch {
	case n < 1:
		return quantiles[0]
	case n > len(quantiles):
		return 1.96
	}
	return quantiles[n-1]
}

// noise is the difference of two groups' means that says nothing, in the unit of
// the metric: half of Welch's interval of 95 %. Where one side has a single run,
// the other's deviation stands for it. repeated: false where neither has more.
func noise(a, b []Figures, m Metric) (half float64, repeated bool) {
	varA, varB := variance(a, m.Name), variance(b, m.Name)
	nA, nB := float64(len(a)), float64(len(b))
	switch {
	case len(a) < 2 && len(b) < 2:
		return alone(a[0], b[0], m), false
	case len(a) < 2:
		return quantile(nB-1) * math.Sqrt(varB*(1+1/nB)), true
	case len(b) < 2:
		return quantile(nA-1) * math.Sqrt(varA*(1+1/nA)), true
	}
	errA, errB := varA/nA, varB/nB
	if errA+errB == 0 {
		return 0, true
	}
	freedom := (errA + errB) * (errA + errB) / (errA*errA/(nA-1) + errB*errB/(nB-1))
	return quantile(freedom) * math.Sqrt(errA+errB), true
}

// variance of a metric over the runs of a group.
func variance(group []Figures, name string) float64 {
	if len(group) < 2 {
		return 0
	}
	m, _ := mean(group, name)
	sum := 0.0
	for _, run := range group {
		d := run.Values[name] - m
		sum += d * d
	}
	return sum / float64(len(group)-1)
}

// fewPoints is the least that figures in percent differ by from run to run: parts
// of parts that are near 0 say nothing.
const fewPoints = 2

// alone is the noise of two single runs: what runs differ by, or what the steps
// within them leave open, if that is more.
func alone(a, b Figures, m Metric) float64 {
	most := max(a.Values[m.Name], b.Values[m.Name])
	half := betweenRuns * most
	switch {
	case m.Unit == "%":
		half = max(half, fewPoints)
	case m.Name == MetricStep || m.Name == MetricSamples: // of which one is the other's inverse
		half = max(half, 1.96*math.Hypot(a.stepError(), b.stepError())*most)
	}
	return half
}

// stepError is the standard error of the mean step, as a part of it.
func (m Figures) stepError() float64 {
	step := m.Values[MetricStep]
	if step < leastValue || m.Steps < 1 {
		return 0
	}
	return m.StepStd / step / math.Sqrt(float64(m.Steps))
}

package runs

import (
	"fmt"
	"slices"

	"voxpack/diagnosis"
)

// The metrics by which runs are compared, but for those of GPUs.
const (
	MetricStep      = "step"
	MetricSamples   = "samples"
	MetricStall     = "stall"
	MetricVariation = "variation"
	MetricTotal     = "total"
	MetricLoad      = "load"
	MetricTransfer  = "transfer"
	MetricTrain     = "train"
	MetricFeederCPU = "feeder CPU"
	MetricHostCPU   = "host CPU"
	MetricSwapped   = "swapped"
	MetricGrowth    = "growth" // of memory, in 1,000 steps
)

// phaseMetrics are the phases of a profile that runs are compared by.
var phaseMetrics = map[diagnosis.Phase]string{
	diagnosis.LoadPhase: MetricLoad, diagnosis.TransferPhase: MetricTransfer, diagnosis.TrainPhase: MetricTrain,
}

// Metric is something that runs are compared by.
type Metric struct {
	Name string `json:"name"`
	Unit string `json:"unit"` // "ms", "samples/s", "%", "s", "MB", "MB/s"
	// Better is "lower" or "higher", and "" where neither is.
	Better string `json:"better"`
}

// metrics are those that every run may have, in the order in which they are shown.
var metrics = []Metric{
	{MetricStep, "ms", "lower"},
	{MetricSamples, "samples/s", "higher"},
	{MetricStall, "%", "lower"},
	{MetricVariation, "%", "lower"},
	{MetricLoad, "%", "lower"},
	{MetricTransfer, "%", "lower"},
	{MetricTrain, "%", "higher"},
	{MetricTotal, "s", ""}, // runs may be of different length
	{MetricFeederCPU, "%", "lower"},
	{MetricHostCPU, "%", "lower"},
	{MetricSwapped, "MB/s", "lower"},
	{MetricGrowth, "MB", "lower"},
}

func utilisation(gpu int) string { return fmt.Sprintf("GPU %d busy", gpu) }
func memory(gpu int) string      { return fmt.Sprintf("GPU %d memory", gpu) }

// metricsOf are the metrics that any of the runs has.
func metricsOf(groups [][]Figures) []Metric {
	all := slices.Clone(metrics)
	for gpu := range mostGPUs {
		all = append(all, Metric{utilisation(gpu), "%", "higher"}, Metric{memory(gpu), "MB", ""})
	}
	return slices.DeleteFunc(all, func(m Metric) bool {
		return !slices.ContainsFunc(groups, func(g []Figures) bool { _, ok := mean(g, m.Name); return ok })
	})
}

// mean is that of a metric over the runs of a group; false where one of them did
// not measure it.
func mean(group []Figures, name string) (float64, bool) {
	sum := 0.0
	for _, m := range group {
		v, ok := m.Values[name]
		if !ok {
			return 0, false
		}
		sum += v
	}
	return sum / float64(len(group)), len(group) > 0
}

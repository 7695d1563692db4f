package runs

import (
	"encoding/json"
	"fmt"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// Figures are what one run measured, by the names of metrics. A metric that the
// run did not measure is not there.
type Figures struct {
	Kind     string
	Version  string
	Host     perf.Host
	Settings map[string]any
	Values   map[string]float64
	Roles    map[int]string // of GPUs: "data", "model"
	StepStd  float64        // ms, within the run
	Steps    int64
	Trained  bool // somebody kept the batches, so that GPUs had something to do
}

// feedResults are the results of a feed or a profile that are compared; the rest
// is passed over.
type feedResults struct {
	Samples float64 `json:"samples_per_second"`
	Batches int64   `json:"batches"`
	Seconds float64 `json:"seconds"`
	Step    struct {
		Mean      float64 `json:"mean_ms"`
		Std       float64 `json:"std_ms"`
		Variation float64 `json:"variation"`
	} `json:"step"`
	Stall struct {
		Fraction float64 `json:"fraction"`
	} `json:"stall"`
	Phases []diagnosis.PhaseTime `json:"phases"` // of a profile
	Host   struct {              // of a profile; null: not known
		FeederCPU *float64 `json:"feeder_cpu"`
		CPU       *float64 `json:"cpu"`
		Swapped   *float64 `json:"swapped_mb"`
		Growth    *float64 `json:"growth_mb"`
	} `json:"host"`
	Devices []struct {
		GPU         int      `json:"gpu"`
		Role        string   `json:"role"`
		Utilisation *float64 `json:"utilisation"`
		MemoryMB    *float64 `json:"memory_mb"`
	} `json:"devices"`
}

// Bounds of what is believed of a record: more GPUs than any machine has, and
// figures that still can be added up.
const (
	mostGPUs   = 64
	mostPhases = 16
	mostValue  = 1e15
)

// FiguresOf takes out of a record what runs are compared by.
func FiguresOf(r perf.RunRecord) (Figures, error) {
	m := Figures{Kind: r.Kind, Version: r.Version, Host: r.Host, Settings: r.Settings, Values: map[string]float64{}, Roles: map[int]string{}, Trained: trained(r)}
	if !fed(r) {
		return m, fmt.Errorf("a record of kind %q %w how a training went", r.Kind, ErrRecord)
	}
	var f feedResults
	if err := json.Unmarshal(r.Results, &f); err != nil {
		return m, fmt.Errorf("a record with other results than a feed's %w how it went: %w", ErrRecord, err)
	}
	if f.Batches < 1 || len(f.Devices) > mostGPUs {
		return m, fmt.Errorf("a record of %d batches and %d GPUs %w how a training went", f.Batches, len(f.Devices), ErrRecord)
	}
	m.Values[MetricSamples], m.Values[MetricTotal] = f.Samples, f.Seconds
	m.Steps = f.Batches - 1
	if m.Steps > 0 && f.Step.Mean >= leastValue { // a run of one batch has no step
		m.Values[MetricStep], m.Values[MetricVariation], m.Values[MetricStall] = f.Step.Mean, f.Step.Variation, 100*f.Stall.Fraction
		m.StepStd = f.Step.Std
	}
	for _, p := range f.Phases[:min(len(f.Phases), mostPhases)] {
		if metric, known := phaseMetrics[p.Phase]; known {
			m.Values[metric] = 100 * p.Share
		}
	}
	for metric, v := range map[string]*float64{MetricFeederCPU: f.Host.FeederCPU, MetricHostCPU: f.Host.CPU, MetricGrowth: f.Host.Growth} {
		if v != nil {
			m.Values[metric] = max(*v, 0) // memory that shrinks grows by nothing
		}
	}
	if f.Host.Swapped != nil && f.Seconds > 0 { // a second, for runs may be of different length
		m.Values[MetricSwapped] = max(*f.Host.Swapped, 0) / f.Seconds
	}
	for _, d := range f.Devices {
		if d.GPU < 0 || d.GPU >= mostGPUs {
			return m, fmt.Errorf("a record with a GPU %d %w how a training went", d.GPU, ErrRecord)
		}
		m.Roles[d.GPU] = d.Role
		if d.Utilisation != nil {
			m.Values[utilisation(d.GPU)] = *d.Utilisation
		}
		if d.MemoryMB != nil {
			m.Values[memory(d.GPU)] = *d.MemoryMB
		}
	}
	for name, v := range m.Values {
		if !(v >= 0 && v <= mostValue) {
			return m, fmt.Errorf("a record whose %s is %v %w how a training went", name, v, ErrRecord)
		}
	}
	if !(m.StepStd >= 0 && m.StepStd <= mostValue) {
		return m, fmt.Errorf("a record whose steps deviate by %v ms %w how a training went", m.StepStd, ErrRecord)
	}
	return m, nil
}

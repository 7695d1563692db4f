package top

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"voxpack/internal/perf"
)

// metric is one of what --prometheus serves. Its name stays.
type metric struct {
	name, kind, help string
	values           func(Look, func(value float64, labels ...string))
}

// metrics is the table; docs/en/diagnosis.md has the same rows.
var metrics = []metric{
	{"voxpack_feeder_up", "gauge", "1 if the feeder answered, 0 if it did not.", func(l Look, put func(float64, ...string)) {
		for _, f := range l.Feeders {
			up := 1.0
			if f.Error != "" {
				up = 0
			}
			put(up, "socket", f.Socket)
		}
	}},
	{"voxpack_feeder_info", "gauge", "Always 1: version and dataset of a feeder.", func(l Look, put func(float64, ...string)) {
		for _, f := range l.Feeders {
			if f.Error == "" {
				put(1, "socket", f.Socket, "pid", strconv.Itoa(f.PID), "version", f.Version, "dataset", f.Dataset)
			}
		}
	}},
	{"voxpack_feeder_consumers", "gauge", "Consumers that take batches.", func(l Look, put func(float64, ...string)) {
		for _, f := range l.Feeders {
			if f.Error == "" {
				put(float64(len(f.Consumers)), "socket", f.Socket)
			}
		}
	}},
	{"voxpack_batches_total", "counter", "Batches that the consumer took.", ofConsumers(func(c Consumer) float64 { return float64(c.Batches) })},
	{"voxpack_samples_total", "counter", "Samples in them.", ofConsumers(func(c Consumer) float64 { return float64(c.Samples) })},
	{"voxpack_batch_bytes_total", "counter", "Bytes of the batches that were made ready for it.", ofConsumers(func(c Consumer) float64 { return float64(c.Bytes) })},
	{"voxpack_step_seconds", "gauge", "Mean of the last steps, from one batch to the next.", ofSteps(func(s *Steps) float64 { return s.MeanMS / 1000 })},
	{"voxpack_step_p99_seconds", "gauge", "99th percentile of the last steps.", ofSteps(func(s *Steps) float64 { return s.P99MS / 1000 })},
	{"voxpack_stall_ratio", "gauge", "Part of the last steps in which the consumer waited for a batch.", ofSteps((*Steps).stall)},
	{"voxpack_ring_slots", "gauge", "Batches that the ring has room for.", ofConsumers(func(c Consumer) float64 { return float64(c.Ring.Slots) })},
	{"voxpack_ring_batches", "gauge", "Batches of the ring by state.", func(l Look, put func(float64, ...string)) {
		l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) {
			put(float64(c.Ring.Preparing), append(labelsOf(id, c), "state", "preparing")...)
			put(float64(c.Ring.Ready), append(labelsOf(id, c), "state", "ready")...)
			put(float64(c.Ring.Training), append(labelsOf(id, c), "state", "training")...)
		})
	}},
	{"voxpack_stage_seconds_total", "counter", "Time of a stage of the feeder, by what it did: waiting for input, working, waiting for room.",
		func(l Look, put func(float64, ...string)) {
			eachStage(l, func(labels []string, s perf.StageSummary) {
				put(s.WaitIn.TotalMS/1000, append(labels, "doing", "input")...)
				put(s.Work.TotalMS/1000, append(labels, "doing", "work")...)
				put(s.WaitOut.TotalMS/1000, append(labels, "doing", "room")...)
			})
		}},
	{"voxpack_stage_batches_total", "counter", "Batches that a stage of the feeder worked on.", func(l Look, put func(float64, ...string)) {
		eachStage(l, func(labels []string, s perf.StageSummary) { put(float64(s.Work.Count), labels...) })
	}},
	{"voxpack_finding", "gauge", "Always 1: what a rule finds now.", func(l Look, put func(float64, ...string)) {
		l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) {
			for _, v := range c.Findings {
				put(1, append(labelsOf(id, c), "rule", v.Rule, "kind", string(v.Kind), "basis", string(v.Basis))...)
			}
		})
	}},
	{"voxpack_finding_gain_ratio", "gauge", "Part of the step's time that the cure takes away, where it is known.", func(l Look, put func(float64, ...string)) {
		l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) {
			for _, v := range c.Findings {
				if v.Gain != nil {
					put(*v.Gain, append(labelsOf(id, c), "rule", v.Rule)...)
				}
			}
		})
	}},
	{"voxpack_gpu_utilisation_ratio", "gauge", "Part of the time in which some kernel ran, where NVML tells.", func(l Look, put func(float64, ...string)) {
		for _, g := range l.GPUs {
			if g.Busy != nil {
				put(*g.Busy/100, "bus", g.Bus)
			}
		}
	}},
	{"voxpack_gpu_memory_used_bytes", "gauge", "Memory of the GPU that is in use, where NVML tells.", func(l Look, put func(float64, ...string)) {
		for _, g := range l.GPUs {
			if g.Used != nil {
				put(float64(*g.Used), "bus", g.Bus)
			}
		}
	}},
	{"voxpack_gpu_memory_bytes", "gauge", "Memory of the GPU, where NVML tells.", func(l Look, put func(float64, ...string)) {
		for _, g := range l.GPUs {
			if g.Memory != nil {
				put(float64(*g.Memory), "bus", g.Bus)
			}
		}
	}},
}

// labelsOf names a consumer. The feeder's process is one of them: one that came
// back counts from 0 again.
func labelsOf(id consumerID, c Consumer) []string {
	return []string{"socket", id.socket, "feeder", strconv.Itoa(id.pid), "consumer", strconv.Itoa(id.number), "pid", strconv.Itoa(c.PID), "rank", strconv.Itoa(c.Rank)}
}

// ofConsumers is a value of each consumer.
func ofConsumers(of func(Consumer) float64) func(Look, func(float64, ...string)) {
	return func(l Look, put func(float64, ...string)) {
		l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) { put(of(c), labelsOf(id, c)...) })
	}
}

// ofSteps is a value of the last steps, of consumers that note them; below 0 it is
// not known.
func ofSteps(of func(*Steps) float64) func(Look, func(float64, ...string)) {
	return func(l Look, put func(float64, ...string)) {
		l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) {
			if c.Steps == nil || c.Steps.Count == 0 {
				return
			}
			if v := of(c.Steps); v >= 0 {
				put(v, labelsOf(id, c)...)
			}
		})
	}
}

// eachStage goes over all stages of all consumers.
func eachStage(l Look, do func(labels []string, s perf.StageSummary)) {
	l.eachConsumer(func(id consumerID, _ Feeder, c Consumer) {
		for _, s := range c.Stages {
			do(append(labelsOf(id, c), "stage", s.Name), s)
		}
	})
}

// labelValue escapes what the text format of Prometheus gives a meaning.
var labelValue = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// writeMetrics writes a look in the text format of Prometheus, version 0.0.4.
func writeMetrics(w io.Writer, l Look) error {
	var b strings.Builder
	for _, m := range metrics {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
		m.values(l, func(value float64, labels ...string) {
			b.WriteString(m.name)
			for i := 0; i < len(labels); i += 2 {
				mark := ","
				if i == 0 {
					mark = "{"
				}
				fmt.Fprintf(&b, `%s%s="%s"`, mark, labels[i], labelValue.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")))
			}
			fmt.Fprintf(&b, "} %s\n", strconv.FormatFloat(value, 'g', -1, 64))
		})
	}
	_, err := io.WriteString(w, b.String())
	return err
}

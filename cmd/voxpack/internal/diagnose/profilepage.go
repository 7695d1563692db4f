package diagnose

import (
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
)

// phaseNames are the phases in words.
var phaseNames = map[diagnosis.Phase]string{
	diagnosis.LoadPhase:       "wait for load",
	diagnosis.PreprocessPhase: "preprocess",
	diagnosis.TransferPhase:   "wait for copies",
	diagnosis.TrainPhase:      "train",
	diagnosis.GapsPhase:       "gaps",
}

// page is the profile for people, in 60 columns; the table of a sweep takes 78.
func (p *profile) page(w io.Writer) {
	field := term.Fields(w, 9)
	if len(p.Sweep) > 0 {
		p.sweepPage(field)
	}
	ended := ""
	switch p.Ended {
	case "done":
	case trainerEnded:
		ended = "; the trainer ended"
	default:
		ended = ", " + p.Ended
	}
	field("profile", "%s of %s%s%s", term.Count(p.Batches-1, "step"), term.Count(p.Batch, "sample"), p.since(), ended)
	lines(field, "measured", p.where())
	for i, t := range p.Phases {
		if t.Phase == diagnosis.PreprocessPhase {
			field("", "%-16s %9s", phaseNames[t.Phase], "none")
			continue
		}
		name := phaseNames[t.Phase]
		if t.Phase == diagnosis.TrainPhase && p.Attached != nil && !p.Attached.Marked {
			name = "train and gaps"
		}
		field(term.First(i, "phases"), "%-16s %9s ± %-8s %4.0f %%", name, term.Milliseconds(t.MeanMS), term.Milliseconds(t.StdMS), 100*t.Share)
	}
	field("step", "%-16s %9s ± %-8s %4.0f %% variation", "", term.Milliseconds(p.Step.Mean), term.Milliseconds(p.Step.Std), p.Step.Variation)
	field("speed", "%s/s", rate(p.Rate)+" samples")
	var stages []string
	for _, s := range p.Stages {
		text := fmt.Sprintf("%s %s", s.Stage, term.Milliseconds(s.MS))
		if s.Workers > 1 {
			text += fmt.Sprintf(" by %d", s.Workers)
		}
		stages = append(stages, text)
	}
	lines(field, "a batch", strings.Join(stages, ", "))
	for _, d := range p.GPUs {
		lines(field, fmt.Sprintf("GPU %d", d.GPU), gpuText(d))
	}
	lines(field, "host", p.Host.text(p.Attached != nil))
	term.Verdicts(field, p.Findings)
	for i, u := range p.Unseen {
		lines(field, term.First(i, "unseen"), u.Text)
	}
	for _, other := range p.Others {
		fmt.Fprintln(w)
		other.page(w)
	}
}

// since says which steps these are.
func (p *profile) since() string {
	switch {
	case p.Attached == nil:
		return fmt.Sprintf(" after %d to warm up", p.Warmup)
	case p.Attached.Kept:
		return ", the last that are kept"
	}
	return ", as they came"
}

// lines prints a field of as many lines as it takes.
func lines(field func(string, string, ...any), name, text string) {
	for i, line := range term.Wrapped(text) {
		field(term.First(i, name), "%s", line)
	}
}

// where says what was measured, so that nobody takes a simulation for a GPU.
func (p *profile) where() string {
	on := map[measuredOn]string{
		onHost: "on the host", onSimulated: "on simulated GPUs", onFake: "on fake GPUs, which compute nothing", onGPU: "on GPUs",
	}[p.Measured]
	if a := p.Attached; a != nil {
		text := fmt.Sprintf("a running trainer, process %d, rank %d of %d; batches %s", a.Trainer, a.Rank, a.World, on)
		if a.Marked {
			text += "; it marks its steps"
		}
		return text
	}
	if p.Trainer == noTrainer {
		return on + ", nobody trains"
	}
	return on + ", with a simulated trainer"
}

// gpuText is how a GPU was used, as far as it is known.
func gpuText(d feedrun.DeviceFigures) string {
	text := d.Role
	if d.Utilisation != nil && d.UtilisationStd != nil {
		text += fmt.Sprintf(", busy %.0f ± %.0f %%", *d.Utilisation, *d.UtilisationStd)
	}
	if d.MemoryMean != nil && d.MemoryStd != nil {
		text += fmt.Sprintf(", %.0f ± %.0f MB in use", *d.MemoryMean, *d.MemoryStd)
	}
	return text + fmt.Sprintf(", %.0f MB of it the feed's", d.TakenMB)
}

// text is the machine in one line.
func (f hostFacts) text(attached bool) string {
	process := "this process"
	if attached {
		process = "the feeder"
	}
	var parts []string
	if f.CPU != nil && f.CPUMost != nil {
		parts = append(parts, fmt.Sprintf("cores %.0f %% busy, %.0f %% at most", *f.CPU, *f.CPUMost))
	}
	if f.FeederCPU != nil {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", process, *f.FeederCPU))
	}
	if f.MemoryMB != nil && f.MemoryStd != nil {
		parts = append(parts, fmt.Sprintf("its memory %.0f ± %.0f MB", *f.MemoryMB, *f.MemoryStd))
	}
	if f.GrowthMB != nil {
		parts = append(parts, fmt.Sprintf("%+.1f MB in 1,000 steps", *f.GrowthMB))
	}
	if f.SwappedMB != nil {
		swap := "no swap"
		if *f.SwappedMB > 0 {
			swap = fmt.Sprintf("%.1f MB swapped", *f.SwappedMB)
		}
		parts = append(parts, swap)
	}
	return strings.Join(parts, ", ")
}

// fewLess is how much less than the most is as good: what runs vary by anyhow.
const fewLess = 0.05

// sweepPage is the table of batch sizes, and which of them is best.
func (p *profile) sweepPage(field func(string, string, ...any)) {
	head := fmt.Sprintf("%5s %19s %9s %5s %5s %5s", "batch", "step", "samples/s", "load", "copy", "train")
	gpu := p.Sweep[0].MemoryMB != nil
	if gpu {
		head += fmt.Sprintf(" %5s %8s", "busy", "memory")
	}
	field("sweep", "%s", head)
	smallest := p.Sweep[0]
	for _, r := range p.Sweep {
		line := fmt.Sprintf("%5d %9s ± %-7s %9s %3.0f %% %3.0f %% %3.0f %%", r.Batch, term.Milliseconds(r.StepMS), term.Milliseconds(r.StdMS),
			rate(r.Rate), 100*r.Load, 100*r.Transfer, 100*r.Train)
		if gpu {
			busy, memory := "-", "-"
			if r.Busy != nil {
				busy = fmt.Sprintf("%.0f %%", *r.Busy)
			}
			if r.MemoryMB != nil {
				memory = term.Size(int64(*r.MemoryMB * 1e6))
			}
			line += fmt.Sprintf(" %5s %8s", busy, memory)
		}
		field("", "%s", line)
	}
	for _, r := range p.Sweep {
		if r.Rate >= (1-fewLess)*p.Rate && (smallest.Rate < (1-fewLess)*p.Rate || r.Batch < smallest.Batch) {
			smallest = r
		}
	}
	text := fmt.Sprintf("batches of %s give the most, %s samples/s", term.Commas(p.Batch), rate(p.Rate))
	if smallest.Batch < p.Batch {
		text += fmt.Sprintf("; %s give %s, within %.0f %%", term.Commas(smallest.Batch), rate(smallest.Rate), 100*fewLess)
	}
	if p.Trainer != noTrainer {
		text += "; a simulated step grows with the batch, and a GPU's need not"
	}
	lines(field, "best", text)
}

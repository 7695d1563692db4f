package top

import (
	"fmt"
	"slices"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/internal/perf"
)

// wide is how many columns a screen has at least that shows stages and GPUs
// beside the graphs.
const wide = 130

// The columns of a line of details: its name, its graph's figures.
const (
	labelWidth  = 10
	figureWidth = 21
)

// details are what is known of the chosen consumer.
func (s screen) details() []section {
	list := s.h.shown()
	gpus := s.gpus(s.half())
	if len(list) == 0 {
		return []section{{4, gpus}}
	}
	c := list[s.u.place(list)]
	title := fmt.Sprintf("consumer %d: %s, rank %d of %d, %s batches", s.u.place(list)+1, c.process(), c.Rank, max(1, c.World), term.Commas(c.Batches))
	if c.left {
		title += ", ended"
	}
	head := section{2, []string{"", styled(strong, title, s.colour)}}
	graphs, stages := s.graphs(c, s.half()), s.stages(c.id, s.half())
	found := section{2, s.findings(c.Consumer)}
	if s.width < wide {
		return []section{head, {3, graphs}, {4, stages}, {5, gpus}, found}
	}
	return []section{head, {3, beside(graphs, slices.Concat(stages, gpus), s.half())}, found}
}

// half is how many columns a block of details has.
func (s screen) half() int {
	if s.width < wide {
		return s.width
	}
	return (s.width - 2) / 2
}

// beside puts two blocks side by side, the left one of so many columns.
func beside(a, b []string, columns int) []string {
	var lines []string
	for i := range max(len(a), len(b)) {
		one, other := "", ""
		if i < len(a) {
			one = a[i]
		}
		if i < len(b) {
			other = b[i]
		}
		lines = append(lines, left(one, columns)+"  "+other)
	}
	return lines
}

// graphs are the rates of a consumer over time, and its ring now.
func (s screen) graphs(c shownConsumer, columns int) []string {
	var samples, steps, stalls []float64
	for _, r := range s.h.rates(c.id) {
		samples, steps, stalls = append(samples, r.samples), append(steps, r.step), append(stalls, r.stall)
	}
	now := tableRow{shownConsumer: c, rate: s.h.rate(c.id)}
	p99 := ""
	if c.p99() >= 0 && !c.left {
		p99 = "  p99 " + term.Milliseconds(c.p99())
	}
	room := max(0, columns-labelWidth-figureWidth-1)
	line := func(name string, values []float64, full float64, figure string) string {
		return left(name, labelWidth) + spark(values, room, full) + " " + figure
	}
	return []string{
		line("samples/s", samples, highest(samples), now.live(now.samples, perSecond)),
		line("step", steps, highest(steps), now.live(now.step, term.Milliseconds)+p99),
		line("stall", stalls, 1, now.live(now.stall, percent)),
		left("ring", labelWidth) + left(ringBar(c.Ring, room), room) + " " + fmt.Sprintf("P %d  R %d  T %d of %d", c.Ring.Preparing, c.Ring.Ready, c.Ring.Training, c.Ring.Slots),
	}
}

// highest is the largest value, 0 of none.
func highest(values []float64) float64 { return slices.Max(append(values, 0)) }

// ringBar draws a slot in each cell, as far as they fit.
func ringBar(r Ring, columns int) string {
	free := max(0, r.Slots-r.Preparing-r.Ready-r.Training)
	bar := strings.Repeat("▒", r.Preparing) + strings.Repeat("█", r.Ready) + strings.Repeat("▓", r.Training) + strings.Repeat("·", free)
	return cut(bar, columns)
}

// lately is how many looks back the stages are compared with.
const lately = 10

// stageCell is the width of a figure of the table of stages.
const stageCell = 11

// stages are what each stage of the feeder did lately, and the trainer.
func (s screen) stages(id consumerID, columns int) []string {
	before, now := s.h.window(id)
	if len(now.Stages) == 0 {
		return nil
	}
	name := min(max(labelWidth, columns-4*stageCell), 20)
	row := func(first string, cells ...string) string {
		line := left(first, name)
		for _, c := range cells {
			line += right(c, stageCell)
		}
		return line
	}
	lines := []string{styled(faint, row("stage", "waits in", "works", "waits out", "a batch"), s.colour)}
	for i, stage := range now.Stages {
		var old perf.StageSummary
		if i < len(before.Stages) && before.Stages[i].Name == stage.Name {
			old = before.Stages[i]
		}
		lines = append(lines, row(term.Line(stage.Name), stageCells(old, stage)...))
	}
	if stall := now.Steps.stall(); stall >= 0 {
		lines = append(lines, row("trainer", percent(stall), percent(1-stall), "", term.Milliseconds(now.Steps.MeanMS*(1-stall))))
	}
	return lines
}

// stageCells are the parts of a stage's time, and its work for a batch.
func stageCells(before, now perf.StageSummary) []string {
	in, work, out := since(before.WaitIn, now.WaitIn), since(before.Work, now.Work), since(before.WaitOut, now.WaitOut)
	all := in.TotalMS + work.TotalMS + out.TotalMS
	if all == 0 || work.Count == 0 {
		return []string{"-", "-", "-", "-"}
	}
	return []string{percent(in.TotalMS / all), percent(work.TotalMS / all), percent(out.TotalMS / all), term.Milliseconds(work.TotalMS / float64(work.Count))}
}

// window is a consumer when it was seen last, and some looks before: the zero one
// where it was not there yet.
func (h *History) window(id consumerID) (before, now Consumer) {
	for i := len(h.looks) - 1; i >= 0; i-- {
		if c, found := h.looks[i].consumer(id); found {
			before, _ = h.looks[max(0, i-lately)].consumer(id)
			if before.Batches == c.Batches { // seen once, or it stands still: all that it did
				before = Consumer{}
			}
			return before, c
		}
	}
	return before, now
}

// gpus are the devices of the machine.
func (s screen) gpus(columns int) []string {
	var lines []string
	for i, g := range s.h.last().GPUs {
		lines = append(lines, left(fmt.Sprintf("GPU %d", i), labelWidth)+cut(term.Line(g.Name), columns-labelWidth))
		room := max(0, columns-labelWidth-figureWidth-1)
		if g.Busy != nil {
			series := s.h.gpuSeries(g.Bus, func(g GPU) (float64, bool) {
				if g.Busy == nil {
					return 0, false
				}
				return *g.Busy, true
			})
			lines = append(lines, left("  busy", labelWidth)+spark(series, room, 100)+" "+fmt.Sprintf("%.0f %%", *g.Busy))
		}
		if g.Used != nil {
			figure, full := term.Size(*g.Used), float64(*g.Used)
			if g.Memory != nil {
				figure, full = figure+" of "+term.Size(*g.Memory), float64(*g.Memory)
			}
			series := s.h.gpuSeries(g.Bus, func(g GPU) (float64, bool) {
				if g.Used == nil {
					return 0, false
				}
				return float64(*g.Used), true
			})
			lines = append(lines, left("  memory", labelWidth)+spark(series, room, full)+" "+figure)
		}
	}
	return lines
}

// findings are what the rules say of a consumer, by gain: on a small screen the
// first one.
func (s screen) findings(c Consumer) []string {
	const room = labelWidth + 5
	most := 1
	if s.width >= wide || s.height >= 40 {
		most = 3
	}
	var lines []string
	for i, v := range c.Findings {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %s, which --plain prints", term.Count(len(c.Findings)-most, "more finding")))
			break
		}
		head := term.Line(string(v.Basis))
		if v.Gain != nil && *v.Gain >= 0.005 { // it would be written as 0 %
			head += fmt.Sprintf(", %.0f %%", 100**v.Gain)
		}
		for j, line := range term.WrappedTo(term.Line(v.Text()+" ["+v.Rule+"]"), s.width-room-2) {
			if j > 0 {
				head = ""
			}
			lines = append(lines, left(head, room)+line)
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return slices.Concat([]string{""}, lines)
}

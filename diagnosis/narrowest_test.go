package diagnosis

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"voxpack/internal/perf"
)

// stageOf is a summary with three totals in ms.
func stageOf(name string, waitIn, work, waitOut float64) perf.StageSummary {
	return perf.StageSummary{Name: name, WaitIn: perf.Summary{TotalMS: waitIn}, Work: perf.Summary{TotalMS: work}, WaitOut: perf.Summary{TotalMS: waitOut}}
}

func TestBottleneckOfMadeUpPipelines(t *testing.T) {
	tests := []struct {
		name   string
		stages []perf.StageSummary
		want   string
	}{
		{"nothing has no bottleneck", nil, ""},
		{"a stage without time is no stage", []perf.StageSummary{stageOf("fill", 0, 0, 0)}, ""},
		{"one stage is its own", []perf.StageSummary{stageOf("fill", 5, 1, 0)}, "fill"},
		{"a slow consumer: all wait for room",
			[]perf.StageSummary{stageOf("fill", 0, 3, 7), stageOf("copy", 0, 2, 8), stageOf("train", 0, 10, 0)}, "train"},
		{"a slow source: all wait for input",
			[]perf.StageSummary{stageOf("fill", 0, 10, 0), stageOf("copy", 8, 2, 0), stageOf("train", 5, 5, 0)}, "fill"},
		{"a slow stage in the middle: from both sides",
			[]perf.StageSummary{stageOf("fill", 0, 3, 7), stageOf("copy", 0, 10, 0), stageOf("train", 5, 5, 0)}, "copy"},
		{"the longest work alone does not decide: four workers share it",
			[]perf.StageSummary{stageOf("fill", 0, 20, 20), stageOf("copy", 0, 10, 0), stageOf("train", 5, 5, 0)}, "copy"},
		{"a stage without time in between changes nothing",
			[]perf.StageSummary{stageOf("fill", 0, 3, 7), stageOf("gather", 0, 0, 0), stageOf("train", 0, 10, 0)}, "train"},
		{"among equals the busiest",
			[]perf.StageSummary{stageOf("fill", 0, 8, 2), stageOf("train", 1, 9, 0)}, "train"},
		{"in bursts both wait in turn: the one that waits less for input",
			[]perf.StageSummary{stageOf("fill", 0, 5, 5), stageOf("train", 4, 6, 0)}, "fill"},
		{"all equal: the first",
			[]perf.StageSummary{stageOf("fill", 0, 10, 0), stageOf("copy", 0, 10, 0)}, "fill"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Bottleneck(tt.stages)
			if got.Stage != tt.want || ok != (tt.want != "") {
				t.Errorf("Bottleneck() = %+v, %v, want %q", got, ok, tt.want)
			}
		})
	}
}

func TestBottleneckTellsWhy(t *testing.T) {
	got, _ := Bottleneck([]perf.StageSummary{stageOf("fill", 0, 3, 7), stageOf("copy", 1, 9, 0), stageOf("train", 5, 5, 0)})
	want := Narrowest{Stage: "copy", Busy: 0.9, WaitIn: 0.1, Others: 0.6}
	if got != want {
		t.Errorf("Bottleneck() = %+v, want %+v", got, want)
	}
}

// TestBottleneckOfRandomPipelines runs lines of random length with random
// service times through bounded queues and asks for the slowest stage, which is
// at least a fifth slower than any other.
func TestBottleneckOfRandomPipelines(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 60 {
		means := make([]time.Duration, 2+r.IntN(5))
		for j := range means {
			means[j] = time.Millisecond + time.Duration(r.IntN(9_000_000))
		}
		slow := r.IntN(len(means))
		means[slow] = 12 * time.Millisecond
		jitter := []float64{0, 0.2, 0.8}[r.IntN(3)]
		room := 1 + r.IntN(4)
		stages := runLine(r, means, jitter, room, 1000)
		if got, _ := Bottleneck(stages); got.Stage != stages[slow].Name {
			t.Errorf("pipeline %d: %v with jitter %v and room for %d: Bottleneck() = %+v, want stage %d",
				i, means, jitter, room, got, slow)
		}
	}
}

// runLine is a line of stages with a queue of some room between each two, in
// virtual time: item k leaves stage i once the queue after it has room, that is
// once stage i+1 has taken item k-room. The consumer at the end is never held.
func runLine(r *rand.Rand, means []time.Duration, jitter float64, room, items int) []perf.StageSummary {
	stages := make([]*perf.Stage, len(means))
	took := make([][]time.Duration, len(means)+1) // when stage i took item k
	left := make([][]time.Duration, len(means))   // when stage i put item k into the queue
	for i := range stages {
		stages[i] = perf.NewStage(fmt.Sprint("stage ", i))
		left[i] = make([]time.Duration, items)
	}
	for i := range took {
		took[i] = make([]time.Duration, items)
	}
	for k := range items {
		for i, s := range stages {
			var free, ready time.Duration
			if k > 0 {
				free = left[i][k-1]
			}
			if i > 0 {
				ready = left[i-1][k]
			}
			took[i][k] = max(free, ready)
			work := time.Duration(float64(means[i]) * (1 + jitter*(2*r.Float64()-1)))
			left[i][k] = took[i][k] + work
			if i < len(stages)-1 && k >= room {
				left[i][k] = max(left[i][k], took[i+1][k-room])
			}
			s.WaitIn(took[i][k] - free)
			s.Work(work, 1, 100)
			s.WaitOut(left[i][k] - took[i][k] - work)
		}
	}
	summaries := make([]perf.StageSummary, len(stages))
	for i, s := range stages {
		summaries[i] = s.Summary()
	}
	return summaries
}

package feedrun

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/gpufeed"
	"voxpack/gpufeed/sim"
)

// planted are the bottlenecks that a user puts into a run, to see what they do
// and what is said of them.
type planted struct {
	link float64    // GB/s between the host and each simulated GPU; 0: the simulator's
	slow []slowdown // by stage
	rig
}

// rig is what tests of diagnosis plant where no flag does. What is zero changes
// nothing.
type rig struct {
	fill    func(gpufeed.Fill) time.Duration // how much longer a fill takes; nil: as slow says
	devices func(*sim.Options)
	config  func(*gpufeed.Config)
	cores   int // of the machine
	place   *diagnosis.Place
	keep    time.Duration // that the trainer keeps a batch after its step
	machine *machine      // beside the run
	gpus    []diagnosis.GPUUse
}

// slowdown multiplies the time of a stage.
type slowdown struct {
	stage string // as in the report
	times float64
}

// The stages that any run has. Those of copies have the names of their GPUs.
const (
	fillStage     = "fill"
	consumerStage = "consumer"
	fromHost      = "host to GPU "
	fromGPU       = "GPU "
)

// Bounds of what can be planted: a link slower than this makes copies time out,
// and what is far above any real one is a slip of the keyboard.
const (
	leastLink, mostLink = 0.001, 10_000 // GB/s
	mostTimes           = 1000
)

// parseSlow reads "STAGE=FACTOR".
func parseSlow(text string) (slowdown, bool) {
	at := strings.LastIndexByte(text, '=')
	if at < 1 {
		return slowdown{}, false
	}
	times, err := strconv.ParseFloat(text[at+1:], 64)
	return slowdown{text[:at], times}, err == nil && times >= 1 && times <= mostTimes
}

// times is how many times as long a stage takes.
func (p planted) times(stage string) float64 {
	for _, s := range p.slow {
		if s.stage == stage {
			return s.times
		}
	}
	return 1
}

// checkPlanted reads --slow and looks at what can be planted in this run.
func (o *Options) checkPlanted(p *problems) {
	link := o.planted.link
	p.add(o.Given("link") && !(link >= leastLink && link <= mostLink), "--link %v: want %v to %v GB/s", link, leastLink, mostLink) // NaN is neither
	p.add(o.Given("link") && o.Device != "sim", "--link is for simulated GPUs: give --device sim")
	o.planted.slow = nil
	for _, text := range o.slow {
		s, ok := parseSlow(text)
		if !ok {
			p.add(true, "--slow %q: want STAGE=FACTOR with a FACTOR from 1 to %d, as in fill=3", text, mostTimes)
			continue
		}
		copies := strings.HasPrefix(s.stage, fromHost) || strings.HasPrefix(s.stage, fromGPU)
		same := func(other slowdown) bool { return other.stage == s.stage }
		p.add(slices.ContainsFunc(o.planted.slow, same), "--slow %q: the stage comes twice", text)
		p.add(copies && o.Device != "sim", "--slow %q: only copies to simulated GPUs can be made slower: give --device sim", text)
		p.add(s.stage == consumerStage && o.stepMS == 0, "--slow %q: nobody trains: give --step-ms", text)
		o.planted.slow = append(o.planted.slow, s)
	}
}

// simulated are the GPUs of --device sim.
func (p planted) simulated() sim.Options {
	s := sim.Options{}.Normal()
	if p.link > 0 {
		s.In.BytesPerSecond, s.Out.BytesPerSecond = p.link*1e9, p.link*1e9
	}
	for _, slow := range p.slow {
		switch {
		case strings.HasPrefix(slow.stage, fromHost):
			s.In = s.In.Slower(slow.times)
		case strings.HasPrefix(slow.stage, fromGPU): // one of the two, by whether they are the same GPU
			s.Peer, s.Within = s.Peer.Slower(slow.times), s.Within.Slower(slow.times)
		}
	}
	if p.devices != nil {
		p.devices(&s)
	}
	return s
}

// fills is what makes fills slower, nil if nothing does.
func (p planted) fills() func(gpufeed.Fill) time.Duration {
	times := p.times(fillStage)
	switch {
	case p.fill != nil:
		return p.fill
	case times == 1:
		return nil
	}
	return func(f gpufeed.Fill) time.Duration {
		return time.Duration(math.Round(float64(f.Took) * (times - 1)))
	}
}

// stages refuses a stage that the run does not have: which ones it has is known
// when the feed is open.
func (p planted) stages(f *gpufeed.Feed) error {
	var names []string
	for _, s := range f.Stats().Stages {
		names = append(names, s.Name)
	}
	for _, s := range p.slow {
		if !slices.Contains(names, s.stage) {
			return term.Usagef("--slow %q: this run has no such stage; it has %s", s.stage, strings.Join(names, ", "))
		}
	}
	return nil
}

package nvml

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// Usage is what samples of a device add up to.
type Usage struct {
	Bus         string
	Samples     int     // of utilisation
	Utilisation float64 // mean percent of time in which some kernel ran; Unknown without a sample
	PeakMemory  int64   // the most bytes seen in use, by all processes together; or Unknown
	Spread      Spread
	Failed      int   // samples that ended in an error
	Err         error // the last of these
}

// Spread is how much samples differ, as standard deviations. A figure without a
// sample is 0.
type Spread struct {
	Utilisation float64 // percent
	MeanMemory  float64 // bytes
	Memory      float64 // bytes
}

// Sampler looks at devices again and again. A sample allocates nothing.
type Sampler struct {
	every   time.Duration
	mu      sync.Mutex // of watched
	watched []watched
}

type watched struct {
	device       Device
	busy, memory sums // percent, bytes
	usage        Usage
}

// sums add up a figure and its squares.
type sums struct{ n, sum, squares float64 }

func (s *sums) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

func (s *sums) mean() float64 { return s.sum / s.n }

// std is exact enough for bytes: their squares lose digits from 2^53 on, which is
// less than a millionth of the mean's.
func (s *sums) std() float64 { return math.Sqrt(max(s.squares/s.n-s.mean()*s.mean(), 0)) }

// NewSampler prepares to look at devices every so often; 0 is 200 ms. NVML's own
// sample periods are 1/6 s to 1 s, so to look more often tells nothing new of
// utilisation, only of memory.
func NewSampler(every time.Duration, devices ...Device) *Sampler {
	if every <= 0 {
		every = 200 * time.Millisecond
	}
	s := &Sampler{every: every}
	for _, d := range devices {
		s.watched = append(s.watched, watched{device: d, usage: Usage{Bus: d.bus, Utilisation: Unknown, PeakMemory: Unknown}})
	}
	return s
}

// Run samples until ctx is done, once. It blocks, so it wants a goroutine of its
// own; who starts that waits for it before NVML is closed.
//
// Utilisation speaks of the time before a look, so that the first one is due
// after an interval. A run that ends earlier has one sample, at its end.
func (s *Sampler) Run(ctx context.Context) {
	ticker := time.NewTicker(s.every)
	defer ticker.Stop()
	s.peaks()
	for ticked := false; ; ticked = true {
		select {
		case <-ctx.Done():
			if !ticked {
				s.sample()
			}
			return
		case <-ticker.C:
			s.sample()
		}
	}
}

// Usage is what was seen so far, by the order of the devices. It may be asked at
// any time.
func (s *Sampler) Usage() []Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	usage := make([]Usage, len(s.watched))
	for i := range s.watched {
		usage[i] = s.watched[i].usage
	}
	return usage
}

// sample looks at each device that still answers.
func (s *Sampler) sample() {
	for i := range s.watched {
		w := &s.watched[i]
		if w.lost() {
			continue
		}
		busy, err := w.device.Utilisation()
		if err == nil && busy.GPU != Unknown {
			s.mu.Lock()
			w.busy.add(float64(busy.GPU))
			w.usage.Samples++
			w.usage.Utilisation, w.usage.Spread.Utilisation = w.busy.mean(), w.busy.std()
			s.mu.Unlock()
		}
		if noMemory := s.peak(w); err == nil {
			err = noMemory
		}
		s.fail(w, err)
	}
}

// peaks looks at memory alone.
func (s *Sampler) peaks() {
	for i := range s.watched {
		s.fail(&s.watched[i], s.peak(&s.watched[i]))
	}
}

func (s *Sampler) peak(w *watched) error {
	m, err := w.device.Memory()
	s.mu.Lock()
	defer s.mu.Unlock()
	w.usage.PeakMemory = max(w.usage.PeakMemory, m.Used)
	if err == nil && m.Used != Unknown {
		w.memory.add(float64(m.Used))
		w.usage.Spread.MeanMemory, w.usage.Spread.Memory = w.memory.mean(), w.memory.std()
	}
	return err
}

func (s *Sampler) fail(w *watched, err error) {
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.usage.Failed++
	w.usage.Err = err
}

// lost: only Run writes the error, so it reads it without the lock.
func (w *watched) lost() bool { return errors.Is(w.usage.Err, ErrLost) }

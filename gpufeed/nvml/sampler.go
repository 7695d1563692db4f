package nvml

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Usage is what samples of a device add up to.
type Usage struct {
	Bus         string
	Samples     int     // of utilisation
	Utilisation float64 // mean percent of time in which some kernel ran; Unknown without a sample
	PeakMemory  int64   // the most bytes seen in use, by all processes together; or Unknown
	Failed      int     // samples that ended in an error
	Err         error   // the last of these
}

// Sampler looks at devices again and again. A sample allocates nothing.
type Sampler struct {
	every   time.Duration
	mu      sync.Mutex // of watched
	watched []watched
}

type watched struct {
	device Device
	sum    int64 // of Utilisation.GPU over usage.Samples
	usage  Usage
}

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
			w.sum += int64(busy.GPU)
			w.usage.Samples++
			w.usage.Utilisation = float64(w.sum) / float64(w.usage.Samples)
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

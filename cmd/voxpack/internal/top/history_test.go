package top

import (
	"math"
	"testing"
	"time"
)

// TestRates: what two looks say of the time between them.
func TestRates(t *testing.T) {
	at := func(batches int64, s *Steps) Consumer {
		return Consumer{Batches: batches, Samples: 10 * batches, Bytes: 100 * batches, Steps: s}
	}
	part := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		name        string
		before, now Consumer
		passed      time.Duration
		want        rate
	}{
		{"steps are known", at(100, nil), at(150, &Steps{Count: 50, MeanMS: 19, Load: part(0.4), Copy: part(0.1)}), time.Second, rate{500, 5000, 19, 0.5}},
		{"waits are hidden", at(100, nil), at(150, &Steps{Count: 50, MeanMS: 19}), time.Second, rate{500, 5000, 19, -1}},
		{"the consumer notes no steps", at(100, nil), at(150, nil), time.Second, rate{500, 5000, 20, -1}},
		{"no batch came", at(100, nil), at(100, nil), time.Second, rate{0, 0, -1, -1}},
		{"two looks at one time", at(100, nil), at(150, nil), 0, unknown},
		{"a clock that went back", at(100, nil), at(150, nil), -time.Second, unknown},
		{"a counter that went back", at(100, nil), at(50, nil), time.Second, unknown},
		{"parts that are more than the whole", at(0, nil), at(10, &Steps{Count: 1, MeanMS: 9, Load: part(0.9), Copy: part(0.9)}), time.Second, rate{100, 1000, 9, 1}},
	} {
		if got := rateOf(c.before, c.now, c.passed); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestAReturnedFeederIsAnother: counters of a feeder that came back begin again,
// which must not look like a rate.
func TestAReturnedFeederIsAnother(t *testing.T) {
	h := training(3, 1)
	back := lookAt(3, 1)
	back.Feeders[0].PID++
	h.Add(back)
	if r := h.rate(consumerID{socket, 4711, 1}); r != unknown {
		t.Errorf("the feeder that died has the rate %+v", r)
	}
	if r := h.rate(consumerID{socket, 4712, 1}); r.samples >= 0 {
		t.Errorf("one look at the new feeder gives the rate %+v", r)
	}
}

// TestHistoryIsBounded: a screen that is left open for days keeps two minutes.
func TestHistoryIsBounded(t *testing.T) {
	h := &History{}
	for i := range 3 * most {
		h.Add(lookAt(i, 1))
	}
	if len(h.looks) != most {
		t.Errorf("%d looks, want %d", len(h.looks), most)
	}
	if got, want := h.last().At, lookAt(3*most-1, 1).At; !got.Equal(want) {
		t.Errorf("the last look is of %v, want %v", got, want)
	}
}

// TestAConsumerThatLeftStaysForAWhile, and then goes.
func TestAConsumerThatLeftStaysForAWhile(t *testing.T) {
	h := training(20, 2)
	for i := 20; i < 20+ended; i++ {
		h.Add(lookAt(i, 1))
		list := h.shown()
		if len(list) != 2 || !list[1].left || list[0].left {
			t.Fatalf("%d looks later: %d consumers, want the one that left too", i-19, len(list))
		}
	}
	h.Add(lookAt(20+ended, 1))
	if list := h.shown(); len(list) != 1 {
		t.Errorf("%d consumers, want 1", len(list))
	}
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []float64
		columns int
		full    float64
		want    string
	}{
		{"none", nil, 4, 1, "    "},
		{"from nothing to full", []float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, 8, "▁▂▃▄▅▆▇█"},
		{"full is full", []float64{8}, 1, 8, "█"},
		{"above full", []float64{80}, 1, 8, "█"},
		{"not known is a gap", []float64{8, -1, 8}, 3, 8, "█ █"},
		{"the newest where room is short", []float64{0, 0, 8}, 2, 8, "▁█"},
		{"at the right where it is not", []float64{8}, 3, 8, "  █"},
		{"nothing but nought", []float64{0, 0}, 2, 0, "▁▁"},
		{"no room", []float64{1, 2}, 0, 2, ""},
		{"no number", []float64{math.NaN(), math.Inf(1)}, 2, 2, " █"},
	} {
		if got := spark(c.values, c.columns, c.full); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

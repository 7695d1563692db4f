package feedrun

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"voxpack/gpufeed"
)

func TestSlowAsWritten(t *testing.T) {
	for in, want := range map[string]slowdown{
		"fill=3": {"fill", 3}, "consumer=1": {"consumer", 1}, "host to GPU 0=4.5": {"host to GPU 0", 4.5}, "GPU 0 to GPU 1=1000": {"GPU 0 to GPU 1", 1000},
	} {
		if got, ok := parseSlow(in); got != want || !ok {
			t.Errorf("parseSlow(%q) = %v, %v, want %v", in, got, ok, want)
		}
	}
	for _, in := range []string{"", "fill", "fill=", "=3", "fill=0.5", "fill=1001", "fill=NaN", "fill=-2", "fill=Inf", "fill=3x"} {
		if got, ok := parseSlow(in); ok {
			t.Errorf("parseSlow(%q) = %v, want none", in, got)
		}
	}
}

// TestPlantedStagesTakeAsLongAsPlanted, in virtual time: copies by the rate of the
// link, and every stage its times as long.
func TestPlantedStagesTakeAsLongAsPlanted(t *testing.T) {
	d := fed(t, "en")
	for _, tt := range []struct {
		args  []string
		stage int // of the report
		want  func(batch float64) float64
	}{
		{[]string{"--mode", "direct", "--link", "0.5"}, 1, func(batch float64) float64 { return 0.01 + batch/0.5e6 }},
		{[]string{"--mode", "direct", "--link", "0.5", "--slow", "host to GPU 1=3"}, 1, func(batch float64) float64 { return 3 * (0.01 + batch/0.5e6) }},
		{[]string{"--cache", "off", "--slow", "GPU 0 to GPU 1=50"}, 2, func(batch float64) float64 { return 50 * (0.01 + batch/25e6) }},
		{[]string{"--slow", "consumer=4"}, 3, func(float64) float64 { return 20 }},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := runOf(t, d, append(tt.args, "--device", "sim", "--batch-size", "2", "--steps", "60", "--step-ms", "5")...)
			failed := r.deliver(context.Background())
			stages, batch := r.feed.Stats().Stages, batchBytes(r.set.Dataset().Root.Schema, r.config)
			if err := r.close(); failed != nil || err != nil {
				t.Fatal(failed, err)
			}
			got, want := stages[tt.stage].Work.P50MS, tt.want(float64(batch))
			if math.Abs(got-want) > 0.05*want { // what the histogram rounds
				t.Errorf("feed %q: %s takes %v ms, want %v", tt.args, stages[tt.stage].Name, got, want)
			}
		})
	}
}

// TestASlowFillWaitsForItsFactor: three times as long is twice as long again.
func TestASlowFillWaitsForItsFactor(t *testing.T) {
	o := optionsOf(t, "--slow", "fill=3")
	if got := o.planted.fills()(gpufeed.Fill{Took: 5 * time.Millisecond}); got != 10*time.Millisecond {
		t.Errorf("a fill of 5 ms lasts %v longer, want 10ms", got)
	}
	if o := optionsOf(t, "--slow", "fill=1"); o.planted.fills() != nil {
		t.Error("once as long is no wait")
	}
}

func TestAStageThatARunHasNot(t *testing.T) {
	d := fed(t, "en")
	r := &run{options: optionsOf(t, "--device", "sim", "--mode", "direct", "--batch-size", "2", "--slow", "host to GPU 0=2"), said: said{quiet: true}}
	err := r.open(t.Context(), d)
	if want := `--slow "host to GPU 0": this run has no such stage; it has fill, host to GPU 1, consumer`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("open: %v, want %s", err, want)
	}
	if err := r.close(); err != nil {
		t.Error(err)
	}
}

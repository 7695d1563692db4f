package feedrun

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

func TestALiveLineFitsAndLosesTheLeastMissedFirst(t *testing.T) {
	s := liveState{epoch: 2, epochs: 5, batch: 310, inEpoch: 409, samples: 81_300, bytes: 20.9e9,
		preparing: 1, ready: 4, training: 1, stall: 0.003, left: 12 * time.Second}
	for _, tt := range []struct {
		width int
		want  string
	}{
		{200, "epoch 2/5 batch 310/409 · 81,300 samples/s · 20.90 GB/s · 1 preparing 4 ready 1 training · stall 0.3 % · 12.0 s left"},
		{100, "epoch 2/5 batch 310/409 · 81,300 samples/s · 20.90 GB/s · P1 R4 T1 · stall 0.3 % · 12.0 s left"},
		{80, "epoch 2/5 batch 310/409 · 81,300 samples/s · stall 0.3 % · 12.0 s left"},
		{60, "epoch 2/5 batch 310/409 · 81,300 samples/s · 12.0 s left"},
		{45, "epoch 2/5 batch 310/409 · 81,300 samples/s"},
		{30, "epoch 2/5 batch 310/409"},
		{10, "epoch 2/5 "},
		{0, ""},
		{-1, ""},
	} {
		got := s.line(tt.width)
		if got != tt.want {
			t.Errorf("line(%d) = %q, want %q", tt.width, got, tt.want)
		}
		if n := utf8.RuneCountInString(got); n > max(0, tt.width) {
			t.Errorf("line(%d) has %d columns", tt.width, n)
		}
	}
}

func TestALiveLineLeavesOutWhatIsNotKnown(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    liveState
		want string
	}{
		{"before the first batch", liveState{epoch: 1, epochs: 1}, "waiting for the first batch · "},
		{"an epoch whose length is not known", liveState{epoch: 3, epochs: 4, batch: 7}, "epoch 3/4 batch 7 · "},
		{"without end", liveState{epoch: 1200, batch: 7, inEpoch: 9}, "epoch 1,200 batch 7/9 · "},
		{"so many steps", liveState{epoch: 1, batch: 7, inEpoch: 9, step: 7, steps: 40}, "epoch 1 batch 7/9 step 7/40 · "},
		{"a slow trainer", liveState{epoch: 1, batch: 1, samples: 2.5}, "epoch 1 batch 1 · 2.5 samples/s · "},
	} {
		if got := tt.s.line(200); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "left") {
			t.Errorf("%s: line = %q, want %q first and no time left", tt.name, got, tt.want)
		}
	}
}

func TestTimeLeft(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    liveState
		rate float64
		want time.Duration
	}{
		{"the rest of this epoch and those behind it", liveState{epoch: 2, epochs: 4, batch: 6, inEpoch: 10}, 2, 12 * time.Second},
		{"the last batch", liveState{epoch: 4, epochs: 4, batch: 10, inEpoch: 10}, 2, 0},
		{"steps", liveState{epoch: 9, step: 5, steps: 15, batch: 1, inEpoch: 2}, 4, 2500 * time.Millisecond},
		{"without end", liveState{epoch: 9, batch: 1, inEpoch: 2}, 4, 0},
		{"a length that is not known", liveState{epoch: 1, epochs: 2, batch: 1}, 4, 0},
		{"nothing moves", liveState{epoch: 1, epochs: 2, batch: 1, inEpoch: 4}, 0, 0},
	} {
		if got := tt.s.remaining(tt.rate); got != tt.want {
			t.Errorf("%s: remaining = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestEpochsHaveAsManyBatchesAsTheLineSays: against runs.
func TestEpochsHaveAsManyBatchesAsTheLineSays(t *testing.T) {
	d := fed(t, "en")
	for _, args := range [][]string{
		{"--batch-size", "4"},
		{"--batch-size", "4", "--tail", "pad"},
		{"--batch-size", "4", "--tail", "wrap", "--world", "2"},
		{"--batch-size", "2", "--buckets", "160,200"},
		{"--batch-size", "2", "--buckets", "160,200", "--tail", "pad"},
		{"--batch-size", "5", "--split", "train", "--val-split", "0.3"},
	} {
		r := runOf(t, d, args...)
		if err := r.deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := epochBatches(r.set, r.config), int(r.feed.Stats().Batches); got != want || want == 0 {
			t.Errorf("feed %v: epochBatches = %d, delivered %d", args, got, want)
		}
		if _, batch := r.spot.now(); batch != int(r.feed.Stats().Batches) {
			t.Errorf("feed %v: the line is at batch %d, delivered %d", args, batch, r.feed.Stats().Batches)
		}
		if err := r.close(); err != nil {
			t.Error(err)
		}
	}
	weighted := runOf(t, fed(t, "fa"), "--batch-size", "2", "--weight", "speaker:sara=1.5")
	if got := epochBatches(weighted.set, weighted.config); got != 0 {
		t.Errorf("with weights, which are drawn for each epoch: %d batches, want not known", got)
	}
	if err := weighted.close(); err != nil {
		t.Error(err)
	}
}

// TestARunShowsHowFarItIs in virtual time: somewhat more than
// one batch a second for 12.5 s.
func TestARunShowsHowFarItIs(t *testing.T) {
	d := fed(t, "en")
	show := func(width func() int) string {
		var out strings.Builder
		synctest.Test(t, func(t *testing.T) {
			r := runOf(t, d, "--batch-size", "2", "--epochs", "3", "--step-ms", "999")
			r.options.Quiet, r.said.out = false, &out
			l := newLive(r)
			l.width = width
			l.start()
			r.options.Quiet = true // deliver shows nothing beside it
			ctx, cancel := context.WithTimeout(context.Background(), 12500*time.Millisecond)
			defer cancel()
			_ = r.deliver(ctx)
			l.end()
			if err := r.close(); err != nil {
				t.Error(err)
			}
		})
		return out.String()
	}
	lines := strings.Split(strings.TrimSpace(show(nil)), "\n")
	want := []string{"epoch 1/3 batch 3/5 · ", "epoch 2/3 batch 3/5 · ", "epoch 3/3 batch 3/5 · "} // after 2, 7 and 12 s
	if len(lines) != len(want) {
		t.Fatalf("without a terminal: %d lines, want %d:\n%s", len(lines), len(want), strings.Join(lines, "\n"))
	}
	for i := range want {
		if !strings.HasPrefix(lines[i], want[i]) || !strings.HasSuffix(lines[i], " left") {
			t.Errorf("line %d is %q, want %q first and the time that is left last", i, lines[i], want[i])
		}
	}
	drawn := show(func() int { return 60 })
	if n := strings.Count(drawn, "\r"); n < 60 || n > 64 {
		t.Errorf("on a terminal: %d drawings in 12.5 s, want five a second", n)
	}
	if strings.Contains(drawn, "\n") || !strings.HasSuffix(drawn, "\r\x1b[K") {
		t.Errorf("on a terminal the line does not stay one, or is left behind: …%q", drawn[max(0, len(drawn)-80):])
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(drawn, "\x1b[K", ""), "\r") {
		if n := utf8.RuneCountInString(part); n > 59 {
			t.Errorf("a drawing of %d columns on a terminal of 60: %q", n, part)
		}
	}
}

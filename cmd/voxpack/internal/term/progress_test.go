package term

import (
	"testing"
	"time"

	"voxpack/compiler"
)

func TestPaceLeavesOutWhatIsNotKnown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		now   compiler.Progress
		since time.Duration
		want  string
	}{
		{"nothing is done yet", compiler.Progress{Phase: "computing", Total: 13100}, 3 * time.Second, "0 of 13,100 rows"},
		{"the phase has just begun", compiler.Progress{Done: 64, Total: 13100}, time.Millisecond, "64 of 13,100 rows"},
		{"on the way", compiler.Progress{Done: 1000, Total: 13100}, 2 * time.Second, "1,000 of 13,100 rows, 500 rows/s, 24.2 s left"},
		{"slower than a row a second", compiler.Progress{Done: 1, Total: 3}, 4 * time.Second, "1 of 3 rows, 0.25 rows/s, 8.0 s left"},
		{"all done", compiler.Progress{Done: 13100, Total: 13100}, 2 * time.Second, "13,100 of 13,100 rows, 6,550 rows/s"},
	} {
		if got := pace(tt.now, tt.since); got != tt.want {
			t.Errorf("%s: pace = %q, want %q", tt.name, got, tt.want)
		}
	}
}

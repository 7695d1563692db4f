package perf

import (
	"testing"
	"time"
)

func TestSpansAreMeasuredFromTheStart(t *testing.T) {
	clock := time.Unix(100, 0)
	r := NewRecorder(func() time.Time { return clock })
	clock = clock.Add(2 * time.Second)
	end := r.Span("read")
	clock = clock.Add(3 * time.Second)
	end()
	got := r.Spans()
	want := Span{"read", 2 * time.Second, 5 * time.Second}
	if len(got) != 1 || got[0] != want {
		t.Errorf("Spans() = %v, want [%v]", got, want)
	}
}

func TestANilRecorderRecordsNothing(t *testing.T) {
	var r *Recorder
	r.Span("read")()
	if got := r.Spans(); got != nil {
		t.Errorf("Spans() = %v, want none", got)
	}
}

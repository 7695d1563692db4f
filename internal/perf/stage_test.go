package perf

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestStageSumsUpItsWorkers(t *testing.T) {
	s := NewStage("fill")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 250 {
				s.WaitIn(1 * time.Millisecond)
				s.Work(3*time.Millisecond, 32, 1000)
				s.WaitOut(2 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	flat := func(ms float64) Summary {
		return Summary{Count: 1000, TotalMS: 1000 * ms, MeanMS: ms, MinMS: ms, P50MS: ms, P95MS: ms, P99MS: ms, MaxMS: ms}
	}
	want := StageSummary{Name: "fill", Items: 32000, Bytes: 1000000, WaitIn: flat(1), Work: flat(3), WaitOut: flat(2)}
	if got := s.Summary(); got != want {
		t.Errorf("Summary() = %+v, want %+v", got, want)
	}
}

func TestStageSummaryKeepsItsJSONNames(t *testing.T) {
	got, err := json.Marshal(NewStage("copy").Summary())
	if err != nil {
		t.Fatal(err)
	}
	const summary = `{"count":0,"total_ms":0,"mean_ms":0,"std_ms":0,"min_ms":0,"p50_ms":0,"p95_ms":0,"p99_ms":0,"max_ms":0}`
	want := strings.ReplaceAll(`{"name":"copy","items":0,"bytes":0,"wait_in":S,"work":S,"wait_out":S}`, "S", summary)
	if string(got) != want {
		t.Errorf("JSON = %s, want %s", got, want)
	}
}

func TestANilStageAccountsForNothing(t *testing.T) {
	var s *Stage
	s.WaitIn(1)
	s.Work(1, 1, 1)
	s.Pass(1, 1)
	s.WaitOut(1)
	if got := s.Summary(); got != (StageSummary{}) || s.Items() != 0 || s.Bytes() != 0 {
		t.Errorf("Summary() = %+v, want zeros", got)
	}
}

package main

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"voxpack/internal/config"
)

// told is a config of these lines under data, translated: its problems, each as
// a line of its own.
func told(t *testing.T, lines string) []string {
	t.Helper()
	c, problems := config.Load("config.yaml", []byte("data:\n"+lines))
	_, problems = translate(c, problems)
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	return got
}

func TestMoreWorkersThanCoresAreSaid(t *testing.T) {
	cores := runtime.NumCPU()
	if got := told(t, fmt.Sprintf("  num_workers: %d\n", cores)); len(got) > 0 {
		t.Errorf("as many workers as cores: %q, want nothing", got)
	}
	got := told(t, fmt.Sprintf("  n_mels: 80\n  num_workers: %d\n", cores+1))
	want := []string{fmt.Sprintf("config.yaml:3:3: warning: data.num_workers: %d is more than the %s of this machine; no more are used", cores+1, count(cores, "core"))}
	if !slices.Equal(got, want) {
		t.Errorf("one worker more: %q, want %q", got, want)
	}
}

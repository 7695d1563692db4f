//go:build (amd64 || arm64) && !nogpu

package serve

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
)

// TestAFeederThatLostItsGPUTakesNoNewConsumers: those on the host go on until they
// leave, the address is free for another feeder at once, and every refusal names
// the process that has to end.
func TestAFeederThatLostItsGPUTakesNoNewConsumers(t *testing.T) {
	dir, change := onFake(t, "ECC_COPY", "2")
	d := dataset(t, 42)
	o := Options{Dataset: d, Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Socket: filepath.Join(t.TempDir(), "s")}
	change(&o)
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context()) }()
	onHost, idle := dialled(t, s), dialled(t, s)
	if err := onHost.start(map[string]any{"epochs": 0}); err != nil {
		t.Fatal(err)
	}
	request := map[string]any{"transport": "device", "gpu": GPU{UUID: fmt.Sprintf(fakeUUID, 0)}}
	process := fmt.Sprintf("process %d", os.Getpid())

	x := consumer(t, dir, s.Address(), "read", request)
	for x.lines.Scan() {
	}
	_ = x.Wait()
	if said := x.said.String(); !strings.Contains(said, "ECC") || strings.Count(said, process) != 1 {
		t.Errorf("the consumer heard %q, want the driver's error and %q once", said, process)
	}
	if _, err := net.Dial("unix", s.Address()); err == nil {
		t.Error("a feeder whose GPU is lost takes a new consumer")
	}
	if err := idle.start(request); err == nil || !strings.HasPrefix(err.Error(), "gpu: ") || strings.Count(err.Error(), process) != 1 {
		t.Errorf("start on the lost GPU = %v, want a gpu error that names %q once", err, process)
	}
	var next *Server
	until(t, "another feeder has the address", func() bool {
		next, err = Listen(o)
		return err == nil
	})
	for range 30 { // over an epoch, so that it is filled and not only read
		b, err := onHost.next()
		if err != nil {
			t.Fatalf("a consumer of host memory: %v", err)
		}
		onHost.giveBack(b)
	}
	onHost.close()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "ECC") {
		t.Errorf("Serve = %v, want the GPU's error", err)
	}
	if _, err := os.Stat(s.Address()); err != nil {
		t.Errorf("the end of the first feeder took the address of the second: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := next.Serve(ctx); err != nil {
		t.Errorf("Serve of the second = %v", err)
	}
}

// dialled is a consumer that has been greeted.
func dialled(t *testing.T, s *Server) *client {
	t.Helper()
	x, err := dial(s.Address())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return x
}

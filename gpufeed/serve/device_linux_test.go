//go:build (amd64 || arm64) && !nogpu

package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"voxpack/gpufeed"
	"voxpack/gpufeed/cuda"
	"voxpack/gpufeed/driver"
	"voxpack/gpufeed/fakecuda"
	"voxpack/gpufeed/plan"
)

// The GPUs of the C fake.
const (
	fakeUUID = "GPU-f0efeeed-eceb-eae9-e8e7-e6e5e4e3e2%02d"
	fakeBus  = "0000:%02d:00.0" // 1 and 2
)

// onFake lets a server have the C fake for its driver, with faults.
func onFake(t *testing.T, faults ...string) (dir string, change func(*Options)) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skipf("NOTICE: no python3, the device ring has no consumer: %v", err)
	}
	for i := 0; i < len(faults); i += 2 {
		t.Setenv("FAKECUDA_"+faults[i], faults[i+1])
	}
	dir = fakecuda.Build(t)
	return dir, func(o *Options) {
		o.Driver = func(name string) (driver.Driver, string, error) {
			if name != "cuda" {
				t.Errorf("driver %q was asked for, want cuda", name)
			}
			d, err := cuda.Load(filepath.Join(dir, fakecuda.Library))
			return d, "", err
		}
	}
}

// foreign is a consumer in a process of its own.
type foreign struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	said  bytes.Buffer // on stderr
}

// consumer starts one. env are further variables.
func consumer(t *testing.T, dir, address, mode string, request map[string]any, env ...string) *foreign {
	t.Helper()
	r, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	f := &foreign{Cmd: exec.CommandContext(t.Context(), "python3", filepath.Join("testdata", "consumer.py"),
		filepath.Join(dir, fakecuda.Library), address, mode, string(r))}
	f.Env = append(os.Environ(), env...)
	f.Stderr = &f.said
	if f.in, err = f.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := f.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	f.lines = bufio.NewScanner(out)
	f.lines.Buffer(nil, 1<<20)
	if err := f.Start(); err != nil {
		t.Fatal(err)
	}
	return f
}

// line is what it prints next.
func (f *foreign) line(t *testing.T) string {
	t.Helper()
	if !f.lines.Scan() {
		t.Fatalf("the consumer ended with %v: %s", f.Wait(), f.said.String())
	}
	return f.lines.Text()
}

// holds asks how much of GPU memory the feeder has taken.
func holds(t *testing.T, dir string) int64 { return fakecuda.Count(t, dir, "live_allocs") }

// TestADeviceRingGivesWhatAFeedGives: every byte, in every slot, in order, read
// by copies that the consumer queues and gives the slot back after: who does
// not wait for their event overwrites them, since the link takes its time.
func TestADeviceRingGivesWhatAFeedGives(t *testing.T) {
	d := dataset(t, 42)
	dir, change := onFake(t)
	s := serving(t, d, change)
	one := 1
	for _, tt := range []struct {
		name    string
		request map[string]any
		env     []string
	}{
		{"by uuid", map[string]any{"gpu": GPU{UUID: fmt.Sprintf(fakeUUID, 0)}}, nil},
		{"by bus, one slot", map[string]any{"gpu": GPU{Bus: fmt.Sprintf(fakeBus, 2)}, "gpu_batches": 1}, nil},
		{"by ordinal, on a GPU that is 0 for the consumer", map[string]any{"gpu": GPU{Ordinal: &one}}, []string{"CUDA_VISIBLE_DEVICES=1"}},
		{"by way of another GPU", map[string]any{"gpu": GPU{Ordinal: &one}, "data_gpu": GPU{Bus: fmt.Sprintf(fakeBus, 1)}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for k, v := range map[string]any{"transport": "device", "epochs": 2, "tail": "pad", "seed": 9} {
				tt.request[k] = v
			}
			x := consumer(t, dir, s.Address(), "read", tt.request, append(tt.env, "FAKECUDA_LATENCY_US=10000")...)
			f := inProcess(t, d, gpufeed.Config{Plan: plan.Options{Batch: 4, Tail: plan.Pad, Seed: 9, Epochs: 2}}, plan.Selection{})
			for {
				want, err := f.Next(t.Context())
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				sameLine(t, x.line(t), want)
				want.Release()
			}
			if got := x.line(t); got != "bye" {
				t.Errorf("after the last batch comes %q", got)
			}
			if err := x.Wait(); err != nil {
				t.Errorf("the consumer: %v: %s", err, x.said.String())
			}
			until(t, "the GPU's memory is free", func() bool { return holds(t, dir) == 0 })
			if n := fakecuda.Count(t, dir, "freed_while_shared"); n != 0 {
				t.Errorf("%d allocations were freed under the consumer", n)
			}
		})
	}
}

// sameLine compares a line of a consumer with a batch.
func sameLine(t *testing.T, line string, want gpufeed.Batch) {
	t.Helper()
	var seq uint64
	var rows, text string
	if _, err := fmt.Sscan(line, &seq, &rows, &text); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if wanted := strings.Trim(strings.ReplaceAll(fmt.Sprint(want.Rows), " ", ","), "[]"); seq != want.Seq || rows != wanted {
		t.Fatalf("batch %d with rows %s, want %d with %s", seq, rows, want.Seq, wanted)
	}
	got, err := hex.DecodeString(text)
	if err != nil || len(got) != want.Layout.Bytes {
		t.Fatalf("%d bytes, %v, want %d", len(got), err, want.Layout.Bytes)
	}
	for _, field := range want.Layout.Fields {
		at, end := field.Offset, field.Offset+want.Layout.Samples*field.Size
		if !bytes.Equal(got[at:end], want.Host[at:end]) {
			t.Errorf("batch %d: %s has other bytes", seq, field.Column.Name)
		}
	}
}

// TestAKilledConsumerFreesTheGPU: with batches in its hands, and one returned
// after work whose event nobody will ever set.
func TestAKilledConsumerFreesTheGPU(t *testing.T) {
	dir, change := onFake(t)
	s := serving(t, dataset(t, 42), change)
	for range 3 {
		x := consumer(t, dir, s.Address(), "hold", map[string]any{"transport": "device", "gpu": GPU{UUID: fmt.Sprintf(fakeUUID, 1)}}, "FAKECUDA_LATENCY_US=60000000")
		if got := x.line(t); got != "holding" {
			t.Fatal(got)
		}
		if holds(t, dir) != 1 {
			t.Error("the consumer holds batches, and the feeder has no memory for them")
		}
		if err := x.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		until(t, "slots and arena are free", func() bool { return holds(t, dir) == 0 && s.Sessions() == 0 })
		_ = x.Wait()
	}
	if n := fakecuda.Count(t, dir, "freed_while_shared"); n != 0 {
		t.Errorf("%d allocations were freed under the consumer", n)
	}
}

// TestAConsumerThatHangsUpKeepsTheMemory until its process has ended, when it
// does not say that it has closed it.
func TestAConsumerThatHangsUpKeepsTheMemory(t *testing.T) {
	dir, change := onFake(t)
	s := serving(t, dataset(t, 42), change)
	x := consumer(t, dir, s.Address(), "leave", map[string]any{"transport": "device", "gpu": GPU{UUID: fmt.Sprintf(fakeUUID, 0)}})
	if got := x.line(t); got != "gone" {
		t.Fatal(got)
	}
	time.Sleep(200 * time.Millisecond)
	if holds(t, dir) != 1 {
		t.Error("memory was freed that another process may read")
	}
	x.in.Close()
	until(t, "the memory is free", func() bool { return holds(t, dir) == 0 })
	if err := x.Wait(); err != nil {
		t.Errorf("the consumer: %v: %s", err, x.said.String())
	}
	if n := fakecuda.Count(t, dir, "freed_while_shared"); n != 0 {
		t.Errorf("%d allocations were freed under the consumer", n)
	}
}

// TestTheServersEndWaitsForConsumersOfTheGPU: they hear of it and let go first.
func TestTheServersEndWaitsForConsumersOfTheGPU(t *testing.T) {
	dir, change := onFake(t)
	o := Options{Dataset: dataset(t, 42), Config: gpufeed.Config{Plan: plan.Options{Batch: 4}}, Socket: filepath.Join(t.TempDir(), "s")}
	change(&o)
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	x := consumer(t, dir, s.Address(), "read", map[string]any{"transport": "device", "gpu": GPU{UUID: fmt.Sprintf(fakeUUID, 0)}})
	x.line(t)
	cancel()
	for x.line(t) != "bye" {
	}
	if err := <-done; err != nil {
		t.Errorf("Serve = %v", err)
	}
	if live := fakecuda.Live(t, dir); len(live) != 0 {
		t.Errorf("after the server there is %v", live)
	}
	if n := fakecuda.Count(t, dir, "freed_while_shared"); n != 0 {
		t.Errorf("%d allocations were freed under the consumer", n)
	}
	if err := x.Wait(); err != nil {
		t.Errorf("the consumer: %v: %s", err, x.said.String())
	}
}

// TestDeviceRefusals: what the feeder cannot give is said, with what to do, and leaves
// nothing behind.
func TestDeviceRefusals(t *testing.T) {
	d := dataset(t, 42)
	dir, change := onFake(t, "OOM_MB", "0.001")
	first := GPU{UUID: fmt.Sprintf(fakeUUID, 0)}
	none := func(o *Options) {
		o.Driver = func(string) (driver.Driver, string, error) {
			d, err := cuda.Load(filepath.Join(t.TempDir(), fakecuda.Library))
			return d, "", err
		}
	}
	for _, tt := range []struct {
		name    string
		change  func(*Options)
		request map[string]any
		want    []string
	}{
		{"no memory", change, map[string]any{"transport": "device", "gpu": first}, []string{"gpu: GPU 0: slots: out of memory", "take a smaller batch"}},
		{"no such GPU", change, map[string]any{"transport": "device", "gpu": GPU{UUID: "GPU-1"}}, []string{"gpu: no such GPU: GPU-1", first.UUID, "CUDA_VISIBLE_DEVICES", "transport host"}},
		{"no such data GPU", change, map[string]any{"transport": "device", "gpu": first, "data_gpu": GPU{Bus: "0000:99:00.0"}}, []string{"gpu: no such GPU: at 0000:99:00.0"}},
		{"no driver", none, map[string]any{"transport": "device", "gpu": first}, []string{"gpu: transport device: dlopen", "the transport host needs no GPU"}},
		{"a feeder without any", nil, map[string]any{"transport": "device", "gpu": first}, []string{"gpu: no such GPU: this feeder uses none"}},
		{"a GPU without a name", change, map[string]any{"transport": "device", "gpu": GPU{}}, []string{"request: ", "uuid, bus or ordinal"}},
		{"no GPU at all", change, map[string]any{"transport": "device"}, []string{"request: ", "a uuid, a bus or an ordinal"}},
		{"an unknown transport", change, map[string]any{"transport": "carrier"}, []string{`request: `, `"carrier": want host or device`}},
		{"a GPU on the host", change, map[string]any{"gpu": first}, []string{"request: ", "are for the transport device"}},
		{"no slot", change, map[string]any{"transport": "device", "gpu": first, "gpu_batches": -1}, []string{"request: ", "gpu_batches -1: want 0 to 4096"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serving(t, d, tt.change)
			x, err := dial(s.Address())
			if err != nil {
				t.Fatal(err)
			}
			defer x.close()
			err = x.start(tt.request)
			if err == nil {
				t.Fatal("the feeder started")
			}
			for _, text := range tt.want {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("start = %v, want %q in it", err, text)
				}
			}
			if tt.change == nil || strings.Contains(tt.name, "driver") {
				return
			}
			until(t, "nothing is left on the GPU", func() bool {
				live := fakecuda.Live(t, dir)
				return len(live) == 0
			})
		})
	}
}

// TestAGPUIsFoundByAnyOfItsNames: a MIG device too, whose uuid drivers give
// without the word that nvidia-smi puts before it.
func TestAGPUIsFoundByAnyOfItsNames(t *testing.T) {
	list := []driver.Info{
		{Ordinal: 0, UUID: "GPU-f0efeeed-eceb-eae9-e8e7-e6e5e4e3e200", Bus: "0000:65:00.0"},
		{Ordinal: 1, UUID: "GPU-00000000-eceb-eae9-e8e7-e6e5e4e3e201", Bus: "0000:b3:00.0"},
	}
	one := 1
	for _, tt := range []struct {
		gpu  GPU
		want int // -1: none
	}{
		{GPU{UUID: list[0].UUID}, 0},
		{GPU{UUID: strings.ToUpper(list[1].UUID)}, 1},
		{GPU{UUID: "MIG-00000000-eceb-eae9-e8e7-e6e5e4e3e201"}, 1},
		{GPU{UUID: "MIG-00000000-eceb-eae9-e8e7-e6e5e4e3e202"}, -1},
		{GPU{UUID: "GPU-"}, -1},
		{GPU{UUID: "f0efeeed"}, -1},
		{GPU{Bus: "0000:B3:00.0"}, 1},
		{GPU{Ordinal: &one}, 1},
		{GPU{}, -1},
	} {
		got, err := tt.gpu.find(list)
		if (err != nil) != (tt.want < 0) || err == nil && got != tt.want {
			t.Errorf("find(%+v) = %d, %v, want %d", tt.gpu, got, err, tt.want)
		}
	}
}

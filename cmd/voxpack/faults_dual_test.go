package main

import (
	"slices"
	"strings"
	"testing"

	"voxpack/gpufeed/fakecuda"
)

// TestWaysToTheModelGPU: whatever way a batch takes over the fake driver, its
// bytes are those of the host, limits hold, and the driver has everything back.
// Half of a copy moves when it begins and half when it ends, so that a slot
// which is filled again too early spoils the digest.
func TestWaysToTheModelGPU(t *testing.T) {
	if testing.Short() {
		t.Skip("feeds for some seconds")
	}
	t.Parallel()
	m := newMachine(t)
	const slow = "FAKECUDA_LATENCY_US=800" // longer than a batch takes to fill
	type way struct {
		name    string
		env     []string
		args    []string
		between string   // the counter of copies between GPUs; "" where there are none
		limits  [2]int64 // on GPU 0 and 1
	}
	ways := []way{
		{name: "direct", args: []string{"--mode", "direct"}},
		{name: "direct, GPU 0", args: []string{"--mode", "direct", "--model-gpu", "0"}, env: []string{slow}},
		{name: "direct with cache", args: []string{"--mode", "direct", "--cache", "on"}},
		{name: "dual with P2P", between: "p2p_bytes"},
		{name: "dual with P2P, slow", env: []string{slow}, between: "p2p_bytes"},
		{name: "dual with P2P, without cache", args: []string{"--cache", "off"}, env: []string{slow}, between: "p2p_bytes"},
		{name: "dual with P2P, from GPU 1 to 0", args: []string{"--data-gpu", "1", "--model-gpu", "0"}, between: "p2p_bytes"},
		{name: "dual without P2P", env: []string{"FAKECUDA_P2P=0"}, between: "staged_bytes"},
		{name: "dual without P2P, without cache", args: []string{"--cache", "off"}, env: []string{"FAKECUDA_P2P=0", slow}, between: "staged_bytes"},
		{name: "both roles on one of two", args: []string{"--mode", "dual", "--data-gpu", "1", "--model-gpu", "1"}, between: "d2d_bytes"},
		{name: "both roles on the only one", args: []string{"--mode", "dual"}, env: []string{"FAKECUDA_DEVICES=1", slow}, between: "d2d_bytes"},
		{name: "both roles on one, without cache", args: []string{"--mode", "dual", "--model-gpu", "0", "--cache", "off"}, between: "d2d_bytes"},
		{name: "limits", args: []string{"--data-gpu-memory", "4", "--model-gpu-memory", "3"}, between: "p2p_bytes", limits: [2]int64{4e6, 3e6}},
		{name: "limits without P2P", args: []string{"--data-gpu-memory", "3", "--model-gpu-memory", "2"}, env: []string{"FAKECUDA_P2P=0", slow}, between: "staged_bytes", limits: [2]int64{3e6, 2e6}},
		{name: "limits for both roles on one", args: []string{"--mode", "dual", "--model-gpu", "0", "--data-gpu-memory", "3", "--model-gpu-memory", "2"}, between: "d2d_bytes", limits: [2]int64{5e6, 0}},
		{name: "an older driver, without copies in batches", env: []string{"LD_LIBRARY_PATH=" + fakecuda.Build(t, "cuMemcpyBatchAsync")}, between: "p2p_bytes"},
	}
	plans := [][]string{
		{"--batch-size", "3", "--tail", "pad", "--seed", "7", "--epochs", "4"},
		{"--batch-size", "4", "--tail", "wrap", "--buckets", "180,240", "--epochs", "3"},
	}
	for _, plan := range plans {
		digests, ids := m.host(t, plan...)
		for _, w := range ways {
			t.Run(w.name+" "+strings.Join(plan, " "), func(t *testing.T) {
				t.Parallel()
				m.run(t, trial{env: w.env, args: slices.Concat(plan, []string{"--digest"}, w.args), others: true, check: func(t *testing.T, r *running) {
					if !slices.Equal(r.report.Digests, digests) || !slices.Equal(r.ids, ids) {
						t.Errorf("digests %q of %q, want %q of %q", r.report.Digests, r.ids, digests, ids)
					}
					checkWay(t, r, w.between)
					peaks(w.limits[0], w.limits[1])(t, r)
				}})
			})
		}
	}
}

// checkWay: batches went between GPUs the expected way, and no other.
func checkWay(t *testing.T, r *running, between string) {
	t.Helper()
	if r.counters["h2d_bytes"] == 0 || r.counters["d2h_bytes"] == 0 {
		t.Error("nothing was copied to a GPU and back")
	}
	for _, name := range []string{"p2p_bytes", "staged_bytes", "d2d_bytes"} {
		n := r.counters[name]
		if name == between && n == 0 {
			t.Errorf("%s is 0, want what went between GPUs", name)
		}
		if name != between && name != "d2d_bytes" && n != 0 { // the cache copies within a GPU
			t.Errorf("%s is %d, want 0", name, n)
		}
	}
}

// TestTheCacheSparesTheLink: behind the first epoch nothing crosses from the
// host, as the driver itself counts it. The ring holds one batch, since what is
// filled before a row has crossed crosses once more.
func TestTheCacheSparesTheLink(t *testing.T) {
	if testing.Short() {
		t.Skip("feeds for some seconds")
	}
	t.Parallel()
	m := newMachine(t)
	crossed := func(t *testing.T, epochs, cache string, env ...string) int64 {
		t.Helper()
		args := []string{"--batch-size", "3", "--tail", "pad", "--epochs", epochs, "--cache", cache, "--config", m.steady, "--prefetch-buffer-size", "1", "--workers", "1"}
		return m.run(t, trial{args: args, env: env, others: true}).counters["h2d_bytes"]
	}
	for name, env := range map[string]string{"P2P": "FAKECUDA_P2P=1", "no P2P": "FAKECUDA_P2P=0"} {
		t.Run(name, func(t *testing.T) {
			once, four := crossed(t, "1", "auto", env), crossed(t, "4", "auto", env)
			if once == 0 || four != once {
				t.Errorf("%d bytes crossed in one epoch and %d in four, want the same", once, four)
			}
			if without := crossed(t, "4", "off", env); without != 4*once {
				t.Errorf("without the cache %d bytes crossed in four epochs, want four times %d", without, once)
			}
		})
	}
}

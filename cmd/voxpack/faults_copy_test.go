//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import (
	"testing"

	"voxpack/diagnosis"
)

// oneSlot lets copies to a GPU and out of it alternate: the next one in waits
// for the only slot.
var oneSlot = []string{"--mode", "direct", "--cache", "off", "--model-gpu-memory", "1", "--digest"}

// copyFaults are copies that fail, do not end, or take long, and links that are
// not there. Copies are counted over all GPUs.
func copyFaults(m *machine) []*fault {
	const ecc, lost = `: GPU \d: cu\w+: CUDA_ERROR_ECC_UNCORRECTABLE \(214\); .*nvidia-smi -q -d ECC`, `: GPU \d: cu\w+: CUDA_ERROR_LAUNCH_FAILED \(719\); .*Xid`
	const hung = `: copy does not end: it was queued over 10s ago; .*see dmesg and nvidia-smi`
	resume, resumeFa := "the kernel's log and `nvidia-smi`, then `--resume`", "رویدادنامهٔ هسته و `nvidia-smi` را ببینید، سپس `--resume`"
	return []*fault{
		{
			en:     words{"two GPUs cannot write to each other", "each batch goes through the host a second time, with a note", "the direct way"},
			fa:     words{"دو پردازنده نمی‌توانند در حافظهٔ یکدیگر بنویسند", "هر دسته بار دوم از میزبان می‌گذرد، با یادداشتی", "راه مستقیم"},
			trials: []trial{{name: "staged", env: []string{"FAKECUDA_P2P=0"}, args: []string{"--digest"}, says: []string{"note: GPU 0 cannot write to GPU 1 directly: .*--data-gpu 1 saves that way"}, check: staged}},
		},
		{
			en:     words{"a link becomes slow", "the run goes on; the report names the link as `narrowest`, and a warning says by how much steps vary and what helps", "what the warning says"},
			fa:     words{"گذرگاهی کند می‌شود", "اجرا پیش می‌رود؛ گزارش آن گذرگاه را `narrowest` می‌نامد و هشداری می‌گوید گام‌ها چقدر کم و زیاد می‌شوند و چه چیزی کمک می‌کند", "آنچه هشدار می‌گوید"},
			trials: []trial{{name: "hundred times", env: []string{"FAKECUDA_GBPS=2", "FAKECUDA_SLOW_AFTER=25:100"}, args: []string{"--mode", "direct", "--epochs", "10", "--step-ms", "2"}, says: []string{`warning: steps vary by \d+ % .*: a copy takes .* ms, the trainer .* ms; --cache on`}, check: narrow}},
		},
		{
			en: words{"a copy fails: the memory of a GPU is damaged (ECC)", "an error with the stage, the first batch that was not delivered, the call and its code; what came before is sound", resume},
			fa: words{"رونوشتی شکست می‌خورد: حافظهٔ پردازنده آسیب دیده است (ECC)", "خطایی با نام مرحله، نخستین دسته‌ای که نرسید، فراخوانی و کد آن؛ آنچه پیش از آن رسیده بود درست است", resumeFa},
			trials: []trial{
				{name: "from the host", env: []string{"FAKECUDA_ECC_COPY=3"}, args: []string{"--mode", "direct"}, code: exitEnvironment, says: []string{`host to GPU 1: batch \d` + ecc}},
				{name: "after three epochs", env: []string{"FAKECUDA_ECC_COPY=31"}, args: oneSlot, code: exitEnvironment, says: []string{`host to GPU 1: batch 15` + ecc}, check: delivered(30)},
				{name: "between GPUs", env: []string{"FAKECUDA_ECC_COPY=4"}, args: []string{"--cache", "off", "--data-gpu-memory", "1"}, code: exitEnvironment, says: []string{`GPU 0 to GPU 1: batch 1` + ecc}, check: delivered(2)},
				{name: "into the cache", env: []string{"FAKECUDA_ECC_COPY=2"}, args: []string{"--data-gpu-memory", "1"}, code: exitEnvironment, says: []string{`host to GPU 0: batch 0` + ecc}},
				{name: "out of the cache", env: []string{"FAKECUDA_ECC_COPY=13"}, args: []string{"--mode", "direct", "--cache", "on", "--config", m.steady, "--prefetch-buffer-size", "1"}, code: exitEnvironment, says: []string{`host to GPU 1: batch \d` + ecc}, check: fromCache},
				{name: "back, for --digest", env: []string{"FAKECUDA_ECC_COPY=24"}, args: oneSlot, code: exitEnvironment, says: []string{`GPU 1 to host: batch 11` + ecc}, check: delivered(24)},
			},
		},
		{
			en: words{"a GPU is lost", "the same", resume},
			fa: words{"پردازنده‌ای از دست می‌رود", "همان", resumeFa},
			trials: []trial{
				{name: "before the first batch", env: []string{"FAKECUDA_LOST_AFTER=0"}, code: exitEnvironment, says: []string{`host to GPU 0: batch 0` + lost}, check: delivered(0)},
				{name: "direct", env: []string{"FAKECUDA_LOST_AFTER=24"}, args: oneSlot, code: exitEnvironment, says: []string{`host to GPU 1: batch 12` + lost}, check: delivered(24)},
				{name: "dual", env: []string{"FAKECUDA_LOST_AFTER=30"}, code: exitEnvironment, says: []string{`GPU \d: batch \d+` + lost}},
			},
		},
		{
			en: words{"a copy does not end", "after 10 s `copy does not end`, with the stage and the first batch that was not delivered, and within another second the end", resume},
			fa: words{"رونوشتی پایان نمی‌یابد", "پس از ۱۰ ثانیه `copy does not end`، با نام مرحله و نخستین دسته‌ای که نرسید، و تا یک ثانیه پس از آن پایان اجرا", resumeFa},
			trials: []trial{
				{name: "from the host", env: []string{"FAKECUDA_HANG_COPY=4"}, args: []string{"--mode", "direct"}, code: exitEnvironment, says: []string{`host to GPU 1: batch 3` + hung}, frozen: true, check: delivered(6)},
				{name: "between GPUs, with a shorter timeout", env: []string{"FAKECUDA_HANG_COPY=4"}, inside: "TestFeedWhoseCopyHangs", says: []string{`GPU 0 to GPU 1: batch 1: copy does not end`}, frozen: true},
				{name: "back, with a shorter timeout", env: []string{"FAKECUDA_HANG_COPY=12"}, inside: "TestFeedWhoseCopyBackHangs", says: []string{`GPU 1 to host: batch 5: copy does not end`}, frozen: true},
			},
		},
	}
}

// delivered checks how many samples came before the fault.
func delivered(n int) func(*testing.T, *running) {
	return func(t *testing.T, r *running) {
		if len(r.ids) != n {
			t.Errorf("%d samples came before it, want %d", len(r.ids), n)
		}
	}
}

// staged: every batch went through the host.
func staged(t *testing.T, r *running) {
	if c := r.counters; c["staged_copies"] != 20 || c["p2p_copies"] != 0 {
		t.Errorf("%d batches went through the host and %d did not, want all 20", c["staged_copies"], c["p2p_copies"])
	}
}

// narrow: the report names the link.
func narrow(t *testing.T, r *running) {
	limit := diagnosis.Targets(nil).Of(diagnosis.VariationTarget)
	if n := r.report.Narrowest; n == nil || n.Stage != "host to GPU 1" || r.report.Step.Variation <= limit {
		t.Errorf("narrowest is %+v and steps vary by %.0f %%, want the link and more than %g", n, r.report.Step.Variation, limit)
	}
}

// fromCache: the rows came from the host once, and the copy that failed was one
// of those behind. The batch that it was of can be one of the three that the
// GPU holds.
func fromCache(t *testing.T, r *running) {
	if n := r.counters["h2d_copies"]; n != 5 || len(r.ids) < 10 {
		t.Errorf("%d batches came from the host, and %d samples were delivered; want 5 batches, and all of the first epoch", n, len(r.ids))
	}
}

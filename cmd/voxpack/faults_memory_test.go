//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import "testing"

// peaks checks that no more of the GPUs' memory was taken than a limit says,
// at any time. 0 is no limit.
func peaks(data, model int64) func(*testing.T, *running) {
	return func(t *testing.T, r *running) {
		for name, limit := range map[string]int64{"device0_peak_bytes": data, "device1_peak_bytes": model} {
			if peak := r.counters[name]; limit > 0 && (peak == 0 || peak > limit) {
				t.Errorf("%s is %d, want something up to %d", name, peak, limit)
			}
		}
	}
}

// memoryFaults are GPUs and a host with too little memory. A batch of two takes
// 0.52 MB in a slot, all samples 2.6 MB in the cache.
func memoryFaults() []*fault {
	const mebi = 1 << 20
	return []*fault{
		{
			en: words{"a limit leaves no room for three batches on a GPU, or for the cache", "the GPU holds two batches or one, the cache a part of the rows, with notes; the limit holds", "`--data-gpu-memory`, `--model-gpu-memory`"},
			fa: words{"سقف حافظه روی پردازنده‌ای جای سه دسته، یا جای حافظهٔ نهان را نمی‌گذارد", "پردازنده دو یا یک دسته نگه می‌دارد و حافظهٔ نهان بخشی از سطرها را، با یادداشت؛ از سقف نمی‌گذرد", "`--data-gpu-memory` و `--model-gpu-memory`"},
			trials: []trial{
				{name: "one batch of three", args: []string{"--model-gpu-memory", "1", "--digest"}, says: []string{"note: GPU 1 holds 1 of 3 batches: .*the limit is 1.0 MB .--model-gpu-memory"}, check: peaks(0, 1e6)},
				{name: "a part of the cache", args: []string{"--data-gpu-memory", "3", "--digest"}, says: []string{"note: the cache on GPU 0 holds 1.5 MB of 2.6 MB; .*--data-gpu-memory"}, check: peaks(3e6, 0)},
				{name: "two batches and one", args: []string{"--data-gpu-memory", "1", "--model-gpu-memory", "2", "--mode", "dual"}, says: []string{"note: GPU 0 holds 1 of 3"}, check: peaks(1e6, 2e6)},
			},
		},
		{
			en: words{"a GPU has less memory than the feed would like, or refuses it", "half as much is tried until it fits, with notes", "end what else uses the GPU"},
			fa: words{"پردازنده کمتر از آنچه تغذیه می‌خواهد حافظه دارد، یا آن را نمی‌دهد", "هر بار نصف آن آزموده می‌شود تا جا شود، با یادداشت", "آنچه را دیگر از پردازنده بهره می‌گیرد پایان دهید"},
			trials: []trial{
				{name: "slots are refused", env: []string{"FAKECUDA_OOM_MB=1"}, args: []string{"--digest"}, says: []string{"note: GPU 0 holds 1 of 3", "note: GPU 1 holds 1 of 3"}, check: peaks(mebi, mebi)},
				{name: "the cache is refused", env: []string{"FAKECUDA_OOM_MB=3"}, args: []string{"--digest"}, says: []string{"note: the cache on GPU 0 holds 1.3 MB of 2.6 MB; the rest comes from the host in every epoch"}, check: peaks(3*mebi, 3*mebi)},
				{name: "little is free", env: []string{"FAKECUDA_FREE_MB=514"}, args: []string{"--digest"}, says: []string{"note: the cache on GPU 0 holds 0.5 MB of 2.6 MB"}, check: peaks(2*mebi, 2*mebi)},
				{name: "less is free", env: []string{"FAKECUDA_FREE_MB=513"}, says: []string{"note: GPU 0 holds 2 of 3", "note: GPU 1 holds 2 of 3"}, check: peaks(mebi*3/2, mebi*3/2)},
			},
		},
		{
			en: words{"not one batch fits on a GPU", "`out of memory` at the start, with what a batch needs, the limit and what is free", "a smaller batch, a higher limit"},
			fa: words{"یک دسته هم روی پردازنده جا نمی‌شود", "در آغاز `out of memory`، همراه با آنچه یک دسته می‌خواهد، سقف، و آنچه آزاد است", "دستهٔ کوچک‌تر یا سقف بالاتر"},
			trials: []trial{
				{name: "by the limit", args: []string{"--model-gpu-memory", "1", "--batch-size", "5"}, code: exitEnvironment, says: []string{"GPU 1: slots: out of memory; a batch needs 1.3 MB; the limit is 1.0 MB, free are 17179.9 MB: .*raise --model-gpu-memory"}},
				{name: "by what is free", env: []string{"FAKECUDA_FREE_MB=512.4"}, code: exitEnvironment, says: []string{"GPU 0: slots: out of memory; a batch needs 0.5 MB; .*free are 537.3 MB: .*nvidia-smi"}},
				{name: "it is refused", env: []string{"FAKECUDA_OOM_MB=0.4"}, code: exitEnvironment, says: []string{"GPU 0: slots: out of memory; a batch needs 0.5 MB; .*nvidia-smi"}},
			},
		},
		{
			en: words{"the host cannot pin enough memory", "half as many batches ahead are tried until they fit, with a note", "end what else has memory pinned, a smaller `--prefetch-buffer-size`"},
			fa: words{"میزبان نمی‌تواند به اندازهٔ کافی حافظه قفل (pin) کند", "هر بار نصف دسته‌های پیشاپیش آزموده می‌شود تا جا شود، با یادداشتی", "آنچه را دیگر حافظه قفل کرده پایان دهید، یا `--prefetch-buffer-size` کوچک‌تر"},
			trials: []trial{
				{name: "for four of 16", env: []string{"FAKECUDA_PIN_OOM_MB=3.9"}, args: []string{"--digest"}, says: []string{"note: the host could pin memory for 4 batches in place of 16; end what else has memory pinned"}},
				{name: "and the driver says another reason", env: []string{"FAKECUDA_PIN_OOM_MB=3.9", "FAKECUDA_PIN_CODE=304"}, args: []string{"--digest"}, says: []string{"note: the host could pin memory for 4 batches in place of 16"}},
				{name: "for one", env: []string{"FAKECUDA_PIN_OOM_MB=0.6"}, says: []string{"note: the host could pin memory for 1 batches in place of 16"}},
			},
		},
		{
			en: words{"the host cannot pin memory for one batch", "does not begin, and says what a batch needs", "a smaller batch, end what else has memory pinned"},
			fa: words{"میزبان نمی‌تواند برای یک دسته هم حافظه قفل (pin) کند", "آغاز نمی‌شود و می‌گوید یک دسته چقدر می‌خواهد", "دستهٔ کوچک‌تر، یا آنچه را دیگر حافظه قفل کرده پایان دهید"},
			trials: []trial{
				{name: "for the ring", env: []string{"FAKECUDA_PIN_OOM_MB=0.4"}, code: exitEnvironment, says: []string{`GPU 0: cuMemHostRegister: CUDA_ERROR_OUT_OF_MEMORY \(2\); a batch needs 0.5 MB of pinned host memory: take a smaller batch`}},
				{name: "and the driver says another reason", env: []string{"FAKECUDA_PIN_OOM_MB=0.4", "FAKECUDA_PIN_CODE=1"}, code: exitEnvironment, says: []string{`GPU 0: cuMemHostRegister: CUDA_ERROR_INVALID_VALUE \(1\); a batch needs 0.5 MB of pinned host memory`}},
				{name: "for --digest beside it", env: []string{"FAKECUDA_PIN_OOM_MB=0.6"}, args: []string{"--digest"}, code: exitEnvironment, says: []string{`GPU 1: cuMemHostRegister: CUDA_ERROR_OUT_OF_MEMORY \(2\); a batch needs 0.5 MB of pinned host memory`}},
			},
		},
	}
}

//lint:file-ignore ST1018 Persian is spelt with U+200C, and an escape in its place cannot be read.

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// autoAndCuda is a fault with both ways to ask for GPUs: one goes on without,
// the other does not begin. Both say why.
func autoAndCuda(name string, why string, env ...string) []trial {
	return []trial{
		{name: name + ", auto", env: env, args: []string{"--device", "auto"}, code: exitDone, says: []string{"note: batches stay on the host: .*" + why}},
		{name: name + ", cuda", env: env, code: exitEnvironment, says: []string{"voxpack: --device cuda: .*" + why}},
	}
}

// deviceFaults are GPUs and drivers that are not there, or not as they should be.
func deviceFaults(m *machine) []*fault {
	auto, autoFa := "`auto` stays on the host, with a note; `cuda` does not begin", "`auto` در میزبان می‌ماند، با یادداشتی؛ `cuda` آغاز نمی‌شود"
	none := autoAndCuda("no library", `libcuda\.so\.1 not found.*--device host needs none`, "LD_LIBRARY_PATH="+filepath.Dir(m.dataset))
	if libraries := realDrivers(); len(libraries) > 0 {
		none = nil // here is one
	}
	return []*fault{
		{
			en:     words{"there is no NVIDIA driver", auto, "`--device host` needs none"},
			fa:     words{"راه‌انداز NVIDIA نیست", autoFa, "`--device host` راه‌انداز نمی‌خواهد"},
			trials: none, codes: []int{exitDone, exitEnvironment},
		},
		{
			en: words{"there is a driver, but no GPU", auto, "`CUDA_VISIBLE_DEVICES`, `nvidia-smi`"},
			fa: words{"راه‌انداز هست و پردازندهٔ گرافیکی نیست", autoFa, "`CUDA_VISIBLE_DEVICES` و `nvidia-smi` را ببینید"},
			trials: append(autoAndCuda("none is visible", `CUDA_ERROR_NO_DEVICE \(100\).*CUDA_VISIBLE_DEVICES`, "CUDA_VISIBLE_DEVICES="),
				autoAndCuda("none is there", `CUDA_ERROR_NO_DEVICE \(100\)`, "FAKECUDA_DEVICES=0")...),
		},
		{
			en: words{"the driver cannot start: an empty library, another version than the kernel's module, GPUs that are not ready", auto + "; both say which of these it is", "what the message says"},
			fa: words{"راه‌انداز راه نمی‌افتد: کتابخانه‌ای تهی، نسخه‌ای جز نسخهٔ هسته، پردازنده‌هایی که آماده نیستند", autoFa + "؛ هر دو می‌گویند کدام است", "آنچه پیام می‌گوید"},
			trials: append(append(autoAndCuda("the toolkit's empty library", `CUDA_ERROR_STUB_LIBRARY \(34\).*LD_LIBRARY_PATH`, "FAKECUDA_INIT=34"),
				autoAndCuda("another version", `CUDA_ERROR_SYSTEM_DRIVER_MISMATCH \(803\).*restart the machine`, "FAKECUDA_INIT=803")...),
				autoAndCuda("not ready", `CUDA_ERROR_SYSTEM_NOT_READY \(802\).*nvidia-fabricmanager`, "FAKECUDA_INIT=802")...),
		},
		{
			en:     words{"the driver is older than 470 (CUDA 11.4)", auto, "a newer driver"},
			fa:     words{"راه‌انداز کهنه‌تر از ۴۷۰ (CUDA 11.4) است", autoFa, "راه‌انداز تازه‌تر"},
			trials: autoAndCuda("it lacks a function", "cuMemcpyPeerAsync not found.*too old, 470", "LD_LIBRARY_PATH="+m.old),
		},
		{
			en: words{"the driver fails in an unknown way", "does not begin, with `auto` neither: there is a GPU, and it does not work", "the kernel's log"},
			fa: words{"راه‌انداز به دلیلی ناشناخته شکست می‌خورد", "آغاز نمی‌شود، با `auto` هم: پردازنده‌ای هست و کار نمی‌کند", "رویدادنامهٔ هسته را ببینید"},
			trials: []trial{
				{name: "auto", env: []string{"FAKECUDA_INIT=999"}, args: []string{"--device", "auto"}, code: exitEnvironment, says: []string{`CUDA_ERROR_UNKNOWN \(999\).*Xid`}},
				{name: "cuda", env: []string{"FAKECUDA_INIT=999"}, code: exitEnvironment, says: []string{`CUDA_ERROR_UNKNOWN \(999\).*Xid`}},
			},
		},
		{
			en: words{"a GPU is asked for that is not there", "does not begin, and says which there are", "`--data-gpu`, `--model-gpu`"},
			fa: words{"پردازنده‌ای خواسته می‌شود که نیست", "آغاز نمی‌شود و می‌گوید کدام‌ها هستند", "`--data-gpu` و `--model-gpu`"},
			trials: []trial{
				{name: "to train", args: []string{"--model-gpu", "2"}, code: exitUsage, says: []string{"--model-gpu 2: there is no such GPU; there are 0 to 1"}},
				{name: "for the data", env: []string{"FAKECUDA_DEVICES=1"}, args: []string{"--data-gpu", "1"}, code: exitUsage, says: []string{"--data-gpu 1: there is no such GPU; there is GPU 0 alone"}},
			},
		},
		nvmlFault(m),
	}
}

// realDrivers are the drivers of this machine, which no folder of ours hides.
func realDrivers() (list []string) {
	for _, pattern := range []string{"/usr/lib*/libcuda.so.1", "/usr/lib/*/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1", "/lib/*/libcuda.so.1"} {
		found, _ := filepath.Glob(pattern)
		list = append(list, found...)
	}
	return list
}

// nvmlFault is a machine whose GPUs cannot be watched. A feed needs none of it.
func nvmlFault(m *machine) *fault {
	both := "LD_LIBRARY_PATH=" + m.driver + ":" + m.nvml
	steps := []string{"--steps", "60", "--step-ms", "10"} // some looks at the GPUs, ten in a second
	unknown := func(gpus ...int) func(*testing.T, *running) {
		return func(t *testing.T, r *running) {
			for _, gpu := range gpus {
				if d := r.report.Devices[gpu]; d.Utilisation != nil {
					t.Errorf("GPU %d is said to be busy %v %%, which nobody knows", gpu, *d.Utilisation)
				}
			}
		}
	}
	note := func(why string) []string { return []string{"note: GPU utilisation is not known: .*" + why} }
	return &fault{
		en: words{"GPUs cannot be watched: NVML is missing, of another version, or does not know or loses a GPU", "the run goes on; the report leaves out what is not known", "the note, where there is one"},
		fa: words{"پردازنده‌ها را نمی‌توان پایید: NVML نیست، از نسخهٔ دیگری است، یا پردازنده‌ای را نمی‌شناسد یا از دست می‌دهد", "اجرا پیش می‌رود؛ گزارش آنچه را دانسته نیست کنار می‌گذارد", "یادداشت، اگر باشد"},
		trials: []trial{
			{name: "missing", args: steps},
			{name: "no kernel module", env: []string{both, "FAKENVML_INIT=9"}, args: steps, check: unknown(0, 1)},
			{name: "another version", env: []string{both, "FAKENVML_INIT=18"}, args: steps, says: note("LIB_RM_VERSION_MISMATCH.*restart the machine"), check: unknown(0, 1)},
			{name: "a GPU that it does not know", env: []string{both, "FAKENVML_BUS0=00000000:41:00.0"}, args: steps, says: note(`NVML_ERROR_NOT_FOUND \(6\)`), check: unknown(0, 1)},
			{name: "lost from the start", env: []string{both, "FAKENVML_LOST=0"}, args: steps, check: unknown(0)},
			{name: "lost on the way", env: []string{both, "FAKENVML_LOST=0@4"}, args: steps},
			{name: "nothing to tell", env: []string{both, "FAKENVML_UNSUPPORTED=nvmlDeviceGetUtilizationRates,nvmlDeviceGetMemoryInfo"}, args: steps, check: unknown(0, 1)},
			{name: "watched, to compare with", env: []string{both}, args: steps, check: func(t *testing.T, r *running) {
				if d := r.report.Devices[0]; d.Utilisation == nil || !strings.HasPrefix(d.Name, "Fake GPU") {
					t.Errorf("nothing is known of %+v", d)
				}
			}},
		},
	}
}

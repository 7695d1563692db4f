package tune

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"voxpack/diagnosis"
	"voxpack/internal/perf"
)

// machine has 8 cores, 64 GB and two GPUs of 80 GB; the dataset is LJSpeech's, with
// 80 mels of 800 frames in float32.
func machine() Facts {
	return Facts{
		Cores: perf.Cores{Allowed: 8}, Processes: 1, Memory: 64e9, Pair: []int{1, 0},
		GPUs: []GPU{{Number: 0, Memory: 80e9, Major: 9}, {Number: 1, Memory: 80e9, Major: 9}},
		Dataset: &Dataset{Rows: 13_100, SampleBytes: 256_800, Frames: diagnosis.Lengths{P99: 800, Longest: 868},
			Tokens: diagnosis.Lengths{P99: 160, Longest: 240}},
	}
}

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(*Facts)
		setting string
		want    string // "": there is none
	}{
		{"a large machine takes the largest batch", func(*Facts) {}, "batch_size", "128"},
		{"the config's batch is kept", func(f *Facts) { f.Batch = 48 }, "batch_size", "48"},
		{"an eighth of the host's memory", func(f *Facts) { f.Memory = 8 * 8 * 64 * 256_800 }, "batch_size", "64"},
		{"one byte less is too little", func(f *Facts) { f.Memory = 8*8*64*256_800 - 1 }, "batch_size", "32"},
		{"a sixteenth of a GPU's memory", func(f *Facts) { f.GPUs[1].Memory = 16 * 3 * 32 * 256_800 }, "batch_size", "32"},
		{"one byte less is too little there too", func(f *Facts) { f.GPUs[1].Memory = 16*3*32*256_800 - 1 }, "batch_size", "16"},
		{"a GPU whose memory is not known binds nothing", func(f *Facts) { f.GPUs[1].Memory = 0 }, "batch_size", "128"},
		{"not more than the rows", func(f *Facts) { f.Dataset.Rows = 100 }, "batch_size", "64"},
		{"few rows", func(f *Facts) { f.Dataset.Rows = 10 }, "batch_size", "10"},
		{"nothing fits", func(f *Facts) { f.Memory = 1e6 }, "batch_size", "16"},
		{"no dataset", func(f *Facts) { f.Dataset = nil }, "batch_size", "32"},
		{"the rule of the depth", func(f *Facts) { f.Batch = 16 }, "prefetch_buffer_size", "4"},
		{"the ring grows to twice that", func(f *Facts) { f.Batch = 8 }, "pipeline_buffer_size", "16"},
		{"less where memory is small", func(f *Facts) { f.Batch, f.Memory = 8, 8*10*8*256_800 }, "pipeline_buffer_size", "10"},
		{"never less than the depth", func(f *Facts) { f.Batch, f.Memory = 8, 1e6 }, "pipeline_buffer_size", "8"},
		{"a core each", func(*Facts) {}, "num_workers", "8"},
		{"a quota counts", func(f *Facts) { f.Cores.Quota = 2.5 }, "num_workers", "3"},
		{"four fillers at most", func(*Facts) {}, "workers", "4"},
		{"processes share the cores", func(f *Facts) { f.Processes = 4 }, "workers", "2"},
		{"threads too", func(f *Facts) { f.Processes = 4 }, "OMP_NUM_THREADS", "2"},
		{"all rows where the tail is short", func(*Facts) {}, "max_mel_frames", "868"},
		{"99 % where it is long", func(*Facts) {}, "max_text_length", "160"},
		{"a quarter longer is still short", func(f *Facts) { f.Dataset.Tokens.Longest = 200 }, "max_text_length", "200"},
		{"no lengths without a dataset", func(f *Facts) { f.Dataset = nil }, "max_mel_frames", ""},
		{"the pair: data", func(*Facts) {}, "data_gpu", "1"},
		{"the pair: model", func(*Facts) {}, "model_gpu", "0"},
		{"the first two without a pair", func(f *Facts) { f.Pair = nil }, "model_gpu", "1"},
		{"one GPU does both", func(f *Facts) { f.GPUs, f.Pair = f.GPUs[:1], nil }, "data_gpu", "0"},
		{"and has no cap for data", func(f *Facts) { f.GPUs, f.Pair = f.GPUs[:1], nil }, "data-gpu-memory", ""},
		{"no GPU", func(f *Facts) { f.GPUs, f.Pair = nil, nil }, "model_gpu", ""},
		{"the dataset as a cache", func(f *Facts) { f.Batch = 16 }, "data-gpu-memory", "3381"}, // 13,164 samples
		{"at most 80 % of the GPU", func(f *Facts) { f.GPUs[1].Memory = 2e9 }, "data-gpu-memory", "1600"},
		{"the batches ahead where the model is", func(f *Facts) { f.Batch = 16 }, "model-gpu-memory", "17"},
		{"three of them at least", func(f *Facts) { f.Batch = 32 }, "model-gpu-memory", "25"},
		{"batches are copied ahead to a GPU", func(*Facts) {}, "prefetch_to_gpu", "true"},
		{"and not without one", func(f *Facts) { f.GPUs, f.Pair = nil, nil }, "prefetch_to_gpu", ""},
		{"shapes are fixed", func(*Facts) {}, "pad_to_fixed_length", "true"},
		{"mixed precision on tensor cores", func(*Facts) {}, "mixed_precision", "true"},
		{"none on old GPUs", func(f *Facts) { f.GPUs[0].Major = 6 }, "mixed_precision", "false"},
		{"nothing is said where it is not known", func(f *Facts) { f.GPUs[0].Major = 0 }, "mixed_precision", ""},
		{"nor of the type of autocast", func(f *Facts) { f.GPUs[0].Major = 0 }, "autocast", ""},
		{"nor without a GPU", func(f *Facts) { f.GPUs, f.Pair = nil, nil }, "policy", ""},
		{"processes share the workers of a trainer", func(f *Facts) { f.Processes, f.Config = 4, &diagnosis.Config{} }, "num_workers", "2"},
		{"a build has all cores", func(f *Facts) { f.Processes, f.Config = 4, &diagnosis.Config{Ours: true} }, "num_workers", "8"},
	} {
		f := machine()
		tt.change(&f)
		if got := valueOf(New(f, AnyFramework), tt.setting); got != tt.want {
			t.Errorf("%s: %s is %q, want %q", tt.name, tt.setting, got, tt.want)
		}
	}
}

// TestSharesOfMemoryBindOnSmallMachinesOnly: the largest batch is advised from so much
// memory on, which is less than anybody trains with.
func TestSharesOfMemoryBindOnSmallMachinesOnly(t *testing.T) {
	for _, tt := range []struct {
		name      string
		sample    uint64
		host, gpu uint64
	}{
		{"mels of 800 frames", 256_800, 2.2e9, 1.6e9},
		{"with sound at 22,050 Hz", 256_800 + 800*256*2, 5.5e9, 4.1e9},
	} {
		batch := func(host, gpu uint64) string {
			f := machine()
			f.Dataset.SampleBytes, f.Memory, f.GPUs[0].Memory, f.GPUs[1].Memory = tt.sample, host, gpu, gpu
			return valueOf(New(f, AnyFramework), "batch_size")
		}
		if got := batch(tt.host, tt.gpu); got != "128" {
			t.Errorf("%s: %s with %d and %d bytes, want 128", tt.name, got, tt.host, tt.gpu)
		}
		if a, b := batch(tt.host*9/10, 80e9), batch(64e9, tt.gpu*9/10); a == "128" || b == "128" {
			t.Errorf("%s: %s and %s with a tenth less, want less: the comment on the shares says so", tt.name, a, b)
		}
	}
}

// TestWhatToDoWithoutMemoryPassesACheck: no step that tune advises is an error of
// check's, whatever the batch size.
func TestWhatToDoWithoutMemoryPassesACheck(t *testing.T) {
	for _, batch := range []string{"8", "16", "32", "128"} {
		c := &diagnosis.Config{Cores: 8, Settings: []diagnosis.Setting{{Name: "batch_size", Value: batch},
			{Name: "prefetch_buffer_size", Path: "data.prefetch_buffer_size", Value: strconv.Itoa(diagnosis.LeastAhead)},
			{Name: "pipeline_buffer_size", Path: "data.pipeline_buffer_size", Value: strconv.Itoa(diagnosis.LeastPipeline)}}}
		for _, s := range diagnosis.Audit(c) {
			for _, v := range s.Found {
				if v.Grave() {
					t.Errorf("batches of %s: %s", batch, v.Text())
				}
			}
		}
	}
	if step := OutOfMemory()[0]; step.What != "2 and 3" {
		t.Errorf("the first step is %q", step.What)
	}
}

func TestWhatTheConfigSaysIsGiven(t *testing.T) {
	f := machine()
	f.Batch = 48
	if got := item(New(f, AnyFramework), "batch_size").Basis; got != Given {
		t.Errorf("basis %q, want %q", got, Given)
	}
	f.Batch = 0
	if got := item(New(f, AnyFramework), "batch_size").Basis; got != diagnosis.Computed {
		t.Errorf("basis %q, want %q", got, diagnosis.Computed)
	}
}

func TestVariables(t *testing.T) {
	for _, tt := range []struct {
		name, now, variable, want string
	}{
		{"alone", "", "PYTORCH_ALLOC_CONF", "expandable_segments:True"},
		{"beside others", "max_split_size_mb:128", "PYTORCH_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:128"},
		{"what is said stays", "expandable_segments:False, a:1", "PYTORCH_ALLOC_CONF", "expandable_segments:False, a:1"},
		{"flags beside others", "--tf_xla_clustering_debug", "TF_XLA_FLAGS", "--tf_xla_clustering_debug --tf_xla_auto_jit=2"},
		{"a flag that is said stays", "--tf_xla_auto_jit=fusible", "TF_XLA_FLAGS", "--tf_xla_auto_jit=fusible"},
		{"nothing takes the place of what a shell would run", "$(reboot)", "TF_XLA_FLAGS", ""},
		{"nor of what a terminal obeys", "a:\x1b[2J", "PYTORCH_ALLOC_CONF", ""},
		{"nor of what is too long", strings.Repeat("a", maxKept+1), "TF_XLA_FLAGS", ""},
		{"a variable of one value is replaced whatever it has", "$(reboot)", "CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
	} {
		f := machine()
		f.Environment = map[string]string{tt.variable: tt.now}
		if got := valueOf(New(f, AnyFramework), tt.variable); got != tt.want {
			t.Errorf("%s: %s=%q, want %q", tt.name, tt.variable, got, tt.want)
		}
	}
	f := machine()
	f.Environment = map[string]string{"PYTORCH_CUDA_ALLOC_CONF": "a:1"}
	a := New(f, AnyFramework)
	if got := valueOf(a, "PYTORCH_CUDA_ALLOC_CONF"); got != "expandable_segments:True,a:1" || valueOf(a, "PYTORCH_ALLOC_CONF") != "" {
		t.Errorf("the older name that is set: %q", got)
	}
}

func TestVariablesAreForTheFrameworkAndTheMachine(t *testing.T) {
	names := func(f Facts, framework Framework) (list []string) {
		for _, v := range New(f, framework).Environment {
			list = append(list, v.Name)
		}
		return list
	}
	f := machine()
	if got := names(f, Torch); !slices.Equal(got, []string{"OMP_NUM_THREADS", "CUDA_DEVICE_ORDER", "PYTORCH_ALLOC_CONF"}) {
		t.Errorf("torch: %v", got)
	}
	if got := names(f, TensorFlow); !slices.Equal(got, []string{"CUDA_DEVICE_ORDER", "TF_FORCE_GPU_ALLOW_GROWTH", "TF_XLA_FLAGS"}) {
		t.Errorf("TensorFlow: %v", got)
	}
	f.GPUs, f.Pair = f.GPUs[:1], nil
	if got := names(f, Torch); !slices.Equal(got, []string{"OMP_NUM_THREADS", "PYTORCH_ALLOC_CONF"}) {
		t.Errorf("one GPU, which has one number in any order: %v", got)
	}
	f = machine()
	f.KeepOrder = true
	if got := names(f, AnyFramework); slices.Contains(got, "CUDA_DEVICE_ORDER") {
		t.Errorf("numbers in CUDA_VISIBLE_DEVICES: %v", got)
	}
	f = Facts{}
	if got := names(f, AnyFramework); !slices.Equal(got, []string{"OMP_NUM_THREADS"}) {
		t.Errorf("no GPU: %v", got)
	}
}

// TestWhyAValue: the reason follows the facts, and where it comes from is named.
func TestWhyAValue(t *testing.T) {
	for _, tt := range []struct {
		name    string
		change  func(*Facts)
		setting string
		basis   Basis
		why     string
	}{
		{"the largest that fits", func(*Facts) {}, "batch_size", diagnosis.Computed, "the largest of 16 to 128 that fits; a batch is 32.9 MB"},
		{"no dataset", func(f *Facts) { f.Dataset = nil }, "batch_size", Table, "the default, because no dataset is here"},
		{"a small dataset", func(f *Facts) { f.Dataset.Rows = 1 }, "batch_size", diagnosis.Computed, "the dataset has only 1 row"},
		{"a small memory", func(f *Facts) { f.Memory = 1e6 }, "batch_size", diagnosis.Computed, "the smallest: a batch is 4.1 MB, which is much for this memory"},
		{"processes share", func(f *Facts) { f.Processes, f.Config = 4, &diagnosis.Config{} }, "num_workers", diagnosis.Measured, "the cores that this process may use, shared by 4 processes"},
		{"a ring that memory bounds", func(f *Facts) { f.Batch, f.Memory = 8, 1e6 }, "pipeline_buffer_size", diagnosis.Computed, "more would take over an eighth of the memory"},
		{"rows of one length", func(f *Facts) { f.Dataset.Frames.P99 = 868 }, "max_mel_frames", diagnosis.Measured, "fits all rows"},
		{"a few longer rows", func(*Facts) {}, "max_mel_frames", diagnosis.Measured, "fits all rows; 800 fits 99 %"},
		{"a long tail", func(*Facts) {}, "max_text_length", diagnosis.Measured, "fits 99 % of the rows; all need 240, which pads the others much"},
		{"the best pair", func(*Facts) {}, "data_gpu", diagnosis.Measured, "the pair whose copies are cheapest"},
		{"no pair is known", func(f *Facts) { f.Pair = nil }, "model_gpu", diagnosis.Computed, "the first two: how GPUs hang together is not known"},
		{"one GPU", func(f *Facts) { f.GPUs, f.Pair = f.GPUs[:1], nil }, "model_gpu", diagnosis.Measured, "the only GPU"},
		{"a cache of all", func(*Facts) {}, "data-gpu-memory", diagnosis.Computed, "3 batches, and the whole dataset as a cache"},
		{"a cache of a part", func(f *Facts) { f.GPUs[1].Memory = 2e9 }, "data-gpu-memory", diagnosis.Computed, "80 % of GPU 1: the dataset does not fit whole"},
		{"the oldest GPU decides", func(f *Facts) { f.GPUs[0].Major, f.GPUs[0].Minor = 6, 1 }, "autocast", Table, "tensor cores came with compute capability 7.0, here it is 6.1"},
		{"its minor number too", func(f *Facts) { f.GPUs[0].Minor, f.GPUs[1].Minor = 2, 1 }, "mixed_precision", Table, "tensor cores (compute capability 9.1) take halves; weights stay float32"},
		{"bfloat16 came with 8.0", func(f *Facts) { f.GPUs[1].Major, f.GPUs[1].Minor = 7, 5 }, "autocast", Table, "tensor cores (compute capability 7.5) take float16; weights stay float32"},
	} {
		f := machine()
		tt.change(&f)
		if got := item(New(f, AnyFramework), tt.setting); got.Basis != tt.basis || got.Why != tt.why {
			t.Errorf("%s: %s is %s: %q, want %s: %q", tt.name, tt.setting, got.Basis, got.Why, tt.basis, tt.why)
		}
	}
	seen := map[string]bool{}
	a := New(machine(), AnyFramework)
	for _, i := range slices.Concat(a.Environment, a.Settings) {
		if seen[i.Name] || i.Rule == "" || i.Source == "" || i.Why == "" || strings.HasSuffix(i.Why, ".") || i.Value == nil || (i.Place == InEnvironment) != (strings.ToUpper(i.Name) == i.Name) {
			t.Errorf("%+v: want one of a name, with a value, why, rule and source", i)
		}
		seen[i.Name] = true
	}
	names := VariableNames()
	for _, want := range []string{"OMP_NUM_THREADS", "PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF", "XLA_PYTHON_CLIENT_PREALLOCATE"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s among %q", want, names)
		}
	}
	if list := OutOfMemory(); len(list) != 4 || list[3].Name != "batch_size" {
		t.Errorf("%+v: want what is trained on last", list)
	} else if list[0].Name = "changed"; OutOfMemory()[0].Name == "changed" {
		t.Error("who reads the steps can change them")
	}
}

func TestGaps(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Facts)
		want   []Gap
	}{
		{"all seen but the model", func(*Facts) {}, []Gap{NoModel}},
		{"nothing seen", func(f *Facts) { *f = Facts{} }, []Gap{NoGPU, NoMemory, NoDataset, NoModel}},
		{"two GPUs of which nothing is known", func(f *Facts) { f.Pair, f.GPUs[1].Major = nil, 0 }, []Gap{NoCapability, NoPair, NoModel}},
		{"rows that were too long", func(f *Facts) { f.Dataset.Untold = 3 }, []Gap{NoLengths, NoModel}},
		{"a variable that cannot be kept", func(f *Facts) { f.Environment = map[string]string{"TF_XLA_FLAGS": "`x`"} }, []Gap{NoKeep, NoModel}},
		{"GPUs by numbers", func(f *Facts) { f.KeepOrder = true }, []Gap{NoOrder, NoModel}},
	} {
		f := machine()
		tt.change(&f)
		if got := New(f, AnyFramework).Unseen; !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// FuzzKeptVariables: whatever a variable of the process holds, the advice is one
// that follows itself, and no shell runs a part of it.
func FuzzKeptVariables(f *testing.F) {
	f.Add("max_split_size_mb:128,expandable_segments")
	f.Add("--tf_xla_auto_jit --x=$(y)")
	f.Fuzz(func(t *testing.T, now string) {
		for _, name := range []string{"PYTORCH_ALLOC_CONF", "TF_XLA_FLAGS"} {
			facts := machine()
			facts.Environment = map[string]string{name: now}
			first := valueOf(New(facts, AnyFramework), name)
			if !keepable(now) {
				if first != "" {
					t.Errorf("%s=%q of %q, which cannot be kept", name, first, now)
				}
				continue
			}
			if first != now && !keepable(first) && len(first) <= maxKept {
				t.Errorf("%s=%q of %q", name, first, now)
			}
			facts.Environment[name] = first
			if again := valueOf(New(facts, AnyFramework), name); again != first && len(first) <= maxKept {
				t.Errorf("%s: %q, then %q", name, first, again)
			}
		}
	})
}

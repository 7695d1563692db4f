package diagnose

import (
	"fmt"
	"io"
	"strings"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis/tune"
)

// tunedFacts is what was seen.
type tunedFacts struct {
	Cores     int           `json:"cores"`   // that this process may use
	Allowed   int           `json:"allowed"` // that it may be scheduled on
	Quota     float64       `json:"quota"`   // of its control groups, in cores; 0: none
	Processes int           `json:"processes"`
	Memory    uint64        `json:"memory_bytes"` // 0: not known
	GPUs      []tunedGPU    `json:"gpus"`
	Dataset   *tunedDataset `json:"dataset"` // null: none
}

type tunedGPU struct {
	GPU        int    `json:"gpu"`
	Name       string `json:"name"`
	Memory     uint64 `json:"memory_bytes"` // 0: not known
	Capability string `json:"compute_capability"`
}

type tunedDataset struct {
	Rows        int    `json:"rows"`
	SampleBytes uint64 `json:"sample_bytes"`
	Frames99    int    `json:"frames_99"`
	FramesMost  int    `json:"frames_most"`
	Tokens99    int    `json:"tokens_99"`
	TokensMost  int    `json:"tokens_most"`
	Untold      int    `json:"untold"`
}

func factsPage(f tune.Facts) tunedFacts {
	t := tunedFacts{Cores: f.Cores.Usable(), Allowed: f.Cores.Allowed, Quota: f.Cores.Quota, Processes: f.Processes, Memory: f.Memory, GPUs: []tunedGPU{}}
	for _, g := range f.GPUs {
		gpu := tunedGPU{GPU: g.Number, Name: g.Name, Memory: g.Memory}
		if g.Major > 0 {
			gpu.Capability = fmt.Sprintf("%d.%d", g.Major, g.Minor)
		}
		t.GPUs = append(t.GPUs, gpu)
	}
	if d := f.Dataset; d != nil {
		t.Dataset = &tunedDataset{d.Rows, d.SampleBytes, d.Frames.P99, d.Frames.Longest, d.Tokens.P99, d.Tokens.Longest, d.Untold}
	}
	return t
}

// gapText says what could not be seen, and what follows from that.
func gapText(gap tune.Gap, f tune.Facts) string {
	switch gap {
	case tune.NoGPU:
		return "no GPU: nothing is said of GPUs, their variables and mixed precision"
	case tune.NoCapability:
		return "the compute capability of a GPU, and so whether mixed precision pays"
	case tune.NoPair:
		return "how the GPUs hang together: see voxpack topo"
	case tune.NoOrder:
		return "CUDA_VISIBLE_DEVICES has numbers, which CUDA_DEVICE_ORDER would change: it is left as it is"
	case tune.NoMemory:
		return "the memory of this machine: batches are not held against it"
	case tune.NoDataset:
		return "no dataset: nothing is said of shapes, caps and the size of batches"
	case tune.NoLengths:
		return fmt.Sprintf("the lengths of %s that an older version refused as too long: build again", term.Count(f.Dataset.Untold, "row"))
	}
	return "what the model takes of a GPU: only a training tells"
}

// page is what tune says for people. The two blocks in the middle can be pasted into
// a shell and into voxpack.yaml.
func (t *tuned) page(w io.Writer) {
	field := term.Fields(w, 9)
	t.Facts.page(field)
	if t.Config != "" {
		field("config", "%s", term.Quoted(t.Config))
	}
	if t.Verified {
		t.differences(field)
	} else {
		fmt.Fprintln(w)
		t.shell(w, "export ")
		fmt.Fprintln(w)
		t.yaml(w)
		fmt.Fprintln(w)
		t.rest(field)
	}
	if t.Written != "" {
		field("written", "%s", term.Quoted(t.Written))
	}
	n := 0
	for _, gap := range t.Unseen {
		for _, line := range term.Wrapped(gap.Text) {
			field(term.First(n, "unseen"), "%s", line)
			n++
		}
	}
}

func (f tunedFacts) page(field func(string, string, ...any)) {
	quota := "no quota"
	if f.Quota > 0 {
		quota = fmt.Sprintf("a quota of %.4g", f.Quota)
	}
	field("cores", "%d usable: %d allowed, %s", f.Cores, f.Allowed, quota)
	if f.Processes > 1 {
		field("", "shared by %d processes", f.Processes)
	}
	if f.Memory > 0 {
		field("memory", "%s", term.Size(int64(f.Memory)))
	}
	for _, g := range f.GPUs {
		about := []string{}
		if g.Name != "" {
			about = append(about, g.Name)
		}
		if g.Memory > 0 {
			about = append(about, term.Size(int64(g.Memory)))
		}
		if g.Capability != "" {
			about = append(about, "compute capability "+g.Capability)
		}
		for i, line := range term.Wrapped(strings.Join(about, ", ")) {
			field(term.First(i, fmt.Sprintf("GPU %d", g.GPU)), "%s", line)
		}
	}
	if d := f.Dataset; d != nil {
		field("dataset", "%s, %s a sample", term.Count(d.Rows, "row"), term.Size(int64(d.SampleBytes)))
		field("", "frames: %d fit 99 %%, %d all", d.Frames99, d.FramesMost)
		field("", "tokens: %d fit 99 %%, %d all", d.Tokens99, d.TokensMost)
	}
}

// rest is what no file has: settings that are flags or Python's, commands, and what
// to do when memory runs out.
func (t *tuned) rest(field func(string, string, ...any)) {
	n := 0
	for _, s := range t.Settings {
		if s.Place == tune.InConfig {
			continue
		}
		name := s.Flag
		if s.Place == tune.InFramework {
			name = fmt.Sprintf("%s: %s", s.Framework, s.Name)
		}
		lines := append([]string{fmt.Sprintf("%s %v", name, s.Value)}, term.Wrapped(fmt.Sprintf("%s: %s", s.Basis, s.Why))...)
		for _, line := range lines {
			field(term.First(n, "besides"), "%s", line)
			n++
		}
	}
	for i, command := range t.Train {
		field(term.First(i, "train"), "%s", command)
	}
	for i, command := range t.Watch {
		field(term.First(i, "watch"), "%s", command)
	}
	n = 0
	for i, s := range t.OutOfMemory {
		for _, line := range term.Wrapped(fmt.Sprintf("%d. %s: %s (%s)", i+1, s.Name, s.What, s.Why)) {
			field(term.First(n, "no memory"), "%s", line)
			n++
		}
	}
}

// differences are what --verify found.
func (t *tuned) differences(field func(string, string, ...any)) {
	if len(t.Differs) == 0 {
		field("differs", "nothing: all is as advised")
	}
	for i, d := range t.Differs {
		found := "is not set"
		if d.Found != nil {
			found = fmt.Sprintf("is %v", d.Found)
		}
		name := d.Name
		if d.Path != "" {
			name = fmt.Sprintf("%s (line %d)", d.Path, d.Line)
		}
		field(term.First(i, "differs"), "%s %s", name, found)
		field("", "  wanted: %v", d.Wanted)
		for _, line := range term.Wrapped(d.Why) {
			field("", "  %s", line)
		}
	}
}

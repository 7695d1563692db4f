package tune

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"voxpack/diagnosis"
)

// variable is a row of the table of environment variables. Only those are in it
// whose effect their makers document, and that suit every trainer: one that helps
// some and harms others needs a measurement, and no table.
type variable struct {
	name, older string
	framework   Framework
	gpus        int  // nothing to set with fewer of them
	keeps       bool // what the process has stays in the value
	basis       Basis
	why         string
	rule        string
	source      string
	value       func(f *Facts, now string) string // now is what the process has, and can be kept
}

var variables = []variable{
	{
		name: "OMP_NUM_THREADS", framework: Torch, basis: diagnosis.Measured,
		why:    "one thread for each core; torchrun sets 1 where nobody says more",
		rule:   "usable cores / processes of this training on this machine",
		source: "PyTorch documentation, Threading Environment Variables",
		value:  func(f *Facts, _ string) string { return strconv.Itoa(f.cores()) },
	},
	{
		name: "CUDA_DEVICE_ORDER", gpus: 2, basis: Table,
		why:    "numbers of GPUs mean the same in voxpack, nvidia-smi and the trainer",
		rule:   "of two GPUs and more, unless CUDA_VISIBLE_DEVICES has numbers",
		source: "CUDA Programming Guide, CUDA Environment Variables",
		value:  func(*Facts, string) string { return "PCI_BUS_ID" },
	},
	{
		name: "PYTORCH_ALLOC_CONF", older: "PYTORCH_CUDA_ALLOC_CONF", framework: Torch, gpus: 1, keeps: true, basis: Table,
		why:    "segments that grow fall apart less than fixed ones; torch before 2.9 reads PYTORCH_CUDA_ALLOC_CONF alone",
		rule:   "expandable_segments:True, unless the variable says otherwise",
		source: "PyTorch documentation, CUDA semantics: Memory management",
		value:  func(_ *Facts, now string) string { return withOption(now, "expandable_segments", "True") },
	},
	{
		name: "TF_FORCE_GPU_ALLOW_GROWTH", framework: TensorFlow, gpus: 1, basis: Table,
		why:    "takes GPU memory as it needs it, instead of all of it: batches lie there too",
		rule:   "always",
		source: "TensorFlow guide, Use a GPU: Limiting GPU memory growth",
		value:  func(*Facts, string) string { return "true" },
	},
	{
		name: "TF_XLA_FLAGS", framework: TensorFlow, gpus: 1, keeps: true, basis: Table,
		why:    "shapes never change, so one compilation serves all steps",
		rule:   "--tf_xla_auto_jit=2 beside the other flags, unless they say otherwise",
		source: "TensorFlow documentation, XLA: auto-clustering",
		value:  func(_ *Facts, now string) string { return withFlag(now, "--tf_xla_auto_jit", "2") },
	},
	{
		name: "XLA_PYTHON_CLIENT_PREALLOCATE", framework: JAX, gpus: 1, basis: Table,
		why:    "takes GPU memory as it needs it, instead of 75 % of it at the start: batches lie there too",
		rule:   "always",
		source: "JAX documentation, GPU memory allocation",
		value:  func(*Facts, string) string { return "false" },
	},
}

// VariableNames are the names of all variables that are advised, older ones too.
func VariableNames() []string {
	var names []string
	for _, v := range variables {
		if names = append(names, v.name); v.older != "" {
			names = append(names, v.older)
		}
	}
	return names
}

// fits reports whether a variable is for this machine and framework.
func (v *variable) fits(f *Facts, framework Framework) bool {
	if !wanted(v.framework, framework) || len(f.GPUs) < v.gpus {
		return false
	}
	return v.name != "CUDA_DEVICE_ORDER" || !f.KeepOrder
}

// item is the variable with its value, under the name that the process has. It is
// false where the process has a value that cannot be kept: in its place another would
// take settings away that somebody made.
func (v *variable) item(f *Facts) (Item, bool) {
	name := v.name
	// torch reads the older name first where both are set.
	if v.older != "" && f.Environment[v.older] != "" {
		name = v.older
	}
	now := f.Environment[name]
	return Item{Name: name, Older: v.older, Place: InEnvironment, Framework: v.framework, Value: v.value(f, now), Basis: v.basis,
		Why: v.why, Rule: v.rule, Source: v.source}, !v.keeps || keepable(now)
}

// maxKept bounds what is kept of a variable of the process.
const maxKept = 1024

// keepable reports whether a value may stay in a variable: printable ASCII, which a
// shell and a file of variables hold without doubt.
func keepable(now string) bool {
	odd := func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune("'\"\\`$", r) }
	return len(now) <= maxKept && strings.IndexFunc(now, odd) < 0
}

// withOption adds an option to a list as in "a:1,b:2", unless it is there.
func withOption(now, name, value string) string {
	list := slices.DeleteFunc(strings.Split(now, ","), func(s string) bool { return strings.TrimSpace(s) == "" })
	for _, option := range list {
		if key, _, _ := strings.Cut(option, ":"); strings.TrimSpace(key) == name {
			return now
		}
	}
	return strings.Join(append([]string{fmt.Sprintf("%s:%s", name, value)}, list...), ",")
}

// withFlag adds a flag to a line of flags, unless it is there.
func withFlag(now, name, value string) string {
	list := strings.Fields(now)
	for _, flag := range list {
		if key, _, _ := strings.Cut(flag, "="); key == name {
			return now
		}
	}
	return strings.Join(append(list, name+"="+value), " ")
}

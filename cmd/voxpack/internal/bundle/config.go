package bundle

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"voxpack/diagnosis/tune"
	"voxpack/internal/config"
)

// configMember is what is told of a config.
type configMember struct {
	Program  string          `json:"program"`
	Settings []configSetting `json:"settings"`
	Others   int             `json:"others"` // keys that voxpack does not know
}

// configSetting is a key that voxpack knows, by its own name for it.
type configSetting struct {
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value"`
}

// config lists the settings. Sections are left out: their names are the user's.
func (s *scrubber) config(t *config.Trainer) *configMember {
	if t == nil {
		return nil
	}
	s.plain[t.Program] = true // out of a table
	known, others := t.Known()
	m := &configMember{Program: t.Program, Settings: []configSetting{}, Others: others}
	for _, k := range known {
		m.Settings = append(m.Settings, configSetting{Name: k.Name, Line: k.Line, Column: k.Col, Value: strings.ToLower(k.Text)})
	}
	return m
}

// variable is one of the environment.
type variable struct {
	Variable string `json:"variable"`
	Value    string `json:"value"`
}

// variables are those that may be told, besides the ones that tune advises.
var variables = []string{"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS", "CUDA_MODULE_LOADING",
	"NCCL_P2P_DISABLE", "NCCL_SHM_DISABLE", "NCCL_IB_DISABLE", "GOMAXPROCS", "GOGC", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "RANK", "LOCAL_RANK",
	"MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"}

// plainValue is a value that can only be numbers and switches: "0,1", "8",
// "expandable_segments:True", "--tf_xla_auto_jit=2".
var plainValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((expandable_segments:|--tf_xla_auto_jit=|)([0-9.]{1,12}|[Tt]rue|[Ff]alse|all|none|LAZY|EAGER|PCI_BUS_ID|FASTEST_FIRST)(,|$))*$`)
})

// environment lists the variables that may be told and are set.
func (s *scrubber) environment(list []string) []variable {
	told := slices.Concat(variables, tune.VariableNames())
	out := []variable{}
	for _, entry := range list {
		name, value, _ := strings.Cut(entry, "=")
		if !slices.Contains(told, name) {
			continue
		}
		if !plainValue().MatchString(value) {
			value = left
			s.removed++
		}
		s.plain[name], s.plain[value] = true, true
		out = append(out, variable{name, value})
	}
	slices.SortFunc(out, func(a, b variable) int { return strings.Compare(a.Variable, b.Variable) })
	return out
}

package tune

import (
	"slices"
	"testing"

	"voxpack/diagnosis"
)

func TestVariablesThatDiffer(t *testing.T) {
	f := machine()
	a := New(f, AnyFramework)
	right := map[string]string{}
	for _, v := range a.Environment {
		right[v.Name] = v.Value.(string)
	}
	f.Environment = right
	b := New(f, AnyFramework)
	if got := b.Differs(right, nil); len(got) != 0 {
		t.Errorf("who follows the advice differs in %+v", got)
	}
	right["OMP_NUM_THREADS"] = "64"
	delete(right, "TF_XLA_FLAGS")
	got := b.Differs(right, nil)
	if len(got) != 2 || got[0].Name != "OMP_NUM_THREADS" || got[0].Found != "64" || got[0].Wanted != "8" || got[1].Name != "TF_XLA_FLAGS" || got[1].Found != nil {
		t.Errorf("%+v", got)
	}
}

func TestSettingsThatDiffer(t *testing.T) {
	for _, tt := range []struct {
		name     string
		ours     bool
		settings []string // name, value
		want     []string
	}{
		{"a trainer's config that leaves all out", false, nil, nil},
		{"as advised", false, []string{"num_workers", "8", "enable_xla", "yes", "data_gpu", "1"}, nil},
		{"otherwise", false, []string{"prefetch_buffer_size", "16", "enable_xla", "false", "max_text_length", "200"}, []string{"prefetch_buffer_size", "max_text_length", "enable_xla"}},
		{"a trainer's workers are not those of a build", false, []string{"num_workers", "16"}, nil},
		{"a build's workers", true, []string{"num_workers", "16", "max_mel_frames", "868", "max_text_length", "160", "mixed_precision", "true", "enable_xla", "true",
			"prefetch_to_gpu", "true"}, []string{"num_workers"}},
		{"words of precision are on", false, []string{"mixed_precision", "bf16"}, nil},
		{"a word in place of a number", false, []string{"pipeline_buffer_size", "many"}, []string{"pipeline_buffer_size"}},
		{"0 of a trainer means 0", false, []string{"prefetch_buffer_size", "0"}, []string{"prefetch_buffer_size"}},
		{"0 of a dataset's config leaves the choice to voxpack", true, []string{"num_workers", "0", "prefetch_buffer_size", "0", "data_gpu", "-1", "max_mel_frames", "868",
			"max_text_length", "160", "mixed_precision", "true", "enable_xla", "true", "prefetch_to_gpu", "true"}, nil},
		{"what a dataset's config leaves out has its default", true, nil, []string{"prefetch_to_gpu", "max_mel_frames", "max_text_length", "mixed_precision", "enable_xla"}},
		{"what a trainer may take of a GPU is not what the feed may", false, []string{"model_gpu_memory", "1"}, nil},
	} {
		c := &diagnosis.Config{Ours: tt.ours}
		for i := 0; i < len(tt.settings); i += 2 {
			c.Settings = append(c.Settings, diagnosis.Setting{Name: tt.settings[i], Path: "x." + tt.settings[i], Value: tt.settings[i+1], At: diagnosis.Position{Line: 7}})
		}
		a := New(machine(), AnyFramework)
		a.Environment = nil
		var got []string
		for _, d := range a.Differs(nil, c) {
			got = append(got, d.Name)
			if d.Found != nil && (d.Path != "x."+d.Name || d.Line != 7) {
				t.Errorf("%s: %+v does not say where", tt.name, d)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v differ, want %v", tt.name, got, tt.want)
		}
	}
}

package diagnose

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/diagnosis"
	"voxpack/diagnosis/tune"
	"voxpack/gpufeed/inventory"
	"voxpack/internal/config"
	"voxpack/internal/perf"
	"voxpack/internal/schematest"
)

// twoGPUs is a machine of 16 cores with two GPUs, and a dataset of LJSpeech's size.
func twoGPUs() tune.Facts {
	return tune.Facts{
		Cores: perf.Cores{Allowed: 16, Quota: 12}, Processes: 1, Memory: 128e9, Pair: []int{1, 0},
		GPUs: []tune.GPU{
			{Number: 0, Name: "NVIDIA H100 80GB HBM3", Memory: 85e9, Major: 9},
			{Number: 1, Name: "NVIDIA A10", Memory: 24e9, Major: 8, Minor: 6},
		},
		Dataset: &tune.Dataset{Rows: 13_100, SampleBytes: 256_816,
			Frames: diagnosis.Lengths{P99: 844, Longest: 868}, Tokens: diagnosis.Lengths{P99: 157, Longest: 188}},
		Environment: map[string]string{},
	}
}

// tunedPage is what tune prints of facts.
func tunedPage(f tune.Facts, framework tune.Framework) (*tuned, string) {
	t := newTuned(f, tune.New(f, framework), nil)
	t.place, t.nvidia = "LJSpeech-1.1", true
	t.commands()
	var out strings.Builder
	t.page(&out)
	return t, out.String()
}

// TestThePageShowsThisTuning: the output on the pages is that of this machine.
func TestThePageShowsThisTuning(t *testing.T) {
	_, page := tunedPage(twoGPUs(), tune.Torch)
	for _, language := range []string{"en", "fa"} {
		src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", language, "diagnosis.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "```text\n"+page+"```\n") {
			t.Errorf("docs/%s/diagnosis.md does not show\n%s", language, page)
		}
	}
	for line := range strings.Lines(page) {
		if !strings.Contains(line, "  voxpack ") && len([]rune(line)) > 61 { // a command stays in one line
			t.Errorf("%d columns: %s", len([]rune(line))-1, line)
		}
	}
}

func TestTuneJSONIsAsItsSchemaSays(t *testing.T) {
	schema := filepath.Join("..", "..", "..", "..", "docs", "schema", "tune.json")
	old := twoGPUs()
	old.GPUs[0].Major, old.Pair, old.KeepOrder, old.Dataset.Untold = 0, nil, true, 3
	for name, f := range map[string]tune.Facts{"two GPUs": twoGPUs(), "much unseen": old, "nothing": {Cores: perf.Cores{Allowed: 1}, Processes: 1}} {
		var out strings.Builder
		tuned, _ := tunedPage(f, tune.AnyFramework)
		if err := term.PrintJSON(&out, tuned); err != nil {
			t.Fatal(err)
		}
		if err := schematest.Check(schema, []byte(out.String())); err != nil {
			t.Errorf("%s: %v in\n%s", name, err, &out)
		}
	}
}

// TestSettingsExist: each setting is a key of voxpack.yaml, or a flag of feed, as its
// place says, and those that check looks at have the same name there.
func TestSettingsExist(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	var o feedrun.Options
	o.AddFlags(flags)
	page, _ := tunedPage(twoGPUs(), tune.AnyFramework)
	keys := config.Keys()
	for _, s := range page.Settings {
		key := slices.ContainsFunc(keys, func(k config.Key) bool { return k.Name == s.Name })
		if key != (s.Place == tune.InConfig) {
			t.Errorf("%s: is it a key of voxpack.yaml? %v; its place is %s", s.Name, key, s.Place)
		}
		if s.Flag != "" && flags.Lookup(strings.TrimPrefix(s.Flag, "--")) == nil {
			t.Errorf("%s: feed has no flag %s", s.Name, s.Flag)
		}
		if own := s.Place != tune.InConfig; own == slices.Contains(config.AuditedNames(), s.Name) {
			t.Errorf("%s: does check look at it? %v", s.Name, !own)
		}
	}
}

// TestNumbersOfGPUs: those of the environment that is advised.
func TestNumbersOfGPUs(t *testing.T) {
	// The driver numbers the fastest first, which is not the first by address.
	gpus := []inventory.GPU{{Number: 0, Memory: 80e9}, {Number: 1, Memory: 24e9}}
	gpus[0].Address.Bus, gpus[1].Address.Bus = 0x81, 0x03
	near := []inventory.Pair{{A: 0, B: 1, Class: "PIX"}}
	for _, tt := range []struct {
		name        string
		environment map[string]string
		want        []int // of the GPU at 81, of the one at 03
		keep        bool
	}{
		{"by address", nil, []int{1, 0}, false},
		{"that order is set", map[string]string{"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, []int{0, 1}, false},
		{"chosen by number", map[string]string{"CUDA_VISIBLE_DEVICES": "1,0"}, []int{0, 1}, true},
		{"chosen by number in that order", map[string]string{"CUDA_VISIBLE_DEVICES": "1,0", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, []int{0, 1}, false},
		{"chosen by name", map[string]string{"CUDA_VISIBLE_DEVICES": "GPU-8932f937"}, []int{0, 1}, false},
	} {
		f := tune.Facts{Environment: tt.environment}
		takeGPUs(&f, &inventory.Inventory{GPUs: gpus, Pairs: near})
		if got := []int{f.GPUs[0].Number, f.GPUs[1].Number}; !slices.Equal(got, tt.want) || f.KeepOrder != tt.keep {
			t.Errorf("%s: %v, keep %v; want %v, %v", tt.name, got, f.KeepOrder, tt.want, tt.keep)
		}
		if !slices.Equal(f.Pair, []int{1, 0}) {
			t.Errorf("%s: pair %v: the GPU with more memory trains", tt.name, f.Pair)
		}
	}
}

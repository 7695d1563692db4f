package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// settingsOf are the settings of a file as "name=value path line:col".
func settingsOf(t *testing.T, src string) (*Trainer, map[string]string) {
	t.Helper()
	tr, problems := ReadTrainer("train.yaml", []byte(src))
	if len(problems) > 0 {
		t.Fatalf("%q: %v", src, problems)
	}
	have := map[string]string{}
	for _, s := range tr.Settings {
		have[s.Name] = s.Text + " " + s.Path
	}
	return tr, have
}

func TestReadTrainer(t *testing.T) {
	for _, c := range []struct {
		name, src, program string
		want               map[string]string
		strays             []string // key → meant, program
	}{
		{"names of the table", "data:\n  batch_size: 16\n  num_workers: 8\n", "", map[string]string{"batch_size": "16 data.batch_size", "num_workers": "8 data.num_workers"}, nil},
		{"names that many have", "train:\n  use_xla: true\n  static_shapes: yes\n", "", map[string]string{"enable_xla": "true train.use_xla", "pad_to_fixed_length": "yes train.static_shapes"}, nil},
		{"JSON with tabs", "{\n\t\"data\": {\n\t\t\"batch_size\": 4,\n\t\t\"enable_xla\": false\n\t}\n}\n", "", map[string]string{"batch_size": "4 data.batch_size", "enable_xla": "false data.enable_xla"}, nil},
		{"sections for something else", "val:\n  batch_size: 1\nvalidation_loop:\n  batch_size: 2\ntrain:\n  batch_size: 3\n", "", map[string]string{"batch_size": "3 train.batch_size"}, nil},
		{"a batch in frames", "batch_size_per_gpu: 38400\nbatch_size_type: frame\n", "", map[string]string{}, nil},
		{"no value is none", "batch_size:\nnum_workers: [1]\n", "", map[string]string{}, nil},
		{"values by their names", "data:\n  batch_size: ${train.bs}\n  num_workers: ${oc.env:N}\ntrain: {bs: 16}\n", "",
			map[string]string{"batch_size": "16 data.batch_size", "num_workers": "${oc.env:N} data.num_workers"}, nil},
		{"misspelt", "data:\n  batch_szie: 16\n  prefetch-buffer-size: 4\n", "", map[string]string{}, []string{"batch_szie batch_size ", "prefetch-buffer-size prefetch_buffer_size "}},
		{"a long word two letters off, a short one with a letter too much", "data:\n  perfecth_buffer_size: 1\n  enable_xlaa: true\n", "", map[string]string{},
			[]string{"perfecth_buffer_size prefetch_buffer_size ", "enable_xlaa enable_xla "}},
		{"words of other keys are no mistakes", "dataset: a\nmin_length: 1\nmax_seq_length: 2\ntrain_size: 1\neval_split: 1\n", "", map[string]string{}, nil},
		{"programs borrow from each other", "upsample_rates: [8]\nresblock: 1\nn_mel_channels: 80\nfp16_run: true\naccumulate_grad_batches: 1\n", hifigan,
			map[string]string{"n_mels": "80 n_mel_channels", "mixed_precision": "true fp16_run"}, nil},
		{"a trainer's own keys are no mistakes", "optimizer: {betas: [0, 1], learning_rate: 1}\nnum_gpu: 2\ndata_gqq: 3\neval_split: 1\nval_split: 1\n", "", map[string]string{}, nil},
		{"a key of another trainer", "data:\n  batch_size: 16\n  enable_xla: true\n  num_loader_workers: 4\n", "",
			map[string]string{"batch_size": "16 data.batch_size", "enable_xla": "true data.enable_xla"}, []string{"num_loader_workers num_workers Coqui TTS"}},
		{"a file of that trainer", "run_eval: true\nnum_loader_workers: 4\ntext_cleaner: x\nbatch_size: 16\n", coqui,
			map[string]string{"batch_size": "16 batch_size", "num_workers": "4 num_loader_workers"}, nil},
	} {
		tr, have := settingsOf(t, c.src)
		if tr.Program != c.program {
			t.Errorf("%s: of %q, want %q", c.name, tr.Program, c.program)
		}
		if len(have) != len(c.want) {
			t.Errorf("%s: %v, want %v", c.name, have, c.want)
		}
		for name, want := range c.want {
			if have[name] != want {
				t.Errorf("%s: %s is %q, want %q", c.name, name, have[name], want)
			}
		}
		var strays []string
		for _, s := range tr.Strays {
			strays = append(strays, s.Key+" "+s.Meant+" "+s.Program)
		}
		if !slices.Equal(strays, c.strays) {
			t.Errorf("%s: strays %q, want %q", c.name, strays, c.strays)
		}
	}
}

func TestWhereSettingsStand(t *testing.T) {
	tr, _ := settingsOf(t, "# ☃\ndata:\n  batch_size: 16   # سلام\n  enable_xla: true\n")
	if s := tr.Settings[0]; s.Line != 3 || s.Col != 3 {
		t.Errorf("batch_size stands at %d:%d, want 3:3", s.Line, s.Col)
	}
	if _, problems := ReadTrainer("x", []byte("a: [1\nb")); len(problems) != 1 || problems[0].Line == 0 {
		t.Errorf("of what is no YAML: %v, want one problem with its line", problems)
	}
	if _, problems := ReadTrainer("x", []byte(strings.Repeat("a", MaxBytes+1))); len(problems) != 1 {
		t.Errorf("of too much: %v", problems)
	}
}

// TestOnePrecision: a file that chooses one of several precisions has them all.
func TestOnePrecision(t *testing.T) {
	for src, want := range map[string][]string{
		"fp16: false\nbf16: true\nper_device_train_batch_size: 8\n":  {"bf16"},
		"fp16: true\nbf16: False\nper_device_train_batch_size: 8\n":  {"fp16"},
		"fp16: false\nbf16: false\nper_device_train_batch_size: 8\n": {"fp16", "bf16"},
		"use_amp: off\nmixed_precision: bf16\n":                      {"mixed_precision"},
		"use_amp: off\nmixed_precision: ${x}\n":                      {"use_amp", "mixed_precision"},
		"a: {use_amp: off}\nb: {use_amp: on}\n":                      {"use_amp", "use_amp"},
	} {
		tr, _ := settingsOf(t, src)
		var got []string
		for _, s := range tr.Settings {
			if s.Name == "mixed_precision" {
				got = append(got, s.Key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %q: %q, want %q", src, got, want)
		}
	}
}

// TestFixedKeepsAllElse: comments, order, quotes and line ends.
func TestFixedKeepsAllElse(t *testing.T) {
	for _, c := range []struct {
		name, src string
		fixes     []Fix
		want      string
	}{
		{"a value", "data: # top\n  batch_size: 8   # small\n  b: 'x'\n", []Fix{{Path: "data.batch_size", Value: "16"}}, "data: # top\n  batch_size: 16   # small\n  b: 'x'\n"},
		{"a name", "data:\n  batch_szie: 8\n", []Fix{{Path: "data.batch_szie", Name: "batch_size", Rename: true}}, "data:\n  batch_size: 8\n"},
		{"a name in quotes", "{\"data\": {\"batch_szie\": 8}}\n", []Fix{{Path: "data.batch_szie", Name: "batch_size", Rename: true}}, "{\"data\": {\"batch_size\": 8}}\n"},
		{"a key that is not there", "data:\n  # first\n  batch_size: 8\n  # last\nmodel:\n  a: 1\n", []Fix{{Name: "enable_xla", Value: "true"}, {Name: "x", Value: "1"}},
			"data:\n  # first\n  batch_size: 8\n  enable_xla: true\n  x: 1\n  # last\nmodel:\n  a: 1\n"},
		{"one more in braces", "{\"data\": {\"batch_size\": 8}}", []Fix{{Name: "enable_xla", Value: "true"}}, "{\"data\": {\"enable_xla\": true, \"batch_size\": 8}}"},
		{"after a list", "data:\n  files:\n    - a\n  more: |\n    b: 1\n", []Fix{{Name: "x", Value: "1"}}, "data:\n  x: 1\n  files:\n    - a\n  more: |\n    b: 1\n"},
		{"line ends of Windows", "data:\r\n  a: 1\r\n", []Fix{{Name: "x", Value: "1"}, {Path: "data.a", Value: "2"}}, "data:\r\n  a: 2\r\n  x: 1\r\n"},
		{"no last line end", "a: 1", []Fix{{Name: "x", Value: "1"}}, "a: 1\nx: 1\n"},
		{"a value that another names", "a: 1\nb: ${a}\n", []Fix{{Path: "a", Value: "2"}}, "a: 2\nb: ${a}\n"},
		{"a number in quotes", "a: \"1\" # y\n", []Fix{{Path: "a", Value: "2"}}, "a: 2 # y\n"},
	} {
		tr, _ := settingsOf(t, c.src)
		got, changed, err := tr.Fixed(c.fixes)
		if err != nil || string(got) != c.want || len(changed) == 0 {
			t.Errorf("%s: %q, %v, %v; want %q", c.name, got, changed, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		src string
		fix Fix
	}{
		"a value that others name": {"x: &x 8\nbatch_size: *x\n", Fix{Path: "batch_size", Value: "16"}},
		"no such key":              {"a: 1\n", Fix{Path: "b", Value: "1"}},
		"an empty section":         {"data: {}\n", Fix{Name: "x", Value: "1"}},
	} {
		tr, _ := settingsOf(t, c.src)
		if _, _, err := tr.Fixed([]Fix{c.fix}); !errors.Is(err, ErrUnfixed) {
			t.Errorf("%s: %v, want ErrUnfixed", name, err)
		}
	}
}

// FuzzTrainer: any file is problems or settings, whose places are in the file; a
// fix changes what it says or nothing.
func FuzzTrainer(f *testing.F) {
	for _, src := range []string{"data:\n  batch_size: 8 # x\n", "{\"data\": {\"batch_szie\": 8}}", "a: &a {b: 1}\nc: *a\nd:\n  <<: *a\n", "? x\n: - y\n", "data: !!map {a: b}\n", "\ufeffdata:\r\n\tx: 1\r\n", "a: \"x\\ny\"\n'b': |\n  c\n", "\r0:", "0<<: "} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tr, problems := ReadTrainer("x", []byte(src))
		if (tr == nil) != (len(problems) > 0) {
			t.Fatalf("%q: %v, %v", src, tr, problems)
		}
		if tr == nil {
			return
		}
		known, others := tr.Known()
		if len(known)+others != len(tr.all) || slices.ContainsFunc(known, func(s Setting) bool { return s.Name == "" || s.Line < 1 }) {
			t.Fatalf("%q: %+v and %d others", src, known, others)
		}
		fixes := []Fix{{Name: "enable_xla", Value: "true"}}
		for _, s := range tr.Settings {
			if s.Line < 1 || s.Col < 1 || s.Name == "" {
				t.Fatalf("%q: %+v", src, s)
			}
			fixes = append(fixes, Fix{Path: s.Path, Value: "7"})
		}
		for _, fix := range fixes {
			out, _, err := tr.Fixed([]Fix{fix})
			if err != nil {
				continue
			}
			fresh, problems := ReadTrainer("x", out)
			if len(problems) > 0 {
				t.Fatalf("%q fixed by %v is %q: %v", src, fix, out, problems)
			}
			if !slices.ContainsFunc(fresh.all, func(s Setting) bool { return (s.Path == fix.Path || s.Key == fix.Name) && s.Text == fix.Value }) {
				t.Fatalf("%q fixed by %v is %q", src, fix, out)
			}
		}
	})
}

// TestSlipsOfTheKeyboard: of each audited name, two neighbouring letters swapped, one
// twice, one too few, in words of four letters and more.
func TestSlipsOfTheKeyboard(t *testing.T) {
	tried, missed := 0, []string{}
	for _, name := range AuditedNames() {
		start := 0
		for word := range strings.SplitSeq(name, "_") {
			for i := 0; len(word) > 3 && i+1 < len(word); i++ {
				at := start + i
				swapped := name[:at] + name[at+1:at+2] + name[at:at+1] + name[at+2:]
				for _, key := range []string{swapped, name[:at] + name[at:at+1] + name[at:], name[:at] + name[at+1:]} {
					if key == name || len(key) < 6 { // of shorter ones nothing is said
						continue
					}
					tr, _ := settingsOf(t, key+": 1\n")
					if tried++; len(tr.Strays) != 1 || tr.Strays[0].Meant != name {
						missed = append(missed, key)
					}
				}
			}
			start += len(word) + 1
		}
	}
	if tried < 400 || len(missed) > 0 {
		t.Errorf("%d slips, not told: %q", tried, missed)
	}
}

// TestKnown: keys of voxpack and of the audit, by their own names; of others the number.
func TestKnown(t *testing.T) {
	tr, _ := settingsOf(t, "data:\n  sample_rate: 22050\n  num_mels: 80\n  alice: bob\n  prefetch_size: 4\n  features: [pcm, f0]\nbatch_size: ${n}\n")
	known, others := tr.Known()
	var got []string
	for _, s := range known {
		got = append(got, fmt.Sprintf("%s=%s:%d", s.Name, s.Text, s.Line))
	}
	if want := []string{"sample_rate=22050:2", "n_mels=80:3", "prefetch_buffer_size=4:5", "batch_size=${n}:7"}; !slices.Equal(got, want) || others != 3 {
		t.Errorf("%q and %d others, want %q and 3: a section, alice and a list", got, others, want)
	}
}

package config

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTableOfKeys(t *testing.T) {
	readers := []string{"audio", "text", "tokens", "mel", "shape", "shards", "rows", "features", "feed", "model", "none"}
	names := map[string]bool{}
	for _, k := range keys {
		for _, n := range append([]string{k.Name}, k.Aliases...) {
			if names[n] {
				t.Errorf("the name %s is there twice", n)
			}
			names[n] = true
		}
		if k.Section != "data" && (k.Section != "feed" || k.Name != "feed."+k.Short()) {
			t.Errorf("%s: section %q, want data, or feed and a name that begins with it", k.Name, k.Section)
		}
		if len(k.Reads) == 0 {
			t.Errorf("%s: nobody reads it", k.Name)
		}
		for _, r := range k.Reads {
			if !slices.Contains(readers, r) {
				t.Errorf("%s: reader %q is none of %v", k.Name, r, readers)
			}
		}
		checkDefault(t, k)
	}
}

// checkDefault holds the default of a key to its kind, range and field.
func checkDefault(t *testing.T, k Key) {
	t.Helper()
	want := map[Kind]any{Int: 0, Float: 0.0, Bool: false, String: "", Path: "", Enum: "", List: []string(nil), Symbols: []string(nil),
		Table: map[string]string(nil), Names: map[string]string(nil), Corpora: []Corpus(nil), Sources: Columns{}}[k.Kind]
	if k.Default != nil && reflect.TypeOf(k.Default) != reflect.TypeOf(want) {
		t.Errorf("%s: default %v is no %s", k.Name, k.Default, k.Kind)
	}
	switch v := k.Default.(type) {
	case int:
		if float64(v) < k.Min || float64(v) > k.Max || k.Min > k.Max {
			t.Errorf("%s: default %v is outside %v to %v", k.Name, v, k.Min, k.Max)
		}
	case float64:
		if v < k.Min || v > k.Max {
			t.Errorf("%s: default %v is outside %v to %v", k.Name, v, k.Min, k.Max)
		}
	}
	if k.Kind == Enum && !slices.Contains(k.Enum, k.Default.(string)) {
		t.Errorf("%s: default %v is none of %v", k.Name, k.Default, k.Enum)
	}
	if k.at == nil {
		if !k.OnlyDefault && !k.Always && !slices.Equal(k.Reads, []string{"none"}) && !slices.Equal(k.Reads, []string{"model"}) {
			t.Errorf("%s: is read by %v and has no field", k.Name, k.Reads)
		}
		return
	}
	if got := reflect.TypeOf(k.at(&Config{})).Elem(); got != reflect.TypeOf(want) {
		t.Errorf("%s: field of type %v for a %s", k.Name, got, k.Kind)
	}
}

// Each key moves its own field and no other.
func TestEveryKeyHasAFieldOfItsOwn(t *testing.T) {
	seen := map[any]string{}
	var c Config
	for _, k := range keys {
		if k.at == nil {
			continue
		}
		if other, ok := seen[k.at(&c)]; ok {
			t.Errorf("%s and %s have one field", k.Name, other)
		}
		seen[k.at(&c)] = k.Name
	}
}

// The words of the trainer's config that this project promises to know.
func TestKeysOfTheTrainer(t *testing.T) {
	names := strings.Fields(`dataset_path dataset_name language sample_rate normalize_audio trim_silence n_mels text_cleaners add_blank
		train_split val_split batch_size num_workers max_text_length max_mel_frames pad_to_fixed_length prefetch_buffer_size
		shuffle_buffer_multiplier enable_xla mixed_precision pin_memory use_tf_native_loading prefetch_to_gpu enhanced_gpu_prefetch
		optimize_cpu_gpu_overlap enable_parallel_batch enable_map_fusion enable_caching data_gpu model_gpu pipeline_buffer_size languages
		n_fft hop_length win_length fmin fmax mel_fmin mel_fmax f_min f_max datasets metadata_train metadata_eval format columns lexicon speakers
		min_seconds max_seconds min_chars_per_second max_chars_per_second only_speakers not_speakers only_languages drop_ids keep_ids`)
	for _, n := range names {
		if _, ok := findKey(Keys(), n); !ok {
			t.Errorf("no key %s", n)
		}
	}
}

// The essential settings that trainers publish are read without an error.
func TestConfigsOfTrainers(t *testing.T) {
	for _, src := range []string{
		"data:\n  batch_size: 128\n  num_workers: 32\n  prefetch_buffer_size: 100\n  use_tf_native_loading: true\n  prefetch_to_gpu: true\n  pad_to_fixed_length: true\n  enable_xla: true\n  mixed_precision: true\n  pipeline_buffer_size: 100\n",
		"data:\n  use_tf_native_loading: true\n  num_workers: 16\n  prefetch_buffer_size: 16\n  pad_to_fixed_length: true\n  max_text_length: 200\n  max_mel_frames: 800\n  enable_xla: true\n  batch_size: 32\nmodel:\n  enable_gradient_checkpointing: true\n",
		"data:\n  data_gpu: 0\n  model_gpu: 1\n  pipeline_buffer_size: 50\n  enhanced_gpu_prefetch: true\n  optimize_cpu_gpu_overlap: true\n  enable_parallel_batch: true\n  enable_map_fusion: true\n  enable_caching: true\n",
	} {
		if got := problems(src); len(got) > 0 {
			t.Errorf("problems = %q of\n%s", got, src)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"fmin", "fmax", "sample_rate", "max_mel_frames"}
	for in, want := range map[string]string{
		"fmxa": "fmax", "samplerate": "sample_rate", "max_mel_frame": "max_mel_frames", "Sample_Rate": "sample_rate", "FMIN": "fmin", "mx-ml-frmes": "max_mel_frames",
		"f": "", "": "", "completely_else": "", strings.Repeat("x", 5000): "",
	} {
		if got := nearest(in, known); got != want {
			t.Errorf("nearest(%.20q) = %q, want %q", in, got, want)
		}
	}
}

// TestThePeakIsWhatThePageSays: a level in decibels stands beside its share of
// full scale, to the digits that are written.
func TestThePeakIsWhatThePageSays(t *testing.T) {
	en, _ := documentation("en")
	pairs := regexp.MustCompile(`(-0\.\d+) is (0\.\d+) of|the (0\.\d+) .* is (-0\.\d+)\.`).FindAllStringSubmatch(en["peak_db"], -1)
	if len(pairs) != 2 {
		t.Fatalf("%q has %d pairs, want 2", en["peak_db"], len(pairs))
	}
	for _, m := range pairs {
		db, errDB := strconv.ParseFloat(m[1]+m[4], 64)
		share := m[2] + m[3]
		if is := strconv.FormatFloat(math.Pow(10, db/20), 'f', len(share)-len("0."), 64); errDB != nil || is != share {
			t.Errorf("%v dB is %s of full scale, the page says %s", db, is, share)
		}
	}
}

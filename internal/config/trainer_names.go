package config

import (
	"slices"
	"strings"
)

// spelling is a name of a setting, and the trainer whose own it is; "" is a name
// that many have.
type spelling struct{ name, trainer string }

// The trainers that keys are told by.
const (
	coqui       = "Coqui TTS"
	espnet      = "ESPnet"
	hifigan     = "HiFi-GAN"
	huggingFace = "Hugging Face"
	lightning   = "Lightning"
	nemo        = "NeMo"
	tacotron    = "Tacotron 2"
)

// audited are the settings that an audit of a trainer's config looks at, with the
// names that they have elsewhere. A name that means something else in another
// trainer (prefetch_factor counts by worker, batch_size_per_gpu frames) is none.
var audited = []struct {
	name string
	also []spelling
}{
	{"batch_size", []spelling{{"train_batch_size", ""}, {"per_device_train_batch_size", huggingFace}}},
	{"num_workers", []spelling{{"n_workers", ""}, {"num_loader_workers", coqui}, {"dataloader_num_workers", huggingFace}}},
	{"prefetch_buffer_size", []spelling{{"prefetch_size", ""}, {"prefetch_buffer", ""}}},
	{"pipeline_buffer_size", []spelling{{"max_buffer_size", ""}, {"pipeline_buffers", ""}}},
	{"use_tf_native_loading", []spelling{{"tf_native_loading", ""}}},
	{"enable_async_pipeline", []spelling{{"async_pipeline", ""}, {"use_async_pipeline", ""}}},
	{"pad_to_fixed_length", []spelling{{"enable_static_shapes", ""}, {"static_shapes", ""}, {"use_static_shapes", ""}}},
	{"max_text_length", []spelling{{"max_text_tokens", ""}, {"max_text_len", coqui}}},
	{"max_mel_frames", []spelling{{"max_mel_length", ""}, {"max_mel_len", ""}}},
	{"enable_xla", []spelling{{"use_xla", ""}, {"enable_xla_jit", ""}, {"jit_compile", ""}}},
	{"mixed_precision", []spelling{{"use_mixed_precision", ""}, {"use_amp", ""}, {"amp", ""},
		{"fp16", huggingFace}, {"bf16", huggingFace}, {"fp16_run", ""}}},
	{"n_mels", nil}, // and the names of it in foreignNames, as of the next two
	{"sample_rate", nil},
	{"hop_length", nil},
	{"tokenizer", nil},
	{"prefetch_to_gpu", nil},
	{"enhanced_gpu_prefetch", nil},
	{"optimize_cpu_gpu_overlap", nil},
	{"enable_memory_isolation", []spelling{{"memory_isolation", ""}}},
	{"data_gpu", nil},
	{"model_gpu", nil},
	{"data_gpu_memory", []spelling{{"data_gpu_memory_limit", ""}, {"data_gpu_memory_mb", ""}}},
	{"model_gpu_memory", []spelling{{"model_gpu_memory_limit", ""}, {"model_gpu_memory_mb", ""}}},
}

// offWords are values of a precision that is not mixed.
var offWords = []string{"false", "no", "off", "0", "none", "32", "fp32", "float32"}

// common are settings that trainers of all kinds have under one name, so that they
// do not tell whose a file is.
var common = []string{"batch_size", "num_workers", "mixed_precision", "n_mels", "sample_rate", "hop_length", "tokenizer"}

// trainersOwn are further keys by which a trainer is told. Nothing is read of them.
var trainersOwn = map[string][]string{
	coqui: {"run_eval", "eval_batch_size", "eval_split_size", "num_eval_loader_workers", "test_delay_epochs", "phoneme_cache_path", "phonemizer",
		"phoneme_language", "use_phonemes", "text_cleaner", "max_audio_len", "min_audio_len", "min_text_len", "compute_input_seq_cache"},
	espnet: {"batch_bins", "batch_type", "feats_extract", "feats_extract_conf", "tts_conf", "train_shape_file", "valid_shape_file", "num_att_plot",
		"best_model_criterion", "keep_nbest_models"},
	hifigan: {"resblock", "resblock_kernel_sizes", "resblock_dilation_sizes", "upsample_rates", "upsample_initial_channel",
		"segment_size", "fmax_for_loss", "num_gpus"},
	huggingFace: {"per_device_eval_batch_size", "dataloader_prefetch_factor", "gradient_accumulation_steps",
		"save_total_limit", "load_best_model_at_end", "dataloader_pin_memory"},
	lightning: {"accumulate_grad_batches", "check_val_every_n_epoch", "log_every_n_steps", "num_sanity_val_steps", "val_check_interval"},
	nemo:      {"manifest_filepath", "train_ds", "validation_ds", "exp_manager", "n_window_size", "n_window_stride"},
	tacotron:  {"iters_per_checkpoint", "dynamic_loss_scaling", "cudnn_benchmark", "mask_padding"},
}

// trainerName is what an audit calls a key, and whose key it is; both are "" of
// keys that nobody here knows. A key may be known without a name for an audit.
func trainerName(key string) (name, trainer string) {
	key = strings.ToLower(key)
	for _, a := range audited {
		if a.name == key {
			return a.name, ""
		}
		for _, s := range a.also {
			if s.name == key {
				return a.name, s.trainer
			}
		}
	}
	for trainer, keys := range trainersOwn {
		if slices.Contains(keys, key) {
			return foreignNames[key], trainer
		}
	}
	if name := foreignNames[key]; slices.Contains(AuditedNames(), name) {
		return name, ""
	}
	return "", ""
}

// AuditedNames lists the settings that an audit looks at.
func AuditedNames() []string {
	var names []string
	for _, a := range audited {
		names = append(names, a.name)
	}
	return names
}

// knownWords are all keys that are spelt as they should be, sorted.
func knownWords() []string {
	words := meantWords("")
	for _, a := range audited {
		for _, s := range a.also {
			words = append(words, s.name)
		}
	}
	for _, keys := range trainersOwn {
		words = append(words, keys...)
	}
	for name := range foreignNames {
		words = append(words, name)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// meantWords are those that a misspelt key of a program's file may be meant to be.
func meantWords(program string) []string {
	words := slices.Clone(trainersOwn[program])
	for _, a := range audited {
		words = append(words, a.name)
		for _, s := range a.also {
			if s.trainer == "" || s.trainer == program {
				words = append(words, s.name)
			}
		}
	}
	for _, k := range Keys() {
		words = append(append(words, k.Name), k.Aliases...)
	}
	return words
}

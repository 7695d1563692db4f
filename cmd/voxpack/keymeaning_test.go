package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"voxpack/internal/config"
)

// shownBy is, for each key of the config, the test that shows what the key
// means: a function with its folder, or a script. TestEachKeyRunsTheStages…
// shows of all of them who reads them, and of those that nobody reads that they
// change nothing; TestTranslateHandsEveryValueOn that each reaches its reader.
var shownBy = map[string]string{
	"dataset_path": "script key_meanings", "dataset_name": "script build_trainer", "datasets": "script build_corpora",
	"audio_roots": "script build_links", "metadata_train": "script build_corpora", "metadata_eval": "script build_corpora", "format": "script key_meanings",
	"columns": "internal/config TestColumns", "language": "script key_meanings",
	"languages": "script build_languages", "speaker_languages": "script build_languages", "speakers": "script build_speakers", "max_loss": "script build_loss",
	"keep_last": "script gc", "keep_daily": "store TestRetention", "rows_per_shard": "script key_meanings",
	"min_chars_per_second": "script build_filters", "max_chars_per_second": "script build_filters", "only_speakers": "script build_filters",
	"not_speakers": "script build_filters", "only_languages": "script build_filters", "drop_ids": "script build_filters", "keep_ids": "script build_filters",

	"max_text_length": "script key_meanings", "max_mel_frames": "script build_overlong", "overlong": "script build_overlong",
	"pad_to_fixed_length": "script build_trainer",

	"preset": "script build_presets", "sample_rate": "script key_meanings", "channel": "script build_channels", "raw_audio": "script build_raw", "n_mels": "script key_meanings", "n_fft": "script key_meanings", "hop_length": "script key_meanings",
	"win_length": "audio TestMelIsWithinBoundsOfTheReference", "fmin": "audio TestMelIsWithinBoundsOfTheReference",
	"fmax": "audio TestMelIsWithinBoundsOfTheReference", "mel_variant": "audio TestVariantsAreWithinBoundsOfTheReference",
	"pad_mode": "cmd/voxpack/internal/settings TestPadModesAreWhatTheirNamesSay", "mel_norms": "audio TestNormsDivideTheBands",
	"mel_dtype": "script key_meanings", "precision": "audio TestMelOfRealClipsIsWithinBoundsOfTheReference", "features": "script build_features",
	"trim_silence": "script build_process", "trim_db": "audio TestTrimHasTheBoundsOfLibrosa", "trim_margin": "audio TestTrimGivesBackAPaddedClip",
	"normalize_audio": "script build_process", "normalize_to": "script build_process", "peak_db": "audio TestPeakReachesItsTarget",
	"loudness_lufs": "audio TestGainReachesTheTarget", "pre_emphasis": "audio TestPreEmphasis",
	"min_seconds": "script key_meanings", "max_seconds": "script key_meanings", "max_clip_minutes": "compiler TestALowerLimitOfLengthLeavesOutWhatWasKept",

	"text_cleaners": "internal/config TestLoadReports", "lexicon": "script build_lexicon",
	"verbalise": "script text_verbalise", "mojibake": "script text_settings", "code_switching": "script text_settings", "case": "script text_settings",
	"punctuation": "script text_settings", "vowel_marks": "script text_settings", "latin": "script text_settings", "tokenizer": "script build_tokenizer", "language_tag": "script build_tokenizer",
	"space_symbol": "script build_tokenizer",
	"symbols":      "script text", "symbols_file": "script key_meanings", "pad_symbol": "script key_meanings", "unk_symbol": "script key_meanings",
	"bos_symbol": "script key_meanings", "eos_symbol": "script key_meanings", "blank_symbol": "script key_meanings", "unknown": "script key_meanings",
	"add_blank": "script key_meanings", "add_bos": "script key_meanings", "add_eos": "script key_meanings",

	"batch_size": "script feed", "num_workers": "cmd/voxpack/internal/settings TestMoreWorkersThanCoresAreSaid",
	"train_split": "gpufeed/plan TestTheSplit", "val_split": "script feed",
	"prefetch_buffer_size": "script build_trainer", "pipeline_buffer_size": "gpufeed TestTheDepth",
	"shuffle_buffer_multiplier": "cmd/voxpack TestEachKeyRunsTheStagesThatReadIt",
	"prefetch_to_gpu":           "cmd/voxpack/internal/feedrun TestSettingsOfTheConfigHoldWhereNoFlagDoes", "enhanced_gpu_prefetch": "gpufeed TestTheDepth",
	"pin_memory": "script feed_device", "data_gpu": "script build_trainer", "model_gpu": "script build_trainer",

	"feed.columns": "script feed_keys", "feed.split": "script feed_keys", "feed.languages": "script feed_keys", "feed.speakers": "script feed_keys",
	"feed.weights": "script feed_keys", "feed.buckets": "script feed_keys", "feed.segment": "script feed_keys", "feed.reference": "script feed_keys", "feed.mel_norm": "script feed_norm", "feed.extra": "script feed_extra",
	"feed.seed": "script feed_keys", "feed.shuffle": "script feed_keys", "feed.tail": "script feed_keys",

	"enable_xla": "cmd/voxpack TestEachKeyRunsTheStagesThatReadIt", "mixed_precision": "cmd/voxpack TestEachKeyRunsTheStagesThatReadIt",
	"use_tf_native_loading": "script build_trainer", "enable_parallel_batch": "script build_trainer", "enable_map_fusion": "script build_trainer",
	"optimize_cpu_gpu_overlap": "script build_trainer", "enable_caching": "script build_trainer",
}

// TestEachKeyHasATestOfItsMeaning: a new key without one is red, and so is an
// entry whose test or key is gone.
func TestEachKeyHasATestOfItsMeaning(t *testing.T) {
	rest := maps.Clone(shownBy)
	for _, k := range config.Keys() {
		where, ok := rest[k.Name]
		if !ok {
			t.Errorf("%s: no test shows what the key means; write one, and name it in shownBy", k.Name)
			continue
		}
		delete(rest, k.Name)
		if missing := missingTest(where, k.Short()); missing != "" {
			t.Errorf("%s: %s", k.Name, missing)
		}
	}
	for name := range rest {
		t.Errorf("%s is no key any more", name)
	}
}

// missingTest looks for a test: its function in the folder's tests, or its
// script, which has to set the key; "" when all is there.
func missingTest(where, key string) string {
	folder, name, _ := strings.Cut(where, " ")
	files, _ := filepath.Glob(filepath.Join("..", "..", folder, "*_test.go"))
	want := regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing\.T\)`)
	if folder == "script" {
		files = []string{filepath.Join("..", "..", "testdata", "script", name+".txtar")}
		want = regexp.MustCompile(`(?m)^  ` + key + `: `)
	}
	if !slices.ContainsFunc(files, func(file string) bool {
		src, err := os.ReadFile(file)
		return err == nil && want.Match(src)
	}) {
		return where + " is not there, or does not set the key"
	}
	return ""
}

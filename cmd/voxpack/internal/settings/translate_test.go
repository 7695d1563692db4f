package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/internal/config"
	"voxpack/store"
	"voxpack/textnorm"
)

// told is a config of these lines under data, translated: its problems, each as
// a line of its own.
func told(t *testing.T, lines string) []string {
	t.Helper()
	c, problems := config.Load("config.yaml", []byte("data:\n"+lines), intake.FormatNames())
	_, problems = translate(c, problems)
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	return got
}

func TestMoreWorkersThanCoresAreSaid(t *testing.T) {
	cores := runtime.NumCPU()
	if got := told(t, fmt.Sprintf("  num_workers: %d\n", cores)); len(got) > 0 {
		t.Errorf("as many workers as cores: %q, want nothing", got)
	}
	got := told(t, fmt.Sprintf("  n_mels: 80\n  num_workers: %d\n", cores+1))
	want := []string{fmt.Sprintf("config.yaml:3:3: warning: data.num_workers: %d is more than the %s of this machine; no more are used", cores+1, term.Count(cores, "core"))}
	if !slices.Equal(got, want) {
		t.Errorf("one worker more: %q, want %q", got, want)
	}
}

func TestARepeatedSymbolIsSaid(t *testing.T) {
	got := told(t, "  pad_symbol: _\n  symbols: [_, a, b, a]\n")
	if len(got) != 1 || !strings.HasPrefix(got[0], `config.yaml:3:3: warning: data.symbols: symbol 3 "a" is there before, as symbol 1: texts get the last number`) {
		t.Errorf("problems = %q", got)
	}
}

// everyValue sets each key that the compiler reads to another value than its
// default.
const everyValue = `data:
  metadata_train: train.csv
  metadata_eval: eval.csv
  format: ljspeech
  language: fa-IR
  languages: [en, fa, fa-IR]
  speaker_languages: {ada: de-AT}
  verbalise: false
  mojibake: "off"
  code_switching: true
  case: lower
  punctuation: strip
  vowel_marks: keep
  latin: persian
  speakers: [ada, bo]
  rows_per_shard: 5
  only_speakers: [ada]
  not_speakers: [bo]
  only_languages: [en-GB]
  min_chars_per_second: 2
  max_chars_per_second: 30
  drop_ids: drop.txt
  keep_ids: keep.txt
  max_text_length: 111
  max_mel_frames: 222
  overlong: truncate
  sample_rate: 24000
  n_mels: 70
  n_fft: 2048
  hop_length: 300
  win_length: 1200
  fmin: 50
  fmax: 7600
  mel_variant: xtts-dvae
  pad_mode: edge
  mel_norms: norms.txt
  mel_dtype: bf16
  precision: f64
  features: [pcm]
  channel: right
  raw_audio: mulaw@8000x2
  trim_silence: true
  trim_db: 30
  trim_margin: 0.1
  normalize_audio: true
  normalize_to: loudness
  peak_db: -3
  loudness_lufs: -20
  pre_emphasis: 0.97
  min_seconds: 1
  max_seconds: 9
  max_clip_minutes: 2
  symbols: [P, U, B, E, K, a]
  pad_symbol: P
  unk_symbol: U
  bos_symbol: B
  eos_symbol: E
  blank_symbol: K
  unknown: unk
  add_blank: true
  add_bos: true
  add_eos: true
  num_workers: 1
`

// TestTranslateHandsEveryValueOn: each value reaches its own field of what the
// compiler takes, and no key of the table is forgotten here.
func TestTranslateHandsEveryValueOn(t *testing.T) {
	dir := t.TempDir()
	config0 := filepath.Join(dir, "config.yaml")
	for name, text := range map[string]string{config0: everyValue, "drop.txt": "d\n", "keep.txt": "k\n", "norms.txt": strings.Repeat("2 ", 70)} {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var said strings.Builder
	got, _, err := Flags{Dataset: dir, Config: config0}.Options(&said)
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v, said %q", err, said.String())
	}
	norms := slices.Repeat([]float32{2}, 70)
	want := compiler.Options{Dataset: dir, MetadataTrain: filepath.Join(dir, "train.csv"), MetadataEval: filepath.Join(dir, "eval.csv"), Workers: 1, Tool: got.Tool,
		Config: compiler.Config{
			Format: "ljspeech", Speakers: []string{"ada", "bo"}, SampleRate: 24000, Channel: 2, Raw: &codec.Raw{Coding: "mulaw", Rate: 8000, Channels: 2}, Config: frontend.Config{Language: "fa", SpeakerLanguages: map[string]string{"ada": "de"},
				Text: textnorm.Config{Mojibake: "off", Languages: []string{"en", "fa"}, CodeSwitching: true, Case: "lower", Punctuation: "strip", VowelMarks: "keep", Latin: "persian"},
				Tokens: textnorm.TokenizerConfig{Kind: "char", Symbols: []string{"P", "U", "B", "E", "K", "a"}, Pad: "P", Unk: "U", BOS: "B", EOS: "E", Blank: "K",
					Unknown: "unk", AddBlank: true, AddBOS: true, AddEOS: true}},
			Mel: audio.MelConfig{Variant: "xtts-dvae", SampleRate: 24000, NFFT: 2048, HopLength: 300, WinLength: 1200, NMels: 70, FMin: 50, FMax: 7600,
				Precision: "f64", PadMode: "edge", Norms: norms},
			MelDType: store.BFloat16, Process: audio.Process{TrimDB: 30, TrimMargin: 0.1, Normalize: "loudness", PeakDB: -3, LUFS: -20, PreEmphasis: 0.97},
			Features: []string{"pcm"}, Length: compiler.Length{MinSeconds: 1, MaxSeconds: 9, MaxClip: 2 * time.Minute},
			Filter: compiler.Filter{MinCharsPerSecond: 2, MaxCharsPerSecond: 30, OnlySpeakers: []string{"ada"}, NotSpeakers: []string{"bo"},
				OnlyLanguages: []string{"en"}, KeepIDs: []string{"k"}, DropIDs: []string{"d"}},
			Shape: compiler.Shape{MaxTextLength: 111, MaxMelFrames: 222, Overlong: compiler.OverlongTruncate}, PerShard: 5,
		}, MinKept: 0.8}
	got.Now = nil
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	elsewhere := map[string]string{ // keys with one value, or with a test of their own
		"datasets": "build_corpora", "columns": "TestColumnsReachTheirCorpus", "lexicon": "build_lexicon", "pad_to_fixed_length": "one value",
		"tokenizer": "build_tokenizer", "language_tag": "build_tokenizer", "space_symbol": "build_tokenizer", "symbols_file": "symbols", "preset": "build_presets",
	}
	for _, k := range config.Keys() {
		compiles := slices.ContainsFunc(k.Reads, func(r string) bool { return r != "none" && r != "feed" && r != "model" })
		if set := strings.Contains(everyValue, "\n  "+k.Name+": "); compiles && !set && elsewhere[k.Name] == "" {
			t.Errorf("%s is read by %v, and not in everyValue", k.Name, k.Reads)
		}
	}
}

func TestColumnsReachTheirCorpus(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "voxpack.yaml")
	load := func(yaml string) compiler.Options {
		t.Helper()
		if err := os.WriteFile(path, []byte(yaml), 0o666); err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		opts, _, err := Flags{Dataset: dir}.Options(&said)
		if err != nil || said.Len() > 0 {
			t.Fatalf("%v, said %q", err, said.String())
		}
		return opts
	}
	text := map[string]string{"text": "sentence"}
	if got := load("data:\n  columns: {text: sentence}\n"); !reflect.DeepEqual(got.Columns, text) || got.Corpora != nil {
		t.Errorf("columns of one corpus: %v, %v", got.Columns, got.Corpora)
	}
	got := load("data:\n  columns: {text: sentence}\n  datasets:\n    - a\n    - {path: b, columns: {id: 1}, language: FA, speaker: s, metadata: m.csv}\n").Corpora
	b := filepath.Join(dir, "b")
	want := []intake.Corpus{{Name: "a", Dir: filepath.Join(dir, "a"), Format: "auto", Columns: text},
		{Name: "b", Dir: b, Metadata: filepath.Join(b, "m.csv"), Format: "auto", Language: "fa", Speaker: "s", Columns: map[string]string{"id": "1"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("corpora = %+v\nwant      %+v", got, want)
	}
}

func TestEveryFormatHasItsWordInTheConfig(t *testing.T) {
	for _, name := range append(intake.FormatNames(), "auto") {
		if got := told(t, "  format: "+name+"\n  datasets: [{path: a, format: "+name+"}]\n"); len(got) > 0 {
			t.Errorf("format: %s gives %q", name, got)
		}
	}
	if got := told(t, "  format: kladi\n"); len(got) == 0 {
		t.Error("a format that nobody reads is accepted")
	}
}

func TestDefaultsTranslate(t *testing.T) {
	c, problems := translate(config.Default(), nil)
	if len(problems) > 0 {
		t.Errorf("problems with the defaults: %v", problems)
	}
	if c.SampleRate != 22050 || c.Mel.NMels != 80 || c.Shape.MaxMelFrames != 800 || c.Shape.Overlong != compiler.OverlongReject || c.PerShard != 16 {
		t.Errorf("defaults came out as %+v", c)
	}
}

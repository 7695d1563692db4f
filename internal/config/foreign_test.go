package config

import (
	"slices"
	"strings"
	"testing"
)

// foreignConfigs are in the shape of other trainers' files. want are lines of
// names that are told, and the section that a message shows.
var foreignConfigs = []struct {
	name, src, section string
	told               []string
}{
	{"HiFi-GAN", `{
    "resblock": "1",
    "batch_size": 16,
    "segment_size": 8192,
    "num_mels": 80,
    "n_fft": 1024,
    "hop_size": 256,
    "win_size": 1024,
    "sampling_rate": 24000,
    "fmin": 0,
    "fmax": 12000,
    "fmax_for_loss": null,
    "dist_config": {"dist_backend": "nccl"}
}
`, "data: {sample_rate: 24000, n_mels: 80, n_fft: 1024, hop_length: 256, win_length: 1024, fmin: 0, fmax: 12000}",
		[]string{"5:5: warning: num_mels: is not read there; here it is data.n_mels", "9:5: warning: sampling_rate: is not read there; here it is data.sample_rate"}},
	{"NeMo FastPitch", `name: FastPitch
sample_rate: 22050
model:
  learn_alignment: true
  n_speakers: 1
  n_mel_channels: 80
  preprocessor:
    _target_: a.preprocessor
    features: ${model.n_mel_channels}
    lowfreq: 80
    highfreq: 7600
    n_fft: 1024
    n_window_size: 1024
    n_window_stride: 256
    window: hann
trainer: {devices: 1}
`, "data: {sample_rate: 22050, n_mels: 80, n_fft: 1024, hop_length: 256, win_length: 1024, fmin: 80, fmax: 7600}",
		[]string{"2:1: warning: sample_rate: is not read there; here it is data.sample_rate", "10:5: warning: model.preprocessor.lowfreq: is not read there; here it is data.fmin"}},
	{"ESPnet", `batch_type: numel
feats_extract: fbank
feats_extract_conf:
    n_fft: 1024
    hop_length: 300
    win_length: null
    fs: 24000
    fmin: 80
    fmax: 7600
    n_mels: 80
tts: fastspeech2
tts_conf: {adim: 384}
`, "data: {sample_rate: 24000, n_mels: 80, n_fft: 1024, hop_length: 300, fmin: 80, fmax: 7600}",
		[]string{"7:5: warning: feats_extract_conf.fs: is not read there; here it is data.sample_rate"}},
	{"Coqui", `{
    "model": "vits",
    "run_name": "vits",
    "audio": {
        "sample_rate": 22050,
        "fft_size": 1024,
        "hop_length": 256,
        "win_length": 1024,
        "num_mels": 80,
        "mel_fmin": 0.0,
        "mel_fmax": null
    },
    "datasets": [{"path": "LJSpeech-1.1"}]
}
`, "data: {sample_rate: 22050, n_mels: 80, n_fft: 1024, hop_length: 256, win_length: 1024, fmin: 0.0}",
		[]string{"6:9: warning: audio.fft_size: is not read there; here it is data.n_fft"}},
	{"a trainer whose data is another", "data:\n  train_files: a\n  num_mels: 80\n", "data: {n_mels: 80}",
		[]string{"2:3: warning: data.train_files: is not a key of voxpack and is not read", "3:3: warning: data.num_mels: is not a key of voxpack and is not read; here it is n_mels"}},
	{"one without a word on the sound", "trainer: {devices: 1}\n", "data: {sample_rate: 22050, max_mel_frames: 800}", nil},
	{"two rates", "a: {sampling_rate: 1}\nb: {sampling_rate: 2, num_mels: 70}\n", "data: {n_mels: 70}", nil},
}

// TestAConfigThatIsNotOurs: a file in which nothing of ours stands is an error
// that names what it says of the sound, and shows a section that can be used.
func TestAConfigThatIsNotOurs(t *testing.T) {
	for _, tt := range foreignConfigs {
		t.Run(tt.name, func(t *testing.T) {
			got := problems(tt.src)
			want := "config.yaml:1:1: no voxpack setting found in this file: voxpack reads the sections `data:`, `feed:` and `model:`, and none has one; add one here or in a separate file, as in " + tt.section
			if !slices.Contains(got, want) {
				t.Errorf("problems = %q, want %q among them", got, want)
			}
			for _, told := range tt.told {
				if !slices.Contains(got, "config.yaml:"+told) {
					t.Errorf("problems = %q, want %q among them", got, told)
				}
			}
			if again := problems(tt.section); again != nil {
				t.Errorf("the section that was shown: %q", again)
			}
		})
	}
}

// TestATrainersConfigWithOurs: beside a section of ours other sections are the
// trainer's. Names of the sound at the top and under model are told where they
// say otherwise than what is taken.
func TestATrainersConfigWithOurs(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"equal to the defaults", "sampling_rate: 22050\nmodel: {n_mel_channels: 80}\ndata: {batch_size: 4}\n", nil},
		{"other than the defaults", "hop_size: 300\nmodel: {n_mel_channels: 100}\ndata: {batch_size: 4}\n", []string{
			"config.yaml:1:1: warning: hop_size: is not read; voxpack takes hop_length 256; if it describes your audio, write data.hop_length: 300",
			"config.yaml:2:9: warning: model.n_mel_channels: is not read; voxpack takes n_mels 80; if it describes your audio, write data.n_mels: 100"}},
		{"said in our words too", "hop_size: 300\ndata: {hop_length: 200}\n", nil},
		{"deeper is the trainer's", "audio: {hop_size: 300}\nmodel: {vocoder: {num_mels: 100}}\ndata:\n", nil},
		{"a model of another kind", "model: vits\ndata: {n_mels: 80}\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { expect(t, problems(tt.src), tt.want) })
	}
}

// TestForeignNames: each is a name of ours for none, and in small letters.
func TestForeignNames(t *testing.T) {
	for name, ours := range foreignNames {
		if k, ok := findKey(Keys(), name); ok {
			t.Errorf("%s is %s of ours", name, k.Name)
		}
		if !slices.Contains(soundKeys, ours) || strings.ToLower(name) != name {
			t.Errorf("%s: %s is not among %v, or the name is not in small letters", name, ours, soundKeys)
		}
	}
}

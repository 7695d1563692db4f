package config

import (
	"fmt"
	"slices"
	"strings"
)

// A preset is a name for values of keys: what the code of a model or its published
// config says. A key that the file has goes before it.
type preset struct {
	name   string
	values string // as a section of the config has them
}

// presets are held against the code that defines them by testdata/preset_peers.py. fmax
// is half the rate where the code sets none.
var presets = []preset{
	// NVIDIA/BigVGAN: configs/bigvgan_v2_*.json and meldataset.mel_spectrogram. Those of
	// 22 kHz "fmax8k" are the defaults.
	{"bigvgan-22khz", "mel_variant: hifigan, sample_rate: 22050, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 80, fmin: 0, fmax: 11025"},
	{"bigvgan-24khz", "mel_variant: hifigan, sample_rate: 24000, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 100, fmin: 0, fmax: 12000"},
	{"bigvgan-44khz", "mel_variant: hifigan, sample_rate: 44100, n_fft: 2048, hop_length: 512, win_length: 2048, n_mels: 128, fmin: 0, fmax: 22050"},
	{"bigvgan-44khz-256x", "mel_variant: hifigan, sample_rate: 44100, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 128, fmin: 0, fmax: 22050"},
	// gemelo-ai/vocos: configs/vocos.yaml and feature_extractors.MelSpectrogramFeatures.
	{"vocos-24khz", "mel_variant: vocos, sample_rate: 24000, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 100, fmin: 0, fmax: 12000"},
	// SWivid/F5-TTS: configs/F5TTS_*.yaml and modules.get_vocos_mel_spectrogram.
	{"f5-tts", "mel_variant: f5-tts, sample_rate: 24000, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 100, fmin: 0, fmax: 12000"},
	// NVIDIA/NeMo: examples/tts/conf and preprocessing.features.FilterbankFeatures.
	{"nemo-22khz", "mel_variant: nemo, pad_mode: constant, sample_rate: 22050, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 80, fmin: 0, fmax: 8000"},
	{"nemo-44khz", "mel_variant: nemo, pad_mode: constant, sample_rate: 44100, n_fft: 2048, hop_length: 512, win_length: 2048, n_mels: 80, fmin: 0, fmax: 22050"},
	{"nemo-hifigan-22khz", "mel_variant: nemo-hifigan, pad_mode: constant, sample_rate: 22050, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 80, fmin: 0, fmax: 8000"},
	{"nemo-hifigan-44khz", "mel_variant: nemo-hifigan, pad_mode: constant, sample_rate: 44100, n_fft: 2048, hop_length: 512, win_length: 2048, n_mels: 80, fmin: 0, fmax: 22050"},
	// kan-bayashi/ParallelWaveGAN: egs/*/voc1/conf and bin/preprocess.logmelfilterbank.
	{"parallel-wavegan-22khz", "mel_variant: parallel-wavegan, sample_rate: 22050, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 80, fmin: 80, fmax: 7600"},
	{"parallel-wavegan-24khz", "mel_variant: parallel-wavegan, sample_rate: 24000, n_fft: 2048, hop_length: 300, win_length: 1200, n_mels: 80, fmin: 80, fmax: 7600"},
	// espnet/espnet: egs2/*/tts1/conf and espnet2.tts.feats_extract.log_mel_fbank.LogMelFbank.
	{"espnet-22khz", "mel_variant: espnet, sample_rate: 22050, n_fft: 1024, hop_length: 256, win_length: 1024, n_mels: 80, fmin: 80, fmax: 7600"},
	{"espnet-24khz", "mel_variant: espnet, sample_rate: 24000, n_fft: 2048, hop_length: 300, win_length: 1200, n_mels: 80, fmin: 80, fmax: 7600"},
	// yl4579/StyleTTS2: meldataset.preprocess; Configs/config.yml repeats its numbers.
	{"styletts2", "mel_variant: styletts2, sample_rate: 24000, n_fft: 2048, hop_length: 300, win_length: 1200, n_mels: 80, fmin: 0, fmax: 12000"},
	// coqui-ai/TTS: wav_to_mel_cloning, beside mel_norms.
	{"xtts-clone", "mel_variant: xtts-dvae, sample_rate: 22050, n_fft: 4096, hop_length: 1024, win_length: 4096, n_mels: 80, fmin: 0, fmax: 8000"},
	// facebookresearch/audiocraft: audio_utils.normalize_audio with strategy "loudness".
	{"audiocraft-loudness", "normalize_audio: true, normalize_to: loudness-clip, loudness_lufs: -14"},
	// descriptinc/descript-audio-codec: conf/base.yml and audiotools' VolumeNorm.
	{"dac-loudness", "normalize_audio: true, normalize_to: loudness, loudness_lufs: -16"},
}

// PresetNames lists the presets.
func PresetNames() (names []string) {
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// presets gives the keys that the file does not have the values of its presets.
func (l *loader) presets() {
	if l.config.Presets == nil {
		return
	}
	from := map[string]string{}
	for _, name := range l.config.Presets {
		i := slices.IndexFunc(presets, func(p preset) bool { return p.name == name })
		if i < 0 {
			l.at(fmt.Sprintf("%q is not a preset", clip(name)), presetHint(name), "preset")
			continue
		}
		root, _ := parseTree("{" + presets[i].values + "}")
		for _, e := range root.entries {
			k, _ := findKey(l.keys, e.key)
			if other := from[k.Name]; other != "" {
				l.at(fmt.Sprintf("%s and %s both set %s", other, name, k.Name), "take one of them away", "preset")
				break
			}
			from[k.Name] = name
			if v, _ := readValue(k, e.value, nil); !l.config.Given(k.Name) {
				assign(k.at(&l.config), v)
			}
		}
	}
	l.config.preset = from
}

func presetHint(name string) string {
	var like []string
	for _, known := range PresetNames() {
		if strings.HasPrefix(known, strings.ToLower(name)+"-") {
			like = append(like, known)
		}
	}
	if near := nearest(name, PresetNames()); like == nil && near != "" {
		like = []string{near}
	}
	if like != nil {
		return fmt.Sprintf("did you mean %s?", strings.Join(like, " or "))
	}
	return "the presets are " + strings.Join(PresetNames(), ", ")
}

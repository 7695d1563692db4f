package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// melKeys are what a preset of a mel says, all of it, so that no default shows through.
var melKeys = []string{"mel_variant", "sample_rate", "n_fft", "hop_length", "win_length", "n_mels", "fmin", "fmax"}

// Each preset is what its line says, written out: the same values, without a word.
func TestPresetsAreTheirValuesWrittenOut(t *testing.T) {
	for _, p := range presets {
		var keys []string
		text := "data:\n"
		for part := range strings.SplitSeq(p.values, ", ") {
			key, _, _ := strings.Cut(part, ": ")
			keys = append(keys, key)
			text += "  " + part + "\n"
		}
		if sets := func(key string) bool { return slices.Contains(keys, key) }; sets("mel_variant") {
			for _, key := range melKeys {
				if !sets(key) {
					t.Errorf("%s says nothing of %s", p.name, key)
				}
			}
		}
		got, told := Load("config.yaml", []byte("data:\n  preset: "+p.name+"\n"), formats)
		want, said := Load("config.yaml", []byte(text), formats)
		if len(told) > 0 || len(said) > 0 {
			t.Errorf("%s: problems %v, and %v of its values", p.name, told, said)
		}
		if !reflect.DeepEqual(got.Mel, want.Mel) || !reflect.DeepEqual(got.Audio, want.Audio) {
			t.Errorf("%s: %+v, %+v, want %+v, %+v", p.name, got.Mel, got.Audio, want.Mel, want.Audio)
		}
		if reflect.DeepEqual(got.Mel, Default().Mel) && reflect.DeepEqual(got.Audio, Default().Audio) {
			t.Errorf("%s changes nothing", p.name)
		}
	}
}

func TestKeysGoBeforeTheirPreset(t *testing.T) {
	for _, src := range []string{"data:\n  n_mels: 64\n  preset: vocos-24khz\n", "data:\n  preset: vocos-24khz\nmodel:\n  n_mels: 64\n"} {
		c, told := Load("config.yaml", []byte(src), formats)
		if len(told) > 0 || c.Mel.NMels != 64 || c.Mel.Variant != "vocos" || c.Audio.SampleRate != 24000 {
			t.Errorf("%q: problems %v, %d bands of %s at %d Hz, want 64 of vocos at 24000", src, told, c.Mel.NMels, c.Mel.Variant, c.Audio.SampleRate)
		}
	}
	c, told := Load("config.yaml", []byte("data:\n  preset: [dac-loudness, vocos-24khz]\n  fmax: null\n"), formats)
	if len(told) > 0 || c.Mel.FMax != 12000 || !c.Audio.Normalize || c.Audio.LUFS != -16 {
		t.Errorf("two presets: problems %v, fmax %v, loudness %v at %v", told, c.Mel.FMax, c.Audio.Normalize, c.Audio.LUFS)
	}
}

func TestPresetsThatCannotBe(t *testing.T) {
	for src, want := range map[string]string{
		"preset: vocos":                             `config.yaml:2:3: data.preset: "vocos" is not a preset; did you mean vocos-24khz?`,
		"preset: [nemo]":                            `config.yaml:2:3: data.preset: "nemo" is not a preset; did you mean nemo-22khz or nemo-44khz or nemo-hifigan-22khz`,
		"preset: f5tts":                             `config.yaml:2:3: data.preset: "f5tts" is not a preset; did you mean f5-tts?`,
		"preset: whisper-large":                     `config.yaml:2:3: data.preset: "whisper-large" is not a preset; the presets are bigvgan-22khz, `,
		"preset: [vocos-24khz, f5-tts]":             "config.yaml:2:3: data.preset: vocos-24khz and f5-tts both set mel_variant; take one of them away",
		"preset: vocos-24khz\n  sample_rate: 16000": "config.yaml:3:3: data.sample_rate: fmax 12000 of preset vocos-24khz is over half of sample_rate 16000",
		"preset: styletts2\n  fmin: 13000":          "config.yaml:3:3: data.fmin: fmin 13000 is not below fmax 12000",
		"preset: bigvgan-44khz\n  win_length: 256":  "config.yaml:3:3: data.win_length: hop_length 512 is over win_length 256",
	} {
		if got := problems("data:\n  " + src + "\n"); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%q gives %q, want one that begins with %q", src, got, want)
		}
	}
}

func TestWhatIsWrongWithAPresetsValueIsAtItsLine(t *testing.T) {
	c, _ := Load("config.yaml", []byte("data:\n  preset: bigvgan-44khz\n  n_mels: 200\n"), formats)
	for key, want := range map[string]string{"n_fft": "config.yaml:2:3: data.n_fft: wrong", "n_mels": "config.yaml:3:3: data.n_mels: wrong", "trim_db": "config.yaml: data.trim_db: wrong"} {
		if got := c.Problem(key, "wrong", "").String(); got != want {
			t.Errorf("problem of %s is %q, want %q", key, got, want)
		}
	}
}

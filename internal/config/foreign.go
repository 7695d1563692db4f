package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// foreignNames are what other programs call audio settings of ours: HiFi-GAN and
// BigVGAN, Tacotron 2, NeMo, ESPnet and ParallelWaveGAN, Coqui, Hugging Face. A
// name that can mean something else (window_size, hop, frame_length) is none.
var foreignNames = map[string]string{
	"sampling_rate": "sample_rate", "samplerate": "sample_rate", "sr": "sample_rate", "fs": "sample_rate", "audio_sample_rate": "sample_rate",
	"num_mels": "n_mels", "n_mel_channels": "n_mels", "n_mel": "n_mels", "num_mel_bins": "n_mels", "mel_bins": "n_mels", "mel_channels": "n_mels", "audio_num_mel_bins": "n_mels",
	"filter_length": "n_fft", "fft_size": "n_fft", "fft_length": "n_fft", "nfft": "n_fft",
	"hop_size": "hop_length", "n_window_stride": "hop_length", "n_shift": "hop_length",
	"win_size": "win_length", "n_window_size": "win_length",
	"lowfreq": "fmin", "highfreq": "fmax",
}

// soundKeys are the settings that foreignNames stand for, in the order in which a
// config shows them.
var soundKeys = []string{"sample_rate", "n_mels", "n_fft", "hop_length", "win_length", "fmin", "fmax"}

// ours is what a name of another program is called here, "" for none.
func (l *loader) ours(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	if k, ok := findKey(l.keys, name); ok {
		name = k.Name
	} else {
		name = foreignNames[name]
	}
	if slices.Contains(soundKeys, name) {
		return name
	}
	return ""
}

// sound is a setting of another program that describes the sound.
type sound struct {
	entry
	path string // with the sections above it
	name string // ours
}

// sounds lists what the file says of the sound anywhere, null and what is no
// number left out. A node that several aliases name is looked at once.
func (l *loader) sounds(root *node) (list []sound) {
	seen := map[*node]bool{}
	var look func(n *node, path string)
	look = func(n *node, path string) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, item := range n.items {
			look(item, path)
		}
		for _, e := range n.entries {
			if e.value == nil {
				continue
			}
			at := path + clip(e.key)
			if name := l.ours(e.key); name != "" && e.value.kind == plainNode {
				if _, err := strconv.ParseFloat(e.value.text, 64); err == nil {
					list = append(list, sound{e, at, name})
				}
			}
			look(e.value, at+".")
		}
	}
	look(root, "")
	return list
}

// nothing says that no setting of ours stands in a file, with what a section of
// ours looks like: the file's own settings of the sound, where it has some.
func (l *loader) nothing(root *node) {
	values := map[string]string{}
	conflict := map[string]bool{}
	for _, s := range l.sounds(root) {
		if s.path != "data."+s.key { // of that it was said when the section was read
			l.add(Problem{Line: s.line, Col: s.col, Key: s.path, Warning: true, Message: "is not read there", Hint: "here it is data." + s.name})
		}
		if was, ok := values[s.name]; ok && was != s.value.text {
			conflict[s.name] = true
		}
		values[s.name] = s.value.text
	}
	var parts []string
	for _, name := range soundKeys {
		if v, ok := values[name]; ok && !conflict[name] {
			parts = append(parts, name+": "+v)
		}
	}
	if parts == nil {
		parts = []string{"sample_rate: 22050", "max_mel_frames: 800"}
	}
	l.add(Problem{Line: 1, Col: 1, Message: "no voxpack setting found in this file: voxpack reads the sections `data:`, `feed:` and `model:`, and none has one",
		Hint: fmt.Sprintf("add one here or in a separate file, as in data: {%s}", strings.Join(parts, ", "))})
}

// otherwise warns of settings of the sound under other names, at the top and in
// the model's section, that differ from what voxpack takes.
func (l *loader) otherwise(list []sound) {
	for _, s := range list {
		k, _ := findKey(l.keys, s.name)
		if k.at == nil || l.failed[s.name] || l.config.Given(s.name) {
			continue
		}
		var mine float64
		switch v := k.at(&l.config).(type) {
		case *int:
			mine = float64(*v)
		case *float64:
			mine = *v
		}
		if its, _ := strconv.ParseFloat(s.value.text, 64); its != mine {
			l.add(Problem{Line: s.line, Col: s.col, Key: s.path, Warning: true, Message: fmt.Sprintf("is not read; voxpack takes %s %v", s.name, mine),
				Hint: fmt.Sprintf("if it describes your audio, write data.%s: %s", s.name, s.value.text)})
		}
	}
}

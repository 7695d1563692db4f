package compiler

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"voxpack/audio"
	"voxpack/compiler/action"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// settings lists every key that defines content, with its value as explain prints it,
// in the order of names: the root's Config. Package frontend has those of text. What
// this file writes into a root it reads back too, where something reads it back.
func (c Config) settings() []store.Named {
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	list := []store.Named{
		{Name: "fmax", Value: number(c.Mel.FMax)},
		{Name: "fmin", Value: number(c.Mel.FMin)},
		{Name: "hop_length", Value: strconv.Itoa(c.Mel.HopLength)},
		{Name: "max_mel_frames", Value: strconv.Itoa(c.Shape.MaxMelFrames)},
		{Name: "max_text_length", Value: strconv.Itoa(c.Shape.MaxTextLength)},
		{Name: "mel_dtype", Value: c.MelDType.String()},
		{Name: "mel_variant", Value: c.Mel.Variant},
		{Name: "n_fft", Value: strconv.Itoa(c.Mel.NFFT)},
		{Name: "n_mels", Value: strconv.Itoa(c.Mel.NMels)},
		{Name: "overlong", Value: string(c.Shape.Overlong)},
		{Name: "precision", Value: c.Mel.Precision},
		{Name: "rows_per_shard", Value: strconv.Itoa(c.PerShard)},
		{Name: "sample_rate", Value: strconv.Itoa(c.SampleRate)},
		{Name: "win_length", Value: strconv.Itoa(c.Mel.WinLength)},
	}
	return c.rareSettings(append(list, c.Config.Settings()...))
}

// rareSettings adds what is not at its default. Keys that came later stand in no root
// that does not use them, so that they gave no dataset another identity.
func (c Config) rareSettings(list []store.Named) []store.Named {
	add := func(name, value string) {
		if value != "" {
			list = append(list, store.Named{Name: name, Value: value})
		}
	}
	if c.Mel.PadMode != audio.PadReflect {
		add("pad_mode", c.Mel.PadMode)
	}
	if c.Mel.Norms != nil {
		add("mel_norms", NormsSetting(c.Mel.Norms))
	}
	if c.Raw != nil {
		add("raw_audio", c.Raw.String())
	}
	if c.Channel > 0 {
		add("channel", strconv.Itoa(c.Channel))
	}
	for line := range strings.Lines(c.Process.Canonical()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if name == "normalize" {
			name = "normalize_to"
		}
		add(name, value)
	}
	var features []string // in the order of the table, which is that of the columns
	for _, name := range FeatureNames() {
		if slices.Contains(c.Features, name) {
			features = append(features, name)
		}
	}
	add("features", strings.Join(features, ", "))
	for _, own := range c.Columns {
		add(action.OwnSetting+own.Name, own.Setting())
	}
	if c.Length.MinSeconds > 0 {
		add("min_seconds", fmt.Sprint(c.Length.MinSeconds))
	}
	if c.Length.MaxSeconds > 0 {
		add("max_seconds", fmt.Sprint(c.Length.MaxSeconds))
	}
	c.Filter.settings(add)
	slices.SortFunc(list, func(a, b store.Named) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// NormsSetting is what a root's setting mel_norms says of numbers: their digest, not themselves.
func NormsSetting(norms []float32) string { return store.Sum([]byte(fmt.Sprint(norms))).Short() }

// MelOf is how the mels of a root were made, but for mel_norms, of which a root has
// the digest alone, and for pad_mode and precision, which change what nobody can see
// in a mel or hear: a value of a newer program is no reason to show none.
func MelOf(root *store.Root) (audio.MelConfig, error) {
	c, err := audio.ParseMel(root.Setting)
	if err != nil {
		err = fmt.Errorf("%w: %w", err, store.ErrDamaged)
	}
	return c, err
}

// shapeSettings are the settings of a root that no stage reads: they say which
// rows are kept and how samples are laid out.
var shapeSettings = []string{"max_text_length", "max_mel_frames", "overlong", "rows_per_shard", "min_seconds", "max_seconds",
	"min_chars_per_second", "max_chars_per_second", "only_speakers", "not_speakers", "only_languages", "keep_ids", "drop_ids"}

// FrontEndOf is what the text of a dataset was read by. The differences say where
// this program would read text otherwise than the build that made the dataset; a
// setting that it does not know is one, because it may be of text.
func FrontEndOf(d *store.Dataset) (frontend.Config, []frontend.Difference, error) {
	c, differ, err := frontend.FromRoot(d.Root, d.Store.Get)
	if err != nil {
		return c, nil, fmt.Errorf("root of %s: %w", d.Store.Dir(), err)
	}
	for _, n := range d.Root.Config {
		if known := slices.Contains(shapeSettings, n.Name) || action.AnyReads(n.Name); !known && n.Value != "" {
			differ = append(differ, frontend.Difference{Setting: n.Name, Built: n.Value})
		}
	}
	return c, differ, nil
}

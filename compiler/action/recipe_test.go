package action

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/frontend"
	"voxpack/store"
	"voxpack/textnorm"
)

// recipe is a key by the page on the format: a line, then each field as its label,
// its length as LEB128, its value and a line feed.
func recipe(action, version string, fields ...string) store.Key {
	b := []byte("voxpack action 1\n")
	fields = append([]string{"action", action, "version", version}, fields...)
	for i := 0; i < len(fields); i += 2 {
		b = append(b, fields[i]+" "...)
		b = binary.AppendUvarint(b, uint64(len(fields[i+1])))
		b = append(b, " "+fields[i+1]+"\n"...)
	}
	return store.Key(store.Sum(b))
}

// TestKeysAreTheRecipesOfTheFormat holds each key that docs/format.md describes to
// that page, so that another program can check a store.
func TestKeysAreTheRecipesOfTheFormat(t *testing.T) {
	c := every()
	c.MelDType = store.Float32
	k := NewKeyer(c)
	file := store.Sum([]byte("a file"))
	row := &store.OriginRow{ID: "a", Audio: file, Text: "12", Language: "en"}
	clip := recipe("audio", Audio.Version(), "rate", "22050", "file", string(file[:]))
	text := c.Text.Text
	tokenizer := store.Sum([]byte(c.Text.Tokens.Canonical()))
	mel := store.Column{Name: "mel", DType: store.Float32, Shape: []int{800, 80}}
	rows := []store.Key{{1}, {2}, {1}}
	for _, w := range []struct {
		name      string
		got, want store.Key
	}{
		{"audio of a WAV", k.Audio(row, ""), clip},
		{"audio of another format", k.Audio(row, "flac/1"), recipe("audio", Audio.Version(), "rate", "22050", "file", string(file[:]), "decoder", "flac/1")},
		{"audio of a part", k.Audio(&store.OriginRow{Audio: file, From: 1_500_000_000}, ""),
			recipe("audio", Audio.Version(), "rate", "22050", "file", string(file[:]), "part", "1500000000 0")},
		{"text", k.Text("en", "12"), recipe("text", Text.Version(), "rules", text.Canonical(), "language", "en", "text", "12")},
		{"text of nothing", k.Text("", ""), recipe("text", Text.Version(), "rules", text.Canonical(), "language", "", "text", "")},
		{"text over one byte of length", k.Text("en", strings.Repeat("é", 200)),
			recipe("text", Text.Version(), "rules", text.Canonical(), "language", "en", "text", strings.Repeat("é", 200))},
		{"tokens", k.Tokens("twelve"), recipe("tokens", Tokens.Version(), "tokenizer", string(tokenizer[:]), "spoken", "twelve")},
		{"a block", k.Block(mel, rows), recipe("block", "1", "column", "mel f32[800,80]", "row", string(rows[0][:]), "row", string(rows[1][:]), "row", string(rows[2][:]))},
		{"a block of no row", k.Block(mel, nil), recipe("block", "1", "column", "mel f32[800,80]")},
	} {
		if w.got != w.want {
			t.Errorf("the key of %s is %v, the format's recipe gives %v", w.name, w.got, w.want)
		}
	}
	for at := range c.Stages.Computed() {
		settings := at.Feature().Settings(c.Mel)
		if at == Mel {
			settings += " f32"
		}
		want := recipe(at.Name(), at.Version(), "settings", settings, "samples", string(clip[:]))
		if got := k.Feature(at, clip); got != want {
			t.Errorf("the key of %s is %v, the format's recipe gives %v", at.Name(), got, want)
		}
	}
}

// keysOf are the keys of a row by stage, as a build chains them.
func keysOf(c Config, row *store.OriginRow, decoder string) map[string]store.Key {
	k := NewKeyer(c)
	clip := k.Audio(row, decoder)
	keys := map[string]store.Key{NameAudio: clip, NameText: k.Text(row.Language, Source(row)), NameTokens: k.Tokens(row.Spoken)}
	for at := range c.Stages.Computed() {
		keys[at.Name()] = k.Feature(at, clip)
	}
	return keys
}

// every is a configuration that computes all features.
func every() Config {
	set := Set{}
	for _, f := range audio.Features()[1:] {
		set.Features = append(set.Features, f.Name)
	}
	return Config{Stages: set, SampleRate: 22050, Mel: audio.MelConfig{}.WithDefaults()}
}

// TestAnEditChangesTheKeysOfItsStagesAndNoOthers goes through the tables of
// docs/en/incremental.md: what an edit costs, and the keys of the audio.
func TestAnEditChangesTheKeysOfItsStagesAndNoOthers(t *testing.T) {
	row := store.OriginRow{ID: "en/a", Text: "12", Spoken: "twelve", Language: "en", Speaker: "ada", Audio: store.Digest{1},
		Rate: 22050, Channels: 1, Bits: 16, FileSamples: 500, Samples: 500, Frames: 2, Tokens: 6}
	const sound = "audio mel linear energy f0 pcm"
	for _, c := range []struct {
		name string
		edit func(c *Config, r *store.OriginRow)
		want string
	}{
		{"nothing", func(*Config, *store.OriginRow) {}, ""},
		{"id", func(_ *Config, r *store.OriginRow) { r.ID = "fa/b" }, ""},
		{"speaker and split", func(_ *Config, r *store.OriginRow) { r.Speaker, r.Split = "bo", "val" }, ""},
		{"that the text told the language", func(_ *Config, r *store.OriginRow) { r.Told = true }, ""},
		{"what the file's header said", func(_ *Config, r *store.OriginRow) { r.Rate, r.Bits, r.Samples, r.Frames, r.Tokens = 1, 1, 1, 1, 1 }, ""},
		{"notes", func(_ *Config, r *store.OriginRow) { r.Notes = []store.Note{{Stage: "text", Kind: "x"}} }, ""},
		{"keys of before", func(_ *Config, r *store.OriginRow) { r.Keys = []store.Key{{1}, {2}} }, ""},
		{"text", func(_ *Config, r *store.OriginRow) { r.Text = "13" }, "text"},
		{"language", func(_ *Config, r *store.OriginRow) { r.Language = "de" }, "text"},
		{"spoken text", func(_ *Config, r *store.OriginRow) { r.Spoken = "a dozen" }, "tokens"},
		{"the normalised text", func(_ *Config, r *store.OriginRow) { r.Given, r.HasGiven = "a dozen", true }, "text"},
		{"an empty normalised text", func(_ *Config, r *store.OriginRow) { r.HasGiven = true }, ""},
		{"audio", func(_ *Config, r *store.OriginRow) { r.Audio = store.Digest{2} }, sound},
		{"where the part begins", func(_ *Config, r *store.OriginRow) { r.From = 1 }, sound},
		{"where the part ends", func(_ *Config, r *store.OriginRow) { r.Length = 1 }, sound},
		{"sample_rate", func(c *Config, _ *store.OriginRow) { c.SampleRate, c.Mel.SampleRate = 16000, 16000 }, sound},
		{"trim_silence", func(c *Config, _ *store.OriginRow) { c.Process.TrimDB = 45 }, sound},
		{"normalize_audio", func(c *Config, _ *store.OriginRow) { c.Process.Normalize = "peak" }, sound},
		{"pre_emphasis", func(c *Config, _ *store.OriginRow) { c.Process.PreEmphasis = 0.97 }, sound},
		{"n_mels", func(c *Config, _ *store.OriginRow) { c.Mel.NMels = 100 }, "mel"},
		{"fmin", func(c *Config, _ *store.OriginRow) { c.Mel.FMin = 20 }, "mel"},
		{"fmax", func(c *Config, _ *store.OriginRow) { c.Mel.FMax = 7600 }, "mel"},
		{"mel_dtype", func(c *Config, _ *store.OriginRow) { c.MelDType = store.Float16 }, "mel"},
		{"mel_norms", func(c *Config, _ *store.OriginRow) { c.Mel.Variant, c.Mel.Norms = "vits", nil }, "mel"},
		{"precision", func(c *Config, _ *store.OriginRow) { c.Mel.Precision = audio.Float64Precision }, "mel linear"},
		{"win_length", func(c *Config, _ *store.OriginRow) { c.Mel.WinLength = 800 }, "mel linear energy"},
		{"pad_mode", func(c *Config, _ *store.OriginRow) { c.Mel.PadMode = audio.PadConstant }, "mel linear energy"},
		{"n_fft", func(c *Config, _ *store.OriginRow) { c.Mel.NFFT = 2048 }, "mel linear energy f0"},
		{"hop_length", func(c *Config, _ *store.OriginRow) { c.Mel.HopLength = 200 }, "mel linear energy f0"},
		{"mel_variant of the other group", func(c *Config, _ *store.OriginRow) { c.Mel.Variant = "tacotron2" }, "mel linear energy f0"},
		{"features", func(c *Config, _ *store.OriginRow) { c.Stages.Features = c.Stages.Features[:1] }, "energy f0 pcm"}, // they have none now
		{"case", func(c *Config, _ *store.OriginRow) { c.Text.Text.Case = textnorm.CaseLower }, "text"},
		{"verbalise", func(c *Config, _ *store.OriginRow) { c.Text.Text.Verbalise = true }, "text"},
		{"add_blank", func(c *Config, _ *store.OriginRow) { c.Text.Tokens.AddBlank = true }, "tokens"},
		{"unknown", func(c *Config, _ *store.OriginRow) { c.Text.Tokens.Unknown = textnorm.UnknownReject }, "tokens"},
		{"the language of rows without one", func(c *Config, _ *store.OriginRow) { c.Text.Language = frontend.LanguageAuto }, ""},
		{"languages of speakers", func(c *Config, _ *store.OriginRow) { c.Text.SpeakerLanguages = map[string]string{"ada": "de"} }, ""},
	} {
		was := keysOf(every(), &row, "")
		config, edited := every(), row
		c.edit(&config, &edited)
		now := keysOf(config, &edited, "")
		var changed []string
		for _, name := range slices.Sorted(maps.Keys(was)) {
			if was[name] != now[name] {
				changed = append(changed, name)
			}
		}
		if want := slices.Sorted(slices.Values(strings.Fields(c.want))); !slices.Equal(changed, want) {
			t.Errorf("another %s gives another key to %q, want %q", c.name, changed, want)
		}
	}
	if was, now := keysOf(every(), &row, ""), keysOf(every(), &row, "ffmpeg 7"); was[NameMel] == now[NameMel] || was[NameText] != now[NameText] {
		t.Error("another decoder has to change the keys of the sound, and of nothing else")
	}
}

// TestLabelsKeepFieldsApart: texts that end where another field begins, or hold what
// a recipe is written with, share no key.
func TestLabelsKeepFieldsApart(t *testing.T) {
	k := NewKeyer(Config{})
	seen := map[store.Key]string{}
	for _, language := range []string{"", "e", "en", "en\n", "en text"} {
		for _, text := range []string{"", "n", "en", "\n", "text 1 a\n", " 1 a", "a\x00", "a"} {
			key, what := k.Text(language, text), fmt.Sprintf("%q of %q", text, language)
			if twin, twice := seen[key]; twice {
				t.Errorf("%s and %s have one key", what, twin)
			}
			seen[key] = what
		}
	}
	if a, b := k.Block(store.Column{Name: "mel"}, []store.Key{{1}}), k.Block(store.Column{Name: "mel"}, []store.Key{{1}, {}}); a == b {
		t.Error("a block and one with a row more have one key")
	}
}

// TestRefusalsHaveKeysOfTheirOwn: a refused clip shares none with the clip, nor with
// one that is over a limit; and another limit asks anew.
func TestRefusalsHaveKeysOfTheirOwn(t *testing.T) {
	k := NewKeyer(every())
	clip := k.Audio(&store.OriginRow{Audio: store.Digest{1}}, "")
	keys := []store.Key{clip, k.Refused(clip), k.Over(clip, codec.Limits{}), k.Over(clip, codec.Limits{MaxClip: 1}), k.Refused(store.Key{9}), k.Feature(Mel, clip)}
	for i, key := range keys {
		if first := slices.Index(keys, key); first != i {
			t.Errorf("keys %d and %d are one", first, i)
		}
	}
	if k.Over(clip, codec.Limits{}) != k.Over(clip, codec.Limits{MaxClip: codec.DefaultMaxClip}) {
		t.Error("the default limit, said and left out, has two keys")
	}
}

// TestADescriptionSaysWhatWasHashed: verify prints it of a stage whose result came out
// otherwise, so that two rows that differ for a stage have two descriptions.
func TestADescriptionSaysWhatWasHashed(t *testing.T) {
	k := NewKeyer(every())
	row := &store.OriginRow{Audio: store.Digest{1}, Text: "raw words", Given: "read words", HasGiven: true, Spoken: "spoken words", Language: "en",
		Keys: make([]store.Key, Mel+1)}
	for _, c := range []struct {
		at   Stage
		says []string
	}{
		{Audio, []string{"audio", Audio.Version(), "rate", "22050", "file"}},
		{Text, []string{"text", Text.Version(), "en", "read words"}},
		{Tokens, []string{"tokens", Tokens.Version(), "spoken words"}},
		{Mel, []string{"mel", Mel.Version()}},
	} {
		got := k.Describe(c.at, row, "")
		for _, want := range c.says {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q does not say %q", c.at.Name(), got, want)
			}
		}
	}
	if got := k.Describe(Text, row, ""); strings.Contains(got, "raw words") {
		t.Errorf("text: %q says what the stage does not read", got)
	}
	part := *row
	part.From, part.Length = 1_500_000_000, 250_000_000
	if k.Describe(Audio, row, "") == k.Describe(Audio, &part, "") || k.Describe(Audio, row, "") == k.Describe(Audio, row, "ffmpeg 7") {
		t.Error("a part, or what another program decodes, is described as the whole WAV is")
	}
}

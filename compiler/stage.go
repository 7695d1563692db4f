package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/audio/resample"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/store"
	"voxpack/textnorm"
)

// The stages by name, as reports and rejections say them. Metadata is no stage
// of the memo: reading it costs less than remembering it.
const (
	stageMetadata = intake.StageMetadata
	stageAudio    = "audio"
	stageText     = frontend.StageText
	stageTokens   = frontend.StageTokens
	stageMel      = "mel"
	stageFilter   = "filter"              // rejections of rows that the config does not want
	stageLexicon  = frontend.StageLexicon // notes of what was replaced before the text stage
)

// The stages by number: the index into OriginRow.Keys. From atMel on they are the features of package audio in the order of its
// table.
const (
	atAudio = iota
	atText
	atTokens
	atMel
	stageCount = 8 // room for every stage; a test compares
)

// stage is a step whose results are remembered by key. Version changes whenever
// its output may: a test holds the digests of known outputs against it.
type stage struct {
	Name    string
	Version string
	Reads   []string // config keys
}

// stages in the order in which they run. Its order is that of OriginRow.Keys.
var stages = append([]stage{
	atAudio:  {stageAudio, codec.DecodeVersion + " " + resample.Version, []string{"sample_rate", "trim_db", "trim_margin", "normalize_to", "peak_db", "loudness_lufs", "pre_emphasis"}},
	atText:   {stageText, textnorm.TextVersion, frontend.Keys(stageText)},
	atTokens: {stageTokens, textnorm.TokensVersion, frontend.Keys(stageTokens)},
	atMel: {stageMel, audio.MelVersion, []string{"sample_rate", "mel_variant", "n_fft", "hop_length", "win_length", "n_mels",
		"fmin", "fmax", "pad_mode", "mel_norms", "mel_dtype", "precision"}},
}, furtherStages()...)

// furtherStages are the features beside the mel. A build runs those that its config names.
func furtherStages() (list []stage) {
	for _, f := range audio.Features()[1:] {
		list = append(list, stage{f.Name, f.Version, append([]string{"features"}, f.Reads...)})
	}
	return list
}

// feature is the row of the table that a stage from atMel on computes.
func feature(at int) audio.Feature { return audio.Features()[at-atMel] }

// uses reports whether builds with this configuration run a stage.
func (c *Config) uses(at int) bool {
	return at <= atMel || slices.Contains(c.Features, stages[at].Name)
}

// stageVersions lists the stages in use.
func (c *Config) stageVersions() []store.Named {
	var list []store.Named
	for at, s := range stages {
		if c.uses(at) {
			list = append(list, store.Named{Name: s.Name, Value: s.Version})
		}
	}
	return list
}

// keyCount is how many keys a row has in memory, where every stage has its place.
func (c *Config) keyCount() int {
	if len(c.Features) == 0 {
		return atMel + 1 // a third of a row's memory
	}
	return len(stages)
}

// usedKeys are a row's keys as an origin record holds them: of the stages in use.
func (c *Config) usedKeys(keys []store.Key) []store.Key {
	if len(c.Features) == 0 {
		return keys
	}
	var list []store.Key
	for at, k := range keys {
		if c.uses(at) {
			list = append(list, k)
		}
	}
	return list
}

// keyer makes the keys of actions. Each method takes exactly what the action
// reads. One goroutine, one keyer.
type keyer struct {
	recipe  store.Recipe
	rate    string
	clip    string // processing
	text    string
	lexicon *textnorm.Lexicon
	dress   textnorm.TokenizerConfig
	tokens  store.Digest   // of the tokenizer's canonical text, which lists hundreds of symbols
	sound   map[int]string // settings of the features in use, by stage
	record  []byte         // scratch for origin records
}

func newKeyer(c Config) *keyer {
	k := &keyer{
		rate:    strconv.Itoa(c.SampleRate),
		text:    c.Text.Canonical(),
		lexicon: c.Lexicon,
		dress:   c.Tokens,
		tokens:  store.Sum([]byte(c.Tokens.Canonical())),
		sound:   map[int]string{},
	}
	if c.Process.On() {
		k.clip = audio.ProcessVersion + "\n" + c.Process.Canonical()
	}
	for at := atMel; at < len(stages); at++ {
		if c.uses(at) {
			k.sound[at] = feature(at).Settings(c.Mel)
		}
	}
	k.sound[atMel] += " " + c.MelDType.String()
	return k
}

// audio: the file's bytes and which part of it, who decodes them ("" for WAV), the rate they are brought to and what is done
// to the clip.
func (k *keyer) audio(row *store.OriginRow, decoder string) store.Key {
	r := k.start(atAudio).Text("rate", k.rate).Name("file", row.Audio)
	if row.From != 0 || row.Length != 0 {
		r.Text("part", fmt.Sprint(row.From, " ", row.Length))
	}
	if decoder != "" {
		r.Text("decoder", decoder)
	}
	if k.clip != "" {
		r.Text("process", k.clip)
	}
	return r.Key()
}

// over: a clip that is longer than a limit. Where it is not, no result depends on the limit.
func (k *keyer) over(clip store.Key, limit codec.Limits) store.Key {
	return k.recipe.Start("over", "1").Name("clip", clip).Text("limit", cmp.Or(limit.MaxClip, codec.DefaultMaxClip).String()).Key()
}

// refused: that a recording cannot be used. It has a name of its own because what stands
// under the clip's in older stores may be an error of the machine that was taken for one
// of the recording: those are asked for anew, once.
func (k *keyer) refused(clip store.Key) store.Key {
	return k.recipe.Start("refused", "1").Name("clip", clip).Key()
}

// textOf: the text, its language and the rules.
func (k *keyer) textOf(language, text string) store.Key {
	return k.start(atText).Text("rules", k.text).Text("language", language).Text("text", text).Key()
}

// tokensOf: the spoken text, dressed, and the tokenizer. No length limit: it only re-pads.
func (k *keyer) tokensOf(spoken string) store.Key {
	return k.start(atTokens).Name("tokenizer", k.tokens).Text("spoken", spoken).Key()
}

// featureOf: the samples, named by the action that made them, and the feature's settings.
func (k *keyer) featureOf(at int, samples store.Key) store.Key {
	return k.start(at).Text("settings", k.sound[at]).Name("samples", samples).Key()
}

// block: the column with its shape and the keys of all its rows in order.
func (k *keyer) block(column store.Column, rows []store.Key) store.Key {
	r := k.recipe.Start("block", "1").Text("column", column.String())
	for _, row := range rows {
		r.Name("row", row)
	}
	return r.Key()
}

func (k *keyer) start(at int) *store.Recipe {
	return k.recipe.Start(stages[at].Name, stages[at].Version)
}

// describe says what was hashed for an action of a row, for a person.
func (k *keyer) describe(at int, row *store.OriginRow, decoder string) string {
	switch at {
	case atAudio:
		k.audio(row, decoder)
	case atText:
		text, _ := k.lexicon.Apply(source(row), row.Language)
		k.textOf(row.Language, text)
	case atTokens:
		text, _ := k.dress.Dress(row.Spoken, row.Language)
		k.tokensOf(text)
	default:
		k.featureOf(at, row.Keys[atAudio])
	}
	return k.recipe.String()
}

// source is the text that the text stage reads.
func source(r *store.OriginRow) string { return sourceOf(r.Text, r.Given, r.HasGiven) }

// sourceOf is the normalised column where there is one and it says something.
func sourceOf(text, given string, hasGiven bool) string {
	if hasGiven && given != "" {
		return given
	}
	return text
}

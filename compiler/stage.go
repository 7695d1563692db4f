package compiler

import (
	"fmt"
	"strconv"
	"strings"

	"voxpack/audio"
	"voxpack/store"
	"voxpack/textnorm"
)

// The stages by name, as reports and rejections say them. Metadata is no stage
// of the memo: reading it costs less than remembering it.
const (
	stageMetadata = "metadata"
	stageAudio    = "audio"
	stageText     = "text"
	stageTokens   = "tokens"
	stageMel      = "mel"
)

// The stages by number: the index into OriginRow.Keys.
const (
	atAudio = iota
	atText
	atTokens
	atMel
	stageCount
)

// stage is a step whose results are remembered by key. Version changes whenever
// its output may: a test holds the digests of known outputs against it.
type stage struct {
	Name    string
	Version string
	Reads   []string // config keys
}

// stages in the order in which they run. Its order is that of OriginRow.Keys.
var stages = [stageCount]stage{
	atAudio:  {stageAudio, audio.DecodeVersion + " " + audio.ResampleVersion, []string{"sample_rate"}},
	atText:   {stageText, textnorm.TextVersion, []string{"language", "text"}},
	atTokens: {stageTokens, textnorm.TokensVersion, []string{"tokenizer", "symbols", "specials", "unknown", "add_blank", "add_bos", "add_eos"}},
	atMel: {stageMel, audio.MelVersion, []string{"sample_rate", "mel_variant", "n_fft", "hop_length", "win_length", "n_mels",
		"fmin", "fmax", "mel_dtype", "precision"}},
}

func stageVersions() []store.Named {
	var list []store.Named
	for _, s := range stages {
		list = append(list, store.Named{Name: s.Name, Value: s.Version})
	}
	return list
}

// keyer makes the keys of actions. Each method takes exactly what the action
// reads. One goroutine, one keyer.
type keyer struct {
	recipe store.Recipe
	rate   string
	text   string
	tokens store.Digest // of the tokenizer's canonical text, which lists hundreds of symbols
	mel    string
	record []byte // scratch for origin records
}

func newKeyer(c Config) *keyer {
	number := func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
	return &keyer{
		rate:   strconv.Itoa(c.SampleRate),
		text:   c.Text.Canonical(),
		tokens: store.Sum([]byte(c.Tokens.Canonical())),
		mel: strings.Join([]string{c.Mel.Variant, strconv.Itoa(c.Mel.SampleRate), strconv.Itoa(c.Mel.NFFT), strconv.Itoa(c.Mel.HopLength),
			strconv.Itoa(c.Mel.WinLength), strconv.Itoa(c.Mel.NMels), number(c.Mel.FMin), number(c.Mel.FMax), c.MelDType.String(), c.Mel.Precision}, " "),
	}
}

// audio: the file's bytes and the rate they are brought to.
func (k *keyer) audio(file store.Digest) store.Key {
	return k.start(atAudio).Text("rate", k.rate).Name("file", file).Key()
}

// textOf: the text, its language and the rules.
func (k *keyer) textOf(language, text string) store.Key {
	return k.start(atText).Text("rules", k.text).Text("language", language).Text("text", text).Key()
}

// tokensOf: the spoken text and the tokenizer. No length limit: it only re-pads.
func (k *keyer) tokensOf(spoken string) store.Key {
	return k.start(atTokens).Name("tokenizer", k.tokens).Text("spoken", spoken).Key()
}

// melOf: the samples, named by the action that made them, and the mel's settings.
func (k *keyer) melOf(samples store.Key) store.Key {
	return k.start(atMel).Text("settings", k.mel).Name("samples", samples).Key()
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
func (k *keyer) describe(at int, row *store.OriginRow) string {
	switch at {
	case atAudio:
		k.audio(row.Audio)
	case atText:
		k.textOf(row.Language, source(row))
	case atTokens:
		k.tokensOf(row.Spoken)
	case atMel:
		k.melOf(row.Keys[atAudio])
	default:
		return fmt.Sprintf("stage %d", at)
	}
	return k.recipe.String()
}

// source is the text that the text stage reads: the normalised column where
// there is one and it says something.
func source(r *store.OriginRow) string {
	if r.HasGiven && r.Given != "" {
		return r.Given
	}
	return r.Text
}

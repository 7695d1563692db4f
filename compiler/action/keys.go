package action

import (
	"cmp"
	"fmt"
	"strconv"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/frontend"
	"voxpack/store"
	"voxpack/textnorm"
)

// Config is the part of a configuration that keys are made of.
type Config struct {
	Stages     Set
	Own        []string // what each of Stages.Own reads of its settings, in their order
	Text       frontend.Config
	SampleRate int // Hz
	Channel    int // see codec.Limits
	Process    audio.Process
	Mel        audio.MelConfig
	MelDType   store.DType
}

// Keyer makes the keys of actions. Each method takes exactly what the action
// reads. One goroutine, one keyer.
type Keyer struct {
	recipe  store.Recipe
	rate    string
	channel int
	clip    string // processing
	text    string
	lexicon *textnorm.Lexicon
	dress   textnorm.TokenizerConfig
	tokens  store.Digest     // of the tokenizer's canonical text, which lists hundreds of symbols
	sound   map[Stage]string // settings of the features in use, by stage
	stages  Set
	own     []string // settings of the columns of the user's own, in their order
}

// NewKeyer makes the keyer of a configuration.
func NewKeyer(c Config) *Keyer {
	k := &Keyer{
		rate:    strconv.Itoa(c.SampleRate),
		channel: c.Channel,
		text:    c.Text.Text.Canonical(),
		lexicon: c.Text.Lexicon,
		dress:   c.Text.Tokens,
		tokens:  store.Sum([]byte(c.Text.Tokens.Canonical())),
		sound:   map[Stage]string{},
		stages:  c.Stages,
		own:     c.Own,
	}
	if c.Process.On() {
		k.clip = audio.ProcessVersion + "\n" + c.Process.Canonical()
	}
	for at := range c.Stages.Computed() {
		k.sound[at] = at.Feature().Settings(c.Mel)
	}
	k.sound[Mel] += " " + c.MelDType.String()
	return k
}

// Audio: the file's bytes and which part of it, who decodes them ("" for WAV), which of
// its channels is taken where it has several, the rate they are brought to and what is
// done to the clip. A row whose channels are not known yet counts as one of several.
func (k *Keyer) Audio(row *store.OriginRow, decoder string) store.Key {
	r := k.start(Audio).Text("rate", k.rate).Name("file", row.Audio)
	if row.From != 0 || row.Length != 0 {
		r.Text("part", fmt.Sprint(row.From, " ", row.Length))
	}
	if decoder != "" {
		r.Text("decoder", decoder)
	}
	if k.channel > 0 && row.Channels != 1 {
		r.Text("channel", strconv.Itoa(k.channel))
	}
	if k.clip != "" {
		r.Text("process", k.clip)
	}
	return r.Key()
}

// Over: a clip that is longer than a limit. Where it is not, no result depends on the limit.
func (k *Keyer) Over(clip store.Key, limit codec.Limits) store.Key {
	return k.recipe.Start("over", "1").Name("clip", clip).Text("limit", cmp.Or(limit.MaxClip, codec.DefaultMaxClip).String()).Key()
}

// Refused: that a recording cannot be used. It has a name of its own because what stands
// under the clip's in older stores may be an error of the machine that was taken for one
// of the recording: those are asked for anew, once.
func (k *Keyer) Refused(clip store.Key) store.Key {
	return k.recipe.Start("refused", "1").Name("clip", clip).Key()
}

// Text: the text, its language and the rules.
func (k *Keyer) Text(language, text string) store.Key {
	return k.start(Text).Text("rules", k.text).Text("language", language).Text("text", text).Key()
}

// Tokens: the spoken text, dressed, and the tokenizer. No length limit: it only re-pads.
func (k *Keyer) Tokens(spoken string) store.Key {
	return k.start(Tokens).Name("tokenizer", k.tokens).Text("spoken", spoken).Key()
}

// Feature: the samples, named by the action that made them, and the feature's settings.
func (k *Keyer) Feature(at Stage, samples store.Key) store.Key {
	return k.start(at).Text("settings", k.sound[at]).Name("samples", samples).Key()
}

// Own: the bytes of a row's value in a column of the user's own, and the column's
// settings. No length limit: it only pads again.
// frames are those of the row where its value depends on them, else 0.
func (k *Keyer) Own(at Stage, value store.Digest, frames uint32) store.Key {
	i := at - End()
	r := k.recipe.Start("column", k.stages.Own[i].Version).Text("settings", k.own[i]).Name("value", value)
	if frames != 0 {
		r.Text("frames", strconv.Itoa(int(frames)))
	}
	return r.Key()
}

// Block: the column with its shape and the keys of all its rows in order.
func (k *Keyer) Block(column store.Column, rows []store.Key) store.Key {
	r := k.recipe.Start("block", "1").Text("column", column.String())
	for _, row := range rows {
		r.Name("row", row)
	}
	return r.Key()
}

func (k *Keyer) start(at Stage) *store.Recipe {
	return k.recipe.Start(at.Name(), at.Version())
}

// Describe says what was hashed for an action of a row, for a person.
func (k *Keyer) Describe(at Stage, row *store.OriginRow, decoder string) string {
	switch at {
	case Audio:
		k.Audio(row, decoder)
	case Text:
		text, _ := k.lexicon.Apply(Source(row), row.Language)
		k.Text(row.Language, text)
	case Tokens:
		text, _ := k.dress.Dress(row.Spoken, row.Language)
		k.Tokens(text)
	default:
		k.Feature(at, row.Keys[Audio])
	}
	return k.recipe.String()
}

// Source is the text that the text stage reads.
func Source(r *store.OriginRow) string { return SourceOf(r.Text, r.Given, r.HasGiven) }

// SourceOf is the normalised column where there is one and it says something.
func SourceOf(text, given string, hasGiven bool) string {
	if hasGiven && given != "" {
		return given
	}
	return text
}

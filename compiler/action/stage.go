package action

import (
	"iter"
	"slices"

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
	NameMetadata = intake.StageMetadata
	NameAudio    = "audio"
	NameText     = frontend.StageText
	NameTokens   = frontend.StageTokens
	NameMel      = "mel"
	NameFilter   = "filter"              // rejections of rows that the config does not want
	NameLexicon  = frontend.StageLexicon // notes of what was replaced before the text stage
)

// Stage is a step whose results are remembered by key. Its number is the index of
// its key in OriginRow.Keys. From Mel on they are the features of package audio,
// in the order of its table.
type Stage int

// The stages that every build runs.
const (
	Audio Stage = iota
	Text
	Tokens
	Mel
)

// Most is the size of arrays indexed by Stage; a test holds it to the number of stages.
const Most Stage = 8

// entry is a row of the table of stages. The version changes whenever the stage's
// output may: a test holds the digests of known outputs against it.
type entry struct {
	name    string
	version string
	reads   []string // settings
}

// table lists the stages in the order in which they run.
var table = append([]entry{
	Audio:  {NameAudio, codec.DecodeVersion + " " + resample.Version, []string{"sample_rate", "trim_db", "trim_margin", "normalize_to", "peak_db", "loudness_lufs", "pre_emphasis"}},
	Text:   {NameText, textnorm.TextVersion, frontend.Keys(NameText)},
	Tokens: {NameTokens, textnorm.TokensVersion, frontend.Keys(NameTokens)},
	Mel: {NameMel, audio.MelVersion, []string{"sample_rate", "mel_variant", "n_fft", "hop_length", "win_length", "n_mels",
		"fmin", "fmax", "pad_mode", "mel_norms", "mel_dtype", "precision"}},
}, furtherStages()...)

// furtherStages are the features beside the mel. A build runs those that its config names.
func furtherStages() (list []entry) {
	for _, f := range audio.Features()[1:] {
		list = append(list, entry{f.Name, f.Version, append([]string{"features"}, f.Reads...)})
	}
	return list
}

// Filling is the stage that fills a block column, which has its name. false: no stage of
// this version does.
func Filling(column string) (Stage, bool) {
	i := slices.IndexFunc(table, func(e entry) bool { return e.name == column })
	return Stage(i), i >= int(Tokens)
}

// AnyReads reports whether a stage reads a setting of roots.
func AnyReads(setting string) bool {
	return slices.ContainsFunc(table, func(e entry) bool { return slices.Contains(e.reads, setting) })
}

// End is the number of stages, to range over.
func End() Stage { return Stage(len(table)) }

// Name is the stage's, as reports and rejections say it.
func (s Stage) Name() string { return table[s].name }

// Version is another one whenever the stage's output may differ.
func (s Stage) Version() string { return table[s].version }

// Reads reports whether the stage's output depends on a setting of roots.
func (s Stage) Reads(setting string) bool { return slices.Contains(table[s].reads, setting) }

// Feature is the feature that a stage from Mel on computes.
func (s Stage) Feature() audio.Feature { return audio.Features()[s-Mel] }

// Set is the stages that a configuration runs: those of every build, and further
// features, which it lists by name.
type Set []string

// Has reports whether a stage is among them.
func (set Set) Has(s Stage) bool {
	return s <= Mel || slices.Contains(set, s.Name())
}

// Features are the stages of the set that compute a feature, the mel first.
func (set Set) Features() iter.Seq[Stage] {
	return func(yield func(Stage) bool) {
		for s := Mel; s < End(); s++ {
			if set.Has(s) && !yield(s) {
				return
			}
		}
	}
}

// Versions lists the stages by name, as a root has them.
func (set Set) Versions() []store.Named {
	var list []store.Named
	for s := range End() {
		if set.Has(s) {
			list = append(list, store.Named{Name: s.Name(), Value: s.Version()})
		}
	}
	return list
}

// Width is how many keys a row has in memory, where every stage has its place.
func (set Set) Width() int {
	if len(set) == 0 {
		return int(Mel) + 1 // a third of a row's memory
	}
	return len(table)
}

// Keys picks from a row's keys in memory those that an origin record holds.
func (set Set) Keys(all []store.Key) []store.Key {
	if len(set) == 0 {
		return all
	}
	var list []store.Key
	for at, k := range all {
		if set.Has(Stage(at)) {
			list = append(list, k)
		}
	}
	return list
}

// KeyOrder brings the keys of a snapshot's rows into the order of this version's
// stages. A root lists its own stages, without those that its config did not use.
type KeyOrder struct {
	at    []int // our stage → its index in the root's list, -1: not there
	same  bool  // the root's stages are the first of ours
	width int   // keys of a row in memory
}

// NewKeyOrder is the order for the rows of a root, which get width keys: Set.Width.
func NewKeyOrder(root *store.Root, width int) KeyOrder {
	o := KeyOrder{same: true, width: width}
	for i := range width {
		o.at = append(o.at, slices.IndexFunc(root.Stages, func(n store.Named) bool { return n.Name == Stage(i).Name() }))
		o.same = o.same && o.at[i] == i
	}
	return o
}

// Renumber brings a row's keys into the order, where they are not in it yet.
func (o KeyOrder) Renumber(r *store.OriginRow) {
	if o.same && len(r.Keys) == o.width {
		return
	}
	keys := make([]store.Key, o.width)
	for i, at := range o.at {
		if at >= 0 && at < len(r.Keys) {
			keys[i] = r.Keys[at]
		}
	}
	r.Keys = keys
}

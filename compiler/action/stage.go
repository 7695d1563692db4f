package action

import (
	"iter"
	"slices"
	"strings"

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
const Most Stage = 8 + MostOwn

// Marks are stages that something is said of, one bit each.
type Marks uint32

// Add marks a stage if on.
func (m *Marks) Add(s Stage, on bool) {
	if on {
		*m |= 1 << s
	}
}

// Has reports whether a stage is marked.
func (m Marks) Has(s Stage) bool { return m>>s&1 == 1 }

// MostOwn is how many columns of the user's own a configuration may have.
const MostOwn = 16

// entry is a row of the table of stages. The version changes whenever the stage's
// output may: a test holds the digests of known outputs against it.
type entry struct {
	name    string
	version string
	reads   []string // settings
}

// table lists the stages in the order in which they run.
var table = append([]entry{
	Audio:  {NameAudio, codec.DecodeVersion + " " + resample.Version, []string{"sample_rate", "channel", "raw_audio", "trim_db", "trim_margin", "normalize_to", "peak_db", "loudness_lufs", "pre_emphasis"}},
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

// AnyReads reports whether a stage reads a setting of roots.
func AnyReads(setting string) bool {
	return strings.HasPrefix(setting, OwnSetting) || slices.ContainsFunc(table, func(e entry) bool { return slices.Contains(e.reads, setting) })
}

// End is the number of stages that this program has, to range over. The columns of a
// user's own are stages after them, which a Set numbers: see Set.End.
func End() Stage { return Stage(len(table)) }

// Name is the stage's, as reports and rejections say it.
func (s Stage) Name() string { return table[s].name }

// Version is another one whenever the stage's output may differ.
func (s Stage) Version() string { return table[s].version }

// Reads reports whether the stage's output depends on a setting of roots.
func (s Stage) Reads(setting string) bool { return slices.Contains(table[s].reads, setting) }

// Feature is the feature that a stage from Mel on computes.
func (s Stage) Feature() audio.Feature { return audio.Features()[s-Mel] }

// Set is the stages that a configuration runs: those of every build, further features,
// and columns of the user's own.
type Set struct {
	Features []string // by name
	Own      []Own    // in the order of the schema
}

// Own is the stage that fills a column of the user's own, which has the column's name.
type Own struct{ Name, Version string }

// OwnSetting begins the name of the setting of roots that a column of the user's own has.
const OwnSetting = store.ColumnSetting

// SetOf is the stages that any of some roots has, its features all there are.
func SetOf(roots ...*store.Root) Set {
	var set Set
	for s := Mel + 1; s < End(); s++ {
		set.Features = append(set.Features, s.Name())
	}
	for _, root := range roots {
		for _, n := range root.Stages {
			if _, has := set.named(n.Name); !has && len(set.Own) < MostOwn {
				set.Own = append(set.Own, Own{n.Name, n.Value})
			}
		}
	}
	return set
}

// End is the number of stages, to range over; those that the set does not have are
// among them.
func (set Set) End() Stage { return End() + Stage(len(set.Own)) }

// Name is a stage's, as reports and rejections say it.
func (set Set) Name(s Stage) string {
	if s.IsOwn() {
		return set.Own[s-End()].Name
	}
	return s.Name()
}

// IsOwn reports whether the stage fills a column of the user's own.
func (s Stage) IsOwn() bool { return s >= End() }

// Reads reports whether a stage's output depends on a setting of roots.
func (set Set) Reads(s Stage, setting string) bool {
	if s.IsOwn() {
		return setting == OwnSetting+set.Name(s)
	}
	return s.Reads(setting)
}

// named is the stage of a name.
func (set Set) named(name string) (Stage, bool) {
	for s := range set.End() {
		if set.Name(s) == name {
			return s, true
		}
	}
	return -1, false
}

// Filling is the stage that fills a column, which has its name. false: no stage of
// this version and of the set does.
func (set Set) Filling(column string) (Stage, bool) {
	s, ok := set.named(column)
	return s, ok && s >= Tokens
}

// Has reports whether a stage is among them.
func (set Set) Has(s Stage) bool {
	return s <= Mel || s.IsOwn() || slices.Contains(set.Features, s.Name())
}

// Computed are the stages of the set that compute a feature, the mel first.
func (set Set) Computed() iter.Seq[Stage] {
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
	for _, own := range set.Own {
		list = append(list, store.Named{Name: own.Name, Value: own.Version})
	}
	return list
}

// plain reports whether the set is the stages of every build alone.
func (set Set) plain() bool { return len(set.Features)+len(set.Own) == 0 }

// Width is how many keys a row has in memory, where every stage has its place.
func (set Set) Width() int {
	if set.plain() {
		return int(Mel) + 1 // a third of a row's memory
	}
	return int(set.End())
}

// Keys picks from a row's keys in memory those that an origin record holds.
func (set Set) Keys(all []store.Key) []store.Key {
	if set.plain() {
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

// NewKeyOrder is the order for the rows of a root, which get the keys of a set: Set.Width.
func NewKeyOrder(root *store.Root, set Set) KeyOrder {
	o := KeyOrder{same: true, width: set.Width()}
	for i := range o.width {
		o.at = append(o.at, slices.IndexFunc(root.Stages, func(n store.Named) bool { return n.Name == set.Name(Stage(i)) }))
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

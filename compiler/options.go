package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"voxpack/audio"
	"voxpack/audio/codec"
	"voxpack/compiler/action"
	"voxpack/compiler/clip"
	"voxpack/compiler/column"
	"voxpack/compiler/frontend"
	"voxpack/compiler/intake"
	"voxpack/compiler/plan"
	"voxpack/internal/perf"
	"voxpack/store"
)

// Options says what one build does. Only Config reaches the stages; nothing beside it
// can change a byte of the result.
type Options struct {
	Dataset  string // folder
	Metadata string // file; "" finds it
	// MetadataTrain and MetadataEval are a pair of files in place of Metadata.
	MetadataTrain, MetadataEval string
	Columns                     map[string]string // our columns → the header's name, or a number from 1
	Corpora                     []intake.Corpus   // in place of all the above: several folders in one dataset, each with its name
	AudioRoots                  []string          // folders outside the corpora into which links may lead
	Store                       string            // folder; "" is Dataset/.voxpack
	Config                      Config
	Part                        *plan.Part // of the dataset, for another machine to join; nil: all of it
	Workers                     int        // goroutines that compute; 0: one for each core

	// MinKept is the share of the previous snapshot's rows that a build has to keep, over
	// 0 and up to 1. A build that would keep less, or no row at all, stops. 0: no bound.
	MinKept          float64
	Keep             store.Retention // earlier snapshots for merges and gc to keep: a build drops none
	RenumberSpeakers bool
	DryRun           bool
	Rehash           bool // distrust time stamps and packs: read every source and every reused byte

	Tool     string // name and version of the program, kept in the snapshot
	Now      func() time.Time
	Progress func(Progress) // may be nil; called from several goroutines
	Found    func(rows int) // may be nil; called when the metadata is read, before any audio is
	Spans    *perf.Recorder // may be nil
}

// Progress is how far a phase has come.
type Progress struct {
	Phase       string // "reading", "computing", "reading again", "computing again", "storing"
	Done, Total int    // rows
}

// Overlong is what becomes of a row that exceeds a fixed shape.
type Overlong string

// What becomes of overlong rows.
const (
	OverlongReject   Overlong = "reject"
	OverlongTruncate Overlong = "truncate"
	OverlongError    Overlong = "error"
)

// Config is all that defines content besides the sources. A stage receives its
// own part of it and cannot see more, so that a key can be complete. What a Config
// says stands in the root of a dataset (settings.go), or it could not be compared.
type Config struct {
	frontend.Config        // how text becomes tokens
	Format          string // of the metadata; "" or "auto": told by its lines

	Speakers   []string   // numbers of the speakers; nil: sorted names
	SampleRate int        // Hz; 0 is 22050
	Channel    int        // of a file, from 1 on; 0 is the mean of all
	Raw        *codec.Raw // what files without a header hold; nil: they are none of audio
	Mel        audio.MelConfig
	MelDType   store.DType     // 0 is Float32
	Process    audio.Process   // of clips, before features are made of them
	Features   []string        // further features, by name
	Columns    []column.Config // of the user's own
	Length     Length          // of clips that are kept
	Filter     Filter          // of rows that are kept
	Shape      Shape
	PerShard   int // K, the most rows of a shard; 0 is 16
}

// stages are those that builds with this configuration run.
func (c *Config) stages() action.Set {
	set := action.Set{Features: c.Features}
	for _, own := range c.Columns {
		set.Own = append(set.Own, action.Own{Name: own.Name, Version: own.StageVersion()})
	}
	return set
}

// limits are the shapes that columns of the user's own follow.
func (c *Config) limits() column.Limits {
	return column.Limits{Tokens: c.Shape.MaxTextLength, Frames: c.Shape.MaxMelFrames}
}

// newKeyer makes the keyer of one goroutine.
func (c *Config) newKeyer() *leafKeyer {
	var own []string
	for _, column := range c.Columns {
		own = append(own, column.Reads())
	}
	return &leafKeyer{Keyer: action.NewKeyer(action.Config{Stages: c.stages(), Own: own, Text: c.Config, SampleRate: c.SampleRate, Channel: c.Channel, Process: c.Process, Mel: c.Mel, MelDType: c.MelDType})}
}

// clips is what is asked of every clip.
func (c *Config) clips() clip.Config {
	return clip.Config{Rate: c.SampleRate, Process: c.Process, Limits: codec.Limits{MaxClip: c.Length.MaxClip, Channel: c.Channel, Raw: c.Raw}}
}

// Shape is the fixed shape of a sample and what becomes of what exceeds it.
type Shape struct {
	MaxTextLength int // tokens; 0 is 200
	MaxMelFrames  int // 0 is 800
	Overlong      Overlong
}

// Length bounds the clips that are kept. 0: no bound.
type Length struct {
	MinSeconds, MaxSeconds float64       // after processing
	MaxClip                time.Duration // of a file, at its own rate; see codec.Limits
}

// Filter says which rows are wanted; every other row is a rejection. The zero value
// wants all.
type Filter struct {
	MinCharsPerSecond, MaxCharsPerSecond float64  // of the text that is read; 0: no bound
	OnlySpeakers, NotSpeakers            []string // nil: no bound
	OnlyLanguages                        []string // codes
	KeepIDs, DropIDs                     []string // nil: no bound
}

// withDefaults fills the zero fields.
func (c Config) withDefaults() Config {
	c.SampleRate = cmp.Or(c.SampleRate, 22050)
	c.Shape.MaxTextLength = cmp.Or(c.Shape.MaxTextLength, 200)
	c.Shape.MaxMelFrames = cmp.Or(c.Shape.MaxMelFrames, 800)
	c.PerShard = cmp.Or(c.PerShard, 16)
	c.Columns = slices.SortedFunc(slices.Values(c.Columns), func(a, b column.Config) int { return strings.Compare(a.Name, b.Name) })
	c.Shape.Overlong = cmp.Or(c.Shape.Overlong, OverlongReject)
	c.MelDType = cmp.Or(c.MelDType, store.Float32)
	c.Mel.SampleRate = cmp.Or(c.Mel.SampleRate, c.SampleRate)
	c.Mel = c.Mel.WithDefaults()
	c.Columns = column.Resolve(c.Columns, c.Mel)
	for i := range c.Columns { // sorted into a list of our own above
		c.Columns[i].Rate, c.Columns[i].Hop = c.Mel.SampleRate, c.Mel.HopLength
	}
	c.Config = c.Config.WithDefaults()
	return c
}

// check lists everything that is wrong with a configuration, so that a user can correct
// it in one go. Defaults are filled in. What rows_per_shard and a shape make together is
// bounded later, when the columns are known: see checkBlockSize.
func (c Config) check() []error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Mel.SampleRate != c.SampleRate {
		bad("the mel's sample rate %d is not sample_rate %d", c.Mel.SampleRate, c.SampleRate)
	}
	if n := c.Shape.MaxTextLength; n < 1 || n > 1<<20 {
		bad("max_text_length %d: want 1 to %d", n, 1<<20)
	}
	if n := c.Shape.MaxMelFrames; n < 1 || n > 1<<20 {
		bad("max_mel_frames %d: want 1 to %d", n, 1<<20)
	}
	if c.PerShard < 1 || c.PerShard > 4096 {
		bad("rows_per_shard %d: want 1 to 4096", c.PerShard)
	}
	if o := []Overlong{OverlongReject, OverlongTruncate, OverlongError}; !slices.Contains(o, c.Shape.Overlong) {
		bad("overlong %q: want reject, truncate or error", c.Shape.Overlong)
	}
	if d := []store.DType{store.Float32, store.Float16, store.BFloat16}; !slices.Contains(d, c.MelDType) {
		bad("mel_dtype %v: want f32, f16 or bf16", c.MelDType)
	}
	seen := map[string]int{}
	for i, name := range c.Speakers {
		if first, again := seen[name]; again {
			bad("speakers: %q stands at %d and at %d", name, first, i)
		}
		seen[name] = i
		if name == "" {
			bad("speakers: the name at %d is empty", i)
		}
	}
	for i, name := range c.Features {
		if f := audio.Features()[1:]; !slices.ContainsFunc(f, func(f audio.Feature) bool { return f.Name == name }) || slices.Contains(c.Features[:i], name) {
			bad("features: %q is not known or stands there twice; known: %s", name, strings.Join(FeatureNames(), ", "))
		}
	}
	if l := c.Length; !(l.MinSeconds >= 0 && l.MaxSeconds >= 0) || l.MaxSeconds > 0 && l.MinSeconds > l.MaxSeconds {
		bad("min_seconds %v, max_seconds %v: want 0 (no bound) or more, and the least not over the most", l.MinSeconds, l.MaxSeconds)
	}
	errs = append(errs, CheckColumns(c.Columns, c.limits())...)
	errs = append(errs, c.Filter.check()...)
	errs = append(errs, c.Process.Check()...)
	errs = append(errs, c.Mel.Check()...)
	return append(errs, c.Config.Check()...)
}

// schema is the samples' schema. Speaker, language and split have a column where the
// metadata has one, or the config gives rows several languages: a column that holds the
// same everywhere would change every root for nothing.
func (c Config) schema(has columns) store.Schema {
	s := store.Schema{
		{Name: "tokens", DType: store.Int32, Shape: []int{c.Shape.MaxTextLength}},
		{Name: "mel", DType: c.MelDType, Shape: []int{c.Shape.MaxMelFrames, c.Mel.NMels}},
		{Name: "text_len", DType: store.Int32},
		{Name: "mel_len", DType: store.Int32},
	}
	if has.speaker {
		s = append(s, store.Column{Name: "speaker", DType: store.Int32})
	}
	if has.language || len(c.Text.Languages) > 1 || c.SpeakerLanguages != nil {
		s = append(s, store.Column{Name: "language", DType: store.Int32})
	}
	if has.split {
		s = append(s, store.Column{Name: "split", DType: store.Int32})
	}
	for at := range c.stages().Computed() {
		if at > action.Mel {
			s = append(s, c.featureColumns(at)...)
		}
	}
	for _, own := range c.Columns {
		s = append(s, own.Schema(c.limits())...)
	}
	return s
}

// featureColumns are the columns of a further feature. Most have float32 values for each
// frame of the mel. The samples themselves are 16-bit integers, hop_length of them for
// each frame, with a column for their number, which need not be a multiple of it.
func (c Config) featureColumns(at action.Stage) store.Schema {
	f := at.Feature()
	if f.Samples {
		return store.Schema{{Name: f.Name, DType: store.Int16, Shape: []int{c.Shape.MaxMelFrames * c.Mel.HopLength}},
			{Name: f.Name + "_len", DType: store.Int32}}
	}
	column := store.Column{Name: f.Name, DType: store.Float32, Shape: []int{c.Shape.MaxMelFrames}}
	if w := f.Width(c.Mel); w > 1 {
		column.Shape = append(column.Shape, w)
	}
	return store.Schema{column}
}

// FeatureNames lists the features beside the mel that a Config may name.
func FeatureNames() (names []string) {
	for _, f := range audio.Features()[1:] {
		names = append(names, f.Name)
	}
	return names
}

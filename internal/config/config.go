package config

import "strings"

// Config is every value that voxpack reads, with defaults filled in. A part is
// read by the stage of its name, so that a key which a stage must not see
// cannot be passed to it by accident.
type Config struct {
	Dataset Dataset
	Rows    Rows
	Filter  Filter
	Audio   Audio
	Text    Text
	Tokens  Tokens
	Mel     Mel
	Shape   Shape
	Shards  Shards
	Feed    Feed
	Columns Columns  // Rows has its headers too
	Presets []string // by name; their values are in the fields
	Workers int      // goroutines that compile; 0: one for each core
	MaxLoss float64  // the share of the rows of the build before that a build may lose without asking
	Keep    Keep

	preset map[string]string // keys to the preset that sets them, whether or not the file goes before it
	file   string            // as it was given to Load
	named  []string          // files that it names and Load read
	places map[string]place  // where each key stands that the file has
}

// Keep says which earlier snapshots stay beside those that a ref keeps.
type Keep struct {
	Last  int // the newest so many
	Daily int // the newest of each day, of so many days
}

// Dataset says where the rows come from. It is not part of any content.
type Dataset struct {
	Path     string // folder, made absolute or relative to the working folder; "" when not given
	Name     string
	Datasets []Corpus // several corpora in place of Path; nil: one
	// AudioRoots are folders outside, made absolute or relative to the working folder, into which links may lead.
	AudioRoots []string
}

// Rows is what the reading of metadata needs.
type Rows struct {
	Format        string            // "auto", or one of those that Load was given
	Columns       map[string]string // name of ours → header or number from 1; nil: told by the headers
	MetadataTrain string            // file, made relative to the working folder; "" when not given
	MetadataEval  string            // file, as MetadataTrain; given with it only
	Language      string            // of rows without one, as written in the file
	Languages     []string          // codes the data may have, for detection; nil: any
	// SpeakerLanguages are codes by the names of speakers, as written in the file.
	SpeakerLanguages map[string]string
	Speakers         []string // in the order of their numbers; nil: names are sorted
}

// Filter says which rows are left out. Its zero value leaves out none.
type Filter struct {
	MinCharsPerSecond float64 // 0: no bound
	MaxCharsPerSecond float64 // 0: no bound
	OnlySpeakers      []string
	NotSpeakers       []string
	OnlyLanguages     []string // as written in the file
	DropIDs, KeepIDs  []string // nil: no such file

	dropFile, keepFile string // from which Load reads DropIDs and KeepIDs
}

// Audio is what decoding reads.
type Audio struct {
	SampleRate             int    // Hz, after resampling
	Raw                    string // as in s16le@16000; "": files without a header are no audio
	Channel                string // "mix", "left", "right" or a number from 1 on
	Features               []string
	TrimSilence, Normalize bool
	TrimDB, TrimMargin     float64 // dB, seconds; obeyed with TrimSilence
	NormalizeTo            string  // "peak", "loudness" or "loudness-clip"; obeyed with Normalize
	PeakDB, LUFS           float64 // dBFS, LUFS
	PreEmphasis            float64
	MinSeconds, MaxSeconds float64 // 0: no bound
	MaxClipMinutes         float64
}

// Text is what the text stage reads.
type Text struct {
	Mojibake                      string // "off", "report" or "repair"
	Verbalise                     bool   // numbers, abbreviations and signs in words
	CodeSwitching                 bool   // runs in another script by the rules of their language
	Case, Punctuation, VowelMarks string // as package textnorm has them
	Latin                         string // as package textnorm has it
	Lexicon                       []byte // what LexiconFile holds; nil: none
	LexiconFile                   string // made relative to the working folder; "" when not given
}

// Tokens is what the tokens stage reads.
type Tokens struct {
	Tokenizer                 string   // "char" or "json"
	File                      []byte   // what the tokenizer.json holds; nil: none
	FilePath                  string   // its path, made relative to the working folder
	LanguageTag               bool     // the token of the language in front
	SpaceSymbol               string   // what stands for a space; "": the space
	Symbols                   []string // position is id; nil: chars-1
	Pad, Unk, BOS, EOS, Blank string   // names of the specials among Symbols
	Unknown                   string   // "drop", "unk" or "reject"
	AddBlank, AddBOS, AddEOS  bool

	symbolsFile string // from which Load reads Symbols
}

// Mel is what the mel stage reads, beside Audio.SampleRate.
type Mel struct {
	Variant    string    // a row of package audio's table
	PadMode    string    // "reflect", "constant" or "edge"
	Norms      []float32 // what bands are divided by; nil: nothing
	DType      string    // "f32", "f16" or "bf16"
	Precision  string    // "f32" or "f64"
	NFFT       int       // samples, a power of two
	HopLength  int       // samples
	WinLength  int       // samples
	NMels      int
	FMin, FMax float64 // Hz

	normsFile string // from which Load reads Norms
}

// Shape is the fixed shape of a sample.
type Shape struct {
	MaxTextLength int    // tokens
	MaxMelFrames  int    // frames
	Overlong      string // "reject", "truncate" or "error"
}

// Shards says how rows are put together.
type Shards struct {
	RowsPerShard int // at most
}

// Feed is what the feeder reads; no stage of the compiler sees it.
type Feed struct {
	BatchSize           int // samples, over all ranks
	TrainSplit          float64
	ValSplit            float64
	PrefetchBufferSize  int // batches; 0: chosen from the batch size
	PipelineBufferSize  int // batches, the upper bound of the depth; 0: chosen
	PrefetchToGPU       bool
	EnhancedGPUPrefetch bool
	PinMemory           bool
	DataGPU, ModelGPU   int // -1 when not given

	Columns             []string // of batches; nil: all
	Split               string
	Languages, Speakers []string          // as written in the file; nil: all
	Weights             map[string]string // times by GROUP:NAME; nil: every row once
	Buckets             []int             // frames; nil: one shape
	Segment             int               // frames; 0: none
	Reference           string            // same-speaker, or none
	MelNorm             string            // stats, bands, or none
	Extra               []string          // fields that a feed makes; nil: none
	Seed                int
	Shuffle, Tail       string

	buckets []string // of which Load makes Buckets
}

// place is where a key stands in the file.
type place struct {
	section   string
	line, col int
}

// Default is the Config of an empty file.
func Default() Config {
	var c Config
	for _, k := range Keys() {
		if k.at != nil && k.Default != nil {
			assign(k.at(&c), k.Default)
		}
	}
	return c
}

// Problem makes a problem at the place of a key, for a check that is made
// elsewhere (a table of symbols, a mel band without a bin). A key that the file
// does not have gives a problem without a line.
func (c Config) Problem(key, message, hint string) Problem {
	p := Problem{File: c.file, Key: "data." + key, Message: message, Hint: hint}
	if strings.HasPrefix(key, "feed.") {
		p.Key = key
	}
	at, ok := c.places[key]
	if !ok && c.preset[key] != "" {
		at, ok = c.places["preset"]
	}
	if ok {
		p.Line, p.Col, p.Key = at.line, at.col, at.section+"."+strings.TrimPrefix(key, at.section+".")
	}
	return p
}

// Given reports whether the file sets key.
func (c Config) Given(key string) bool {
	_, ok := c.places[key]
	return ok
}

// Files lists what the Config was read from: the file itself, as it was given
// to Load, and the files that it names. The defaults come from none.
func (c Config) Files() []string {
	if c.file == "" {
		return nil
	}
	return append([]string{c.file}, c.named...)
}

// assign sets what pointer points to; both come from the table of keys, whose
// test holds the types together.
func assign(pointer, value any) {
	switch p := pointer.(type) {
	case *int:
		*p = value.(int)
	case *float64:
		*p = value.(float64)
	case *bool:
		*p = value.(bool)
	case *string:
		*p = value.(string)
	case *[]string:
		*p = value.([]string)
	case *map[string]string:
		*p = value.(map[string]string)
	case *[]int:
		*p = value.([]int)
	case *Columns:
		*p = value.(Columns)
	case *[]Corpus:
		*p = value.([]Corpus)
	}
}

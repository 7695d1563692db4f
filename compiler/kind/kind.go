package kind

import "slices"

// Rejection is why a row is left out of a dataset.
type Rejection string

// The causes of rejections. If several apply to a row, it has the first that was found.
const (
	Other           Rejection = "other"            // of a store whose version kept no kinds, or has newer ones
	BadRow          Rejection = "bad-row"          // the line of the metadata is not a row
	ConflictingRows Rejection = "conflicting-rows" // several rows of one id that differ
	UnknownSpeaker  Rejection = "unknown-speaker"  // not in the config's list of speakers
	Filtered        Rejection = "filtered"         // its id, speaker or language is not wanted
	Pace            Rejection = "pace"             // too few or too many characters a second
	NoAudio         Rejection = "no-audio"         // no file has its name, several have, or it is empty
	BadAudio        Rejection = "bad-audio"        // the recording cannot be read
	TooLarge        Rejection = "too-large"        // its file is more than a build reads of one clip
	Seconds         Rejection = "seconds"          // outside min_seconds and max_seconds, or too short for the mel
	Overlong        Rejection = "overlong"         // over max_mel_frames or max_text_length
	NoText          Rejection = "no-text"          // nothing of its text is spoken
	NoTokens        Rejection = "no-tokens"        // its text does not become tokens
	NoValue         Rejection = "no-value"         // nothing is there for a column of the user's own
	BadValue        Rejection = "bad-value"        // of a column of the user's own: unreadable, of another shape, or no number of its type
	Damaged         Rejection = "damaged"          // its samples were damaged in the store and could not be made anew
	ValueLength     Rejection = "value-length"     // of a column of the user's own: not as long as the row's tokens or frames
)

// Rejections lists every cause in a fixed order.
func Rejections() []Rejection {
	return []Rejection{BadRow, ConflictingRows, UnknownSpeaker, Filtered, Pace, NoAudio, BadAudio, TooLarge, Seconds, Overlong, NoText, NoTokens,
		NoValue, BadValue, ValueLength, Damaged, Other}
}

// Of returns the cause that a store keeps under a name. Names that are not in the table,
// from an older version or a newer one, become Other, so that callers only see causes of
// the table.
func Of(stored string) Rejection {
	if r := Rejection(stored); slices.Contains(Rejections(), r) {
		return r
	}
	return Other
}

// The kinds of notes on rows that are kept, beside those on characters, which
// package textnorm has.
const (
	RepeatedRow    = "repeated-row"        // equal rows of one id, taken for one
	NameDiffers    = "name-differs"        // the file's name is the id but for case or Unicode form
	EmptyColumn    = "empty-column"        // no normalised text, so that the raw one is read
	Replaced       = "replaced"            // by the lexicon
	Truncated      = "truncated"           // to the shape
	Resampled      = "resampled"           // to the dataset's rate
	Averaged       = "channels-averaged"   // to one channel
	OneChannel     = "one-channel"         // of several, as the config says
	PaddingCut     = "encoder-padding-cut" // which a compressed file says is no recording
	OverFullScale  = "over-full-scale"     // floats beyond ±1, kept
	OpenLength     = "open-length"         // the header does not say the length
	ByFFmpeg       = "decoded-by-ffmpeg"   // no decoder of ours reads the format
	SilenceTrimmed = "silence-trimmed"     // by trim_silence
	LevelChanged   = "level-changed"       // by normalize_audio
	GainHeldBack   = "gain-held-back"      // or samples would pass full scale
	SamplesClipped = "samples-clipped"     // that a gain took past full scale
)

// Notes lists every kind of note above in a fixed order.
func Notes() []string {
	return []string{RepeatedRow, NameDiffers, EmptyColumn, Replaced, Truncated, Resampled, Averaged, OneChannel, PaddingCut, OverFullScale, OpenLength,
		ByFFmpeg, SilenceTrimmed, LevelChanged, GainHeldBack, SamplesClipped}
}

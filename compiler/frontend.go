package compiler

import (
	"errors"
	"fmt"
	"slices"

	"voxpack/store"
)

// shapeSettings are the settings of a root that no stage reads: they say which
// rows are kept and how samples are laid out.
var shapeSettings = []string{"max_text_length", "max_mel_frames", "overlong", "rows_per_shard", "min_seconds", "max_seconds",
	"min_chars_per_second", "max_chars_per_second", "only_speakers", "not_speakers", "only_languages", "keep_ids", "drop_ids"}

// takenOver are settings of text that cannot differ when text is read for a root:
// symbols stand in the root themselves, who says phonemes is asked where they are
// made, and the language of a speaker's line is told by its caller.
var takenOver = []string{"symbols", "phonemes", "speaker_languages"}

// TextChanges lists what text would be read by otherwise with c, which was put
// together from a root, than by the build that made the root: settings, versions
// of stages, and settings that this version does not know. The error is for
// settings that no text can be read by.
func (c Config) TextChanges(root *store.Root) ([]Change, error) {
	c = c.withDefaults()
	if errs := c.check(); len(errs) > 0 {
		return nil, fmt.Errorf("%w: %w", ErrConfig, errors.Join(errs...))
	}
	var list []Change
	for _, s := range []stage{stages[atText], stages[atTokens]} {
		if its := root.Stage(s.Name); its != s.Version {
			list = append(list, Change{"version of " + s.Name, its, s.Version})
		}
	}
	mine := store.Root{Config: c.settings(), Speakers: root.Speakers}
	for _, change := range changes(root, &mine) {
		known := slices.Contains(shapeSettings, change.Key)
		for at, s := range stages {
			reads := slices.Contains(s.Reads, change.Key)
			if reads && (at == atText || at == atTokens) && !slices.Contains(takenOver, change.Key) {
				list = append(list, change)
			}
			known = known || reads
		}
		if !known {
			list = append(list, change)
		}
	}
	return list, nil
}

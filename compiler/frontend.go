package compiler

import (
	"fmt"
	"slices"

	"voxpack/compiler/action"
	"voxpack/compiler/frontend"
	"voxpack/store"
)

// shapeSettings are the settings of a root that no stage reads: they say which
// rows are kept and how samples are laid out.
var shapeSettings = []string{"max_text_length", "max_mel_frames", "overlong", "rows_per_shard", "min_seconds", "max_seconds",
	"min_chars_per_second", "max_chars_per_second", "only_speakers", "not_speakers", "only_languages", "keep_ids", "drop_ids"}

// FrontEndOf is what the text of a dataset was read by. The differences say where
// this program would read text otherwise than the build that made the dataset; a
// setting that it does not know is one, because it may be of text.
func FrontEndOf(d *store.Dataset) (frontend.Config, []frontend.Difference, error) {
	c, differ, err := frontend.FromRoot(d.Root, d.Store.Get)
	if err != nil {
		return c, nil, fmt.Errorf("root of %s: %w", d.Store.Dir(), err)
	}
	for _, n := range d.Root.Config {
		known := slices.Contains(shapeSettings, n.Name) ||
			readByAny(n.Name)
		if !known && n.Value != "" {
			differ = append(differ, frontend.Difference{Setting: n.Name, Built: n.Value})
		}
	}
	return c, differ, nil
}

func readByAny(setting string) bool {
	for s := range action.End() {
		if s.Reads(setting) {
			return true
		}
	}
	return false
}

package report

import (
	"context"
	"fmt"
	"unicode/utf8"

	"voxpack/store"
)

// row is a kept row, as far as the report needs it: some 300 bytes and its texts.
type row struct {
	at       store.At
	id       string
	text     string // as written
	spoken   string
	language string
	speaker  string
	split    string
	sound    soundName
	seconds  float64
	samples  int // at the configured rate
	frames   int // of the whole clip
	tokens   int // of the whole text
	letters  int // characters of spoken
}

// soundName tells recordings apart: rows of one file are not equal if they are other
// parts of it.
type soundName struct {
	file         store.Digest
	from, length uint64 // ns
}

// pace is in characters a second, 0 where it is not known.
func (r *row) pace() float64 {
	if r.seconds <= 0 {
		return 0
	}
	return float64(r.letters) / r.seconds
}

// readRows reads every origin record once, in the order of the store.
func (s *set) readRows(ctx context.Context) error {
	if _, err := fmt.Sscan(s.data.Root.Setting("sample_rate"), &s.rate); err != nil || !(s.rate > 0) {
		return fmt.Errorf("dataset %s has the sample rate %q: %w", s.data.Digest.Short(), s.data.Root.Setting("sample_rate"), store.ErrDamaged)
	}
	for leaf := range s.data.Origins {
		if err := ctx.Err(); err != nil {
			return err
		}
		o, err := s.data.Origin(leaf)
		if unreadable(err) {
			s.unknown += s.data.Origins[leaf].Rows
			continue
		}
		if err != nil {
			return err
		}
		for i := range o.Rows {
			r := &o.Rows[i]
			s.rows = append(s.rows, row{
				at: store.At{Leaf: leaf, Row: i}, id: r.ID, text: r.Text, spoken: r.Spoken, language: r.Language, speaker: r.Speaker, split: r.Split,
				sound: soundName{r.Audio, r.From, r.Length}, seconds: float64(r.Samples) / s.rate,
				samples: int(r.Samples), frames: int(r.Frames), tokens: int(r.Tokens), letters: utf8.RuneCountInString(r.Spoken),
			})
		}
	}
	return nil
}

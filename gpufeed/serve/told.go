package serve

import (
	"fmt"
	"strings"
)

// Told is a setting that the feeder has otherwise than the dataset's config: by a
// flag, or since the config was edited.
type Told struct {
	Key  string // of start; one that start does not have is for AsTold alone
	Flag string // as on the command line, "--segment 32"
}

// settings are what of a start a Told may name.
var settings = map[string]func(*Start) (given bool){
	"batch":     func(r *Start) bool { return r.Batch != nil },
	"seed":      func(r *Start) bool { return r.Seed != nil },
	"split":     func(r *Start) bool { return r.Split != nil },
	"val":       func(r *Start) bool { return r.Val != nil },
	"train":     func(r *Start) bool { return r.Train != nil },
	"shuffle":   func(r *Start) bool { return r.Shuffle != nil },
	"tail":      func(r *Start) bool { return r.Tail != nil },
	"languages": func(r *Start) bool { return r.Languages != nil },
	"speakers":  func(r *Start) bool { return r.Speakers != nil },
	"weights":   func(r *Start) bool { return r.Weights != nil },
	"buckets":   func(r *Start) bool { return r.Buckets != nil },
	"segment":   func(r *Start) bool { return r.Segment != nil },
	"reference": func(r *Start) bool { return r.Reference != nil },
	"mel_norm":  func(r *Start) bool { return r.MelNorm != nil },
	"extra":     func(r *Start) bool { return r.Extra != nil },
	"columns":   func(r *Start) bool { return r.Columns != nil },
}

// checkTold refuses a start that would get what somebody else told this feeder: who
// comes first decides for nobody but himself.
func (s *Server) checkTold(r *Start) error {
	if r.AsTold || s.options.Told == nil {
		return nil
	}
	told, err := s.options.Told()
	if err != nil {
		return asked("the config of this feeder: %w", err)
	}
	var flags, keys []string
	for _, t := range told {
		given := settings[t.Key]
		if given != nil && given(r) {
			continue
		}
		flags = append(flags, t.Flag)
		if given != nil {
			keys = append(keys, t.Key)
		}
	}
	if len(flags) == 0 {
		return nil
	}
	cure := fmt.Sprintf("accept the feeder's settings (in Python Dataset(socket=%q) without a store; as_told in a start), or end the feeder", s.address)
	if len(keys) == len(flags) {
		cure = "set them (" + strings.Join(keys, ", ") + "), " + cure
	}
	return asked("this feeder was started with %s, which differs from voxpack.yaml, and this consumer leaves those settings open: %s", strings.Join(flags, " "), cure)
}

// sameSpeaker is the one kind of reference.
const sameSpeaker = "same-speaker"

func reference(yes bool) string {
	if yes {
		return sameSpeaker
	}
	return ""
}

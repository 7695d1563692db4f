package feedrun

import (
	"fmt"
	"io"
	"slices"

	"voxpack/diagnosis"
)

// said is what a run tells people besides its report, and keeps for the JSON and
// the run record. It writes each line at once to out, which is stderr: stdout has
// the report or the ids. -q silences advice and notes there, and keeps them here.
type said struct {
	out      io.Writer
	quiet    bool
	start    []string // notes from before the feed was open
	advice   []advice
	notes    []string
	warnings []string
}

// open says what is known at the start.
func (s *said) open() {
	// Notes of the devices come first, as they were made first.
	s.notes = append(s.start, s.notes...)
	if s.quiet {
		return
	}
	for _, a := range s.advice {
		fmt.Fprintf(s.out, "advice: %s [%s]\n", a.Text, a.Rule)
	}
	for _, n := range s.notes {
		fmt.Fprintf(s.out, "note: %s\n", n)
	}
}

// told reports whether people have read what a rule found: as advice at the start,
// or as the warning at the end, which is the rule of variation alone.
func (s *said) told(rule string) bool {
	return rule == diagnosis.VariationTarget || !s.quiet && slices.ContainsFunc(s.advice, func(a advice) bool { return a.Rule == rule })
}

// note says something that changes no result.
func (s *said) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.notes = append(s.notes, text)
	if !s.quiet {
		fmt.Fprintf(s.out, "note: %s\n", text)
	}
}

// warn says what somebody should change; -q does not silence it.
func (s *said) warn(text string) {
	s.warnings = append(s.warnings, text)
	fmt.Fprintf(s.out, "warning: %s\n", text)
}

package detect

import (
	"strings"
	"testing"

	"voxpack/internal/steptest"
)

// TestLongLines: nothing of a text is looked at again and again, whatever it holds.
func TestLongLines(t *testing.T) {
	units := []string{"a", "a ", "a\u0301", "aя", "私の", "\u0301", "\xff", "کa", "لاب\u200cها ", "x@y.zz http://a ", "(a", "@", "://", "kilometre "}
	steptest.Linear(t, "voxpack/textnorm/detect", 8<<10, units, func(_ *testing.T, unit string, size int) {
		text := strings.Repeat(unit, size/len(unit))
		code, _ := detector.Detect(text, nil)
		detector.Spans(text, code, nil)
	})
}

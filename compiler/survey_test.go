package compiler

import (
	"fmt"
	"testing"
	"time"

	"voxpack/textnorm"
)

// TestSumNotes: notes of one kind and detail are one, in the order in which they
// came, and a row of which each character has a note does not hold up a build.
func TestSumNotes(t *testing.T) {
	note := func(kind, detail string) textnorm.Note { return textnorm.Note{Kind: kind, Detail: detail} }
	got := sumNotes("text", []textnorm.Note{note("b", "x"), note("a", "x"), note("b", "x"), note("b", "y")})
	want := "[{text b x 2} {text a x 1} {text b y 1}]"
	if fmt.Sprint(got) != want {
		t.Errorf("sumNotes = %v, want %s", got, want)
	}
	if got := sumNotes("text", nil); got != nil {
		t.Errorf("sumNotes of none = %v, want none", got)
	}
	many := make([]textnorm.Note, 200_000)
	for i := range many {
		many[i] = note("unknown-character", fmt.Sprint(i))
	}
	// Comparing each with each took 40 s, a table takes 0.1 s.
	start := time.Now()
	if got := sumNotes("tokens", many); len(got) != len(many) || time.Since(start) > 10*time.Second {
		t.Errorf("%d notes of %d in %v", len(got), len(many), time.Since(start))
	}
}

package main

import (
	"slices"
	"strings"
	"testing"

	"voxpack/compiler"
)

func TestSummaryIsAtMostElevenLines(t *testing.T) {
	r := &compiler.Report{Dataset: "d", Rows: compiler.RowCounts{Total: 9, Kept: 5, Rejected: 4, Noted: 5},
		Rejections:  []compiler.RejectedRow{{Stage: "mel"}, {Stage: "text"}, {Stage: "mel"}, {Stage: "metadata"}},
		Suggestions: []compiler.Suggestion{{Key: "max_mel_frames", Value: 856, Keeps: 7}}}
	for i := range 30 {
		r.Notes = append(r.Notes, compiler.NoteCount{Stage: "tokens", Kind: "unknown-character", Detail: "U+2603", Rows: uint64(i + 1), Count: 50, Examples: []string{"a", "b", "c", "d"}})
	}
	lines := summary(r)
	if len(lines) != 11 {
		t.Errorf("%d lines, want 11:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	for _, want := range []string{
		"9 rows: 5 kept (5 with notes), 4 rejected (44.4 %): metadata 1, text 1, mel 2",
		"hint     max_mel_frames 856 keeps 7 of 9",
		`note     tokens: unknown-character U+2603 "☃" in 30 rows, 50 times (a, b, c, …)`,
		"note     and 27 more kinds: voxpack show",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in:\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

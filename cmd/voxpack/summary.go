package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/action"
)

// stageNames are the stages in the order in which they run.
var stageNames = append([]string{"audio", "text", "tokens", "mel"}, compiler.FeatureNames()...)

// maxSummary is how many lines a build may say at its end.
const maxSummary = 11

// summary is what a build did, in at most eleven lines; one when it did nothing.
func summary(r *compiler.Report) []string {
	took := term.Duration(time.Duration(r.Seconds * float64(time.Second)))
	if r.UpToDate {
		line := fmt.Sprintf("up to date: %s, %s", term.Count(r.Rows.Kept, "row"), took)
		if r.Rows.Rejected > 0 {
			line += fmt.Sprintf(", %s rejected: %s", term.Commas(r.Rows.Rejected), rejectedHint(r))
		}
		return []string{line}
	}
	lines := []string{readLine(r.Read), rowsLine(r), ranLine(r), reusedLine(r), wroteLine(r, took)}
	if len(r.Languages) > 1 {
		lines = append(lines, languagesLine(r))
	}
	if len(r.Suggestions) > 0 {
		lines = append(lines, suggestionLine(r.Suggestions[0], r.Rows.Total))
	}
	if r.Dataset != "" {
		lines = append(lines, "dataset  "+r.Dataset)
	}
	more := "voxpack show"
	if r.DryRun {
		more = "--json" // there may be no store
	}
	return append(lines, noteLines(r.Notes, maxSummary-len(lines), more)...)
}

// readLine is what the metadata was read as; of several corpora no more than
// their formats.
func readLine(list []compiler.ReadCorpus) string {
	if len(list) == 1 {
		return "read     " + list[0].String()
	}
	var parts []string
	for _, c := range list {
		parts = append(parts, fmt.Sprintf("%s %s %s", c.Corpus, c.Format, term.Count(c.Rows, "row")))
	}
	return "read     " + strings.Join(parts, ", ")
}

func rowsLine(r *compiler.Report) string {
	line := fmt.Sprintf("%s: %s kept", term.Count(r.Rows.Total, "row"), term.Commas(r.Rows.Kept))
	if r.Rows.Noted > 0 {
		line += fmt.Sprintf(" (%s with notes)", term.Commas(r.Rows.Noted))
	}
	line += fmt.Sprintf(", %s rejected", term.Commas(r.Rows.Rejected))
	if r.Rows.Rejected == 0 {
		return line
	}
	line += fmt.Sprintf(" (%.1f %%)", 100*float64(r.Rows.Rejected)/float64(r.Rows.Total))
	by := map[string]int{}
	for _, x := range r.Rejections {
		by[x.Stage]++
	}
	var parts []string
	own := slices.DeleteFunc(slices.Sorted(maps.Keys(by)), func(s string) bool { return slices.Contains(stageNames, s) || s == "metadata" || s == "filter" })
	for _, stage := range slices.Concat([]string{"metadata", "filter"}, stageNames, own) {
		if by[stage] > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", stage, term.Commas(by[stage])))
		}
	}
	return line + ": " + strings.Join(parts, ", ")
}

func ranLine(r *compiler.Report) string {
	verb := "ran      "
	if r.DryRun {
		verb = "would run "
	}
	return verb + stageList(r.Stages, func(c action.Count) int { return c.Run })
}

func reusedLine(r *compiler.Report) string {
	line := "reused   " + stageList(r.Stages, func(c action.Count) int { return c.Hit })
	var whole []string
	if r.Shards.Reused > 0 {
		whole = append(whole, term.Count(r.Shards.Reused, "shard"))
	}
	if r.Blocks.Reused > 0 {
		whole = append(whole, term.Count(r.Blocks.Reused, "block"))
	}
	if whole != nil {
		line += "; " + strings.Join(whole, ", ")
	}
	return line
}

// stageList is "text 3, mel 12 rows" of the stages that have any.
func stageList(stages map[string]action.Count, rows func(action.Count) int) string {
	var parts []string
	for _, name := range stagesOf(stages) {
		if n := rows(stages[name]); n > 0 {
			parts = append(parts, name+" "+term.Commas(n))
		}
	}
	if parts == nil {
		return "no stage"
	}
	return strings.Join(parts, ", ")
}

// stagesOf lists stages in their order: columns of the user's own come last, by name.
func stagesOf(stages map[string]action.Count) []string {
	own := slices.DeleteFunc(slices.Sorted(maps.Keys(stages)), func(name string) bool { return slices.Contains(stageNames, name) })
	return append(slices.Clone(stageNames), own...)
}

func wroteLine(r *compiler.Report, took string) string {
	what := fmt.Sprintf("%s, %s", term.Count(r.Shards.Written, "shard"), term.Count(r.Blocks.Written, "block"))
	if r.DryRun && r.AtMost {
		what = "at most " + what + ", " + term.Size(r.WouldWrite)
	}
	if r.DryRun {
		return fmt.Sprintf("would write %s; nothing was written, %s", what, took)
	}
	return fmt.Sprintf("wrote    %s, %s to %s in %s", what, term.Size(r.BytesWritten), r.Store, took)
}

// oneLanguage is the share of the rows in one language from which a corpus is
// likely to have no other: of LJSpeech's rows, told among 18, 99.93 % are English.
const oneLanguage = 0.95

// languagesLine is the kept rows by language, the commonest first. Where texts told
// them it says how to end the doubt.
func languagesLine(r *compiler.Report) string {
	rows := r.Languages
	codes := slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
		return cmp.Or(rows[b]-rows[a], strings.Compare(a, b))
	})
	var parts []string
	for _, code := range codes {
		parts = append(parts, code+" "+term.Commas(rows[code]))
	}
	line := "language " + strings.Join(parts, ", ")
	if r.Told == r.Rows.Kept && float64(rows[codes[0]]) >= oneLanguage*float64(r.Told) {
		line += fmt.Sprintf(", as their texts tell; language: %s in the config makes it all", codes[0])
	}
	return line
}

// suggestionLine is the one setting that keeps the most rejected rows.
func suggestionLine(s compiler.Suggestion, total int) string {
	if s.Keeps == total {
		return fmt.Sprintf("hint     %s %v keeps all %s", s.Key, s.Value, term.Commas(total))
	}
	return fmt.Sprintf("hint     %s %v keeps %s of %s", s.Key, s.Value, term.Commas(s.Keeps), term.Commas(total))
}

// noteLines are the notes by how many rows have them, in so many lines.
func noteLines(notes []compiler.NoteCount, most int, more string) []string {
	var lines []string
	for i, n := range term.NotesByRows(notes) {
		if i == most-1 && len(notes) > most {
			return append(lines, fmt.Sprintf("note     and %d more kinds: %s", len(notes)-i, more))
		}
		lines = append(lines, "note     "+term.NoteText(n))
	}
	return lines
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler/action"
	"voxpack/compiler/explain"
	"voxpack/store"
)

func newExplainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain [STORE] [ID…]",
		Short: "Say why stages ran, or what they did to rows",
		Long: `Say which input or setting made stages run in the build that made the snapshot;
with ids, what each stage did to these rows and why, or why a row was rejected.

STORE is a dataset's folder, a store, or one of them with @REF. An id may
be written as in the metadata, as wavs/ID.wav too. Ids that begin with - or @
stand behind --.

` + exitCodesHelp,
		Example: `  voxpack explain
  voxpack explain LJSpeech-1.1 LJ001-0001 LJ001-0002`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, ids := locate.SplitArgs(args, cmd.ArgsLenAtDash())
			return runExplain(where, ids, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func runExplain(where string, ids []string, asJSON bool, stdout, stderr io.Writer) error {
	p, err := locate.Find(where)
	if err != nil {
		return err
	}
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	if len(ids) > 0 {
		return explainRows(st, p, ids, asJSON, stdout, stderr)
	}
	e, err := explain.Snapshot(st, p.Ref)
	if err != nil {
		return p.Hint(err)
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return term.PrintJSON(w, e)
		}
		for _, line := range explanation(e) {
			fmt.Fprintln(w, line)
		}
		return nil
	})
}

// explanation is the difference between a snapshot and the one before, in lines.
func explanation(e *explain.Explanation) []string {
	lines := []string{fmt.Sprintf("snapshot %s of %s by %s", term.Short(e.Snapshot), e.Time.Format(time.DateTime+" UTC"), e.Tool)}
	switch {
	case e.First && e.Parent != "":
		lines = append(lines, fmt.Sprintf("the snapshot before, %s, is not in the store any more: nothing to compare with", term.Short(e.Parent)))
	case e.First:
		lines = append(lines, "first build: no snapshot to compare with")
	default:
		lines = append(lines, "compared with "+term.Short(e.Parent))
	}
	for _, c := range e.Config {
		lines = append(lines, "config   "+c.String())
	}
	for _, what := range editKinds {
		if n := e.Rows[what]; n > 0 && !e.First { // else all of them are new
			lines = append(lines, "rows     "+edits(what, n))
		}
	}
	lines = append(lines, "ran      "+stageList(e.Ran, func(c action.Count) int { return c.Run }),
		"reused   "+stageList(e.Ran, func(c action.Count) int { return c.Hit }))
	if e.First {
		return lines
	}
	for _, s := range e.Stages {
		lines = append(lines, reasonLine(s))
	}
	return lines
}

// reasonLine is "3 × text: text edited (a, b, c)".
func reasonLine(s explain.StageReason) string {
	line := fmt.Sprintf("%s × %s: %s", term.Commas(s.Rows), s.Stage, s.Outcome())
	if len(s.Examples) == 0 {
		return line
	}
	line += " (" + strings.Join(s.Examples, ", ")
	if s.Rows > len(s.Examples) {
		line += ", …"
	}
	return line + ")"
}

// editKinds are the kinds of Explanation.Rows, in the order in which they are said.
var editKinds = []string{"added", "added and rejected", "removed", "renamed", "now rejected", "no longer rejected", "text edited", "audio changed", "speaker or language changed", "split changed"}

// edits is "3 texts edited" and the like.
func edits(what string, n int) string {
	switch what {
	case "text edited":
		return term.Count(n, "text") + " edited"
	case "audio changed":
		return term.Count(n, "audio file") + " changed"
	case "speaker or language changed":
		return term.Count(n, "row") + " with another speaker or language"
	case "split changed":
		return term.Count(n, "row") + " in another split"
	}
	return term.Count(n, "row") + " " + what
}

// explainRows explains each id; one that is not there does not keep the others
// from being explained.
func explainRows(st *store.Store, p locate.Place, ids []string, asJSON bool, stdout, stderr io.Writer) error {
	rows := []*explain.RowExplanation{}
	unknown := 0
	for _, id := range ids {
		row, err := explain.Row(st, p.Ref, id)
		if errors.Is(err, store.ErrNotFound) && row == nil {
			hint, err := locate.UnknownID(st, p, id)
			if err != nil {
				return err
			}
			unknown++
			complain(stderr, term.Findings(hint))
			continue
		}
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	err := term.Buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return term.PrintJSON(w, rows)
		}
		for i, row := range rows {
			if i > 0 {
				fmt.Fprintln(w)
			}
			explainRow(w, row)
		}
		return nil
	})
	if err == nil && unknown > 0 {
		return term.Findings("")
	}
	return err
}

func explainRow(w io.Writer, r *explain.RowExplanation) {
	fmt.Fprintln(w, r.ID)
	if r.Rejected != "" {
		fmt.Fprintf(w, "  rejected  %s\n", r.Rejected)
	}
	for _, s := range r.Stages {
		fmt.Fprintf(w, "  %-7s %s\n          key %s\n          %s\n", s.Stage, s.Result, s.Key, s.Why)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note    %s\n", n)
	}
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

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
			where, ids := splitArgs(args, cmd.ArgsLenAtDash())
			return runExplain(where, ids, asJSON, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func runExplain(where string, ids []string, asJSON bool, stdout, stderr io.Writer) error {
	p, err := findPlace(where)
	if err != nil {
		return err
	}
	st, err := p.open()
	if err != nil {
		return err
	}
	defer st.Close()
	if len(ids) > 0 {
		return explainRows(st, p, ids, asJSON, stdout, stderr)
	}
	e, err := explain.Snapshot(st, p.ref)
	if err != nil {
		return p.hint(err)
	}
	return buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return printJSON(w, e)
		}
		for _, line := range explanation(e) {
			fmt.Fprintln(w, line)
		}
		return nil
	})
}

// explanation is the difference between a snapshot and the one before, in lines.
func explanation(e *explain.Explanation) []string {
	lines := []string{fmt.Sprintf("snapshot %s of %s by %s", short(e.Snapshot), e.Time.Format(time.DateTime+" UTC"), e.Tool)}
	switch {
	case e.First && e.Parent != "":
		lines = append(lines, fmt.Sprintf("the snapshot before, %s, is not in the store any more: nothing to compare with", short(e.Parent)))
	case e.First:
		lines = append(lines, "first build: no snapshot to compare with")
	default:
		lines = append(lines, "compared with "+short(e.Parent))
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
	line := fmt.Sprintf("%s × %s: %s", commas(s.Rows), s.Stage, s.Outcome())
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
		return count(n, "text") + " edited"
	case "audio changed":
		return count(n, "audio file") + " changed"
	case "speaker or language changed":
		return count(n, "row") + " with another speaker or language"
	case "split changed":
		return count(n, "row") + " in another split"
	}
	return count(n, "row") + " " + what
}

// explainRows explains each id; one that is not there does not keep the others
// from being explained.
func explainRows(st *store.Store, p place, ids []string, asJSON bool, stdout, stderr io.Writer) error {
	rows := []*explain.RowExplanation{}
	unknown := 0
	for _, id := range ids {
		row, err := explain.Row(st, p.ref, id)
		if errors.Is(err, store.ErrNotFound) && row == nil {
			hint, err := unknownID(st, p, id)
			if err != nil {
				return err
			}
			unknown++
			complain(stderr, findingsError(hint))
			continue
		}
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	err := buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return printJSON(w, rows)
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
		return findingsError("")
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

// unknownID says that an id is not there, with the ids that come near it. A
// snapshot that is missing altogether is another error.
func unknownID(st *store.Store, p place, id string) (string, error) {
	d, err := st.Dataset(p.ref)
	if err != nil {
		return "", err
	}
	ids, err := allIDs(d)
	if err != nil {
		return "", err
	}
	msg := fmt.Sprintf("%s has no row %q", p.store, id)
	if near := nearIDs(ids, id); len(near) > 0 {
		msg += "; near it: " + strings.Join(near, ", ")
	}
	return msg, nil
}

// allIDs lists kept and rejected ids, sorted.
func allIDs(d *store.Dataset) ([]string, error) {
	ids, err := keptIDs(d)
	if err != nil {
		return nil, err
	}
	rejects, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return nil, err
	}
	for i := range rejects {
		if rejects[i].ID != "" {
			ids = append(ids, rejects[i].ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func keptIDs(d *store.Dataset) ([]string, error) {
	ids := make([]string, 0, d.Root.Rows)
	err := d.IDs(func(_ store.At, id string) bool {
		ids = append(ids, id)
		return true
	})
	slices.Sort(ids)
	return ids, err
}

// short is the first 12 characters of a digest or a commit, enough to tell two apart.
func short(digest string) string { return digest[:min(len(digest), 12)] }

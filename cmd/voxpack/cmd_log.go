package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler/explain"
)

type logOptions struct {
	where, row string
	limit      int
	json       bool
}

func newLogCommand() *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log [STORE]",
		Short: "List the versions of a dataset and what each changed",
		Long: `List the snapshots of a dataset, the newest first: its name, when it was built, its
rows and hours, the refs that name it, and what it changed of the one before. With
--rows only those that changed this row, and how.

STORE is a dataset's folder, a store, or one of them with @REF, where REF is
main, a tag, main~2 (two before main), or the beginning of a name that is printed here.

Snapshots before the last one are kept as long as no merge needs their room; a tag
keeps its own.

` + exitCodesHelp,
		Example: `  voxpack log LJSpeech-1.1
  voxpack log --rows LJ001-0002
  voxpack log @main~3 -n 5`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.where = argument(args)
			return runLog(o, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.IntVarP(&o.limit, "limit", "n", 0, "list at most `N` snapshots; 0: all")
	f.StringVar(&o.row, "rows", "", "list what changed the row `ID`")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func runLog(o logOptions, stdout io.Writer) error {
	if o.limit < 0 {
		return term.Usagef("-n %d: at least 0 snapshots can be listed", o.limit)
	}
	v, err := openVersion(o.where, "main")
	if err != nil {
		return err
	}
	defer v.Close()
	h, err := explain.Log(v.Store, v.Digest, o.limit, o.row)
	if err != nil {
		return err
	}
	if o.row != "" && len(h.Snapshots) == 0 {
		hint, err := locate.UnknownID(v.Store, v.Place, o.row)
		if err != nil {
			return err
		}
		return term.Findings(hint)
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, h)
		}
		for i, e := range h.Snapshots {
			printEdition(w, e)
			if i < len(h.Snapshots)-1 || h.Dropped == "" { // else nobody knows any more what it changed
				for _, said := range changesInWords(e) {
					fmt.Fprintln(w, "    "+said)
				}
			}
		}
		if h.Dropped != "" && o.row == "" {
			fmt.Fprintf(w, "the snapshot before, %s, is not in the store any more\n", term.Short(h.Dropped))
		}
		return nil
	})
}

func printEdition(w io.Writer, e explain.Edition) {
	names := make([]string, 0, len(e.Refs))
	for _, ref := range e.Refs {
		_, name, _ := strings.Cut(ref, "/")
		names = append(names, name)
	}
	line := fmt.Sprintf("%s  %s  %s, %s", term.Short(e.Snapshot), e.Time.Format(time.DateTime), term.Count(e.Kept, "row"), term.Clock(e.Seconds))
	if e.Rejected > 0 {
		line += fmt.Sprintf(", %s rejected", term.Commas(e.Rejected))
	}
	if len(names) > 0 {
		line += "  (" + strings.Join(names, ", ") + ")"
	}
	if !e.Whole {
		line += "  a merge, gc or repair has dropped parts of it"
	}
	fmt.Fprintln(w, line)
}

// changesInWords are the lines under a snapshot.
func changesInWords(e explain.Edition) []string {
	switch {
	case len(e.Row) > 0:
		return e.Row
	case e.First:
		return []string{"first build"}
	}
	var list []string
	if rows := rowChanges(e.Rows); rows != "" {
		list = append(list, rows)
	}
	for _, c := range e.Config {
		list = append(list, c.String())
	}
	if len(list) == 0 {
		list = append(list, "no row and no setting; notes or keys")
	}
	return list
}

// rowChanges is "2 texts edited, 1 row added".
func rowChanges(rows map[string]int) string {
	var list []string
	for _, what := range editKinds {
		if n := rows[what]; n > 0 {
			list = append(list, edits(what, n))
		}
	}
	return strings.Join(list, ", ")
}

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

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler/explain"
	"voxpack/store"
)

type diffOptions struct {
	from, to   string
	row        string
	full, json bool
}

func newDiffCommand() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff [FROM [TO]]",
		Short: "Compare two versions of a dataset",
		Long: `Compare two versions of a dataset: rows added, removed and changed, settings, and the
reasons for which stages have other results. --full lists the rows; --row puts one
row of both side by side.

FROM and TO are datasets' folders, stores, or either with @REF, where REF is
main, a tag, main~2 (two before main), or the beginning of a name that log prints.
Without TO it is main of the same store; without both main is compared with the one
before. Two stores can be compared too.

` + exitCodesHelp,
		Example: `  voxpack diff LJSpeech-1.1
  voxpack diff @main~3 @main --full
  voxpack diff @v1 --row LJ001-0002`,
		Args: atMost(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch len(args) {
			case 2:
				o.to = args[1]
				fallthrough
			case 1:
				o.from = args[0]
			}
			if o.full && o.row != "" {
				return term.Usagef("--full lists all rows and --row shows one: give one of them")
			}
			return runDiff(o, cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.full, "full", false, "list every row that differs")
	f.StringVar(&o.row, "row", "", "put the row `ID` of both side by side")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func runDiff(o diffOptions, stdout io.Writer) error {
	before := "main~1"
	if o.to != "" {
		before = "main" // of another store, or there would be nothing to compare
	}
	from, err := openVersion(o.from, before)
	if err != nil {
		return err
	}
	defer from.Close()
	to := &opened{Store: from.Store, Place: from.Place}
	if o.to == "" {
		to.Digest, err = from.Resolve("main")
	} else if to, err = openVersion(o.to, "main"); err == nil {
		defer to.Close()
	}
	if err != nil {
		return err
	}
	if o.row != "" {
		return diffRow(o, from, to, stdout)
	}
	d, err := explain.Diff(from.Store, from.Digest, to.Store, to.Digest)
	if err != nil {
		return err
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, d)
		}
		printDiff(w, d, o.full)
		return nil
	})
}

func printDiff(w io.Writer, d *explain.Difference, full bool) {
	for _, v := range []struct {
		name string
		explain.Version
	}{{"from", d.From}, {"to", d.To}} {
		fmt.Fprintf(w, "%-8s %s of %s, dataset %s, %s\n", v.name, term.Short(v.Snapshot), v.Time.Format(time.DateTime+" UTC"), term.Short(v.Dataset), term.Count(v.Kept, "row"))
	}
	for _, c := range d.Config {
		fmt.Fprintln(w, "config   "+c.String())
	}
	if rows := rowChanges(d.Rows); rows != "" {
		fmt.Fprintln(w, "rows     "+rows)
	}
	for _, s := range d.Stages {
		fmt.Fprintln(w, reasonLine(explain.StageReason{Stage: s.Stage, Rows: s.Rows, Ran: s.Rows, Reason: s.Reason, Examples: s.Examples}))
	}
	if d.Same {
		fmt.Fprintln(w, "the same dataset: a trainer gets the same bytes of both")
	}
	if !full {
		return
	}
	for _, r := range d.Changed {
		fmt.Fprintln(w, rowLine(r))
	}
}

// rowLine is "+ ID", "- ID", or "~ ID: text edited".
func rowLine(r explain.RowChange) string {
	switch {
	case r.Was != "":
		return fmt.Sprintf("~ %s: was %s", r.ID, r.Was)
	case slices.Contains(r.What, explain.Added):
		return "+ " + r.ID
	case slices.Contains(r.What, explain.Removed):
		return "- " + r.ID
	}
	return fmt.Sprintf("~ %s: %s", r.ID, strings.Join(r.What, ", "))
}

func diffRow(o diffOptions, from, to *opened, stdout io.Writer) error {
	row, err := explain.DiffRow(from.Store, from.Digest, to.Store, to.Digest, o.row)
	if errors.Is(err, store.ErrNotFound) {
		hint, err := locate.UnknownID(to.Store, to.Place, o.row)
		if err != nil {
			return err
		}
		return term.Findings(hint)
	}
	if err != nil {
		return err
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, row)
		}
		fmt.Fprintln(w, term.Line(row.ID))
		for _, f := range row.Fields {
			f.Was, f.Now = term.Line(f.Was), term.Line(f.Now)
			if f.Was == f.Now {
				fmt.Fprintf(w, "  %-10s %s\n", f.Name, f.Now)
				continue
			}
			if f.Was != "" {
				fmt.Fprintf(w, "- %-10s %s\n", f.Name, f.Was)
			}
			if f.Now != "" {
				fmt.Fprintf(w, "+ %-10s %s\n", f.Name, f.Now)
			}
		}
		return nil
	})
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

func newDuCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "du [STORE]",
		Short: "Show what the room of a store is used for",
		Long: `Show what takes room in a store: packs and the build cache, the columns of a version, and
what each snapshot has of its own, which would be free without it. voxpack gc says what
can be freed now.

STORE is a dataset's folder, a store, or one of them with @REF.

` + exitCodesHelp,
		Example: `  voxpack du LJSpeech-1.1
  voxpack du LJSpeech-1.1@v1 --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDu(cmd.Context(), argument(args), asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// duReport is the JSON of du.
type duReport struct {
	Store string `json:"store"`
	store.Usage
	Snapshots []duSnapshot `json:"snapshots"`
}

type duSnapshot struct {
	Snapshot string    `json:"snapshot"`
	Time     time.Time `json:"time"`
	Rows     int       `json:"rows"`
	Own      int64     `json:"own"`
	Whole    bool      `json:"whole"`
}

// duLines is how many snapshots are listed for a person.
const duLines = 20

func runDu(ctx context.Context, where string, asJSON bool, stdout io.Writer) error {
	v, err := openVersion(where, "main")
	if err != nil {
		return err
	}
	defer v.Close()
	r := duReport{Store: v.Place.Store, Snapshots: []duSnapshot{}}
	var damage error
	if r.Usage, damage = v.Usage(ctx, v.Digest); ctx.Err() != nil {
		return term.ErrInterrupted
	}
	if damage != nil && len(r.Usage.Snapshots) == 0 {
		return damage
	}
	for _, n := range r.Usage.Snapshots {
		r.Snapshots = append(r.Snapshots, duSnapshot{n.Digest.String(), n.Made(), n.Kept, n.Own, n.Whole})
	}
	err = term.Buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return term.PrintJSON(w, r)
		}
		r.print(w)
		return nil
	})
	return cmp.Or(err, damage)
}

func (r *duReport) print(w io.Writer) {
	line := func(n int64, what string) { fmt.Fprintf(w, "%10s  %s\n", term.Size(n), what) }
	line(r.Packs+r.Cache+r.Drafts+r.Other, r.Store)
	line(r.Packs, "packs")
	if r.Cache > 0 {
		line(r.Cache, "cache of builds")
	}
	if r.Drafts > 0 {
		line(r.Drafts, "of a build that was stopped, or runs: the next one goes on with it")
	}
	if r.Other > 0 {
		line(r.Other, "statistics and records of runs")
	}
	fmt.Fprintln(w, "columns")
	for _, c := range r.Columns {
		line(c.Bytes, c.Name)
	}
	line(r.Records, "ids, sums, origins and numbers of rows")
	fmt.Fprintln(w, "snapshots, with what no other one needs")
	for _, n := range r.Snapshots[:min(len(r.Snapshots), duLines)] {
		what := fmt.Sprintf("%s  %s  %s", term.Short(n.Snapshot), n.Time.Format(time.DateTime), term.Count(n.Rows, "row"))
		if !n.Whole {
			what += "  a merge, gc or repair has dropped parts of it"
		}
		line(n.Own, what)
	}
	if more := len(r.Snapshots) - duLines; more > 0 {
		fmt.Fprintf(w, "            … and %s more: --json has them\n", term.Commas(more))
	}
}

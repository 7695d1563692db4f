package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

func newRollbackCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "rollback [STORE]",
		Short: "Go back to an earlier version of a dataset",
		Long: `Let main name an earlier snapshot again: the one before, or the one of @REF. It is a
move of a name and takes no time; trainings that run keep what they have open.

The sources are not touched. The next voxpack build builds what they say, so mend them
first. What main was stays in the store until a merge needs its room; a tag keeps it.

STORE is a dataset's folder, a store, or one of them with @REF, where REF is a
tag, main~2 (two before main), or the beginning of a name that log prints.

` + exitCodesHelp,
		Example: `  voxpack rollback LJSpeech-1.1
  voxpack rollback LJSpeech-1.1@467909e5`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRollback(argument(args), asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// rollbackReport is the JSON of rollback.
type rollbackReport struct {
	Store   string    `json:"store"`
	Ref     string    `json:"ref"`
	Was     string    `json:"was"` // snapshots
	Now     string    `json:"now"`
	Dataset string    `json:"dataset"`
	Time    time.Time `json:"time"`
	Rows    int       `json:"rows"`
}

func runRollback(where string, asJSON bool, stdout io.Writer) error {
	v, err := openVersion(where, "main~1")
	if err != nil {
		return err
	}
	defer v.Close()
	was, err := v.Ref("heads/main")
	if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrDamaged) {
		return err
	}
	snap, err := v.ReadSnapshot(v.Digest)
	if err != nil {
		return err
	}
	if was != v.Digest {
		if err := v.SetRef("heads/main", v.Digest); err != nil {
			return err
		}
	}
	r := rollbackReport{v.Place.Store, "main", "", v.Digest.String(), snap.Root.String(), snap.Made(), snap.Kept}
	if !was.IsZero() {
		r.Was = was.String()
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if asJSON {
			return term.PrintJSON(w, r)
		}
		if was == v.Digest {
			fmt.Fprintf(w, "main is at %s already\n", term.Short(r.Now))
			return nil
		}
		fmt.Fprintf(w, "main is at %s of %s again: dataset %s, %s\n", term.Short(r.Now), r.Time.Format(time.DateTime+" UTC"), term.Short(r.Dataset), term.Count(r.Rows, "row"))
		if was.IsZero() { // its file was gone, or damaged
			return nil
		}
		fmt.Fprintf(w, "it was at %s; voxpack rollback %s goes back there\n", was.Short(), term.Quoted(v.Place.At(was.Short())))
		fmt.Fprintln(w, "the sources are as they were: the next voxpack build builds what they say")
		return nil
	})
}

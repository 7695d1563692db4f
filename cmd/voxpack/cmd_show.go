package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"voxpack/compiler"
	"voxpack/store"
)

// showOptions are the flags of show.
type showOptions struct {
	where          string
	id             string // "" is the dataset
	column         string
	png, npy       string // files
	padded         bool
	ids            bool
	json           bool
	stdout, stderr io.Writer
}

func newShowCommand() *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use:   "show [STORE] [ID]",
		Short: "Show a dataset, or one row of it",
		Long: `Without ID show the dataset: its identity, schema, settings, sizes, notes and
rejected rows. With ID show what the build read of the row, what its stages made
of it and where that is stored. --column writes one column of the row to a file:
as a picture, or as a NumPy array of its true length.

STORE is a dataset's folder, a store, or one of them with @REF. The id may
be written as in the metadata, as wavs/ID.wav too. An id that begins with - or @
stands behind --.

` + exitCodesHelp,
		Example: `  voxpack show LJSpeech-1.1
  voxpack show LJSpeech-1.1 LJ001-0002 --column mel --png mel.png
  voxpack show --ids | head`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, ids := splitArgs(args, cmd.ArgsLenAtDash())
			if len(ids) > 1 {
				return usagef("show takes one id, got %d (%q is no folder)", len(ids), ids[0])
			}
			if len(ids) == 1 {
				o.id = ids[0]
			}
			o.where, o.stdout, o.stderr = where, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return runShow(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.column, "column", "", "`NAME` of the column to write")
	f.StringVar(&o.png, "png", "", "draw the column into `FILE`")
	f.StringVar(&o.npy, "npy", "", "write the column as a NumPy array to `FILE`")
	f.BoolVar(&o.padded, "padded", false, "with --npy: the whole fixed shape, padding included")
	f.BoolVar(&o.ids, "ids", false, "print the ids of all kept rows, sorted, one a line")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (o showOptions) check() error {
	switch {
	case o.ids && (o.id != "" || o.column != "" || o.json):
		return usagef("--ids stands alone")
	case o.column == "" && (o.png != "" || o.npy != "" || o.padded):
		return usagef("--png, --npy and --padded are for --column NAME")
	case o.column != "" && o.id == "":
		return usagef("--column needs an id")
	case o.column != "" && o.png == "" && o.npy == "":
		return usagef("--column needs --png FILE or --npy FILE")
	case o.column != "" && o.json:
		return usagef("--column and --json: take one of them away")
	case o.padded && o.npy == "":
		return usagef("--padded is for --npy")
	}
	return nil
}

func runShow(o showOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	p, err := findPlace(o.where)
	if err != nil {
		return err
	}
	d, err := p.openDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	switch {
	case o.ids:
		return showIDs(d, o.stdout)
	case o.id == "":
		return showSet(d, p, o)
	case o.column != "":
		return showColumn(d, p, o)
	}
	return showRow(d, p, o)
}

func showIDs(d *store.Dataset, stdout io.Writer) error {
	ids, err := keptIDs(d)
	if err != nil {
		return err
	}
	return buffered(stdout, func(w *bufio.Writer) error {
		for _, id := range ids {
			fmt.Fprintln(w, id)
		}
		return nil
	})
}

// findShown finds a row for a person: one that is not there comes with the ids
// near it, a rejected one with the reason.
func findShown(d *store.Dataset, p place, id string) (*compiler.RowExplanation, error) {
	row, err := compiler.ExplainRow(d.Store, p.ref, id)
	if err == nil || !errors.Is(err, store.ErrNotFound) || row != nil {
		return row, err
	}
	msg, err := unknownID(d.Store, p, id)
	if err != nil {
		return nil, err
	}
	return nil, findingsError(msg)
}

// showColumn writes one column of a kept row to files.
func showColumn(d *store.Dataset, p place, o showOptions) error {
	row, err := findShown(d, p, o.id)
	if err != nil {
		return err
	}
	if row.Rejected != "" {
		return findingsError("row " + row.Rejected)
	}
	sample, err := readSample(d, row.ID, o.column)
	if err != nil {
		return err
	}
	if o.npy != "" {
		if err := replaceFile(o.npy, func(f *os.File) error { return sample.writeNPY(f, o.padded) }); err != nil {
			return fmt.Errorf("write %s: %w", o.npy, err)
		}
		if sample.column.DType == store.BFloat16 {
			fmt.Fprintln(o.stderr, "note: NumPy has no bfloat16; the array is uint16 with the upper half of each float32")
		}
	}
	if o.png == "" {
		return nil
	}
	picture, err := newMelPicture(d, sample, row.Row)
	if err != nil {
		return err
	}
	if err := replaceFile(o.png, func(f *os.File) error { return picture.encode(f) }); err != nil {
		return fmt.Errorf("write %s: %w", o.png, err)
	}
	return nil
}

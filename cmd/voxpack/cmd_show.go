package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/compiler"
	"voxpack/compiler/explain"
	"voxpack/store"
)

// showOptions are the flags of show.
type showOptions struct {
	where          string
	id             string // "" is the dataset
	column         string
	png, npy, wav  string // files
	config         string // file
	padded         bool
	ids, rejected  bool
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
of it and where that is stored. --column writes one column of the row to files:
as a picture, as a NumPy array of its true length, or as sound.

A mel or a linear spectrogram as sound is an approximation, as they have no
phase: one hears what is left of a voice, not how well the build recorded it.
The column pcm comes out sample by sample. --wav without --column takes the mel.

STORE is a dataset's folder, a store, or one of them with @REF. The id may
be written as in the metadata, as wavs/ID.wav too. An id that begins with - or @
stands behind --.

` + exitCodesHelp,
		Example: `  voxpack show LJSpeech-1.1
  voxpack show LJSpeech-1.1 LJ001-0002 --column mel --png mel.png
  voxpack show LJSpeech-1.1 LJ001-0002 --wav mel.wav
  voxpack show --ids | head
  voxpack show LJSpeech-1.1 --rejected`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, ids := splitArgs(args, cmd.ArgsLenAtDash())
			if len(ids) > 1 {
				return usagef("show takes one id, got %d (%q is no folder)", len(ids), ids[0])
			}
			if len(ids) == 1 {
				o.id = ids[0]
			}
			if o.column == "" && o.wav != "" {
				o.column = "mel"
			}
			o.where, o.stdout, o.stderr = where, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return runShow(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.column, "column", "", "`NAME` of the column to write")
	f.StringVar(&o.png, "png", "", "draw the column into `FILE`")
	f.StringVar(&o.npy, "npy", "", "write the column as a NumPy array to `FILE`")
	f.StringVar(&o.wav, "wav", "", "write the column as sound to `FILE`: mel, linear or pcm")
	f.StringVar(&o.config, "config", "", "with --wav: config `FILE` of the build, for its mel_norms; default DATASET_DIR/voxpack.yaml")
	f.BoolVar(&o.padded, "padded", false, "with --npy: the whole fixed shape, padding included")
	f.BoolVar(&o.ids, "ids", false, "print the ids of all kept rows, sorted, one a line")
	f.BoolVar(&o.rejected, "rejected", false, "print all rejected rows, one a line: id, place, stage and reason, with tabs between")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

func (o showOptions) check() error {
	switch {
	case o.ids && (o.id != "" || o.column != "" || o.json):
		return usagef("--ids stands alone")
	case o.rejected && (o.id != "" || o.column != "" || o.ids):
		return usagef("--rejected stands alone, or with --json")
	case o.column == "" && (o.png != "" || o.npy != "" || o.padded):
		return usagef("--png, --npy and --padded are for --column NAME")
	case o.column != "" && o.id == "":
		return usagef("--column and --wav need an id")
	case o.column != "" && o.png == "" && o.npy == "" && o.wav == "":
		return usagef("--column needs --png FILE, --npy FILE or --wav FILE")
	case o.png != "" && !strings.EqualFold(filepath.Ext(o.png), ".png"):
		return usagef("--png %s: the picture is a PNG; name it so", o.png)
	case o.column != "" && o.json:
		return usagef("--column or --wav, and --json: take one of them away")
	case o.config != "" && o.wav == "":
		return usagef("--config is for --wav")
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
	case o.rejected:
		return showRejected(d, o)
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

// rejectedPage is the JSON of show --rejected.
type rejectedPage struct {
	Snapshot   string                 `json:"snapshot"`
	Rejections []compiler.RejectedRow `json:"rejections"` // all
}

func showRejected(d *store.Dataset, o showOptions) error {
	list, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return err
	}
	page := rejectedPage{d.Digest.String(), make([]compiler.RejectedRow, len(list))}
	for i := range list {
		page.Rejections[i] = compiler.RejectedRowOf(&list[i])
	}
	return buffered(o.stdout, func(w *bufio.Writer) error {
		if o.json {
			return printJSON(w, page)
		}
		cell := strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace
		for _, r := range page.Rejections {
			fmt.Fprintf(w, "%s\t%s:%d\t%s\t%s\n", cell(r.ID), cell(r.File), r.Line, r.Stage, cell(r.Reason))
		}
		return nil
	})
}

// findShown finds a row for a person: one that is not there comes with the ids
// near it, a rejected one with the reason.
func findShown(d *store.Dataset, p place, id string) (*explain.RowExplanation, error) {
	row, err := explain.Row(d.Store, p.ref, id)
	if err == nil || !errors.Is(err, store.ErrNotFound) || row != nil {
		return row, err
	}
	msg, err := unknownID(d.Store, p, id)
	if err != nil {
		return nil, err
	}
	return nil, findingsError(msg)
}

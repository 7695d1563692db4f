package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/show"
	"voxpack/cmd/voxpack/internal/term"
)

func newShowCommand() *cobra.Command {
	var o show.Options
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

--stats counts what is in use, no padding, and of f0 the frames with a voice. The
figures do not depend on the order of rows or of builds. They are kept in the
store, so that after an edit only the shards that changed are read.

STORE is a dataset's folder, a store, or one of them with @REF. The id may
be written as in the metadata, as wavs/ID.wav too. An id that begins with - or @
stands behind --.

` + exitCodesHelp,
		Example: `  voxpack show LJSpeech-1.1
  voxpack show LJSpeech-1.1 LJ001-0002 --column mel --png mel.png
  voxpack show LJSpeech-1.1 LJ001-0002 --wav mel.wav
  voxpack show --ids | head
  voxpack show LJSpeech-1.1 --rejected
  voxpack show LJSpeech-1.1 --stats --for fastspeech2 > stats.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			where, ids := locate.SplitArgs(args, cmd.ArgsLenAtDash())
			if len(ids) > 1 {
				return term.Usagef("show takes one id, got %d (%q is not a folder)", len(ids), ids[0])
			}
			if len(ids) == 1 {
				o.ID = ids[0]
			}
			if o.Column == "" && o.WAV != "" {
				o.Column = "mel"
			}
			o.Where, o.Stdout, o.Stderr = where, cmd.OutOrStdout(), cmd.ErrOrStderr()
			return show.Run(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Column, "column", "", "`NAME` of the column to write")
	f.StringVar(&o.PNG, "png", "", "draw the column into `FILE`")
	f.StringVar(&o.NPY, "npy", "", "write the column as a NumPy array to `FILE`")
	f.StringVar(&o.WAV, "wav", "", "write the column as sound to `FILE`: mel, linear or pcm")
	f.StringVar(&o.Config, "config", "", "with --wav: config `FILE` of the build, for its mel_norms; default DATASET_DIR/voxpack.yaml")
	f.BoolVar(&o.Padded, "padded", false, "with --npy: the whole fixed shape, padding included")
	f.BoolVar(&o.IDs, "ids", false, "print the ids of all kept rows, sorted, one a line")
	f.BoolVar(&o.Rejected, "rejected", false, "print all rejected rows, one a line: id, place, stage and reason, with tabs between")
	f.BoolVar(&o.Stats, "stats", false, "print mean, deviation and bounds of mel, f0, energy and columns of your own, by speaker too; with --json by band")
	f.StringVar(&o.For, "for", "", "with --stats: print the file of statistics of a `TRAINER`, fastspeech2 or matcha")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object")
	return cmd
}

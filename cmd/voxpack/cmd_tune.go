package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const tuneHelp = `Work out settings of a trainer and variables of its environment, for this machine
and for a dataset. It prints variables as shell, settings as they stand in
voxpack.yaml, the flags of the commands that train and watch, and what to reduce
when memory runs out, in which order.

Each value says how it is known: "measured" was read here, "computed" follows from
that, "table" is advice of the maker, who is named, "given" stands in the config. What
could not be seen is listed, and no value is made up for it.

A batch size that the config says is kept: it is what is trained on. The config is
voxpack.yaml of the dataset, or that of a trainer, as voxpack check reads them.

STORE is a dataset's folder, a store, or one of them with @REF; without one it is
the nearest folder from here upwards with a store, and without that the machine
alone.

`

func newTuneCommand() *cobra.Command {
	var o diagnose.TuneOptions
	cmd := &cobra.Command{
		Use:   "tune [STORE]",
		Short: "Work out settings for this machine and dataset",
		Long:  tuneHelp + exitCodesHelp,
		Example: `  voxpack tune LJSpeech-1.1
  voxpack tune LJSpeech-1.1 --framework torch --apply train.sh
  voxpack tune LJSpeech-1.1 --apply tuned.yaml
  voxpack tune LJSpeech-1.1 --config train.yaml --verify      what is otherwise than advised?`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			return diagnose.RunTune(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const diagnoseHelp = `Say what limits a training, in one list: GPUs and their driver, the trainer's
config, the store, the last build and feed, and how fast the data side is. It
takes a few seconds; --quick measures nothing, --full reads every byte.

Nothing has to be there: without a GPU, a driver, a dataset or a permission the
rest is looked at, and what could not be seen is said, with the reason.

Findings come in the order of what they bring. An error makes a training slow or
end: then the exit code is 1. A warning costs less, is of a build alone, is known
by experience only, or was found by an earlier feed; with warnings alone it is 0.

The argument is a dataset's folder, a store, or one of them with @REF; without one
it is the nearest folder above with a store. Nothing is written, except by --bundle.

A bundle holds versions, machine, GPUs, known settings of the config, records of
the last build and feed, and findings; no audio, text or id, no name of a user, a
machine or a folder. It is listed first, and sent nowhere.

`

func newDiagnoseCommand() *cobra.Command {
	var o diagnose.DiagnoseOptions
	cmd := &cobra.Command{
		Use:   "diagnose [STORE or DATASET]",
		Short: "Look at machine, config, store and speed, and list what limits",
		Long:  diagnoseHelp + exitCodesHelp,
		Example: `  voxpack diagnose LJSpeech-1.1 --config train.yaml --step-ms 150
  voxpack diagnose --quick                      the machine alone, outside of a dataset
  voxpack diagnose LJSpeech-1.1 --bundle for-help.zip`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			o.Version = toolVersion()
			return diagnose.RunDiagnose(cmd.Context(), &o, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

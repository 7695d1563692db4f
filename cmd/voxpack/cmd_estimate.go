package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const estimateHelp = `Work out the step of a training from the times of its stages for a batch: with
one GPU and with two, with the stages in turn and beside each other. It says
which stage bounds the step, whether a second GPU pays, what a faster stage
would bring, and how other batch sizes would do.

A single GPU has the stages load, copy and train; preprocess and transfer are
those of a data GPU. With all stages beside each other the longest one is the
step, and no figure is below it. Times grow with the batch in proportion, but
for the part that is said to be fixed.

`

func newEstimateCommand() *cobra.Command {
	var o diagnose.EstimateOptions
	cmd := &cobra.Command{
		Use:   "estimate",
		Short: "Work out steps from stage times: one GPU or two, which stage bounds",
		Long:  estimateHelp + exitCodesHelp,
		Example: `  voxpack estimate --stages load=20,preprocess=10,transfer=15,train=150
  voxpack estimate --run LJSpeech-1.1 --stages train=150     with the stages of its last feed
  voxpack estimate --bytes 8.2MB --bandwidth 25 --latency 10us --stages train=40`,
		Args: atMost(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return diagnose.RunEstimate(&o, cmd.OutOrStdout()) },
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

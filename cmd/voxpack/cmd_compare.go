package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const compareHelp = `Show run records of feed and of profile side by side: step, samples a second, wait for data,
variation, time in all, and how busy and full GPUs were; what each run differs
by from the first, and whether that is more than runs vary by.

A RUN is the file of a run record, or a dataset for its last feed. Several runs
of the same thing, with commas between, show how much they vary; with a single
run each that is assumed, and the verdict suspected.

`

func newCompareCommand() *cobra.Command {
	var o diagnose.CompareOptions
	cmd := &cobra.Command{
		Use:   "compare RUN RUN…",
		Short: "Compare runs, and say which differences count",
		Long:  compareHelp + exitCodesHelp,
		Example: `  voxpack compare before.json after.json
  voxpack compare a1.json,a2.json,a3.json b1.json,b2.json,b3.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return diagnose.RunCompare(&o, args, cmd.OutOrStdout())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

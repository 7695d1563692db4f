package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const checkHelp = `Audit a trainer's config (YAML or JSON) against this dataset and this machine:
loading, workers, prefetch, batch size, fixed shapes, XLA, mixed precision, GPUs
and their memory; values that contradict each other, misspelt keys, and keys of
other trainers, each with its line and column.

An error makes a training slow or end; a warning costs less, or is known by
experience only, and needs no change. Without a dataset or a GPU the rest is
checked, and what could not be seen is said.

CONFIG is the trainer's file, or a dataset's folder for its voxpack.yaml.

`

func newCheckCommand() *cobra.Command {
	var o diagnose.CheckOptions
	cmd := &cobra.Command{
		Use:   "check [CONFIG]",
		Short: "Audit a trainer's config against this dataset and machine",
		Long:  checkHelp + exitCodesHelp,
		Example: `  voxpack check train.yaml
  voxpack check train.yaml --dataset LJSpeech-1.1 --stages load=20,train=150
  voxpack check train.yaml --fix                writes train.fixed.yaml`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return diagnose.RunCheck(cmd.Context(), &o, append(args, "")[0], cmd.OutOrStdout())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const profileHelp = `Run a feed for some steps, and say what the steps were spent on: the wait for
batches that were filled late, the wait for copies to a GPU and between two, the
training, and the gaps that are left. These phases add up to the step; loading
that nobody waits for is no part of it. Beside them it shows how long each stage
takes for a batch, how busy and full GPUs were where NVML tells, what the machine
did, and findings in the order of gain.

Nobody trains unless --step-ms simulates it, and a profile says so. Copies are
those of --device: of GPUs, of simulated ones (sim), or none (host).

With --attach it looks at trainers that run, which take batches from the feeder of
a dataset: it waits for --num-steps steps, or takes the last ones that are kept
(--kept). Where the trainer marks its steps (with ds.step(): in Python), training
is told from the gaps between steps.

`

func newProfileCommand() *cobra.Command {
	var o diagnose.ProfileOptions
	cmd := &cobra.Command{
		Use:   "profile [STORE]",
		Short: "Measure what steps are spent on, phase by phase",
		Long:  profileHelp + exitCodesHelp,
		Example: `  voxpack profile LJSpeech-1.1 --batch-size 32 --num-steps 100 --step-ms 150
  voxpack profile --data-gpu 0 --model-gpu 1 --step-ms 150 --record before.json
  voxpack profile --device sim --step-ms 20 --sweep 8,12,16,20,24,28,32
  voxpack profile --attach LJSpeech-1.1                      of a trainer that runs`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			o.Given, o.Version = cmd.Flags().Changed, toolVersion()
			return diagnose.RunProfile(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

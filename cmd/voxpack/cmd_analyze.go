package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/diagnose"
)

const analyzeHelp = `Measure the data side without a trainer, and say what makes it slow: the steps of
a build (text, read, decode, resample, features, write) for a sample of the rows,
on one core and without touching the store, then a short feed of the store.
With --step-ms, a trainer's own step, it says how long the GPU would be idle, how
often a batch is ready, and how much shorter steps are with data from memory.

The argument is a dataset's folder, a store, or one of them with @REF; without one
it is the nearest folder above with a store. A dataset that was never built is
timed and not fed, a store whose sources are gone is fed and not timed; what could
not be seen is said. Writing is timed in a store in the temporary folder.

`

func newAnalyzeCommand() *cobra.Command {
	var o diagnose.AnalyzeOptions
	cmd := &cobra.Command{
		Use:   "analyze [STORE or DATASET]",
		Short: "Measure the data side without a trainer: text, audio, feed",
		Long:  analyzeHelp + exitCodesHelp,
		Example: `  voxpack analyze LJSpeech-1.1 --step-ms 150
  voxpack analyze LJSpeech-1.1 --batch-size 32 --workers 4 --json
  voxpack analyze /fast/ljspeech --dataset LJSpeech-1.1`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			o.Given, o.Tool = cmd.Flags().Changed, toolVersion()
			return diagnose.RunAnalyze(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/top"
)

const topHelp = `Show what a running feeder does for its consumers, live: samples a second, the
step, the part of it that the trainer waits (stall), the ring, the feeder's
stages, the machine's GPUs where NVML tells, and findings as they arise.

STORE is a dataset's folder, a store, or one of them with @REF; SOCKET is where a
feeder listens. Without an argument it is the store above this folder, or, where
nobody feeds that, every feeder of this user that listens at the usual place.
What a trainer waits for is known of consumers that note their steps, as the
Python package does.

On a terminal it fills the screen: q ends it, ? shows the keys. Elsewhere, and
with --plain, it prints lines. A feeder that ended is waited for.

With --prometheus it serves metrics to this machine and nobody else;
docs/en/diagnosis.md lists them.

`

func newTopCommand() *cobra.Command {
	var o top.Options
	cmd := &cobra.Command{
		Use:   "top [STORE|SOCKET]",
		Short: "Show live what a running feeder does",
		Long:  topHelp + exitCodesHelp + "\nThat no feeder runs is 3. q is 0, Ctrl-C is 130.",
		Example: `  voxpack top
  voxpack top LJSpeech-1.1 --plain --interval 5s
  voxpack top LJSpeech-1.1 --json --count 1
  voxpack top --prometheus 127.0.0.1:9464`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			return top.Run(cmd.Context(), &o, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

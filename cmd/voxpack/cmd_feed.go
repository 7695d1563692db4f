package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/gpufeed"
	"voxpack/store"
)

const feedHelp = `Deliver the samples of a dataset in batches, as to a trainer, and measure it.
Nobody trains: each batch is given back at once, or after --step-ms.

An epoch is a shuffle of all selected rows that depends on the seed, the epoch
and the ids alone; it is the same for any number of workers and ranks. What
stands in voxpack.yaml of the dataset (batch_size, val_split,
prefetch_buffer_size, data_gpu, …) holds where no flag says otherwise.

STORE is a dataset's folder, a store, or one of them with @REF.

`

const feedExitHelp = `
Of a feed: a corrupt sample is 1, and so is every other finding; a cursor or a
selection that does not fit is 2; a GPU that is missing, lost or does not answer
is 3. With 1, 3 and 130 report and position are written all the same.`

func newFeedCommand() *cobra.Command {
	var o feedrun.Options
	cmd := &cobra.Command{
		Use:   "feed [STORE]",
		Short: "Run epochs without a trainer, and measure them",
		Long:  feedHelp + exitCodesHelp + feedExitHelp,
		Example: `  voxpack feed LJSpeech-1.1 --epochs 3                       how fast is it here?
  voxpack feed --batch-size 48 --step-ms 120 --jitter 20%    does it keep up with my trainer?
  voxpack feed --device sim --link 3 --slow fill=2           what would a slow link and slow fillers do?
  voxpack feed --split train --steps 500 --save-cursor at.json
  voxpack feed --split train --resume at.json --ids rest.txt what is left of that epoch?`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			o.Given, o.Version = cmd.Flags().Changed, toolVersion()
			o.Mend = func(ctx context.Context, p locate.Place, d *store.Dataset) (*gpufeed.Mender, func()) {
				m := newMending(ctx, &o, p, d, io.Discard) // the report says it
				return m.feed(), m.close
			}
			return feedrun.Run(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.AddFlags(f)
	return cmd
}

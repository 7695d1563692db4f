package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
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
	var o feedOptions
	cmd := &cobra.Command{
		Use:   "feed [STORE]",
		Short: "Run epochs without a trainer, and measure them",
		Long:  feedHelp + exitCodesHelp + feedExitHelp,
		Example: `  voxpack feed LJSpeech-1.1 --epochs 3                       how fast is it here?
  voxpack feed --batch-size 48 --step-ms 120 --jitter 20%    does it keep up with my trainer?
  voxpack feed --split train --steps 500 --save-cursor at.json
  voxpack feed --split train --resume at.json --ids rest.txt what is left of that epoch?`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.where = args[0]
			}
			o.given = cmd.Flags().Changed
			return runFeed(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.addFlags(f)
	return cmd
}

// runFeed opens what is asked for, delivers it, and reports, also what came
// before an error or an interrupt.
func runFeed(ctx context.Context, o *feedOptions, stdout, stderr io.Writer) error {
	defer surviveBrokenPipe()()
	p, missing := findPlace(o.where)
	var err error
	if missing == nil {
		err = o.configure(p, stderr)
	}
	if wrong := o.check(missing); wrong != nil {
		return wrong
	}
	if err != nil {
		return err
	}
	d, err := p.openDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	r := &feedRun{options: o, place: p, stdout: stdout, started: time.Now(), copyTime: copyTime, said: said{out: stderr, quiet: o.quiet}}
	if err := r.open(ctx, d); err != nil {
		return errors.Join(feedError(err), r.close())
	}
	failed := r.deliver(ctx)
	return r.finish(ctx, failed)
}

// surviveBrokenPipe makes a write to a stdout that nobody reads any more an error
// like others, after which the position is saved; Go's default is to die of
// SIGPIPE. To ignore the signal would do too, but programs that we start would
// inherit that.
func surviveBrokenPipe() (stop func()) {
	pipe := make(chan os.Signal, 1) // nobody looks: the write says it
	signal.Notify(pipe, syscall.SIGPIPE)
	return func() { signal.Stop(pipe) }
}

// feedError gives the errors of gpufeed their exit codes. That of a stage comes
// from the middle of a run, where a corrupt sample could have been left out.
func feedError(err error) error {
	var stage *gpufeed.StageError
	switch {
	case errors.Is(err, plan.ErrCorrupt) && errors.As(err, &stage):
		return findingsError(fmt.Sprintf("%v; --on-corrupt skip leaves it out", err))
	case errors.Is(err, plan.ErrCorrupt):
		return findingsError(err.Error())
	case errors.Is(err, plan.ErrCursor):
		return usageError{err}
	}
	return err
}

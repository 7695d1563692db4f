package main

import (
	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/report"
)

const reportHelp = `Write one page on a dataset that needs no network and no other file: hours,
languages and speakers, histograms, outliers, the alphabet, rejected rows, what
padding costs and other shapes would, the last build and feed, sound and mel of
some rows, and a table of rows to search and sort.

The store is all that is read. Clipping, silence, offset, bandwidth and loudness
need the column pcm (features: pcm), pitch the column f0; of a large dataset
evenly spaced rows are looked at, and the page says how many.

STORE is a dataset's folder, a store, or one of them with @REF.

`

func newReportCommand() *cobra.Command {
	var o report.Options
	cmd := &cobra.Command{
		Use:   "report [STORE]",
		Short: "Write a page on a dataset, with charts, outliers and sound",
		Long:  reportHelp + exitCodesHelp,
		Example: `  voxpack report LJSpeech-1.1 -o report.html
  voxpack report LJSpeech-1.1 --lang fa --media 40
  voxpack report --json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			return report.Run(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().SortFlags = false
	o.AddFlags(cmd.Flags())
	return cmd
}

package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/plan"
	"voxpack/store"
)

type joinOptions struct {
	settings.Flags
	parts       []string
	json, quiet bool
}

func newJoinCommand() *cobra.Command {
	var o joinOptions
	cmd := &cobra.Command{
		Use:   "join PART... [-o STORE]",
		Short: "Make a dataset of parts that were built apart",
		Long: `Join the parts of one plan into the dataset that one machine would have made of the same
rows: with the same root, rejections and notes. Packs are linked where the file system
allows it, else copied, so that it takes seconds; what the parts know of recordings and
texts goes along, and the next build has nothing to do. The parts may go afterwards.

Without -o it is the store of the dataset that the plan was made of. A store that has a
dataset already gets the new one as its next version. There, and where so few rows were
kept that one build would have laid them out otherwise, a build does that: it reads the
dataset (--dataset, or where the plan was made), and computes nothing again.

` + exitCodesHelp,
		Example: `  voxpack join part0 part1 part2 part3
  voxpack join /shared/parts/* -o /fast/ljspeech`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.parts, o.Tool = args, toolVersion()
			return runJoin(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.Store, "store", "o", "", "folder of the `STORE`")
	f.StringVar(&o.Dataset, "dataset", "", "`FOLDER` of the dataset (default: where the plan was made)")
	f.StringVar(&o.Config, "config", "", "config `FILE`, where the plan was made with one")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	return cmd
}

func runJoin(ctx context.Context, o joinOptions, stdout, stderr io.Writer) error {
	if o.Dataset == "" || o.Store == "" {
		first, err := plan.ReadResult(o.parts[0])
		if err != nil {
			return term.Usage{Err: err}
		}
		o.Dataset = cmp.Or(o.Dataset, first.Plan.Dataset)
		o.Store = cmp.Or(o.Store, filepath.Join(o.Dataset, compiler.StoreName))
	}
	bar := term.StartProgress(stderr, o.quiet)
	opts := compiler.JoinOptions{Parts: o.parts, Store: o.Store, Tool: o.Tool, Now: time.Now,
		Progress: func(done int) {
			bar.Report(compiler.Progress{Phase: "linking", Done: done, Total: len(o.parts)})
		},
		Build: func(ctx context.Context, why string) (*compiler.Report, error) {
			build, _, err := o.Options(stderr)
			if err != nil {
				return nil, fmt.Errorf("%s, and the dataset cannot be read to lay it out: %w", why, err)
			}
			build.Progress = bar.Report
			return compiler.Build(ctx, build)
		}}
	r, err := compiler.Join(ctx, opts)
	bar.End()
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w; the next join goes on from here", term.ErrInterrupted)
	}
	if err != nil {
		return err
	}
	tidy(ctx, o.Store, store.Retention{}, false, stderr)
	for _, w := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, r)
		}
		printJoin(w, r)
		return nil
	})
}

func printJoin(w io.Writer, r *compiler.JoinReport) {
	switch {
	case r.Packs == 0:
		fmt.Fprintf(w, "joined   %s; their packs were here already\n", term.Count(r.Parts, "part"))
	case r.Copied == 0:
		fmt.Fprintf(w, "joined   %s: %s linked, %s\n", term.Count(r.Parts, "part"), term.Count(r.Packs, "pack"), term.Size(r.Linked))
	default:
		fmt.Fprintf(w, "joined   %s: %s, %s copied\n", term.Count(r.Parts, "part"), term.Count(r.Packs, "pack"), term.Size(r.Copied))
	}
	if r.Built != "" {
		fmt.Fprintf(w, "laid out by a build: %s\n", r.Built)
	}
	fmt.Fprintf(w, "rows     %s kept, %s rejected\n", term.Commas(r.Rows.Kept), term.Commas(r.Rows.Rejected))
	fmt.Fprintf(w, "dataset  %s\nstore    %s\n", term.Short(r.Dataset), r.Store)
}

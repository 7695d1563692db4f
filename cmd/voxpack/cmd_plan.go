package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/plan"
)

type planOptions struct {
	settings.Flags
	out  string
	json bool
}

func newPlanCommand() *cobra.Command {
	var o planOptions
	cmd := &cobra.Command{
		Use:   "plan [DATASET_DIR] -o PLAN",
		Short: "Say what machines have to agree on that build a dataset together",
		Long: `Read the config and the metadata of a dataset and write down what all its parts have to
share: settings, columns, the numbers of the speakers. No audio is opened.

Each machine then builds a part of its own, in any order and as often as it likes, and
voxpack join makes of them the dataset that one machine would have made:

  voxpack plan DATASET -o plan.json
  voxpack build DATASET --plan plan.json --part 0/4 -o part0     and so on to 3/4
  voxpack join part0 part1 part2 part3 -o DATASET/.voxpack

A part is refused when the config or the metadata is no longer what the plan was made of.

` + exitCodesHelp,
		Example: `  voxpack plan LJSpeech-1.1 -o plan.json
  voxpack plan --config config.yaml -o /shared/plan.json`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dataset = argument(args)
			if o.out == "" {
				return term.Usagef("plan needs -o FILE, which the machines then read")
			}
			o.Tool = toolVersion()
			return runPlan(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Config, "config", "", "config `FILE`")
	f.StringVar(&o.Metadata, "metadata", "", "metadata `FILE`")
	f.StringVarP(&o.out, "output", "o", "", "`FILE` of the plan")
	f.BoolVar(&o.json, "json", false, "print the plan as a JSON object too")
	return cmd
}

func runPlan(ctx context.Context, o planOptions, stdout, stderr io.Writer) error {
	opts, _, err := o.Options(stderr)
	if err != nil {
		return err
	}
	p, err := compiler.NewPlan(ctx, opts)
	if err != nil {
		return err
	}
	if p.Dataset, err = filepath.Abs(p.Dataset); err != nil { // a join may stand elsewhere
		return err
	}
	if err := p.Write(o.out); err != nil {
		return err
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, p)
		}
		fmt.Fprintf(w, "plan     %s of %s, up to %s\n", term.Count(p.Rows, "row"), opts.Dataset, term.Count(1<<p.Bits, "part"))
		fmt.Fprintf(w, "next     voxpack build %s --plan %s --part 0/N -o OUT_0, and so on; then voxpack join OUT_0 … -o STORE\n", term.Quoted(opts.Dataset), term.Quoted(o.out))
		return nil
	})
}

// part is what --plan and --part say, nil without them.
func (o buildOptions) thePart() (*plan.Part, error) {
	switch {
	case o.plan == "" && o.part == "":
		return nil, nil
	case o.plan == "" || o.part == "":
		return nil, term.Usagef("--plan FILE and --part I/N belong together")
	case o.Store == "":
		return nil, term.Usagef("--part needs -o STORE: a part is no dataset, and lies beside the others")
	case o.stamp != "":
		return nil, term.Usagef("--part and --stamp: take one of them away; the dataset is there after voxpack join")
	}
	index, of, err := plan.ParsePart(o.part)
	if err != nil {
		return nil, term.Usage{Err: fmt.Errorf("--%w", err)}
	}
	p, err := plan.Read(o.plan)
	if err != nil {
		return nil, term.Usage{Err: err}
	}
	return &plan.Part{Plan: p, Index: index, Of: of}, nil
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
)

// verifyOptions are the flags of verify.
type verifyOptions struct {
	settings.Flags // for --sources
	where          string
	full           bool
	sources        bool
	json           bool
}

func newVerifyCommand() *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify [STORE]",
		Short: "Check that a store holds what it says",
		Long: `Check the seals of all packs, the records of the snapshot and the places of its
rows. With --full read every byte and check it against its digest; with
--sources compute every row again from the dataset and compare.

STORE is a dataset's folder, a store, or one of them with @REF. For --sources a
store that does not lie in its dataset needs --dataset, and a dataset that was
built with --config or --metadata needs the same again.

` + exitCodesHelp,
		Example: `  voxpack verify LJSpeech-1.1 --full
  voxpack verify /fast/ljspeech --sources --dataset LJSpeech-1.1`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.where = argument(args)
			o.Tool = toolVersion()
			return runVerify(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.full, "full", false, "read every byte")
	f.BoolVar(&o.sources, "sources", false, "compute every row again and compare")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.StringVar(&o.Dataset, "dataset", "", "with --sources: the dataset's folder, `DIR`")
	f.StringVar(&o.Config, "config", "", "with --sources: config `FILE`")
	f.StringVar(&o.Metadata, "metadata", "", "with --sources: metadata `FILE`")
	f.BoolVar(&o.Follow, "follow-links", false, "with --sources: read what links lead to, wherever that is")
	f.IntVarP(&o.Workers, "workers", "j", 0, "with --sources: compute with `N` workers")
	return cmd
}

// verifyReport is the JSON of verify. Counts are of both checks together.
type verifyReport struct {
	Store    string                 `json:"store"`
	Ref      string                 `json:"ref"`
	Full     bool                   `json:"full"`
	Sources  bool                   `json:"sources"`
	Counts   compiler.VerifyCounts  `json:"counts"`
	Computed *compiler.VerifyCounts `json:"computed,omitempty"` // with --sources
	Findings []compiler.Finding     `json:"findings"`

	inPacks int // findings that say that a file of a pack is damaged, of any snapshot
}

func runVerify(ctx context.Context, o verifyOptions, stdout, stderr io.Writer) error {
	if !o.sources && (o.Dataset != "" || o.Config != "" || o.Metadata != "" || o.Follow || o.Workers != 0) {
		return term.Usagef("--dataset, --config, --metadata, --follow-links and -j are for --sources")
	}
	p, err := locate.Find(o.where)
	if err != nil {
		return err
	}
	r := &verifyReport{Store: p.Store, Ref: p.Ref, Full: o.full, Sources: o.sources, Findings: []compiler.Finding{}}
	err = term.Buffered(stdout, func(w *bufio.Writer) error {
		found := func(f compiler.Finding) {
			if f.Where == "pack" {
				r.inPacks++
			}
			if o.json {
				r.Findings = append(r.Findings, f)
				return
			}
			fmt.Fprintln(w, f)
		}
		if err := verify(ctx, o, p, r, found, stderr); err != nil {
			return err
		}
		if o.json {
			return term.PrintJSON(w, r)
		}
		fmt.Fprintln(w, verdict(r))
		if c := r.cure(); c != "" {
			fmt.Fprintln(w, c)
		}
		return nil
	})
	if err == nil && r.total() > 0 {
		return term.Findings("")
	}
	return err
}

// verify makes the checks that were asked for.
func verify(ctx context.Context, o verifyOptions, p locate.Place, r *verifyReport, found func(compiler.Finding), stderr io.Writer) error {
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	if r.Counts, err = compiler.Verify(ctx, st, p.Ref, o.full, found); err != nil || !o.sources {
		return err
	}
	if o.Dataset == "" {
		o.Dataset = p.Dataset
	}
	if o.Dataset == "" {
		return term.Usagef("%s does not lie in a dataset; name its folder with --dataset", p.Store)
	}
	opts, _, err := o.Options(stderr)
	if err != nil {
		return err
	}
	opts.Store = p.Store
	counts, err := compiler.VerifySources(ctx, opts, p.Ref, found)
	r.Computed = &counts
	return err
}

func (r *verifyReport) total() int {
	n := r.Counts.Findings
	if r.Computed != nil {
		n += r.Computed.Findings
	}
	return n
}

// cure says what helps against damage, "" where there is none. Findings of
// --sources say for themselves what to do.
func (r *verifyReport) cure() string {
	switch {
	case r.Counts.Findings == 0:
		return ""
	case r.Full && r.inPacks == r.Counts.Findings:
		return "the rows of this snapshot are sound all the same; voxpack repair removes the damaged packs"
	}
	return term.RepairCure
}

// verdict sums up what was looked at.
func verdict(r *verifyReport) string {
	c := r.Counts
	looked := fmt.Sprintf("%s, %s, %s, %s", term.Count(c.Packs, "pack"), term.Count(c.Shards, "shard"), term.Count(c.Rows, "row"), term.Count(c.Blocks, "block"))
	if r.Full {
		looked += ", " + term.Size(c.Bytes) + " of samples read"
	}
	if r.Computed != nil {
		looked += fmt.Sprintf("; %s computed again", term.Size(r.Computed.Bytes))
	}
	if n := r.total(); n > 0 {
		return fmt.Sprintf("%s in %s", term.Count(n, "finding"), looked)
	}
	return "sound: " + looked
}

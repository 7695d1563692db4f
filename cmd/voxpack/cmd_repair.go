package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
)

type repairOptions struct {
	settings.Flags
	where             string
	drop, json, quiet bool
}

func newRepairCommand() *cobra.Command {
	var o repairOptions
	cmd := &cobra.Command{
		Use:   "repair [STORE]",
		Short: "Make damaged data anew, and remove damaged packs",
		Long: `Read every byte of a store. Where samples are damaged, make them anew from the sources
of their rows, each held against its checksum; copy what is sound out of the damaged
packs, and remove them when no ref needs them any more. No ref moves.

Rows whose samples cannot be made anew are listed with the reason: the source is gone,
or another one than it was. With --drop they are left out of a new version, to which
main moves; the next build with the sources back brings them again.

Where records are damaged the dataset is built from its sources without trust in
anything, as build --rehash does, unless rows would be lost by that: then --drop means
it. A store by itself needs --dataset.

STORE is a dataset's folder or a store.

` + exitCodesHelp,
		Example: `  voxpack repair LJSpeech-1.1
  voxpack repair /fast/ljspeech --dataset LJSpeech-1.1
  voxpack repair LJSpeech-1.1 --drop`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.where = argument(args)
			o.Tool = toolVersion()
			return runRepair(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Dataset, "dataset", "", "the dataset's folder, `DIR`")
	f.StringVar(&o.Config, "config", "", "config `FILE`")
	f.StringVar(&o.Metadata, "metadata", "", "metadata `FILE`")
	f.BoolVar(&o.Follow, "follow-links", false, "read what links lead to, wherever that is")
	f.IntVarP(&o.Workers, "workers", "j", 0, "compile with `N` workers")
	f.BoolVar(&o.drop, "drop", false, "leave out rows that cannot be made anew: main becomes a version without them")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	return cmd
}

// repairReport is the JSON of repair.
type repairReport struct {
	Store    string              `json:"store"`
	Was      string              `json:"was"`     // dataset before; "" where it could not be told
	Dataset  string              `json:"dataset"` // and after, as root digests
	Rows     *compiler.RowCounts `json:"rows"`    // null without a build
	Rejected []string            `json:"rejected"`
	Mended   int                 `json:"mended"`   // blocks of samples that were made anew
	Lost     []compiler.LostRow  `json:"lost"`     // rows of which a sample could not be
	Dropped  bool                `json:"dropped"`  // they are left out of main now
	Snapshot string              `json:"snapshot"` // that main names after
	Packs    store.RetireReport  `json:"packs"`
	Before   int                 `json:"findings_before"`
	Left     []compiler.Finding  `json:"findings"` // after the repair
}

func runRepair(ctx context.Context, o repairOptions, stdout, stderr io.Writer) error {
	p, err := locate.Find(o.where)
	if err != nil {
		return err
	}
	if p.Named && p.Ref != "main" {
		return term.Usagef("%s: repair is of a store, not of one version of it", o.where)
	}
	r := &repairReport{Store: p.Store, Rejected: []string{}, Lost: []compiler.LostRow{}, Packs: noPacks(), Left: []compiler.Finding{}}
	before, err := r.look(ctx, p)
	if err != nil {
		return err
	}
	if r.Was, r.Before = r.Dataset, len(before); r.Before == 0 {
		return r.print(o, stdout)
	}
	for _, f := range before[:min(len(before), 20)] {
		fmt.Fprintf(term.MakeSafe(stderr), "damaged: %s\n", f)
	}
	opts, err := o.sources(p, stderr)
	if err != nil {
		return err
	}
	if err := r.repair(ctx, o, p, opts, stderr); err != nil {
		return err
	}
	if err := r.print(o, stdout); err != nil {
		return err
	}
	if len(r.Left) > 0 {
		return term.Findings("")
	}
	return nil
}

// repair mends what it can in place. What is still damaged then, though no row is lost, is
// a record: those are made by a build.
func (r *repairReport) repair(ctx context.Context, o repairOptions, p locate.Place, opts compiler.Options, stderr io.Writer) error {
	if err := r.mend(ctx, o, p, opts, stderr); err != nil {
		return err
	}
	if err := r.retire(ctx, p); err != nil || len(r.Left) == 0 || len(r.Lost) > 0 || opts.Dataset == "" {
		return err
	}
	if err := r.build(ctx, o, opts, stderr); err != nil {
		return err
	}
	return r.retire(ctx, p)
}

// retire removes damaged packs that nothing needs any more, and looks again.
func (r *repairReport) retire(ctx context.Context, p locate.Place) (err error) {
	if r.Packs, err = store.Retire(ctx, p.Store, store.WriterOptions{}); err == nil {
		r.Left, err = r.look(ctx, p)
	}
	return err
}

func noPacks() store.RetireReport {
	return store.RetireReport{Removed: []string{}, Left: []string{}, Kept: []string{}}
}

// sources is what can be built anew; without a dataset nothing can.
func (o *repairOptions) sources(p locate.Place, stderr io.Writer) (compiler.Options, error) {
	if o.Dataset == "" {
		o.Dataset = p.Dataset
	}
	if o.Dataset == "" && o.Config == "" {
		fmt.Fprintf(stderr, "warning: %s does not lie in a dataset, so nothing can be made anew; name the dataset's folder with --dataset\n", p.Store)
		return compiler.Options{Store: p.Store, Tool: o.Tool, Now: time.Now}, nil
	}
	opts, _, err := o.Options(stderr)
	opts.Store = p.Store
	return opts, err
}

// mend makes the damaged samples of all refs anew. Rows of main that are lost are left out
// of it, if that is asked for. Where records are damaged it ends.
func (r *repairReport) mend(ctx context.Context, o repairOptions, p locate.Place, opts compiler.Options, stderr io.Writer) error {
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	refs, err := st.Refs()
	if errors.Is(err, store.ErrDamaged) {
		return nil
	}
	bar := term.StartProgress(stderr, o.quiet)
	defer bar.End()
	for _, ref := range refs { // main first: heads come before tags
		if err == nil {
			err = r.mendRef(ctx, o, opts, st, ref, bar)
		}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w; what was made anew stays", term.ErrInterrupted)
	}
	return err
}

func (r *repairReport) mendRef(ctx context.Context, o repairOptions, opts compiler.Options, st *store.Store, ref string, bar *term.Progress) (err error) {
	defer func() {
		if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) {
			err = nil // a record, for a build to make
		}
	}()
	d, err := st.Dataset(ref)
	if err != nil {
		return err
	}
	m, err := compiler.OpenMender(ctx, opts, d)
	if err != nil {
		return withPlaceHint(err, opts)
	}
	defer m.Close()
	w, err := store.OpenWriter(opts.Store, store.WriterOptions{})
	if err != nil {
		return err
	}
	n, lost, err := m.Mend(ctx, w.Put, func(done, total int) { bar.Report(compiler.Progress{Phase: "repairing", Done: done, Total: total}) })
	r.Mended += n
	if err := errors.Join(err, w.Close()); err != nil || ref != compiler.MainRef || len(lost) == 0 {
		return err
	}
	if r.Lost = lost; !o.drop {
		return nil
	}
	if _, err = m.Without(ctx, lost, store.WriterOptions{}, ref); errors.Is(err, compiler.ErrNoRows) {
		return term.Findings("all rows are damaged, and none can be made anew: a version without them would be empty")
	}
	r.Dropped = err == nil
	return err
}

// look reads every byte of the store and of main's snapshot, whose root is "" where it
// cannot be told.
func (r *repairReport) look(ctx context.Context, p locate.Place) (found []compiler.Finding, err error) {
	st, err := p.Open()
	if err != nil {
		return nil, err
	}
	defer st.Close()
	found, r.Dataset, r.Snapshot = []compiler.Finding{}, "", ""
	if d, err := st.Dataset("main"); err == nil {
		r.Dataset, r.Snapshot = d.Snapshot.Root.String(), d.Digest.String()
	}
	_, err = compiler.Verify(ctx, st, "main", true, func(f compiler.Finding) { found = append(found, f) })
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrDamaged) { // main's file, or its snapshot
		found, err = append(found, compiler.Finding{Where: "ref main", What: err.Error()}), nil
	}
	return found, err
}

// build makes what is damaged anew. It loses no row that the version before has, unless
// that is asked for.
func (r *repairReport) build(ctx context.Context, o repairOptions, opts compiler.Options, stderr io.Writer) error {
	bar := term.StartProgress(stderr, o.quiet)
	opts.Rehash, opts.Progress, opts.MinKept = true, bar.Report, 1
	if o.drop {
		opts.MinKept = 0
	}
	report, err := compiler.Build(ctx, opts)
	bar.End()
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%w; %s", term.ErrInterrupted, bar.Kept(false))
	case errors.Is(err, compiler.ErrLoss):
		return term.Findings(fmt.Sprintf("%v; bring the sources back, or let --drop leave out what is lost", err))
	case err != nil:
		return withPlaceHint(err, opts)
	}
	for _, w := range report.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	r.Rows = &report.Rows
	for _, lost := range report.Rejections {
		r.Rejected = append(r.Rejected, lost.ID)
	}
	return nil
}

func (r *repairReport) print(o repairOptions, stdout io.Writer) error {
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, r)
		}
		if r.Before == 0 {
			fmt.Fprintln(w, "sound: nothing to repair")
			return nil
		}
		r.printRows(w)
		switch {
		case r.Rows == nil:
		case r.Was == r.Dataset:
			fmt.Fprintf(w, "built    %s, dataset %s, as it was\n", term.Count(r.Rows.Kept, "row"), term.Short(r.Dataset))
		case r.Was == "":
			fmt.Fprintf(w, "built    %s, dataset %s\n", term.Count(r.Rows.Kept, "row"), term.Short(r.Dataset))
		default:
			fmt.Fprintf(w, "built    %s, dataset %s, which was %s: the sources or settings have changed since\n", term.Count(r.Rows.Kept, "row"), term.Short(r.Dataset), term.Short(r.Was))
		}
		for _, line := range []struct {
			name, after string
			list        []string
		}{{"removed", "", r.Packs.Removed}, {"in use", "; run repair again when no program has it open", r.Packs.Left}, {"kept", ": " + r.Packs.Why, r.Packs.Kept}} {
			if len(line.list) > 0 {
				fmt.Fprintf(w, "%-8s damaged pack %s%s\n", line.name, strings.Join(line.list, ", "), line.after)
			}
		}
		if r.Packs.Copied > 0 {
			fmt.Fprintf(w, "copied   %s out of them\n", term.Count(r.Packs.Copied, "sound value"))
		}
		if len(r.Left) == 0 {
			fmt.Fprintln(w, "sound again: voxpack verify --full finds nothing")
			return nil
		}
		for _, f := range r.Left[:min(len(r.Left), 20)] {
			fmt.Fprintf(w, "still damaged: %s\n", f)
		}
		return nil
	})
}

// printRows says what became of samples.
func (r *repairReport) printRows(w io.Writer) {
	if r.Mended > 0 {
		fmt.Fprintf(w, "mended   %s of samples, made anew from the sources\n", term.Count(r.Mended, "block"))
	}
	const most = 100
	for _, l := range r.Lost[:min(len(r.Lost), most)] {
		fmt.Fprintf(w, "lost     %s: %s\n", l.ID, l.Reason)
	}
	if more := len(r.Lost) - most; more > 0 {
		fmt.Fprintf(w, "lost     %s more; --json lists all\n", term.Count(more, "row"))
	}
	switch {
	case len(r.Lost) == 0:
	case r.Dropped:
		fmt.Fprintf(w, "dropped  %s: main is snapshot %s now, dataset %s, which was %s\n", term.Count(len(r.Lost), "row"), term.Short(r.Snapshot), term.Short(r.Dataset), term.Short(r.Was))
	default:
		fmt.Fprintln(w, "nothing was left out: bring their sources back and repair again, or make a version without them with voxpack repair --drop")
	}
}

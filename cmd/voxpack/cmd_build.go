package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/intake"
	"voxpack/internal/perf"
	"voxpack/store"
)

// buildOptions are the flags of build.
type buildOptions struct {
	settings.Flags
	renumber, json, dryRun, strict, rehash bool
	quiet, verbose                         bool
	depfile, stamp                         string
	trace                                  string // file
	maxLoss                                string // "" is the config's
	plan, part                             string // a file, and I/N
}

func newBuildCommand() *cobra.Command {
	var o buildOptions
	cmd := &cobra.Command{
		Use:   "build [DATASET_DIR]",
		Short: "Bring a dataset's shards up to date",
		Long: `Compile the rows of a dataset into shards, and redo only what changed since the
last build. A row that cannot be compiled is rejected with its place and reason
and stops nothing; a config that cannot be right stops everything before it
begins.

Without DATASET_DIR it is this folder, if it has metadata, else the nearest
folder above with a store. The config is --config, else voxpack.yaml of the
dataset, else the defaults; the store is -o, else .voxpack in the dataset.

` + exitCodesHelp,
		Example: `  voxpack build LJSpeech-1.1
  voxpack build --config config.yaml -o /fast/ljspeech
  voxpack build --dry-run --strict      check metadata, texts and headers, write nothing`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dataset = argument(args)
			if cmd.Flags().Changed("workers") && o.Workers < 1 {
				return term.Usagef("-j %d: want 1 or more", o.Workers)
			}
			o.Tool = toolVersion()
			return runBuild(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Config, "config", "", "config `FILE`")
	f.StringVar(&o.Metadata, "metadata", "", "metadata `FILE`")
	f.BoolVar(&o.Follow, "follow-links", false, "read what links lead to, wherever that is (audio_roots in the config bounds it)")
	f.StringVarP(&o.Store, "store", "o", "", "folder of the `STORE`")
	f.IntVarP(&o.Workers, "workers", "j", 0, "compile with `N` workers (default: num_workers, else all cores)")
	f.BoolVar(&o.renumber, "renumber-speakers", false, "let speakers have other numbers than in the snapshot before")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVar(&o.dryRun, "dry-run", false, "print every rejection and what would run; write nothing")
	f.StringVar(&o.maxLoss, "max-loss", "", "stop when over `SHARE` of the last build's rows would be lost, as in 20%; 100% lets all go (default: max_loss)")
	f.StringVar(&o.plan, "plan", "", "build a part of the plan in `FILE` (see voxpack plan)")
	f.StringVar(&o.part, "part", "", "which part: `I/N`, I from 0")
	f.BoolVar(&o.strict, "strict", false, "exit with 1 when rows are rejected")
	f.BoolVar(&o.rehash, "rehash", false, "trust no time stamp and no pack: read every audio file and everything reused")
	f.StringVar(&o.depfile, "depfile", "", "write the inputs as make rules to `FILE`; needs --stamp")
	f.StringVar(&o.stamp, "stamp", "", "`FILE` that is written when the dataset's content changed")
	f.StringVar(&o.trace, "trace", "", "write a timeline of the build to `FILE`, for Perfetto")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "say which files are used and what is tidied up")
	return cmd
}

func (o buildOptions) check() error {
	switch {
	case o.depfile != "" && o.stamp == "":
		return term.Usagef("--depfile needs --stamp FILE, which is the target of its rules")
	case o.dryRun && o.stamp != "":
		return term.Usagef("--dry-run writes nothing, --stamp and --depfile are files: take one of them away")
	case o.quiet && o.verbose:
		return term.Usagef("-q and -v: take one of them away")
	case o.trace != "" && !locate.IsFolder(filepath.Dir(o.trace)): // not found out after an hour
		return term.Usagef("--trace %s: there is no folder %s", o.trace, filepath.Dir(o.trace))
	}
	if o.depfile == "" {
		return nil
	}
	_, err := targetName(o.stamp)
	return err
}

func runBuild(ctx context.Context, o buildOptions, stdout, stderr io.Writer) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	part, err := o.thePart()
	if err != nil {
		return err
	}
	opts, configFiles, err := o.Options(stderr)
	if err != nil {
		return err
	}
	if opts.Store == "" {
		opts.Store = filepath.Join(opts.Dataset, compiler.StoreName)
	}
	opts.RenumberSpeakers, opts.DryRun, opts.Rehash = o.renumber, o.dryRun, o.rehash
	if o.maxLoss != "" {
		share, err := shareOf(o.maxLoss)
		if err != nil {
			return term.Usagef("--max-loss %w", err)
		}
		opts.MinKept = 1 - share
	}
	if o.verbose {
		fmt.Fprintf(stderr, "dataset %s, config %s, store %s\n", opts.Dataset, cmp.Or(strings.Join(configFiles, " with "), "defaults"), opts.Store)
	}
	bar := term.StartProgress(stderr, o.quiet)
	opts.Progress = bar.Report
	opts.Found = func(rows int) { boundHeap(rows, cmp.Or(opts.Workers, runtime.NumCPU())) }
	started := time.Now()
	opts.Spans = perf.NewRecorder(time.Now)
	if o.trace != "" { // also of a build that fails
		defer func() { err = errors.Join(err, writeBuildTrace(o.trace, opts.Spans.Spans())) }()
	}
	build := compiler.Build
	if opts.Part = part; part != nil {
		build = compiler.BuildPart
	}
	report, err := build(ctx, opts)
	bar.End()
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w; %s", term.ErrInterrupted, bar.Kept(o.dryRun))
	}
	if errors.Is(err, compiler.ErrLoss) {
		err = fmt.Errorf("%w; if that is meant, run the same command with --max-loss 100%%", err)
		return errors.Join(printBuild(report, o, stdout, stderr), err)
	}
	if err != nil {
		return withPlaceHint(err, opts)
	}
	if err := printBuild(report, o, stdout, stderr); err != nil {
		return err
	}
	if o.stamp != "" {
		if err := writeDependencies(o, opts, configFiles, report.Dataset, stderr); err != nil {
			return err
		}
	}
	if !o.dryRun && !report.UpToDate { // a build with nothing to do writes nothing
		keepBuildRecord(report, opts, started, opts.Spans.Spans(), stderr)
		tidy(ctx, opts.Store, opts.Keep, o.verbose, stderr)
	}
	if o.strict && report.RejectionsTotal > 0 {
		return term.Findings(fmt.Sprintf("%s rejected, and --strict is set", term.Count(report.RejectionsTotal, "row")))
	}
	return nil
}

// printBuild prints warnings and rejections for people and the result for all.
func printBuild(r *compiler.Report, o buildOptions, stdout, stderr io.Writer) error {
	for _, w := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		switch {
		case o.json:
			return term.PrintJSON(w, r)
		case o.dryRun:
			printRejections(w, r.Rejections, len(r.Rejections), "")
		case r.Loss != nil: // nothing of it is in the store
			printRejections(stderr, r.Rejections, 20, "voxpack build --dry-run")
		case !r.UpToDate || o.strict:
			printRejections(stderr, r.Rejections, 20, rejectedHint(r))
		}
		if r.Loss != nil && !r.DryRun { // what would have been is a matter for --dry-run
			if len(r.Suggestions) > 0 && !o.json {
				fmt.Fprintln(stderr, suggestionLine(r.Suggestions[0], r.Rows.Total))
			}
			return nil
		}
		for _, line := range summary(r) {
			fmt.Fprintln(w, line)
		}
		return nil
	})
}

// shareOf reads a share: 20%, 20 % or 0.2.
func shareOf(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("%q: want a share from 0%% to 100%%, as in 20%% or 0.2", s)
	}
	return share, nil
}

// rejectedHint is the command that lists what a build has rejected.
func rejectedHint(r *compiler.Report) string {
	return "voxpack show " + term.Quoted(r.Store) + " --rejected"
}

func printRejections(w io.Writer, list []compiler.RejectedRow, most int, all string) {
	for _, r := range list[:min(len(list), most)] {
		fmt.Fprintln(w, r)
	}
	if more := len(list) - most; more > 0 {
		fmt.Fprintf(w, "… and %s more: %s\n", term.Commas(more), all)
	}
}

// tidy merges small packs when there are many. The build is done by then, so
// what goes wrong here is a warning; another merge at work is not even that.
func tidy(ctx context.Context, dir string, keep store.Retention, verbose bool, stderr io.Writer) {
	if !store.NeedsMerge(dir) {
		return
	}
	r, err := store.Merge(ctx, dir, store.WriterOptions{}, func(s *store.Store) (map[[33]byte]struct{}, error) { return s.LiveWith(keep) })
	switch {
	case errors.Is(err, store.ErrBusy), ctx.Err() != nil:
	case errors.Is(err, store.ErrDamaged):
		fmt.Fprintf(stderr, "warning: small packs were not merged: %v; the dataset is built; %s\n", err, term.RepairCure)
	case err != nil:
		fmt.Fprintf(stderr, "warning: small packs were not merged: %v\n", err)
	case verbose:
		printMerge(r, stderr)
	}
}

func printMerge(r store.MergeReport, stderr io.Writer) {
	fmt.Fprintf(stderr, "merged %s into one, %s; removed %d\n", term.Count(r.Merged, "small pack"), term.Size(r.Bytes), r.Removed)
}

// withPlaceHint adds the line to type when the store cannot be where it is to
// be: nothing is there after the attempt, or what is there is not for us.
func withPlaceHint(err error, opts compiler.Options) error {
	known := exitCode(err) != exitEnvironment || errors.Is(err, store.ErrDamaged) || intake.IsMachine(err) && !isPlaceErrno(err)
	st, opened := store.Open(opts.Store)
	if opened == nil {
		st.Close()
	}
	if known || opened == nil && !unusable(err) {
		return err
	}
	return fmt.Errorf("%w\nto keep the store somewhere else:\n  voxpack build %s -o %s", err, term.Quoted(opts.Dataset), term.Quoted(elsewhere(opts.Dataset)))
}

// unusable reports errors of a place that has a store already.
func unusable(err error) bool {
	return errors.Is(err, store.ErrNewer) || errors.Is(err, os.ErrPermission) || isPlaceErrno(err)
}

// elsewhere is a place for a store that most machines can write to.
func elsewhere(dataset string) string {
	name := "dataset"
	if full, err := filepath.Abs(dataset); err == nil && len(filepath.Base(full)) > 1 {
		name = filepath.Base(full)
	}
	dir, err := os.UserHomeDir()
	if err != nil || dir == "/" {
		dir = os.TempDir()
	}
	return filepath.Join(dir, "voxpack", name)
}

// placeErrnos say that a file system will not do: read-only, full, without
// locks or without shared mappings.
var placeErrnos = []unix.Errno{unix.EROFS, unix.ENOSPC, unix.EDQUOT, unix.ENOTSUP, unix.ENOSYS, unix.ENOLCK, unix.ENODEV}

func isPlaceErrno(err error) bool {
	var errno unix.Errno
	return errors.As(err, &errno) && slices.Contains(placeErrnos, errno)
}

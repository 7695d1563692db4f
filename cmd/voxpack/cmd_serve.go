package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/gpufeed"
	"voxpack/gpufeed/plan"
	"voxpack/gpufeed/serve"
	"voxpack/internal/config"
	"voxpack/textnorm"
)

const serveHelp = `Hand the batches of a dataset to trainers in other processes, over a socket and
shared memory, without a copy. The Python package voxpack is such a consumer;
docs/protocol.md tells how to write another.

Every consumer, and every rank of a training, gets a ring of its own. The flags
here hold where a consumer asks for nothing else; what stands in voxpack.yaml of
the dataset holds where no flag says otherwise. Batches stay in host memory,
unless a consumer asks for them on an NVIDIA GPU.

The socket is for this user alone. Without --socket it is where consumers look
for this dataset: in XDG_RUNTIME_DIR/voxpack, else in a folder voxpack-UID in
TMPDIR or /tmp, named by the snapshot's digest. The first line on stdout says
it, when consumers may come.

STORE is a dataset's folder, a store, or one of them with @REF.

`

// serveOptions are the flags of serve: of those of feed, what says which rows
// come and how.
type serveOptions struct {
	feedrun.Options
	socket    string
	linger    time.Duration
	maxMemory int // MB; 0: half of what there is
}

func newServeCommand() *cobra.Command {
	var o serveOptions
	cmd := &cobra.Command{
		Use:   "serve [STORE]",
		Short: "Hand batches to trainers in other processes",
		Long:  serveHelp + exitCodesHelp + "\nThat another feeder has the socket is 3. After SIGTERM a clean end is 0.",
		Example: `  voxpack serve LJSpeech-1.1 --batch-size 32                 until Ctrl-C
  voxpack serve LJSpeech-1.1 --split train --linger 5s       until nobody was there for 5 s
  voxpack serve LJSpeech-1.1 --socket /run/user/1000/lj.sock`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Where = argument(args)
			o.Given = cmd.Flags().Changed
			return runServe(cmd.Context(), &o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	o.addFlags(f)
	return cmd
}

func (o *serveOptions) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.socket, "socket", "", "`PATH` of the socket (default: where consumers look for it)")
	f.DurationVar(&o.linger, "linger", 0, "end when no consumer was there for `TIME`, as in 5s; 0: go on until Ctrl-C")
	f.IntVar(&o.maxMemory, "max-memory", 0, "`MB` (1,000,000 bytes) that all consumers get together at most; 0: half of the machine's, or of its group's")
	o.AddSelection(f)
	f.IntVar(&o.Batch, "batch-size", config.Default().Feed.BatchSize, "`N` samples in a batch, over all ranks")
	f.Uint64Var(&o.Seed, "seed", 0, "`SEED` of the shuffle and of all other draws")
	f.StringVar(&o.Shuffle, "shuffle", "global", "`ORDER` of an epoch: global, or none (as the shards lie)")
	f.StringVar(&o.Tail, "tail", "drop", "`RULE` for rows that fill no batch: drop, pad (a short batch) or wrap (filled up)")
	f.IntVar(&o.Prefetch, "prefetch-buffer-size", 0, "`N` batches ready for each consumer (default: max(4, min(8, 64 // batch)))")
	f.IntVar(&o.Workers, "workers", 0, "fill batches with `N` goroutines a consumer (default: one for each core, at most 4)")
	f.StringVar(&o.Checks, "checksums", "first", "check each sample's bytes, `WHEN` is first (when first read), always or off")
	f.StringVar(&o.OnCorrupt, "on-corrupt", "fail", "`ACTION` on a corrupt sample: fail, skip (left out), or repair (made anew from its source)")
	f.BoolVarP(&o.Quiet, "quiet", "q", false, "no line on stdout")
	// What consumers say for themselves, or what is for GPUs.
	o.World, o.Device, o.Mode, o.Cache = 1, "host", "auto", "auto"
}

// runServe answers consumers until it is told to end.
func runServe(ctx context.Context, o *serveOptions, stdout, stderr io.Writer) error {
	p, missing := locate.Find(o.Where)
	var err error
	if missing == nil {
		err = o.Configure(p, stderr)
	}
	if wrong := o.Check(missing); wrong != nil {
		return wrong
	}
	if o.linger < 0 {
		return term.Usagef("--linger %v: want 0 or more", o.linger)
	}
	if o.maxMemory < 0 || o.maxMemory > feedrun.MaxMB {
		return term.Usagef("--max-memory %d: want 0 to %d", o.maxMemory, int(feedrun.MaxMB))
	}
	if err != nil {
		return err
	}
	d, err := p.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	selection, err := o.Selection(d)
	if err != nil {
		return err
	}
	if _, err := plan.Select(d, selection); err != nil { // now, and not when the first consumer comes
		return feedrun.AsUsage(err)
	}
	mend := newMending(ctx, &o.Options, p, d, stderr)
	defer mend.close()
	feed := o.translate()
	feed.Mender = mend.feed()
	words, done := servedWords(ctx, d, p)
	defer done()
	s, err := serve.Listen(serve.Options{
		Dataset: d, Words: words, Selection: selection, Told: func() ([]serve.Told, error) { return o.told(p) }, Config: feed, Languages: textnorm.LanguageCodes(),
		Version: toolVersion(), Socket: o.socket, Linger: o.linger, MaxMemory: uint64(o.maxMemory) * 1e6,
		Driver: gpufeed.OpenDriver,
	})
	if err != nil {
		return err
	}
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	defer signal.Stop(asked)
	if !o.Quiet {
		fmt.Fprintf(stdout, "serving %s at %s\n", d.Snapshot.Root.Short(), s.Address())
	}
	if err := s.Serve(ctx); err != nil || ctx.Err() == nil {
		return err
	}
	signal.Stop(asked) // one that is under way has come then
	select {
	case <-asked: // how a service is told that it is not wanted any more
		return nil
	default:
		return term.ErrInterrupted
	}
}

// told is what this feeder has otherwise than the dataset's config says now, which
// no consumer gets that does not ask for it.
func (o *serveOptions) told(p locate.Place) (list []serve.Told, err error) {
	var plain serveOptions
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	plain.addFlags(flags)
	plain.Config, plain.Given = o.Config, func(string) bool { return false }
	if err := plain.Configure(p, io.Discard); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		key, flag   string
		here, there any
	}{
		{"batch", "batch-size", o.Batch, plain.Batch},
		{"seed", "seed", o.Seed, plain.Seed},
		{"split", "split", o.Split, plain.Split},
		{"val", "val-split", o.ValSplit, plain.ValSplit},
		{"train", "train-split", o.TrainSplit, plain.TrainSplit}, // of the config alone: an edited one
		{"shuffle", "shuffle", o.Shuffle, plain.Shuffle},
		{"tail", "tail", o.Tail, plain.Tail},
		{"languages", "language", o.Languages, plain.Languages},
		{"speakers", "speaker", o.Speakers, plain.Speakers},
		{"weights", "weight", slices.Concat(o.Weights, corpora(o.Corpora)), slices.Concat(plain.Weights, corpora(plain.Corpora))},
		{"buckets", "buckets", o.Buckets, plain.Buckets},
		{"segment", "segment", o.Segment, plain.Segment},
		{"reference", "reference", o.Reference, plain.Reference},
		{"mel_norm", "mel-norm", o.MelNorm, plain.MelNorm},
		{"extra", "extra", o.Extra, plain.Extra},
		{"columns", "columns", o.Columns, plain.Columns},
		{"on_corrupt", "on-corrupt", o.leavesOut(), plain.leavesOut()},
	} {
		if here, there := fmt.Sprint(s.here), fmt.Sprint(s.there); here != there {
			list = append(list, serve.Told{Key: s.key, Flag: "--" + s.flag + " " + strings.Trim(strings.ReplaceAll(here, " ", ","), "[]")})
		}
	}
	return list, nil
}

// leavesOut is what a consumer notices of --on-corrupt: what is made anew is what it was.
func (o *serveOptions) leavesOut() string {
	if o.OnCorrupt == feedrun.Repair {
		return "fail"
	}
	return o.OnCorrupt
}

// corpora are the weights of a config as flags would say them.
func corpora(list []plan.Corpus) (flags []string) {
	for _, c := range list {
		flags = append(flags, fmt.Sprintf("corpus:%s=%v", c.Name, c.Times))
	}
	return flags
}

// translate is what a consumer gets that asks for nothing else.
func (o *serveOptions) translate() gpufeed.Config {
	c := o.Options.FeedConfig()
	c.Plan.Epochs, c.MaxDepth, c.Depth = 0, 0, o.Prefetch
	return c
}

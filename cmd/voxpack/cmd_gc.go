package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/settings"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

type gcOptions struct {
	settings.Flags
	where       string
	last, daily int
	apply, json bool
	given       func(flag string) bool
}

func newGCCommand() *cobra.Command {
	var o gcOptions
	cmd := &cobra.Command{
		Use:   "gc [STORE]",
		Short: "Free the room of versions that are no longer kept",
		Long: `Show which versions stay and what of the store nothing needs any more; with --apply,
free that room. Kept are main, the snapshot before it, all tags with the snapshot before
each, and what --keep-last and --keep-daily, or the config's keep_last and keep_daily,
say. A version that is dropped is gone for good.

It runs beside builds and trainings: a pack that somebody has open stays as it is, and a
later gc frees it. To rewrite a pack it needs room for what it keeps of it, up to 4 GB at
a time; a kill costs nothing but the copy that was being made.

STORE is a dataset's folder or a store. For a store elsewhere, --dataset or --config names
the config with keep_last and keep_daily.

` + exitCodesHelp,
		Example: `  voxpack gc LJSpeech-1.1
  voxpack gc LJSpeech-1.1 --keep-last 10 --keep-daily 30 --apply`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.where = argument(args)
			o.given = cmd.Flags().Changed
			return runGC(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.last, "keep-last", 0, "keep the newest `N` snapshots (default: the key keep_last)")
	f.IntVar(&o.daily, "keep-daily", 0, "keep the newest snapshot of each of `N` days (default: the key keep_daily)")
	f.BoolVar(&o.apply, "apply", false, "do it: without, it is only shown")
	f.StringVar(&o.Dataset, "dataset", "", "the dataset's folder, `DIR`")
	f.StringVar(&o.Config, "config", "", "config `FILE`")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	return cmd
}

// gcReport is the JSON of gc.
type gcReport struct {
	Store   string       `json:"store"`
	Applied bool         `json:"applied"`
	Kept    []gcSnapshot `json:"kept"`
	Dropped []gcSnapshot `json:"dropped"`
	store.GCReport
}

type gcSnapshot struct {
	Snapshot string    `json:"snapshot"`
	Time     time.Time `json:"time"`
	Rows     int       `json:"rows"`
	Why      string    `json:"why"` // "" of a dropped one
}

func runGC(ctx context.Context, o gcOptions, stdout, stderr io.Writer) error {
	p, err := locate.Find(o.where)
	if err != nil {
		return err
	}
	if p.Named && p.Ref != "main" {
		return term.Usagef("%s: gc is of a store, not of one version of it", o.where)
	}
	keep, err := o.retention(p, stderr)
	if err != nil {
		return err
	}
	r := gcReport{Store: p.Store, Applied: o.apply}
	if err := r.snapshots(p, keep); err != nil {
		return err
	}
	var damage error // of single packs: the others are dealt with
	r.GCReport, damage = store.GC(ctx, p.Store, store.WriterOptions{}, func(s *store.Store) (map[[33]byte]struct{}, error) { return s.LiveWith(keep) }, o.apply)
	if ctx.Err() != nil {
		return term.ErrInterrupted
	}
	if damage != nil && len(r.Packs) == 0 {
		return damage
	}
	err = term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, r)
		}
		r.print(w)
		return nil
	})
	return cmp.Or(err, damage)
}

// retention is what the flags say, else the config.
func (o *gcOptions) retention(p locate.Place, stderr io.Writer) (keep store.Retention, err error) {
	if o.last < 0 || o.daily < 0 {
		return keep, term.Usagef("--keep-last, --keep-daily: want 0 or more")
	}
	if o.Dataset == "" {
		o.Dataset = p.Dataset
	}
	if o.Dataset != "" || o.Config != "" {
		if keep, err = o.Retention(stderr); err != nil {
			return keep, err
		}
	}
	if o.given("keep-last") {
		keep.Last = o.last
	}
	if o.given("keep-daily") {
		keep.Daily = o.daily
	}
	return keep, nil
}

// snapshots lists those that stay and those that go.
func (r *gcReport) snapshots(p locate.Place, keep store.Retention) error {
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	all, err := st.Snapshots()
	if err != nil {
		return err
	}
	kept, err := st.Kept(keep)
	if err != nil {
		return err
	}
	why := map[store.Digest]string{}
	for _, k := range kept {
		why[k.Digest] = k.Why
	}
	r.Kept, r.Dropped = []gcSnapshot{}, []gcSnapshot{}
	for _, n := range all {
		one := gcSnapshot{Snapshot: n.Digest.String(), Time: n.Made(), Rows: n.Kept, Why: why[n.Digest]}
		if one.Why != "" {
			r.Kept = append(r.Kept, one)
		} else {
			r.Dropped = append(r.Dropped, one)
		}
	}
	return nil
}

func (r *gcReport) print(w io.Writer) {
	reasons := map[string]int{}
	for _, k := range r.Kept {
		reasons[spokenReason(k.Why)]++
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		if n := reasons[reason]; n > 1 {
			reason = fmt.Sprintf("%d %s", n, reason)
		}
		parts = append(parts, reason)
	}
	fmt.Fprintf(w, "keeps    %s: %s\n", term.Count(len(r.Kept), "snapshot"), strings.Join(parts, ", "))
	if n := len(r.Dropped); n == 1 {
		fmt.Fprintf(w, "drops    1 snapshot, %s of %s UTC\n", term.Short(r.Dropped[0].Snapshot), r.Dropped[0].Time.Format(time.DateTime))
	} else if n > 1 {
		fmt.Fprintf(w, "drops    %s, of %s to %s UTC\n", term.Count(n, "snapshot"), r.Dropped[n-1].Time.Format(time.DateTime), r.Dropped[0].Time.Format(time.DateTime))
	}
	fates := map[string]int{}
	for _, p := range r.Packs {
		fates[p.Fate]++
	}
	for _, said := range []struct{ fate, words string }{
		{store.FateCopied, "copied into new ones, without what nothing needs"}, {store.FateRemoved, "removed: nothing in them is needed"},
		{store.FateOpen, "left: a build, a feeder or another program has them open" + r.processes()}, {store.FateDamaged, "left: damaged; see voxpack verify"}} {
		if n := fates[said.fate]; n > 0 {
			fmt.Fprintf(w, "packs    %d of %d %s\n", n, len(r.Packs), said.words)
		}
	}
	switch {
	case !r.Applied && r.After < r.Before:
		fmt.Fprintf(w, "frees    about %s of %s; with --apply it does\n", term.Size(r.Before-r.After), term.Size(r.Before))
	case !r.Applied && fates[store.FateCopied] > 0:
		fmt.Fprintf(w, "merges   small packs of %s; with --apply it does\n", term.Size(r.Before))
	case r.After < r.Before:
		fmt.Fprintf(w, "freed    %s of %s; %s stay\n", term.Size(r.Before-r.After), term.Size(r.Before), term.Size(r.After))
	case fates[store.FateOpen] > 0:
		fmt.Fprintf(w, "nothing can be freed now: %s in %s\n", term.Size(r.Before), term.Count(len(r.Packs), "pack"))
	default:
		fmt.Fprintf(w, "nothing to free: %s in %s\n", term.Size(r.Before), term.Count(len(r.Packs), "pack"))
	}
}

// processes names those that have packs open.
func (r *gcReport) processes() string {
	if len(r.Open) == 0 {
		return ""
	}
	return fmt.Sprintf(" (process %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Open), " ", ", "), "[]"))
}

// spokenReason is why a snapshot stays, without the folder of the ref.
func spokenReason(why string) string {
	before, ref := strings.CutPrefix(why, "before ")
	switch {
	case before == why && !strings.Contains(why, "/"):
		return why
	case ref:
		return "the one before " + nameOfRef(before)
	}
	return nameOfRef(why)
}

func nameOfRef(ref string) string {
	kind, name, _ := strings.Cut(ref, "/")
	if kind == "tags" {
		return "tag " + name
	}
	return name
}

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/feedrun"
	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
)

type copyOptions struct {
	from, to, tag string
	rows          []string // as written, "speaker:sara"
	json, quiet   bool
}

func newCopyCommand() *cobra.Command {
	var o copyOptions
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Bring a version of a dataset into another store",
		Long: `Copy a version of a dataset into another store, which is made where there is none. Only
what is not there yet travels, and every value is checked on its way. main of TO then
names the version, or with --tag a tag. A copy that was stopped goes on where it was.

A build on the copy computes nothing of it again. Earlier versions stay behind; copy
those that you need by their names.

With --row-filter only those rows travel, as a dataset of its own: speaker:NAMES,
language:CODES, corpus:NAMES or split:PART, NAMES with commas between them. Rows of any
of the names of a kind come; with several filters those that pass all kinds. Speakers
keep their numbers.

FROM is a dataset's folder or a store, perhaps with @REF; TO is the folder of a store, or
a dataset's folder.

` + exitCodesHelp,
		Example: `  voxpack copy LJSpeech-1.1 /backup/ljspeech
  voxpack copy LJSpeech-1.1@paper /backup/ljspeech --tag paper
  voxpack copy voices /fast/sara --row-filter speaker:sara --row-filter language:fa`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.from, o.to = args[0], args[1]
			return runCopy(cmd.Context(), o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.tag, "tag", "", "let the tag `NAME` of TO name the version, and leave its main")
	f.StringArrayVar(&o.rows, "row-filter", nil, "copy only these rows, as `KIND:NAMES`: speaker:sara,omid, language:fa, corpus:lj or split:train; may be repeated")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress")
	return cmd
}

// copyReport is the JSON of copy.
type copyReport struct {
	From     string `json:"from"` // folders of the stores
	To       string `json:"to"`
	Snapshot string `json:"snapshot"`
	Dataset  string `json:"dataset"`
	Rows     int    `json:"rows"`
	Ref      string `json:"ref"` // of TO
	Was      string `json:"was"` // what it named; "" where there was none

	RowFilter []string `json:"row_filter"` // as given
	Of        string   `json:"of"`         // with a filter: the snapshot that the rows are of; else ""
	store.CopyReport
}

func runCopy(ctx context.Context, o copyOptions, stdout, stderr io.Writer) error {
	v, err := openVersion(o.from, "main")
	if err != nil {
		return err
	}
	defer v.Close()
	snap, err := v.ReadSnapshot(v.Digest)
	if err != nil {
		return err
	}
	r := copyReport{From: v.Place.Store, To: storeAt(o.to), Snapshot: v.Digest.String(), Dataset: snap.Root.String(), Rows: snap.Kept, Ref: "heads/main", RowFilter: o.rows}
	if o.tag != "" {
		r.Ref = "tags/" + o.tag
	}
	if len(o.rows) > 0 {
		err = r.copyRows(ctx, o, v, stderr)
	} else {
		r.RowFilter = []string{}
		err = r.copyWhole(ctx, o, v, stderr)
	}
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w; what was copied stays, the next copy goes on from there", term.ErrInterrupted)
	}
	if err != nil {
		return err
	}
	tidy(ctx, r.To, store.Retention{}, false, stderr)
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		if o.json {
			return term.PrintJSON(w, r)
		}
		r.print(w)
		return nil
	})
}

// copyWhole brings a version as it is.
func (r *copyReport) copyWhole(ctx context.Context, o copyOptions, v *opened, stderr io.Writer) error {
	err := r.look(v.Digest)
	if err != nil {
		return err
	}
	bar := term.StartProgress(stderr, o.quiet)
	defer bar.End()
	r.CopyReport, err = v.Copy(ctx, r.To, store.WriterOptions{}, v.Digest, r.Ref, copying(bar))
	return err
}

// copyRows brings some rows of a version, as a dataset of its own.
func (r *copyReport) copyRows(ctx context.Context, o copyOptions, v *opened, stderr io.Writer) error {
	d, err := v.DatasetOf(v.Digest)
	if err != nil {
		return err
	}
	keep, err := feedrun.RowFilter(v.Place, d, o.rows)
	if err != nil {
		return err
	}
	if err := r.look(store.Digest{}); err != nil {
		return err
	}
	bar := term.StartProgress(stderr, o.quiet)
	defer bar.End()
	r.Of = r.Snapshot
	digest, report, err := compiler.Excerpt{From: d, Keep: keep, Progress: copying(bar)}.Write(ctx, r.To, store.WriterOptions{}, r.Ref)
	if errors.Is(err, compiler.ErrNoRows) {
		return term.Usagef("no row of %s passes all filters", term.Quoted(o.from))
	}
	if err != nil {
		return err
	}
	r.CopyReport, r.Snapshot = report, digest.String()
	to, err := store.Open(r.To)
	if err != nil {
		return err
	}
	defer to.Close()
	snap, err := to.ReadSnapshot(digest)
	if err == nil {
		r.Dataset, r.Rows = snap.Root.String(), snap.Kept
	}
	return err
}

func copying(bar *term.Progress) func(done, total int) {
	return func(done, total int) { bar.Report(compiler.Progress{Phase: "copying", Done: done, Total: total}) }
}

// storeAt is the folder of the store that an argument means, which need not be there.
func storeAt(dir string) string {
	if inner := filepath.Join(dir, compiler.StoreName); !locate.IsStore(dir) && locate.IsStore(inner) {
		return inner
	}
	return dir
}

// look refuses what a copy must not change, and finds what the ref names now.
func (r *copyReport) look(d store.Digest) error {
	st, err := store.Open(r.To)
	if errors.Is(err, store.ErrNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	defer st.Close()
	was, err := st.Ref(r.Ref)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil && !errors.Is(err, store.ErrDamaged):
		return term.Usage{Err: err}
	case err == nil && r.Ref != "heads/main" && was != d:
		return term.Findings(fmt.Sprintf("%s of %s names snapshot %s already; take it away with voxpack untag", r.Ref, r.To, was.Short()))
	case err == nil:
		r.Was = was.String()
	}
	return nil
}

func (r *copyReport) print(w io.Writer) {
	switch {
	case r.Copied+r.Traces == 0:
		fmt.Fprintf(w, "nothing to copy: %s has it all\n", r.To)
	case r.Copied < r.Needed:
		fmt.Fprintf(w, "copied   %s, %s; the rest was there\n", term.Count(r.Copied, "value"), term.Size(r.Bytes))
	default:
		fmt.Fprintf(w, "copied   %s, %s\n", term.Count(r.Copied, "value"), term.Size(r.Bytes))
	}
	fmt.Fprintf(w, "%s of %s names snapshot %s: dataset %s, %s\n", nameOfRef(r.Ref), r.To, term.Short(r.Snapshot), term.Short(r.Dataset), term.Count(r.Rows, "row"))
	if r.Was != "" && r.Was != r.Snapshot {
		fmt.Fprintf(w, "it was at %s; voxpack rollback %s goes back there\n", term.Short(r.Was), term.Quoted(r.To+"@"+term.Short(r.Was)))
	}
}

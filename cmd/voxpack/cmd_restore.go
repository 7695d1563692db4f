package main

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/store"
)

type restoreOptions struct {
	where, corpus string
	ids           []string
}

func newRestoreCommand() *cobra.Command {
	var o restoreOptions
	cmd := &cobra.Command{
		Use:   "restore [STORE] [ID…]",
		Short: "Print the metadata of a version, or some rows of it",
		Long: `Print rows of a snapshot as metadata that a build reads: all rows that the build
read, kept or rejected, or those of the ids, in the order of ids. Nothing is
written but the output; put it where the metadata should be.

It is in LJSpeech's form (id|text|normalised) where that holds all, else a table with a
header. Which file a clip is in, and where in it, no snapshot keeps.

STORE is a dataset's folder, a store, or one of them with @REF, where REF is
a tag, main~2 (two before main), or the beginning of a name that log prints.

` + exitCodesHelp,
		Example: `  voxpack restore LJSpeech-1.1@main~1 >metadata.csv
  voxpack restore @main~1 LJ001-0002`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.where, o.ids = locate.SplitArgs(args, cmd.ArgsLenAtDash())
			return runRestore(o, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&o.corpus, "corpus", "", "of a dataset of several corpora: the `NAME` of the one to print")
	return cmd
}

func runRestore(o restoreOptions, stdout, stderr io.Writer) error {
	v, err := openVersion(o.where, "main")
	if err != nil {
		return err
	}
	defer v.Close()
	d, err := v.DatasetOf(v.Digest)
	if err != nil {
		return err
	}
	rows, lost, err := rowsRead(d)
	if err != nil {
		return err
	}
	if len(o.ids) > 0 {
		rows = slices.DeleteFunc(rows, func(r store.OriginRow) bool { return !slices.Contains(o.ids, r.ID) })
	}
	if unknown := o.unknown(rows); unknown != "" {
		hint, err := locate.UnknownID(v.Store, v.Place, unknown)
		if err != nil {
			return err
		}
		return term.Findings(hint)
	}
	if rows, err = o.ofCorpus(d, rows); err != nil {
		return err
	}
	parts := 0
	for _, r := range rows {
		if r.From > 0 || r.Length > 0 {
			parts++
		}
	}
	err = term.Buffered(stdout, func(w *bufio.Writer) error { return printMetadata(w, d.Root.Schema, rows) })
	if err == nil && parts > 0 {
		complain(stderr, term.Findings(fmt.Sprintf("%s cut out of longer files: a snapshot does not keep which", term.Count(parts, "clip"))))
	}
	if err == nil && lost > 0 && len(o.ids) == 0 {
		complain(stderr, term.Findings(fmt.Sprintf("%s that no row could be made of: a snapshot keeps only where they were", term.Count(lost, "line"))))
	}
	return err
}

// rowsRead are the rows that the build read, sorted by id; lost are lines that had no
// readable row.
func rowsRead(d *store.Dataset) (rows []store.OriginRow, lost int, err error) {
	for leaf := range d.Origins {
		o, err := d.Origin(leaf)
		if err != nil {
			return nil, 0, err
		}
		rows = append(rows, o.Rows...)
	}
	rejects, err := d.Store.ReadRejections(d.Snapshot)
	for _, r := range rejects {
		if r.Row.ID == "" || r.Row.Text == "" && r.Row.Given == "" {
			lost++
			continue
		}
		rows = append(rows, r.Row)
	}
	slices.SortFunc(rows, func(a, b store.OriginRow) int { return cmp.Compare(a.ID, b.ID) })
	return rows, lost, err
}

// ofCorpus keeps the rows of the corpus that was asked for, with ids as it writes them.
func (o *restoreOptions) ofCorpus(d *store.Dataset, rows []store.OriginRow) ([]store.OriginRow, error) {
	var names []string
	for _, r := range d.Snapshot.Read {
		if r.Corpus != "" {
			names = append(names, r.Corpus)
		}
	}
	if len(names) == 0 && o.corpus == "" || o.corpus == "" && len(o.ids) > 0 {
		return rows, nil
	}
	if !slices.Contains(names, o.corpus) {
		return nil, term.Usagef("--corpus %q: the dataset has %s", o.corpus, cmp.Or(strings.Join(names, ", "), "one corpus, without a name"))
	}
	rows = slices.DeleteFunc(rows, func(r store.OriginRow) bool { return !strings.HasPrefix(r.ID, o.corpus+"/") })
	for i := range rows {
		rows[i].ID = strings.TrimPrefix(rows[i].ID, o.corpus+"/")
	}
	return rows, nil
}

// unknown is the first id that no row has.
func (o *restoreOptions) unknown(rows []store.OriginRow) string {
	for _, id := range o.ids {
		if !slices.ContainsFunc(rows, func(r store.OriginRow) bool { return r.ID == id }) {
			return id
		}
	}
	return ""
}

// metadataColumn is a column of a table of rows, with what a row has there.
type metadataColumn struct {
	name string
	of   func(store.OriginRow) string
}

var metadataColumns = []metadataColumn{
	{"id", func(r store.OriginRow) string { return r.ID }},
	{"text", func(r store.OriginRow) string { return r.Text }},
	{"normalized", func(r store.OriginRow) string { return r.Given }},
	{"speaker", func(r store.OriginRow) string { return r.Speaker }},
	{"language", func(r store.OriginRow) string { return r.Language }},
	{"split", func(r store.OriginRow) string { return r.Split }},
}

// printMetadata writes rows as a build reads them again. A column that the metadata did not
// have must not come with them: it would be another dataset.
func printMetadata(w io.Writer, schema store.Schema, rows []store.OriginRow) error {
	given, split, plain := 0, false, true
	for _, r := range rows {
		if r.HasGiven {
			given++
		}
		split = split || r.Split != ""
		plain = plain && !strings.ContainsAny(r.ID+r.Text+r.Given, "|\n\r")
	}
	has := map[string]bool{"id": true, "text": true, "normalized": given > 0, "speaker": schema.Index("speaker") >= 0, "language": schema.Index("language") >= 0, "split": split}
	named := has["speaker"] || has["language"]
	plain = plain && (given == len(rows) || given == 0 && !named) && has["speaker"] == has["language"] && !split
	columns := slices.DeleteFunc(slices.Clone(metadataColumns), func(c metadataColumn) bool { return !has[c.name] })
	table := csv.NewWriter(w)
	var line []string
	if !plain {
		for _, c := range columns {
			line = append(line, c.name)
		}
		if err := table.Write(line); err != nil {
			return err
		}
	}
	for _, r := range rows {
		line = line[:0]
		for _, c := range columns {
			line = append(line, c.of(r))
		}
		if !plain {
			if err := table.Write(line); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintln(w, strings.Join(line, "|")); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

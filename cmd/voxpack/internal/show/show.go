package show

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/compiler/explain"
	"voxpack/store"
)

// Options are the flags of show.
type Options struct {
	Where          string
	ID             string // "" is the dataset
	Column         string
	PNG, NPY, WAV  string // files
	Config         string // file
	Padded         bool
	IDs, Rejected  bool
	Stats          bool
	For            string // with Stats: a trainer, whose file it prints
	JSON           bool
	Stdout, Stderr io.Writer
}

// check refuses flags that do not go together. It looks at flags alone, so that
// a mistake is told before a store is opened. The first rule that is broken is
// the message.
func (o Options) check() error {
	column := o.Column != ""
	for _, c := range []struct {
		wrong bool
		why   string
	}{
		{o.IDs && (o.ID != "" || column || o.JSON), "--ids stands alone"},
		{o.Rejected && (o.ID != "" || column || o.IDs), "--rejected stands alone, or with --json"},
		{!column && (o.PNG != "" || o.NPY != "" || o.Padded), "--png, --npy and --padded are for --column NAME"},
		{column && o.ID == "", "--column and --wav need an id"},
		{column && o.PNG == "" && o.NPY == "" && o.WAV == "", "--column needs --png FILE, --npy FILE or --wav FILE"},
		{o.PNG != "" && !strings.EqualFold(filepath.Ext(o.PNG), ".png"), "--png " + o.PNG + ": the picture is a PNG; name it so"},
		{column && o.JSON, "--column or --wav, and --json: take one of them away"},
		{o.Config != "" && o.WAV == "", "--config is for --wav"},
		{o.Padded && o.NPY == "", "--padded is for --npy"},
	} {
		if c.wrong {
			return term.Usagef("%s", c.why)
		}
	}
	return o.checkStats()
}

// Run shows what o asks for.
func Run(ctx context.Context, o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	p, err := locate.Find(o.Where)
	if err != nil {
		return err
	}
	if o.ID != "" && !o.Stats {
		return showOne(p, o)
	}
	d, err := p.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	switch {
	// check has seen to it that only one of these was asked for.
	case o.IDs:
		return showIDs(d, o.Stdout)
	case o.Rejected:
		return showRejected(d, o)
	case o.Stats:
		return showStats(ctx, d, o)
	}
	return showSet(d, p, o)
}

// showOne shows a row or one of its columns. Of the dataset it opens the row's own leaf: the
// JSON alone, which numbers the leaf and compares with the snapshot before, asks for all.
func showOne(p locate.Place, o Options) error {
	st, err := p.Open()
	if err != nil {
		return err
	}
	defer st.Close()
	snapshot, err := st.Resolve(p.Ref)
	if err != nil {
		return p.Hint(err)
	}
	row, err := findShown(st, p, o)
	if err != nil {
		return err
	}
	open := func() (*store.Dataset, error) { return st.DatasetAt(snapshot, row.ID) }
	if o.JSON {
		open = func() (*store.Dataset, error) { return st.DatasetOf(snapshot) }
	}
	d, err := open()
	switch {
	case err != nil:
		return err
	case o.Column != "":
		return showColumn(d, p, row, o)
	}
	return showRow(d, p, row, o)
}

// showIDs prints the ids of the kept rows, one a line and nothing else, for use in
// scripts.
func showIDs(d *store.Dataset, stdout io.Writer) error {
	ids, err := locate.KeptIDs(d)
	if err != nil {
		return err
	}
	return term.Buffered(stdout, func(w *bufio.Writer) error {
		for _, id := range ids {
			fmt.Fprintln(w, id)
		}
		return nil
	})
}

// rejectedPage is the JSON of show --rejected.
type rejectedPage struct {
	Snapshot   string                 `json:"snapshot"`
	Rejections []compiler.RejectedRow `json:"rejections"` // all
}

// showRejected prints all rejected rows, one a line: id, file:line, stage, reason,
// with tabs between. The exit status is 0, as rejected rows are no failure here.
func showRejected(d *store.Dataset, o Options) error {
	list, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return err
	}
	page := rejectedPage{d.Digest.String(), make([]compiler.RejectedRow, len(list))}
	for i := range list {
		page.Rejections[i] = compiler.RejectedRowOf(&list[i])
	}
	return o.print(page, func(w *bufio.Writer) {
		// Ids, file names and reasons come from metadata. A tab or a line end in one
		// must not make another column or another row.
		cell := strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace
		for _, r := range page.Rejections {
			fmt.Fprintf(w, "%s\t%s:%d\t%s\t%s\n", cell(r.ID), cell(r.File), r.Line, r.Stage, cell(r.Reason))
		}
	})
}

// print writes a page to stdout, as JSON if that is asked for, else by text.
func (o Options) print(page any, text func(w *bufio.Writer)) error {
	return term.Buffered(o.Stdout, func(w *bufio.Writer) error {
		if o.JSON {
			return term.PrintJSON(w, page)
		}
		text(w)
		return nil
	})
}

// findShown finds a row for a person: one that is not there comes with the ids
// near it, a rejected one with the reason.
func findShown(st *store.Store, p locate.Place, o Options) (*explain.RowExplanation, error) {
	find := explain.Facts
	if o.JSON {
		find = explain.Row
	}
	row, err := find(st, p.Ref, o.ID)
	if err == nil || !errors.Is(err, store.ErrNotFound) || row != nil {
		return row, err
	}
	msg, err := locate.UnknownID(st, p, o.ID)
	if err != nil {
		return nil, err
	}
	return nil, term.Findings(msg)
}

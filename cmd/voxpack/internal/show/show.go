package show

import (
	"bufio"
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
	JSON           bool
	Stdout, Stderr io.Writer
}

func (o Options) check() error {
	switch {
	case o.IDs && (o.ID != "" || o.Column != "" || o.JSON):
		return term.Usagef("--ids stands alone")
	case o.Rejected && (o.ID != "" || o.Column != "" || o.IDs):
		return term.Usagef("--rejected stands alone, or with --json")
	case o.Column == "" && (o.PNG != "" || o.NPY != "" || o.Padded):
		return term.Usagef("--png, --npy and --padded are for --column NAME")
	case o.Column != "" && o.ID == "":
		return term.Usagef("--column and --wav need an id")
	case o.Column != "" && o.PNG == "" && o.NPY == "" && o.WAV == "":
		return term.Usagef("--column needs --png FILE, --npy FILE or --wav FILE")
	case o.PNG != "" && !strings.EqualFold(filepath.Ext(o.PNG), ".png"):
		return term.Usagef("--png %s: the picture is a PNG; name it so", o.PNG)
	case o.Column != "" && o.JSON:
		return term.Usagef("--column or --wav, and --json: take one of them away")
	case o.Config != "" && o.WAV == "":
		return term.Usagef("--config is for --wav")
	case o.Padded && o.NPY == "":
		return term.Usagef("--padded is for --npy")
	}
	return nil
}

// Run shows what o asks for.
func Run(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	p, err := locate.Find(o.Where)
	if err != nil {
		return err
	}
	d, err := p.OpenDataset()
	if err != nil {
		return err
	}
	defer d.Store.Close()
	switch {
	case o.IDs:
		return showIDs(d, o.Stdout)
	case o.Rejected:
		return showRejected(d, o)
	case o.ID == "":
		return showSet(d, p, o)
	case o.Column != "":
		return showColumn(d, p, o)
	}
	return showRow(d, p, o)
}

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

func showRejected(d *store.Dataset, o Options) error {
	list, err := d.Store.ReadRejections(d.Snapshot)
	if err != nil {
		return err
	}
	page := rejectedPage{d.Digest.String(), make([]compiler.RejectedRow, len(list))}
	for i := range list {
		page.Rejections[i] = compiler.RejectedRowOf(&list[i])
	}
	return term.Buffered(o.Stdout, func(w *bufio.Writer) error {
		if o.JSON {
			return term.PrintJSON(w, page)
		}
		cell := strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace
		for _, r := range page.Rejections {
			fmt.Fprintf(w, "%s\t%s:%d\t%s\t%s\n", cell(r.ID), cell(r.File), r.Line, r.Stage, cell(r.Reason))
		}
		return nil
	})
}

// findShown finds a row for a person: one that is not there comes with the ids
// near it, a rejected one with the reason.
func findShown(d *store.Dataset, p locate.Place, id string) (*explain.RowExplanation, error) {
	row, err := explain.Row(d.Store, p.Ref, id)
	if err == nil || !errors.Is(err, store.ErrNotFound) || row != nil {
		return row, err
	}
	msg, err := locate.UnknownID(d.Store, p, id)
	if err != nil {
		return nil, err
	}
	return nil, term.Findings(msg)
}

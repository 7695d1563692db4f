package diagnose

import (
	"context"
	"errors"
	"fmt"
	"time"

	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/diagnosis"
	"voxpack/store"
)

// healthFacts are what a check of the store found, as verify makes it.
type healthFacts struct {
	Store    string             `json:"store"`
	Ref      string             `json:"ref"`
	Rows     int                `json:"rows"`
	Rejected int                `json:"rejected"`
	Shards   int                `json:"shards"`
	Packs    int                `json:"packs"`
	Records  bool               `json:"records"`      // those of all rows were looked at
	Samples  bool               `json:"samples"`      // every byte was (--full)
	Unread   int64              `json:"unread_bytes"` // of samples; 0 with Samples
	Damage   int                `json:"damage"`       // places
	Places   []compiler.Finding `json:"places"`       // the first of them
	Columns  []columnFacts      `json:"columns"`
}

// columnFacts are a column of the dataset.
type columnFacts struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

// mostPlaces is how many damaged places are listed; verify lists all.
const mostPlaces = 5

// recordTime is how long records are looked at: those of a million rows take longer
// than anybody waits. --full has no bound.
const recordTime = 5 * time.Second

// store looks whether what was built can be read, as far as that is quick.
func (d *doctor) store(ctx context.Context) error {
	if d.missing != nil {
		d.miss(storePart, "%v", d.missing)
		return nil
	}
	h := &healthFacts{Store: d.place.Store, Ref: d.place.Ref, Places: []compiler.Finding{}, Columns: []columnFacts{}}
	st, err := d.place.Open()
	if err == nil {
		defer st.Close()
		err = d.verify(ctx, st, h)
	}
	switch {
	case ctx.Err() != nil:
		return nil // the caller says it
	case errors.Is(err, store.ErrNotFound) && d.place.Ref != mainRef:
		return d.place.Hint(err) // a ref that was named, and is none
	case errors.Is(err, store.ErrDamaged), errors.Is(err, store.ErrNotFound) && named(st):
		h.found(compiler.Finding{Where: "store", What: err.Error()})
		d.missing = err
	case err != nil:
		d.miss(storePart, "%v", err)
		d.missing = err
		return nil
	}
	d.out.Store, d.seen.Store = h, &diagnosis.Store{Rows: h.Rows, Damage: h.Damage}
	if h.Damage > 0 {
		d.seen.Store.First = h.Places[0].String()
	}
	return nil
}

// damaged takes what the check of the store did not see.
func (d *doctor) damaged(h *healthFacts, f compiler.Finding) {
	h.found(f)
	d.seen.Store.Damage, d.seen.Store.First = h.Damage, h.Places[0].String()
}

// mainRef is the ref where none is named.
const mainRef = "main"

// named reports whether a store has a ref: then what it leads to has to be there.
func named(st *store.Store) bool {
	refs, err := st.Refs()
	return err == nil && len(refs) > 0
}

func (h *healthFacts) found(f compiler.Finding) {
	if h.Damage++; h.Damage <= mostPlaces {
		h.Places = append(h.Places, f)
	}
}

// verify checks seals, records and places of rows; with --full every byte.
func (d *doctor) verify(ctx context.Context, st *store.Store, h *healthFacts) error {
	bounded, cancel := ctx, context.CancelFunc(func() {})
	if !d.full {
		bounded, cancel = context.WithTimeout(ctx, recordTime)
	}
	defer cancel()
	d.tell(d.full, "reading "+term.Quoted(d.place.Store))
	counts, err := compiler.Verify(bounded, st, d.place.Ref, d.full, h.found)
	h.Packs = counts.Packs
	h.Records = true
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		h.Records, err = false, nil
	}
	if err != nil {
		return err
	}
	set, err := st.Dataset(d.place.Ref)
	if err != nil {
		if h.Damage > 0 { // Verify has said what is damaged
			d.missing, h.Records = err, false
			return nil
		}
		return err
	}
	d.root, d.snap = set.Snapshot.Root, set.Digest
	h.Rows, h.Rejected, h.Shards = set.Root.Rows, set.Snapshot.Rejected, set.Root.Shards
	h.Samples = d.full && counts.Bytes > 0
	for _, c := range set.Root.Schema.Blocks() {
		h.Columns = append(h.Columns, columnFacts{c.Name, fmt.Sprint(c.DType), c.Shape})
		if !d.full {
			h.Unread += int64(c.SampleBytes()) * int64(h.Rows)
		}
	}
	if !h.Records {
		d.miss(storePart, "the records of some of the %s: they were read for %s; --full reads all", term.Count(h.Rows, "row"), term.Duration(recordTime))
	}
	if h.Unread > 0 {
		d.miss(storePart, "%s of samples were not read: --full reads them", term.Size(h.Unread))
	}
	return nil
}

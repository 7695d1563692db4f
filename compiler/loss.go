package compiler

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"voxpack/internal/number"
	"voxpack/store"
)

// ErrLoss ends a build that would lose more of a dataset than Options.MinKept allows:
// an emptied metadata file or a folder that is not mounted must not empty a dataset.
var ErrLoss = errors.New("nothing was changed")

// Loss is what a build would lose of the rows that the snapshot before kept.
type Loss struct {
	Before   int `json:"before"`   // rows that the snapshot before kept; 0: there is none
	Vanished int `json:"vanished"` // of them, not in the metadata any more, and their audio under no other id
	Rejected int `json:"rejected"` // of them, rejected now
}

func (l Loss) rows() int { return l.Vanished + l.Rejected }

// loss counts the rows of the previous snapshot that the layout does not have. over is
// nil where the build may go on.
func (b *build) loss() (over *Loss, err error) {
	if b.MinKept <= 0 || b.Part != nil { // of parts the join decides
		return nil, nil
	}
	var l Loss
	again := 0
	if b.prev != nil {
		l.Before = b.prev.Snapshot.Kept
	}
	for i := range b.items {
		if it := &b.items[i]; it.keptBefore && it.kept() {
			again++
		} else if it.keptBefore {
			l.Rejected++
		}
	}
	l.Vanished = l.Before - again - l.Rejected
	// A share such as 0.8 is no exact number: 1e-6 of a row keeps 8 of 10 from being too few.
	tooMany := func() bool { return float64(l.Before-l.rows())+1e-6 < b.MinKept*float64(l.Before) }
	if tooMany() && l.Vanished > 0 { // only then: looking for renamed rows reads all origins
		renamed, err := b.renamed()
		if err != nil {
			return nil, err
		}
		l.Vanished -= renamed
	}
	if tooMany() || len(b.layout.rows) == 0 {
		return &l, nil
	}
	return nil, nil
}

// renamed counts rows of the previous snapshot whose id is gone and whose audio is that
// of a new row: their recordings are still in the dataset, under another name.
// Each row that is gone is paired with one new row, so copies of a clip count once each.
func (b *build) renamed() (n int, err error) {
	type part struct {
		audio        store.Digest
		from, length uint64
	}
	gone := map[part]int{}
	for leaf := range b.prev.Origins {
		o, err := b.prev.Origin(leaf)
		if err != nil {
			return 0, err
		}
		for i := range o.Rows {
			if r := &o.Rows[i]; findItem(b.items, r.ID) == nil {
				gone[part{r.Audio, r.From, r.Length}]++
			}
		}
	}
	for _, it := range b.layout.rows {
		if it.keptBefore {
			continue
		}
		if p := (part{it.made.Audio, it.made.From, it.made.Length}); gone[p] > 0 {
			gone[p]--
			n++
		}
	}
	return n, nil
}

// lost is the error of a build that stops because of what it would lose: the counts and
// the first reasons.
func (b *build) lost(l *Loss) error {
	var what string
	switch {
	case l.Before == 0 && len(b.items)+len(b.refused) == 0:
		what = "the metadata has no row, so this dataset would be empty"
	case l.Before == 0:
		what = fmt.Sprintf("none of %s can be kept, so this dataset would be empty; the first: %v%s", number.Count(len(b.rejected), "row"), RejectedRowOf(&b.rejected[0]), b.elsewhere())
	default:
		what = fmt.Sprintf("of the %s that the last build kept, %d would be lost: %s", number.Count(l.Before, "row"), l.rows(), b.lostHow(l))
	}
	return fmt.Errorf("%w: %s", ErrLoss, what)
}

// counted is a number with what it counts, in the singular for 1.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// lostHow says how rows were lost, each way with the first thing that a person would look
// at. Rejections of rows that were not kept before are no loss, but often have its cause.
func (b *build) lostHow(l *Loss) string {
	var parts []string
	if l.Vanished > 0 {
		part := counted(l.Vanished, "is", "are") + " no longer in the metadata"
		if b.lines == 0 {
			part += ", which has no row"
		}
		parts = append(parts, part)
	}
	if l.Rejected > 0 {
		part := counted(l.Rejected, "is", "are") + " rejected"
		for i := range b.rejected {
			if it := findItem(b.items, b.rejected[i].ID); it != nil && it.keptBefore {
				part += fmt.Sprintf(", the first: %v", RejectedRowOf(&b.rejected[i]))
				break
			}
		}
		parts = append(parts, part)
	}
	if rejected := len(b.rejected) - l.Rejected; l.Vanished > 0 && rejected > 0 {
		parts = append(parts, counted(rejected, "other row of the metadata is", "other rows of the metadata are")+" rejected")
	}
	since := b.prev.Snapshot.Made().Format(time.DateTime + " UTC")
	return strings.Join(parts, "; ") + fmt.Sprintf("; the dataset is unchanged since %s", since)
}

package report

import (
	"context"
	"time"

	"voxpack/cmd/voxpack/internal/locate"
	"voxpack/cmd/voxpack/internal/term"
	"voxpack/compiler"
	"voxpack/store"
)

// Figures is all that the report has to say of a dataset; its fields are the JSON.
type Figures struct {
	Dataset       string                `json:"dataset"` // root digest
	Snapshot      string                `json:"snapshot"`
	Ref           string                `json:"ref"`
	Built         time.Time             `json:"built"`
	Tool          string                `json:"tool"`
	SampleRate    int                   `json:"sample_rate"` // Hz
	Rows          compiler.RowCounts    `json:"rows"`
	Seconds       float64               `json:"seconds"` // of speech
	Languages     []Group               `json:"languages"`
	Speakers      []Group               `json:"speakers"` // those with the most rows
	SpeakersTotal int                   `json:"speakers_total"`
	Splits        []Group               `json:"splits"`
	Distributions []Distribution        `json:"distributions"`
	Missing       []Missing             `json:"missing"` // what was left out
	Outliers      []Check               `json:"outliers"`
	Damage        Damage                `json:"damage"`
	Alphabet      Alphabet              `json:"alphabet"`
	Notes         []store.NoteCount     `json:"notes"`
	NotesTotal    int                   `json:"notes_total"`
	Rejections    []RejectionGroup      `json:"rejections"`
	Padding       Padding               `json:"padding"`
	Build         *Build                `json:"build"` // null: no run record
	Stages        []StageReuse          `json:"stages"`
	Feed          *Feed                 `json:"feed"` // null: no run record
	Read          []compiler.ReadCorpus `json:"read"`
}

// Missing is a part of the report that this dataset has nothing for.
type Missing struct {
	What  string `json:"what"`  // a distribution or a check
	Needs string `json:"needs"` // the column that would show it, "rows" for too few
}

// The bounds of lists, so that figures stay small whatever a dataset holds.
const (
	mostGroups = 200 // speakers, splits
	mostNotes  = 50  // kinds of notes
	mostFirst  = 20  // outliers of a check, rejections of a kind
)

// set is a dataset with its rows while figures are made of it.
type set struct {
	data   *store.Dataset
	place  locate.Place
	rate   float64 // Hz
	rows   []row
	reader *reader       // nil: it is not known how texts were read
	sounds map[int]sound // of the rows that were looked at, by their number

	read    map[int]string // rows of which a column was read, with the one that is damaged; "": none is
	unknown int            // rows of records that are damaged
}

// gather makes the figures of a dataset.
func gather(ctx context.Context, d *store.Dataset, p locate.Place, progress *term.Progress) (*Figures, *set, error) {
	s := &set{data: d, place: p, read: map[int]string{}}
	if err := s.readRows(ctx); err != nil {
		return nil, nil, err
	}
	s.reader = newReader(d)
	f := newFigures(s)
	f.addGroups(s.rows)
	f.Alphabet = alphabetOf(s.rows)
	f.Padding = paddingOf(d.Root, s.rows)
	if err := s.lookAtSound(ctx, progress); err != nil {
		return nil, nil, err
	}
	f.addDistributions(s)
	f.addOutliers(s)
	f.addHistory(p, d)
	f.Damage = s.damage()
	return f, s, f.addRejections(d)
}

// newFigures is what the snapshot and the root say. Lists begin empty, so that
// the JSON has no null where a list is meant.
func newFigures(s *set) *Figures {
	n := s.data.Snapshot
	f := &Figures{
		Dataset: n.Root.String(), Snapshot: s.data.Digest.String(), Ref: s.place.Ref, Built: n.Made(), Tool: n.Tool, SampleRate: int(s.rate),
		Rows:      compiler.RowCounts{Total: n.Kept + n.Rejected, Kept: n.Kept, Rejected: n.Rejected, Noted: n.Noted},
		Languages: []Group{}, Speakers: []Group{}, Splits: []Group{}, Distributions: []Distribution{}, Missing: []Missing{}, Outliers: []Check{},
		Notes: []store.NoteCount{}, NotesTotal: len(n.Notes), Rejections: []RejectionGroup{}, Stages: []StageReuse{}, Read: []compiler.ReadCorpus{},
	}
	for i := range s.rows {
		f.Seconds += s.rows[i].seconds
	}
	f.Notes = append(f.Notes, n.Notes[:min(len(n.Notes), mostNotes)]...)
	for _, ran := range n.Ran {
		f.Stages = append(f.Stages, StageReuse{ran.Stage, ran.Run, ran.Hit})
	}
	return f
}
